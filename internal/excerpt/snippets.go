package excerpt

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/regex"
)

// Group describes lines that are worth keeping by regular expressions (RE2), which are tried on one line at a
// time. Each match of a pattern must contain a known text of at least two bytes; the beginning of a line counts
// as one byte.
type Group struct {
	Name     string
	Patterns []string
	Except   []string // a line that one of these matches doesn't count
	Before   int      // lines that are kept before a match, if there is space
	After    int      // lines that are kept after it, if there is space
	// if not empty: of the lines after a match only the first, then those that this matches, up to one that it
	// doesn't
	Through string
}

// Bounds of the description of snippets.
const (
	MaxGroups   = 16
	MaxPatterns = 500  // of all groups
	MaxPattern  = 1000 // bytes of one, and of a group's name

	maxWork        = 1 << 18 // work to read one, as regex.Work estimates it
	maxProgram     = 2000    // instructions of one, as regex.Size estimates them
	maxPrograms    = 40_000  // of all
	maxContext     = 200     // lines before or after a match
	maxLiterals    = 32      // alternatives of one pattern that are looked for
	minLiteral     = 2
	maxLiteralSize = 64
)

// Snippets describe the lines worth keeping, ready for the search. They are immutable and may be used by several
// goroutines at once.
type Snippets struct {
	groups   []group
	patterns []pattern // of all groups
	machine  machine   // finds the literals of the patterns
}

type group struct {
	Group
	except  []*expression
	through *expression
}

// pattern is one pattern of a group.
type pattern struct {
	group  int
	plain  *plain // set if the pattern is just a literal
	regexp *expression
}

// expression is a regular expression that is compiled when it is first needed.
type expression struct {
	source  string
	size    int
	compile func() *regexp.Regexp
}

func (e *expression) find(s string) []int { return e.compile().FindStringIndex(s) }

// NewSnippets prepares the search, with the most important group first. Before it works it tells spend how much,
// in units of a few nanoseconds, and before it allocates it tells allocate about how many bytes; both may panic
// to stop it. The error names the pattern that can't be used.
func NewSnippets(groups []Group, spend, allocate func(n int)) (*Snippets, error) {
	if len(groups) > MaxGroups {
		return nil, fmt.Errorf("%d groups are too many; the limit is %d", len(groups), MaxGroups)
	}
	s := &Snippets{}
	var texts trie
	size := 0
	parsed := func(source string) (*expression, *syntax.Regexp, error) {
		e, tree, err := parse(source, spend)
		if err != nil {
			return nil, nil, fmt.Errorf("pattern %q: %w", short(source), err)
		}
		if size += e.size; size > maxPrograms {
			return nil, nil, fmt.Errorf("pattern %q: all patterns together are too large", short(source))
		}
		return e, tree, nil
	}
	for i, given := range groups {
		if given.Before < 0 || given.After < 0 || given.Before > maxContext || given.After > maxContext {
			return nil, fmt.Errorf("group %q: before and after are 0 to %d lines", given.Name, maxContext)
		}
		g := group{Group: given}
		for _, source := range given.Patterns {
			e, tree, err := parsed(source)
			if err != nil {
				return nil, err
			}
			if len(s.patterns) == MaxPatterns {
				return nil, fmt.Errorf("more than %d patterns", MaxPatterns)
			}
			p := pattern{group: i, plain: plainOf(tree), regexp: e}
			literals := literalsOf(tree)
			if literals == nil {
				return nil, fmt.Errorf("pattern %q has no text of %d bytes that each match must have; add one", short(source), minLiteral)
			}
			for _, l := range literals {
				allocate(nodeBytes * len(l))
				if !texts.add(l, len(s.patterns)) {
					return nil, fmt.Errorf("pattern %q: all patterns together are too large", short(source))
				}
			}
			s.patterns = append(s.patterns, p)
		}
		for _, source := range given.Except {
			e, _, err := parsed(source)
			if err != nil {
				return nil, err
			}
			g.except = append(g.except, e)
		}
		if given.Through != "" {
			e, _, err := parsed(given.Through)
			if err != nil {
				return nil, err
			}
			g.through = e
		}
		s.groups = append(s.groups, g)
	}
	allocate(4 * texts.cells())
	s.machine = texts.machine()
	return s, nil
}

