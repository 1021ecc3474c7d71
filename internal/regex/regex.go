// Package regex reads regular expressions from untrusted sources. It estimates the cost of reading and compiling
// one beforehand, because package regexp has no bound: a short expression can take seconds to read and megabytes
// to hold. It doesn't match.
package regex

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits bound one expression.
type Limits struct {
	Work int // to read it, see [Work]
	Size int // of its program, see [Size]
}

// Parse reads an RE2 expression. It first asks spend twice, which may refuse: for the [Work] of reading it,
// including package regexp's when it is compiled, and then for its [Size]. A mistake in the expression is a
// [*syntax.Error]; the other errors don't quote it.
func Parse(source string, most Limits, spend func(work, size int) error) (tree *syntax.Regexp, size int, err error) {
	work := Work(source)
	if work > most.Work {
		return nil, 0, errWork
	}
	if err := spend(2*work, 0); err != nil {
		return nil, 0, err
	}
	if tree, err = syntax.Parse(source, syntax.Perl); err != nil {
		return nil, 0, err
	}
	if size = Size(tree); size > most.Size {
		return nil, 0, fmt.Errorf("it repeats too much: its program would have %d instructions, more than %d", size, most.Size)
	}
	return tree, size, spend(0, size)
}

var errWork = errors.New("it takes too long to read; wide ranges like [a-😀] where case is ignored, classes like \\pL, and alternatives of many parts take the longest")

// Work estimates the work of package regexp/syntax to read a regular expression, in units of one script
// instruction. The estimate only looks at each byte once, so it can be made beforehand. If case is ignored, the
// range [B-😀] is read letter by letter, some 125,000 of them; a class such as \pL has hundreds of ranges; and
// alternatives that begin alike are read again for each part that they share.
func Work(source string) int {
	s := scan{rest: source, levels: []openGroup{{}}}
	for s.rest != "" && !s.broken {
		s.next()
	}
	for len(s.levels) > 0 {
		s.leave()
	}
	return len(source) + s.work + s.ranges*(4+s.deepest)
}

// The costs of a Unicode class and of one with a name, apart from its letters if case is ignored.
const (
	unicodeClass = 2500
	namedClass   = 10
	namedLetters = 130
)

// scan goes through a regular expression as the parser does, as far as needed to recognise classes and whether
// case is ignored. Where the parser would give up, scan may do so, too.
type scan struct {
	rest    string
	fold    bool // case is ignored
	broken  bool // the parser stops here
	levels  []openGroup
	deepest int // groups within one another
	work    int
	ranges  int // in all classes

	unnamed bool // no further class has a name
}

// openGroup is a group, or the whole expression.
type openGroup struct {
	fold    bool // as it was before the group
	parts   int  // of the current alternative
	literal bool // the last part is a text, which may grow
	several bool // there is more than one alternative
}

func (s *scan) top() *openGroup { return &s.levels[len(s.levels)-1] }

// part counts a part of an alternative; adjacent letters are one.
func (s *scan) part(literal bool) {
	l := s.top()
	if !literal || !l.literal {
		l.parts++
	}
	l.literal = literal
}

// alternative ends one. Each of its parts may be factored out, and then all the others are moved.
func (s *scan) alternative() {
	l := s.top()
	if l.several {
		s.work += l.parts * l.parts
	}
	l.parts, l.literal = 0, false
}

func (s *scan) leave() {
	s.alternative()
	s.fold = s.top().fold
	s.levels = s.levels[:len(s.levels)-1]
}

func (s *scan) next() {
	switch c := s.rest[0]; c {
	case '(':
		s.group()
	case ')':
		s.rest = s.rest[1:]
		if s.leave(); len(s.levels) == 0 {
			s.broken = true
			return
		}
		s.part(false)
	case '|':
		s.rest = s.rest[1:]
		s.top().several = true
		s.alternative()
	case '[':
		s.part(false)
		s.class()
	case '*', '+', '?', '{': // applies to the last letter only
		s.rest = s.rest[1:]
		if l := s.top(); l.literal {
			l.parts, l.literal = l.parts+1, false
		}
	case '\\':
		s.escape()
	default:
		s.part(c != '^' && c != '$' && c != '.')
		s.rest = s.rest[1:]
	}
}

