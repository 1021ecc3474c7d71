package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
	"strconv"
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

// status is what becomes of the exit status of a statement, for [Command.Decides].
type status struct {
	hidden   bool // the line may succeed where it fails, or where it isn't run
	later    bool // statements follow, which decide unless errexit ends the line before
	errexit  bool // set -e
	pipefail bool // set -o pipefail
}

func (s status) decides() bool { return !s.hidden && (!s.later || s.errexit) }

// passesStatus is about the programs whose status is that of the command that they run, and
// that run it once and wait for it; by what [Command.Via] has for them.
func passesStatus(via string) bool {
	switch via {
	case "sudo", "doas", "gosu", "su-exec", "env", "command", "builtin", "exec", "noglob", "nocorrect",
		"nohup", "nice", "ionice", "chrt", "taskset", "timeout", "gtimeout", "time", "gtime", "stdbuf",
		"caffeinate", "chronic", "eatmydata", "xvfb-run", "dbus-run-session", "fakeroot", "setarch",
		"uv run", "poetry run", "pipenv run", "bundle exec", "npx", "python -m", "python3 -m",
		"bash -c", "sh -c", "zsh -c", "dash -c", "ksh -c", "ash -c", "eval":
		return true
	}
	return false
}

// through is the status of what is reached through a program, or a text in the line.
func (s status) through(via string) status {
	return status{hidden: !s.decides() || !passesStatus(via)}
}

// inList is the status of a statement of a list.
func (s status) inList(list []*syntax.Stmt, i int) status {
	if i < len(list)-1 {
		s.later = true
	}
	return s
}

// set takes in a statement that changes the shell's options for what follows.
func (s *status) set(stmt *syntax.Stmt) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "set" || stmt.Background || stmt.Negated {
		return
	}
	named := false // the word before was one with an o, whose name comes next
	on := true
	for _, arg := range call.Args[1:] {
		word := arg.Lit()
		switch {
		case named:
			named = false
			switch word {
			case "errexit":
				s.errexit = on
			case "pipefail":
				s.pipefail = on
			}
		case len(word) > 1 && (word[0] == '-' || word[0] == '+') && word != "--":
			on = word[0] == '-'
			for _, letter := range word[1:] {
				switch letter {
				case 'e':
					s.errexit = on
				case 'o':
					named = true
				}
			}
		default:
			return // positional parameters
		}
	}
}

// ofElement is the status of an element of a list of && and ||: of first where at is
// len(rest), else of the right side of rest[at]. rest is as from flatten, following as from
// laterElements.
func (s status) ofElement(rest []*syntax.BinaryCmd, at int, following []laterElement) status {
	if at < len(rest) && rest[at].Op == syntax.OrStmt {
		s.hidden = true // it may not be run
	}
	if at == 0 {
		return s
	}
	s.errexit = false // does nothing left of the last && or ||
	s.hidden = s.hidden || following[at].hides
	s.later = s.later && !following[at].givesUp
	return s
}

// laterElement is what becomes of the status of an element because of those behind it: one
// behind || hides it, unless all that does is give up.
type laterElement struct{ hides, givesUp bool }

// laterElements has, for each element of a list as in ofElement, what those behind it do.
func laterElements(rest []*syntax.BinaryCmd) []laterElement {
	following := make([]laterElement, len(rest)+1)
	for i, b := range rest {
		next := &following[i+1]
		switch *next = following[i]; {
		case b.Op != syntax.OrStmt:
		case onlyGivesUp(b.Y):
			next.givesUp = true // whatever follows isn't reached
		default:
			*next = laterElement{hides: true}
		}
	}
	return following
}

