package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/script"
	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// language is how an interpreter of another language is told what to run.
type language struct {
	*programs.Interprets
	options *grammar
}

// languageOf returns the language of an interpreter, nil for what is none: that
// of python3.12-dbg is that of python.
func languageOf(name string) *language {
	p := programs.Of(name)
	if p == nil {
		p = programs.Of(strings.TrimRight(strings.TrimSuffix(name, "-dbg"), "0123456789.-"))
	}
	if p == nil || p.Interprets == nil {
		return nil
	}
	return &language{p.Interprets, optionsOr(&p.Interprets.Options, p)}
}

// read reads a program.
func (l *language) read(source string) script.Program {
	switch l.Language {
	case "python":
		return script.Python(source)
	case "javascript":
		return script.JavaScript(source)
	case "perl":
		return script.Perl(source)
	case "ruby":
		return script.Ruby(source)
	case "php":
		return script.PHP(source)
	case "awk":
		return script.Awk(source)
	case "applescript":
		return appleScript(source)
	case "plain":
		return script.Plain(source)
	}
	return luaProgram(source)
}

// language reports what a program in another language, which c is given, runs,
// deletes and overwrites. It returns whether c is an interpreter of one.
func (w *walker) language(c *Command, args []argument, s scope) bool {
	l := languageOf(c.Name)
	if l == nil {
		return false
	}
	s.assigned, s.redirects, s.out, s.external = nil, nil, nil, true
	before := len(w.line.Commands)
	w.interpret(l, c, args, s)
	// Some are more than interpreters: bun x runs a package.
	return !l.Manages && l.Verbs == "" && !l.Tool || len(w.line.Commands) > before
}

// interpreted is what the options of an interpreter come to.
type interpreted struct {
	via   string
	codes []argument
	files []argument
	loads []string
	sets  []argument // of awk -v

	args     []argument // what follows
	operand  bool       // the first of them is the program
	rewrites bool       // each of them is overwritten
	stopped  bool
	timed    bool       // python -m timeit: they're programs
	module   []argument // python -m: a module that is a program, and its arguments
}

// interpret finds the programs that an interpreter is given.
func (w *walker) interpret(l *language, c *Command, args []argument, s scope) {
	if l.Verbs != "" || l.Tool {
		w.subcommand(l, c, args, s)
		return
	}
	if l.Verb != "" && (len(args) == 0 || args[0].Text != l.Verb) {
		w.otherVerb(l, c, args, s)
		return
	}
	if l.Verb != "" {
		c = &Command{Name: c.Name + " " + l.Verb, Args: c.Args[1:]}
		args = args[1:]
	}
	r := l.readOptions(c, args, &s)
	if len(r.module) > 0 {
		file := r.module[0]
		file.Text = strings.ReplaceAll(file.Text, ".", "/") + ".py"
		w.programFile(&program{language: l, name: c.Name, args: r.module[1:]}, &r, file, s)
		w.run(r.module, s.through(c.Name+" -m"))
		return
	}
	if r.stopped && !r.timed {
		return
	}
	if c.Name == "bun" && len(r.codes) == 0 && len(r.args) > 0 && r.args[0].Text == "run" {
		r.args = r.args[1:]
	}
	if len(r.codes)+len(r.files) == 0 && (l.Operand || r.operand) && len(r.args) > 0 {
		r.codes, r.args = r.args[:1], r.args[1:]
		if r.via == "" {
			r.via = c.Name
		}
	}
	p := program{language: l, name: c.Name, args: r.args}
	if len(r.codes) == 1 && r.codes[0].Text == "-" && l.Operand { // rails runner -
		if r.codes = nil; s.input != nil {
			r.codes = append(r.codes, s.input.unread())
		}
	}
	switch {
	case r.timed:
		for _, code := range r.args {
			w.program(&p, code, c.Name+" -m", s)
		}
	case len(r.codes) > 0:
		code, _ := concatenate(r.codes, "\n")
		w.program(&p, l.prepared(code, &r), r.via, s)
	case len(r.files) > 0:
		for _, file := range r.files {
			w.programFile(&p, &r, file, s)
		}
	case l.Operand:
	case len(r.args) == 0 || r.args[0].Text == "-":
		p.args = r.args[min(1, len(r.args)):]
		if s.input != nil {
			w.program(&p, l.prepared(s.input.unread(), &r), c.Name+" <", s)
		}
	case isTool(r.args[0].Text):
		w.run(r.args, s.through(c.Name))
	default:
		p.args = r.args[1:]
		w.programFile(&p, &r, r.args[0], s)
		r.args = r.args[1:]
	}
	if r.rewrites {
		for _, file := range r.args {
			if l.Language != "awk" || !strings.Contains(file.Text, "=") {
				w.overwrite(file, ">", nil, s.through(c.Name+" -i"))
			}
		}
	}
}

