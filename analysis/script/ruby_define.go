package script

import "strings"

// class reads the body of a class or module; what is in it runs like anything else.
func (p *rubyReader) class(start int) *tree {
	p.blank()
	if p.has("<<") {
		p.at += 2
		p.blank()
	}
	for isNameByte(p.peek(0)) || p.peek(0) == ':' {
		p.at++
	}
	p.blank()
	t := p.node(treeSequence, start)
	if p.peek(0) == '<' {
		p.at++
		t.kids = append(t.kids, p.expression())
	}
	return p.toEnd(t)
}

// define reads a method.
func (p *rubyReader) define(start int) *tree {
	p.blank()
	name := p.word()
	self := false
	for p.peek(0) == '.' {
		p.at++
		self = true
		name = p.word()
	}
	if name == "" { // an operator
		for p.at < p.end && p.peek(0) != '(' && p.peek(0) != ' ' && p.peek(0) != '\n' {
			p.at++
		}
	}
	outer := p.locals
	p.locals = map[string]bool{}
	function := p.node(treeFunction, start)
	function.flags = treeSealed | treeImplicit
	p.blank()
	if p.peek(0) == '(' {
		p.at++
		function.kids = p.parameters(')')
	} else if p.peek(0) != '\n' && p.peek(0) != ';' && p.peek(0) != '=' {
		function.kids = p.parameters('\n')
	}
	p.blank()
	if p.peek(0) == '=' {
		p.at++
		function.kids = append(function.kids, p.statement())
	} else {
		function.kids = append(function.kids, p.toEnd(p.node(treeSequence, p.at)))
	}
	p.locals = outer
	function.source = p.since(start)
	if self || name == "" {
		return function
	}
	t := p.node(treeDeclare, start, p.name(start, name), function)
	t.flags = treeRoomy | treeConstant
	return t
}

// parameters reads those of a method or block, up to closing.
func (p *rubyReader) parameters(closing byte) []*tree {
	var all []*tree
	for p.at < p.end {
		p.blank()
		c := p.peek(0)
		switch {
		case c == closing:
			if c != '\n' {
				p.at++
			}
			return all
		case c == '\n' && closing != '|' || c == ',':
			p.at++
			continue
		case c == ';' && closing == '\n':
			return all
		}
		before := p.at
		if one := p.parameter(closing); one != nil {
			all = append(all, one)
		}
		if p.at == before {
			p.at++
		}
	}
	return all
}

func (p *rubyReader) parameter(closing byte) *tree {
	start := p.at
	splat := false
	for p.peek(0) == '*' || p.peek(0) == '&' {
		splat = true
		p.at++
	}
	if p.peek(0) == '(' { // |(a, b), c|
		p.at++
		return p.node(treeList, start, p.parameters(')')...)
	}
	name := strings.TrimRight(p.word(), "?!")
	if name == "" {
		return nil
	}
	p.locals[name] = true
	t := p.name(start, name)
	if p.blank(); p.peek(0) == ':' && p.peek(1) != ':' { // a keyword: it's in the map at the end
		p.at++
		p.blank()
		if c := p.peek(0); c != ',' && c != closing && c != '\n' {
			p.value()
		}
		key := p.text(start, name)
		return p.node(treeMap, start, key, t)
	}
	switch {
	case splat:
		return p.node(treeSpread, start, t)
	case p.peek(0) == '=' && closing != '\n':
		p.at++
		if closing == '|' {
			p.noPipe++
			defer func() { p.noPipe-- }()
		}
		defaults := p.ternary()
		return p.node(treeAssign, start, t, defaults)
	}
	return t
}
