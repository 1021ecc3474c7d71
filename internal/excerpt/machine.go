package excerpt

import (
	"regexp/syntax"
	"strings"
)

// plain is a pattern that is a literal text, perhaps with conditions around it: once the text is found, no
// regular expression is needed.
type plain struct {
	text        string
	fold        bool // upper and lower case are the same
	begin, end  bool // ^ and $
	word0, word bool // \b before and after it
}

// plainOf returns the pattern as a plain text; nil if it is more than that.
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

// holds reports whether the pattern matches s[from:to], which is its text except for the case of letters.
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

// literalsOf returns texts, in lower case, of which every match of a pattern contains at least one; a line end
// stands for the beginning of the line. It is nil if there are none.
func literalsOf(re *syntax.Regexp) []string {
	best := needed(re)
	if len(best) == 0 || shortest(best) < minLiteral {
		return nil
	}
	return best
}

// needed returns such texts, perhaps too short ones.
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

// neededInRow joins neighbours that are exact and returns the best texts that it finds.
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
		// what it repeats; the text that follows comes after the last repetition
		if texts == nil && atLeast(sub) > 0 {
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

// atLeast returns how often an expression repeats another one at least; 0 if it may be absent.
func atLeast(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpPlus:
		return 1
	case syntax.OpRepeat:
		return re.Min
	}
	return 0
}

// exact returns all texts that re matches; nil if they are too many.
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

// maxClass is the largest class whose characters are searched for one by one.
const maxClass = 12

// product returns each of a followed by each of b; nil if that is too much.
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

// lower folds only ASCII letters, as the machine does.
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

// endsColour reports whether a text ends with an escape sequence that sets a colour: its last letter isn't part
// of a word.
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

// machine finds many short texts at once (Aho and Corasick): a step is two loads. It ignores the case of ASCII
// letters. In state 0 nothing of any text has been read.
type machine struct {
	class  [256]uint8 // of a byte; 0 for bytes of no text
	width  uint32     // how many classes there are; states are multiples of it
	next   []uint32   // by state + class
	first  uint32     // states from here on end a text
	output [][]found  // of these
}

// found is a text of a pattern that ends where the machine is.
type found struct {
	pattern, length int
}

// trie holds the texts while a machine is being built.
type trie struct {
	nodes []node
}

type node struct {
	next   map[byte]int
	fail   int // the node of this text's longest proper suffix that has a node
	output []found
}

// Bounds of a machine, and the approximate size of a node.
const (
	maxStates = 6_000
	nodeBytes = 400
)

// add adds a text in lower case; false if there is no space for it.
func (t *trie) add(text string, pattern int) bool {
	if t.nodes == nil {
		t.nodes = []node{{next: map[byte]int{}}}
	}
	at := 0
	for i := range len(text) {
		to, ok := t.nodes[at].next[text[i]]
		if !ok {
			if to = len(t.nodes); to == maxStates {
				return false
			}
			t.nodes = append(t.nodes, node{next: map[byte]int{}})
			t.nodes[at].next[text[i]] = to
		}
		at = to
	}
	t.nodes[at].output = append(t.nodes[at].output, found{pattern, len(text)})
	return true
}

// cells returns how many entries the table of the machine will have.
func (t *trie) cells() int {
	var m machine
	return len(t.nodes) * int(m.classify(t))
}

// machine builds the machine that searches for the texts.
func (t *trie) machine() machine {
	var m machine
	if t.nodes == nil {
		return machine{width: 1, next: []uint32{0}, first: 1}
	}
	m.width = m.classify(t)
	order := t.link()
	number := m.number(t, order)
	m.next = make([]uint32, uint32(len(t.nodes))*m.width)
	for _, n := range order {
		row := m.next[number[n]:][:m.width]
		if n != 0 {
			copy(row, m.next[number[t.nodes[n].fail]:])
		}
		for c, to := range t.nodes[n].next {
			row[m.class[c]] = number[to]
		}
	}
	return m
}

