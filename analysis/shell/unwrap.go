package shell

import (
	"slices"
	"strings"
)

// unwrap reports what c, which is made of words, runs in turn.
func (w *walker) unwrap(c *Command, words []argument, s scope) {
	s.parent = c
	args := words[1:]
	if c.Name == "" {
		if path := strings.Trim(c.Path, "${}"); path == "SHELL" || path == "BASH" { // whichever it is
			named := *c
			named.Name = "sh"
			w.shell(&named, args, s)
		}
		return
	}
	w.promptCommand(c, args, s)
	switch {
	case w.nested(c, args, s), w.language(c, args, s), w.git(c, args, s), w.client(c, args, s):
	case w.seeker(c, args, s), w.faraway(c, args, s), w.screened(c, args, s), w.scripted(c, args, s):
	case w.launched(c, args, s), w.foreignText(c, args, s), w.misspelt(c, args, s):
	default:
		w.hooked(c, args, s)
		if wrapper, ok := wrapperOf(c.Name); ok {
			w.wrapped(&wrapper, c, c.Name, args, s)
		}
	}
}

// wrapped reports the command behind the options of a wrapper, which via is
// the name of: that of c, with its subcommand if it has one. The arguments are
// those behind that.
func (w *walker) wrapped(g *wrapper, c *Command, via string, args []argument, s scope) {
	if g.lead && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && !args[0].Dynamic {
		args = args[1:]
	}
	r := w.readOptions(g, c, via, args, s)
	if r.done {
		return
	}
	if r.program == nil && (g.textOnly || r.rest >= len(args)) {
		w.alone(g, r, via, s)
		return
	}
	if r.rest < len(args) && listed(g.verbs, args[r.rest].Text) { // it has options, too
		again := *g
		again.verbs = ""
		w.wrapped(&again, c, via, args[r.rest+1:], s)
		return
	}
	args, ok := w.skip(g, args[min(r.rest, len(args)):], r)
	if !ok {
		return
	}
	if r.program != nil {
		w.run(append([]argument{*r.program}, args...), r.inner)
		return
	}
	if g.text != "" && len(args) > 1 && listed(g.text, args[0].Text) { // flock FILE -c TEXT
		w.text(args[1], via+" "+args[0].Text, w.outside(g, s))
		return
	}
	if g.assigns {
		args = r.inner.assign(args)
	}
	switch {
	case len(args) == 0:
		w.alone(g, r, via, s)
	case g.joins && !r.direct:
		text, _ := joined(args)
		w.text(text, via, w.outside(g, s))
	case g.entrypoint != nil:
		w.run(append([]argument{g.entrypoint(args[0])}, args[1:]...), r.inner)
	default:
		w.run(args, r.inner)
	}
}

// outside is where what is run by g stands: on this machine or another.
func (w *walker) outside(g *wrapper, s scope) scope {
	if g.remote {
		return w.away(s)
	}
	return s
}

// away is another machine, or a container: it has folders of its own, and
// doesn't get the environment of the command that reaches it.
func (w *walker) away(s scope) scope {
	if s.remote {
		return s
	}
	s.remote, s.assigned = true, nil
	s.chdir(unknowable("", s.at))
	return s
}

// alone reports the shell that a wrapper without a command starts.
func (w *walker) alone(g *wrapper, r wrapping, via string, s scope) {
	if r.shell && s.input != nil {
		w.text(s.input.unread(), via+" <", w.outside(g, s))
	}
}

// assign takes the NAME=value words at the beginning of args into the
// command's environment and returns the others.
func (s *scope) assign(args []argument) []argument {
	n := 0
	for n < len(args) && isAssignment(args[n].Text) {
		n++
	}
	s.set(args[:n])
	return args[n:]
}

// set takes those of the words that are NAME=value into the command's
// environment.
func (s *scope) set(words []argument) {
	s.assigned = slices.Clip(s.assigned) // other commands share it
	for _, word := range words {
		if !isAssignment(word.Text) {
			continue
		}
		name, value, _ := strings.Cut(word.Text, "=")
		word.Text = value
		s.assigned = append(s.assigned, Assignment{Name: name, Value: word.Word})
	}
}

// isAssignment goes by the "=" alone, as env and sudo do: a-b=c is one too.
func isAssignment(text string) bool { return strings.IndexByte(text, '=') > 0 }

// unreadable reports that some command of the words is run, but not which.
func (w *walker) unreadable(words []argument, s scope) {
	c := &Command{Dynamic: true, NameDynamic: true, Redirects: s.shared, Assignments: s.assigned}
	for i, word := range words {
		if i == 0 {
			c.Line, c.Column = word.at.line, word.at.column
		}
		c.Args = append(c.Args, word.Word)
		c.From = merge(c.From, word.from)
	}
	w.add(c, &s)
}

// wordsOf returns the words as a command has them.
func wordsOf(args []argument) []Word {
	words := make([]Word, len(args))
	for i, arg := range args {
		words[i] = arg.Word
	}
	return words
}

// fill marks the words in which something is put that isn't known, and whose
// output it is. Without a mark to replace, it is added at the end.
func fill(words []argument, replace string, from []*Command) []argument {
	filled := append(make([]argument, 0, len(words)+1), words...)
	if replace == "" {
		added := unknowable("{}", words[len(words)-1].at)
		added.from = from
		return append(filled, added)
	}
	for i := range filled {
		if strings.Contains(filled[i].Text, replace) {
			filled[i] = filled[i].marked(replace)
			filled[i].from = append(filled[i].from[:len(filled[i].from):len(filled[i].from)], from...)
		}
	}
	return filled
}

// marked says that source, a part of the word, isn't known.
func (a argument) marked(source string) argument {
	a.leadsTo(source)
	a.Dynamic = true
	a.dynamic = append(a.dynamic[:len(a.dynamic):len(a.dynamic)], source)
	return a
}

// promptCommand reports what an interactive shell runs before each prompt.
func (w *walker) promptCommand(c *Command, args []argument, s scope) {
	if !isShell(c.Name) || len(c.Assignments) == 0 {
		return
	}
	if _, interactive := c.Flag("-i"); !interactive && len(args) > 0 {
		return
	}
	for _, a := range c.Assignments {
		if a.Name == "PROMPT_COMMAND" {
			w.text(argument{Word: a.Value, at: place{c.Line, c.Column}}, "PROMPT_COMMAND", s)
		}
	}
}

// listed reports whether name is one of the blank-separated names.
func listed(names, name string) bool {
	for candidate := range strings.FieldsSeq(names) {
		if candidate == name {
			return true
		}
	}
	return false
}
