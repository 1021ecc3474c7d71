package script

func (p *pyParser) function(indent int) *pyStmt {
	p.next()
	stmt := &pyStmt{act: pyDef, name: p.token.text}
	p.next()
	if p.accept("(") {
		stmt.params = p.params(")")
		p.accept(")")
	}
	stmt.blocks = [][]*pyStmt{p.block(indent)}
	return stmt
}

func (p *pyParser) class(indent int) *pyStmt {
	p.next()
	stmt := &pyStmt{act: pyClass, name: p.token.text}
	p.next()
	if p.token.is("(") {
		stmt.value = p.display(")")
	}
	stmt.blocks = [][]*pyStmt{p.block(indent)}
	return stmt
}

// follows reports whether a clause of a statement that is indented that far
// begins here.
func (p *pyParser) follows(word string, indent int) bool {
	return p.token.is(word) && (p.token.indent == indent || p.token.indent < 0)
}

// condition returns the statement that looks whether something holds.
func condition(e *pyExpr) *pyStmt { return &pyStmt{act: pyDo, value: e} }

func (p *pyParser) choice(indent int) *pyStmt {
	p.next()
	branch := &pyStmt{act: pyBranch}
	head := condition(p.expr())
	branch.blocks = append(branch.blocks, p.block(indent))
	for {
		switch {
		case p.follows("elif", indent):
			p.next()
			test := condition(p.expr())
			branch.blocks = append(branch.blocks, append([]*pyStmt{test}, p.block(indent)...))
			continue
		case p.follows("else", indent):
			p.next()
			branch.all = true
			branch.blocks = append(branch.blocks, p.block(indent))
		}
		return &pyStmt{act: pyBlock, blocks: [][]*pyStmt{{head, branch}}}
	}
}

func (p *pyParser) loop(indent int) *pyStmt {
	loop := &pyStmt{act: pyLoop}
	before, breaks := p.nodes, p.breaks
	if p.accept("while") {
		loop.value = p.expr()
	} else {
		p.next()
		loop.targets = []*pyExpr{p.targets()}
		p.accept("in")
		loop.value = p.tuple()
	}
	body := p.block(indent)
	loop.blocks = [][]*pyStmt{body}
	loop.nodes, loop.breaks = p.nodes-before, p.breaks > breaks
	if p.follows("else", indent) {
		p.next()
		return &pyStmt{act: pyBlock, blocks: [][]*pyStmt{append([]*pyStmt{loop}, p.block(indent)...)}}
	}
	return loop
}

// attempt reads a try. Its own block counts as run to the end.
func (p *pyParser) attempt(indent int) *pyStmt {
	p.next()
	list := p.block(indent)
	for {
		switch {
		case p.follows("except", indent):
			p.next()
			p.accept("*")
			handler := &pyStmt{act: pyBranch}
			if p.begins() {
				handler.value = p.tuple()
			}
			p.alias("")
			handler.blocks = [][]*pyStmt{p.block(indent)}
			list = append(list, handler)
		case p.follows("else", indent), p.follows("finally", indent):
			p.next()
			list = append(list, p.block(indent)...)
		default:
			return &pyStmt{act: pyBlock, blocks: [][]*pyStmt{list}}
		}
	}
}

func (p *pyParser) with(indent int) *pyStmt {
	p.next()
	var list []*pyStmt
	// Parentheses may stand around all of it, or belong to the first.
	open := p.token.is("(")
	if open {
		lexer, token, last := p.lexer, p.token, p.last
		p.display(")")
		if open = p.token.is(":"); !p.complex {
			p.lexer, p.token, p.last = lexer, token, last
		}
		if open {
			p.next()
		}
	}
	for p.begins() {
		value := p.expr()
		if p.accept("as") {
			list = append(list, &pyStmt{act: pyAssign, targets: []*pyExpr{p.unary()}, value: value})
		} else {
			list = append(list, condition(value))
		}
		if !p.accept(",") {
			break
		}
	}
	if open {
		p.accept(")")
	}
	return &pyStmt{act: pyBlock, blocks: [][]*pyStmt{append(list, p.block(indent)...)}}
}

// match reads a match statement, or nothing where match is a variable.
func (p *pyParser) match(indent int) *pyStmt {
	lexer, token, last := p.lexer, p.token, p.last
	p.next()
	if p.begins() {
		subject := p.tuple()
		if p.accept(":") && p.token.kind == pyNewline {
			p.next()
			branch := &pyStmt{act: pyBranch}
			for p.token.is("case") && p.token.indent > indent {
				inner := p.token.indent
				p.next()
				if p.begins() {
					p.tuple()
				}
				branch.blocks = append(branch.blocks, p.block(inner))
			}
			return &pyStmt{act: pyBlock, blocks: [][]*pyStmt{{condition(subject), branch}}}
		}
	}
	if !p.complex {
		p.lexer, p.token, p.last = lexer, token, last
	}
	return nil
}
