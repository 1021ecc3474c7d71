package shell

import (
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// wrapper says how a program that runs another command is told to.
type wrapper programs.Runs

func (g *wrapper) options() *grammar { return (*grammar)(&g.Options) }

// wrapperOf returns how the program of that name runs the command among its
// arguments; nil is for one that doesn't, or not in this way. Where not all of
// its options are known, what follows can't be told apart, and the command is
// dynamic.
func wrapperOf(name string) *wrapper {
	if p := programs.Of(name); p != nil && p.Runs != nil && p.Runs.By == "" && !p.Runs.Subcommand {
		return (*wrapper)(p.Runs)
	}
	return nil
}

// runsBy returns the options with which the function that a stanza names reads
// the arguments of a program.
func runsBy(name string) *grammar {
	p := programs.Of(name)
	switch {
	case p == nil:
		return &grammar{}
	case p.Runs == nil:
		return optionsOr(&programs.Options{}, p)
	}
	return optionsOr(&p.Runs.Options, p)
}

// optionsOr returns the options that a section of p lists, or else those of p.
func optionsOr(section *programs.Options, p *programs.Program) *grammar {
	if section.Short+section.Long == "" && p.Options != nil {
		return (*grammar)(p.Options)
	}
	return (*grammar)(section)
}

// isShell is about the programs that run the text that -c gives them or that is on
// their standard input.
func isShell(name string) bool {
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ksh93", "mksh",
		"ash", "rbash", "yash":
		return true
	}
	return false
}

// byFunction reports what is run by a program whose stanza names a function for
// that, a subcommand that is an ssh, or options behind which a command stands.
// It returns whether c is such a program.
func (w *walker) byFunction(c *Command, args []argument, s scope) bool {
	p := programs.Of(c.Name)
	switch {
	case p == nil:
		return false
	case p.Machine != nil:
		return w.machine(p.Machine, c, args, s)
	case p.Behind != nil:
		w.behindOption(p.Behind, c.Name, args, s)
		return true
	case p.Runs == nil || p.Runs.By == "":
		return false
	}
	runFunction(p.Runs.By)(w, c, args, s)
	return true
}

// runFunction returns the function that a stanza names, nil for none.
func runFunction(name string) func(w *walker, c *Command, args []argument, s scope) {
	switch name {
	case "ansible":
		return (*walker).ansible
	case "at":
		return (*walker).later
	case "calculator":
		return (*walker).calculator
	case "capsh":
		return (*walker).capsh
	case "crontab":
		return (*walker).crontab
	case "editor":
		return (*walker).editor
	case "entr":
		return (*walker).entr
	case "expect":
		return (*walker).expect
	case "fd":
		return (*walker).fd
	case "fleet":
		return (*walker).fleet
	case "gdb":
		return (*walker).gdb
	case "mosh":
		return (*walker).mosh
	case "named":
		return (*walker).named
	case "parallel":
		return (*walker).parallel
	case "rsync":
		return (*walker).rsync
	case "scp":
		return (*walker).scp
	case "screen":
		return (*walker).screen
	case "script":
		return (*walker).recorded
	case "sed":
		return (*walker).sed
	case "socat":
		return (*walker).socat
	case "ssh":
		return (*walker).ssh
	case "su":
		return (*walker).su
	case "texts":
		return (*walker).texts
	case "tmux":
		return (*walker).tmux
	case "wsl":
		return (*walker).wsl
	}
	return nil
}

// launched reports what a subcommand such as docker exec runs. It returns
// whether c is a program that has one.
func (w *walker) launched(c *Command, args []argument, s scope) bool {
	p, via := launcher(c.Name), c.Name
	unsure := false
	for range maxSubcommands {
		switch {
		case p == nil:
			return via != c.Name
		case p.Runs != nil && p.Runs.Subcommand && unsure:
			w.unreadable(args, w.placeOf((*wrapper)(p.Runs), s).through(via))
			return true
		case p.Runs != nil && p.Runs.Subcommand:
			w.wrapped((*wrapper)(p.Runs), c, via, args, s)
			return true
		case p.Behind != nil && via != c.Name:
			w.behindOption(p.Behind, via, args, s)
			return true
		case p.Launches == nil:
			return via != c.Name
		}
		before := *optionsOr(p.Launches, p)
		before.First = true
		items, rest := before.scan(wordsOf(args), "")
		for _, o := range items {
			if o.valued && wordlist.Has(startsIn(c.Name), o.name) {
				s.chdir(valueFrom(args, o.source, o.value))
			}
		}
		// An unquoted dynamic word is taken for options, or for none.
		for rest < len(args) && args[rest].Dynamic && !args[rest].Quoted {
			rest, unsure = rest+1, true
		}
		if rest >= len(args) {
			return true
		}
		sub := args[rest]
		args = args[rest+1:]
		if sub.Dynamic {
			if len(args) > 0 {
				w.unreadable(args, s.through(via))
			}
			return true
		}
		via += " " + sub.Text
		p = launcher(p.Name + " " + sub.Text)
	}
	return true
}

