package regex

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Need is what every text has in which an expression matches. To look for that takes a fraction of the time of a
// search, and it can be done before the expression is compiled: most texts that a guard looks at have no match.
type Need struct{ ways []way }

// way is what a text needs to match in one way: so many bytes, each letter of a set, and a part. Letters are ASCII, and
// count as the small ones; the part is what only a text of ASCII needs, as another letter may stand for one of it.
type way struct {
	len  int
	set  letters
	part string
}

type letters [2]uint64

func (l *letters) add(b byte) {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	if b < utf8.RuneSelf {
		l[b/64] |= 1 << (b % 64)
	}
}

// Bounds of what is known of an expression: where there is more, it is what its ways have in common. maxRead is that
// of the texts that are read, which nothing can stop, and maxParts of those that are read once for each way.
const (
	maxWays  = 64
	maxLen   = 1 << 16
	maxRead  = 1 << 16
	maxParts = 1 << 10
)

// NeedOf returns what a match of an expression needs.
func NeedOf(tree *syntax.Regexp) Need { return Need{waysOf(tree)} }

// In reports whether a text has what a match needs. Of a long text that isn't known: it may have all.
func (n Need) In(text string) bool {
	if len(text) > maxRead {
		return true
	}
	var set letters
	ascii := true
	for i := range len(text) {
		set.add(text[i])
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	parts, lowered := ascii && len(text) <= maxParts, false
	for i := range n.ways {
		w := &n.ways[i]
		if w.len > len(text) || w.set[0]&^set[0] != 0 || w.set[1]&^set[1] != 0 {
			continue
		} else if !parts || len(w.part) < 2 {
			return true
		} else if !lowered {
			text, lowered = strings.ToLower(text), true
		}
		if strings.Contains(text, w.part) {
			return true
		}
	}
	return false
}

func waysOf(re *syntax.Regexp) []way {
	switch re.Op {
	case syntax.OpLiteral:
		var w way
		for _, r := range re.Rune {
			w.add(r, re.Flags&syntax.FoldCase != 0)
		}
		w.part = partOf(re.Rune)
		return []way{w}
	case syntax.OpCharClass:
		var w way
		if len(re.Rune) == 2 && re.Rune[0] == re.Rune[1] {
			w.add(re.Rune[0], false)
		} else {
			w.len = 1
		}
		return []way{w}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []way{{len: 1}}
	case syntax.OpCapture, syntax.OpPlus:
		return waysOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min == 0 {
			break
		}
		one := common(waysOf(re.Sub[0]))
		one.len = min(one.len*re.Min, maxLen)
		return []way{one}
	case syntax.OpConcat:
		all := []way{{}}
		for _, sub := range re.Sub {
			all = joined(all, waysOf(sub))
		}
		return all
	case syntax.OpAlternate:
		var all []way
		for _, sub := range re.Sub {
			if all = append(all, waysOf(sub)...); len(all) > maxWays {
				all = []way{common(all)}
			}
		}
		return all
	}
	return []way{{}}
}

// partOf is the longest part of a literal that is ASCII, in small letters.
func partOf(literal []rune) string {
	longest, begin := "", 0
	for i := 0; i <= len(literal); i++ {
		if i < len(literal) && literal[i] < utf8.RuneSelf {
			continue
		} else if i-begin > len(longest) {
			longest = strings.ToLower(string(literal[begin:i]))
		}
		begin = i + 1
	}
	return longest
}

// add adds a letter. Where case is ignored another one may stand for it, which may be shorter.
func (w *way) add(r rune, fold bool) {
	size, ascii := max(utf8.RuneLen(r), 1), r < utf8.RuneSelf
	for other := unicode.SimpleFold(r); fold && other != r; other = unicode.SimpleFold(other) {
		size, ascii = 1, ascii && other < utf8.RuneSelf
	}
	if r == utf8.RuneError { // it stands for a byte that is no letter, too
		size = 1
	}
	if w.len = min(w.len+size, maxLen); ascii {
		w.set.add(byte(r))
	}
}

// common returns what all ways need.
func common(ways []way) way {
	all := ways[0]
	for _, w := range ways[1:] {
		all.len = min(all.len, w.len)
		all.set[0], all.set[1] = all.set[0]&w.set[0], all.set[1]&w.set[1]
		if all.part != w.part {
			all.part = ""
		}
	}
	return all
}

// joined returns what one of some ways needs, and behind it one of others. It may change them.
func joined(a, b []way) []way {
	if len(a)*len(b) > maxWays {
		a = []way{common(a)}
	}
	if len(b) == 1 {
		a, b = b, a
	}
	if len(a) == 1 {
		for i := range b {
			b[i] = b[i].and(a[0])
		}
		return b
	}
	all := make([]way, 0, len(a)*len(b))
	for _, first := range a {
		for _, second := range b {
			all = append(all, first.and(second))
		}
	}
	return all
}

// and is what both ways need, one behind the other.
func (w way) and(behind way) way {
	part := w.part
	if len(behind.part) > len(part) {
		part = behind.part
	}
	return way{min(w.len+behind.len, maxLen), letters{w.set[0] | behind.set[0], w.set[1] | behind.set[1]}, part}
}
