package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/internal/wordlist"
)

// run reports the command made of words and what it runs in turn.
func (w *walker) run(words []argument, s scope) {
	// Behind a wrapper the same words are reported once more.
	if !w.spend(wordCost * len(words)) {
		return
	}
	name := words[0]
	if !s.external && !name.Dynamic && w.callFunction(words, s) {
		return
	}
	if w.hashUsed && !s.external && !name.Dynamic {
		defer w.runHashed(words, s)
	}
	c := w.newCommand(words)
	c.Assignments, c.Redirects = s.assigned, s.redirects
	c.Dynamic = c.Dynamic || dynamicAssignment(s.assigned)
	c.From = name.from
	if !w.add(c, &s) {
		return
	}
	s.redirectedBy(c)
	w.noteInLoop(c, words, &s)
	if c.Name == "exec" && len(words) == 1 && !s.external {
		w.redirectShell(c, s.redirects, &s)
	}
	count := len(w.line.Commands)
	if isBuiltin(c.Path) && (!s.external || isBuiltinPrefix(s.via)) {
		here := s
		w.builtin(c, words[1:], &here)
	}
	if !s.external || isBuiltinPrefix(s.via) {
		w.subscripts(c.Name, words[1:], &s)
	}
	w.unwrap(c, words, s)
	w.runFile(c, words, s)
	w.noteWrittenFiles(c, words[1:], s)
	if s.out != nil && (len(w.line.Commands) == count || !passesOutput(c.Name)) {
		w.keepOutput(c, words[1:], s)
	}
}

// runHashed reports the program too that hash -p has put behind a name.
func (w *walker) runHashed(words []argument, s scope) {
	if it := w.choose(name{hashed, words[0].Text}); it != nil {
		s = s.through("hash -p")
		s.external = true
		w.run(append([]argument{it.word}, words[1:]...), s)
	}
}

// isBuiltinPrefix reports whether the last wrapper runs what is part of the
// shell.
func isBuiltinPrefix(via []string) bool {
	return len(via) > 0 && (via[len(via)-1] == "command" || via[len(via)-1] == "builtin")
}

// passesOutput reports whether all that a program writes comes from the commands
// that it runs.
func passesOutput(name string) bool {
	return wrapperOf(name) != nil || isShell(name) || name == "eval" || name == "source" || name == "."
}

// alias runs what an alias of the line stands for, and the words as they are
// before, because a shell that isn't interactive takes no alias.
func (w *walker) alias(text string, words []argument, assigned []Assignment, redirects []Redirect, outer *scope) bool {
	if text == "" || !w.aliasNames[text] || slices.Contains(w.expanding, text) {
		return false
	}
	it := w.choose(name{alias, text})
	if it == nil || it.unset {
		return false
	}
	s := *outer
	mark, count := w.env.mark(), len(w.line.Commands)
	w.runWith(words, assigned, redirects, outer)
	if w.line.TooComplex || len(w.line.Commands) == count {
		return true
	}
	unaliased := w.env.takeBack(mark)
	if s.parent = w.line.Commands[count]; s.out != nil {
		s.out.unknown = true // it's one of both
	}
	line := append([]argument{it.word}, words[1:]...)
	last := it // a value that ends with a blank lets the next word be an alias too
	for i := range line[1:] {
		word := &line[i+1]
		if last != nil && strings.HasSuffix(last.word.Text, " ") && !word.Quoted && w.aliasNames[word.Text] {
			if last = w.choose(name{alias, word.Text}); last != nil && !last.unset {
				*word = last.word
				continue
			}
		}
		if last = nil; !word.Dynamic && !word.Glob && !word.Home {
			word.Text = Quote(word.Text)
		}
	}
	aliased, _ := joinWords(line)
	w.expanding = append(w.expanding, text)
	w.textHere(aliased, "alias "+text, s)
	w.expanding = w.expanding[:len(w.expanding)-1]
	w.env.join(unaliased, w.env.takeBack(mark))
	return true
}

// shellProcess is a shell under way.
type shellProcess struct {
	traps []pendingTrap
	input map[int]*argument // what descriptors read, from exec
	out   map[int]Redirect  // what descriptors write to, from exec
	files map[int]*Command  // the exec that lets a descriptor read a file that isn't known
}

// pendingTrap is text that a shell runs when it ends.
type pendingTrap struct {
	text  argument
	scope scope
}

