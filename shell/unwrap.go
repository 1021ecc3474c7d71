package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unwrap reports what c, which is made of words, runs in turn.
func (w *walker) unwrap(c *Command, words []argument, s scope) {
	if c.Name == "" {
		return
	}
	s.parent = c
	args := words[1:]
	switch {
	case w.nested(c, args, s), w.language(c, args, s), w.git(c, args, s), w.client(c, args, s):
	case c.Name == "find" || c.Name == "gfind":
		w.find(c.Name, args, s)
	default:
		if wrapper, ok := wrapperOf(c.Name); ok {
			w.wrapped(&wrapper, c, args, s)
		}
	}
}

// wrapped reports the command behind the options of a wrapper.
func (w *walker) wrapped(g *wrapper, c *Command, args []argument, s scope) {
	inner := s.through(c.Name)
	items, rest := g.scan(c.Args, "")
	direct, replace := false, ""
	for _, o := range items {
		if o.name == "" {
			continue
		}
		value := argument{Word: Word{Text: o.value}, at: args[o.index].at}
		if o.valued {
			source := args[o.source]
			value.Dynamic, value.dynamic = source.Dynamic, source.dynamic
		}
		switch {
		case o.kind == unknown:
			w.unreadable(args[o.index+1:], inner)
			return
		case listed(g.stops, o.name):
			return
		case o.valued && listed(g.text, o.name):
			w.text(value, c.Name+" "+o.name, s)
			return
		case g.assigns && o.valued && (o.name == "-S" || o.name == "--split-string"):
			w.splitString(value, args[max(o.index, o.source)+1:], c.Name, inner)
			return
		case o.name == "-x" || o.name == "--exec":
			direct = true
		case g.appends:
			switch o.name {
			case "-I", "-J", "--replace", "-i":
				if replace = o.value; replace == "" {
					replace = "{}"
				}
			}
		}
	}
	if g.textOnly || rest+g.operands >= len(args) {
		return
	}
	// A dynamic word among those skipped may be none or several, or options.
	skipped := args[rest : rest+g.operands]
	args = args[rest+g.operands:]
	for _, word := range skipped {
		if word.Dynamic && !word.Quoted {
			w.unreadable(args, inner)
			return
		}
	}
	if g.text != "" && len(args) > 1 && listed(g.text, args[0].Text) { // flock FILE -c TEXT
		w.text(args[1], c.Name+" "+args[0].Text, s)
		return
	}
	if g.assigns {
		inner.assigned = slices.Clip(inner.assigned) // other commands share it
		for len(args) > 0 {
			name, value, ok := strings.Cut(args[0].Text, "=")
			if !ok || !syntax.ValidName(name) {
				break
			}
			word := args[0].Word
			word.Text = value
			inner.assigned = append(inner.assigned, Assignment{Name: name, Value: word})
			args = args[1:]
		}
	}
	switch {
	case len(args) == 0:
	case g.joins && !direct:
		text, _ := joined(args)
		w.text(text, c.Name, s)
	case g.appends:
		inner.shared, inner.input, inner.mark = nil, nil, replace
		w.run(fill(args, replace), inner)
	default:
		w.run(args, inner)
	}
}

// unreadable reports that some command of the words is run, but not which.
func (w *walker) unreadable(words []argument, s scope) {
	c := &Command{Dynamic: true, NameDynamic: true, Redirects: s.shared, Assignments: s.assigned}
	for i, word := range words {
		if i == 0 {
			c.Line, c.Column = word.at.line, word.at.column
		}
		c.Args = append(c.Args, word.Word)
	}
	w.add(c, &s)
}

// splitString runs the command that env -S makes of text and the words after.
func (w *walker) splitString(text argument, rest []argument, name string, s scope) {
	words, err := Split(text.Text)
	if err != nil || text.Dynamic || strings.Contains(text.Text, "${") || !w.spend(len(text.Text)) {
		w.unreadable(append([]argument{text}, rest...), s)
		return
	}
	args := make([]argument, 0, len(words)+len(rest))
	for _, word := range words {
		args = append(args, argument{Word: Word{Text: word}, at: text.at})
	}
	args = append(args, rest...)
	// The words may begin with more options and assignments.
	c := &Command{Name: name}
	for _, arg := range args {
		c.Args = append(c.Args, arg.Word)
	}
	if s.depth > maxDepth {
		w.line.TooComplex = true
		return
	}
	s.via = s.via[:len(s.via)-1] // the caller went through name already
	env, _ := wrapperOf(name)
	w.wrapped(&env, c, args, s)
}

// fill marks the words in which xargs puts what it reads. Without a mark to
// replace, it adds words at the end.
func fill(words []argument, replace string) []argument {
	filled := append(make([]argument, 0, len(words)+1), words...)
	if replace == "" {
		return append(filled, argument{Word: Word{Text: "{}", Dynamic: true}, at: words[len(words)-1].at, dynamic: []string{"{}"}})
	}
	for i := range filled {
		if strings.Contains(filled[i].Text, replace) {
			filled[i].Dynamic = true
			filled[i].dynamic = append(filled[i].dynamic[:len(filled[i].dynamic):len(filled[i].dynamic)], replace)
		}
	}
	return filled
}

// find reports the commands of the actions -exec and the like.
func (w *walker) find(name string, args []argument, s scope) {
	for i := 0; i < len(args); i++ {
		action := args[i].Text
		switch action {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && args[end].Text != ";" && !(args[end].Text == "+" && args[end-1].Text == "{}") {
			end++
		}
		if words := args[i+1 : end]; len(words) > 0 {
			inner := s.through(name + " " + action)
			inner.mark = "{}"
			w.run(fill(words, "{}"), inner)
		}
		i = end
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
