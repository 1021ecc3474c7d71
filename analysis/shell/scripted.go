package shell

import "strings"

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
				inner.external, inner.shared = true, nil
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
