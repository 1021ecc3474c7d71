package script

import (
	"sort"
	"strings"
)

// sourceReader is what the readers of Perl and Ruby share: a place in a source.
type sourceReader struct {
	source  string
	at, end int // what is read is source[at:end]
	newline []int
	first   int // the number of the first line
	depth   int
	deep    bool
}

func newSourceReader(source string, line int) sourceReader {
	p := sourceReader{source: source, end: len(source), first: line}
	for i := range len(source) {
		if source[i] == '\n' {
			p.newline = append(p.newline, i)
		}
	}
	return p
}

// node makes a tree of the source from start to here.
func (p *sourceReader) node(op treeOp, start int, kids ...*tree) *tree {
	return &tree{op: op, source: p.since(start), kids: kids, line: p.first + sort.SearchInts(p.newline, min(start, p.at, len(p.source)))}
}

// since returns the source from start to here.
func (p *sourceReader) since(start int) string {
	end := min(p.at, len(p.source))
	return p.source[min(start, end):end]
}

func (p *sourceReader) text(start int, text string) *tree {
	t := p.node(treeText, start)
	t.text = strings.ReplaceAll(text, homeMark, " ")
	return t
}

func (p *sourceReader) name(start int, name string) *tree {
	t := p.node(treeName, start)
	t.text = name
	return t
}

func (p *sourceReader) call(start int, name string, args ...*tree) *tree {
	return p.node(treeCall, start, append([]*tree{p.name(start, name)}, args...)...)
}

// enter reports whether one more level of nesting may be read. Each true
// needs a leave.
func (p *sourceReader) enter() bool {
	if p.depth == 3*maxNesting { // a bracket may be a statement, an expression and a value
		p.deep = true
		p.at = p.end
		return false
	}
	p.depth++
	return true
}

func (p *sourceReader) leave() { p.depth-- }

func (p *sourceReader) peek(n int) byte {
	if p.at+n < p.end {
		return p.source[p.at+n]
	}
	return 0
}

func (p *sourceReader) has(prefix string) bool {
	return p.at < p.end && strings.HasPrefix(p.source[p.at:p.end], prefix)
}

// hasWord reports whether a whole word is next.
func (p *sourceReader) hasWord(word string) bool {
	return p.has(word) && !isNameByte(p.peek(len(word)))
}

// closingOf returns the bracket that belongs to an opening one, or c itself.
func closingOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return c
}

// delimited reads text up to its delimiter, the first of which is next.
// It returns where the text begins and ends.
func (p *sourceReader) delimited() (from, to int) {
	open := p.peek(0)
	end := closingOf(open)
	p.at++
	from = p.at
	for level := 1; p.at < p.end; p.at++ {
		switch c := p.source[p.at]; {
		case c == '\\':
			p.at++
		case c == end:
			if level--; level == 0 {
				to = p.at
				p.at++
				return from, to
			}
		case c == open:
			level++
		}
	}
	p.at = p.end
	return from, p.end
}

// within reads a part of the source that was skipped.
func (p *sourceReader) within(from, to int, read func() *tree) *tree {
	at, end := p.at, p.end
	p.at, p.end = from, to
	t := nothing
	if p.enter() {
		t = read()
		p.leave()
	}
	p.at, p.end = at, end
	return t
}
