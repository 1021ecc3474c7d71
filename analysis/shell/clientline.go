package shell

import "strings"

// line reads a command of the client that takes a line where a statement could
// begin. It reports whether there is one.
func (t *clientText) line(line string) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch lower := strings.ToLower(name); t.kind {
	case mysqlClient:
		return t.mysqlLine(lower, rest)
	case sqliteClient:
		// Without a blank before it.
		return strings.HasPrefix(line, ".") && t.dotLine(lower, rest)
	case sqlcmdClient:
		return t.sqlcmdLine(strings.TrimSpace(line), lower, rest)
	case sqlplusClient:
		return t.sqlplusLine(strings.TrimSpace(line), lower, rest)
	}
	return false
}

func (t *clientText) mysqlLine(name, rest string) bool {
	switch name {
	case "system":
		t.run(rest, "system")
	case "pager":
		t.run(rest, "pager")
	case "tee":
		t.pipe(rest, "tee", ">>")
	case "source", "use", "delimiter", "prompt", "charset", "notee", "nopager":
	default:
		return false
	}
	return true
}

// dotLine reads a command of sqlite3 and duckdb, which may be abbreviated.
func (t *clientText) dotLine(name, rest string) bool {
	abbreviates := func(least int, command string) bool {
		return len(name) > least && strings.HasPrefix(command, name)
	}
	switch {
	case abbreviates(2, ".shell"), abbreviates(2, ".system"):
		t.run(rest, name)
	case abbreviates(2, ".output"), abbreviates(3, ".once"):
		// .once -e opens an editor.
		if rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "-") {
			t.pipe(rest, name, ">")
		}
	case abbreviates(2, ".log"), abbreviates(3, ".save"), abbreviates(2, ".backup"), abbreviates(2, ".clone"):
		fields := strings.Fields(rest) // .backup main file
		if len(fields) > 0 {
			t.pipe(fields[len(fields)-1], name, ">")
		}
	case abbreviates(3, ".read"), abbreviates(2, ".import"):
		rest = strings.TrimSpace(rest)
		if bare := strings.TrimLeft(rest, `"'`); strings.HasPrefix(bare, "|") {
			if bare != rest { // .import "|cmd" table
				bare, _, _ = strings.Cut(bare, rest[:1])
			}
			t.run(bare[1:], name)
		}
	}
	return true
}

func (t *clientText) sqlcmdLine(line, name, rest string) bool {
	if command, ok := strings.CutPrefix(strings.TrimPrefix(line, ":"), "!!"); ok {
		t.run(command, "!!")
		return true
	}
	switch name {
	case "go":
		t.first = ""
		return true
	case ":out", ":error", ":perftrace":
		if file := strings.TrimSpace(rest); !strings.EqualFold(file, "stderr") {
			t.pipe(file, name, ">")
		}
		return true
	}
	return false
}

func (t *clientText) sqlplusLine(line, name, rest string) bool {
	switch command, ok := strings.CutPrefix(line, "!"); {
	case ok:
		t.run(command, "!")
	case name == "host" || name == "ho":
		t.run(rest, "host")
	case len(name) >= 3 && strings.HasPrefix("spool", name):
		t.pipe(rest, "spool", ">")
	default:
		return false
	}
	return true
}

// backslash reads a command that begins with the backslash at i, and returns
// where to go on.
func (t *clientText) backslash(i int) int {
	text := t.source.Text
	if i >= t.end {
		t.end = lineEnd(text, i)
	}
	end := t.end
	after := min(i+2, end)
	if t.kind == psqlClient {
		for after < end && wordByte(text[after]) && wordByte(text[after-1]) {
			after++
		}
	}
	name, rest := text[i+1:after], text[after:end]
	if t.kind == mysqlClient {
		return t.short(name, rest, after, end)
	}
	t.first = ""
	switch name {
	case "!", "|": // the second is cockroach's, and gives its output back as SQL
		t.run(rest, `\`+name)
		return end
	case "copy":
		return t.copy(after, end)
	case "o", "out", "g", "gx", "w", "write":
		rest, next := cutCommand(rest, after, end)
		if strings.HasPrefix(strings.TrimSpace(rest), "(") { // \g (format=csv) |cmd
			_, rest, _ = strings.Cut(rest, ")")
		}
		t.pipe(rest, `\`+name, ">")
		return next
	}
	rest, next := cutCommand(rest, after, end)
	t.substituted(rest, `\`+name)
	return next
}

// cutCommand cuts what follows a command at the next backslash outside of quotes,
// with which another begins. Behind a bar, all of the line belongs to the shell.
func cutCommand(rest string, after, end int) (string, int) {
	if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "|") {
		return rest, end
	}
	quoted := false
	for n := range len(rest) {
		switch {
		case rest[n] == '\'':
			quoted = !quoted
		case quoted || rest[n] != '\\':
		case strings.HasPrefix(rest[n:], `\\`):
			return rest[:n], after + n + 2
		default:
			return rest[:n], after + n
		}
	}
	return rest, end
}

// short reads a command of mysql, whose name is one character.
func (t *clientText) short(name, rest string, after, end int) int {
	switch name {
	case "!":
		t.run(strings.TrimRight(rest, ";"), `\!`)
		return end
	case "P":
		t.run(strings.TrimRight(rest, ";"), `\P`)
		return end
	case "T":
		t.pipe(strings.TrimRight(rest, ";"), `\T`, ">>")
		return end
	case "g", "G":
		t.first = ""
	}
	return after
}

// copy reads psql's \copy, which takes the whole line.
func (t *clientText) copy(i, end int) int {
	text := t.source.Text
	for i < end {
		if text[i] == '\'' || text[i] == '"' {
			_, i = t.quoted(i)
			continue
		}
		start := i
		for i < end && wordByte(text[i]) {
			i++
		}
		switch word := strings.ToUpper(text[start:i]); {
		case word == "PROGRAM":
			return max(t.argument(i, `\copy`), end)
		case word == "TO":
			rest := strings.TrimSpace(text[i:end])
			if len(rest) < 8 || !strings.EqualFold(rest[:8], "program ") {
				t.pipe(rest, `\copy`, ">")
				return end
			}
		case start == i:
			i++
		}
	}
	return end
}

// substituted reports the commands in backquotes in the arguments of a psql
// command, which psql replaces by what they print.
func (t *clientText) substituted(rest, via string) {
	for {
		_, after, ok := strings.Cut(rest, "`")
		command, next, closed := strings.Cut(after, "`")
		if !ok || !closed {
			return
		}
		t.run(command, via)
		rest = next
	}
}
