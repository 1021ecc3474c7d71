package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// compound walks what a command other than a simple one runs.
func (w *walker) compound(command syntax.Command, s *scope) {
	inside := func(context string) *scope {
		inner := *s
		inner.context = context
		if context == "branch" || context == "loop" {
			inner.maybes++
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
			w.each(func() { w.capturing(func() { w.pipeline(c, s) }) })
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
		w.define(c, s)
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
		unknown := unknowable(slice(s.source, c), s.place(c.Pos()))
		inner.input = &unknown // what is going to be written to it
		inner.forks++
		w.behind(func() { w.subshell(func() { w.stmt(c.Stmt, inner) }) })
	case *syntax.ArithmCmd:
		w.number(c.X, s)
	case *syntax.TestClause:
		w.test(c.X, s)
	}
}

// subshell walks what can't change the shell that it's in.
func (w *walker) subshell(run func()) {
	mark := w.env.mark()
	w.shells = append(w.shells, process{})
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
	begin := w.env.mark()
	var failed []branch // how it may stand where the list has failed so far
	var stayed []branch // and where a cd has, which is only thought of behind ||
	run := func(stmt *syntax.Stmt, s *scope) {
		before := w.env.look(begin)
		w.stmt(stmt, s)
		switch {
		case isCd(stmt):
			stayed = append(stayed, before)
		case !succeeds(stmt):
			failed = append(failed, w.env.look(begin))
		}
	}
	head := *outer
	head.status = outer.status.ofElement(rest, len(rest))
	run(first, &head)
	for i := len(rest) - 1; i >= 0; i-- {
		if w.line.TooComplex {
			return
		}
		s.status = outer.status.ofElement(rest, i)
		if rest[i].Op == syntax.AndStmt {
			s.context = "and"
			if !succeeds(rest[i].X) {
				s.maybes++
			}
			run(rest[i].Y, &s)
			continue
		}
		s.context = "or"
		s.maybes++
		done := w.env.take(begin)
		if failed = append(failed, stayed...); len(failed) > 0 {
			w.env.join(distinct(failed)...)
		} else {
			w.env.apply(done)
		}
		failed, stayed = nil, nil
		w.stmt(rest[i].Y, &s)
		other := w.env.take(begin)
		if !succeeds(rest[i].Y) {
			failed = []branch{other}
		}
		w.env.join(distinct([]branch{done, other})...)
	}
	if len(failed) > 0 {
		w.env.join(distinct(append(failed, w.env.take(begin)))...)
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
	input, number := s.input, w.pipes
	stage := func(stmt *syntax.Stmt, last, all bool) {
		inner := *s
		inner.pipe, inner.context, inner.input = number, "pipe", input
		inner.forks++
		if !last {
			inner.status.hidden = inner.status.hidden || !inner.status.pipefail
			inner.out = &capture{}
			if all {
				inner.writes(2, inner.out)
			}
		}
		if !w.spend(compoundCost) {
			return
		}
		w.subshell(func() { w.stmt(stmt, &inner) })
		if !last {
			read := inner.out.value(s.place(stmt.Pos()))
			input = &read
		}
	}
	all := func(i int) bool { return i >= 0 && rest[i].Op == syntax.PipeAll }
	stage(first, false, all(len(rest)-1))
	for i := len(rest) - 1; i >= 0; i-- {
		if w.line.TooComplex {
			return
		}
		stage(rest[i].Y, i == 0, all(i-1))
	}
}

func (w *walker) branches(c *syntax.IfClause, s *scope) {
	var ends []branch
	begin := w.env.mark()
	whole := false
	for ; c != nil; c = c.Else {
		if c.Cond == nil {
			whole = true // an else
		}
		w.stmts(c.Cond, s)
		mark := w.env.mark()
		conditions := w.env.look(begin)
		w.stmts(c.Then, s)
		ends = append(ends, w.env.look(begin))
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
		w.stmts(item.Stmts, s)
		if item.Op != syntax.Fallthrough {
			ends = append(ends, w.env.look(begin))
		}
		end := w.env.take(begin)
		if item.Op != syntax.Break { // it may go on with the next one, which others may begin with
			w.env.join(nil, end)
		}
	}
	if w.env.mark() > begin {
		ends = append(ends, w.env.take(begin))
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
		if word, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) {
			w.subscripted(w.value(word, s), s)
			return
		}
		w.test(x.X, s)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.compared(x.X, s)
			w.compared(x.Y, s)
			return
		}
		w.test(x.X, s)
		w.test(x.Y, s)
	case *syntax.ParenTest:
		w.test(x.X, s)
	}
}

