package shell

import "strings"

// clientText is a text with statements and commands for a database client.
type clientText struct {
	w      *walker
	kind   clientKind
	name   string // of the client
	source argument
	s      scope
	first  string // the first word of the statement
	end    int    // of the line looked at last
}

// escapes reports what a client runs by the shell when it reads the text.
func (w *walker) escapes(kind clientKind, name string, source argument, s scope) {
	if !mayEscape(source.Text) || !w.spend(len(source.Text)) {
		return
	}
	t := &clientText{w: w, kind: kind, name: name, source: source, s: s}
	text := source.Text
	for i := 0; i < len(text); {
		if (i == 0 || text[i-1] == '\n') && (t.first == "" || kind == sqlcmdClient) {
			if end := lineEnd(text, i); t.line(strings.TrimRight(text[i:end], "\r;")) {
				i = end
				continue
			}
		}
		i = t.step(i)
	}
}

// mayEscape reports whether a text has a chance to call a shell, which few have.
func mayEscape(text string) bool { return strings.ContainsAny(text, "\\.!'| ") }

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// step reads on at i and returns where to go on.
func (t *clientText) step(i int) int {
	text := t.source.Text
	two := text[i:min(i+2, len(text))]
	switch c := text[i]; {
	case c == '\'' || c == '"' || c == '`' && t.kind == mysqlClient:
		_, next := t.quoted(i)
		return next
	case two == "--", c == '#' && t.kind == mysqlClient:
		return lineEnd(text, i)
	case two == "/*":
		if n := strings.Index(text[i+2:], "*/"); n >= 0 {
			return i + n + 4
		}
		return len(text)
	case c == '$' && t.kind == psqlClient:
		return dollarQuoted(text, i)
	case c == ';':
		t.first = ""
	case c == '\\' && (t.kind == psqlClient || t.kind == mysqlClient):
		return t.backslash(i)
	case wordByte(c):
		return t.word(i)
	}
	return i + 1
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// quoted returns what stands in the quotes that begin at i, and where to go on.
func (t *clientText) quoted(i int) (value string, next int) {
	text, quote := t.source.Text, t.source.Text[i]
	for next = i + 1; next < len(text); next++ {
		switch {
		case text[next] == '\\' && t.kind == mysqlClient:
			next++
		case text[next] != quote:
		case next+1 < len(text) && text[next+1] == quote:
			next++
		default:
			double := string([]byte{quote, quote})
			return strings.ReplaceAll(text[i+1:next], double, double[:1]), next + 1
		}
	}
	return text[i+1:], len(text)
}

// dollarQuoted skips $tag$ ... $tag$.
func dollarQuoted(text string, i int) int {
	end := i + 1
	for end < len(text) && wordByte(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '$' {
		return end
	}
	tag := text[i : end+1]
	if n := strings.Index(text[end+1:], tag); n >= 0 {
		return end + 1 + n + len(tag)
	}
	return len(text)
}

// word reads a word of a statement. Some are followed by a string that the
// database server, or the client, runs or writes to.
func (t *clientText) word(i int) int {
	text, end := t.source.Text, i
	for end < len(text) && wordByte(text[end]) {
		end++
	}
	upper := ""
	if end-i <= len("XP_CMDSHELL") {
		upper = strings.ToUpper(text[i:end])
	}
	if t.first == "" {
		t.first = text[i:end]
	}
	switch {
	case upper == "PROGRAM" && strings.EqualFold(t.first, "COPY"):
		return t.argument(end, "COPY PROGRAM")
	case upper == "XP_CMDSHELL":
		return t.argument(end, "xp_cmdshell")
	case upper == "TO" && t.kind == sqliteClient && strings.EqualFold(t.first, "COPY"):
		return t.target(end)
	case upper == "WRITEFILE" && t.kind == sqliteClient:
		return t.target(end)
	}
	return end
}

// literal returns the string that begins behind i, if only blanks, brackets and a
// parameter's name stand before it.
func (t *clientText) literal(i int) (value string, next int, ok bool) {
	text := t.source.Text
	for i < len(text) && (strings.IndexByte(" \t\r\n]()=@", text[i]) >= 0 || text[i] == 'N') {
		if text[i] == '@' {
			for i+1 < len(text) && wordByte(text[i+1]) {
				i++
			}
		}
		i++
	}
	if i == len(text) || text[i] != '\'' {
		return "", i, false
	}
	value, next = t.quoted(i)
	return value, next, true
}

// argument reports the command in the string behind i.
func (t *clientText) argument(i int, via string) int {
	value, next, ok := t.literal(i)
	if !ok {
		// A variable stands there: some command is run.
		text := t.source.Text
		named := strings.Contains(text[i:next], "@") || next < len(text) && strings.IndexByte(":$", text[next]) >= 0
		if named && t.pay() {
			t.w.unreadable([]argument{t.source.cut(text[i:min(i+maxShown, len(text))])}, t.inner(via))
		}
		return max(next, i)
	}
	t.run(value, via)
	return next
}

// maxShown is how much is shown of an argument that isn't understood.
const maxShown = 100

// escapeCost is what it costs, of maxWork, to look into one command of a client:
// a parser is made for it, and no honest text has many.
const escapeCost = 1 << 10

func (t *clientText) pay() bool { return t.w.spend(escapeCost) }

// target reports that a file is written, whose name is the string behind i.
func (t *clientText) target(i int) int {
	value, next, ok := t.literal(i)
	if ok {
		t.write(value, ">")
	}
	return max(next, i)
}

// run reports a command that the client gives to a shell.
func (t *clientText) run(command, via string) {
	if command = strings.TrimSpace(command); command != "" && t.pay() {
		t.w.text(t.source.cut(command), t.name+" "+via, t.s)
	}
}

// pipe reports the command behind the bar, or else the file, that output goes to.
func (t *clientText) pipe(target, via, op string) {
	target = strings.TrimSpace(target)
	bare := strings.Trim(target, `"'`)
	if command, ok := strings.CutPrefix(bare, "|"); ok {
		t.run(command, via)
		return
	}
	if first, _, _ := strings.Cut(target, " "); first == target {
		target = bare
	} else if target[0] != '"' && target[0] != '\'' {
		target = first
	} else {
		target = strings.Trim(target[:1+strings.IndexByte(target[1:]+target[:1], target[0])], `"'`)
	}
	t.write(target, op)
}

// write reports that the client writes to a file.
func (t *clientText) write(file, op string) {
	switch strings.ToLower(file) {
	case "", "stdout", "pstdout", "off", "on":
		return
	}
	if !t.pay() {
		return
	}
	target := t.source.cut(file)
	s := t.inner("")
	t.w.add(&Command{
		Redirects: []Redirect{{Op: op, Fd: -1, Target: target.Word, Dynamic: target.Dynamic}},
		Dynamic:   target.Dynamic, Line: target.at.line, Column: target.at.column,
	}, &s)
}

// inner returns the scope of what the client does.
func (t *clientText) inner(via string) scope {
	s := t.s.through(strings.TrimSpace(t.name + " " + via))
	s.assigned, s.shared, s.input = nil, nil, nil
	return s
}
