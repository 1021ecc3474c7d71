package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/analysis/shell/recipes"
	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/internal/wordlist"
)

// shellProgram reports what a command that runs text in a shell runs: a shell
// itself, eval, source and trap.
func (w *walker) shellProgram(c *Command, args []argument, s scope) bool {
	switch {
	case isShell(c.Name):
		w.shell(c, args, s)
		return true
	case c.Name == "eval" || c.Name == "source" || c.Name == ".":
		defer w.assignForNow(s.assigned, &s)()
	}
	switch {
	case c.Name == "eval":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if text, ok := joinWords(args); ok {
			w.textHere(text, "eval", s)
		}
	case c.Name == "source" || c.Name == ".":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if len(args) > 0 {
			w.source(args, c.Name, s)
		}
	case c.Name == "trap":
		w.trap(args, s)
	default:
		return false
	}
	return true
}

// assignForNow carries out the assignments before a builtin, and returns what takes
// them back.
func (w *walker) assignForNow(assigned []Assignment, s *scope) func() {
	saved := map[string][]*binding{}
	for _, a := range assigned {
		if _, ok := saved[a.Name]; !ok {
			saved[a.Name] = w.env.get(name{variable, a.Name})
		}
		w.assign(a.Name, &binding{word: a.argument(s.at), exported: true})
	}
	return func() {
		for text, items := range saved {
			w.env.set(name{variable, text}, items...)
		}
	}
}

func (w *walker) trap(args []argument, s scope) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	p := &w.shells[len(w.shells)-1]
	if len(args) > 1 && (args[0].Text == "-" || args[0].Text == "") && !args[0].Dynamic {
		if s.context == "" && !w.inFunction() && slices.ContainsFunc(args[1:], isExit) {
			p.traps = nil
		}
		return
	}
	if len(args) < 2 || strings.HasPrefix(args[0].Text, "-") {
		return
	}
	p.traps = append(p.traps, pendingTrap{args[0], s})
	for _, signal := range args[1:] {
		if !isExit(signal) {
			mark := w.env.mark()
			w.textHere(args[0], "trap", s) // it may run at any time, or never
			w.env.join(w.env.takeBack(mark), nil)
			return
		}
	}
}

// isExit reports whether a word of trap stands for the end of the shell.
func isExit(signal argument) bool { return signal.Text == "EXIT" || signal.Text == "0" }

// shell reports the commands in the text that a shell is given.
func (w *walker) shell(c *Command, args []argument, s scope) {
	items, rest := shellGrammar.scan(c.Args, "")
	text, standardInput := false, rest == len(args)
	noExec, interactive := false, false
	for _, o := range items {
		switch o.name {
		case "-n":
			noExec = true
		case "+n":
			noExec = false
		case "-i":
			interactive = true
		case "-c":
			text = true
		case "-s":
			standardInput = true
		case "--version", "--help":
			return
		case "--rcfile", "--init-file":
			if o.valued && !noExec {
				w.script(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s, nil)
			}
		}
	}
	if noExec && !interactive { // it only checks the syntax
		return
	}
	w.startupFiles(c, s)
	switch {
	case text && rest < len(args):
		t := shellText{}
		if rest+1 < len(args) {
			t.self, t.args = args[rest+1], args[rest+2:]
		}
		w.textWithArgs(args[rest], c.Name+" -c", s, t)
	case text:
	case standardInput:
		if s.input != nil {
			w.textWithArgs(s.input.unread(), c.Name+" <", s, shellText{args: args[min(rest, len(args)):]})
		}
	default:
		w.script(args[rest], c.Name, s, args[rest+1:])
	}
}

// startupFiles reports the file that BASH_ENV names, which a shell reads first.
func (w *walker) startupFiles(c *Command, s scope) {
	for _, a := range c.Assignments {
		if a.Name == "BASH_ENV" && a.Value.Dynamic && a.file == nil {
			w.unreadable([]argument{a.argument(s.at)}, s.through(a.Name))
			return
		}
		if a.Name == "BASH_ENV" || a.Name == "ENV" {
			w.script(a.argument(s.at), a.Name, s, nil)
			return
		}
	}
	if it := w.choose(name{variable, "BASH_ENV"}); it != nil && it.exported && !it.isList {
		w.script(it.word, "BASH_ENV", s, nil)
	}
}

