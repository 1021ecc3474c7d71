package shell

import "mvdan.cc/sh/v3/syntax"

// status is what becomes of the exit status of a statement, for [Command.Decides].
type status struct {
	hidden   bool // the line may succeed where it fails, or where it isn't run
	later    bool // statements follow, which decide unless errexit ends the line before
	errexit  bool // set -e
	pipefail bool // set -o pipefail
}

func (s status) decides() bool { return !s.hidden && (!s.later || s.errexit) }

// isPassing is about the programs whose status is that of the command that they run, and
// that run it once and wait for it; by what [Command.Via] has for them.
func isPassing(via string) bool {
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
	return status{hidden: !s.decides() || !isPassing(via)}
}

// of is the status of a statement of a list.
func (s status) of(list []*syntax.Stmt, i int) status {
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
// len(rest), else of the right side of rest[at]. rest is as from flatten.
func (s status) ofElement(rest []*syntax.BinaryCmd, at int) status {
	if at < len(rest) && rest[at].Op == syntax.OrStmt {
		s.hidden = true // it may not be run
	}
	if at == 0 {
		return s
	}
	s.errexit = false // does nothing left of the last && or ||
	for i := at - 1; i >= 0; i-- {
		if rest[i].Op != syntax.OrStmt {
			continue
		}
		if !gives(rest[i].Y) {
			s.hidden = true
			return s
		}
		s.later = false // whatever follows isn't reached
	}
	return s
}

// gives reports whether a statement behind || only gives up: exit 1, or a block that
// ends with it.
func gives(stmt *syntax.Stmt) bool {
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
