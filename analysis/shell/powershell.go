package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/windows"
	"github.com/luahook/luahook/internal/wordlist"
)

// cmdlet is what is known of a command of PowerShell or cmd.exe beside its words.
type cmdlet struct {
	items []item
	acts  []*Command // that do what it does
}

// cmdletGrammar marks options that have been read already.
var cmdletGrammar = grammar{Whole: true, Exact: true}

// paths returns what the commands do that stand for c.
func (d *cmdlet) paths(c *Command) []Path {
	var paths []Path
	for _, act := range d.acts {
		paths = append(paths, act.allPaths()...)
	}
	r := pathReader{command: c, dir: c.Dir}
	for i := range c.Redirects {
		r.redirect(&c.Redirects[i])
	}
	return append(paths, r.paths...)
}

// windowsShell reports what a shell of Windows is told to run, and whether c is one.
func (w *walker) windowsShell(c *Command, args []argument, s scope) bool {
	switch c.Name {
	case "powershell", "pwsh", "pwsh-preview", "powershell_ise":
		s.assigned, s.redirects, s.out, s.external = nil, nil, nil, true
		w.powershell(c, args, s)
		return true
	case "cmd":
		s.assigned, s.redirects, s.out, s.external = nil, nil, nil, true
		w.commandPrompt(c, args, s)
		return true
	case "forfiles":
		w.forfiles(c, args, s)
		return true
	}
	return w.windowsProgram(c, args, s)
}

