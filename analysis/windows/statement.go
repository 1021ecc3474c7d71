package windows

import "strings"

// statement reads one statement.
func (p *parser) statement() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	defer func(outer bool) { p.single = outer }(p.single)
	p.single = false
	start := p.at
	if p.peek() == ':' && isLetter(p.ahead(1)) { // a label
		for p.at++; isLetter(p.peek()) || isDigit(p.peek()); p.at++ {
		}
		p.lines()
	}
	switch word := p.word(); word {
	case "if":
		return p.branches(start)
	case "foreach", "for", "while", "switch", "do", "until":
		if s := p.loop(start, word); s != nil {
			return s
		}
	case "try":
		p.at += len(word)
		n := p.node(tryNode, start)
		n.add(p.body())
		for {
			back := p.at
			p.lines()
			next := p.word()
			if next != "catch" && next != "finally" {
				p.at = back
				return p.done(n)
			}
			p.at += len(next)
			for p.lines(); p.peek() == '['; p.lines() {
				p.typeName()
				p.lines()
				p.accept(",")
			}
			n.add(p.body())
		}
	case "function", "filter", "workflow":
		return p.function(start, word)
	case "param":
		p.at += len(word)
		p.lines()
		p.params()
		return nil
	case "begin", "process", "end", "dynamicparam", "clean", "trap", "inlinescript", "parallel", "sequence":
		back := p.at
		p.at += len(word)
		if p.lines(); word == "trap" && p.peek() == '[' {
			p.typeName()
			p.lines()
		}
		if p.peek() == '{' {
			return p.body()
		}
		p.at = back
	case "return", "exit", "throw", "break", "continue":
		p.at += len(word)
		n := p.node(flowNode, start)
		n.text = word
		if p.blanks(); p.at < len(p.text) && strings.IndexByte(";\n})|&", p.peek()) < 0 {
			n.add(p.statement())
		}
		return p.done(n)
	case "class", "enum", "using", "data", "configuration":
		if word == "using" {
			p.skipLine()
			return nil
		}
		back := p.at
		p.at += len(word)
		p.blanks()
		for p.at < len(p.text) && strings.IndexByte("{;\n|", p.peek()) < 0 {
			p.at++
		}
		if p.lines(); p.peek() == '{' {
			return p.skipBraces()
		}
		p.at = back
	}
	return p.chain(start)
}

func (p *parser) skipLine() {
	for p.at < len(p.text) && p.text[p.at] != '\n' && p.text[p.at] != ';' {
		p.at++
	}
}

// skipBraces goes behind a body that isn't made of statements.
func (p *parser) skipBraces() *node {
	depth := 0
	for p.at < len(p.text) {
		switch c := p.peek(); c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.at++
				return nil
			}
		case '@':
			if q := p.ahead(1); q == '\'' || q == '"' {
				p.hereString()
				continue
			}
		case '\'', '"':
			p.quotedText()
			continue
		}
		p.at++
	}
	p.fail("a { isn't closed")
	return nil
}

// body reads { statements }.
func (p *parser) body() *node { return p.enclosed("{", "}") }

// condition reads ( statement ).
func (p *parser) condition() *node { return p.enclosed("(", ")") }

// enclosed reads statements between two brackets.
func (p *parser) enclosed(begin, end string) *node {
	p.lines()
	start := p.at
	if !p.accept(begin) {
		p.fail("a " + begin + " is missing")
		return p.node(listNode, start)
	}
	list := p.statements(end)
	if !p.accept(end) {
		p.fail("a " + begin + " isn't closed")
	}
	return list
}

func (p *parser) branches(start int) *node {
	n := p.node(ifNode, start)
	p.at += len("if")
	n.add(p.condition())
	n.add(p.body())
	for {
		back := p.at
		p.lines()
		switch next := p.word(); next {
		case "elseif":
			p.at += len(next)
			n.add(p.condition())
			n.add(p.body())
			continue
		case "else":
			p.at += len(next)
			n.add(p.body())
		default:
			p.at = back
		}
		return p.done(n)
	}
}

// loop reads a loop or a switch, and returns nil where the word is a command.
func (p *parser) loop(start int, word string) *node {
	back := p.at
	p.at += len(word)
	p.lines()
	for p.peek() == '-' && isLetter(p.ahead(1)) { // -parallel, -regex
		for p.at++; isLetter(p.peek()); p.at++ {
		}
		p.lines()
	}
	switch {
	case word == "do" && p.peek() == '{':
		n := p.node(loopNode, start)
		body := p.body()
		p.lines()
		if next := p.word(); next == "while" || next == "until" {
			p.at += len(next)
			n.add(p.condition())
		}
		n.add(body)
		return p.done(n)
	case p.peek() != '(' || word == "do":
		p.at = back
		return nil
	case word == "foreach":
		n := p.node(foreachNode, start)
		p.at++
		p.lines()
		n.add(p.primary())
		if p.lines(); p.word() == "in" {
			p.at += len("in")
		}
		p.lines()
		n.add(p.statements(")"))
		if !p.accept(")") {
			p.fail("a ( isn't closed")
		}
		n.add(p.body())
		return p.done(n)
	case word == "switch":
		n := p.node(switchNode, start)
		n.add(p.condition())
		p.lines()
		if !p.accept("{") {
			p.fail("a { is missing")
			return p.done(n)
		}
		for p.lines(); p.at < len(p.text) && p.peek() != '}' && !p.deep; p.lines() {
			before := p.at
			if p.accept(";") {
				continue
			}
			n.add(p.argument())
			n.add(p.body())
			if p.at == before {
				p.at++
			}
		}
		if !p.accept("}") {
			p.fail("a { isn't closed")
		}
		return p.done(n)
	}
	n := p.node(loopNode, start)
	if word == "for" {
		p.at++
		for p.lines(); p.at < len(p.text) && p.peek() != ')' && !p.deep; p.lines() {
			if p.accept(";") {
				continue
			}
			before := p.at
			if s := p.statement(); s != nil {
				n.add(s)
			}
			if p.at == before {
				p.at++
			}
		}
		if !p.accept(")") {
			p.fail("a ( isn't closed")
		}
	} else {
		n.add(p.condition())
	}
	n.add(p.body())
	return p.done(n)
}

func (p *parser) function(start int, word string) *node {
	p.at += len(word)
	p.blanks()
	n := p.node(functionNode, start)
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n({;", p.peek()) < 0 {
		p.at++
	}
	n.text = strings.ToLower(p.text[from:p.at])
	n.text = n.text[strings.LastIndexByte(n.text, ':')+1:] // global:name
	if p.lines(); p.peek() == '(' {
		n.params = p.params()
	}
	p.lines()
	if block := p.block(); block != nil {
		n.params = append(n.params, block.params...)
		n.kids = block.kids
	}
	return p.done(n)
}

// params reads the parameters of a function behind its name or param.
func (p *parser) params() (params []*node) {
	if !p.accept("(") {
		return nil
	}
	for p.lines(); p.at < len(p.text) && p.peek() != ')' && !p.deep; p.lines() {
		before := p.at
		switch {
		case p.peek() == '[':
			p.typeName()
		case p.peek() == '$':
			start := p.at
			v := p.variable()
			if p.lines(); p.accept("=") {
				p.lines()
				a := p.node(assignNode, start)
				a.text = "="
				a.kids = []*node{v, p.item()}
				v = p.done(a)
			}
			params = append(params, v)
		case !p.accept(","):
			p.at++
		}
		if p.at == before {
			p.at++
		}
	}
	if !p.accept(")") {
		p.fail("a ( isn't closed")
	}
	return params
}
