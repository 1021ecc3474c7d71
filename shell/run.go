package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// run reports the command made of words and what it runs in turn.
func (w *walker) run(words []argument, s scope) {
	// Behind a wrapper the same words are reported once more.
	if !w.spend(wordCost * len(words)) {
		return
	}
	name := words[0]
	if !s.external && !name.Dynamic && w.invoke(words, s) {
		return
	}
	c := newCommand(words)
	c.Assignments, c.Redirects = s.assigned, s.shared
	c.Dynamic = c.Dynamic || dynamicAssignment(s.assigned)
	if c.NameDynamic {
		c.From = name.from
	}
	if !w.add(c, &s) {
		return
	}
	if c.Name == "exec" && len(words) == 1 && !s.external {
		w.redirectShell(s.shared, &s)
	}
	count := len(w.line.Commands)
	if !s.external || isBuiltinPrefix(s.via) {
		w.builtin(c, words[1:], s)
	}
	w.unwrap(c, words, s)
	w.runFile(c, words, s)
	w.wrote(c, words[1:], s)
	if s.out != nil && (len(w.line.Commands) == count || !passesOn(c.Name)) {
		w.emit(c, words[1:], s)
	}
}

// isBuiltinPrefix reports whether the last wrapper runs what is part of the
// shell.
func isBuiltinPrefix(via []string) bool {
	return len(via) > 0 && (via[len(via)-1] == "command" || via[len(via)-1] == "builtin")
}

// passesOn reports whether all that a program writes comes from the commands
// that it runs.
func passesOn(name string) bool {
	_, ok := wrapperOf(name)
	return ok || shells[name] || name == "eval" || name == "source" || name == "."
}

// frame is a call of a function.
type frame struct {
	body  *body
	saved map[string][]*binding // what its local variables hide
	loops int                   // how many loops were under way
	mark  int
	exits []branch // what had changed at each return
}

func (w *walker) inFunction() bool { return len(w.functions) > 0 }

// local keeps what a variable stands for, until the function returns.
func (w *walker) local(text string) {
	if len(w.functions) == 0 {
		return
	}
	f := w.functions[len(w.functions)-1]
	if f.saved == nil {
		f.saved = map[string][]*binding{}
	}
	if _, ok := f.saved[text]; !ok {
		f.saved[text] = w.env.get(name{variable, text})
	}
}

// isLocal reports whether a variable is the function's own already.
func (w *walker) isLocal(text string) bool {
	if len(w.functions) == 0 {
		return false
	}
	_, ok := w.functions[len(w.functions)-1].saved[text]
	return ok
}

// define remembers a function. What it runs is reported where it's called, or
// at the end where it isn't.
func (w *walker) define(c *syntax.FuncDecl, outer *scope) {
	if c.Name == nil {
		return
	}
	s := *outer
	s.context, s.pipe, s.input, s.out = "function", 0, nil, nil // those of the calls aren't known
	b := &body{name: c.Name.Value, stmt: c.Body, scope: s}
	w.bodies = append(w.bodies, b)
	w.env.set(name{function, b.name}, &binding{body: b})
}

// invoke calls the function that words name, if they do.
func (w *walker) invoke(words []argument, s scope) bool {
	if len(w.bodies) == 0 {
		return false
	}
	n := name{function, words[0].Text}
	items := w.env.get(n)
	if len(items) == 0 {
		return false
	}
	it := w.choose(n)
	if it == nil || it.body == nil {
		return false // it may be the program of that name
	}
	c := newCommand(words)
	c.Assignments, c.Redirects = s.assigned, s.shared
	if !w.add(c, &s) {
		return true
	}
	s.parent = c
	calls := 0
	for _, f := range w.functions {
		if f.body.name == words[0].Text {
			calls++
		}
	}
	args := &binding{list: words[1:], isList: true}
	switch calls {
	case 0:
	case 1:
		args = unknownBinding // it calls itself: so it may again, with anything
	default:
		return true
	}
	w.enter(it.body, args, s)
	return true
}

// enter walks the body of a function that is called with args.
func (w *walker) enter(b *body, args *binding, s scope) {
	if b.called = true; !w.spend(callCost) {
		return
	}
	inner := b.scope
	inner.context, inner.pipe, inner.input, inner.out = s.context, s.pipe, s.input, s.out
	inner.via, inner.depth, inner.parent, inner.remote = s.via, s.depth, s.parent, s.remote
	inner = inner.through(b.name + "()")
	params := w.env.get(nameOfParameters)
	f := &frame{body: b, loops: len(w.loops), mark: w.env.mark()}
	w.functions = append(w.functions, f)
	loops := w.loops
	w.loops = nil
	if args.unknown {
		w.env.forget(nameOfParameters)
	} else {
		w.parameters(args.list)
	}
	for _, a := range s.assigned {
		w.local(a.Name)
		w.assign(a.Name, &binding{word: argument{Word: a.Value, at: s.at}})
	}
	w.stmt(b.stmt, &inner)
	w.loops = loops
	w.functions = w.functions[:len(w.functions)-1]
	if len(f.exits) > 0 {
		w.env.join(append(f.exits, w.env.take(f.mark))...)
	}
	for text, items := range f.saved {
		w.env.set(name{variable, text}, items...)
	}
	w.env.set(nameOfParameters, params...)
}