// group reads what begins with a bracket.
func (s *scan) group() {
	openGroup := openGroup{fold: s.fold}
	fold, opens := s.fold, true
	switch {
	case !strings.HasPrefix(s.rest, "(?"):
		s.rest = s.rest[1:]
	case strings.HasPrefix(s.rest, "(?P<"), strings.HasPrefix(s.rest, "(?<"):
		_, after, closed := strings.Cut(s.rest, ">")
		s.rest, s.broken = after, !closed
	default:
		fold, opens = s.flags()
	}
	s.fold = fold
	if opens && !s.broken {
		s.part(false)
		s.levels = append(s.levels, openGroup)
		s.deepest = max(s.deepest, len(s.levels)-1)
	}
}

// flags reads (?i) and (?i: and the like.
func (s *scan) flags() (fold, opens bool) {
	fold = s.fold
	on := true
	for i := len("(?"); i < len(s.rest); i++ {
		switch s.rest[i] {
		case 'i':
			fold = on
		case 'm', 's', 'U':
		case '-':
			on = false
		case ':', ')':
			opens = s.rest[i] == ':'
			s.rest = s.rest[i+1:]
			return fold, opens
		default:
			s.broken = true
			return fold, false
		}
	}
	s.broken = true
	return fold, false
}

// escape reads what begins with a backslash outside a class.
func (s *scan) escape() {
	switch {
	case strings.HasPrefix(s.rest, `\Q`):
		_, s.rest, _ = strings.Cut(s.rest, `\E`)
		s.part(true)
	case s.known():
		s.part(false)
	default:
		s.part(len(s.rest) < 2 || !strings.ContainsRune("AbBz", rune(s.rest[1])))
		s.rest = s.rest[min(2, len(s.rest)):]
	}
}

// known reads \d, \pL and the like, in classes too; false if the rest begins with none.
func (s *scan) known() bool {
	if len(s.rest) < 2 || s.rest[0] != '\\' {
		return false
	}
	switch s.rest[1] {
	case 'd', 'D', 's', 'S', 'w', 'W':
		s.rest = s.rest[2:]
		s.named()
	case 'p', 'P':
		s.work += unicodeClass
		s.ranges += unicodeClass / 4
		s.rest = s.rest[2:]
		if strings.HasPrefix(s.rest, "{") {
			_, after, closed := strings.Cut(s.rest, "}")
			s.rest, s.broken = after, !closed
		} else if s.rest != "" {
			_, width := utf8.DecodeRuneInString(s.rest)
			s.rest = s.rest[width:]
		}
	default:
		return false
	}
	return true
}

// named counts a class of a few ranges.
func (s *scan) named() {
	s.work += namedClass
	if s.ranges += 4; s.fold {
		s.work += namedLetters
	}
}

// class reads [...].
func (s *scan) class() {
	s.rest = strings.TrimPrefix(s.rest[1:], "^")
	for first := true; !s.broken; first = false {
		switch {
		case s.rest == "":
			s.broken = true
		case s.rest[0] == ']' && !first:
			s.rest = s.rest[1:]
			return
		case strings.HasPrefix(s.rest, "[:") && s.posix(), s.known():
		default:
			s.between()
		}
	}
}

// posix reads [:alpha:].
func (s *scan) posix() bool {
	s.work += len(s.rest) / 64 // the parser searches for its end each time
	if s.unnamed {
		return false
	}
	_, after, closed := strings.Cut(s.rest[2:], ":]")
	if !closed {
		s.unnamed = true
		return false
	}
	s.rest = after
	s.named()
	return true
}

// between reads a letter of a class, or a range.
func (s *scan) between() {
	low := s.letter()
	high := low
	if len(s.rest) >= 2 && s.rest[0] == '-' && s.rest[1] != ']' {
		s.rest = s.rest[1:]
		high = s.letter()
	}
	s.ranges++
	if s.fold && !s.broken {
		s.work += foldedLetters(low, high)
	}
}

