package script

import "strings"

// expression reads one or several, separated by commas.
func (p *curlyParser) expression() *tree {
	start := p.at
	first := p.value()
	if p.php && (p.token().word("or") || p.token().word("and") || p.token().word("xor")) {
		p.at++
		return p.node(treeBranch, start, first, p.expression())
	}
	if !p.token().is(",") {
		return first
	}
	t := p.node(treeSequence, start, first)
	for p.eat(",") {
		t.kids = append(t.kids, p.value())
	}
	return t
}

// value reads one expression: an assignment, a function, or what they are
// made of.
func (p *curlyParser) value() *tree {
	if p.values == maxNesting {
		return p.abandon()
	}
	p.values++
	defer func() { p.values-- }()
	start := p.at
	if p.arrow() {
		if !p.ahead(1).is("=>") && !p.eatWord("async") {
			p.eatWord("static")
		}
		p.eatWord("fn")
		if p.token().kind == curlyName {
			parameter := p.primary()
			t := p.callable(start)
			t.kids = append([]*tree{parameter}, t.kids...)
			return t
		}
		return p.callable(start)
	}
	target := p.ternary()
	t := p.token()
	if t.kind != curlyMark || t.text[len(t.text)-1] != '=' {
		return target
	}
	switch t.text {
	case "=":
		p.at++
		if p.php {
			p.eat("&")
		}
		return p.node(treeAssign, start, target, p.value())
	case "+=":
		p.at++
		return p.node(treeExtend, start, target, p.value())
	case "??=", "||=", "&&=":
		p.at++
		either := p.node(treeChoice, start, target, p.value())
		return p.node(treeAssign, start, target, either)
	case "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", ">>>=":
		p.at++
		changed := p.node(treeOther, start, p.value())
		return p.node(treeAssign, start, target, changed)
	}
	return target
}

// arrow reports whether a function with an arrow begins here.
func (p *curlyParser) arrow() bool {
	at := p.at
	if p.tokens[at].word("async") && !p.after(at).is("=>") || p.php && p.tokens[at].word("static") {
		at++
	}
	t := &p.tokens[at]
	if p.php {
		return t.word("fn") && p.after(at).is("(")
	}
	switch {
	case t.kind == curlyName:
		return p.after(at).is("=>")
	case t.is("("):
		next := p.after(t.match)
		if next.is(":") { // the type that it returns
			const long = 6
			for i := t.match + 2; i < min(t.match+long, len(p.tokens)); i++ {
				if p.tokens[i].is("=>") {
					return true
				}
				if p.tokens[i].kind == curlyText || p.tokens[i].is("(") || p.tokens[i].is(";") || p.tokens[i].is("}") {
					return false
				}
			}
		}
		return next.is("=>")
	}
	return false
}

func (p *curlyParser) ternary() *tree {
	start := p.at
	t := p.binary(0)
	if !p.token().is("?") {
		return t
	}
	all := p.node(treeBranch, start, t)
	for p.eat("?") {
		if !p.token().is(":") {
			all.kids = append(all.kids, p.value())
		} else {
			all.kids = append(all.kids, t) // a ?: b
		}
		p.eat(":")
		t = p.binary(0)
		if !p.token().is("?") && p.arrow() {
			t = p.value()
		}
		all.kids = append(all.kids, t)
	}
	all.source = p.span(start)
	return all
}

// curlyLevels are the operators between two values, those that bind least
// first. All but the first two and "+" make something that isn't known.
var curlyLevels = [...]string{
	" || ?? ",
	" && ",
	" == != === !== < > <= >= << >> >>> & | ^ <=> instanceof in as satisfies ",
	" + - ",
	" * / % ** ",
}

func (p *curlyParser) binary(level int) *tree {
	if level == len(curlyLevels) {
		return p.unary()
	}
	start := p.at
	first := p.binary(level + 1)
	if !p.operates(level) {
		return first
	}
	op := [...]treeOp{treeChoice, treeBranch, treeOther, treeJoin, treeOther}[level]
	t := p.node(op, start, first)
	for p.operates(level) {
		operator := p.token().text
		p.at++
		if operator == "as" || operator == "satisfies" {
			p.skipType()
			t.op = treeSequence
			continue
		}
		if operator == "-" {
			t.op = treeOther
		}
		if p.arrow() {
			t.kids = append(t.kids, p.value())
			continue
		}
		t.kids = append(t.kids, p.binary(level+1))
	}
	t.source = p.span(start)
	return t
}

func (p *curlyParser) operates(level int) bool {
	t := p.token()
	if t.kind != curlyMark && !(t.kind == curlyName && level == 2 && (t.text == "in" || t.text == "instanceof" || !p.php && !t.fresh && (t.text == "as" || t.text == "satisfies"))) {
		return false
	}
	return t.text != "" && strings.Contains(curlyLevels[level], " "+t.text+" ")
}

