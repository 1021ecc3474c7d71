package shell

import "strings"

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
		case (text == "-c" || text == "--cmd") && i+1 < len(args) && !strings.HasSuffix(c.Name, "ed"):
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

// exCalls reports the texts that a command gives to functions which run them.
func (w *walker) exCalls(via, command string, line argument, s scope) {
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