// forfiles reports the line that forfiles has cmd.exe run for the files in a folder, as
// find does.
func (w *walker) forfiles(c *Command, args []argument, s scope) {
	at := place{c.Line, c.Column}
	folder, text := literal(".", at), literal(`cmd /c "echo {}"`, at)
	var mask *argument
	for i := 0; i+1 < len(args); i++ {
		switch strings.ToLower(args[i].Text) {
		case "/p", "-p":
			folder = args[i+1]
			folder.Text = strings.ReplaceAll(folder.Text, `\`, "/")
		case "/m", "-m":
			mask = &args[i+1]
		case "/c", "-c":
			text = args[i+1]
		}
	}
	for _, variable := range [...]string{"@path", "@file", "@relpath", "@PATH", "@FILE"} {
		text.Text = strings.ReplaceAll(text.Text, variable, "{}")
	}
	prompt, line, _ := strings.Cut(strings.TrimSpace(text.Text), " ")
	words := []argument{literal("find", at), folder}
	if mask != nil {
		words = append(words, literal("-name", at), *mask)
	}
	words = append(words, literal("-exec", at), literal(prompt, at))
	option, line, isPrompt := strings.Cut(strings.TrimSpace(line), " ")
	if words = append(words, literal(option, at)); isPrompt {
		rest := text
		rest.Text = line
		words = append(words, rest)
	}
	w.run(append(words, literal(";", at)), s.through(c.Name))
}

// noteWindowsDownload notes the file that certutil or bitsadmin fetches.
func (w *walker) noteWindowsDownload(c *Command, args []argument, s *scope) {
	fetches := false
	for _, arg := range args {
		option := strings.ToLower(strings.TrimLeft(arg.Text, "-/"))
		fetches = fetches || option == "urlcache" || option == "transfer" || option == "decode"
	}
	if last := len(args) - 1; fetches && last > 1 && !strings.Contains(args[last].Text, "://") {
		file := args[last]
		file.Text = strings.ReplaceAll(file.Text, `\`, "/")
		w.keepFile(file, argument{Word: Word{Dynamic: true}, from: []*Command{c}}, false, s)
	}
}

// valueOptions are the options of powershell.exe and pwsh that take a value,
// beside those with a program.
const valueOptions = "executionpolicy ex ep exec windowstyle w version v inputformat if outputformat of o configurationname config psconsolefile workingdirectory wd custompipename settingsfile settings configurationfile"

// powershell reports the script that powershell.exe or pwsh is given.
func (w *walker) powershell(c *Command, args []argument, s scope) {
	for i := 0; i < len(args); i++ {
		text := strings.ToLower(windows.WithHyphens(args[i].Text))
		if args[i].Dynamic && !strings.HasPrefix(text, "-") || len(text) < 2 || text[0] != '-' && text[0] != '/' || strings.Count(text, "/") > 1 {
			if c.Name == "pwsh" && strings.HasSuffix(text, ".ps1") {
				w.windowsScript(c, args[i], s)
				return
			}
			w.scriptText(c, c.Name, args[i:], s)
			return
		}
		option, _, _ := strings.Cut(strings.TrimLeft(text, "-/"), ":")
		switch {
		case option == "?" || option == "h" || option == "help":
			return
		case option == "c" || len(option) > 2 && strings.HasPrefix("command", option) || option == "co" || option == "cwa" || option == "commandwithargs":
			if i+1 < len(args) {
				w.scriptText(c, c.Name+" -Command", args[i+1:], s)
			}
			return
		case option == "f" || option == "fi" || option == "fil" || option == "file":
			if i+1 < len(args) {
				w.windowsScript(c, args[i+1], s)
			}
			return
		case option == "e" || option == "ec" || len(option) > 1 && strings.HasPrefix("encodedcommand", option):
			if i+1 < len(args) {
				w.encoded(c, args[i+1], s)
			}
			return
		case wordlist.Has(valueOptions, option) || len(option) > 1 && strings.HasPrefix("executionpolicy", option) || len(option) > 1 && strings.HasPrefix("windowstyle", option):
			i++
		}
	}
	if s.input != nil {
		s.at = place{c.Line, c.Column}
		w.windowsText(PowerShell, s.input.unread(), s.through(c.Name+" <"))
	}
}

// scriptText reports a script among the arguments.
func (w *walker) scriptText(c *Command, via string, words []argument, s scope) {
	text, ok := joinWords(words)
	if !ok {
		return
	}
	if text.Text == "-" {
		if s.input != nil {
			s.at = place{c.Line, c.Column}
			w.windowsText(PowerShell, s.input.unread(), s.through(c.Name+" <"))
		}
		return
	}
	if trimmed := strings.TrimSpace(text.Text); len(trimmed) > 1 && trimmed[0] == '{' && trimmed[len(trimmed)-1] == '}' {
		text.Text = trimmed[1 : len(trimmed)-1] // of another PowerShell it is a block
	}
	s.at = place{c.Line, c.Column}
	w.windowsText(PowerShell, text, s.through(via))
}

// encoded reports a script in base64.
func (w *walker) encoded(c *Command, word argument, s scope) {
	plain, ok := windows.Encoded(word.Text)
	if word.Dynamic || !ok || !w.spend(len(word.Text)) {
		inner := s.through(c.Name + " -EncodedCommand")
		w.add(&Command{Path: word.Text, Dynamic: true, NameDynamic: true, From: word.from, Line: c.Line, Column: c.Column}, &inner)
		return
	}
	word.Text = plain
	s.at = place{c.Line, c.Column}
	w.windowsText(PowerShell, word, s.through(c.Name+" -EncodedCommand"))
}

// windowsScript reports what is in a file of PowerShell or cmd.exe, if the line wrote it.
func (w *walker) windowsScript(c *Command, file argument, s scope) {
	if file.Text == "-" {
		if s.input != nil {
			w.windowsText(PowerShell, s.input.unread(), s.through(c.Name+" <"))
		}
		return
	}
	file.Text = strings.ReplaceAll(file.Text, `\`, "/")
	s.at = place{c.Line, c.Column}
	for _, text := range w.contents(file, &s) {
		w.windowsText(PowerShell, text, s.through(c.Name+" "+file.Text))
	}
}

// commandPrompt reports the line that cmd.exe is given.
func (w *walker) commandPrompt(c *Command, args []argument, s scope) {
	for i, arg := range args {
		text := strings.ToLower(arg.Text)
		if strings.HasPrefix(text, "//") { // as the shell of MSYS needs it
			text = text[1:]
		}
		switch {
		case len(text) < 2 || text[0] != '/':
			return
		case text[1] == 'c', text[1] == 'k', text[1] == 'r':
			words := args[i+1:]
			if len(text) > 2 { // /cdel
				first := arg
				first.Text = arg.Text[len(arg.Text)-len(text)+2:]
				words = append([]argument{first}, words...)
			}
			w.commandLine(c, words, s)
			return
		}
	}
	if s.input != nil {
		s.at = place{c.Line, c.Column}
		w.windowsText(Cmd, s.input.unread(), s.through(c.Name+" <"))
	}
}

func (w *walker) commandLine(c *Command, words []argument, s scope) {
	for i := range words {
		// What is quoted for another shell is quoted for cmd.exe, too, where it has blanks and isn't the line, or its
		// beginning: of that cmd.exe takes the quotes away unless they are around the file of a program. So PowerShell's
		// "rd /s /q \"C:\x\"", in which the second quote is the last, deletes both \ and C:\x.
		if first, _, _ := strings.Cut(words[i].Text, " "); i == 0 && !strings.ContainsAny(first, `\/:`) {
			continue
		}
		if len(words) > 1 && strings.ContainsAny(words[i].Text, " \t") && !strings.ContainsAny(words[i].Text, `"&|`) {
			words = append([]argument{}, words...)
			words[i].Text = `"` + words[i].Text + `"`
		}
	}
	text, ok := joinWords(words)
	if !ok {
		return
	}
	if line := strings.TrimSpace(text.Text); len(line) > 1 && line[0] == '"' && line[len(line)-1] == '"' {
		text.Text = line[1 : len(line)-1]
	}
	s.at = place{c.Line, c.Column}
	w.windowsText(Cmd, text, s.through(c.Name+" /c"))
}

// windowsText reports what a text of PowerShell or cmd.exe runs.
func (w *walker) windowsText(language Language, text argument, s scope) {
	if strings.HasSuffix(strings.Join(s.via, " "), " <") {
		s.input = nil
	}
	if s.depth > maxDepth || len(text.Text) > maxText || !w.spend(nestedText) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic && (len(text.from) > 0 || statementUnknown(text)) {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, From: text.from, Line: text.at.line, Column: text.at.column}, &s)
		if text.Text == "" || len(text.dynamic) == 1 && strings.TrimSpace(text.Text) == text.dynamic[0] {
			return
		}
	} else if !text.Dynamic && len(text.from) > 0 {
		s.decodedBy = text.from
	}
	options := windows.Options{
		Windows:  isDrive(w.options.Cwd) || isDrive(w.options.Home),
		Spend:    func(n int) bool { return w.spend(n) },
		Variable: func(name string) (windows.Word, bool) { return w.environmentOf(name, &s) },
		File:     func(name windows.Word) (windows.Word, bool) { return w.writtenText(name, &s) },
	}
	read := windows.PowerShell
	if language == Cmd {
		read = windows.Batch
	}
	p := read(text.Text, options)
	if p.TooComplex {
		w.line.TooComplex = true
	}
	if p.Err != nil && w.line.Err == nil && !text.Dynamic {
		failure := &SyntaxError{p.Err.Line, p.Err.Column, p.Err.Message}
		if len(s.via) > 0 {
			failure = &SyntaxError{text.at.line, text.at.column, "in the text of " + s.via[len(s.via)-1] + ": " + p.Err.Message}
		}
		w.line.Err = failure
	}
	r := &windowsReader{walker: w, scope: s, text: text, pipes: w.pipes, begin: len(w.line.Commands), commands: map[*windows.Call][]*Command{}}
	for _, call := range p.Calls {
		if w.line.TooComplex && len(w.line.Commands) >= maxCommands {
			return
		}
		r.call(call)
		w.pipes = max(w.pipes, r.pipes+call.Pipe)
	}
}

