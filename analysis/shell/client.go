package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// clientKind is a family of database clients with commands of their own, in
// whose input a shell can be called, by their manuals. It is "" for all other
// programs.
type clientKind string

const (
	psqlClient    clientKind = "postgres"
	mysqlClient   clientKind = "mysql"
	sqliteClient  clientKind = "sqlite"
	sqlcmdClient  clientKind = "sqlcmd"
	sqlplusClient clientKind = "sqlplus"

	plainClient  clientKind = "sql"    // it has no commands of its own
	mongoClient  clientKind = "mongo"  // it runs JavaScript
	scriptClient clientKind = "script" // it has a language of its own
	lineClient   clientKind = "lines"  // what it reads are its own arguments, line by line
	shellClient  clientKind = "shell"  // it has the shells of other machines run texts
	verbsClient  clientKind = "verbs"  // some of its subcommands are clients
)

func clientOf(name string) clientKind {
	if p := programs.Of(name); p != nil {
		return clientKind(p.Client)
	}
	return ""
}

// maxVerbs is how many words make a program a client: az vm run-command invoke.
const maxVerbs = 4

// clientVerb is the client that a subcommand of some words makes of c.
func clientVerb(c *Command) (kind clientKind, words int) {
	name := c.Name
	for i, word := range c.Operands() {
		if i == maxVerbs || word.Dynamic {
			break
		}
		name += " " + word.Text
		if kind := clientOf(name); kind != "" {
			return kind, i + 1
		}
	}
	return "", 0
}

// client reports what a database client is told to run by the shell, in its
// arguments, in what is known of its input and in the files that the line has
// written for it, and the files that it is told to write. It returns whether c
// is such a client and nothing else. What the statements do to a database is
// for package sql.
func (w *walker) client(c *Command, args []argument, s scope) bool {
	kind := clientOf(c.Name)
	verb, words := kind == verbsClient, 0
	if verb {
		kind, words = clientVerb(c)
	}
	if kind == "" {
		return false
	}
	texts := args
	switch kind {
	case shellClient:
		w.elsewhere(c, args, words, s)
		return true
	case lineClient:
		if s.input != nil && readsOwnLines(c, verb) {
			w.ownLines(c, *s.input, s)
		}
	case mongoClient:
		texts = nil
		for _, o := range c.items() {
			if o.name == "--eval" && o.valued {
				texts = append(texts, valueFrom(args, o.source, o.value))
			}
		}
		if s.input != nil {
			texts = append(texts, *s.input)
		}
		for _, text := range texts {
			w.mongo(c, text, s)
		}
	case plainClient, scriptClient:
	default:
		for i, arg := range args {
			if command, option := pipedOption(c, args, i); option != "" {
				w.text(command, c.Name+" "+option, s)
				continue
			}
			w.escapes(kind, c.Name, withoutOption(arg), s)
		}
		if s.input != nil && readsInput(c) {
			w.escapes(kind, c.Name, *s.input, s)
		}
	}
	files := w.handed(c, args, s)
	if s.input != nil {
		texts = append(texts[:len(texts):len(texts)], *s.input)
	}
	for _, text := range texts {
		files = append(files, w.included(text, s)...)
	}
	for _, file := range files {
		w.reads(kind, c, file, s)
	}
	return !verb && kind != lineClient
}

// readsInput reports whether c reads its standard input, and not only what an
// option gives it.
func readsInput(c *Command) bool {
	switch clientOf(c.Name) {
	case psqlClient:
		if file, ok := c.Flag("-f", "--file"); ok {
			return file == "-" || file == "/dev/stdin"
		}
		_, ok := c.Flag("-c", "--command", "-e", "--execute")
		return !ok || c.Name == "psql" && !hasText(c)
	case mysqlClient:
		_, ok := c.Flag("-e", "--execute")
		return !ok
	case sqlcmdClient:
		_, ok := c.Flag("-Q", "-q", "-i")
		return !ok
	}
	return true
}

// hasText reports whether psql is given a command. -e only echoes there.
func hasText(c *Command) bool {
	_, ok := c.Flag("-c", "--command")
	return ok
}

// pipedOption returns the command that argument i names for the output: the value
// of psql -o '|cmd' and of mysql --pager=cmd.
func pipedOption(c *Command, args []argument, i int) (command argument, option string) {
	text := args[i].Text
	switch clientOf(c.Name) {
	case psqlClient:
		for _, option := range []string{"-o", "--output="} {
			if command, ok := strings.CutPrefix(text, option+"|"); ok {
				return args[i].cut(command), strings.TrimRight(option, "=")
			}
		}
		if strings.HasPrefix(text, "|") && i > 0 && (args[i-1].Text == "-o" || args[i-1].Text == "--output") {
			return args[i].cut(text[1:]), args[i-1].Text
		}
	case mysqlClient:
		if command, ok := strings.CutPrefix(text, "--pager="); ok {
			return args[i].cut(command), "--pager"
		}
	}
	return argument{}, ""
}

// withoutOption returns the value in --name=value and -nvalue. Which options take
// one doesn't matter: only texts that call a shell do.
func withoutOption(arg argument) argument {
	text := arg.Text
	switch {
	case strings.HasPrefix(text, "--"):
		_, value, _ := strings.Cut(text, "=")
		return arg.cut(value)
	case len(text) > 2 && text[0] == '-':
		return arg.cut(text[2:])
	}
	return arg
}

// cut returns the part of the word that is text, which is dynamic only where a
// dynamic part of the word is in it.
func (a argument) cut(text string) argument {
	part := argument{Word: Word{Text: text, Quoted: a.Quoted}, at: a.at, from: a.from}
	if len(a.dynamic) >= maxSources { // there may be more of them
		part.Dynamic = strings.ContainsAny(text, "$`<>")
		return part
	}
	for _, source := range a.dynamic {
		if strings.Contains(text, source) {
			part.dynamic = append(part.dynamic, source)
			part.Dynamic = true
		}
	}
	part.Dynamic = part.Dynamic || a.Dynamic && len(a.dynamic) == 0
	return part
}

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
	if kind == plainClient || !mayEscape(source.Text) || !w.spend(len(source.Text)) {
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
	s.assigned, s.redirects, s.input = nil, nil, nil
	return s
}

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
