package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unwrap reports what c, which is made of words, runs in turn.
func (w *walker) unwrap(c *Command, words []argument, s scope) {
	args := words[1:]
	switch {
	case c.Name == "":
	case shells[c.Name]:
		w.shell(c, args, s)
	case c.Name == "eval":
		if text, ok := joined(args); ok {
			w.text(text, "eval", s)
		}
	case c.Name == "source" || c.Name == ".":
		if len(args) > 0 {
			w.script(args[0], c.Name, s)
		}
	case c.Name == "trap":
		if len(args) > 1 && !strings.HasPrefix(args[0].Text, "-") {
			w.text(args[0], "trap", s)
		}
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

// shell reports the commands in the text that a shell is given.
func (w *walker) shell(c *Command, args []argument, s scope) {
	items, rest := shellGrammar.scan(c.Args, "")
	text, standardInput := false, rest == len(args)
	noExec, interactive := false, false
	for _, o := range items {
		switch o.name {
		case "-n":
			noExec = true
		case "-i":
			interactive = true
		case "-c":
			text = true
		case "-s":
			standardInput = true
		case "--version", "--help":
			return
		}
	}
	if noExec && !interactive { // it only checks the syntax
		return
	}
	switch {
	case text && rest < len(args):
		w.text(args[rest], c.Name+" -c", s)
	case text:
	case standardInput:
		if s.input != nil {
			w.text(*s.input, c.Name+" <", s)
		}
	default:
		w.script(args[rest], c.Name, s)
	}
}

// script reports the commands in a file, if the file is one of the line's own
// making: its standard input or a process substitution.
func (w *walker) script(file argument, name string, s scope) {
	switch {
	case file.Text == "/dev/stdin" || file.Text == "/dev/fd/0" || file.Text == "/proc/self/fd/0":
		if s.input != nil {
			w.text(*s.input, name+" <", s)
		}
	case file.Dynamic && strings.HasPrefix(file.Text, "<("):
		w.text(argument{Word: Word{Dynamic: true}, at: file.at}, name+" <", s)
	}
}

// joined returns words as one text with blanks between them.
func joined(words []argument) (argument, bool) {
	if len(words) == 0 {
		return argument{}, false
	}
	text := argument{at: words[0].at}
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Text
		text.Dynamic = text.Dynamic || word.Dynamic
		text.Glob = text.Glob || word.Glob
		text.dynamic = append(text.dynamic, word.dynamic...)
	}
	text.Text = strings.Join(texts, " ")
	return text, true
}

// text reports the commands in text, which is run by a shell.
func (w *walker) text(text argument, via string, s scope) {
	s = s.through(via)
	s.assigned, s.shared, s.input = nil, nil, nil
	if s.depth > maxDepth || !w.spend(len(text.Text)) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, Line: text.at.line, Column: text.at.column}, &s)
	}
	if len(text.Text) > maxText {
		w.line.TooComplex = true
		return
	}
	file, failure := w.parse(text.Text)
	if failure != nil && !text.Dynamic && w.line.Err == nil {
		w.line.Err = &SyntaxError{text.at.line, text.at.column, "in the text of " + via + ": " + failure.Error()}
	}
	if text.Dynamic && isVariable(file) {
		return // the command above says it all
	}
	s.source, s.at, s.nested, s.walked = text.Text, text.at, true, text.dynamic
	w.stmts(file.Stmts, s)
}

// isVariable reports whether file is a single dynamic word.
func isVariable(file *syntax.File) bool {
	if len(file.Stmts) != 1 {
		return false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || len(call.Args[0].Parts) != 1 || len(call.Assigns)+len(file.Stmts[0].Redirs) > 0 {
		return false
	}
	switch call.Args[0].Parts[0].(type) {
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		return true
	}
	return false
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