// subcommand reports the program that a subcommand of c is given, if it is an interpreter.
func (w *walker) subcommand(l *language, c *Command, args []argument, s scope) {
	_, at := l.options.scan(c.Args, "")
	if at >= len(args) || args[at].Dynamic || !wordlist.Has(l.Verbs, args[at].Text) {
		return
	}
	name := c.Name + " " + args[at].Text
	if verb := languageOf(name); verb != nil {
		w.interpret(verb, &Command{Name: name, Args: c.Args[at+1:]}, args[at+1:], s)
	}
}

// isTool reports whether a file with a program is known as a program of its own: manage.py, artisan.
func isTool(file string) bool {
	p := programs.Of(baseName(file))
	return p != nil && p.Interprets != nil && p.Interprets.Tool
}

// otherVerb reports the program of deno run -, and of a file that the line
// wrote.
func (w *walker) otherVerb(l *language, c *Command, args []argument, s scope) {
	if len(args) == 0 || args[0].Text != "run" {
		return
	}
	_, rest := l.options.scan(c.Args[1:], "")
	if args = args[1:]; rest < len(args) {
		p := program{language: l, name: c.Name, args: args[rest+1:]}
		w.programFile(&p, new(interpreted), args[rest], s)
	}
}

// readOptions reads the options of c.
func (l *language) readOptions(c *Command, args []argument, s *scope) (r interpreted) {
	items, rest := l.options.scan(c.Args, "")
	r.args = args[rest:]
	for _, o := range items {
		if o.name == "" {
			break
		}
		value := o.argument(args)
		switch {
		case wordlist.Has(l.Stops, o.name):
			r.stopped = true
			r.timed = l.Language == "python" && o.name == "-m" && value.Text == "timeit"
			if r.timed {
				r.args = timedCode(args[max(o.source, o.index)+1:])
			} else if l.Language == "python" && o.name == "-m" && o.valued && !value.Dynamic {
				r.module = append([]argument{value}, args[max(o.source, o.index)+1:]...)
			}
		case wordlist.Has(l.Code, o.name):
			if !o.valued {
				r.stopped = true // a mistake
				break
			}
			// Ruby's and Perl's -e are named alike whatever they're bundled with.
			r.codes, r.via = append(r.codes, value), c.Name+" "+o.name
		case wordlist.Has(l.Files, o.name) && o.valued:
			r.files = append(r.files, value)
		case wordlist.Has(l.Printing, o.name):
			r.operand = true
			r.via = c.Name + " " + o.name
		case wordlist.Has(l.Load, o.name):
			r.loads = append(r.loads, value.Text)
		case l.Language == "awk" && (o.name == "-v" || o.name == "--assign"):
			r.sets = append(r.sets, value)
		case l.Language == "awk" && (o.name == "-i" || o.name == "--include"):
			r.rewrites = r.rewrites || value.Text == "inplace"
		case l.InPlace != "" && o.name == l.InPlace:
			r.rewrites = true
		case l.Folder != "" && o.name == l.Folder:
			s.chdir(value)
		}
		if wordlist.Has(l.Ends, o.name) {
			if !r.timed {
				r.args = args[min(max(o.source, o.index)+1, len(args)):]
			}
			break
		}
	}
	return r
}