// onlyGivesUp reports whether a statement behind || only gives up: exit 1, or a block that
// ends with it.
func onlyGivesUp(stmt *syntax.Stmt) bool {
	if stmt.Background || stmt.Negated {
		return false
	}
	direct := true
	if block, ok := stmt.Cmd.(*syntax.Block); ok && len(block.Stmts) > 0 {
		direct = len(block.Stmts) == 1
		for _, s := range block.Stmts[:len(block.Stmts)-1] {
			if _, plain := s.Cmd.(*syntax.CallExpr); !plain || s.Background {
				return false
			}
		}
		stmt = block.Stmts[len(block.Stmts)-1]
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Background || stmt.Negated || len(call.Args) == 0 || call.Args[0].Lit() != "exit" {
		return false
	}
	if len(call.Args) == 1 {
		return direct
	}
	switch code := call.Args[1].Lit(); code {
	case "1", "2", "3", "4", "5", "125", "126", "127", "255":
		return len(call.Args) == 2
	}
	return false
}

// flow is a stretch of the line in which each command runs if the next one does. The
// stretches around it have run up to where it begins.
type flow struct {
	outer  *flow
	after  *Command // has succeeded where anything in here runs; nil: nothing is known of that kind
	failed *Command // has failed there

	missing []missingFile // that a test hasn't found where anything in here runs
	repeats bool          // it may run again and again for what is known in outer
}

// inner is a stretch that may be left out, or left early, for all that is known in f.
func (f *flow) inner(after *Command) *flow { return &flow{outer: f, after: after} }

// behind is a stretch in f of which that much is known.
func (f *flow) behind(known flow) *flow {
	known.outer = f
	return &known
}

// runsOnce reports whether a wrapper runs the one command that it is given, for sure; by
// what [Command.Via] has for it. What a shell is given may end early.
func runsOnce(via string) bool {
	return passesStatus(via) && !strings.HasSuffix(via, " -c") && via != "eval"
}

// mayRepeat reports whether what a wrapper, a function or a text is about may run more than once where it is reached.
func mayRepeat(via string) bool {
	return via != "eval" && !strings.HasSuffix(via, " -c") && !strings.HasSuffix(via, "()")
}

// lastOf returns the command that has succeeded where stmt, which was walked last, has.
func (w *walker) lastOf(stmt *syntax.Stmt) *Command {
	if stmt == nil || stmt.Negated || stmt.Background || len(w.line.Commands) == 0 {
		return nil
	}
	return w.line.Commands[len(w.line.Commands)-1]
}

// outcome is what is known where stmt, which was walked last, has succeeded, or else failed.
func (w *walker) outcome(stmt *syntax.Stmt, succeeded bool) flow {
	negated := stmt.Negated
	if negated {
		plain := *stmt
		plain.Negated = false
		stmt = &plain
	}
	last := w.lastOf(stmt)
	switch stmt.Cmd.(type) {
	case *syntax.TestClause:
		return w.outcomeBefore(stmt, succeeded != negated)
	case *syntax.ArithmCmd:
		return flow{} // no command
	}
	if succeeded != negated {
		return flow{after: last}
	}
	if _, simple := stmt.Cmd.(*syntax.CallExpr); !simple {
		return flow{} // it may be another part that has failed
	}
	return flow{failed: last}
}

// leftOf returns what stands left of rest[i]; rest is as from flatten.
func leftOf(rest []*syntax.BinaryCmd, i int, first *syntax.Stmt) *syntax.Stmt {
	if i+1 < len(rest) {
		return rest[i+1].Y
	}
	return first
}

// flowBehind is the stretch behind a statement of a list that s is the scope of: a new one
// where the statement is known to have succeeded there.
func (w *walker) flowBehind(stmt *syntax.Stmt, s *scope) *flow {
	if list, ok := stmt.Cmd.(*syntax.BinaryCmd); ok && list.Op == syntax.OrStmt && !stmt.Negated && !stmt.Background && onlyGivesUp(list.Y) {
		return s.flow.inner(w.beforeLast(list.X))
	}
	if s.status.errexit && !s.status.hidden {
		return s.flow.inner(w.lastOf(stmt))
	}
	if left := w.leftBy(stmt, s.flow); left != nil {
		return left
	}
	return s.flow
}

// beforeLast returns the command that has succeeded where stmt has, behind which some more
// was walked: stmt itself or the first of those that && joins; nil where it isn't found.
func (w *walker) beforeLast(stmt *syntax.Stmt) *Command {
	for {
		if stmt.Negated || stmt.Background {
			return nil
		}
		list, ok := stmt.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if list.Op != syntax.AndStmt {
			return nil
		}
		stmt = list.X
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	at := call.Args[0].Pos()
	for i := len(w.line.Commands) - 1; i >= 0; i-- {
		c := w.line.Commands[i]
		if uint(c.Line) == at.Line() && uint(c.Column) == at.Col() && len(c.Via) == 0 {
			return c
		}
		if uint(c.Line) < at.Line() {
			break
		}
	}
	return nil
}

// Earlier is a command that has run when another starts.
type Earlier struct {
	Command   *Command
	Succeeded bool // else it may have failed,
	Failed    bool // or has for sure
}

// Before returns the commands of the line that have run, or at least been started, when c
// starts, in their order: not those that only one of several branches runs, nor those in the background.
// Where the shell ends early, and where c is what a trap runs, that isn't known of
// any. It looks at no more than the last 1000 commands before c.
func (l *Line) Before(c *Command) []Earlier {
	end := slices.Index(l.Commands, c)
	if end < 0 || slices.Contains(c.Via, "trap") {
		return nil
	}
	begin := max(0, end-maxEarlier)
	around, succeeded, failed := map[*flow]bool{}, map[*Command]bool{}, map[*Command]bool{}
	for f := c.flow; len(around) <= maxEarlier; f = f.outer {
		around[f] = true
		if f == nil {
			break
		}
		if f.after != nil {
			succeeded[f.after] = true
		}
		if f.failed != nil {
			failed[f.failed] = true
		}
	}
	var list []Earlier
	for _, before := range l.Commands[begin:end] {
		if around[before.flow] && !before.isOneOf {
			list = append(list, Earlier{before, succeeded[before], failed[before]})
		}
	}
	return list
}

// maxEarlier bounds how far back [Line.Before] looks.
const maxEarlier = 1000
