package script

import "strings"

// function reads a function with a name, as a statement.
func (p *curlyParser) function() *tree {
	start := p.at
	if p.token().text == "async" && !p.ahead(1).word("function") {
		return p.expressionStatement()
	}
	p.eatWord("async")
	p.at++
	p.eat("*")
	p.eat("&")
	if p.token().kind != curlyName {
		p.at = start
		return p.expressionStatement()
	}
	name := p.node(treeName, p.at)
	name.text = p.token().text
	p.at++
	t := p.node(treeDeclare, start, name, p.callable(start))
	t.flags = treeRoomy | treeConstant
	t.kids[1].flags |= treeConstant
	if p.php {
		t.kids[1].flags |= treeSealed
	}
	return t
}

func (p *curlyParser) expressionStatement() *tree {
	t := p.expression()
	p.eat(";")
	return t
}

// callable reads parameters and the body of a function.
func (p *curlyParser) callable(start int) *tree {
	t := p.node(treeFunction, start)
	p.skipAngles()
	if p.token().is("(") {
		t.kids = p.parameters()
	}
	if p.php && p.eatWord("use") && p.token().is("(") {
		p.close(p.token().match)
	}
	if p.eat(":") { // the type that it returns
		p.skipType()
	}
	body := nothing
	switch {
	case p.eat("=>"):
		if p.token().is("{") && !p.php {
			body = p.block()
			break
		}
		body = p.value()
		t.flags |= treeImplicit
	case p.token().is("{"):
		body = p.block()
	}
	t.kids = append(t.kids, body)
	t.source = p.span(start)
	return t
}

// skipAngles skips the type parameters of TypeScript.
func (p *curlyParser) skipAngles() {
	const long = 40
	if p.php || !p.token().is("<") {
		return
	}
	for i := p.at; i < min(p.at+long, len(p.tokens)); i++ {
		if p.tokens[i].is(">") && p.tokens[min(i+1, len(p.tokens)-1)].is("(") {
			p.at = i + 1
			return
		}
	}
}

func (p *curlyParser) parameters() []*tree {
	var all []*tree
	end := p.token().match
	p.at++
	for p.at < end {
		if p.eat(",") {
			continue
		}
		before := p.at
		all = append(all, p.parameter(end))
		if p.at == before {
			p.at++
		}
		// Whatever else there is of it: types, mostly.
		for p.at < end && !p.token().is(",") {
			p.at++
		}
	}
	p.close(end)
	return all
}

func (p *curlyParser) parameter(end int) *tree {
	start := p.at
	for p.php && p.at < end && !p.token().is(",") && !p.token().is("...") && !strings.HasPrefix(p.token().text, "$") {
		p.at++ // types and attributes
	}
	for !p.php && p.token().kind == curlyName && p.ahead(1).kind == curlyName {
		p.at++ // private, readonly and the like
	}
	if p.eat("...") {
		return p.node(treeSpread, start, p.target())
	}
	target := p.target()
	p.typed()
	if p.eat("=") {
		return p.node(treeAssign, start, target, p.value())
	}
	return target
}

// class reads a class and the like. Functions and values in it are looked
// into, but it isn't known what they belong to.
func (p *curlyParser) class() *tree {
	start := p.at
	t := p.node(treeOther, start)
	for p.at++; !p.token().is("{"); p.at++ {
		if p.token().kind == curlyEnd || p.token().is(";") || p.token().is(")") || p.token().is("}") || p.token().is("(") && !p.php {
			return t
		}
	}
	end := p.token().match
	p.at++
	for p.at < end {
		before := p.at
		switch token := p.token(); {
		case token.word("function"):
			p.at++
			p.eat("&")
			if p.token().kind == curlyName {
				p.at++
			}
			t.kids = append(t.kids, p.callable(before))
		case token.is("(") && (p.tokens[token.match].is(")") && (p.after(token.match).is("{") || p.after(token.match).is(":"))):
			t.kids = append(t.kids, p.callable(p.at))
		case token.is("=") || token.is("(") || token.is("["):
			if token.is("=") {
				p.at++
			}
			t.kids = append(t.kids, p.value())
		case token.is("{"):
			t.kids = append(t.kids, p.block())
		}
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	return t
}

func (p *curlyParser) after(i int) *curlyToken { return &p.tokens[min(i+1, len(p.tokens)-1)] }