// argument is the value of the option, with what is known of it.
func (o *item) argument(args []argument) argument {
	if !o.valued {
		return argument{Word: Word{Text: o.value}, at: args[o.index].at}
	}
	value := args[o.source]
	value.Text = o.value
	return value
}

// timedCode returns the statements among the arguments of python -m timeit.
func timedCode(args []argument) (codes []argument) {
	words := make([]Word, len(args))
	for i, arg := range args {
		words[i] = arg.Word
	}
	g := &grammar{Short: "n:r:s:u:pvh", Long: "number= repeat= setup= unit= process verbose help", First: true}
	items, rest := g.scan(words, "")
	for _, o := range items {
		if (o.name == "-s" || o.name == "--setup") && o.valued {
			codes = append(codes, o.argument(args))
		}
	}
	codes = append(codes, args[rest:]...)
	if all, ok := concatenate(codes, "\n"); ok {
		return []argument{all}
	}
	return nil
}

// methodOptions is about the programs that run JavaScript on a database: they take it
// from these options and, without them, from standard input.
func methodOptions(name string) ([]string, bool) {
	switch name {
	case "mongosh", "mongo":
		return []string{"--eval"}, true
	}
	return nil, false
}

// Methods returns the calls of methods in the program that the command gives to a
// database that speaks JavaScript. What is in files, and what isn't known, has none.
func (c *Command) Methods() []script.Method {
	options, ok := methodOptions(c.Name)
	if !ok {
		return nil
	}
	var methods []script.Method
	given := false
	for _, o := range c.items() {
		if o.name != "" && o.isAny(options) {
			given = true
			methods = append(methods, script.Methods(o.value)...)
		}
	}
	if c.Input != nil && !given {
		methods = append(methods, script.Methods(c.Input.Text)...)
	}
	return methods
}

// luaProgram returns what a program in Lua does, by the calls of its own
// library that have a constant as their argument, or something unknown.
func luaProgram(source string) script.Program {
	calls := map[string]script.Kind{"os.execute": script.Shell, "io.popen": script.Shell, "os.remove": script.Delete, "os.rename": script.Move, "io.open": script.Write}
	return scanScript(source, "--", func(r *scriptReader) {
		name := r.name()
		kind, ok := calls[name]
		if r.blanks(); !ok {
			return
		}
		call := script.Call{Func: name, Kind: kind, Line: r.line}
		parens := r.accept("(")
		for {
			call.Args = append(call.Args, r.value(".."))
			if !parens || !r.accept(",") {
				break
			}
		}
		switch {
		case kind == script.Write:
			if len(call.Args) < 2 || !call.Args[1].Dynamic && !strings.ContainsAny(call.Args[1].Text, "wa+") {
				return
			}
			if mode := call.Args[1]; !mode.Dynamic && strings.Contains(mode.Text, "a") {
				call.Kind = script.Append
			}
			call.Args = call.Args[:1]
		case kind == script.Move && len(call.Args) < 2:
			return
		case kind != script.Move:
			call.Args = call.Args[:1]
		}
		r.calls = append(r.calls, call)
	})
}

// appleScript returns what a program in AppleScript has a shell run, or one in
// JavaScript for the same.
func appleScript(source string) script.Program {
	return scanScript(source, "--", func(r *scriptReader) {
		text, name := r.source[r.at:], ""
		switch {
		case hasWords(text, "do shell script"):
			name = "do shell script"
		case hasWords(text, "do script"):
			name = "do script"
		case strings.HasPrefix(text, "doShellScript"):
			name = "doShellScript"
		}
		if name == "" {
			for r.at < len(r.source) && isWordByte(r.source[r.at]) {
				r.at++
			}
			return
		}
		r.at += len(name)
		r.blanks()
		r.accept("(")
		if r.at < len(r.source) {
			r.calls = append(r.calls, script.Call{Func: name, Kind: script.Shell, Args: []script.Arg{r.value("&")}, Line: r.line})
		}
	})
}

