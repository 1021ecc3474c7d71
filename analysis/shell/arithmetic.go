package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithmetic returns what $((...)) stands for.
func (w *walker) arithmetic(x *syntax.ArithmExp, s *scope) argument {
	at := s.place(x.Pos())
	if !s.isExpanded(x) {
		if n, ok := w.number(x.X, s); ok {
			return literal(strconv.FormatInt(n, 10), at)
		}
	}
	return unknowable(sourceOf(s.source, x), at)
}

// number evaluates an expression. What it assigns is known or forgotten
// afterwards; commands in it are reported.
func (w *walker) number(x syntax.ArithmExpr, s *scope) (int64, bool) {
	if !w.spend(8) {
		return 0, false
	}
	switch x := x.(type) {
	case nil:
		return 0, false
	case *syntax.ParenArithm:
		return w.number(x.X, s)
	case *syntax.FlagsArithm: // of zsh
		w.number(x.X, s)
		return 0, false
	case *syntax.Word:
		return w.operandNumber(x, s)
	case *syntax.UnaryArithm:
		return w.unary(x, s)
	case *syntax.BinaryArithm:
		return w.binary(x, s)
	}
	return 0, false
}

// evaluate reads text as an expression of constants.
func (w *walker) evaluate(text string) (int64, bool) {
	if n, ok := integer(text); ok {
		return n, true
	}
	if len(text) > 100 || strings.ContainsAny(text, "$`\"'\\") || !w.spend(nestedText+textCost*len(text)) {
		return 0, false
	}
	x, err := syntax.NewParser().Arithmetic(strings.NewReader(text))
	if err != nil {
		return 0, false
	}
	return w.number(x, &scope{source: text})
}

func (w *walker) operandNumber(x *syntax.Word, s *scope) (int64, bool) {
	text := x.Lit()
	if text == "" {
		v := w.value(x, s)
		if v.Dynamic {
			return 0, false
		}
		w.reexpand(v, "$(())", *s)
		if text = v.Text; !syntax.ValidName(text) {
			return w.evaluate(text) // let "a=b"
		}
	}
	for range 4 { // a variable's value is an expression again
		if n, ok := integer(text); ok || !syntax.ValidName(text) {
			return n, ok
		}
		v := w.lookup(text, nil, s)
		if v == nil || v.Dynamic {
			return 0, false
		}
		if strings.ContainsAny(v.Text, "$`") { // it's expanded once more
			w.reexpand(*v, "$(())", *s)
			return 0, false
		}
		text = strings.TrimSpace(v.Text)
	}
	return 0, false
}

// integer reads a number as a shell does: 0x and 0 for other bases.
func integer(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	if strings.ContainsAny(text, "_") || len(text) > 1 && text[0] == '0' && strings.ContainsAny(text[1:2], "oObB") {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 0, 64)
	return n, err == nil
}