// foldedLetters returns how many letters of a range have to be examined if case is ignored.
func foldedLetters(low, high rune) int {
	const first, last = 'A', 0x1e943 // as package syntax has them
	switch {
	case low > high, high < first, low > last, low <= first && high >= last:
		return 1
	}
	return int(min(high, last)-max(low, first)) + 1
}

// letter reads a character of a class, which may be written as an escape.
func (s *scan) letter() rune {
	if s.rest == "" {
		s.broken = true
		return 0
	}
	c, width := utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[width:]
	if c != '\\' {
		return c
	}
	if s.rest == "" {
		s.broken = true
		return 0
	}
	c, width = utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[width:]
	switch {
	case c == 'x' && strings.HasPrefix(s.rest, "{"):
		digits, after, closed := strings.Cut(s.rest[1:], "}")
		s.broken = !closed
		s.rest = after
		return s.digits(digits, 16)
	case c == 'x':
		n := min(2, len(s.rest))
		digits := s.rest[:n]
		s.rest = s.rest[n:]
		return s.digits(digits, 16)
	case '0' <= c && c <= '7':
		n := 0
		for n < min(2, len(s.rest)) && '0' <= s.rest[n] && s.rest[n] <= '7' {
			n++
		}
		digits := string(c) + s.rest[:n]
		s.rest = s.rest[n:]
		return s.digits(digits, 8)
	}
	if i := strings.IndexRune("afnrtv", c); i >= 0 {
		return rune("\a\f\n\r\t\v"[i])
	}
	return c
}

func (s *scan) digits(text string, base rune) (r rune) {
	for _, c := range text {
		digit := base
		switch {
		case '0' <= c && c <= '9':
			digit = c - '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			digit = c | 0x20 - 'a' + 10
		}
		if r = r*base + digit; digit >= base || r > utf8.MaxRune {
			s.broken = true
			return 0
		}
	}
	return r
}

// Size estimates how many instructions a regular expression compiles to. A short one can compile to a long
// program, as x{1000} does. Large classes count as several instructions, because their tables take memory.
func Size(re *syntax.Regexp) int {
	if re == nil {
		return 0
	}
	size := programSize(re)
	if size < 10*onePass && beginsText(re) {
		_, held := tables(re, 0)
		size += held * tableBytes / InstructionBytes
	}
	return size
}

// InstructionBytes is about how much memory package regexp takes, in all, to compile one instruction.
const InstructionBytes = 250

func programSize(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n += 1 + programSize(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass:
		return n + len(re.Rune)/8
	case syntax.OpRepeat:
		return n * max(re.Min+1, re.Max)
	}
	return n
}

// For a short expression that is anchored at the beginning, package regexp makes a program in which each
// instruction knows all characters that continue from it: a class within a hundred brackets is held a hundred
// times.
const (
	onePass    = 1000 // instructions; longer expressions have no such program
	tableBytes = 6    // of a character and its successor
)

func beginsText(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || slices.ContainsFunc(re.Sub, beginsText)
}

// tables returns how many characters begin a match if follow characters may come after it, and how many the
// instructions hold. Classes are counted by the borders of their ranges.
func tables(re *syntax.Regexp, follow int) (first, held int) {
	switch re.Op {
	case syntax.OpLiteral:
		return 8, 2 * len(re.Rune)
	case syntax.OpCharClass:
		return len(re.Rune), len(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 4, 4
	case syntax.OpCapture:
		first, held = tables(re.Sub[0], follow)
		return first, held + first + follow
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		first, held = tables(re.Sub[0], follow)
		return first + follow, held + first + follow
	case syntax.OpRepeat:
		first, held = tables(re.Sub[0], follow)
		return first + follow, (held + first + follow) * max(re.Min+1, re.Max)
	case syntax.OpConcat:
		first = follow
		for _, sub := range slices.Backward(re.Sub) {
			var more int
			first, more = tables(sub, first)
			held += more
		}
		return first, held
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			f, h := tables(sub, follow)
			first += f
			held += h + first
		}
		return first, held
	}
	return follow, follow
}
