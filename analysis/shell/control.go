package shell

import (
	"slices"
	"strings"

	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// compound walks what a command other than a simple one runs.
func (w *walker) compound(command syntax.Command, s *scope) {
	inside := func(context string) *scope {
		inner := *s
		inner.context = context
		inner.flow = s.flow.inner(nil)
		inner.flow.repeats = context == "loop"
		if context == "branch" || context == "loop" {
			inner.uncertain++
		}
		inner.status.hidden = inner.status.hidden || context != "subshell"
		return &inner
	}
	switch c := command.(type) {
	case *syntax.Block:
		w.stmts(c.Stmts, s)
	case *syntax.Subshell:
		w.subshell(func() { w.stmts(c.Stmts, inside("subshell")) })
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			w.eachChoice(func() { w.capturing(func() { w.pipeline(c, s) }) })
		} else {
			w.list(c, s)
		}
	case *syntax.IfClause:
		w.branches(c, inside("branch"))
	case *syntax.CaseClause:
		w.cases(c, s, inside("branch"))
	case *syntax.WhileClause:
		w.while(c, inside("loop"))
	case *syntax.ForClause:
		w.forLoop(c, s, inside("loop"))
	case *syntax.FuncDecl:
		w.defineFunction(c, s)
	case *syntax.TimeClause:
		at := s.place(c.Time)
		timed := &Command{Name: "time", Path: "time", Line: at.line, Column: at.column}
		if w.add(timed, s) {
			inner := s.through("time")
			inner.parent = timed
			if c.Stmt != nil {
				if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 1 && len(call.Assigns) == 0 && call.Args[0].Lit() == "--" {
					behind, stmt := *call, *c.Stmt
					behind.Args, stmt.Cmd = call.Args[1:], &behind
					w.stmt(&stmt, &inner)
					return
				}
			}
			w.stmt(c.Stmt, &inner)
		}
	case *syntax.CoprocClause:
		inner := inside("background")
		unknown := unknowable(sourceOf(s.source, c), s.place(c.Pos()))
		inner.input = &unknown // what is going to be written to it
		inner.forks++
		out := &capture{}
		inner.out = out
		w.inBackground(s, func() { w.subshell(func() { w.stmt(c.Stmt, inner) }) })
		w.connect(c.Name, out.value(inner.at))
	case *syntax.ArithmCmd:
		w.number(c.X, s)
	case *syntax.TestClause:
		w.test(c.X, s)
	}
}

// connect puts the descriptors of a coprocess into its array: what it writes can be read from the first.
func (w *walker) connect(name *syntax.Word, output argument) {
	array := "COPROC"
	if name != nil {
		array = name.Lit()
	}
	if !syntax.ValidName(array) {
		return
	}
	w.descriptors += 2
	read, write := 8+w.descriptors, 9+w.descriptors
	p := &w.shells[len(w.shells)-1]
	if p.input == nil {
		p.input, p.out, p.files = map[int]*argument{}, map[int]Redirect{}, map[int]*Command{}
	}
	p.input[read], w.descriptorsChanged = &output, true
	w.assign(array, &binding{list: []argument{literal(strconv.Itoa(read), output.at), literal(strconv.Itoa(write), output.at)}, isList: true})
}

// subshell walks what can't change the shell that it's in.
func (w *walker) subshell(run func()) {
	mark := w.env.mark()
	w.shells = append(w.shells, shellProcess{})
	run()
	w.exit()
	w.env.rollback(mark)
}

// flatten returns the commands that b joins, first to last, with the operators
// between them. The parser nests these to the left, as deep as they are long.
func flatten(b *syntax.BinaryCmd) (first *syntax.Stmt, rest []*syntax.BinaryCmd) {
	piped := func(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }
	rest = []*syntax.BinaryCmd{b} // last first
	for {
		left, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(b.X.Redirs) > 0 || b.X.Background || b.X.Negated || piped(left.Op) != piped(b.Op) {
			return b.X, rest
		}
		b = left
		rest = append(rest, b)
	}
}