// unary reads a value with the operators before it.
func (p *curlyParser) unary() *tree {
	start := p.at
	changed, negative, not := false, false, false
	for {
		t := p.token()
		switch {
		case t.is("!"):
			changed, not = true, true
		case t.is("-"):
			changed, negative = true, true
		case t.is("~") || t.is("++") || t.is("--") || t.is("+") && !p.php:
			changed = true
		case t.word("typeof") || t.word("void") || t.word("delete"):
			changed = true
		case t.word("await") || t.word("yield") || t.is("*") || p.php && (t.is("@") || t.is("&") || t.is("+")):
		case p.php && (t.word("clone") || t.word("print")):
		case p.php && t.is("(") && p.ahead(2).is(")") && p.ahead(1).kind == curlyName && strings.Contains(" string int bool array float object integer boolean binary ", " "+p.ahead(1).text+" "):
			p.at += 2
		default:
			begin := p.at
			one := p.postfix(begin, p.operand())
			if !changed {
				return one
			}
			if one.op == treePlain && p.at == start+2 {
				switch {
				case negative:
					one.text = "-" + one.text
					return one
				case not && (one.text == "0" || one.text == "1"):
					one.text = map[string]string{"0": "true", "1": "false"}[one.text]
					return one
				}
			}
			return p.node(treeOther, start, one)
		}
		p.at++
	}
}

// operand reads a value without operators, perhaps made with new.
func (p *curlyParser) operand() *tree {
	if !p.token().word("new") || p.ahead(1).is(".") {
		return p.primary()
	}
	start := p.at
	for p.eatWord("new") {
	}
	callee := p.primary()
	for p.token().is(".") && p.ahead(1).kind == curlyName && p.at-start < maxChain {
		p.at++
		callee = p.member(start, callee)
	}
	t := p.node(treeCall, start, callee)
	if p.token().is("(") {
		t = p.arguments(start, callee)
	}
	t.flags = treeMade
	return t
}

func (p *curlyParser) member(start int, of *tree) *tree {
	name := p.token().text
	p.at++
	t := p.node(treeMember, start, of)
	t.text = strings.TrimPrefix(name, "#")
	return t
}

// arguments reads those of a call.
func (p *curlyParser) arguments(start int, callee *tree) *tree {
	args := p.items(")")
	t := p.node(treeCall, start, append([]*tree{callee}, args...)...)
	return t
}

// items reads what is between the bracket here and its partner.
func (p *curlyParser) items(closing string) []*tree {
	var all []*tree
	end := max(p.token().match, p.at)
	p.at++
	for p.at < end {
		if p.eat(",") {
			if closing == "]" && (p.tokens[p.at-2].is(",") || p.tokens[p.at-2].is("[")) {
				all = append(all, nil) // [, b]
			}
			continue
		}
		before := p.at
		switch {
		case p.eat("..."):
			if p.at < end { // PHP has f(...), too
				all = append(all, p.node(treeSpread, before, p.value()))
			}
		case p.php && p.token().kind == curlyName && p.ahead(1).is(":"): // a named argument
			p.at += 2
			all = append(all, p.value())
		default:
			all = append(all, p.value())
		}
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	return all
}

// postfix reads the calls, members and indexes behind a value.
func (p *curlyParser) postfix(start int, t *tree) *tree {
	for links := 0; ; links++ {
		token := p.token()
		if links > maxChain {
			return p.abandon()
		}
		switch {
		case token.is(".") && p.ahead(1).kind == curlyName:
			p.at++
			t = p.member(start, t)
		case token.is("."): // of an unknown name
			p.at++
		case token.is("("):
			t = p.arguments(start, t)
		case token.is("[") || token.is("{") && p.php && p.tokens[p.at-1].kind == curlyName && strings.HasPrefix(p.tokens[p.at-1].text, "$") && token.match == p.at+2:
			index := p.items("]")
			if len(index) == 0 || index[0] == nil {
				index = []*tree{nothing}
			}
			t = p.node(treeIndex, start, t, index[0])
		case token.kind == curlyOpen && !p.php:
			t = p.node(treeCall, start, t, p.template())
			t.flags = treeTagged
		case (token.is("++") || token.is("--")) && !token.fresh:
			p.at++
			t = p.node(treeAssign, start, t, p.node(treeOther, start))
		case token.is("!") && !p.php && !token.fresh && (p.ahead(1).is(".") || p.ahead(1).is("[") || p.ahead(1).is("(")):
			p.at++
		default:
			return t
		}
	}
}
