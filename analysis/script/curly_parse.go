package script

import "sync"

// curlyParser makes a tree of JavaScript or PHP. What it doesn't understand it
// skips token by token, so that calls in it and behind it are still found.
type curlyParser struct {
	source     string
	tokens     []curlyToken
	at         int
	php        bool
	statements int // around this point
	values     int // expressions around this point
	deep       bool
}

func parseCurly(source string, tokens []curlyToken, php bool) (*tree, bool) {
	p := &curlyParser{source: source, tokens: tokens, at: 1, php: php}
	root := &tree{op: treeBlock, source: source, line: tokens[0].line}
	p.list(root, len(tokens)-1)
	return root, p.deep
}

func (p *curlyParser) token() *curlyToken { return &p.tokens[min(p.at, len(p.tokens)-1)] }

// ahead returns the token n further on.
func (p *curlyParser) ahead(n int) *curlyToken { return &p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (t *curlyToken) is(text string) bool   { return t.kind == curlyMark && t.text == text }
func (t *curlyToken) word(text string) bool { return t.kind == curlyName && t.text == text }

// eat skips a mark, if it's there.
func (p *curlyParser) eat(mark string) bool {
	if !p.token().is(mark) {
		return false
	}
	p.at++
	return true
}

func (p *curlyParser) eatWord(word string) bool {
	if !p.token().word(word) {
		return false
	}
	p.at++
	return true
}

// node makes a tree of the tokens from start to here.
func (p *curlyParser) node(op treeOp, start int, kids ...*tree) *tree {
	return &tree{op: op, source: p.span(start), line: p.tokens[start].line, kids: kids}
}

// span returns the source of the tokens from start to here.
func (p *curlyParser) span(start int) string {
	first, last := &p.tokens[start], &p.tokens[min(max(start, p.at-1), len(p.tokens)-1)]
	return p.source[first.start:max(first.start, last.end)]
}

// abandon ends the reading of what is nested too deeply.
func (p *curlyParser) abandon() *tree {
	p.deep = true
	p.at = len(p.tokens) - 1
	return nothing
}

// list adds the statements up to the token end to t.
func (p *curlyParser) list(t *tree, end int) {
	for p.at < end {
		before := p.at
		t.kids = append(t.kids, p.statement())
		if p.at == before {
			p.at++
		}
	}
}

// block reads what is between the bracket here and its partner.
func (p *curlyParser) block() *tree {
	start := p.at
	t := p.node(treeBlock, start)
	end := max(p.token().match, start)
	p.at++
	p.list(t, end)
	p.close(end)
	return t
}

// close goes behind a closing bracket.
func (p *curlyParser) close(end int) {
	p.at = max(p.at, min(end+1, len(p.tokens)-1))
}

func (p *curlyParser) statement() *tree {
	if p.statements == maxNesting {
		return p.abandon()
	}
	p.statements++
	defer func() { p.statements-- }()
	t := p.token()
	switch {
	case t.is("{"):
		return p.block()
	case t.is(";"):
		p.at++
		return nothing
	case t.kind == curlyName:
		if read := curlyStatements()[t.text]; read != nil && !p.ahead(1).is("=") && !p.ahead(1).is(".") && !p.ahead(1).is(":") {
			return read(p)
		}
		if p.ahead(1).is(":") && (!p.php || t.text != "default" && t.text != "else") { // a label
			p.at += 2
			return nothing
		}
		if p.php || t.text == "type" || t.text == "declare" {
			if read := p.special(); read != nil {
				return read
			}
		}
	}
	value := p.expression()
	p.eat(";")
	return value
}

// curlyStatements are the statements that begin with a word.
var curlyStatements func() map[string]func(*curlyParser) *tree

func init() { curlyStatements = sync.OnceValue(newCurlyStatements) }

func newCurlyStatements() map[string]func(*curlyParser) *tree {
	return map[string]func(*curlyParser) *tree{
		"if": (*curlyParser).condition, "for": (*curlyParser).loop, "foreach": (*curlyParser).loop,
		"while": (*curlyParser).while, "do": (*curlyParser).while, "with": (*curlyParser).while, "try": (*curlyParser).try, "switch": (*curlyParser).choose,
		"function": (*curlyParser).function, "async": (*curlyParser).function,
		"class": (*curlyParser).class, "interface": (*curlyParser).class, "trait": (*curlyParser).class, "abstract": (*curlyParser).class, "final": (*curlyParser).class,
		"return": (*curlyParser).leave, "throw": (*curlyParser).leave,
		"var": (*curlyParser).variables, "let": (*curlyParser).variables, "const": (*curlyParser).variables,
		"import": (*curlyParser).imports, "export": (*curlyParser).exports,
	}
}

// special reads the statements that only PHP has, and those of TypeScript that
// are nothing at run time.
func (p *curlyParser) special() *tree {
	start := p.at
	switch p.token().text {
	case "echo":
		p.at++
		t := p.node(treeOther, start, p.expression())
		p.eat(";")
		return t
	case "global":
		t := p.node(treeSequence, start)
		for p.at++; p.token().kind == curlyName || p.token().is(","); p.at++ {
			if p.token().kind == curlyName {
				shared := p.node(treeShare, p.at)
				shared.text = p.token().text
				t.kids = append(t.kids, shared)
			}
		}
		return t
	case "namespace", "use", "type", "declare":
		if p.ahead(1).kind != curlyName {
			return nil
		}
		for p.at++; !p.token().is(";") && !p.token().is("{") && !p.token().is("=") && p.token().kind != curlyEnd && !p.token().is("}"); p.at++ {
		}
		if p.tokens[start].text == "type" && p.eat("=") {
			p.skipType()
		}
		return nothing
	case "else", "endif", "endforeach", "endwhile", "endfor", "endswitch":
		p.at++
		p.eat(":")
		p.eat(";")
		return nothing
	}
	return nil
}

// body reads the statement that a condition or loop is about. PHP also has
// one that goes from ":" to a word.
func (p *curlyParser) body() *tree {
	if !p.php || !p.token().is(":") {
		return p.statement()
	}
	t := p.node(treeBlock, p.at)
	p.at++
	for p.token().kind != curlyEnd && !p.token().is("}") {
		switch p.token().text {
		case "else", "elseif", "endif", "endforeach", "endwhile", "endfor", "endswitch":
			if p.token().kind == curlyName {
				return t
			}
		}
		before := p.at
		t.kids = append(t.kids, p.statement())
		if p.at == before {
			p.at++
		}
	}
	return t
}

// parenthesis reads an expression in parentheses.
func (p *curlyParser) parenthesis() *tree {
	if !p.token().is("(") {
		return nothing
	}
	t := p.node(treeSequence, p.at)
	end := p.token().match
	p.at++
	for p.at < end {
		before := p.at
		t.kids = append(t.kids, p.expression())
		if p.at == before || p.token().is(";") {
			p.at++
		}
	}
	p.close(end)
	return t
}

func (p *curlyParser) condition() *tree {
	start := p.at
	p.at++
	t := p.node(treeBranch, start, p.parenthesis())
	t.kids = append(t.kids, p.body())
	for {
		switch {
		case p.token().word("else") && p.ahead(1).word("if"):
			p.at += 2
		case p.token().word("elseif"):
			p.at++
		case p.token().word("else"):
			p.at++
			t.kids = append(t.kids, p.body())
			return t
		default:
			return t
		}
		t.kids = append(t.kids, p.parenthesis(), p.body())
	}
}

func (p *curlyParser) while() *tree {
	start := p.at
	do := p.token().text == "do"
	p.at++
	t := p.node(treeLoop, start)
	if do {
		t.kids = append(t.kids, p.body())
		if !p.eatWord("while") {
			return t
		}
		t.kids = append(t.kids, p.parenthesis())
		return t
	}
	t.kids = append(t.kids, p.parenthesis())
	t.kids = append(t.kids, p.body())
	return t
}

func (p *curlyParser) try() *tree {
	start := p.at
	p.at++
	t := p.node(treeBranch, start, nothing)
	t.kids = append(t.kids, p.statement())
	for p.token().word("catch") || p.token().word("finally") {
		p.at++
		if p.token().is("(") {
			p.close(p.token().match)
		}
		t.kids = append(t.kids, p.statement())
	}
	return t
}

// choose reads a switch. Each case may run or not.
func (p *curlyParser) choose() *tree {
	t, end, ok := p.cases()
	if !ok {
		return t
	}
	var one *tree
	for p.at < end {
		before := p.at
		if one == nil || p.token().word("case") || p.token().word("default") {
			one = p.node(treeBlock, p.at)
			t.kids = append(t.kids, one)
		}
		switch {
		case p.eatWord("case"):
			one.kids = append(one.kids, p.expression())
			p.eat(":")
		case p.token().word("default"):
			p.at++
			p.eat(":")
		default:
			one.kids = append(one.kids, p.statement())
		}
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	return t
}

// leave reads return and throw.
func (p *curlyParser) leave() *tree {
	start := p.at
	op := treeReturn
	if p.token().text == "throw" {
		op = treeOther
	}
	p.at++
	t := p.node(op, start)
	if next := p.token(); !next.is(";") && !next.is("}") && next.kind != curlyEnd && !(next.fresh && !p.php) {
		t.kids = append(t.kids, p.expression())
	}
	p.eat(";")
	return t
}
