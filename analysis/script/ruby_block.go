package script

// lambda reads the parameters and the body of one.
func (p *rubyReader) lambda(start int) *tree {
	t := p.node(treeFunction, start)
	p.blank()
	if p.peek(0) == '(' {
		p.at++
		t.kids = p.parameters(')')
		p.blank()
	}
	block := nothing
	switch {
	case p.peek(0) == '{':
		block = p.block(start)
	case p.hasWord("do"):
		block = p.doBlock(start)
	}
	if block == nothing {
		t.kids = append(t.kids, nothing)
		return t
	}
	block.kids = append(t.kids, block.kids...)
	return block
}

// block reads { |x| ... }.
func (p *rubyReader) block(start int) *tree {
	p.at++
	return p.function(start, func(body *tree) {
		p.statements(body, "}")
		p.at = min(p.at+1, p.end)
	})
}

// doBlock reads do |x| ... end.
func (p *rubyReader) doBlock(start int) *tree {
	p.at += len("do")
	return p.function(start, func(body *tree) { p.toEnd(body) })
}

// function reads the parameters and the body of a block.
func (p *rubyReader) function(start int, read func(*tree)) *tree {
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	noDo := p.noDo
	p.noDo = 0
	t := p.node(treeFunction, start)
	t.flags = treeImplicit
	p.lines()
	if p.peek(0) == '|' {
		p.at++
		t.kids = p.parameters('|')
	} else {
		t.kids = []*tree{p.name(start, "_1")}
	}
	body := p.node(treeSequence, p.at)
	read(body)
	t.kids = append(t.kids, body)
	t.source = p.since(start)
	p.noDo = noDo
	return t
}
