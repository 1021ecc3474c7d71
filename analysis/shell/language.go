package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/script"
)

// language is how an interpreter of another language is told what to run.
type language struct {
	grammar
	read func(source string) script.Program

	code  string // options whose value is the program; several are joined
	files string // options whose value is a file with the program
	first string // of them: all after the value are arguments of the program
	stops string // options with which nothing is run, or nothing that is understood

	operand             bool   // the first operand is the program
	printing            string // options with which it is, as node -p CODE
	verb                string // a subcommand before it all, as in deno eval CODE
	load                string // options that load a library
	loaded              string // how that is written in a program, with %s for its name
	arguments, argument string // how a program names its arguments: all, and by their number
	from                int    // the number of the first one

	manages bool   // it's a manager of packages too
	inPlace string // the option with which the operands are overwritten
	folder  string // the option that names the folder to go to
	parts   bool   // the parts of a text that aren't known are marked
}

func languageGrammar(short, long string) grammar {
	return grammar{Short: short, Long: long, First: true}
}

// The languages, with the options of python(1), gawk(1) and mawk(1), lua(1) and
// osascript(1).
var (
	python = &language{grammar: languageGrammar("c:m:W:X:Q:", "check-hash-based-pycs="), read: script.Python, parts: true,
		code: "-c", first: "-c -m", stops: "-m -h -V --help --version --help-all", arguments: "sys.argv[1:]", argument: "sys.argv[%]", from: 1}
	awk = &language{grammar: languageGrammar("f:F:v:e:E:i:l:W:o::p::d::D::L::", "file= field-separator= assign= source= exec= include= load= dump-variables? debug? profile? pretty-print? lint?"), read: script.Awk, parts: true,
		code: "-e --source", files: "-f -E --file --exec", stops: "-h -V --help --version", operand: true}
	lua       = &language{grammar: languageGrammar("e:l:j:O::b:", ""), read: luaProgram, parts: true, code: "-e", stops: "-v -b", arguments: "arg"}
	osascript = &language{grammar: languageGrammar("e:l:s:i", ""), read: appleScript, parts: true, code: "-e"}
)

// languageNamed returns the language of the interpreter of that name, which has no
// version, or nil.
func languageNamed(name string) *language {
	switch name {
	case "python", "pythonw", "pypy", "ipython", "py", "micropython":
		return python
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return awk
	case "lua", "luajit":
		return lua
	case "osascript":
		return osascript
	case "node", "nodejs", "bun", "tsx", "ts-node":
		return node
	case "deno":
		return deno
	case "perl":
		return perl
	case "ruby", "jruby":
		return ruby
	case "php", "php-cli":
		return php
	}
	return nil
}

// languageOf returns the language of an interpreter: that of python3.12 is
// that of python.
func languageOf(name string) *language {
	if l := languageNamed(name); l != nil || name == "" {
		return l
	}
	return languageNamed(strings.TrimRight(strings.TrimSuffix(name, "-dbg"), "0123456789.-"))
}

// language reports what a program in another language, which c is given, runs,
// deletes and overwrites. It returns whether c is an interpreter of one.
func (w *walker) language(c *Command, args []argument, s scope) bool {
	l := languageOf(c.Name)
	if l == nil {
		return false
	}
	s.assigned, s.shared, s.out, s.external = nil, nil, nil, true
	before := len(w.line.Commands)
	w.interpret(l, c, args, s)
	// Some are more than interpreters: bun x runs a package.
	return !l.manages || len(w.line.Commands) > before
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
	if l.verb != "" && (len(args) == 0 || args[0].Text != l.verb) {
		w.otherVerb(l, c, args, s)
		return
	}
	if l.verb != "" {
		c = &Command{Name: c.Name + " " + l.verb, Args: c.Args[1:]}
		args = args[1:]
	}
	r := l.options(c, args, &s)
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
	if len(r.codes)+len(r.files) == 0 && (l.operand || r.operand) && len(r.args) > 0 {
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
		code, _ := together(r.codes, "\n")
		w.program(&p, l.prepared(code, &r), r.via, s)
	case len(r.files) > 0:
		for _, file := range r.files {
			w.programFile(&p, &r, file, s)
		}
	case l.operand:
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
			if l != awk || !strings.Contains(file.Text, "=") {
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
	_, rest := l.scan(c.Args[1:], "")
	if args = args[1:]; rest < len(args) {
		p := program{language: l, name: c.Name, args: args[rest+1:]}
		w.programFile(&p, new(interpreted), args[rest], s)
	}
}

// options reads the options of c.
func (l *language) options(c *Command, args []argument, s *scope) (r interpreted) {
	items, rest := l.scan(c.Args, "")
	r.args = args[rest:]
	for _, o := range items {
		if o.name == "" {
			break
		}
		value := o.argument(args)
		switch {
		case listed(l.stops, o.name):
			r.stopped = true
			r.timed = l == python && o.name == "-m" && value.Text == "timeit"
			if r.timed {
				r.args = timedCode(args[max(o.source, o.index)+1:])
			} else if l == python && o.name == "-m" && o.valued && !value.Dynamic {
				r.module = append([]argument{value}, args[max(o.source, o.index)+1:]...)
			}
		case listed(l.code, o.name):
			if !o.valued {
				r.stopped = true // a mistake
				break
			}
			// Ruby's and Perl's -e are named alike whatever they're bundled with.
			r.codes, r.via = append(r.codes, value), c.Name+" "+o.name
		case listed(l.files, o.name) && o.valued:
			r.files = append(r.files, value)
		case listed(l.printing, o.name):
			r.operand = true
			r.via = c.Name + " " + o.name
		case listed(l.load, o.name):
			r.loads = append(r.loads, value.Text)
		case l == awk && (o.name == "-v" || o.name == "--assign"):
			r.sets = append(r.sets, value)
		case l == awk && (o.name == "-i" || o.name == "--include"):
			r.rewrites = r.rewrites || value.Text == "inplace"
		case l.inPlace != "" && o.name == l.inPlace:
			r.rewrites = true
		case l.folder != "" && o.name == l.folder:
			s.chdir(value)
		}
		if listed(l.first, o.name) {
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
	g := languageGrammar("n:r:s:u:pvh", "number= repeat= setup= unit= process verbose help")
	items, rest := g.scan(words, "")
	for _, o := range items {
		if (o.name == "-s" || o.name == "--setup") && o.valued {
			codes = append(codes, o.argument(args))
		}
	}
	codes = append(codes, args[rest:]...)
	if all, ok := together(codes, "\n"); ok {
		return []argument{all}
	}
	return nil
}
