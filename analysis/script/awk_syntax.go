package script

// awkOp is the kind of an awkExpr.
type awkOp uint8

const (
	awkOther    awkOp = iota // not known; source
	awkText                  // text
	awkVariable              // text
	awkElement               // of the array text
	awkConcat                // parts one after the other
	awkChoice                // one of parts
	awkAssigned              // the value of the variable text, which parts[0] was put in
	awkCalled                // text(parts)
	awkIndirect              // @text(parts): the function that the variable text names
	awkGroup                 // (parts), of several
)

// awkExpr is an expression.
type awkExpr struct {
	op     awkOp
	text   string
	parts  []*awkExpr
	source string
	line   int
}

// awkOutput is a call of something outside of the program.
type awkOutput struct {
	name    string // as awk has it
	kind    Kind
	what    *awkExpr   // the text for a shell, or the file
	printed []*awkExpr // to it
	format  bool       // printed as printf does
	newline bool       // and a line's end
	line    int
}

// awkParser reads a program and collects what matters of it. Braces and what
// decides which rule is run make no difference, so rules and blocks are one
// long list of statements.
type awkParser struct {
	lexer   awkLexer
	token   awkToken
	ended   int // where the last token ended
	depth   int
	complex bool

	outputs  []*awkOutput
	prints   []*awkOutput          // to standard output
	assigned map[string][]*awkExpr // what is put in a variable; nil for something that isn't known
	returns  map[string][]*awkExpr
	params   map[string][]string // of functions
	function string              // that is read
	locals   map[string]bool     // its parameters
	braces   int                 // open in it
}

func (p *awkParser) next() {
	p.ended = p.token.end
	if p.complex {
		p.token = awkToken{line: p.token.line, end: p.token.end}
		return
	}
	p.token = p.lexer.next()
}

func (p *awkParser) stop() {
	p.complex = true
	p.next()
}

func (p *awkParser) accept(text string) bool {
	if p.token.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *awkParser) newlines() {
	for p.token.kind == awkNewline {
		p.next()
	}
}

func (p *awkParser) node(op awkOp, text string, start awkToken, parts ...*awkExpr) *awkExpr {
	e := &awkExpr{op: op, text: text, parts: parts, line: start.line}
	if start.start <= p.ended && p.ended <= len(p.lexer.source) {
		e.source = p.lexer.source[start.start:p.ended]
	}
	return e
}

// name returns what a variable is known by: those of a function have its name
// before them.
func (p *awkParser) name(variable string) string {
	if p.locals[variable] {
		return p.function + "/" + variable
	}
	return variable
}

// program reads all.
func (p *awkParser) program() {
	for p.token.kind != awkEnd {
		before := p.token.start
		p.statement()
		if p.token.start == before && p.token.kind != awkEnd {
			p.next()
		}
	}
}

// statement reads a statement, a pattern, or a token between them.
func (p *awkParser) statement() {
	switch {
	case p.token.is("{"):
		p.braces++
		p.next()
	case p.token.is("}"):
		if p.braces--; p.braces <= 0 {
			p.function, p.locals, p.braces = "", nil, 0
		}
		p.next()
	case p.token.is("function"), p.token.is("func"):
		p.define()
	case p.token.is("@"):
		p.directive()
	case p.token.is("if"), p.token.is("while"), p.token.is("for"), p.token.is("switch"):
		p.condition()
	case p.token.is("print"), p.token.is("printf"):
		p.print()
	case p.token.is("return"):
		p.next()
		if p.begins() {
			p.returns[p.function] = append(p.returns[p.function], p.expr(false))
		}
	case p.begins():
		p.expr(false)
	default:
		p.next()
	}
}

// define reads the head of a function.
func (p *awkParser) define() {
	p.next()
	p.function, p.locals, p.braces = p.token.text, map[string]bool{}, 0
	p.next()
	p.accept("(")
	var params []string
	for p.token.kind == awkName || p.token.is(",") || p.token.kind == awkNewline {
		if p.token.kind == awkName {
			params = append(params, p.token.text)
			p.locals[p.token.text] = true
		}
		p.next()
	}
	p.params[p.function] = params
	p.accept(")")
}

// directive skips @include and @load; "@f(x)" is a call.
func (p *awkParser) directive() {
	ahead := p.lexer
	if name := ahead.next(); name.kind == awkFunction {
		p.expr(false)
		return
	}
	for p.token.kind != awkNewline && p.token.kind != awkEnd {
		p.next()
	}
}

// condition reads the parentheses behind if, while and for. A statement follows.
func (p *awkParser) condition() {
	loop := p.token.is("for")
	p.next()
	if !p.accept("(") {
		return
	}
	for p.token.kind != awkEnd && !p.token.is(")") {
		switch {
		case p.begins():
			at := p.token.start
			e := p.expr(false)
			if loop && e.op == awkOther && p.ended > at {
				p.forget(e) // for (x in y)
			}
		default:
			p.next()
		}
	}
	p.accept(")")
}

// forget notes that the variable of "x in y" may be anything.
func (p *awkParser) forget(e *awkExpr) {
	if len(e.parts) == 2 && e.text == "in" && e.parts[0].op == awkVariable {
		p.assign(e.parts[0], nil)
	}
}

// assign notes that target may get the value; nil for one that isn't known.
func (p *awkParser) assign(target, value *awkExpr) {
	if target.op == awkVariable || target.op == awkElement {
		name := target.text
		if target.op == awkElement {
			name += "[]"
		}
		p.assigned[name] = append(p.assigned[name], value)
	}
}

// print reads a print or printf with where it goes to.
func (p *awkParser) print() {
	output := &awkOutput{name: p.token.text, format: p.token.is("printf"), newline: p.token.is("print"), line: p.token.line}
	p.next()
	for p.begins() {
		e := p.expr(true)
		if e.op == awkGroup {
			output.printed = append(output.printed, e.parts...)
		} else {
			output.printed = append(output.printed, e)
		}
		if !p.accept(",") {
			break
		}
		p.newlines()
	}
	operator := p.token.text
	switch {
	case p.token.kind != awkOperator:
		p.prints = append(p.prints, output)
		return
	case operator == "|" || operator == "|&":
		output.kind = Shell
	case operator == ">":
		output.kind = Write
	case operator == ">>":
		output.kind = Append
	default:
		p.prints = append(p.prints, output)
		return
	}
	output.name += " " + operator
	p.next()
	if p.begins() {
		output.what = p.concat(true)
		p.outputs = append(p.outputs, output)
	}
}
