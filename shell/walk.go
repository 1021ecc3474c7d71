package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of one line.
type walker struct {
	line  *Line
	work  int // what is left of maxWork
	pipes int // pipelines met so far
}

// scope is where a statement stands. It is passed by value, so that what a
// statement changes ends with it.
type scope struct {
	source  string // the text that the syntax tree's positions are in
	nested  bool   // source is not the text given to Parse, but stands at at
	at      place
	lines   *lineStart
	context string
	pipe    int
	via     []string
	depth   int // of wrappers and nested texts

	parent   *Command     // what runs the command
	remote   bool         // the command runs on another machine
	external bool         // the name is that of a program, not of a function, an alias or a builtin
	assigned []Assignment // what wrappers set for the command
	shared   []Redirect   // what wrappers redirected for the command
	input    *argument    // what is known to be on standard input; nil: nothing is
	mark     string       // what xargs or find replaces in the command; "" for nothing
	walked   []string     // sources of dynamic parts already looked into
}

// through returns the scope of what is reached from s through a wrapper.
func (s scope) through(via string) scope {
	s.via = append(s.via[:len(s.via):len(s.via)], via)
	s.depth++
	return s
}

func (s *scope) place(pos syntax.Pos) place {
	if s.nested || !pos.IsValid() {
		return s.at
	}
	at := place{int(pos.Line()), int(pos.Col())}
	if offset := int(pos.Offset()); at.column == 0 && offset <= len(s.source) {
		// The parser gives up on columns that don't fit its positions.
		at.column = 1 + offset - s.lines.before(s.source, offset)
	}
	return at
}

// spend takes n bytes from what may still be worked on.
func (w *walker) spend(n int) bool {
	if w.work -= n; w.work < 0 {
		w.line.TooComplex = true
	}
	return w.work >= 0
}

// add reports a command in s, unless there are too many.
func (w *walker) add(c *Command, s *scope) bool {
	if len(w.line.Commands) == maxCommands || s.depth > maxDepth {
		w.line.TooComplex = true
		return false
	}
	c.Context, c.Pipe, c.Via = s.context, s.pipe, s.via
	c.Parent, c.Remote = s.parent, s.remote
	w.line.Commands = append(w.line.Commands, c)
	return true
}

func (w *walker) stmts(list []*syntax.Stmt, s scope) {
	for _, stmt := range list {
		if len(w.line.Commands) == maxCommands {
			w.line.TooComplex = true
			return
		}
		w.stmt(stmt, s)
	}
}

func (w *walker) stmt(stmt *syntax.Stmt, s scope) {
	if stmt == nil {
		return
	}
	if stmt.Background || stmt.Coprocess || stmt.Disown {
		s.context = "background"
	}
	inner := s
	redirects := w.redirects(stmt.Redirs, &inner)
	switch command := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(command, redirects, inner)
	case *syntax.DeclClause:
		w.builtin(command.Variant, assignmentWords(command.Args, &s), redirects, inner)
	case *syntax.LetClause:
		var args []argument
		for _, expr := range command.Exprs {
			source := slice(s.source, expr)
			args = append(args, argument{Word: Word{Text: source, Dynamic: strings.Contains(source, "$")}, at: s.place(expr.Pos())})
		}
		w.builtin(&syntax.Lit{Value: "let", ValuePos: command.Let}, args, redirects, inner)
	default:
		if len(redirects) > 0 {
			at := s.place(stmt.Position)
			w.add(&Command{Redirects: redirects, Line: at.line, Column: at.column}, &s)
		}
		w.compound(command, inner)
	}
	switch stmt.Cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause:
		w.substitutions(stmt.Cmd, s)
	}
	for _, redirect := range stmt.Redirs {
		w.substitutions(redirect, s)
	}
}

// compound walks what a command other than a simple one runs.
func (w *walker) compound(command syntax.Command, s scope) {
	inside := func(context string) scope {
		s := s
		s.context = context
		return s
	}
	switch c := command.(type) {
	case *syntax.Block:
		w.stmts(c.Stmts, s)
	case *syntax.Subshell:
		w.stmts(c.Stmts, inside("subshell"))
	case *syntax.BinaryCmd:
		w.binary(c, s)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond, inside("branch"))
			w.stmts(c.Then, inside("branch"))
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond, inside("loop"))
		w.stmts(c.Do, inside("loop"))
	case *syntax.ForClause:
		w.substitutions(c.Loop, s)
		w.stmts(c.Do, inside("loop"))
	case *syntax.CaseClause:
		w.substitutions(c.Word, s)
		for _, item := range c.Items {
			for _, pattern := range item.Patterns {
				w.substitutions(pattern, s)
			}
			w.stmts(item.Stmts, inside("branch"))
		}
	case *syntax.FuncDecl:
		body := inside("function")
		body.pipe, body.input = 0, nil // those of the calls aren't known
		w.stmt(c.Body, body)
	case *syntax.TimeClause:
		at := s.place(c.Time)
		if w.add(&Command{Name: "time", Path: "time", Line: at.line, Column: at.column}, &s) {
			w.stmt(c.Stmt, s.through("time"))
		}
	case *syntax.CoprocClause:
		w.stmt(c.Stmt, inside("background"))
	case *syntax.TestClause, *syntax.ArithmCmd:
		w.substitutions(c, s)
	}
}