// environmentOf returns a variable that a nested shell gets from this one.
func (w *walker) environmentOf(text string, s *scope) (windows.Word, bool) {
	for i := len(s.assigned) - 1; i >= 0; i-- {
		if a := &s.assigned[i]; a.Name == text && !a.Append {
			return windows.Word{Text: a.Value.Text, Dynamic: a.Value.Dynamic, Home: a.Value.Home, Parts: []string{a.Value.Text}}, !a.Value.Dynamic
		}
	}
	it := w.choose(name{variable, text})
	if it == nil || it.unset || it.isList || !it.exported || it.word.Dynamic {
		return windows.Word{}, false
	}
	return windows.Word{Text: it.word.Text, Home: it.word.Home}, true
}

// writtenText returns what the line has written into a file.
func (w *walker) writtenText(name windows.Word, s *scope) (windows.Word, bool) {
	texts := w.contents(argument{Word: Word{Text: name.Text}}, s)
	if len(texts) == 0 || texts[len(texts)-1].Dynamic {
		return windows.Word{}, false
	}
	return windows.Word{Text: texts[len(texts)-1].Text}, true
}

// windowsReader reports the calls of a text as commands.
type windowsReader struct {
	*walker
	scope    scope
	text     argument
	pipes    int // before the text
	begin    int // how many commands stand before it
	commands map[*windows.Call][]*Command
}

