package hooks

import (
	"strings"
	"unicode/utf8"
)

// MaxPatternWork is how much reading one regular expression may take, as [PatternWork]
// tells it: some hundredths of a second.
const MaxPatternWork = 1 << 20

// PatternWork is about what package regexp/syntax works to read a regular expression, in
// the time of an instruction of a script. It takes no more than looking at each byte, and
// so can be asked before: where case is ignored, the range [B-😀] is read letter by
// letter, some 125,000 of them; a class such as \pL has hundreds of ranges; and where
// alternatives begin alike, they are gone through again for each part that they share.
func PatternWork(source string) int {
	s := patternScan{rest: source, levels: []patternLevel{{}}}
	for s.rest != "" && !s.broken {
		s.next()
	}
	for len(s.levels) > 0 {
		s.leave()
	}
	return len(source) + s.work + s.ranges*(4+s.deepest)
}

// What is counted for a class of Unicode or one that has a name, beside its letters
// where case is ignored.
const (
	unicodeClass = 2500
	namedClass   = 10
	namedLetters = 130
)

// patternScan goes through a regular expression as the parser does, as far as it must to
// tell what is a class and where case is ignored. Where the parser would give up, it may
// do so, too.
type patternScan struct {
	rest    string
	fold    bool // case is ignored
	broken  bool // the parser doesn't go on here
	levels  []patternLevel
	deepest int // groups within one another
	work    int
	ranges  int // in all classes

	unnamed bool // no more class in the rest has a name
}

// patternLevel is a group, or the whole expression.
type patternLevel struct {
	fold    bool // as it was before
	parts   int  // of the alternative under way
	literal bool // the last of them is a text, which grows
	several bool // there is more than one alternative
}

func (s *patternScan) top() *patternLevel { return &s.levels[len(s.levels)-1] }

// part counts a part of an alternative; letters side by side are one.
func (s *patternScan) part(literal bool) {
	l := s.top()
	if !literal || !l.literal {
		l.parts++
	}
	l.literal = literal
}

// alternative ends one: each of its parts may be taken off its beginning, and all the
// others are moved then.
func (s *patternScan) alternative() {
	l := s.top()
	if l.several {
		s.work += l.parts * l.parts
	}
	l.parts, l.literal = 0, false
}

func (s *patternScan) leave() {
	s.alternative()
	s.fold = s.top().fold
	s.levels = s.levels[:len(s.levels)-1]
}

func (s *patternScan) next() {
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
	case '*', '+', '?', '{': // of the last letter alone
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
func (s *patternScan) group() {
	level := patternLevel{fold: s.fold}
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
		s.levels = append(s.levels, level)
		s.deepest = max(s.deepest, len(s.levels)-1)
	}
}

// flags reads (?i) and (?i: and the like.
func (s *patternScan) flags() (fold, opens bool) {
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

// escape reads what begins with a backslash, outside of a class.
func (s *patternScan) escape() {
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

// known reads \d, \pL and the like, which stand in classes, too; false where the rest
// begins with none.
func (s *patternScan) known() bool {
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
func (s *patternScan) named() {
	s.work += namedClass
	if s.ranges += 4; s.fold {
		s.work += namedLetters
	}
}

// class reads [...].
func (s *patternScan) class() {
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
func (s *patternScan) posix() bool {
	s.work += len(s.rest) / 64 // the parser looks for its end each time
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
func (s *patternScan) between() {
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

// foldedLetters are those of a range that have to be looked at where case is ignored.
func foldedLetters(low, high rune) int {
	const first, last = 'A', 0x1e943 // as package syntax has them
	switch {
	case low > high, high < first, low > last, low <= first && high >= last:
		return 1
	}
	return int(min(high, last)-max(low, first)) + 1
}

// letter reads a character of a class, which may be written as an escape.
func (s *patternScan) letter() rune {
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

func (s *patternScan) digits(text string, base rune) (r rune) {
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