// script reports the commands in a file, if the file is one of the line's own
// making: its standard input, a process substitution or what it wrote.
func (w *walker) script(file argument, name string, s scope, args []argument) {
	if fd, ok := descriptorOf(file.Text); ok {
		if text := w.descriptor(fd, &s); text != nil {
			w.textWithArgs(text.unread(), name+" <", s, shellText{self: file, args: args})
		}
		return
	}
	if file.file != nil {
		w.textWithArgs(*file.file, name+" <", s, shellText{self: file, args: args})
		return
	}
	for _, text := range w.contents(file, &s) {
		w.textWithArgs(text, name+" "+file.Text, s, shellText{self: file, args: args})
	}
}

// source is script in the shell that is under way.
func (w *walker) source(words []argument, name string, s scope) {
	file := words[0]
	var texts []argument
	fd, isDescriptor := descriptorOf(file.Text)
	switch {
	case isDescriptor:
		if text := w.descriptor(fd, &s); text != nil {
			texts = append(texts, text.unread())
		}
	case file.file != nil:
		texts = append(texts, *file.file)
	default:
		texts = w.contents(file, &s)
	}
	for _, text := range texts {
		via := name + " " + file.Text
		if isDescriptor || file.file != nil {
			via = name + " <"
		}
		params := w.env.get(nameOfParameters)
		if len(words) > 1 {
			w.parameters(words[1:])
		}
		w.textHere(text, via, s)
		if len(words) > 1 {
			w.env.set(nameOfParameters, params...)
		}
	}
}

// shellText is what a shell gets beside the text that it runs.
type shellText struct {
	self argument   // $0
	args []argument // $1 and the rest
}

// text reports the commands in text, which is run by a shell of its own.
func (w *walker) text(text argument, via string, s scope) { w.textWithArgs(text, via, s, shellText{}) }

func (w *walker) textWithArgs(text argument, via string, s scope, t shellText) {
	if !w.spend(shellCost) {
		return
	}
	outer, functions, loops, attributes := w.env, w.functions, w.loops, w.attributes
	w.env = &environment{outer: outer, work: outer.work}
	if s.remote || s.cleared {
		w.env.outer = nil // what it gets isn't known
	}
	for _, hidden := range s.unset {
		w.env.forget(name{variable, hidden})
	}
	w.functions, w.loops, w.attributes = nil, nil, nil
	dir := w.outerDir(outer, &s)
	w.env.set(name{kind: folder}, &binding{word: dir})
	w.env.set(nameOfParameters, &binding{word: t.self, list: t.args, isList: true})
	for _, a := range s.assigned {
		if setAtStart(a.Name) {
			continue
		}
		if a.Append || a.Value.Dynamic && a.Value.Text == "" {
			w.env.set(name{variable, a.Name}, &binding{unknown: true, word: argument{from: a.from}})
			continue
		}
		w.env.set(name{variable, a.Name}, &binding{word: a.argument(s.at), exported: true})
	}
	s.chdirs, s.cleared, s.unset = nil, false, nil
	for _, a := range s.assigned { // a function, as bash hands it on
		if isPrompt(a.Name) {
			w.reexpand(argument{Word: a.Value, at: s.at}, a.Name, s)
		}
		if function, ok := strings.CutSuffix(a.Name, "%%"); ok && strings.HasPrefix(function, "BASH_FUNC_") {
			definition := argument{Word: a.Value, at: s.at}
			definition.Text = strings.TrimPrefix(function, "BASH_FUNC_") + a.Value.Text
			w.textHere(definition, a.Name, s)
		}
	}
	w.shells = append(w.shells, shellProcess{})
	w.textHere(text, via, s)
	w.exit()
	w.env, w.functions, w.loops, w.attributes = outer, functions, loops, attributes
}

// setAtStart reports whether a shell gives a variable a value of its own when
// it starts, whatever it is told from outside.
func setAtStart(text string) bool { return text == "IFS" || text == "PWD" }