// list walks commands joined by && and ||.
func (w *walker) list(b *syntax.BinaryCmd, outer *scope) {
	first, rest := flatten(b)
	s := *outer
	chain := outer.flow // of what is joined by && so far
	begin := w.env.mark()
	var failed []branch // how it may stand where the list has failed so far
	var stayed []branch // and where a cd has, which is only thought of behind ||
	run := func(stmt *syntax.Stmt, s *scope) {
		before := w.env.changesSince(begin)
		w.stmt(stmt, s)
		switch {
		case isCd(stmt):
			stayed = append(stayed, before)
		case !succeeds(stmt):
			failed = append(failed, w.env.changesSince(begin))
		}
	}
	head, following := *outer, laterElements(rest)
	head.status = outer.status.ofElement(rest, len(rest), following)
	run(first, &head)
	holds, known := constant(first) // whether what is left of the next element does
	for i := len(rest) - 1; i >= 0; i-- {
		if w.line.TooComplex {
			return
		}
		s.status = outer.status.ofElement(rest, i, following)
		left, leftKnown := holds, known
		holds, known = constantList(left, leftKnown, rest[i])
		if rest[i].Op == syntax.AndStmt {
			s.context = "and"
			if !succeeds(rest[i].X) {
				s.uncertain++
			}
			chain = chain.behind(w.outcome(leftOf(rest, i, first), true))
			s.flow = chain
			if leftKnown && !left {
				s.unreached = true
			}
			run(rest[i].Y, &s)
			continue
		}
		s.context = "or"
		s.uncertain++
		chain = outer.flow
		s.flow = chain.behind(w.outcome(leftOf(rest, i, first), false))
		if leftKnown && left {
			s.unreached = true
		}
		done := w.env.takeBack(begin)
		if failed = append(failed, stayed...); len(failed) > 0 {
			w.env.join(distinct(failed)...)
		} else {
			w.env.apply(done)
		}
		failed, stayed = nil, nil
		w.stmt(rest[i].Y, &s)
		other := w.env.takeBack(begin)
		if !succeeds(rest[i].Y) {
			failed = []branch{other}
		}
		w.env.join(distinct([]branch{done, other})...)
	}
	if len(failed) > 0 {
		w.env.join(distinct(append(failed, w.env.takeBack(begin)))...)
	}
}

// distinct drops branches that change nothing but the last ones.
func distinct(branches []branch) []branch {
	kept := branches[:0]
	for i, b := range branches {
		if i > 0 && len(b) == 0 && len(kept) > 0 && len(kept[len(kept)-1]) == 0 {
			continue
		}
		kept = append(kept, b)
	}
	return kept
}

// isCd reports whether a statement only changes the folder.
func isCd(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "cd", "pushd":
		return true
	}
	return false
}

// succeeds reports whether what follows a statement behind && can be taken to
// run, because lines aren't written to fail here.
func succeeds(stmt *syntax.Stmt) bool {
	if stmt.Negated {
		return false
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return true
		}
		switch c.Args[0].Lit() {
		case "cd", "pushd", "popd", "mkdir", "echo", "printf", "true", ":", "set", "shopt", "alias", "export", "touch", "sleep":
			return true
		case "rm":
			return slices.ContainsFunc(c.Args[1:], func(word *syntax.Word) bool {
				option := word.Lit()
				return option == "--force" || strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.Contains(option, "f")
			})
		case "git":
			return len(c.Args) > 1 && c.Args[1].Lit() == "init"
		}
	case *syntax.DeclClause, *syntax.FuncDecl:
		return true
	}
	return false
}

// pipeline walks commands joined by |.
func (w *walker) pipeline(b *syntax.BinaryCmd, s *scope) {
	first, rest := flatten(b)
	w.pipes++
	number := w.pipes
	all := func(i int) bool { return i >= 0 && rest[i].Op == syntax.PipeAll }
	input := w.stage(first, number, s.input, false, all(len(rest)-1), s)
	for i := len(rest) - 1; i >= 0 && !w.line.TooComplex; i-- {
		input = w.stage(rest[i].Y, number, input, i == 0, all(i-1), s)
	}
}