// maxSubcommands is one more than the longest name has words, which is that of
// docker compose exec.
const maxSubcommands = 4

// launcher returns what is known of the commands that a program or a subcommand
// runs; that of npx is that of npm exec.
func launcher(name string) *programs.Program {
	p := programs.Of(name)
	if p != nil && p.LaunchesAs != "" {
		return programs.Of(p.LaunchesAs)
	}
	return p
}

// startsIn lists the options of a program that say in which folder it starts, so that what
// it is told is seen from there.
func startsIn(name string) string {
	if p := programs.Of(name); p != nil {
		return p.Starts
	}
	return ""
}

// unversioned is the program of a package that is named with a version or a
// scope: prettier of prettier@3 and of @scope/prettier.
func unversioned(name argument) argument {
	if slash := strings.LastIndexByte(name.Text, '/'); strings.HasPrefix(name.Text, "@") && slash >= 0 {
		name.Text = name.Text[slash+1:]
	}
	if at := strings.IndexByte(name.Text, '@'); at > 0 {
		name.Text = name.Text[:at]
	}
	return name
}

// inEnvironment is the program of "environment:program", as hatch has it.
func inEnvironment(name argument) argument {
	if colon := strings.IndexByte(name.Text, ':'); colon >= 0 {
		name.Text = name.Text[colon+1:]
	}
	return name
}

// wrapping is what the options of a wrapper say.
type wrapping struct {
	inner  scope // in which the command runs
	rest   int   // where the words behind the options begin
	done   bool  // nothing more is run, or it was reported
	direct bool  // words aren't joined to a text
	shell  bool  // without a command it starts a shell
	given  bool  // there are options
	behind bool  // rest is where the command begins

	sets    []argument // NAME=value
	program *argument  // the command's name, where an option gives it
}

// readOptions takes in the options among args.
func (w *walker) readOptions(g *wrapper, c *Command, via string, args []argument, s scope) wrapping {
	r := wrapping{inner: w.placeOf(g, s).through(via), shell: g.Shell == "*"}
	r.inner.external = !g.Builtins
	r.inner.cleared = r.inner.cleared || g.Clears == "*"
	items, rest := g.options().scan(c.Args[len(c.Args)-len(args):], "")
	r.rest = rest
	w.contain(g, c, items, args, s, &r.inner)
	for _, o := range items {
		if o.name == "" {
			continue
		}
		r.given = true
		if o.kind == unknown {
			w.unreadable(args[min(o.index+1, len(args)):], r.inner)
			r.done = true
			return r
		}
		if wordlist.Has(g.Stops, o.name) {
			r.done = true
			return r
		}
		r.shell = r.shell || wordlist.Has(g.Shell, o.name)
		r.inner.cleared = r.inner.cleared || wordlist.Has(g.Clears, o.name)
		r.direct = r.direct || wordlist.Has(g.Direct, o.name)
		if o.valued {
			r.rest = rest
			w.setting(g, o.name, valueFrom(args, o.source, o.value), args[min(max(o.index, o.source)+1, len(args)):], args, via, s, &r)
		}
		if r.done {
			return r
		}
	}
	r.inner.set(r.sets)
	if g.Behind {
		r.rest, r.behind = g.commandBehind(c.Args[len(c.Args)-len(args):]), true
	}
	return r
}

// setting takes in an option with a value, behind which the words of rest are.
func (w *walker) setting(g *wrapper, name string, value argument, rest, args []argument, via string, s scope, r *wrapping) {
	s.chdirs = r.inner.chdirs // of the options before
	switch {
	case wordlist.Has(g.Text, name):
		w.text(value, via+" "+name, w.placeOf(g, s))
		r.done = !g.Also
	case wordlist.Has(g.Split, name):
		w.splitString(g, value, rest, via, s)
		r.done = true
	case wordlist.Has(g.Chdir, name):
		r.inner.chdir(value)
	case wordlist.Has(g.Unsets, name):
		r.inner.unset = append(slices.Clip(r.inner.unset), value.Text)
	case wordlist.Has(g.RemoteBy, name):
		r.inner.remote = true
	case wordlist.Has(g.Sets, name):
		r.sets = append(r.sets, value)
	case wordlist.Has(g.Piped, name) && value.Text != "" && (value.Text[0] == '|' || value.Text[0] == '!'):
		value.Text = value.Text[1:]
		w.text(value, via+" "+name, s)
	case wordlist.Has(g.Program, name):
		r.program = &value
	}
}