// parse reads a pattern; it is compiled later.
func parse(source string, spend func(units int)) (*expression, *syntax.Regexp, error) {
	if len(source) > MaxPattern {
		return nil, nil, fmt.Errorf("it is longer than %d bytes", MaxPattern)
	}
	tree, size, err := regex.Parse(source, regex.Limits{Work: maxWork, Size: maxProgram}, func(work, _ int) error {
		spend(work)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return &expression{source: source, size: size, compile: sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(source)
		if err != nil { // it was parsed above
			return regexp.MustCompile(`[^\x00-\x{10FFFF}]`)
		}
		return re
	})}, tree, nil
}

func short(s string) string {
	if len(s) > 100 {
		return s[:runeStart(s, 100)] + "..."
	}
	return s
}

// Bounds of the search in one text.
const (
	maxHits  = 256  // of a group that are unlike, and as many that are alike
	maxFound = 1000 // that are counted of a group
	// of one regular expression, bytes times instructions: for lines, and again for pieces of long ones
	maxSteps   = 1 << 19
	allSteps   = 1 << 24 // of all patterns together, likewise
	exceptions = 1 << 20 // of a group's except patterns together, likewise
	maxSeen    = 1 << 13 // lines that are remembered
	wholeBytes = 1024    // up to this length a line may have to be searched as a whole
	tellBytes  = 400     // of a line that distinguish it from others
	mostInLine = 8       // matches in a line that a regular expression reports
)

// The bytes of a longer line that are searched before and after the match of a literal.
const (
	pieceBefore = 128
	pieceAfter  = 256
	pieceEnd    = 64 // of it also belong to the next one
)

// hit is a line, or a piece of a long one, that a group wants to keep.
type hit struct {
	from, to int // the line in the text, without its end
	at       int // where the pattern was found
}

// hits are the hits of one group.
type hits struct {
	unlike, alike []hit           // alike: they differ from an earlier one only in digits
	count         int             // of lines that matched, up to maxFound
	line          int             // serial of the last line that was taken
	places        int             // matches in the last line that don't count
	of            int             // serial of that line
	seen          map[uint64]bool // lines, and whether they don't count
	steps         budget          // for the exceptions
	except        int             // serial of the line that they were last asked about
	harmless      []span          // spans of it that don't count
}

// budget is the steps that regular expressions may take, separately for lines and for pieces of long ones, so
// that neither uses up the other's.
type budget struct{ lines, pieces int }

// finder searches a text for snippets.
type finder struct {
	text     string
	from, to int
	s        *Snippets
	spend    func(units int)
	line     hit             // the current line
	piece    bool            // it is a part of a long line
	until    int             // text from here on belongs to the next line
	serial   int             // of it
	asked    []int           // by pattern: serial of the line that it was last asked about
	steps    []budget        // by pattern: what it has used of maxSteps
	together budget          // what all patterns have used of allSteps
	answers  map[uint64]bool // of patterns about similar lines
	groups   []hits
}

// find returns the hits in text[from:to] by group. It reads each byte once, and reads matches again within
// bounds.
func find(text string, from, to int, s *Snippets, spend func(units int)) []hits {
	f := finder{text: text, from: from, to: to, s: s, spend: spend, line: hit{from: from, to: from}, asked: make([]int, len(s.patterns)), steps: make([]budget, len(s.patterns)), answers: map[uint64]bool{}, groups: make([]hits, len(s.groups))}
	for i := range f.groups {
		f.groups[i].seen = map[uint64]bool{}
	}
	var ends [lanes][]ending
	for begin := from; begin < to; begin += spendEvery {
		end := min(begin+spendEvery, to)
		spendBytes(spend, end-begin)
		s.machine.scan(text, begin, end, &ends, func(at int, texts []found) { f.found(texts, at) })
	}
	return f.groups
}

