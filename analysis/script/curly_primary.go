package script

import "strings"

// primary reads a name, a constant, or what is in brackets.
func (p *curlyParser) primary() *tree {
	start := p.at
	t := p.token()
	switch t.kind {
	case curlyText, curlyNumber:
		p.at++
		one := p.node(treeText, start)
		one.text = t.text
		if t.kind == curlyNumber {
			one.op = treePlain
			if t.text == "" {
				one.op = treeOther
			}
		}
		return one
	case curlyOpen:
		return p.template()
	case curlyName:
		return p.word()
	case curlyMark:
		switch {
		case t.is("("):
			one := p.parenthesis()
			if len(one.kids) == 1 {
				return one.kids[0]
			}
			return one
		case t.is("["):
			return p.array()
		case t.is("{") && !p.php:
			return p.object()
		}
	}
	return nothing
}

// array reads [...]. In PHP some have keys.
func (p *curlyParser) array() *tree {
	start := p.at
	if p.php && p.keyed() {
		return p.dictionary(start)
	}
	items := p.items("]")
	return p.node(treeList, start, items...)
}

// keyed reports whether the array here has a key for its first element.
func (p *curlyParser) keyed() bool {
	const long = 12
	for i := p.at + 1; i < min(p.at+long, len(p.tokens)) && i < p.token().match; i++ {
		switch t := &p.tokens[i]; {
		case t.is("=>"):
			return !p.tokens[p.at+1].word("fn")
		case t.is(","):
			return false
		case t.match > i:
			i = t.match
		}
	}
	return false
}

// dictionary reads the keys and values of a PHP array.
func (p *curlyParser) dictionary(start int) *tree {
	t := p.node(treeMap, start)
	end := p.token().match
	p.at++
	for p.at < end {
		before := p.at
		key := p.value()
		if p.eat("=>") {
			t.kids = append(t.kids, key, p.value())
		} else {
			t.kids = append(t.kids, nothing, key)
		}
		p.eat(",")
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	return t
}

// word reads a name, or what begins with a keyword.
func (p *curlyParser) word() *tree {
	start := p.at
	t := p.token()
	switch t.text {
	case "true", "false", "null", "undefined":
		p.at++
		one := p.node(treePlain, start)
		one.text = t.text
		return one
	case "async", "static":
		if !p.ahead(1).word("function") {
			break
		}
		p.at++
		return p.word()
	case "function":
		p.at++
		p.eat("*")
		p.eat("&")
		if p.token().kind == curlyName {
			p.at++
		}
		return p.callable(start)
	case "class":
		if p.ahead(1).is("{") || p.ahead(1).kind == curlyName || p.php {
			return p.class()
		}
	case "require", "require_once", "include", "include_once":
		if p.php && !p.ahead(1).is("(") {
			p.at++
			return p.node(treeOther, start, p.value())
		}
	case "array", "list":
		if p.php && p.ahead(1).is("(") {
			p.at++
			if p.keyed() {
				return p.dictionary(start)
			}
			items := p.items("]")
			return p.node(treeList, start, items...)
		}
	case "match":
		if p.php && p.ahead(1).is("(") {
			return p.match()
		}
	}
	p.at++
	one := p.node(treeName, start)
	one.text = t.text
	return one
}

// cases reads a switch or a match up to what is in its braces, and returns where
// these end, if there are any.
func (p *curlyParser) cases() (t *tree, end int, ok bool) {
	start := p.at
	p.at++
	t = p.node(treeBranch, start, p.parenthesis())
	if !p.token().is("{") {
		return t, 0, false
	}
	end = p.token().match
	p.at++
	return t, end, true
}

// match reads PHP's match (x) { a, b => value, default => value }.
func (p *curlyParser) match() *tree {
	t, end, ok := p.cases()
	if !ok {
		return t
	}
	for p.at < end {
		before := p.at
		one := p.value()
		if p.eat("=>") {
			one = p.value()
		}
		t.kids = append(t.kids, one)
		p.eat(",")
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	return t
}

// template reads a text with expressions in it.
func (p *curlyParser) template() *tree {
	start := p.at
	t := p.node(treeJoin, start)
	command := p.token().text == "`" && p.php
	p.at++
	for p.token().kind != curlyClose && p.token().kind != curlyEnd {
		before := p.at
		switch token := p.token(); {
		case token.kind == curlyText:
			t.kids = append(t.kids, p.primary())
		case token.is("${"):
			end := token.match
			p.at++
			inner := p.node(treeSequence, p.at)
			p.list(inner, end)
			t.kids = append(t.kids, inner)
			if len(inner.kids) == 1 {
				t.kids[len(t.kids)-1] = inner.kids[0]
			}
			p.close(end)
		default:
			t.kids = append(t.kids, p.value())
		}
		if p.at == before {
			p.at++
		}
	}
	if p.token().kind == curlyClose {
		p.at++
	}
	t.source = p.span(start)
	if len(t.kids) == 0 {
		t.op, t.text = treeText, ""
	}
	if !command {
		return t
	}
	shell := p.node(treeName, start)
	shell.text = "shell_exec"
	call := p.node(treeCall, start, shell, t)
	call.flags = treeTagged
	return call
}

// object reads an object or a pattern of JavaScript.
func (p *curlyParser) object() *tree {
	start := p.at
	t := p.node(treeMap, start)
	end := p.token().match
	p.at++
	for p.at < end {
		if p.eat(",") {
			continue
		}
		before := p.at
		if p.eat("...") {
			t.kids = append(t.kids, nil, p.value())
		} else if key, value := p.entry(); value != nil {
			t.kids = append(t.kids, key, value)
		}
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	t.source = p.span(start)
	return t
}

// entry reads one entry of an object.
func (p *curlyParser) entry() (key, value *tree) {
	for p.token().kind == curlyName && strings.Contains(" get set async static ", " "+p.token().text+" ") &&
		(p.ahead(1).kind == curlyName || p.ahead(1).kind == curlyText || p.ahead(1).is("[") || p.ahead(1).is("*")) {
		p.at++
	}
	p.eat("*")
	start := p.at
	t := p.token()
	switch {
	case t.is("["):
		items := p.items("]")
		if key = nothing; len(items) > 0 && items[0] != nil {
			key = items[0]
		}
	case t.kind == curlyName || t.kind == curlyText || t.kind == curlyNumber:
		p.at++
		key = p.node(treeText, start)
		key.text = t.text
	default:
		return nil, nil
	}
	switch {
	case p.eat(":"):
		return key, p.value()
	case p.token().is("("):
		return key, p.callable(start)
	}
	name := p.node(treeName, start)
	name.text = t.text
	if p.eat("=") {
		return key, p.node(treeAssign, start, name, p.value())
	}
	return key, name
}
