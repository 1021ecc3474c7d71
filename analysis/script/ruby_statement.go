package script

import (
	"strings"
	"sync"
)

// toEnd reads what is left of a statement that ends with "end".
func (p *rubyReader) toEnd(t *tree) *tree {
	for p.at < p.end {
		p.lines()
		switch {
		case p.hasWord("end"):
			p.at += len("end")
			return t
		case p.hasWord("rescue"):
			p.at += len("rescue")
			p.skipLine()
		case p.hasWord("else") || p.hasWord("ensure") || p.hasWord("elsif") || p.hasWord("when") || p.hasWord("in") || p.hasWord("then"):
			p.word()
		case p.peek(0) == '}' || p.peek(0) == ')' || p.peek(0) == ']':
			return t
		}
		before := p.at
		t.kids = append(t.kids, p.body())
		if p.at == before && !p.hasWord("end") {
			if p.at == p.end {
				return t
			}
			p.at++
		}
	}
	return t
}

// skipLine skips the head of a rescue.
func (p *rubyReader) skipLine() {
	for p.at < p.end && p.source[p.at] != '\n' && p.source[p.at] != ';' && !p.hasWord("then") {
		p.at++
	}
}

func (p *rubyReader) statement() *tree {
	start := p.at
	t := p.expression()
	for {
		p.blank()
		switch {
		case p.hasWord("if") || p.hasWord("unless"):
			p.word()
			t = p.node(treeBranch, start, p.expression(), t)
		case p.hasWord("while") || p.hasWord("until"):
			p.word()
			t = p.node(treeLoop, start, p.expression(), t)
		case p.hasWord("rescue") && t != nothing:
			p.word()
			t = p.node(treeBranch, start, t, p.expression())
		default:
			return t
		}
	}
}

// rubyKeywords are the words that begin something with an end, or another
// statement.
var rubyKeywords func() map[string]func(*rubyReader, int) *tree

func init() { rubyKeywords = sync.OnceValue(newRubyKeywords) }

func newRubyKeywords() map[string]func(*rubyReader, int) *tree {
	return map[string]func(*rubyReader, int) *tree{
		"if": (*rubyReader).condition, "unless": (*rubyReader).condition, "case": (*rubyReader).choose,
		"while": (*rubyReader).while, "until": (*rubyReader).while, "for": (*rubyReader).each,
		"begin": (*rubyReader).begin, "class": (*rubyReader).class, "module": (*rubyReader).class,
		"def": (*rubyReader).define, "return": (*rubyReader).leaves, "break": (*rubyReader).leaves, "next": (*rubyReader).leaves,
		"yield": (*rubyReader).yield, "not": (*rubyReader).negated, "BEGIN": (*rubyReader).braces, "END": (*rubyReader).braces,
		"alias": (*rubyReader).skipped, "undef": (*rubyReader).skipped,
	}
}

func (p *rubyReader) condition(start int) *tree {
	t := p.node(treeBranch, start, p.head())
	p.then()
	t.kids = append(t.kids, p.body())
	for {
		switch {
		case p.hasWord("elsif"):
			p.word()
			t.kids = append(t.kids, p.head())
			p.then()
			t.kids = append(t.kids, p.body())
		case p.hasWord("else"):
			p.word()
			t.kids = append(t.kids, p.body())
		default:
			return p.toEnd(t)
		}
	}
}

// head reads a condition, in which "do" isn't the block of a call.
func (p *rubyReader) head() *tree {
	p.noDo++
	t := p.statement()
	p.noDo--
	return t
}

func (p *rubyReader) then() {
	p.lines()
	if p.hasWord("then") {
		p.word()
	}
}

func (p *rubyReader) choose(start int) *tree {
	t := p.node(treeBranch, start)
	p.blank()
	if p.peek(0) == '\n' || p.peek(0) == ';' {
		t.kids = append(t.kids, nothing)
	} else {
		t.kids = append(t.kids, p.head())
	}
	p.lines()
	for p.hasWord("when") || p.hasWord("in") {
		p.word()
		t.kids = append(t.kids, p.arguments()...)
		p.then()
		t.kids = append(t.kids, p.body())
	}
	return p.toEnd(t)
}

func (p *rubyReader) while(start int) *tree {
	t := p.node(treeLoop, start, p.head())
	p.blank()
	if p.hasWord("do") {
		p.word()
	}
	return p.toEnd(t)
}

func (p *rubyReader) each(start int) *tree {
	p.blank()
	target := p.node(treeList, start)
	for name := p.word(); name != "" && name != "in"; name = p.word() {
		p.locals[name] = true
		target.kids = append(target.kids, p.name(start, name))
		p.blank()
		if p.peek(0) == ',' {
			p.at++
			p.blank()
		}
	}
	if len(target.kids) == 1 {
		target = target.kids[0]
	}
	list := p.head()
	p.blank()
	if p.hasWord("do") {
		p.word()
	}
	return p.node(treeEach, start, target, list, p.toEnd(p.node(treeSequence, p.at)))
}

func (p *rubyReader) begin(start int) *tree {
	t := p.node(treeBranch, start, p.body())
	return p.toEnd(t)
}

// leaves reads return, break and next.
func (p *rubyReader) leaves(start int) *tree {
	t := p.node(treeReturn, start)
	if p.blank(); !p.stops() {
		t.kids = append(t.kids, p.expression())
	}
	return t
}

func (p *rubyReader) yield(start int) *tree {
	p.blank()
	if p.stops() {
		return p.node(treeOther, start)
	}
	return p.node(treeOther, start, p.arguments()...)
}

func (p *rubyReader) negated(start int) *tree { return p.node(treeOther, start, p.expression()) }

func (p *rubyReader) braces(start int) *tree {
	p.blank()
	if p.peek(0) != '{' {
		return nothing
	}
	return p.block(start)
}

func (p *rubyReader) skipped(start int) *tree {
	p.skipLine()
	return nothing
}

// stops reports whether a statement ends here.
func (p *rubyReader) stops() bool {
	c := p.peek(0)
	if c == 0 || strings.IndexByte("\n;)}],", c) >= 0 {
		return true
	}
	for _, word := range []string{"if", "unless", "while", "until", "end", "do", "then", "and", "or", "rescue", "in"} {
		if p.hasWord(word) {
			return true
		}
	}
	return false
}
