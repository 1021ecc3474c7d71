package script

import (
	"strings"
	"sync"
)

// pyOp is the kind of a pyExpr.
type pyOp uint8

const (
	pyOther     pyOp = iota // of which only the parts are of interest; text "if" for the condition of a choice
	pyVariable              // text
	pyText                  // text
	pyFormat                // an f-string: parts
	pyNumeral               // text
	pyAttribute             // parts[0].text
	pyCall                  // parts[0](parts[1:]), with names for the arguments
	pyIndex                 // parts[0][parts[1]]
	pySlice                 // parts[0][text]
	pyBinary                // parts[0] text parts[1]
	pyList                  // [parts], (parts,) or {parts}
	pyDict                  // {parts[0]: parts[1], ...}
	pyEach                  // a comprehension: parts[0] for clauses
	pyLambda                // parts[0] with function's parameters
	pyChoice                // any of parts
	pyWalrus                // (parts[0] := parts[1])
	pyStarred               // *parts[0], or **parts[0] with text "**"
)

// pyExpr is an expression.
type pyExpr struct {
	op      pyOp
	text    string
	parts   []*pyExpr
	source  string // as it is written
	line    int
	dynamic bool // of a text: has an escape that isn't understood
	*pyDetails
}

// pyDetails are what only some expressions have.
type pyDetails struct {
	names   []string // of the arguments of a call, "" for those without, "*" and "**"
	clauses []pyClause
	params  []pyParam
}

// pyClause is "for targets in iterated if conditions".
type pyClause struct {
	target, iterated *pyExpr
	conditions       []*pyExpr
}

// pyParam is a parameter of a function; star is "*" or "**" of one that takes
// all that is left.
type pyParam struct {
	name, star string
	value      *pyExpr
}

const (
	pyMaxDepth = 100  // of nesting
	pyMaxChain = 1000 // of "a.b.c" and "a or b or c"
)

// pyParser reads statements and expressions. It never gives up: what isn't
// valid is skipped, so that what is understood around it is still found.
type pyParser struct {
	lexer   pyLexer
	token   pyToken
	last    int // where the last token ended
	depth   int
	nodes   int // expressions and statements so far
	breaks  int // break and continue so far
	complex bool
}

func newPyParser(source string, line, depth int) *pyParser {
	p := &pyParser{lexer: pyLexer{source: source, line: line}, depth: depth}
	p.next()
	return p
}

func (p *pyParser) next() {
	p.last = p.token.end
	if p.complex {
		p.token = pyToken{line: p.token.line, end: p.token.end}
		return
	}
	p.token = p.lexer.next()
}

// stop ends the program here.
func (p *pyParser) stop() {
	p.complex = true
	p.next()
}

func (p *pyParser) accept(text string) bool {
	if p.token.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *pyParser) node(op pyOp, start, line int, parts ...*pyExpr) *pyExpr {
	p.nodes++
	e := &pyExpr{op: op, parts: parts, line: line}
	if start <= p.last && p.last <= len(p.lexer.source) {
		e.source = p.lexer.source[start:p.last]
	}
	return e
}

// pyWords are the names that aren't variables.
var pyWords = wordSet("and or not in is if else for async await lambda from import as def class return yield while with try except finally raise del pass break continue global nonlocal assert elif")

// wordSet is the set of some words, made when it is first asked for.
func wordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			set[word] = true
		}
		return set
	})
}

// tuple reads expressions with commas between them, and what ends nothing.
func (p *pyParser) tuple() *pyExpr {
	start, line := p.token.start, p.token.line
	first := p.expr()
	if !p.token.is(",") {
		return first
	}
	parts := []*pyExpr{first}
	for p.accept(",") {
		if !p.begins() {
			break
		}
		parts = append(parts, p.expr())
	}
	return p.node(pyList, start, line, parts...)
}

// begins reports whether an expression may begin here.
func (p *pyParser) begins() bool {
	switch t := &p.token; t.kind {
	case pyString, pyNumeric:
		return true
	case pyName:
		return !pyWords()[t.text] || t.text == "not" || t.text == "lambda" || t.text == "await" || t.text == "yield"
	case pyOperator:
		return strings.Contains("( [ { - + ~ * ** ...", t.text)
	}
	return false
}