// compared walks an operand of -eq and the like in [[ ]], an expression.
func (w *walker) compared(x syntax.TestExpr, s *scope) {
	if word, ok := x.(*syntax.Word); ok {
		w.number(word, s)
		return
	}
	w.test(x, s)
}

// maxRounds is how many rounds of loops over known words are walked one by one
// in a line. Behind them, a loop is walked once, with a variable that isn't
// known.
const maxRounds = 256

// loop is one under way.
type loop struct {
	mark  int      // of the environment where it began
	exits []branch // what had changed at each break and continue
	read  reading  // what read has met on its input
}

// reading is how the last read of a loop's condition ended.
type reading int

const (
	nothingRead reading = iota
	lineRead
	endRead
)

// begin starts a loop, and end joins the ways out of it.
func (w *walker) begin() *loop {
	l := &loop{mark: w.env.mark()}
	w.loops = append(w.loops, l)
	return l
}

func (w *walker) end(l *loop) {
	w.loops = w.loops[:len(w.loops)-1]
	if len(l.exits) > 0 {
		w.env.join(append(l.exits, w.env.take(l.mark))...)
	}
}

// leave is break or continue.
func (w *walker) leave() {
	if len(w.loops) == 0 {
		return
	}
	for _, l := range w.loops { // break may name an outer one
		l.exit(w)
	}
	w.env.end()
}

// exit notes a way out of the loop.
func (l *loop) exit(w *walker) {
	l.exits = withExit(l.exits, w.env.look(l.mark))
}

// withExit adds a way out. Of those beyond maxItems only is kept which names
// they change.
func withExit(exits []branch, b branch) []branch {
	if len(exits) < maxItems {
		return append(exits, b)
	}
	last := slices.Clone(exits[maxItems-1])
	for _, c := range b {
		i := slices.IndexFunc(last, func(have change) bool { return have.name == c.name })
		if i < 0 {
			last = append(last, change{name: c.name})
		} else {
			last[i].items = nil
		}
	}
	exits[maxItems-1] = last
	return exits
}

func (w *walker) while(c *syntax.WhileClause, s *scope) {
	if isEndless(c) {
		inner := *s
		inner.maybes-- // it's reached for sure
		w.endless(func() { w.whileRounds(c, &inner) })
		return
	}
	w.whileRounds(c, s)
}