func (w *walker) unary(x *syntax.UnaryArithm, s *scope) (int64, bool) {
	n, ok := w.number(x.X, s)
	switch x.Op {
	case syntax.Inc, syntax.Dec:
		changed := n + 1
		if x.Op == syntax.Dec {
			changed = n - 1
		}
		w.assignNumber(x.X, changed, ok, s)
		if !x.Post {
			n = changed
		}
		return n, ok
	case syntax.Minus:
		return -n, ok
	case syntax.Plus:
		return n, ok
	case syntax.BitNegation:
		return ^n, ok
	case syntax.Not:
		return truth(n == 0), ok
	}
	return 0, false
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// binary evaluates an expression with two sides. Both sides of ?: are walked, and its
// value counts as unknown.
func (w *walker) binary(x *syntax.BinaryArithm, s *scope) (int64, bool) {
	if x.Op == syntax.Assgn {
		n, ok := w.number(x.Y, s)
		w.assignNumber(x.X, n, ok, s)
		return n, ok
	}
	a, ok := w.number(x.X, s)
	b, ok2 := w.number(x.Y, s)
	op := x.Op
	switch op {
	case syntax.Comma:
		return b, ok2
	case syntax.AddAssgn:
		op = syntax.Add
	case syntax.SubAssgn:
		op = syntax.Sub
	case syntax.MulAssgn:
		op = syntax.Mul
	}
	n, ok3 := compute(op, a, b)
	ok = ok && ok2 && ok3
	if strings.HasSuffix(x.Op.String(), "=") && !isComparison(x.Op) {
		w.assignNumber(x.X, n, ok, s)
	}
	return n, ok
}

func isComparison(op syntax.BinAritOperator) bool {
	return op == syntax.Eql || op == syntax.Neq || op == syntax.Leq || op == syntax.Geq
}

func (w *walker) assignNumber(x syntax.ArithmExpr, n int64, ok bool, s *scope) {
	word, isWord := x.(*syntax.Word)
	if !isWord {
		return
	}
	text := word.Lit()
	if !syntax.ValidName(text) {
		w.number(x, s) // the subscript is an expression
		return
	}
	if !ok {
		w.assign(text, nil)
		return
	}
	w.assign(text, &binding{word: literal(strconv.FormatInt(n, 10), s.at)})
}

// compute returns a op b, for the common operators.
func compute(op syntax.BinAritOperator, a, b int64) (int64, bool) {
	holds := false
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo, syntax.Rem:
		if b == 0 || b == -1 {
			return 0, false
		}
		if op == syntax.Quo {
			return a / b, true
		}
		return a % b, true
	case syntax.AndArit:
		holds = a != 0 && b != 0
	case syntax.OrArit:
		holds = a != 0 || b != 0
	case syntax.Eql:
		holds = a == b
	case syntax.Neq:
		holds = a != b
	case syntax.Lss:
		holds = a < b
	case syntax.Gtr:
		holds = a > b
	case syntax.Leq:
		holds = a <= b
	case syntax.Geq:
		holds = a >= b
	default:
		return 0, false
	}
	return truth(holds), true
}

// reexpand walks the substitutions in text that a shell expands although it
// comes from a quoted word or a variable: in arithmetic, in the subscript of
// a name, and in prompts.
func (w *walker) reexpand(text argument, via string, s scope) {
	if !strings.ContainsAny(text.Text, "$`") || len(text.Text) > maxText || !w.spend(nestedText+textCost*len(text.Text)) {
		return
	}
	s = s.through(via)
	if s.depth > maxDepth {
		w.line.TooComplex = true
		return
	}
	s.assigned, s.redirects, s.external, s.input = nil, nil, false, nil
	s.source, s.at, s.nested, s.unknownSources = text.Text, text.at, true, text.dynamic
	// Read as a here-document, in which quotes mean nothing.
	if document := w.parseDocument(text.Text); document != nil {
		w.value(document, &s)
	}
}

// subscripted walks the subscript of a name that is given as a word.
func (w *walker) subscripted(text argument, s *scope) {
	name, _, _ := strings.Cut(text.Text, "=")
	if open := strings.IndexByte(name, '['); open > 0 && strings.ContainsAny(text.Text[open:], "$`") {
		w.reexpand(text, "[]", *s)
	}
}

// takesNames is about the builtins whose words are names, which may have subscripts.
func takesNames(builtin string) bool {
	switch builtin {
	case "read", "mapfile", "readarray", "unset", "getopts", "wait",
		"export", "declare", "typeset", "readonly", "local":
		return true
	}
	return false
}

// subscripts walks the subscripts in the arguments of a builtin.
func (w *walker) subscripts(builtin string, args []argument, s *scope) {
	switch builtin {
	case "printf", "test", "[", "compgen":
	default:
		if !takesNames(builtin) {
			return
		}
	}
	for i, arg := range args {
		before := ""
		if i > 0 {
			before = args[i-1].Text
		}
		named := before == "-v" && (builtin == "printf" || builtin == "test" || builtin == "[")
		if named || takesNames(builtin) {
			w.subscripted(arg, s)
		}
		if builtin == "compgen" && before == "-W" {
			w.reexpand(arg, "compgen -W", *s)
		}
	}
}

// isPrompt is about the variables whose value is expanded when it's written.
func isPrompt(name string) bool {
	switch name {
	case "PS0", "PS1", "PS2", "PS4", "ENV", "BASH_ENV":
		return true
	}
	return false
}