// textHere reports the commands in text, which is run by the shell under way.
func (w *walker) textHere(text argument, via string, s scope) {
	if text.at.line == 0 && s.parent != nil { // as that of a file has none
		text.at = place{s.parent.Line, s.parent.Column}
	}
	s = s.through(via)
	s.assigned, s.redirects, s.external = nil, nil, false
	if strings.HasSuffix(via, " <") {
		s.input = nil
	}
	if s.depth > maxDepth || len(text.Text) > maxText || !w.spend(nestedText+textCost*len(text.Text)) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, From: text.from, Line: text.at.line, Column: text.at.column}, &s)
	} else if len(text.from) > 0 {
		s.decodedBy = text.from
	}
	text.Text = asBash(text.Text)
	file, read, failure := w.parse(text.Text, strings.HasPrefix(via, "zsh") || via == "eval")
	if text.Dynamic && s.out != nil && (text.Text == "" || isVariable(file, markOf(text))) {
		s.out.add(argument{Word: Word{Dynamic: true}, from: text.from}, s.parent)
	}
	if failure != nil && !text.Dynamic && w.line.Err == nil {
		w.line.Err = &SyntaxError{text.at.line, text.at.column, "in the text of " + via + ": " + failure.Error()}
	}
	if text.Dynamic && isVariable(file, markOf(text)) {
		return // the command above says it all
	}
	walked := text.dynamic
	if s.placeholder != "" && strings.Contains(text.Text, s.placeholder) {
		walked = append(walked[:len(walked):len(walked)], s.placeholder)
	}
	s.source, s.at, s.nested, s.unknownSources = read.text, text.at, true, walked
	w.stmts(file.Stmts, &s)
}

// markOf is what is replaced in a text, if that is all of it.
func markOf(text argument) string {
	if len(text.dynamic) == 1 && text.dynamic[0] == text.Text {
		return text.Text
	}
	return ""
}

