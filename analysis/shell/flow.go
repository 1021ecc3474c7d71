package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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

// maxEarlier bounds how far back [Line.Before] looks.
const maxEarlier = 1000

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
