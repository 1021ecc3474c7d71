package script

import "strings"

// call reads the arguments of a call of callee.
func (p *pyParser) call(callee *pyExpr, start, line int) *pyExpr {
	p.next()
	parts := []*pyExpr{callee}
	var names []string
	for p.token.kind != pyEnd && !p.token.is(")") {
		name := ""
		if p.token.kind == pyName {
			if ahead := p.lexer; ahead.at < len(ahead.source) {
				if following := ahead.next(); following.is("=") {
					name = p.token.text
					p.next()
					p.next()
				}
			}
		}
		if !p.begins() {
			p.next()
			continue
		}
		argument := p.each(p.expr())
		if argument.op == pyStarred {
			name, argument = argument.text, argument.parts[0]
		}
		parts, names = append(parts, argument), append(names, name)
		p.accept(",")
	}
	p.accept(")")
	e := p.node(pyCall, start, line, parts...)
	e.pyDetails = &pyDetails{names: names}
	return e
}

// subscript reads what is in the brackets after value.
func (p *pyParser) subscript(value *pyExpr, start, line int) *pyExpr {
	p.next()
	from := p.token.start
	parts := []*pyExpr{value}
	slice := false
	for p.token.kind != pyEnd && !p.token.is("]") {
		if !p.begins() {
			slice = slice || p.token.is(":")
			p.next()
			continue
		}
		parts = append(parts, p.expr())
	}
	text := p.lexer.source[min(from, p.token.start):p.token.start]
	p.accept("]")
	if !slice && len(parts) == 2 {
		return p.node(pyIndex, start, line, parts...)
	}
	e := p.node(pySlice, start, line, parts...)
	e.text = strings.ReplaceAll(text, " ", "")
	return e
}

// each reads the rest of a comprehension, if element is that of one.
func (p *pyParser) each(element *pyExpr) *pyExpr {
	if !p.token.is("for") && !p.token.is("async") {
		return element
	}
	e := &pyExpr{op: pyEach, parts: []*pyExpr{element}, source: element.source, line: element.line, pyDetails: new(pyDetails)}
	p.nodes++
	for {
		p.accept("async")
		if !p.accept("for") {
			return e
		}
		clause := pyClause{target: p.targets()}
		p.accept("in")
		clause.iterated = p.binary(0)
		for p.accept("if") {
			clause.conditions = append(clause.conditions, p.binary(0))
		}
		e.clauses = append(e.clauses, clause)
	}
}

// targets reads what stands between "for" and "in".
func (p *pyParser) targets() *pyExpr {
	start, line := p.token.start, p.token.line
	parts := []*pyExpr{p.unary()}
	list := false
	for p.accept(",") {
		if list = true; p.begins() {
			parts = append(parts, p.unary())
		}
	}
	if !list {
		return parts[0]
	}
	return p.node(pyList, start, line, parts...)
}

// atom reads a name, a constant or what is in brackets.
func (p *pyParser) atom() *pyExpr {
	start, line := p.token.start, p.token.line
	switch token := p.token; {
	case token.kind == pyString:
		return p.strings()
	case token.kind == pyNumeric:
		p.next()
		e := p.node(pyNumeral, start, line)
		e.text = token.text
		return e
	case token.kind == pyName && !pyWords()[token.text]:
		p.next()
		e := p.node(pyVariable, start, line)
		e.text = token.text
		return e
	case token.is("("):
		return p.display(")")
	case token.is("["):
		return p.display("]")
	case token.is("{"):
		return p.display("}")
	case token.kind == pyOperator && !strings.Contains(") ] } , : ; =", token.text):
		p.next() // not valid here
	}
	return p.node(pyOther, start, line)
}

// display reads a list, tuple, set, dictionary, comprehension, or an expression in
// parentheses, up to the closing bracket.
func (p *pyParser) display(closing string) *pyExpr {
	start, line := p.token.start, p.token.line
	p.next()
	var parts []*pyExpr
	op, commas := pyList, false
	for p.token.kind != pyEnd && !p.token.is(closing) {
		if !p.begins() {
			commas = commas || p.token.is(",")
			p.next()
			continue
		}
		part := p.expr()
		if closing == "}" && p.token.is(":") {
			p.next()
			op = pyDict
			parts = append(parts, part)
			part = p.expr()
		}
		parts = append(parts, p.each(part))
	}
	p.accept(closing)
	if len(parts) == 1 && !commas && closing == ")" {
		return parts[0]
	}
	if op == pyList && len(parts) == 1 && parts[0].op == pyEach {
		return parts[0]
	}
	return p.node(op, start, line, parts...)
}
