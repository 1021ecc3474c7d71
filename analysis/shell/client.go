package shell

import "strings"

// clientKind is a family of database clients with commands of their own.
type clientKind int

const (
	noClient clientKind = iota
	psqlClient
	mysqlClient
	sqliteClient
	sqlcmdClient
	sqlplusClient
)

// clientOf tells the database clients in whose input a shell can be called, by
// their manuals, from all other programs.
func clientOf(name string) clientKind {
	switch name {
	case "psql", "pgcli", "usql", "ysqlsh", "vsql", "gpsql", "cockroach":
		return psqlClient
	case "mysql", "mariadb", "mycli":
		return mysqlClient
	case "sqlite3", "sqlite", "duckdb", "litecli":
		return sqliteClient
	case "sqlcmd", "osql", "mssql-cli", "isql", "tsql":
		return sqlcmdClient
	case "sqlplus", "sqlcl":
		return sqlplusClient
	}
	return 0
}

// client reports what a database client is told to run by the shell, in its
// arguments and in what is known of its input, and the files that it is told to
// write. It returns whether c is such a client. What the statements do to a
// database is for package sql.
func (w *walker) client(c *Command, args []argument, s scope) bool {
	kind := clientOf(c.Name)
	if kind == noClient {
		return false
	}
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
	return true
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