// exit runs the traps of the shell that ends.
func (w *walker) exit() {
	top := len(w.shells) - 1
	for i := 0; i < len(w.shells[top].traps) && i < maxItems; i++ {
		trap := w.shells[top].traps[i]
		w.textHere(trap.text, "trap", trap.scope)
	}
	w.shells = w.shells[:top]
}

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
	w.builds(c, args, s)
	w.byVariable(c, s)
	w.libraryCommands(c, args, s)
	switch {
	case w.shellProgram(c, args, s), w.windowsShell(c, args, s), w.language(c, args, s), w.git(c, args, s), w.client(c, args, s):
	case w.findOrXargs(c, args, s), w.byFunction(c, args, s):
	case w.launched(c, args, s), w.foreignText(c, args, s), w.misspelt(c, args, s):
	default:
		w.calledByOptions(c, args, s)
		if wrapper := wrapperOf(c.Name); wrapper != nil && !isSearch(c) {
			w.wrapped(wrapper, c, c.Name, args, s)
		}
	}
}

// isSearch reports whether sg is not the program for another group, but another name for ast-grep.
func isSearch(c *Command) bool {
	if c.Name != "sg" || len(c.Args) == 0 {
		return false
	}
	first := c.Args[0].Text
	return wordlist.Has("run scan test new lsp completions help", first) || strings.HasPrefix(first, "--") || len(first) == 2 && wordlist.Has("-p -r -l -h -V -i -U -c", first)
}

// wrapped reports the command behind the options of a wrapper, which via is
// the name of: that of c, with its subcommand if it has one. The arguments are
// those behind that.
func (w *walker) wrapped(g *wrapper, c *Command, via string, args []argument, s scope) {
	if g.Lead && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && !args[0].Dynamic {
		args = args[1:]
	}
	r := w.readOptions(g, c, via, args, s)
	if r.done {
		return
	}
	if r.program == nil && (g.TextOnly || r.rest >= len(args)) {
		w.shellAlone(g, r, via, s)
		return
	}
	if r.rest < len(args) && wordlist.Has(g.Verbs, args[r.rest].Text) { // it has options, too
		again := *g
		again.Verbs = ""
		w.wrapped(&again, c, via, args[r.rest+1:], s)
		return
	}
	skipped := args[min(r.rest, len(args)):]
	args, ok := w.skip(g, skipped, r)
	if !ok {
		return
	}
	if r.program != nil {
		w.run(append([]argument{*r.program}, args...), r.inner)
		return
	}
	if len(skipped) > len(args) {
		args = w.started(g, c, skipped[0], args, &r.inner)
	}
	if g.Text != "" && len(args) > 1 && wordlist.Has(g.Text, args[0].Text) { // flock FILE -c TEXT
		w.text(args[1], via+" "+args[0].Text, w.placeOf(g, s))
		return
	}
	if g.Assigns {
		args = r.inner.assign(args)
	}
	switch {
	case len(args) == 0:
		w.shellAlone(g, r, via, s)
	case g.Joins && !r.direct:
		text, _ := joinWords(args)
		w.text(text, via, w.placeOf(g, s))
	case g.PackageName:
		w.run(append([]argument{unversioned(args[0])}, args[1:]...), r.inner)
	case g.EnvironmentName:
		w.run(append([]argument{inEnvironment(args[0])}, args[1:]...), r.inner)
	default:
		w.run(args, r.inner)
	}
}

// placeOf is where what is run by g stands: on this machine or another.
func (w *walker) placeOf(g *wrapper, s scope) scope {
	if g.Remote {
		return w.otherMachine(s)
	}
	return s
}

// otherMachine is another machine, or a container: it has folders of its own, and
// doesn't get the environment of the command that reaches it.
func (w *walker) otherMachine(s scope) scope {
	s.in = nil
	if s.remote {
		return s
	}
	s.remote, s.assigned = true, nil
	s.chdir(unknowable("", s.at))
	return s
}

// shellAlone reports the shell that a wrapper without a command starts.
func (w *walker) shellAlone(g *wrapper, r wrapping, via string, s scope) {
	if r.shell && s.input != nil {
		w.text(s.input.unread(), via+" <", w.placeOf(g, s))
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
		s.assigned = append(s.assigned, Assignment{Name: name, Value: word.Word, from: word.from, file: word.file})
	}
}

// isAssignment goes by the "=" alone, as env and sudo do: a-b=c is one too.
func isAssignment(text string) bool { return strings.IndexByte(text, '=') > 0 }

