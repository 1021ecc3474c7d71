package shell

import (
	"slices"
	"strings"
)

// wrapping is what the options of a wrapper say.
type wrapping struct {
	inner  scope // in which the command runs
	rest   int   // where the words behind the options begin
	done   bool  // nothing more is run, or it was reported
	direct bool  // words aren't joined to a text
	shell  bool  // without a command it starts a shell
	given  bool  // there are options
	behind bool  // rest is where the command begins

	sets    []argument // NAME=value
	program *argument  // the command's name, where an option gives it
}

// readOptions takes in the options among args.
func (w *walker) readOptions(g *wrapper, c *Command, via string, args []argument, s scope) wrapping {
	r := wrapping{inner: w.outside(g, s).through(via), shell: g.shell == "*"}
	r.inner.external = !g.builtins
	r.inner.cleared = r.inner.cleared || g.clears == "*"
	items, rest := g.scan(c.Args[len(c.Args)-len(args):], "")
	r.rest = rest
	for _, o := range items {
		if o.name == "" {
			continue
		}
		r.given = true
		if o.kind == unknown {
			w.unreadable(args[min(o.index+1, len(args)):], r.inner)
			r.done = true
			return r
		}
		if listed(g.stops, o.name) {
			r.done = true
			return r
		}
		r.shell = r.shell || listed(g.shell, o.name)
		r.inner.cleared = r.inner.cleared || listed(g.clears, o.name)
		r.direct = r.direct || listed(g.direct, o.name)
		if o.valued {
			r.rest = rest
			w.setting(g, o.name, valueFrom(args, o.source, o.value), args[min(max(o.index, o.source)+1, len(args)):], args, via, s, &r)
		}
		if r.done {
			return r
		}
	}
	r.inner.set(r.sets)
	if g.behind {
		r.rest, r.behind = g.commandBehind(c.Args[len(c.Args)-len(args):]), true
	}
	return r
}

// setting takes in an option with a value, behind which the words of rest are.
func (w *walker) setting(g *wrapper, name string, value argument, rest, args []argument, via string, s scope, r *wrapping) {
	s.moves = r.inner.moves // of the options before
	switch {
	case listed(g.text, name):
		w.text(value, via+" "+name, w.outside(g, s))
		r.done = !g.also
	case listed(g.split, name):
		w.splitString(g, value, rest, via, s)
		r.done = true
	case listed(g.chdir, name):
		r.inner.chdir(value)
	case listed(g.unsets, name):
		r.inner.unset = append(slices.Clip(r.inner.unset), value.Text)
	case listed(g.remoteBy, name):
		r.inner.remote = true
	case listed(g.sets, name):
		r.sets = append(r.sets, value)
	case listed(g.piped, name) && value.Text != "" && (value.Text[0] == '|' || value.Text[0] == '!'):
		value.Text = value.Text[1:]
		w.text(value, via+" "+name, s)
	case listed(g.program, name):
		r.program = &value
	}
}

// valueFrom is the value of an option, cut from the argument that has it.
func valueFrom(args []argument, source int, value string) argument {
	word := args[min(source, len(args)-1)]
	word.Text = value
	return word
}

// skip drops the operands before the command. It reports an unknown command
// where it can't be told how many there are.
func (w *walker) skip(g *wrapper, args []argument, r wrapping) ([]argument, bool) {
	n := g.operands
	switch {
	case r.behind, g.unless && r.given, g.digits && len(args) > 0 && !startsWithDigit(args[0]):
		n = 0
	}
	n = min(n, len(args))
	// A dynamic word among those skipped may be none or several, or options.
	for i, word := range args[:n] {
		if word.Dynamic && !word.Quoted {
			if len(args) > i+1 {
				w.unreadable(args[i+1:], r.inner)
			}
			return nil, false
		}
	}
	args = args[n:]
	if len(args) > 0 && g.dashes && args[0].Text == "--" {
		args = args[1:]
	}
	return args, true
}

// startsWithDigit says that a word is a priority, or not known.
func startsWithDigit(word argument) bool {
	text := strings.TrimLeft(word.Text, "+-")
	return word.Dynamic || text != "" && text[0] >= '0' && text[0] <= '9'
}

// commandBehind returns where the command begins that stands behind a "--" or,
// without one, behind the operands.
func (g *wrapper) commandBehind(args []Word) int {
	anywhere := g.grammar
	anywhere.first = false
	items, _ := anywhere.scan(args, "")
	values := make(map[int]bool)
	behind, operands := len(args), g.operands
	for _, o := range items {
		switch {
		case o.name != "":
			values[o.source] = o.source != o.index
		case operands == 0 && behind == len(args):
			behind = o.index
		default:
			operands--
		}
	}
	for i, word := range args {
		if word.Text == "--" && !values[i] {
			return i + 1
		}
	}
	return behind
}

// splitString runs the command that env -S makes of text and the words after.
func (w *walker) splitString(g *wrapper, text argument, rest []argument, via string, s scope) {
	inner := s.through(via)
	words, err := Split(text.Text)
	if err != nil || text.Dynamic || strings.Contains(text.Text, "${") || !w.spend(len(text.Text)) {
		w.unreadable(append([]argument{text}, rest...), inner)
		return
	}
	args := make([]argument, 0, len(words)+len(rest))
	for _, word := range words {
		args = append(args, literal(word, text.at))
	}
	args = append(args, rest...)
	// The words may begin with more options and assignments.
	if s.depth++; s.depth > maxDepth || !w.spend(wordCost*len(args)) {
		w.line.TooComplex = true
		return
	}
	w.wrapped(g, &Command{Name: via, Args: wordsOf(args)}, via, args, s)
}