func hasWords(text, words string) bool {
	return len(text) > len(words) && strings.EqualFold(text[:len(words)], words) && !isWordByte(text[len(words)])
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// scriptReader reads a program by its names and strings.
type scriptReader struct {
	source   string
	at, line int
	comment  string
	calls    []script.Call
}

// scanScript calls name at every name of source that isn't in a string or a
// comment. It has to read it.
func scanScript(source, comment string, name func(*scriptReader)) script.Program {
	r := &scriptReader{source: source, line: 1, comment: comment}
	for r.at < len(source) {
		r.blanks()
		switch {
		case r.at >= len(source):
		case isWordByte(source[r.at]):
			name(r)
		default:
			if _, ok := r.quoted(); !ok {
				r.at++
			}
		}
	}
	return script.Program{Calls: r.calls}
}

// blanks skips blanks and comments.
func (r *scriptReader) blanks() {
	for r.at < len(r.source) {
		switch c := r.source[r.at]; {
		case c == '\n':
			r.line++
		case c == ' ' || c == '\t' || c == '\r':
		case strings.HasPrefix(r.source[r.at:], r.comment):
			for r.at+1 < len(r.source) && r.source[r.at+1] != '\n' {
				r.at++
			}
		default:
			return
		}
		r.at++
	}
}

func (r *scriptReader) accept(text string) bool {
	r.blanks()
	if strings.HasPrefix(r.source[r.at:], text) {
		r.at += len(text)
		r.blanks()
		return true
	}
	return false
}

// name reads a name with its dots.
func (r *scriptReader) name() string {
	start := r.at
	for r.at < len(r.source) && (isWordByte(r.source[r.at]) || r.source[r.at] == '.' && r.at+1 < len(r.source) && isWordByte(r.source[r.at+1])) {
		r.at++
	}
	return r.source[start:r.at]
}

// quoted reads a string: in quotes, or in Lua's long brackets.
func (r *scriptReader) quoted() (string, bool) {
	if strings.HasPrefix(r.source[r.at:], "[[") {
		text, _, ok := strings.Cut(r.source[r.at+2:], "]]")
		r.at = min(r.at+2+len(text)+2, len(r.source))
		r.line += strings.Count(text, "\n")
		return strings.TrimPrefix(text, "\n"), ok
	}
	if r.at >= len(r.source) || r.source[r.at] != '"' && r.source[r.at] != '\'' {
		return "", false
	}
	quote := r.source[r.at]
	var b strings.Builder
	for r.at++; r.at < len(r.source); r.at++ {
		switch c := r.source[r.at]; {
		case c == quote:
			r.at++
			return b.String(), true
		case c == '\\' && r.at+1 < len(r.source):
			r.at++
			next := r.source[r.at]
			if simple, ok := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}[next]; ok {
				next = simple
			}
			b.WriteByte(next)
		default:
			if c == '\n' {
				r.line++
			}
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// value reads an argument: strings, joined by the operator, and what isn't
// known as it's written.
func (r *scriptReader) value(operator string) script.Arg {
	arg := script.Arg{}
	start := r.at
	for {
		r.blanks()
		from := r.at
		if text, ok := r.quoted(); ok {
			arg.Text += text
		} else {
			end := r.at
			for end < len(r.source) && !strings.ContainsRune(",;)&\n\"'", rune(r.source[end])) && !strings.HasPrefix(r.source[end:], "..") {
				end++
			}
			r.at = end
			part := strings.TrimSpace(r.source[from:end])
			part = "{" + part + "}"
			arg.Dynamic = true
			arg.Text += part
			arg.Parts = append(arg.Parts, part)
		}
		if !r.accept(operator) {
			break
		}
	}
	if len(arg.Parts) == 1 && arg.Text == arg.Parts[0] {
		arg.Text, arg.Parts = strings.Trim(arg.Text, "{}"), nil
	}
	if r.at == start && r.at < len(r.source) {
		r.at++
	}
	return arg
}
