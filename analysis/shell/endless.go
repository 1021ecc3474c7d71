package shell

import "mvdan.cc/sh/v3/syntax"

// multiplication is a loop without end under way, or what hides one: a
// background statement, whose own commands don't hold up the loop.
type multiplication struct {
	started []*Command // in the background, and not waited for so far
	held    bool       // something in it takes its time, or ends it
	hidden  bool
}

// endless walks a loop that has no end, and says of what it starts in the
// background and never waits for that it multiplies.
func (w *walker) endless(run func()) {
	m := &multiplication{}
	w.multiplying = append(w.multiplying, m)
	run()
	w.multiplying = w.multiplying[:len(w.multiplying)-1]
	if m.held {
		return
	}
	for _, c := range m.started {
		c.Multiplies = true
	}
}

// behind walks a statement in the background.
func (w *walker) behind(run func()) {
	n := len(w.multiplying)
	if n == 0 || w.multiplying[n-1].hidden {
		run()
		return
	}
	m := w.multiplying[n-1]
	w.multiplying = append(w.multiplying, &multiplication{hidden: true})
	count := len(w.line.Commands)
	run()
	w.multiplying = w.multiplying[:n]
	if len(w.line.Commands) > count {
		m.started = append(m.started, w.line.Commands[count])
	}
}

// holds notes what a command means for the loop that it's in.
func (w *walker) holds(c *Command) {
	n := len(w.multiplying)
	if n == 0 || w.multiplying[n-1].hidden {
		return
	}
	switch m := w.multiplying[n-1]; c.Name {
	case "wait":
		m.started = nil
	case "exec":
		m.held = m.held || len(c.Args) > 0
	case "sleep", "usleep", "read", "break", "exit", "return", "inotifywait", "fswatch", "nc", "ncat", "socat":
		m.held = true
	}
}

// isEndless reports whether the condition of a while, or of an until, never
// changes and lets the loop go on.
func isEndless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	value, ok := constant(c.Cond[0])
	return ok && value != c.Until
}

// constant is whether a condition always succeeds or always fails, if it's one
// of those that do.
func constant(stmt *syntax.Stmt) (value, ok bool) {
	if stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 {
		return false, false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		value, ok = constantCall(cmd)
	case *syntax.BinaryCmd:
		value, ok = constantList(cmd)
	case *syntax.ArithmCmd:
		value, ok = constantNumber(cmd.X)
	case *syntax.TestClause:
		switch x := cmd.X.(type) {
		case *syntax.Word:
			value, ok = true, x.Lit() != ""
		case *syntax.BinaryTest:
			left, _ := x.X.(*syntax.Word)
			right, _ := x.Y.(*syntax.Word)
			if left != nil && right != nil && left.Lit() != "" && right.Lit() != "" {
				value, ok = compared(left.Lit(), x.Op.String(), right.Lit())
			}
		}
	}
	return value != stmt.Negated, ok
}

// constantList is constant of a list with && or ||.
func constantList(list *syntax.BinaryCmd) (value, ok bool) {
	if list.Op != syntax.AndStmt && list.Op != syntax.OrStmt {
		return false, false
	}
	value, ok = constant(list.X)
	if ok && value == (list.Op == syntax.AndStmt) {
		return constant(list.Y)
	}
	return value, ok
}

// compared is what a comparison of two constant words yields.
func compared(left, op, right string) (value, ok bool) {
	switch op {
	case "=", "==", "-eq":
		return left == right, true
	case "!=", "-ne":
		return left != right, true
	}
	return false, false
}

// constantNumber is whether a constant expression isn't 0.
func constantNumber(x syntax.ArithmExpr) (value, ok bool) {
	if b, is := x.(*syntax.BinaryArithm); is {
		left, _ := b.X.(*syntax.Word)
		right, _ := b.Y.(*syntax.Word)
		if left == nil || right == nil || !isNumber(left.Lit()) || !isNumber(right.Lit()) {
			return false, false
		}
		return compared(left.Lit(), b.Op.String(), right.Lit())
	}
	word, ok := x.(*syntax.Word)
	if !ok {
		return false, false
	}
	n, ok := integer(word.Lit())
	return n != 0, ok
}

func constantCall(call *syntax.CallExpr) (value, ok bool) {
	words := make([]string, len(call.Args))
	for i, word := range call.Args {
		if words[i] = word.Lit(); words[i] == "" {
			return false, false
		}
	}
	if len(words) == 0 || len(call.Assigns) > 0 {
		return false, false
	}
	name, rest := words[0], words[1:]
	switch baseName(name) {
	case "true", ":", "echo", "printf":
		return true, true
	case "false":
		return false, true
	case "[":
		if len(rest) == 0 || rest[len(rest)-1] != "]" {
			return false, false
		}
		rest = rest[:len(rest)-1]
	case "test":
	default:
		return false, false
	}
	switch {
	case len(rest) == 1:
		return true, true
	case len(rest) == 3:
		return compared(rest[0], rest[1], rest[2])
	}
	return false, false
}

func isNumber(text string) bool {
	_, ok := integer(text)
	return ok
}