// stage walks a stage of the pipeline of that number, and returns what it writes for the next one; all is for "|&" behind it.
func (w *walker) stage(stmt *syntax.Stmt, number int, input *argument, last, all bool, s *scope) *argument {
	inner := *s
	inner.pipe, inner.context, inner.input = number, "pipe", input
	inner.forks++
	if input != s.input {
		inner.reading = nil
	}
	if _, simple := stmt.Cmd.(*syntax.CallExpr); !simple {
		inner.flow = s.flow.inner(nil) // it may leave the stage early
	}
	if !last {
		inner.status.hidden = inner.status.hidden || !inner.status.pipefail
		inner.out = &capture{}
		if all {
			inner.writes(2, inner.out)
		}
	}
	if !w.spend(compoundCost) {
		return nil
	}
	w.subshell(func() { w.stmt(stmt, &inner) })
	if last {
		return nil
	}
	read := inner.out.value(s.place(stmt.Pos()))
	return &read
}

func (w *walker) branches(c *syntax.IfClause, s *scope) {
	var ends []branch
	begin := w.env.mark()
	whole := false
	without := flow{} // what is known where the condition before doesn't hold
	for ; c != nil; c = c.Else {
		if c.Cond == nil {
			whole = true // an else
		}
		w.stmts(c.Cond, s)
		mark := w.env.mark()
		conditions := w.env.changesSince(begin)
		then := *s
		then.flow = s.flow.behind(without)
		if len(c.Cond) > 0 {
			condition := c.Cond[len(c.Cond)-1]
			then.flow, without = s.flow.behind(w.outcome(condition, true)), w.outcome(condition, false)
		}
		if len(c.Cond) == 1 {
			holds, known := constant(c.Cond[0])
			then.unreached = then.unreached || known && !holds
		}
		w.stmts(c.Then, &then)
		ends = append(ends, w.env.changesSince(begin))
		w.env.rollback(mark)
		if !whole && c.Else == nil {
			ends = append(ends, conditions)
		}
	}
	w.env.rollback(begin)
	w.env.join(distinct(ends)...)
}

func (w *walker) cases(c *syntax.CaseClause, outer, s *scope) {
	w.value(c.Word, outer)
	begin := w.env.mark()
	var ends []branch
	whole := false
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			whole = whole || pattern.Lit() == "*"
			w.value(pattern, outer)
		}
		inner := *s
		inner.flow = s.flow.inner(nil)
		w.stmts(item.Stmts, &inner)
		if item.Op != syntax.Fallthrough {
			ends = append(ends, w.env.changesSince(begin))
		}
		end := w.env.takeBack(begin)
		if item.Op != syntax.Break { // it may go on with the next one, which others may begin with
			w.env.join(nil, end)
		}
	}
	if w.env.mark() > begin {
		ends = append(ends, w.env.takeBack(begin))
	}
	if !whole {
		ends = append(ends, nil)
	}
	if len(ends) > 0 {
		w.env.join(distinct(ends)...)
	}
}

// test walks the words of [[ ]].
func (w *walker) test(x syntax.TestExpr, s *scope) {
	switch x := x.(type) {
	case *syntax.Word:
		w.value(x, s)
	case *syntax.UnaryTest:
		if word, ok := x.X.(*syntax.Word); ok {
			value := w.value(word, s)
			if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
				w.subscripted(value, s)
			} else {
				w.noteFileTest(x, value, s)
			}
			return
		}
		w.test(x.X, s)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.comparedOperand(x.X, s)
			w.comparedOperand(x.Y, s)
			return
		}
		w.test(x.X, s)
		w.test(x.Y, s)
	case *syntax.ParenTest:
		w.test(x.X, s)
	}
}

// comparedOperand walks an operand of -eq and the like in [[ ]], an expression.
func (w *walker) comparedOperand(x syntax.TestExpr, s *scope) {
	if word, ok := x.(*syntax.Word); ok {
		w.number(word, s)
		return
	}
	w.test(x, s)
}