// word returns a word as the walker has it.
func (r *windowsReader) word(word windows.Word, at place) argument {
	a := argument{Word: Word{Text: word.Text, Quoted: word.Quoted, Glob: word.Glob}, at: at}
	if word.Home && strings.HasPrefix(word.Text, "~") && (len(word.Text) == 1 || word.Text[1] == '/' || word.Text[1] == '\\') {
		home := r.home()
		a.Text, a.Home = home.Text+word.Text[1:], home.Home
		if home.Dynamic {
			a.Dynamic, a.dynamic = true, home.dynamic
		}
	}
	if word.Dynamic {
		for i, part := range word.Parts {
			if i < maxSources && part != "" {
				a = a.marked(part)
			}
		}
		if a.Dynamic = true; len(a.dynamic) == 0 {
			a.dynamic = []string{a.Text}
		}
		if word.Temporary && len(word.Parts) > 0 && strings.HasPrefix(a.Text, word.Parts[0]) {
			a.lead, a.temporary = word.Parts[0], true
		}
	}
	for _, source := range r.text.dynamic {
		if source != "" && strings.Contains(word.Text, source) {
			a = a.marked(source)
			a.from = r.text.from
		}
	}
	a.from = mergeCommands(a.from, r.from(word.From))
	return a
}

func (r *windowsReader) words(list []windows.Word, at place) []argument {
	words := make([]argument, len(list))
	for i := range list {
		words[i] = r.word(list[i], at)
	}
	return words
}

// from returns the commands of calls.
func (r *windowsReader) from(calls []*windows.Call) []*Command {
	var from []*Command
	for _, call := range calls {
		from = mergeCommands(from, r.commands[call])
	}
	return from
}

// scopeOf is where a call stands.
func (r *windowsReader) scopeOf(call *windows.Call, at place) scope {
	s := r.scope
	s.external = true
	for _, via := range call.Via {
		s = s.through(via)
	}
	if call.Parent != nil {
		if above := r.commands[call.Parent]; len(above) > 0 {
			s.parent = above[0]
		}
	}
	if call.Context != "" {
		s.context = call.Context
		s.status.hidden = true
	}
	if call.Pipe > 0 {
		s.pipe = r.pipes + call.Pipe
	}
	if call.Remote {
		s = r.otherMachine(s)
	}
	for _, dir := range call.Dirs {
		s.chdir(r.word(dir, at))
	}
	for _, setting := range call.Environment {
		value := r.word(setting.Value, at)
		s.assigned = append(s.assigned[:len(s.assigned):len(s.assigned)], Assignment{Name: setting.Name, Value: value.Word})
	}
	if call.Input != nil {
		input := r.word(*call.Input, at)
		s.input = &input
	}
	return s
}

// call reports a call.
func (r *windowsReader) call(call *windows.Call) {
	at := place{call.Line, call.Column}
	if len(r.scope.via) > 0 || r.scope.at.line > 0 {
		at = r.scope.at
	}
	s := r.scopeOf(call, at)
	r.knowMissing(r.words(call.Missing, at), r.begin, &s)
	start := len(r.line.Commands)
	var redirects []Redirect
	for _, redirect := range call.Redirects {
		file := r.word(redirect.File, at)
		redirects = append(redirects, Redirect{Op: redirect.Operator, Fd: -1, Target: file.Word, Dynamic: file.Dynamic})
		if s.input == nil {
			s.input = r.fileInput(file, &s)
		}
	}
	acts := make([]windows.Act, 0, len(call.Acts))
	var written []windows.Act // by redirections
	for _, act := range call.Acts {
		if act.File == nil || act.Via == "" || act.Via[0] == '[' || act.Via[0] == '.' {
			acts = append(acts, act)
			continue
		}
		file := r.word(*act.File, at)
		redirects = append(redirects, Redirect{Op: strings.TrimLeft(act.Via, "0123456789*"), Fd: -1, Target: file.Word, Dynamic: file.Dynamic})
		written = append(written, act)
	}
	s.redirects = redirects
	var c *Command
	switch {
	case call.Name != "":
		c = r.cmdlet(call, s, at)
		if c == nil {
			return
		}
	case len(call.Words) > 0:
		words := r.words(call.Words, at)
		words[0].Glob = false
		slashed(words)
		r.nameHere(words, &s)
		words[0].from = mergeCommands(words[0].from, r.from(call.From))
		r.run(words, s)
	case len(redirects) > 0:
		c := &Command{Redirects: redirects, Line: at.line, Column: at.column}
		for i := range redirects {
			c.Dynamic = c.Dynamic || redirects[i].Dynamic
		}
		r.add(c, &s)
	}
	r.commands[call] = r.line.Commands[start:len(r.line.Commands):len(r.line.Commands)]
	s.redirects = nil
	for _, act := range written {
		r.keep(act, s, at, call)
	}
	inner := s
	if c != nil {
		inner.parent = c
	}
	inner.assigned, inner.input = nil, nil
	for _, act := range acts {
		if len(act.Words) > 0 && (act.Words[0].Text == "curl" || act.Words[0].Text == "xargs") { // the others have it in their words
			inner.input = s.input
		} else {
			inner.input = nil
		}
		r.act(&act, call, inner, at)
	}
	if c != nil {
		for _, other := range r.line.Commands[start:] {
			if other.Parent == c && other != c {
				c.cmdlet.acts = append(c.cmdlet.acts, other)
			}
		}
	}
	r.commands[call] = r.line.Commands[start:len(r.line.Commands):len(r.line.Commands)]
}