// found asks the patterns whose texts end at end.
func (f *finder) found(all []found, end int) {
	for _, t := range all {
		p := &f.s.patterns[t.pattern]
		g := &f.groups[p.group]
		at := end - t.length
		if at < 0 || f.text[at] == '\n' {
			at++ // the beginning of the line counts as a text
		}
		if at < f.from {
			continue
		}
		if at >= f.until || f.serial == 0 {
			f.step(at)
		}
		switch {
		case g.line == f.serial:
		case p.plain != nil:
			if p.plain.holds(f.text, at, end) {
				f.take(p.group, at)
			}
		case f.asked[t.pattern] != f.serial:
			f.asked[t.pattern] = f.serial
			f.ask(t.pattern, at)
		}
	}
}

// step goes to the line that contains at; for a long line, to the piece around at.
func (f *finder) step(at int) {
	before, after := f.lineAround(at, wholeBytes, wholeBytes)
	if f.piece = before < 0 || after < 0 || after-before > wholeBytes; f.piece {
		before, after = f.lineAround(at, pieceBefore, pieceAfter)
	}
	f.line.from = max(before, f.from, at-pieceBefore)
	if before >= 0 {
		f.line.from = before
	}
	if f.line.to = after; after < 0 {
		f.line.to = min(len(f.text), at+pieceAfter)
	} else if after > at && f.text[after-1] == '\r' {
		f.line.to--
	}
	f.line.to = max(f.line.to, at+1)
	if f.until = f.line.to; f.piece && after < 0 {
		f.until -= pieceEnd
	}
	f.serial++
}

// lineAround returns where the line around a place begins and ends, or -1 if that is further away than the given
// number of bytes.
func (f *finder) lineAround(at, before, after int) (from, to int) {
	low, high := max(f.from, at-before), min(len(f.text), at+after)
	if from = strings.LastIndexByte(f.text[low:at], '\n'); from >= 0 || low == f.from {
		from += low + 1
	}
	if to = strings.IndexByte(f.text[at:high], '\n'); to >= 0 {
		to += at
	} else if high == len(f.text) {
		to = high
	}
	return from, to
}

// ask asks the regular expression of a pattern about the line. Once half of its budget is gone, it is asked only
// about lines unlike those that it was asked about before.
func (f *finder) ask(pattern, at int) {
	p := &f.s.patterns[pattern]
	_, key := f.hashes(at)
	key = mixed(key, uint64(pattern))
	used := f.steps[pattern].of(f.piece)
	if answer, known := f.answers[key]; known && *used > maxSteps/2 {
		if answer {
			f.take(p.group, at)
		}
		return
	}
	if !f.pay(f.together.of(f.piece), allSteps, p.regexp) || !f.pay(used, maxSteps, p.regexp) {
		return
	}
	places := f.places(p.regexp)
	if len(f.answers) < maxSeen {
		f.answers[key] = len(places) > 0
	}
	for _, place := range places {
		f.take(p.group, f.line.from+place[0])
	}
}

func (b *budget) of(piece bool) *int {
	if piece {
		return &b.pieces
	}
	return &b.lines
}

// pay charges for asking an expression about the line, and returns false if the budget is spent. One half may be
// used anywhere, the other becomes available as the search proceeds, so that some is left for the end of the
// text.
func (f *finder) pay(used *int, most int, e *expression) bool {
	cost := (1 + f.line.to - f.line.from) * e.size
	released := most/2 + int(float64(most/2)*float64(f.line.to-f.from)/float64(max(f.to-f.from, 1)))
	if *used+cost > released {
		return false
	}
	*used += cost
	return true
}