// classify gives each byte of the texts a class and returns the number of classes.
func (m *machine) classify(t *trie) uint32 {
	classes := uint32(1)
	for _, n := range t.nodes {
		for c := range n.next {
			if m.class[c] == 0 {
				m.class[c] = uint8(classes) // at most 230: no upper case letters
				classes++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		m.class[c] = m.class[c+0x20]
	}
	return classes
}

// link sets where to continue when no text continues, and returns the nodes by the length of their texts.
func (t *trie) link() []int {
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for c, to := range t.nodes[at].next {
			order = append(order, to)
			if at == 0 {
				continue
			}
			fail := t.nodes[at].fail
			for {
				if next, ok := t.nodes[fail].next[c]; ok {
					t.nodes[to].fail = next
					break
				}
				if fail == 0 {
					break
				}
				fail = t.nodes[fail].fail
			}
		}
	}
	for _, n := range order[1:] {
		t.nodes[n].output = append(t.nodes[n].output, t.nodes[t.nodes[n].fail].output...)
	}
	return order
}

// number gives the nodes their states; nodes that end a text get the last ones.
func (m *machine) number(t *trie, order []int) []uint32 {
	number := make([]uint32, len(t.nodes))
	next := uint32(0)
	for _, n := range order {
		if len(t.nodes[n].output) == 0 {
			number[n] = next
			next += m.width
		}
	}
	m.first = next
	for _, n := range order {
		if output := t.nodes[n].output; len(output) > 0 {
			number[n] = next
			m.output = append(m.output, output)
			next += m.width
		}
	}
	return number
}

// lanes is how many parts of a text the machine reads at once. A step waits for the load of the step before, so
// the steps of other lanes are almost free.
const lanes = 4

// ending is where a text ends, and the machine's state there.
type ending struct {
	at    int
	state uint32
}

// scan calls found, in order, for each text that ends in s[from:to]. The text before from counts; before the
// beginning of s there is a line end.
func (m *machine) scan(s string, from, to int, ends *[lanes][]ending, found func(at int, texts []found)) {
	size := (to - from) / lanes
	part := s[from : from+lanes*size]
	a, b, c, d := part[:size], part[size:2*size], part[2*size:3*size], part[3*size:]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	s0, s1, s2, s3 := m.before(s, from), m.before(s, from+size), m.before(s, from+2*size), m.before(s, from+3*size)
	next, class, first := m.next, &m.class, m.first
	for i := range len(a) {
		s0 = next[s0+uint32(class[a[i]])]
		s1 = next[s1+uint32(class[b[i]])]
		s2 = next[s2+uint32(class[c[i]])]
		s3 = next[s3+uint32(class[d[i]])]
		if max(s0, s1, s2, s3) < first {
			continue
		}
		if s0 >= first {
			ends[0] = append(ends[0], ending{from + i + 1, s0})
		}
		if s1 >= first {
			ends[1] = append(ends[1], ending{from + size + i + 1, s1})
		}
		if s2 >= first {
			ends[2] = append(ends[2], ending{from + 2*size + i + 1, s2})
		}
		if s3 >= first {
			ends[3] = append(ends[3], ending{from + 3*size + i + 1, s3})
		}
	}
	for i := from + lanes*size; i < to; i++ {
		if s3 = next[s3+uint32(class[s[i]])]; s3 >= first {
			ends[3] = append(ends[3], ending{i + 1, s3})
		}
	}
	for i, list := range ends {
		for _, e := range list {
			found(e.at, m.output[(e.state-first)/m.width])
		}
		ends[i] = list[:0]
	}
}

// before returns the state at a place in s. No text is longer than maxLiteralSize and a line end, so that the
// state depends only on that many bytes.
func (m *machine) before(s string, at int) uint32 {
	low := max(0, at-maxLiteralSize-1)
	state := uint32(0)
	if low == 0 {
		state = m.next[m.class['\n']]
	}
	for i := low; i < at; i++ {
		state = m.next[state+uint32(m.class[s[i]])]
	}
	return state
}