// whileRounds walks a while loop that may end.
func (w *walker) whileRounds(c *syntax.WhileClause, s *scope) {
	l := w.begin()
	defer w.end(l)
	before, start := w.env.mark(), w.position()
	var seen repeats
	w.stmts(c.Cond, s)
	if l.read != nothingRead && !s.input.Dynamic && w.eachLine(c, s, l, &seen, &start) {
		return
	}
	w.stmts(c.Do, s)
	seen.drop(w, start)
	changes := w.env.take(before).without(name{kind: ended})
	w.again(changes, func() {
		w.stmts(c.Cond, s)
		w.stmts(c.Do, s)
	}, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}

// again walks a loop's body for all rounds but the first, with what the first
// changed unknown.
func (w *walker) again(changes branch, body func(), seen *repeats) {
	changed := false
	for i := range changes {
		if c := &changes[i]; !w.settled(c.name, c.items) {
			changed = true
			c.items = nil
		}
	}
	if !changed {
		return
	}
	if !w.spend(roundCost) {
		return
	}
	mark, start := w.env.mark(), w.position()
	w.env.apply(changes)
	body()
	seen.drop(w, start)
	w.env.rollback(mark)
}

// settled reports whether a name stands for the same after a round as before.
func (w *walker) settled(n name, items []*binding) bool {
	before := w.env.get(n)
	if len(before) != len(items) || len(items) == 0 {
		return len(before) == len(items)
	}
	for i := range items {
		if !items[i].same(before[i]) {
			return false
		}
	}
	return true
}

// eachLine walks a loop such as while read x, once for each line of a known
// input. The condition has been walked, from start. It returns false for the
// first round that isn't known.
func (w *walker) eachLine(c *syntax.WhileClause, s *scope, l *loop, seen *repeats, start *position) bool {
	for l.read == lineRead {
		if w.rounds++; w.rounds > maxRounds || !w.spend(roundCost) {
			return false
		}
		if !onlyReads(c.Cond) { // it may end with any line
			l.exit(w)
		}
		w.stmts(c.Do, s)
		seen.drop(w, *start)
		if w.line.TooComplex {
			return true
		}
		*start, l.read = w.position(), nothingRead
		w.stmts(c.Cond, s)
	}
	return true
}

// onlyReads reports whether a condition is a simple command.
func onlyReads(condition []*syntax.Stmt) bool {
	if len(condition) != 1 || condition[0].Negated {
		return false
	}
	_, ok := condition[0].Cmd.(*syntax.CallExpr)
	return ok
}

func (w *walker) forLoop(c *syntax.ForClause, outer, s *scope) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		w.each(func() { w.forWords(c, l, outer, s) })
	case *syntax.CStyleLoop:
		w.number(l.Init, outer)
		w.number(l.Cond, outer)
		rounds := func(s *scope) { w.anyRound(c, s, func() {}, func() { w.number(l.Post, outer) }) }
		if value, ok := constantNumber(l.Cond); l.Cond == nil || ok && value {
			inner := *s
			inner.maybes--
			w.endless(func() { rounds(&inner) })
			return
		}
		rounds(s)
	}
}

func (w *walker) forWords(c *syntax.ForClause, l *syntax.WordIter, outer, s *scope) {
	var words []argument
	known := true
	if l.InPos.IsValid() {
		words = w.words(l.Items, outer)
	} else {
		words, known = w.all("@")
	}
	if !known || len(words) == 0 || c.Select || w.rounds+len(words) > maxRounds {
		w.anyRound(c, s, func() { w.assign(l.Name.Value, nil) }, func() {})
		return
	}
	w.rounds += len(words)
	under := w.begin()
	defer w.end(under)
	var seen repeats
	for _, word := range words {
		if !w.spend(roundCost) {
			return
		}
		start := w.position()
		if word.Glob { // it stands for the files that it matches
			word = word.marked(word.Text)
			if i := strings.IndexAny(word.Text, "*?["); i >= 0 {
				word.lead = word.Text[:i]
			}
		}
		w.assign(l.Name.Value, &binding{word: word})
		w.env.set(name{kind: ended})
		w.stmts(c.Do, s)
		seen.drop(w, start)
		if w.line.TooComplex {
			return
		}
	}
}

// anyRound walks a loop of which the rounds aren't known.
func (w *walker) anyRound(c *syntax.ForClause, s *scope, before, after func()) {
	l := w.begin()
	defer w.end(l)
	var seen repeats
	mark, start := w.env.mark(), w.position()
	round := func() {
		before()
		w.stmts(c.Do, s)
		after()
	}
	round()
	seen.drop(w, start)
	changes := w.env.take(mark).without(name{kind: ended})
	w.again(changes, round, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}
