package lib

import (
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/regex"
	"github.com/luahook/luahook/luabind"
)

// Bounds of patterns. A short pattern can compile to a long program, as x{1000}
// does, so both have one.
const (
	maxPattern      = 10_000  // bytes of text
	maxWork         = 1 << 20 // of reading one, as regex.Work tells it
	maxProgram      = 50_000  // instructions of the program, as regex.Size estimates them
	maxThreads      = 400_000 // instructions times groups: what searching for groups may hold at once
	maxPrograms     = 256     // in the cache
	maxProgramsSize = 1 << 18 // instructions in the cache
)

// program is a compiled pattern. It is immutable and shared between states.
type program struct {
	source string
	work   int                            // of reading it
	size   int                            // instructions
	steps  int                            // what a step of a search for groups may take, in instructions
	need   regex.Need                     // what a text with a match has
	first  func() *search                 // compiled when it is first asked for
	later  func() (*regexp.Regexp, error) // see find

	charged atomic.Bool // later has been paid for
}

// search is a pattern that is ready to search with.
type search struct {
	*regexp.Regexp
	prefix string // that every match begins with
}

// compileRegexp makes a program, and asks spend to pay for reading it, and charge for its size,
// before. The error says what is wrong, without the pattern.
func compileRegexp(source string, spend, charge func(n int)) (*program, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	work := 0
	tree, size, err := regex.Parse(source, regex.Limits{Work: maxWork, Size: maxProgram}, func(w, size int) error {
		work += w
		spend(w)
		return nil
	})
	if e, ok := err.(*syntax.Error); ok {
		if e.Expr != "" {
			return nil, fmt.Errorf("%s: %s", e.Code, shorten(e.Expr))
		}
		return nil, fmt.Errorf("%s", e.Code)
	} else if err != nil {
		return nil, err
	}
	groups := 1 + tree.MaxCap()
	if size*groups > maxThreads {
		return nil, fmt.Errorf("it has too many groups (%d) for its %d instructions; write (?:...) for those that aren't needed", groups-1, size)
	}
	charge(size)
	// A search copies the groups' places along.
	p := &program{source: source, work: work, size: size, steps: size * (1 + groups/8), need: regex.NeedOf(tree)}
	p.first = sync.OnceValue(func() *search {
		re := regexp.MustCompile(source) // what can be parsed can be compiled
		prefix, _ := re.LiteralPrefix()
		return &search{re, prefix}
	})
	p.later = sync.OnceValues(func() (*regexp.Regexp, error) {
		wrapped, err := regexp.Compile(`\A(?s:.)(?s:.*?)(` + source + `)`)
		if err != nil && strings.Contains(source, `\Q`) { // without its \E, it has swallowed the bracket
			wrapped, err = regexp.Compile(`\A(?s:.)(?s:.*?)(` + source + `\E)`)
		}
		return wrapped, err
	})
	return p, nil
}

// shorten cuts text for a message.
func shorten(s string) string {
	if len(s) > 200 {
		return "`" + cut(s, 200) + "`..."
	}
	return "`" + s + "`"
}

// directSteps is the largest product of text and program that package regexp is
// given in one go; nothing can stop it there. Above, it reads the text through a
// reader that keeps an eye on the budget. It is some ten milliseconds at worst.
const directSteps = 1 << 22

// chargeSearch pays for a search that reads so many bytes. What a byte takes grows with
// the program, by how much depends on the text.
func (p *program) chargeSearch(c call, bytes int) {
	luabind.Spend(c.LState, 1+bytes/8+bytes*p.steps/1024)
}

// matches reports whether s has a match.
func (p *program) matches(c call, s string) bool {
	c.charge(len(s))
	if !p.need.In(s) {
		return false
	}
	first := p.first()
	if len(s)*p.size <= directSteps {
		p.chargeSearch(c, len(s))
		return first.MatchString(s)
	}
	if first.prefix != "" {
		return p.scan(c, s).next() != nil
	}
	r := reading(c, p, s, p.size)
	return first.MatchReader(&r)
}

// scan goes through the matches of a text one after the other: the same that
// FindAllStringSubmatchIndex lists.
type scan struct {
	call
	p      *program
	s      string
	pos    int // where the next match may begin; past len(s) at the end
	last   int // where the match before ended
	direct int // bytes that may still be searched without a reader
	reader reader
}

// shortText is searched in one go, however often.
const shortText = 1024

func (p *program) scan(c call, s string) *scan {
	c.charge(len(s))
	return &scan{call: c, p: p, s: s, last: -1, direct: 2 * len(s)}
}