// binary walks a list joined by && and ||, or a pipeline. The parser nests
// these to the left, as deep as they are long, so this takes the left side in
// a loop.
func (w *walker) binary(b *syntax.BinaryCmd, s scope) {
	piped := func(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }
	right := []*syntax.BinaryCmd{b} // last first
	for {
		left, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(b.X.Redirs) > 0 || piped(left.Op) != piped(b.Op) {
			break
		}
		b = left
		right = append(right, b)
	}
	if !piped(b.Op) {
		w.stmt(b.X, s)
		for i := len(right) - 1; i >= 0; i-- {
			s.context = "and"
			if right[i].Op == syntax.OrStmt {
				s.context = "or"
			}
			w.stmt(right[i].Y, s)
		}
		return
	}
	w.pipes++
	s.pipe, s.context = w.pipes, "pipe"
	w.stmt(b.X, s)
	previous := b.X
	for i := len(right) - 1; i >= 0; i-- {
		input := w.output(previous, &s)
		s.input = &input
		w.stmt(right[i].Y, s)
		previous = right[i].Y
	}
}

// call reports a simple command with what it runs.
func (w *walker) call(call *syntax.CallExpr, redirects []Redirect, s scope) {
	assigned := assignments(call.Assigns, &s)
	words := w.words(call.Args, &s)
	if len(words) == 0 {
		if len(assigned)+len(redirects) > 0 {
			at := s.place(call.Pos())
			w.add(&Command{Assignments: assigned, Redirects: redirects, Line: at.line, Column: at.column}, &s)
		}
		return
	}
	s.assigned, s.shared = assigned, redirects
	w.run(words, s)
}

// builtin reports a command that the parser has syntax of its own for.
func (w *walker) builtin(name *syntax.Lit, args []argument, redirects []Redirect, s scope) {
	s.shared = redirects
	w.run(append([]argument{{Word: Word{Text: name.Value}, at: s.place(name.Pos())}}, args...), s)
}

// run reports the command made of words and what it runs in turn.
func (w *walker) run(words []argument, s scope) {
	// Behind a wrapper the same words are reported once more.
	if s.depth > 0 && !w.spend(nestedCost*len(words)) {
		return
	}
	c := newCommand(words)
	c.Assignments, c.Redirects = s.assigned, s.shared
	if w.add(c, &s) {
		w.unwrap(c, words, s)
	}
}

// substitutions walks the commands in the words below node.
func (w *walker) substitutions(node syntax.Node, s scope) {
	s.assigned, s.shared, s.input, s.pipe = nil, nil, nil, 0
	visit := func(via string, stmts []*syntax.Stmt) {
		inner := s.through(via)
		inner.depth-- // bounded by the parser, unlike wrappers
		inner.context = "substitution"
		w.stmts(stmts, inner)
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *syntax.CmdSubst:
			if !s.seen(n) {
				visit("$()", n.Stmts)
			}
			return false
		case *syntax.ProcSubst:
			if !s.seen(n) {
				visit(n.Op.String()+")", n.Stmts)
			}
			return false
		case *syntax.ParamExp:
			return !s.seen(n)
		case *syntax.ExtGlob:
			w.pattern(n.Pattern, s)
			return false
		}
		return true
	})
}

// seen reports whether node is a part of a text that is expanded before the
// text is read, so that it was met where the text stands.
func (s *scope) seen(node syntax.Node) bool {
	if len(s.walked) == 0 {
		return false
	}
	source := slice(s.source, node)
	for _, walked := range s.walked {
		if source == walked {
			return true
		}
	}
	return false
}

// pattern walks the substitutions in an extended glob, which the parser
// leaves as text.
func (w *walker) pattern(pattern *syntax.Lit, s scope) {
	if !strings.ContainsAny(pattern.Value, "$`") {
		return
	}
	if !w.spend(len(pattern.Value)) {
		return
	}
	s.at, s.nested = s.place(pattern.Pos()), true
	s.source = pattern.Value
	// Read as a here-document, in which quotes mean nothing, this finds
	// substitutions in single quotes too: better too many than too few.
	if document := w.document(pattern.Value); document != nil {
		w.substitutions(document, s)
	}
}

func (w *walker) redirects(list []*syntax.Redirect, s *scope) []Redirect {
	if len(list) == 0 {
		return nil
	}
	redirects := make([]Redirect, 0, len(list))
	for _, node := range list {
		target := word(node.Word, s)
		r := Redirect{Op: node.Op.String(), Fd: -1, Target: target.Word, Dynamic: target.Dynamic}
		if node.N != nil {
			if fd, err := strconv.Atoi(node.N.Value); err == nil {
				r.Fd = fd
			}
		}
		input := r.Fd <= 0
		switch node.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			body := hereDocument(node, s)
			r.Body, r.Dynamic = body.Text, body.Dynamic
			if input {
				s.input = &body
			}
		case syntax.WordHdoc:
			if input {
				s.input = &target
			}
		case syntax.RdrIn, syntax.DplIn, syntax.RdrInOut:
			if input {
				s.input = nil
			}
		}
		redirects = append(redirects, r)
	}
	return redirects
}