// unreadable reports that some command of the words is run, but not which.
func (w *walker) unreadable(words []argument, s scope) {
	c := &Command{Dynamic: true, NameDynamic: true, Redirects: s.redirects, Assignments: s.assigned}
	for i, word := range words {
		if i == 0 {
			c.Line, c.Column = word.at.line, word.at.column
		}
		c.Args = append(c.Args, word.Word)
		c.From = mergeCommands(c.From, word.from)
	}
	w.add(c, &s)
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

// frame is a call of a function.
type frame struct {
	body      *body
	saved     map[string][]*binding // what its local variables hide
	loops     int                   // how many loops were under way
	forks     int                   // of the scope that it was called in
	uncertain int                   // of that, too
	mark      int
	exits     []branch // what had changed at each return
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

// defineFunction remembers a function. What it runs is reported where it's called, or
// at the end where it isn't.
func (w *walker) defineFunction(c *syntax.FuncDecl, outer *scope) {
	if c.Name == nil { // of zsh: one without a name runs at once
		for _, named := range c.Names {
			one := *c
			one.Name, one.Names = named, nil
			w.defineFunction(&one, outer)
		}
		if len(c.Names) == 0 {
			w.stmt(c.Body, outer)
		}
		return
	}
	s := *outer
	s.context, s.pipe, s.input, s.out, s.reading = "function", 0, nil, nil, nil // those of the calls aren't known
	if outer.context == "" && !w.inFunction() {
		for _, it := range w.env.get(name{function, c.Name.Value}) {
			if it.body != nil {
				it.body.replaced = true
			}
		}
	}
	s.status.hidden = true
	b := &body{name: c.Name.Value, stmt: c.Body, scope: s}
	w.bodies = append(w.bodies, b)
	if calledByItself(b.name) {
		defer func() {
			mark := w.env.mark()
			w.walkBody(b, &binding{unknown: true}, *outer)
			w.env.rollback(mark)
		}()
	}
	w.env.set(name{function, b.name}, &binding{body: b, exported: w.exportsAll()})
}

// calledByItself is about the functions that a shell calls without being told: where there is no command of a name, and
// before each prompt or command.
func calledByItself(name string) bool {
	switch name {
	case "command_not_found_handle", "command_not_found_handler", "precmd", "preexec", "chpwd", "periodic", "zshexit", "TRAPEXIT", "TRAPDEBUG", "TRAPZERR":
		return true
	}
	return false
}

// callFunction calls the function that words name, if they do.
func (w *walker) callFunction(words []argument, s scope) bool {
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
	c := w.newCommand(words)
	c.Name = baseName(c.Path) // as the line itself writes it
	c.Assignments, c.Redirects = s.assigned, s.redirects
	if !w.add(c, &s) {
		return true
	}
	s.parent = c
	s.redirectedBy(c)
	calls := 0
	for _, f := range w.functions {
		if f.body.name == words[0].Text {
			calls++
		}
		if f.body.name == words[0].Text && s.forks > f.forks && s.uncertain == f.uncertain && len(f.exits) == 0 {
			c.Multiplies = true
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
	w.walkBody(it.body, args, s)
	return true
}

// walkBody walks the body of a function that is called with args.
func (w *walker) walkBody(b *body, args *binding, s scope) {
	if b.called = true; !w.spend(callCost) {
		return
	}
	inner := b.scope
	inner.context, inner.pipe, inner.input, inner.out, inner.reading = s.context, s.pipe, s.input, s.out, s.reading
	inner.via, inner.depth, inner.parent, inner.remote, inner.in = s.via, s.depth, s.parent, s.remote, s.in
	inner.block = s.block
	inner.inputs, inner.outputs = s.inputs, s.outputs
	inner.forks, inner.uncertain, inner.flow = s.forks, s.uncertain, s.flow
	inner = inner.through(b.name + "()")
	params := w.env.get(nameOfParameters)
	f := &frame{body: b, loops: len(w.loops), mark: w.env.mark(), forks: s.forks, uncertain: s.uncertain}
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
		w.assign(a.Name, &binding{word: a.argument(s.at), exported: true})
	}
	w.stmt(b.stmt, &inner)
	w.loops = loops
	w.functions = w.functions[:len(w.functions)-1]
	if len(f.exits) > 0 {
		w.env.join(append(f.exits, w.env.takeBack(f.mark))...)
	}
	for text, items := range f.saved {
		w.env.set(name{variable, text}, items...)
	}
	w.env.set(nameOfParameters, params...)
}

// returnFromFunction is return.
func (w *walker) returnFromFunction() {
	if len(w.functions) > 0 {
		f := w.functions[len(w.functions)-1]
		f.exits = withExit(f.exits, w.env.changesSince(f.mark))
	}
	w.env.setEnded()
}

// walkUncalled reports what the functions do that nothing calls here: a later line
// may.
func (w *walker) walkUncalled() {
	for i := 0; i < len(w.bodies); i++ {
		b := w.bodies[i]
		if b.called || b.replaced || w.line.TooComplex {
			continue
		}
		w.env.forget(nameOfParameters)
		mark := w.env.mark()
		w.functions = append(w.functions, &frame{body: b})
		w.shells = append(w.shells, shellProcess{})
		b.scope.flow = b.scope.flow.inner(nil)
		b.scope.flow.repeats = true
		w.stmt(b.stmt, &b.scope)
		w.exit()
		w.functions = w.functions[:0]
		w.env.rollback(mark)
	}
}
