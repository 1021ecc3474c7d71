package script

// pyAct is the kind of a pyStmt.
type pyAct uint8

const (
	pyDo     pyAct = iota // evaluates value
	pyAssign              // targets = value, or target op value
	pyImport              // names
	pyDef                 // a function: name, params, blocks[0]; value are decorators and defaults
	pyClass               // name, blocks[0]
	pyBranch              // one of blocks, or none unless all
	pyLoop                // blocks[0] for each of value, put in targets[0]; while without targets
	pyBlock               // blocks[0]
	pyReturn              // value
	pyGlobal              // name, one of those of the whole program
	pyForget              // del targets
)

// pyStmt is a statement.
type pyStmt struct {
	act     pyAct
	name    string
	text    string // the operator of an assignment such as "+="
	all     bool   // of a branch: one of the blocks is run
	targets []*pyExpr
	value   *pyExpr
	params  []pyParam
	imports []pyBound
	blocks  [][]*pyStmt
	nodes   int // how many expressions and statements there are in a loop
	breaks  bool
	changed map[string]bool // the variables that a loop changes, once known
}

// pyBound is a name that an import binds to a module or something in it; name
// "*" binds all that there is.
type pyBound struct{ name, target string }

// program reads all statements.
func (p *pyParser) program() []*pyStmt {
	var list []*pyStmt
	for p.token.kind != pyEnd {
		list = p.line(list)
	}
	return list
}

// line adds the statements of a line, with the block that may follow it.
func (p *pyParser) line(list []*pyStmt) []*pyStmt {
	indent := max(p.token.indent, 0)
	for p.token.kind != pyEnd && p.token.kind != pyNewline {
		at := p.token.start
		if stmt := p.statement(indent); stmt != nil {
			list = append(list, stmt)
		}
		if p.token.kind != pyEnd && p.token.indent >= 0 && p.token.start > at {
			return list // a block has ended
		}
		if p.token.start == at || p.token.is(";") {
			p.next()
		}
	}
	p.next()
	return list
}

// block reads what follows a colon: the rest of the line, or the lines that
// are further in than indent.
func (p *pyParser) block(indent int) []*pyStmt {
	var list []*pyStmt
	if p.depth++; p.depth > pyMaxDepth {
		p.stop()
	}
	defer func() { p.depth-- }()
	for p.token.kind != pyEnd && p.token.kind != pyNewline && !p.token.is(":") {
		p.next() // not valid, or a type
	}
	p.accept(":")
	if p.token.kind != pyNewline {
		return p.line(list)
	}
	p.next()
	for p.token.kind != pyEnd && p.token.indent > indent {
		list = p.line(list)
	}
	return list
}

// statement reads one statement. It is nil for one that does nothing.
func (p *pyParser) statement(indent int) *pyStmt {
	p.nodes++
	word := ""
	if p.token.kind == pyName {
		word = p.token.text
	}
	switch word {
	case "import":
		return p.imports()
	case "from":
		return p.importsFrom()
	case "async":
		p.next()
		return p.statement(indent)
	case "def":
		return p.function(indent)
	case "class":
		return p.class(indent)
	case "if":
		return p.choice(indent)
	case "while", "for":
		return p.loop(indent)
	case "try":
		return p.attempt(indent)
	case "with":
		return p.with(indent)
	case "match":
		if stmt := p.match(indent); stmt != nil {
			return stmt
		}
	case "global", "nonlocal":
		p.next()
		stmt := &pyStmt{act: pyGlobal}
		for p.token.kind == pyName {
			stmt.imports = append(stmt.imports, pyBound{name: p.token.text})
			p.next()
			p.accept(",")
		}
		return stmt
	case "return":
		p.next()
		if !p.begins() {
			return nil
		}
		return &pyStmt{act: pyReturn, value: p.tuple()}
	case "del":
		p.next()
		return &pyStmt{act: pyForget, targets: []*pyExpr{p.tuple()}}
	case "break", "continue":
		p.breaks++
		p.next()
		return nil
	case "pass", "elif", "else", "except", "finally":
		p.next()
		return nil
	case "raise", "assert":
		p.next()
	case "exec": // a statement in Python 2
		ahead := p.lexer
		if following := ahead.next(); following.kind == pyString {
			return p.execStatement()
		}
	}
	return p.simple()
}

