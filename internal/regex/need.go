package regex

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Need is what every text has in which an expression matches. To look for that takes a fraction of the time of a
// search, and it can be done before the expression is compiled: most texts that a guard looks at have no match.
type Need struct {
	len  int // that many bytes
	byte byte
	any  bool // no byte is known that it has
}

// NeedOf returns what a match of an expression needs.
func NeedOf(tree *syntax.Regexp) Need {
	n := needOf(tree)
	for i := range len(byRarity) {
		if b := byRarity[i]; n.has(b) {
			return Need{len: n.len, byte: b}
		}
	}
	return Need{len: n.len, any: true}
}

// In reports whether a text has what a match needs.
func (n Need) In(text string) bool {
	return len(text) >= n.len && (n.any || strings.IndexByte(text, n.byte) >= 0)
}

// byRarity are the printable bytes, those first that are rare in commands and paths.
const byRarity = "\\^`~@%&?!#;|<>*+[]{}()$\"',=:\tQZXJKVYWBGFHUPDMCLONRISATE\nqzjxkvywbgfhup_0123456789dmclonrisate.-/ "

// need is what a part of an expression needs: so many bytes, and the bytes of a set.
type need struct {
	len int
	set [2]uint64 // of ASCII
}

// mostNeeded bounds the length, which repetitions multiply.
const mostNeeded = 1 << 16

func (n *need) add(r rune)       { n.set[r/64] |= 1 << (r % 64) }
func (n *need) has(b byte) bool  { return n.set[b/64]&(1<<(b%64)) != 0 }
func (n *need) addBytes(of need) { n.set[0], n.set[1] = n.set[0]|of.set[0], n.set[1]|of.set[1] }

func needOf(re *syntax.Regexp) (n need) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			n.literal(r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		if n.len = 1; len(re.Rune) == 2 && re.Rune[0] == re.Rune[1] {
			n.len = 0
			n.literal(re.Rune[0], false)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n.len = 1
	case syntax.OpCapture, syntax.OpPlus:
		n = needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			n = needOf(re.Sub[0])
			n.len *= re.Min
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			part := needOf(sub)
			n.len += part.len
			n.addBytes(part)
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			part := needOf(sub)
			if i == 0 {
				n = part
				continue
			}
			n.len = min(n.len, part.len)
			n.set[0], n.set[1] = n.set[0]&part.set[0], n.set[1]&part.set[1]
		}
	}
	n.len = min(n.len, mostNeeded)
	return n
}

// literal adds a letter. Where case is ignored another one may stand for it, which may be shorter.
func (n *need) literal(r rune, fold bool) {
	switch other := fold && unicode.SimpleFold(r) != r; {
	case other, r == utf8.RuneError: // which stands for a byte that is no letter, too
		n.len++
	default:
		if n.len += max(utf8.RuneLen(r), 1); r < utf8.RuneSelf {
			n.add(r)
		}
	}
}
