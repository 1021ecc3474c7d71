package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// calledByOptions reports what the options of c run.
func (w *walker) calledByOptions(c *Command, args []argument, s scope) {
	p := programs.Of(c.Name)
	if p == nil || p.Calls == nil {
		return
	}
	calls, g := p.Calls, optionsOr(&p.Calls.Options, p)
	items, _ := g.scan(c.Args, "")
	for _, o := range items {
		if o.name == "" || !o.valued {
			continue
		}
		name := o.name
		if g.Whole && name == "--TT" {
			name = "-TT"
		}
		value := valueFrom(args, o.source, o.value)
		inner := s
		if inner.input = nil; calls.Input {
			inner.input = &argument{Word: Word{Dynamic: true}, at: value.at, from: []*Command{c}}
		}
		switch {
		case g.isOneOf(calls.Text, name):
			if text, ok := calledText(name, value); ok {
				w.text(text, c.Name+" "+o.name, inner)
			}
		case g.isOneOf(calls.Program, name):
			inner = inner.through(c.Name + " " + o.name)
			inner.external, inner.redirects = true, nil
			w.runSplit(value, inner)
		}
	}
}

// isOneOf reports whether an option is one of the names, also where it is shortened.
func (g *grammar) isOneOf(names, name string) bool {
	if wordlist.Has(names, name) {
		return true
	}
	if len(name) < len("--xxx") || name[:2] != "--" {
		return false
	}
	if _, full := g.word(name[2:]); full == name[2:] {
		return false // another option
	}
	for candidate := range strings.FieldsSeq(names) {
		if strings.HasPrefix(candidate, name) {
			return true
		}
	}
	return false
}

// calledText is the text in the value of an option that doesn't have to be one.
func calledText(name string, value argument) (argument, bool) {
	switch name {
	case "--checkpoint-action":
		text, ok := strings.CutPrefix(value.Text, "exec=")
		value.Text = text
		return value, ok
	case "-o", "--option": // of apt
		key, text, ok := strings.Cut(value.Text, "=")
		key = strings.TrimRight(strings.ToLower(key), ":")
		value.Text = text
		return value, ok && (strings.HasSuffix(key, "-invoke") || strings.HasSuffix(key, "pre-install-pkgs"))
	}
	return value, true
}

// texts reports the operands of a program that runs each of them in a shell, and the
// values of the options that are such texts too.
func (w *walker) texts(c *Command, args []argument, s scope) {
	runs := programs.Of(c.Name).Runs
	items, _ := runsBy(c.Name).scan(c.Args, "")
	for _, o := range items {
		switch {
		case o.name == "":
			w.text(args[o.index], c.Name, s)
		case wordlist.Has(runs.Stops, o.name):
			return
		case o.valued && wordlist.Has(runs.Text, o.name):
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
		}
	}
}

// later reports the text that at(1) and batch run at another time.
func (w *walker) later(c *Command, args []argument, s scope) {
	g := runsBy(c.Name)
	items, _ := g.scan(c.Args, "")
	texts := []argument{}
	if s.input != nil {
		texts = append(texts, s.input.unread())
	}
	for _, o := range items {
		switch {
		case o.name == "-l" || o.name == "-r" || o.name == "-d" || o.name == "-c" || o.name == "-V":
			return
		case o.name == "-f" && o.valued:
			texts = w.contents(valueFrom(args, o.source, o.value), &s)
		}
	}
	for _, text := range texts {
		w.text(text, c.Name+" <", s)
	}
}

// crontab reports the commands of the table that crontab(1) installs.
func (w *walker) crontab(c *Command, args []argument, s scope) {
	items, _ := runsBy(c.Name).scan(c.Args, "")
	var texts []argument
	if len(args) == 0 && s.input != nil {
		texts = append(texts, s.input.unread())
	}
	for _, o := range items {
		switch {
		case o.name != "" && o.name != "-u":
			return
		case o.name != "":
		case args[o.index].Text != "-" && !isInputFile(args[o.index].Text):
			texts = append(texts, w.contents(args[o.index], &s)...)
		case s.input != nil:
			texts = append(texts, s.input.unread())
		}
	}
	s.input = nil
	for _, text := range texts {
		if text.Dynamic && strings.TrimSpace(text.Text) == "" || !w.spend(len(text.Text)) {
			w.text(text, c.Name, s)
			continue
		}
		for line := range strings.SplitSeq(text.Text, "\n") {
			w.cronLine(line, text, c.Name, s)
		}
	}
}

func isInputFile(path string) bool { return path == "/dev/stdin" || path == "/dev/fd/0" }

