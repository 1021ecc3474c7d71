package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/script"
	"github.com/luahook/luahook/analysis/shell/programs"
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
	return !l.Manages || len(w.line.Commands) > before
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
		case listed(l.Stops, o.name):
			r.stopped = true
			r.timed = l.Language == "python" && o.name == "-m" && value.Text == "timeit"
			if r.timed {
				r.args = timedCode(args[max(o.source, o.index)+1:])
			} else if l.Language == "python" && o.name == "-m" && o.valued && !value.Dynamic {
				r.module = append([]argument{value}, args[max(o.source, o.index)+1:]...)
			}
		case listed(l.Code, o.name):
			if !o.valued {
				r.stopped = true // a mistake
				break
			}
			// Ruby's and Perl's -e are named alike whatever they're bundled with.
			r.codes, r.via = append(r.codes, value), c.Name+" "+o.name
		case listed(l.Files, o.name) && o.valued:
			r.files = append(r.files, value)
		case listed(l.Printing, o.name):
			r.operand = true
			r.via = c.Name + " " + o.name
		case listed(l.Load, o.name):
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
		if listed(l.Ends, o.name) {
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