// next returns nil after the last match.
func (m *scan) next() []int {
	for m.pos <= len(m.s) {
		luabind.Spend(m.LState, 2)
		lookAtClock(m.call)
		at := m.find(m.pos)
		if at == nil {
			break
		}
		behind := at[0] == at[1] && at[0] == m.last // empty, right after a match: none
		if m.pos = at[1]; at[0] == at[1] {
			_, width := utf8.DecodeRuneInString(m.s[m.pos:])
			m.pos += max(width, 1)
		}
		m.last = at[1]
		if !behind {
			return at
		}
	}
	m.pos = len(m.s) + 1
	return nil
}

// find returns the indexes of the leftmost match in the text that begins at pos or after,
// as FindStringSubmatchIndex does.
//
// Package regexp can't begin in the middle of a text: ^ and \b look at what stands
// before. So a second program, p.later, gets the text from one character before
// pos, steps over that and over as little as possible to the match, which is its
// first group. It is a program apart from FindAll because that, given a text and a
// pattern that make it go back often, would run for minutes with nothing to stop it.
func (m *scan) find(pos int) []int {
	p, c, s := m.p, m.call, m.s
	if pos == 0 && !p.need.In(s) {
		return nil
	}
	first := p.first()
	from, re := pos, first.Regexp
	if first.prefix != "" {
		if from = luabind.Index(c.LState, s, first.prefix, pos); from < 0 {
			return nil
		}
	}
	if from > 0 {
		p.chargeLater(c)
		var err error
		if re, err = p.later(); err != nil { // nested as deep as a pattern may be, and now deeper
			c.fail("pattern " + shorten(p.source) + ": " + err.Error())
		}
		_, before := utf8.DecodeLastRuneInString(s[:from])
		from -= before
	}
	at := m.search(re, s[from:])
	if re == first.Regexp || at == nil {
		return at
	}
	at = at[2:]
	for i := range at {
		if at[i] >= 0 {
			at[i] += from
		}
	}
	return at
}

// search pays for looking for the first match of re in rest. A search may read far behind the match that it
// finds, and then each one may read all that is left; what is read through a reader is known.
func (m *scan) search(re *regexp.Regexp, rest string) []int {
	direct := len(rest)*m.p.steps <= directSteps
	if direct && len(rest) > shortText {
		m.direct -= len(rest)
		direct = m.direct >= 0
	}
	if direct {
		m.p.chargeSearch(m.call, len(rest))
		return re.FindStringSubmatchIndex(rest)
	}
	m.reader = reading(m.call, m.p, rest, m.p.steps)
	return re.FindReaderSubmatchIndex(&m.reader)
}

// chargeLater pays for the second program where this may be the first that needs it.
func (p *program) chargeLater(c call) {
	if p.charged.CompareAndSwap(false, true) {
		luabind.Spend(c.LState, p.work)
		chargeProgram(c, p.size)
	}
}

// chargeProgram pays for compiling a program of so many instructions.
func chargeProgram(c call, size int) {
	luabind.Spend(c.LState, 20+2*size)
	c.allocate(1000 + regex.InstructionBytes*size)
}

// lookAtClock ends a run whose time is over, where single steps are cheap by their
// count and may yet take long.
func lookAtClock(c call) {
	ctx := c.Context()
	if ctx == nil {
		return
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		luabind.Spend(c.LState, 128) // enough to make the budget look as well
	}
}

// reader gives a text to package regexp rune by rune, and pays for what it gives.
type reader struct {
	call
	p     *program
	s     string
	pos   int
	paid  int // bytes
	chunk int // that are paid next
	most  int // bytes between two looks at the budget
}

// reading makes a reader for a search of which one character takes so many steps.
func reading(c call, p *program, s string, steps int) reader {
	return reader{call: c, p: p, s: s, chunk: 32, most: max(16, directSteps/8/max(steps, 1))}
}

func (r *reader) ReadRune() (rune, int, error) {
	if r.pos >= r.paid {
		// Raising an error from in here leaves a machine of package regexp to
		// the garbage collector and nothing else behind.
		if r.pos > 0 {
			lookAtClock(r.call)
		}
		r.p.chargeSearch(r.call, min(r.chunk, len(r.s)-r.pos))
		r.paid += r.chunk
		r.chunk = min(2*r.chunk, r.most)
	}
	if r.pos == len(r.s) {
		return 0, 0, io.EOF
	}
	c, width := utf8.DecodeRuneInString(r.s[r.pos:])
	r.pos += width
	return c, width, nil
}