// cronLine reports the command in one line of crontab(5): behind five fields or
// a name such as @daily. The first % that isn't escaped begins its input.
func (w *walker) cronLine(line string, text argument, via string, s scope) {
	line = strings.TrimLeft(line, " \t")
	fields := 5
	if strings.HasPrefix(line, "@") {
		fields = 1
	}
	for range fields {
		end := strings.IndexAny(line, " \t")
		if end < 0 || line[0] == '#' {
			return
		}
		if strings.Contains(line[:end], "=") { // a variable
			return
		}
		line = strings.TrimLeft(line[end:], " \t")
	}
	if end := unescaped(line, '%'); end >= 0 {
		line = line[:end]
	}
	text.Text = strings.ReplaceAll(line, `\%`, "%")
	if !strings.ContainsAny(text.Text, "$`{") {
		text.Dynamic, text.dynamic = false, nil
	}
	if strings.TrimSpace(text.Text) != "" {
		w.text(text, via, s)
	}
}

// unescaped is where the first c is that has no backslash before it, or -1.
func unescaped(text string, c byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if text[i] == c {
			return i
		}
	}
	return -1
}

// socat reports the programs in the addresses of socat(1), which talk to the
// other address.
func (w *walker) socat(c *Command, args []argument, s scope) {
	s.input = &argument{Word: Word{Dynamic: true}, at: place{c.Line, c.Column}, from: []*Command{c}}
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") && len(arg.Text) > 1 {
			continue
		}
		for address := range strings.SplitSeq(arg.Text, "!!") {
			kind, rest, _ := strings.Cut(address, ":")
			if bare, _, ok := strings.Cut(kind, ","); ok {
				kind, rest = bare, ""
			}
			text := arg
			text.Text = socatText(rest)
			switch kind = strings.ToUpper(kind); kind {
			case "EXEC":
				inner := s.through(c.Name + " " + kind)
				inner.external, inner.redirects = true, nil
				w.runSplit(text, inner)
			case "SHELL":
				if text.Text == "" {
					text.Text = "sh"
				}
				w.text(text, c.Name+" "+kind, s)
			case "SYSTEM":
				w.text(text, c.Name+" "+kind, s)
			}
		}
	}
}

// socatText is the text before the options of an address: up to a comma that
// is neither quoted nor escaped. A backslash before anything but a quote is
// taken away.
func socatText(text string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
			continue
		case quote == 0 && c == ',':
			return b.String()
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// gdb reports the program behind --args, and what commands of gdb's run.
func (w *walker) gdb(c *Command, args []argument, s scope) {
	for i, arg := range args {
		name, value, attached := strings.Cut(strings.TrimPrefix(arg.Text, "-"), "=")
		switch strings.TrimPrefix(name, "-") {
		case "args":
			if i+1 < len(args) {
				inner := s.through(c.Name)
				inner.external = true
				w.run(args[i+1:], inner)
			}
			return
		case "ex", "iex", "eval-command", "init-eval-command":
			text := valueFrom(args, i, value)
			if !attached && i+1 < len(args) {
				text = args[i+1]
			}
			trimmed := strings.TrimLeft(text.Text, " ")
			for _, word := range [...]string{"shell ", "!", "pipe "} {
				if rest, ok := strings.CutPrefix(trimmed, word); ok && arg.Text[0] == '-' {
					if _, command, ok := strings.Cut(rest, "|"); word == "pipe " && ok {
						rest = command
					}
					text.Text = rest
					w.text(text, c.Name+" -ex", s)
				}
			}
		}
	}
}

// editor reports what the commands of vi, of vim and of ed run, in options and
// on the standard input.
func (w *walker) editor(c *Command, args []argument, s scope) {
	lines := c.Name == "ex" || c.Name == "ed" || c.Name == "red"
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
			i = len(args)
		case len(text) > 1 && text[0] == '+':
			w.exCommand(c.Name+" +", valueFrom(args, i, text[1:]), s)
		case (text == "--cmd" || endsInC(text)) && i+1 < len(args) && !strings.HasSuffix(c.Name, "ed"):
			i++
			w.exCommand(c.Name+" "+text, args[i], s)
		case len(text) > 2 && text[:2] == "-c" && c.Name != "ed":
			w.exCommand(c.Name+" -c", valueFrom(args, i, text[2:]), s)
		case len(text) > 1 && text[0] == '-' && text[1] != '-':
			lines = lines || strings.ContainsAny(text[:2], "eE") || strings.Contains(text, "es")
		}
	}
	if !lines || s.input == nil {
		return
	}
	input := s.input.unread()
	s.input = nil
	if !w.spend(len(input.Text)) {
		return
	}
	if input.Dynamic && strings.TrimSpace(input.Text) == "" {
		return // what is typed into an editor is an edit, as far as is known
	}
	for line := range strings.SplitSeq(input.Text, "\n") {
		word := input
		word.Text = line
		w.exCommand(c.Name+" <", word, s)
	}
}