// expr reads one expression.
func (p *pyParser) expr() *pyExpr {
	start, line := p.token.start, p.token.line
	if p.depth++; p.depth > pyMaxDepth {
		p.stop()
	}
	defer func() { p.depth-- }()
	switch {
	case p.token.is("lambda"):
		p.next()
		params := p.params(":")
		p.accept(":")
		body := p.expr()
		e := p.node(pyLambda, start, line, body)
		e.pyDetails = &pyDetails{params: params}
		return e
	case p.token.is("*"), p.token.is("**"):
		star := p.token.text
		p.next()
		e := p.node(pyStarred, start, line, p.expr())
		e.text = star
		return e
	case p.accept("yield"):
		p.accept("from")
		if p.begins() {
			return p.node(pyOther, start, line, p.tuple())
		}
		return p.node(pyOther, start, line)
	}
	e := p.binary(0)
	switch {
	case p.accept("if"):
		condition := p.binary(0)
		parts := []*pyExpr{e}
		if p.accept("else") {
			parts = append(parts, p.expr())
		}
		test := p.node(pyOther, start, line, condition)
		test.text = "if"
		e = p.node(pyChoice, start, line, append(parts, test)...)
	case p.accept(":="):
		value := p.expr()
		e = p.node(pyWalrus, start, line, e, value)
	}
	return e
}

// pyBinding says how tightly operators bind.
var pyBinding = sync.OnceValue(func() map[string]int {
	return map[string]int{
		"or": 1, "and": 2,
		"in": 4, "is": 4, "<": 4, ">": 4, "<=": 4, ">=": 4, "==": 4, "!=": 4, "<>": 4,
		"|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8,
		"+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10, "@": 10, "**": 12,
	}
})

// binary reads operators that bind more tightly than least, with their
// operands.
func (p *pyParser) binary(least int) *pyExpr {
	start, line := p.token.start, p.token.line
	left := p.unary()
	for chain := 0; ; chain++ {
		operator := p.token.text
		binding := 0
		if p.token.kind == pyOperator || p.token.kind == pyName {
			binding = pyBinding()[operator]
		}
		if operator == "not" && p.token.kind == pyName {
			binding = pyBinding()["in"]
		}
		if binding == 0 || binding <= least {
			return left
		}
		if chain > pyMaxChain && operator != "+" {
			p.stop()
			return left
		}
		p.next()
		for p.token.is("in") || p.token.is("not") && operator == "is" {
			p.next()
		}
		right := p.binary(binding)
		switch operator {
		case "or":
			left = p.node(pyChoice, start, line, left, right)
		default:
			left = p.node(pyBinary, start, line, left, right)
			left.text = operator
		}
	}
}

// unary reads an operand with the signs before it and what follows it.
func (p *pyParser) unary() *pyExpr {
	start, line := p.token.start, p.token.line
	switch {
	case p.token.is("not"), p.token.is("-"), p.token.is("+"), p.token.is("~"):
		operator := p.token.text
		p.next()
		if p.depth++; p.depth > pyMaxDepth {
			p.stop()
		}
		operand := p.binary(map[bool]int{true: 3, false: 11}[operator == "not"])
		p.depth--
		if e := p.node(pyOther, start, line, operand); operator != "-" || operand.op != pyNumeral {
			return e
		}
		e := p.node(pyNumeral, start, line)
		e.text = "-" + operand.text
		return e
	case p.accept("await"):
	}
	e := p.atom()
	for chain := 0; ; chain++ {
		if chain > pyMaxChain {
			p.stop()
		}
		switch {
		case p.accept("."):
			name := p.token.text
			if p.token.kind != pyName {
				return e
			}
			p.next()
			e = p.node(pyAttribute, start, line, e)
			e.text = name
		case p.token.is("("):
			e = p.call(e, start, line)
		case p.token.is("["):
			e = p.subscript(e, start, line)
		default:
			return e
		}
	}
}
