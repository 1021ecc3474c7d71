package script

// variables reads a declaration, up to its end or that of the head of a loop.
func (p *curlyParser) variables() *tree {
	start := p.at
	var flags treeFlag
	if p.token().text == "var" || p.php {
		flags = treeRoomy
	}
	p.at++
	p.eatWord("enum")
	t := p.node(treeSequence, start)
	for {
		t.kids = append(t.kids, p.declared(p.at, flags))
		if !p.eat(",") {
			break
		}
	}
	p.eat(";")
	return t
}

// declared reads one variable or pattern, with its type and value.
func (p *curlyParser) declared(start int, flags treeFlag) *tree {
	t := p.node(treeDeclare, start, p.target())
	t.flags = flags
	p.typed()
	if p.eat("=") {
		t.kids = append(t.kids, p.value())
	}
	return t
}

// target reads what is assigned to: a name or a pattern.
func (p *curlyParser) target() *tree {
	switch t := p.token(); {
	case t.kind == curlyName || t.is("[") || t.is("{"):
		return p.primary()
	}
	return nothing
}

// typed skips the type of TypeScript after a name.
func (p *curlyParser) typed() {
	if p.php {
		return
	}
	p.eat("!")
	if p.token().is("?") && p.ahead(1).is(":") {
		p.at++
	}
	if p.eat(":") {
		p.skipType()
	}
}

// skipType goes to the end of a type.
func (p *curlyParser) skipType() {
	angles := 0
	for first := true; ; first = false {
		t := p.token()
		switch {
		case t.kind == curlyEnd || t.is(";") || t.is("=") || t.is(")") || t.is("]") || t.is("}"):
			return
		case t.is("<"):
			angles++
		case t.is(">"):
			angles--
		case angles <= 0 && (t.is(",") || t.is("=>")):
			return
		case t.is("{") && !first && !p.tokens[p.at-1].is("|") && !p.tokens[p.at-1].is("&") && angles <= 0:
			return // the body of a function
		case t.match > p.at && t.match < len(p.tokens)-1 && (t.is("(") || t.is("[") || t.is("{")):
			p.at = t.match
			if p.ahead(1).is("=>") { // (a) => b
				p.at++
			}
		case t.fresh && !first && angles <= 0 && t.kind == curlyName:
			return
		}
		p.at++
	}
}

// loop reads for and foreach.
func (p *curlyParser) loop() *tree {
	start := p.at
	p.at++
	p.eatWord("await")
	if !p.token().is("(") {
		return nothing
	}
	open := p.at
	end := p.token().match
	p.at++
	t := p.each(start, end)
	if t != nil {
		p.close(end)
		t.kids = append(t.kids, p.body())
		return t
	}
	p.at = open + 1
	first := p.node(treeBlock, start)
	repeated := p.node(treeLoop, start)
	t = first
	for p.at < end {
		before := p.at
		if p.token().is(";") {
			p.at++
			t = repeated
			continue
		}
		ended := p.at
		t.kids = append(t.kids, p.statement())
		if p.tokens[max(ended, p.at-1)].is(";") {
			t = repeated
		}
		if p.at == before {
			p.at++
		}
	}
	p.close(end)
	repeated.kids = append(repeated.kids, p.body())
	first.kids = append(first.kids, repeated)
	return first
}

// each reads the head of a loop over the elements of something, or returns nil if it isn't one.
func (p *curlyParser) each(start, end int) *tree {
	if p.php {
		if p.tokens[start].text != "foreach" {
			return nil
		}
		list := p.expression()
		p.eatWord("as")
		p.eat("&")
		target := p.value()
		if p.eat("=>") {
			p.eat("&")
			target = p.value()
		}
		return p.node(treeEach, start, target, list)
	}
	begin := p.at
	declares := p.token().word("const") || p.token().word("let") || p.token().word("var")
	if declares {
		p.at++
	}
	last := p.at
	if p.token().is("[") || p.token().is("{") {
		last = p.token().match
	}
	if next := p.after(last); last >= end || !next.word("of") && !next.word("in") {
		return nil
	}
	target := p.target()
	keys := p.token().text == "in"
	if declares {
		target = p.node(treeDeclare, begin, target)
		if p.tokens[begin].text == "var" {
			target.flags = treeRoomy
		}
	}
	p.at++
	list := p.expression()
	if keys {
		list = p.node(treeOther, begin, list)
	}
	return p.node(treeEach, start, target, list)
}

// imports reads an import declaration as what it does: require with other
// words.
func (p *curlyParser) imports() *tree {
	start := p.at
	if p.ahead(1).is("(") || p.ahead(1).is(".") {
		return p.expressionStatement()
	}
	p.at++
	pattern := p.node(treeMap, start)
	add := func(key string, at int) {
		name := p.node(treeName, at)
		name.text = p.tokens[at].text
		text := *name
		text.op, text.text = treeText, key
		pattern.kids = append(pattern.kids, &text, name)
	}
	for p.token().kind != curlyEnd && p.token().kind != curlyText && !p.token().is(";") && !p.token().is("=") {
		t := p.token()
		switch {
		case t.word("from") && p.ahead(1).kind == curlyText:
		case t.is("*") && p.ahead(1).word("as"):
			add("default", p.at+2)
			p.at += 2
		case t.kind == curlyName && p.ahead(1).word("as"):
			add(t.text, p.at+2)
			p.at += 2
		case t.kind == curlyName && t.text != "type":
			key := t.text
			if !p.tokens[p.at-1].is("{") && !p.tokens[p.at-1].is(",") || p.tokens[p.at-1].word("import") {
				key = "default"
			}
			add(key, p.at)
		}
		p.at = min(p.at+1, len(p.tokens)-1)
	}
	if p.eat("=") { // import x = require("y")
		return p.node(treeDeclare, start, pattern, p.value())
	}
	require := p.node(treeName, start)
	require.text = "require"
	call := p.node(treeCall, start, require, p.value())
	p.eat(";")
	return p.node(treeDeclare, start, pattern, call)
}

// exports reads what is declared with an export.
func (p *curlyParser) exports() *tree {
	p.at++
	p.eatWord("default")
	if p.token().is("*") || p.token().is("{") {
		for p.token().kind != curlyEnd && p.token().kind != curlyText && !p.token().is(";") && !p.token().fresh {
			p.at++
		}
		return nothing
	}
	return p.statement()
}
