package script

import (
	"strings"
	"sync"
)

// begins reports whether an expression may begin here.
func (p *awkParser) begins() bool {
	switch t := &p.token; t.kind {
	case awkString, awkNumber, awkRegexp, awkFunction:
		return true
	case awkName:
		return !awkWords()[t.text] || t.text == "getline"
	case awkOperator:
		return strings.Contains("( $ ! - + ++ -- @", t.text)
	}
	return false
}

// awkBinding says how tightly operators bind, those of concatenations and of
// what is in them aside.
var awkBinding = sync.OnceValue(func() map[string]int {
	return map[string]int{
		"||": 1, "&&": 2, "in": 3, "~": 4, "!~": 4,
		"<": 5, ">": 5, "<=": 5, ">=": 5, "==": 5, "!=": 5,
	}
})

// expr reads an expression. In a print, ">" is where the output goes.
func (p *awkParser) expr(printed bool) *awkExpr {
	start := p.token
	if p.depth++; p.depth > pyMaxDepth {
		p.stop()
	}
	defer func() { p.depth-- }()
	e := p.binary(0, printed)
	switch operator := p.token.text; {
	case p.token.kind != awkOperator:
	case operator == "?":
		p.next()
		p.newlines()
		first := p.expr(printed)
		p.newlines()
		p.accept(":")
		p.newlines()
		return p.node(awkChoice, "", start, first, p.expr(printed))
	case operator == "=":
		p.next()
		value := p.expr(printed)
		p.assign(e, value)
		return p.node(awkAssigned, e.text, start, value)
	case len(operator) > 1 && operator[len(operator)-1] == '=' && awkBinding()[operator] == 0:
		p.next()
		p.expr(printed)
		p.assign(e, nil)
		return p.node(awkOther, "", start)
	}
	return e
}

func (p *awkParser) binary(least int, printed bool) *awkExpr {
	start := p.token
	left := p.concat(printed)
	for chain := 0; ; chain++ {
		if p.token.kind != awkOperator && !p.token.is("in") {
			return left
		}
		operator := p.token.text
		if operator == "|" || operator == "|&" {
			if !p.getline(left, start) {
				return left
			}
			left = p.node(awkOther, "", start)
			continue
		}
		binding := awkBinding()[operator]
		if binding == 0 || binding <= least || printed && operator == ">" {
			return left
		}
		if chain > pyMaxChain {
			p.stop()
		}
		p.next()
		p.newlines()
		right := p.binary(binding, printed)
		left = p.node(awkOther, operator, start, left, right)
	}
}

// getline reads the "| getline" behind a command.
func (p *awkParser) getline(command *awkExpr, start awkToken) bool {
	ahead := p.lexer
	operator := p.token.text
	if following := ahead.next(); !following.is("getline") {
		return false
	}
	p.next()
	p.next()
	p.outputs = append(p.outputs, &awkOutput{name: operator + " getline", kind: Shell, what: command, line: start.line})
	p.lvalue()
	return true
}

// lvalue reads the variable that a getline sets, if one is named.
func (p *awkParser) lvalue() {
	if p.token.kind == awkName && !awkWords()[p.token.text] || p.token.is("$") {
		p.assign(p.primary(), nil)
	}
}

// concat reads operands that stand side by side.
func (p *awkParser) concat(printed bool) *awkExpr {
	start := p.token
	parts := []*awkExpr{p.additive()}
	for p.begins() && !p.token.is("+") && !p.token.is("-") && !p.token.is("in") && !p.token.is("!") {
		parts = append(parts, p.additive())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return p.node(awkConcat, "", start, parts...)
}

// additive reads operands with arithmetic between them.
func (p *awkParser) additive() *awkExpr {
	start := p.token
	e := p.unary()
	sum := false
	for p.token.kind == awkOperator && strings.Contains(" + - * / % ^ ** ", " "+p.token.text+" ") {
		sum = true
		p.next()
		p.unary()
	}
	if sum {
		return p.node(awkOther, "", start)
	}
	return e
}

func (p *awkParser) unary() *awkExpr {
	start := p.token
	if p.token.is("!") || p.token.is("-") || p.token.is("+") {
		p.next()
		if p.depth++; p.depth > pyMaxDepth {
			p.stop()
		}
		defer func() { p.depth-- }()
		p.unary()
		return p.node(awkOther, "", start)
	}
	return p.primary()
}
