package script

import "sync"

// primary reads an operand.
func (p *awkParser) primary() *awkExpr {
	if p.depth++; p.depth > pyMaxDepth {
		p.stop()
	}
	defer func() { p.depth-- }()
	start := p.token
	switch {
	case start.kind == awkString || start.kind == awkNumber:
		p.next()
		return p.node(awkText, start.text, start)
	case start.kind == awkFunction:
		p.next()
		return p.call(awkCalled, start)
	case p.accept("@"):
		name := p.token
		p.next()
		e := p.call(awkIndirect, name)
		e.text = p.name(name.text)
		return e
	case p.accept("("):
		return p.group(start)
	case p.accept("$"):
		if p.begins() {
			p.unaryField()
		}
		return p.node(awkOther, "", start)
	case p.token.is("++") || p.token.is("--"):
		p.next()
		p.assign(p.primary(), nil)
		return p.node(awkOther, "", start)
	case p.accept("getline"):
		p.lvalue()
		if p.accept("<") {
			p.primary()
		}
		return p.node(awkOther, "", start)
	case start.kind == awkName && !awkWords()[start.text]:
		return p.variable(start)
	}
	if start.kind != awkEnd && start.kind != awkNewline {
		p.next()
	}
	return p.node(awkOther, "", start)
}

// unaryField reads the number of a field.
func (p *awkParser) unaryField() {
	for p.accept("-") || p.accept("+") || p.accept("!") {
	}
	p.primary()
}

// variable reads a variable or an element of an array.
func (p *awkParser) variable(start awkToken) *awkExpr {
	p.next()
	e := p.node(awkVariable, p.name(start.text), start)
	if p.accept("[") {
		for p.token.kind != awkEnd && !p.token.is("]") {
			if p.begins() {
				p.expr(false)
			} else {
				p.next()
			}
		}
		p.accept("]")
		e = p.node(awkElement, e.text, start)
	}
	if p.token.is("++") || p.token.is("--") {
		p.next()
		p.assign(e, nil)
		return p.node(awkOther, "", start)
	}
	return e
}

// group reads what is in parentheses.
func (p *awkParser) group(start awkToken) *awkExpr {
	var parts []*awkExpr
	for p.token.kind != awkEnd && !p.token.is(")") {
		if p.begins() {
			parts = append(parts, p.expr(false))
		} else {
			p.next()
		}
	}
	p.accept(")")
	if len(parts) == 1 {
		return parts[0]
	}
	return p.node(awkGroup, "", start, parts...)
}

// awkSets says which argument of a function it puts something in, from 0.
var awkSets = sync.OnceValue(func() map[string]int {
	return map[string]int{"split": 1, "sub": 2, "gsub": 2, "patsplit": 1, "match": 2, "asort": 1, "asorti": 1}
})

// call reads the arguments of a call.
func (p *awkParser) call(op awkOp, start awkToken) *awkExpr {
	if !p.accept("(") {
		return p.node(awkOther, "", start)
	}
	e := p.group(start)
	parts := []*awkExpr{e}
	if e.op == awkGroup {
		parts = e.parts
	}
	e = p.node(op, start.text, start, parts...)
	if n, ok := awkSets()[start.text]; ok && n < len(parts) {
		p.assign(parts[n], nil)
		if parts[n].op == awkVariable {
			p.assigned[parts[n].text+"[]"] = append(p.assigned[parts[n].text+"[]"], nil)
		}
	}
	switch {
	case op == awkIndirect:
		p.outputs = append(p.outputs, &awkOutput{name: "@" + start.text, kind: Code, what: e, line: start.line})
	case start.text == "system" && len(parts) > 0:
		p.outputs = append(p.outputs, &awkOutput{name: "system", kind: Shell, what: parts[0], line: start.line})
	}
	p.passed(start.text, parts)
	return e
}

// passed notes the arguments as values of the function's parameters. Where they
// belong is known at the end.
func (p *awkParser) passed(function string, parts []*awkExpr) {
	for i, part := range parts {
		name := awkParameter(function, i)
		p.assigned[name] = append(p.assigned[name], part)
	}
}