// keep remembers what a redirection has written.
func (r *windowsReader) keep(act windows.Act, s scope, at place, call *windows.Call) {
	text := argument{Word: Word{Dynamic: true}, at: at, from: r.commands[call]}
	if act.Text != nil {
		text = r.word(*act.Text, at)
	}
	r.keepFile(r.word(*act.File, at), text, act.Add, &s)
}

// cmdlet reports a cmdlet, or a command that is a part of cmd.exe.
func (r *windowsReader) cmdlet(call *windows.Call, s scope, at place) *Command {
	words := r.words(call.Words, at)
	words[0].Dynamic, words[0].Glob = false, false
	c := r.newCommand(words)
	c.Name, c.NameDynamic = call.Name, false
	c.Assignments, c.Redirects = s.assigned, s.redirects
	d := &cmdlet{}
	for _, p := range call.Parameters {
		o := item{index: min(p.Word-1, max(len(c.Args)-1, 0)), name: p.Name, kind: alone, value: p.Value, valued: p.Valued, source: p.Word - 1, grammar: &cmdletGrammar}
		d.items = append(d.items, o)
	}
	for _, at := range call.Operands {
		if at > 0 && at <= len(c.Args) {
			d.items = append(d.items, item{index: at - 1})
		}
	}
	c.cmdlet = d
	if len(call.From) > 0 {
		c.From = r.from(call.From)
	}
	if !r.add(c, &s) {
		return nil
	}
	return c
}

// act reports what a call does.
func (r *windowsReader) act(act *windows.Act, call *windows.Call, s scope, at place) {
	via := act.Via
	if via == "" {
		via = call.Name
	}
	inner := s.through(via)
	if len(act.Words) > 0 && act.Words[0].Text == "which" {
		inner.context = "substitution" // what it finds is a value
	}
	switch {
	case act.Code != nil:
		word := r.word(*act.Code, at)
		c := &Command{Path: word.Text, Dynamic: true, NameDynamic: true, From: mergeCommands(r.from(act.From), word.from), Line: at.line, Column: at.column}
		r.add(c, &inner)
	case act.File != nil:
		var text *argument
		if act.Text != nil {
			word := r.word(*act.Text, at)
			text = &word
		}
		operator := ">"
		if act.Add {
			operator = ">>"
		}
		r.overwrite(r.word(*act.File, at), operator, text, inner)
	case len(act.Words) > 0:
		words := r.words(act.Words, at)
		words[0].from = mergeCommands(words[0].from, r.from(act.From))
		if via == "Start-Process" || via == "start" {
			r.nameHere(words, &inner)
		}
		r.walker.run(words, inner)
	}
}

// nameHere lets the name of a program stand for a file that the line has written into
// the folder: cmd.exe looks there first.
func (r *windowsReader) nameHere(words []argument, s *scope) {
	if words[0].Dynamic || len(r.files) == 0 || strings.Contains(words[0].Text, "/") {
		return
	}
	for _, suffix := range [...]string{"", ".exe", ".bat", ".cmd"} {
		there := words[0]
		if there.Text = "./" + there.Text + suffix; r.contents(there, s) != nil {
			words[0] = there
			return
		}
	}
}

// languageOfFile returns the language of Windows that a script has by its name, ""
// where it has none of those.
func languageOfFile(name string) Language {
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".ps1"):
		return PowerShell
	case strings.HasSuffix(name, ".bat"), strings.HasSuffix(name, ".cmd"):
		return Cmd
	}
	return ""
}