// places returns where an expression matches in the line.
func (f *finder) places(e *expression) [][]int {
	line := f.text[f.line.from:f.line.to]
	if f.spend != nil {
		f.spend(1 + (1+len(line))*e.size/64)
	}
	return e.compile().FindAllStringIndex(line, mostInLine)
}

// take records the line for a group because of a match at the given place, unless that is excepted.
func (f *finder) take(group, at int) {
	g := &f.groups[group]
	if g.line == f.serial {
		return
	}
	if g.of != f.serial {
		g.of, g.places = f.serial, 0
	}
	same, like := f.hashes(at)
	same, like = mixed(same, uint64(g.places)), mixed(like, uint64(g.places))
	excepted, known := g.seen[same]
	alike := false
	if !known {
		if excepted, alike = g.seen[like]; !alike {
			excepted = f.excepted(group, at)
		}
		if len(g.seen) < maxSeen {
			g.seen[same], g.seen[like] = excepted, excepted
		}
	}
	if excepted {
		g.places++
		return
	}
	g.line = f.serial
	g.count = min(g.count+1, maxFound)
	if known {
		return
	}
	list := &g.unlike
	if alike {
		list = &g.alike
	}
	h := hit{f.line.from, f.line.to, at}
	if len(*list) < maxHits {
		*list = append(*list, h)
	} else { // the last one is kept, too
		(*list)[maxHits-1] = h
	}
}

// excepted reports whether the match at a place doesn't count: an exception matches there, or matches somewhere
// in the line and covers more than what a pattern itself could find, as "0 errors" does.
func (f *finder) excepted(group, at int) bool {
	g := &f.groups[group]
	if g.except != f.serial {
		g.except = f.serial
		g.harmless = g.harmless[:0]
		f.findHarmless(group)
	}
	for _, p := range g.harmless {
		if p.from <= at && at < p.to {
			return true
		}
	}
	return false
}

// findHarmless finds where the exceptions of a group match in the line.
func (f *finder) findHarmless(group int) {
	g := &f.groups[group]
	for _, e := range f.s.groups[group].except {
		if !f.pay(g.steps.of(f.piece), exceptions, e) {
			return
		}
		for _, p := range f.places(e) {
			found := span{f.line.from + p[0], f.line.from + p[1]}
			if !f.holds(group, found.from, found.to) { // it says something about the whole line
				g.harmless = append(g.harmless, span{f.line.from, f.line.to})
				return
			}
			g.harmless = append(g.harmless, found)
		}
	}
}

// holds reports whether a part of the line has a text that a pattern of the group searches for.
func (f *finder) holds(group, from, to int) (yes bool) {
	var ends [lanes][]ending
	f.s.machine.scan(f.text[:to], from, to, &ends, func(at int, texts []found) {
		for _, t := range texts {
			yes = yes || f.s.patterns[t.pattern].group == group && at-t.length >= from
		}
	})
	return yes
}

const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a

func mixed(hash, with uint64) uint64 { return (hash ^ (with + 1)) * prime }

// hashes returns a hash of the line, and one of it without its numbers other than 0. For a long line, they are
// hashes of its beginning and of the text around the place.
func (f *finder) hashes(at int) (same, like uint64) {
	line := f.text[f.line.from:f.line.to]
	same, like = offset, offset+1
	if len(line) > tellBytes {
		rest := f.text[at:min(f.line.to, at+tellBytes/2)]
		same, like = hashed(rest, same, like)
		line = line[:tellBytes/2]
	}
	return hashed(line, same, like)
}

func hashed(s string, same, like uint64) (uint64, uint64) {
	for i := range len(s) {
		c := s[i]
		same = (same ^ uint64(c)) * prime
		if !isDigit(c) || c == '0' && !(i > 0 && isDigit(s[i-1])) && !(i+1 < len(s) && isDigit(s[i+1])) {
			like = (like ^ uint64(c)) * prime
		}
	}
	return same, like
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