// back is return.
func (w *walker) back() {
	if len(w.functions) > 0 {
		f := w.functions[len(w.functions)-1]
		if f.exits = append(f.exits, w.env.look(f.mark)); len(f.exits) > maxItems {
			f.exits = f.exits[:maxItems]
		}
	}
	w.env.end()
}

// uncalled reports what the functions do that nothing calls here: a later line
// may.
func (w *walker) uncalled() {
	for i := 0; i < len(w.bodies); i++ {
		b := w.bodies[i]
		if b.called || w.line.TooComplex {
			continue
		}
		w.env.forget(nameOfParameters)
		mark := w.env.mark()
		w.functions = append(w.functions, &frame{body: b})
		w.shells = append(w.shells, &process{})
		w.stmt(b.stmt, &b.scope)
		w.exit()
		w.functions = w.functions[:0]
		w.env.rollback(mark)
	}
}

// alias runs what an alias of the line stands for. The name of the alias is
// reported too, because a shell that isn't interactive takes no alias.
func (w *walker) alias(text string, words []argument, assigned []Assignment, redirects []Redirect, outer *scope) bool {
	if text == "" || !w.named[text] || slices.Contains(w.aliases, text) {
		return false
	}
	it := w.choose(name{alias, text})
	if it == nil || it.gone {
		return false
	}
	s := *outer
	c := newCommand(words)
	c.Assignments, c.Redirects = assigned, redirects
	if !w.add(c, &s) {
		return true
	}
	s.parent = c
	line := append([]argument{it.word}, words[1:]...)
	last := it // a value that ends with a blank lets the next word be an alias too
	for i := range line[1:] {
		word := &line[i+1]
		if last != nil && strings.HasSuffix(last.word.Text, " ") && !word.Quoted && w.named[word.Text] {
			if last = w.choose(name{alias, word.Text}); last != nil && !last.gone {
				*word = last.word
				continue
			}
		}
		if last = nil; !word.Dynamic && !word.Glob && !word.Home {
			word.Text = Quote(word.Text)
		}
	}
	text2, _ := joined(line)
	w.aliases = append(w.aliases, text)
	w.here(text2, "alias "+text, s)
	w.aliases = w.aliases[:len(w.aliases)-1]
	return true
}

// process is a shell under way.
type process struct {
	traps []pending
	input map[int]*argument // what descriptors read, from exec
	out   map[int]Redirect  // what descriptors write to, from exec
}

// pending is text that a shell runs when it ends.
type pending struct {
	text  argument
	scope scope
}

// exit runs the traps of the shell that ends.
func (w *walker) exit() {
	p := w.shells[len(w.shells)-1]
	for i := 0; i < len(p.traps) && i < maxItems; i++ {
		w.here(p.traps[i].text, "trap", p.traps[i].scope)
	}
	w.shells = w.shells[:len(w.shells)-1]
}

// runFile reports what is in the file that c runs, if the line wrote it.
func (w *walker) runFile(c *Command, words []argument, s scope) {
	if len(w.files) == 0 {
		return
	}
	s.parent = c
	texts := w.contents(words[0], &s)
	if !strings.Contains(c.Path, "/") {
		texts = w.onPath(words[0], &s)
	}
	for _, text := range texts {
		interpreter := interpreterOf(text.Text)
		if interpreter == nil {
			w.inShell(text, c.Path, s, shellText{self: words[0], args: words[1:]})
			continue
		}
		inner := s.through(c.Path)
		inner.shared, inner.assigned, inner.external = nil, nil, true
		var line []argument
		for _, word := range interpreter {
			line = append(line, literal(word, words[0].at))
		}
		w.run(append(append(line, words[0]), words[1:]...), inner)
	}
}

// onPath returns what is in a file that the line wrote, if the line put its
// folder on the PATH.
func (w *walker) onPath(file argument, s *scope) []argument {
	n := name{variable, "PATH"}
	if _, changed := w.env.names[n]; !changed {
		return nil
	}
	it := w.choose(n)
	if it == nil || file.Text == "" {
		return nil
	}
	for folder := range strings.SplitSeq(it.word.Text, ":") {
		if !w.spend(wordCost) {
			return nil
		}
		there := file
		there.Text = folder + "/" + file.Text
		if folder == "" {
			there.Text = file.Text
		}
		if texts := w.contents(there, s); texts != nil {
			return texts
		}
	}
	return nil
}

// interpreterOf returns the program, with its options, that the first line of a
// script asks for, nil for a shell.
func interpreterOf(text string) []string {
	line, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) > 1 && baseName(words[0]) == "env" {
		if words = words[1:]; words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || shells[baseName(words[0])] {
		return nil
	}
	return words
}
