package excerpt

import (
	"regexp/syntax"
	"strings"
)

// plain is a pattern that is a text, perhaps with conditions around it: where the text is
// found no regular expression has to be asked.
type plain struct {
	text        string
	fold        bool // upper and lower case are the same
	begin, end  bool // ^ and $
	word0, word bool // \b before and after it
}

// plainOf is the pattern as a plain text; nil where it is more than that.
func plainOf(re *syntax.Regexp) *plain {
	subs := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		subs = re.Sub
	}
	var p plain
	found := false
	for _, sub := range subs {
		switch sub.Op {
		case syntax.OpLiteral:
			if found || !isASCII(string(sub.Rune)) {
				return nil
			}
			found, p.text, p.fold = true, string(sub.Rune), sub.Flags&syntax.FoldCase != 0
		case syntax.OpBeginText, syntax.OpBeginLine:
			if found || p.word0 {
				return nil
			}
			p.begin = true
		case syntax.OpEndText, syntax.OpEndLine:
			if !found || p.word {
				return nil
			}
			p.end = true
		case syntax.OpWordBoundary:
			if p.begin || p.end {
				return nil
			}
			if found {
				p.word = true
			} else {
				p.word0 = true
			}
		default:
			return nil
		}
	}
	if len(p.text) < minLiteral || len(p.text) > maxLiteralSize {
		return nil
	}
	return &p
}

// holds tells whether the pattern matches where its text was found but for the case of
// its letters, which is at s[from:to].
func (p *plain) holds(s string, from, to int) bool {
	switch {
	case p.begin && from > 0 && s[from-1] != '\n',
		p.end && to < len(s) && s[to] != '\n' && !strings.HasPrefix(s[to:], "\r\n"),
		p.word0 && (isWord(s, from-1) && !endsColour(s[:from])) == isWord(s, from),
		p.word && isWord(s, to) == isWord(s, to-1):
		return false
	}
	return p.fold || s[from:to] == p.text
}

func isWord(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// literalsOf are texts of which each match of a pattern has at least one, in lower case;
// a line end stands for the beginning of the line. nil where there are none.
func literalsOf(re *syntax.Regexp) []string {
	best := needed(re)
	if len(best) == 0 || shortest(best) < minLiteral {
		return nil
	}
	return best
}

// needed are such texts, perhaps too short.
func needed(re *syntax.Regexp) []string {
	if texts := exact(re); texts != nil {
		return texts
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			texts := needed(sub)
			if len(texts) == 0 || len(all)+len(texts) > maxLiterals {
				return nil
			}
			all = append(all, texts...)
		}
		return all
	case syntax.OpConcat:
		return neededInRow(re.Sub)
	}
	return nil
}

// neededInRow joins neighbours that are exact and takes the best of what it finds.
func neededInRow(subs []*syntax.Regexp) []string {
	var best []string
	consider := func(texts []string) {
		if len(texts) > 0 && (best == nil || shortest(texts) > shortest(best)) {
			best = texts
		}
	}
	row := []string{""}
	for _, sub := range subs {
		texts := exact(sub)
		if texts == nil && atLeast(sub) > 0 { // what it repeats, and what follows comes after the last time
			if once := exact(sub.Sub[0]); once != nil {
				for range min(atLeast(sub), 4) {
					if longer := product(row, once); longer != nil {
						row = longer
					}
				}
				consider(row)
				row = once
				continue
			}
		}
		joined := product(row, texts)
		if joined == nil {
			consider(row)
			joined = texts
		}
		if joined == nil {
			consider(needed(sub))
			joined = []string{""}
		}
		row = joined
	}
	consider(row)
	return best
}

// atLeast is how often an expression repeats another one, 0 where it may not.
func atLeast(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpPlus:
		return 1
	case syntax.OpRepeat:
		return re.Min
	}
	return 0
}

// exact are all texts that re matches, nil where they are too many.
func exact(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpEndLine, syntax.OpEndText:
		return []string{""}
	case syntax.OpBeginLine, syntax.OpBeginText:
		return []string{"\n"}
	case syntax.OpLiteral:
		text := string(re.Rune)
		if len(text) <= maxLiteralSize && (isASCII(text) || re.Flags&syntax.FoldCase == 0) {
			return []string{lower(text)}
		}
	case syntax.OpCharClass:
		var texts []string
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if len(texts) == maxClass {
					return nil
				}
				texts = append(texts, lower(string(r)))
			}
		}
		return texts
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpQuest:
		if texts := exact(re.Sub[0]); texts != nil {
			return append([]string{""}, texts...)
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			texts := exact(sub)
			if texts == nil || len(all)+len(texts) > maxLiterals {
				return nil
			}
			all = append(all, texts...)
		}
		return all
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			if all = product(all, exact(sub)); all == nil {
				return nil
			}
		}
		return all
	}
	return nil
}

// maxClass is how many characters of a class are looked for one by one.
const maxClass = 12

// product is each of a followed by each of b; nil where that is too much.
func product(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxLiterals {
		return nil
	}
	all := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > maxLiteralSize {
				return nil
			}
			all = append(all, x+y)
		}
	}
	return all
}

func shortest(texts []string) int {
	n := len(texts[0])
	for _, s := range texts {
		n = min(n, len(s))
	}
	return n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// lower folds ASCII letters and nothing else, as the machine does.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = folded(c)
	}
	return string(b)
}

func folded(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 0x20
	}
	return c
}

// endsColour tells whether a text ends with an escape sequence that sets a colour, whose
// last letter is no word.
func endsColour(s string) bool {
	if s[len(s)-1] != 'm' {
		return false
	}
	for i := len(s) - 2; i > 0 && i > len(s)-20; i-- {
		switch c := s[i]; {
		case c == '[':
			return s[i-1] == '\x1b'
		case !isDigit(c) && c != ';':
			return false
		}
	}
	return false
}