// isVariable reports whether file is a single dynamic word, or mark alone.
func isVariable(file *syntax.File, mark string) bool {
	if len(file.Stmts) != 1 {
		return false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if ok && mark != "" && len(call.Args) == 1 && call.Args[0].Lit() == mark {
		return true
	}
	if !ok || len(call.Args) != 1 || len(call.Args[0].Parts) != 1 || len(call.Assigns)+len(file.Stmts[0].Redirs) > 0 {
		return false
	}
	switch call.Args[0].Parts[0].(type) {
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		return true
	}
	return false
}

// su reports what su and runuser run as another user: the text of -c, the
// words behind the user as the arguments of the user's shell, or with -u of
// runuser a command.
func (w *walker) su(c *Command, args []argument, s scope) {
	g := runsBy(c.Name)
	var text *argument
	var operands []argument
	shell := literal("sh", place{c.Line, c.Column})
	direct := false
	items, _ := g.scan(c.Args, "")
	inner := s.through(c.Name)
	inner.external = true
	for _, o := range items {
		switch value := valueOf(args, o.index, o.source, o.value); {
		case o.name == "":
			operands = append(operands, args[o.index])
		case o.kind == unknown:
			w.unreadable(args[min(o.index+1, len(args)):], inner)
			return
		case wordlist.Has("-h -V --help --version", o.name):
			return
		case (o.name == "-c" || o.name == "--command" || o.name == "--session-command") && o.valued:
			if text == nil {
				text = &value
			}
		case (o.name == "-s" || o.name == "--shell") && o.valued:
			shell = value
		case c.Name == "runuser" && (o.name == "-u" || o.name == "--user"):
			direct = true
		}
		if direct { // its command begins at the first word that is no option
			break
		}
	}
	switch {
	case direct:
		ended := *g
		ended.First = true
		_, rest := ended.scan(c.Args, "")
		if rest < len(args) {
			w.run(args[rest:], inner)
		}
	case text != nil:
		w.text(*text, c.Name+" -c", s)
	case len(operands) > 1:
		w.run(append([]argument{shell}, operands[1:]...), inner)
	case s.input != nil:
		w.text(s.input.unread(), c.Name+" <", s)
	}
}

// valueOf is valueFrom for an item that may be an operand.
func valueOf(args []argument, index, source int, value string) argument {
	return valueFrom(args, max(index, source), value)
}

// capsh reports what stands behind "--", which are the arguments of a shell.
func (w *walker) capsh(c *Command, args []argument, s scope) {
	inner := s.through(c.Name)
	inner.external = true
	for i, arg := range args {
		switch {
		case arg.Text == "--" || arg.Text == "-+":
			w.run(append([]argument{literal("bash", arg.at)}, args[i+1:]...), inner)
			return
		case arg.Text == "==" || arg.Text == "=+" || strings.HasPrefix(arg.Text, "--shell="): // another capsh, or shell
			w.unreadable(args[i+1:], inner)
			return
		}
	}
}

// foreignText reports that a text is run in a language that isn't read here: that of
// an option, or of the standard input. It returns whether c runs such texts.
func (w *walker) foreignText(c *Command, args []argument, s scope) bool {
	foreign := foreignOf(c.Name)
	if foreign == nil {
		return false
	}
	for i, arg := range args {
		option, value, joined := strings.Cut(arg.Text, "=")
		switch {
		case !wordlist.Has(foreign.Text, option):
		case joined:
			w.unknownText(c.Name, option, []argument{{Word: Word{Text: value}, at: arg.at}}, s)
			return true
		case i+1 < len(args):
			w.unknownText(c.Name, option, args[i+1:], s)
			return true
		}
	}
	if s.input != nil && (len(args) == 0 || args[len(args)-1].Text == "-") {
		w.unknownText(c.Name, "<", []argument{s.input.unread()}, s)
	}
	return true
}

// foreignOf returns how a program runs a text in a language that isn't read
// here, nil for one that doesn't. What such a text does isn't known.
func foreignOf(name string) *programs.Foreign {
	if p := programs.Of(name); p != nil {
		return p.Foreign
	}
	return nil
}

// unknownText reports a text in a language that isn't read here.
func (w *walker) unknownText(program, option string, words []argument, s scope) {
	via := program + " " + option
	if !foreignOf(program).ShellLike {
		w.unreadable(words[:1], s.through(via))
		if !words[0].Dynamic {
			w.program(plainProgram(program), words[0], via, s)
		}
		return
	}
	text := words[0]
	text.Dynamic = true // it isn't read as the program would
	w.text(text, via, s)
}

// builds reports what a build tool runs of a file that the line wrote, or of a text that it is given.
func (w *walker) builds(c *Command, args []argument, s scope) {
	switch c.Name {
	case "make", "gmake", "bmake", "remake":
		w.make(c, args, s)
		return
	case "npm":
		w.setsScript(args, &s)
	}
	if len(w.files) == 0 {
		return
	}
	w.compiles(c, args, s)
	w.loads(c, s)
	w.builtByRecipe(c, s)
}

// builtByRecipe reports what a build tool runs of a recipe that the line wrote.
func (w *walker) builtByRecipe(c *Command, s scope) {
	switch c.Name {
	case "just":
		w.built(c, s, "-f --justfile", "justfile Justfile .justfile", func(text string) []string { return recipes.Just(text, texts(c.Operands())) })
	case "task", "go-task":
		w.built(c, s, "-t --taskfile", "Taskfile.yml Taskfile.yaml taskfile.yml", func(text string) []string { return recipes.Tasks(text, texts(c.Operands())) })
	case "ninja", "ninja-build", "samu":
		w.built(c, s, "-f", "build.ninja", recipes.Ninja)
	case "direnv":
		if wordlist.Has("allow exec reload permit grant", c.Subcommand()) {
			w.built(c, s, "", ".envrc", func(text string) []string { return []string{text} })
		}
	case "npm", "yarn", "pnpm", "bun":
		scripts := scriptsOf(c)
		w.built(c, s, "", "package.json", func(text string) (commands []string) {
			for _, script := range scripts {
				commands = append(commands, recipes.Package(text, script)...)
			}
			return commands
		})
	}
}

// scriptsOf returns the scripts of package.json that a package manager of Node runs.
func scriptsOf(c *Command) []string {
	named, verb := texts(c.Operands()), ""
	if len(named) > 0 {
		verb = named[0]
	}
	switch {
	case wordlist.Has("run run-script rum urn", verb) && len(named) > 1:
		return named[1:2]
	case wordlist.Has("install i ci add it", verb) || verb == "" && c.Name == "yarn":
		return []string{"install", "prepare", "dependencies"}
	case wordlist.Has("test t tst", verb):
		return []string{"test"}
	}
	return []string{verb}
}

func texts(words []Word) []string {
	list := make([]string, len(words))
	for i := range words {
		list[i] = words[i].Text
	}
	return list
}

// built reports the commands that read finds in the file of an option, or in one of the usual names.
func (w *walker) built(c *Command, s scope, options, names string, read func(text string) []string) {
	for _, o := range c.items() {
		if o.valued && (wordlist.Has(options, o.name) || wordlist.Has(startsIn(c.Name), o.name)) {
			if wordlist.Has(options, o.name) {
				names = o.value
			} else {
				s.chdir(literal(o.value, s.at))
			}
		}
	}
	for file := range strings.FieldsSeq(names) {
		for _, text := range w.contents(literal(file, s.at), &s) {
			w.recipe(c.Name+" "+file, text, s, read)
		}
	}
}

// recipe reports the commands that read finds in a text.
func (w *walker) recipe(via string, text argument, s scope, read func(text string) []string) {
	if !w.spend(nestedText + textCost*len(text.Text)) {
		return
	}
	for _, command := range read(text.Text) {
		line := argument{Word: Word{Text: command}, at: text.at, from: text.from}
		if line.dynamic = containedIn(command, text.dynamic); len(line.dynamic) > 0 {
			line.Dynamic = true
		}
		w.text(line, via, s)
	}
}

// make reports what make runs for its targets.
func (w *walker) make(c *Command, args []argument, s scope) {
	var goals, files []string
	var given []argument
	set := map[string]string{}
	for _, o := range c.items() {
		word := o.value
		if o.name == "" {
			word = args[o.index].Text
		}
		switch name, value, assigns := strings.Cut(word, "="); {
		case wordlist.Has("-n --just-print --dry-run --recon -q --question -h --help -v --version", o.name):
			return
		case wordlist.Has("-f --file --makefile", o.name):
			if at := valueFrom(args, o.source, o.value); at.file != nil { // <(...)
				given = append(given, *at.file)
			}
			files = append(files, o.value)
		case o.name == "--eval" || o.name == "-E":
			given = append(given, valueFrom(args, o.source, o.value))
		case o.name != "" && wordlist.Has(startsIn("make"), o.name):
			s.chdir(valueFrom(args, o.source, o.value))
		case o.name != "":
		case assigns:
			set[strings.TrimRight(name, ":?+")] = value
		default:
			goals = append(goals, word)
		}
	}
	if len(files) == 0 {
		files = []string{"GNUmakefile", "makefile", "Makefile"}
	}
	for _, file := range files {
		if fd, ok := descriptorOf(file); file == "-" || ok {
			if text := w.descriptor(fd, &s); text != nil {
				given = append(given, text.unread())
			}
			continue
		}
		given = append(given, w.contents(literal(file, s.at), &s)...)
	}
	for _, text := range given {
		w.recipe(c.Name, text, s, func(text string) []string { return recipes.Make(text, goals, set) })
	}
}

// setsScript notes the script that npm pkg set writes into package.json.
func (w *walker) setsScript(args []argument, s *scope) {
	if len(args) < 3 || args[0].Text != "pkg" || args[1].Text != "set" {
		return
	}
	for _, arg := range args[2:] {
		key, command, _ := strings.Cut(arg.Text, "=")
		if script, ok := strings.CutPrefix(key, "scripts."); ok {
			text := literal(`{"scripts":{`+strconv.Quote(script)+":"+strconv.Quote(command)+"}}", arg.at)
			w.keepFile(literal("package.json", arg.at), text, false, s)
		}
	}
}