// endsInC reports whether options of one letter end with -c, as in -c or -esc.
func endsInC(text string) bool {
	return len(text) > 1 && text[0] == '-' && text[1] != '-' && text[len(text)-1] == 'c' && !strings.ContainsAny(text, "=:/. ")
}

// exCommand reports what a line of ex commands runs: behind a "!", and what
// system() and :terminal are given.
func (w *walker) exCommand(via string, line argument, s scope) {
	if !w.spend(len(line.Text)) {
		return
	}
	for rest := line.Text; rest != ""; {
		command := strings.TrimLeft(rest, " \t:|")
		command = strings.TrimLeft(command, "%0123456789.,$'+-;") // a range
		command = strings.TrimLeft(command, " \t:")
		end := exEnd(command)
		if text, ok := exShell(command); ok {
			line.Text = text
			w.text(line, via, s)
			return // a bar is part of the text
		}
		w.exCalls(via, command[:end], line, s)
		rest = command[end:]
		if end < len(command) {
			rest = command[end+1:]
		}
	}
}

// exShell returns the text that an ex command has the shell run.
func exShell(command string) (string, bool) {
	name := command[:len(command)-len(strings.TrimLeft(command, "abcdefghijklmnopqrstuvwxyz"))]
	rest := command[len(name):]
	switch {
	case name == "":
	case isShort(name, "silent", 3), isShort(name, "tab", 3), isShort(name, "vertical", 4), isShort(name, "noautocmd", 3), isShort(name, "verbose", 4), isShort(name, "keepalt", 5), name == "exe", isShort(name, "execute", 3):
		rest = strings.TrimLeft(strings.TrimPrefix(rest, "!"), " \t0123456789:'\"%")
		return exShell(rest)
	case isShort(name, "terminal", 3), name == "term":
		rest = strings.TrimLeft(rest, " \t")
		for strings.HasPrefix(rest, "++") {
			_, rest, _ = strings.Cut(rest, " ")
		}
		return rest, rest != ""
	case isShort(name, "read", 1), isShort(name, "write", 1):
		rest = strings.TrimLeft(rest, " \t")
	case isShort(name, "global", 1), isShort(name, "vglobal", 1):
		if at := strings.LastIndexByte(rest, '!'); at > 0 && strings.HasSuffix(rest[:at], "/") {
			return rest[at+1:], true
		}
		return "", false
	default:
		return "", false
	}
	if !strings.HasPrefix(rest, "!") || name != "" && !strings.HasPrefix(command[len(name):], " ") && name != "r" && name != "read" {
		return "", false // ":w!" overwrites
	}
	text := strings.TrimPrefix(rest, "!")
	return text, strings.TrimSpace(text) != ""
}

// isShort reports whether name is full, or its beginning with at least n letters.
func isShort(name, full string, n int) bool {
	return len(name) >= n && strings.HasPrefix(full, name)
}

// exEnd is where a bar ends a command.
func exEnd(command string) int {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '|':
			return i
		case c == '\'' || c == '"':
			if strings.IndexByte(command[i+1:], c) >= 0 {
				quote = c
			}
		}
	}
	return len(command)
}

// exCalls reports the texts that a command gives to functions which run them, and what it deletes.
func (w *walker) exCalls(via, command string, line argument, s scope) {
	if _, rest, ok := strings.Cut(command, "delete("); ok {
		rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "expand(")
		if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
			if name, behind, ok := strings.Cut(rest[1:], rest[:1]); ok && name != "" {
				text := line
				if text.Text = "rm " + name; strings.Contains(behind, "rf") {
					text.Text = "rm -rf " + name
				}
				w.text(text, via, s)
			}
		}
	}
	for _, function := range [...]string{"system(", "systemlist(", "term_start(", "job_start(", "termopen(", "jobstart(", "os.execute(", "io.popen("} {
		_, rest, ok := strings.Cut(command, function)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " [")
		text := line
		text.Text = ""
		if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
			if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
				text.Text = rest[1 : 1+end]
			}
		}
		if text.Text == "" {
			w.unreadable([]argument{line}, s.through(via))
			return
		}
		w.text(text, via, s)
	}
}