// execStatement reads the exec "code" of Python 2.
func (p *pyParser) execStatement() *pyStmt {
	start, line := p.token.start, p.token.line
	p.next()
	callee := p.node(pyVariable, start, line)
	callee.text = "exec"
	code := p.expr()
	call := p.node(pyCall, start, line, callee, code)
	call.pyDetails = &pyDetails{names: []string{""}}
	return &pyStmt{act: pyDo, value: call}
}

// simple reads an expression or an assignment.
func (p *pyParser) simple() *pyStmt {
	if p.token.is("@") { // a decorator
		p.next()
	}
	if !p.begins() {
		return nil
	}
	value := p.tuple()
	if p.token.is(":") { // a type
		p.next()
		p.binary(0)
	}
	stmt := &pyStmt{act: pyAssign}
	for {
		switch operator := p.token.text; {
		case p.token.kind != pyOperator:
		case operator == "=":
			p.next()
			stmt.targets = append(stmt.targets, value)
			value = p.tuple()
			continue
		case len(operator) > 1 && operator[len(operator)-1] == '=' && pyBinding()[operator] == 0 && operator != ":=":
			p.next()
			stmt.targets = append(stmt.targets, value)
			stmt.text = operator
			value = p.tuple()
			continue
		}
		break
	}
	stmt.value = value
	if len(stmt.targets) == 0 {
		stmt.act = pyDo
	}
	return stmt
}

// dotted reads a name such as os.path.
func (p *pyParser) dotted() string {
	name := ""
	for p.token.kind == pyName && !pyWords()[p.token.text] || p.token.is(".") || p.token.is("...") {
		name += p.token.text
		p.next()
	}
	return name
}

// alias reads "as x".
func (p *pyParser) alias(name string) string {
	if p.accept("as") {
		name = p.token.text
		p.next()
	}
	return name
}

// imports reads import a, b.c as d.
func (p *pyParser) imports() *pyStmt {
	p.next()
	stmt := &pyStmt{act: pyImport}
	for {
		target := p.dotted()
		name := p.alias("")
		if name == "" {
			// Only the first name is bound, and stands for the package.
			for i := range len(target) {
				if target[i] == '.' {
					target = target[:i]
					break
				}
			}
			name = target
		}
		if target != "" {
			stmt.imports = append(stmt.imports, pyBound{name, target})
		}
		if !p.accept(",") {
			return stmt
		}
	}
}

// importsFrom reads from a import b as c, d.
func (p *pyParser) importsFrom() *pyStmt {
	p.next()
	stmt := &pyStmt{act: pyImport}
	module := p.dotted()
	p.accept("import")
	closing := p.accept("(")
	for p.token.kind == pyName || p.token.is("*") {
		name := p.token.text
		p.next()
		stmt.imports = append(stmt.imports, pyBound{p.alias(name), module + "." + name})
		p.accept(",")
	}
	if closing {
		p.accept(")")
	}
	return stmt
}

// params reads parameters up to the closing token, which it leaves.
func (p *pyParser) params(closing string) []pyParam {
	var params []pyParam
	for p.token.kind != pyEnd && p.token.kind != pyNewline && !p.token.is(closing) {
		param := pyParam{}
		if p.token.is("*") || p.token.is("**") {
			param.star = p.token.text
			p.next()
		}
		if p.token.kind == pyName {
			param.name = p.token.text
		}
		if !p.token.is(",") && !p.token.is(closing) {
			p.next()
		}
		if closing != ":" && p.accept(":") {
			p.expr()
		}
		if p.accept("=") {
			param.value = p.expr()
		}
		if param.name != "" {
			params = append(params, param)
		}
		for p.token.kind != pyEnd && p.token.kind != pyNewline && !p.token.is(closing) && !p.accept(",") {
			p.next()
		}
	}
	return params
}
