package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds of the expansion of one word. A word over them is kept as it is
// written and is dynamic.
const (
	maxBraces   = 64 // opening braces in the word
	maxExpanded = 1024
	braceCost   = 32 // of maxWork, for each word beside its text
)

// braces returns the parts of each of the words that x stands for, false where
// these are too many.
func (w *walker) braces(x *syntax.Word, s *scope) (words [][]syntax.WordPart, ok bool) {
	braces := 0
	for _, part := range x.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			braces += strings.Count(lit.Value, "{")
		}
	}
	as := [][]syntax.WordPart{x.Parts}
	if braces == 0 {
		return as, true
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), x.Parts...)}
	if braces <= maxBraces {
		if !syntax.SplitBraces(split) || !hasBraces(split.Parts) {
			return as, true
		}
		e := expansion{limit: min(maxExpanded, max(w.work, 0)/braceCost)}
		e.expand(nil, split.Parts)
		if e.over && e.limit < maxExpanded {
			w.line.TooComplex = true
		}
		if !e.over && w.spend(len(e.words)*(len(slice(s.source, x))+braceCost)) {
			// {,} makes words of nothing, which bash drops
			return slices.DeleteFunc(e.words, empty), true
		}
	}
	return nil, false
}

func hasBraces(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

func empty(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); !ok || lit.Value != "" {
			return false
		}
	}
	return true
}

// expansion collects the words of one brace expansion.
type expansion struct {
	words [][]syntax.WordPart
	limit int
	over  bool // there are more than limit
}

// expand adds done followed by everything that rest stands for.
func (e *expansion) expand(done, rest []syntax.WordPart) {
	for i, part := range rest {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		done = join(done, rest[:i])
		rest = rest[i+1:]
		if brace.Sequence {
			e.sequence(brace, done, rest)
			return
		}
		for _, element := range brace.Elems {
			if e.expand(done, join(element.Parts, rest)); e.over {
				return
			}
		}
		return
	}
	if len(e.words) == e.limit {
		e.over = true
		return
	}
	e.words = append(e.words, join(done, rest))
}

// sequence expands {from..to..step}, which SplitBraces has checked to be of
// numbers or of single letters.
func (e *expansion) sequence(brace *syntax.BraceExp, done, rest []syntax.WordPart) {
	first, last := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	from, err := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	letters := err != nil || err2 != nil
	if letters {
		from, to = int64(first[0]), int64(last[0])
	}
	step := int64(1)
	if len(brace.Elems) > 2 {
		if n, err := strconv.ParseInt(brace.Elems[2].Lit(), 10, 64); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	// In unsigned numbers, the distance of any two signed ones fits.
	distance := uint64(to) - uint64(from)
	if to < from {
		distance = uint64(from) - uint64(to)
	}
	count := distance / uint64(step)
	if count >= uint64(e.limit) {
		e.over = true
		return
	}
	width := 0
	if padded(first) || padded(last) {
		width = max(len(first), len(last))
	}
	for i := int64(0); i <= int64(count) && !e.over; i++ {
		n := from + i*step
		if to < from {
			n = from - i*step
		}
		lit := &syntax.Lit{Value: string(rune(n))}
		if !letters {
			lit.Value = pad(n, width)
		}
		e.expand(join(done, []syntax.WordPart{lit}), rest)
	}
}

// padded reports whether a number has leading zeros, which sequences keep.
func padded(number string) bool {
	number = strings.TrimPrefix(number, "-")
	return len(number) > 1 && number[0] == '0'
}

func pad(n int64, width int) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	return sign + strings.Repeat("0", max(0, width-len(sign)-len(digits))) + digits
}

func join(a, b []syntax.WordPart) []syntax.WordPart {
	return append(append(make([]syntax.WordPart, 0, len(a)+len(b)), a...), b...)
}