// valueFrom is the value of an option, cut from the argument that has it.
func valueFrom(args []argument, source int, value string) argument {
	word := args[min(source, len(args)-1)]
	word.Text = value
	return word
}

// skip drops the operands before the command. It reports an unknown command
// where it can't be told how many there are.
func (w *walker) skip(g *wrapper, args []argument, r wrapping) ([]argument, bool) {
	n := g.Operands
	switch {
	case r.behind, g.UnlessOptions && r.given, g.Digits && len(args) > 0 && !startsWithDigit(args[0]):
		n = 0
	}
	n = min(n, len(args))
	// A dynamic word among those skipped may be none or several, or options.
	for i, word := range args[:n] {
		if word.Dynamic && !word.Quoted {
			if len(args) > i+1 {
				w.unreadable(args[i+1:], r.inner)
			}
			if g.Remote && len(args) > n && i == n-1 { // most likely it is one: docker exec $(docker ps -q -f name=db)
				return args[n:], true
			}
			return nil, false
		}
	}
	args = args[n:]
	if len(args) > 0 && g.Dashes && args[0].Text == "--" {
		args = args[1:]
	}
	return args, true
}

// startsWithDigit says that a word is a priority, or not known.
func startsWithDigit(word argument) bool {
	text := strings.TrimLeft(word.Text, "+-")
	return word.Dynamic || text != "" && text[0] >= '0' && text[0] <= '9'
}

// commandBehind returns where the command begins that stands behind a "--" or,
// without one, behind the operands.
func (g *wrapper) commandBehind(args []Word) int {
	anywhere := grammar(g.Options)
	anywhere.First = false
	items, _ := anywhere.scan(args, "")
	values := make(map[int]bool)
	behind, operands := len(args), g.Operands
	for _, o := range items {
		switch {
		case o.name != "":
			values[o.source] = o.source != o.index
		case operands == 0 && behind == len(args):
			behind = o.index
		default:
			operands--
		}
	}
	for i, word := range args {
		if word.Text == "--" && !values[i] {
			return i + 1
		}
	}
	return behind
}

// splitString runs the command that env -S makes of text and the words after.
func (w *walker) splitString(g *wrapper, text argument, rest []argument, via string, s scope) {
	inner := s.through(via)
	words, err := Split(text.Text)
	if err != nil || text.Dynamic || strings.Contains(text.Text, "${") || !w.spend(len(text.Text)) {
		w.unreadable(append([]argument{text}, rest...), inner)
		return
	}
	args := make([]argument, 0, len(words)+len(rest))
	for _, word := range words {
		args = append(args, literal(word, text.at))
	}
	args = append(args, rest...)
	// The words may begin with more options and assignments.
	if s.depth++; s.depth > maxDepth || !w.spend(wordCost*len(args)) {
		w.line.TooComplex = true
		return
	}
	w.wrapped(g, &Command{Name: via, Args: wordsOf(args)}, via, args, s)
}

// misspelt reports the command in words that bash doesn't run because of a
// mistake before it: an assignment to what can't be a variable (1A=x zap), and
// options that make command look for programs only, where the words have
// options themselves (command -pv zap -f). Whoever wrote them meant to run it.
func (w *walker) misspelt(c *Command, args []argument, s scope) bool {
	at := 0
	switch {
	case c.Name == "command":
		looks := false
		for at < len(args) && strings.HasPrefix(args[at].Text, "-") && !args[at].Dynamic {
			looks = looks || strings.Trim(args[at].Text, "-p") != ""
			at++
		}
		if !looks || at >= len(args) || !haveOptions(args[at+1:]) {
			return false
		}
	case !strings.Contains(c.Path, "=") || strings.ContainsAny(c.Path[:strings.IndexByte(c.Path, '=')], "/-") || len(args) == 0:
		return false
	}
	w.run(args[at:], s.through(c.Name))
	return true
}

func haveOptions(words []argument) bool {
	for _, word := range words {
		if strings.HasPrefix(word.Text, "-") {
			return true
		}
	}
	return false
}
