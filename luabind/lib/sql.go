package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/sql"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

func sqlModule() luabind.Module {
	return module("sql", "what SQL statements would do, read in any dialect and never run",
		function{
			"parse", "(text: string, options?: {dialect: string}): Statement[]",
			"the statements in a text, also those in WITH, in blocks and in texts that are executed. Strings and comments are data. " +
				"A statement has verb (DROP, DELETE, ...; nil if it isn't understood or, with dynamic, isn't known), object (TABLE, DATABASE, ...), name, names, action (DROP COLUMN of ALTER, ...), has_where, where_always (as in WHERE 1=1), has_limit, if_exists, cascade, explain (it is explained, not run), stored (in a function or trigger that is only defined) and dynamic (a part isn't known). " +
				"A text that is too long or too complex ends with a statement that is dynamic and has no verb. " +
				"dialect is bigquery, clickhouse, duckdb, mysql, oracle, postgres, snowflake, sqlite or sqlserver",
			`local s = sql.parse("DELETE FROM users; DROP TABLE IF EXISTS a, b CASCADE")
assert(s[1].verb == "DELETE" and s[1].name == "users" and not s[1].has_where)
assert(s[2].object == "TABLE" and s[2].names[2] == "b" and s[2].cascade)
assert(sql.parse("SELECT 'DROP TABLE x'")[1].verb == "SELECT")`,
			parseSQL,
		},
		function{
			"find", "(what: ShellCommand | ShellCommand[] | ShellLine | table): Statement[]",
			"the statements that a database gets from a command of shell.parse, from all commands of a line that it returned, or from a tool call or its input. " +
				"They are in arguments and known input of clients such as psql, mysql and sqlite3, from dropdb and the like, or under the keys sql, query, statement and so on of a database's tool. " +
				"sql.find parses the command of a shell's tool call. " +
				"Statements are as from sql.parse; if a client reads unknown text, there is one that is dynamic and has no verb",
			`local line = shell.parse("sudo -u postgres psql -c 'DROP DATABASE shop'")
for _, s in ipairs(sql.find(line)) do
  assert(s.verb == "DROP" and s.object == "DATABASE" and s.name == "shop")
end
assert(sql.find({ query = "TRUNCATE orders" })[1].name == "orders")
assert(#sql.find(shell.parse("git commit -m 'DROP TABLE x'")) == 0)`,
			findSQL,
		})
}

// dialects are what sql.parse can be asked to read.
var dialects = []string{
	string(sql.BigQuery), string(sql.ClickHouse), string(sql.DuckDB), string(sql.MySQL), string(sql.Oracle),
	string(sql.Postgres), string(sql.Snowflake), string(sql.SQLite), string(sql.SQLServer),
}

func parseSQL(c call) int {
	text := c.text(1)
	o := c.options(2, "dialect")
	dialect, given := o.text("dialect")
	if given {
		known := false
		for _, d := range dialects {
			known = known || d == dialect
		}
		if !known {
			name := cut(dialect, 100)
			c.bad(2, "dialect: there is no "+name+spelling.DidYouMean(name, dialects))
		}
	}
	c.chargeSQL(len(text))
	return c.give(c.statements(sql.Parse(text, sql.Options{Dialect: sql.Dialect(dialect)}).Statements))
}

// chargeSQL pays for reading a text of that size, which package sql bounds.
func (c call) chargeSQL(size int) {
	size = min(size, maxCharged)
	luabind.Spend(c.LState, 40+8*size)
	c.allocateParts(2000 + 100*size)
}

func findSQL(c call) int {
	if commands, ok := c.commandsOf(c.Get(1)); ok {
		return c.give(c.statements(c.inCommands(commands)))
	}
	input := c.toolInput()
	if line, ok := shellCommand(input); ok {
		luabind.Spend(c.LState, 200+8*min(len(line), maxCharged)) // as shell.parse
		c.allocateParts(6000 + 120*min(len(line), maxCharged))
		parsed := shell.ParseContext(c.Context(), line, shell.Options{})
		statements := c.inCommands(parsed.Commands)
		if parsed.TooComplex {
			statements = append(statements, &sql.Statement{Dynamic: true})
		}
		return c.give(c.statements(statements))
	}
	if inner, ok := input["input"].(map[string]any); ok && input["name"] != nil {
		input = inner // of a tool call
	}
	c.chargeSQL(textSize(input))
	return c.give(c.statements(sql.InTool(input).Statements))
}

// commandsOf reads a command of shell.parse, a list of them, or what it returned.
func (c call) commandsOf(v lua.LValue) ([]*shell.Command, bool) {
	if command, _ := parsedCommand(v); command != nil {
		return []*shell.Command{command}, true
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, false
	}
	isLine := t.Metatable == c.metaOf(linePart)
	if isLine {
		if t, ok = t.RawGetString("commands").(*lua.LTable); !ok {
			c.bad(1, "the line of shell.parse has no list of commands any more")
		}
	}
	var commands []*shell.Command
	for i := range luabind.Length(c.LState, t) {
		luabind.Spend(c.LState, 4)
		command, _ := parsedCommand(t.RawGetInt(i + 1))
		if command == nil {
			break
		}
		commands = append(commands, command)
	}
	return commands, isLine || len(commands) > 0
}

// inCommands returns the statements of all the commands.
func (c call) inCommands(commands []*shell.Command) []*sql.Statement {
	c.allocateParts(16 * len(commands))
	var statements []*sql.Statement
	for _, command := range commands {
		size := len(command.Path)
		for _, arg := range command.Args {
			size += len(arg.Text) + 4
		}
		for _, r := range command.Redirects {
			size += len(r.Body) + len(r.Target.Text)
		}
		if command.SQL != nil {
			size += len(command.SQL.Text)
		}
		if command.Input != nil {
			size += len(command.Input.Text)
		}
		luabind.Spend(c.LState, 10+8*size)
		c.allocateParts(100 * size)
		statements = append(statements, sql.InCommand(command).Statements...)
	}
	return statements
}

// toolInput copies a tool call or its input.
func (c call) toolInput() map[string]any {
	switch c.Get(1).(type) {
	case *lua.LTable, *lua.LUserData:
	default:
		c.wrongType(1, "command, line or tool call")
	}
	v, err := luabind.FromLua(c.LState, c.Get(1))
	if err != nil {
		c.bad(1, "command, line or tool call expected: "+err.Error())
	}
	input, ok := v.(map[string]any)
	if !ok {
		c.bad(1, "command, line or tool call expected, got a list")
	}
	if _, ok := input["tool_call"].(map[string]any); ok {
		c.bad(1, "command, line or tool call expected, got an event: use its tool_call")
	}
	return input
}

// shellCommand returns the command line of a tool call that is a shell's.
func shellCommand(input map[string]any) (string, bool) {
	command, ok := input["command"].(string)
	return command, ok && input["kind"] == string(hooks.KindShell)
}

// textSize is how much text is in a value, of which all may be SQL.
func textSize(value any) int {
	size := 0
	switch v := value.(type) {
	case string:
		return len(v)
	case []any:
		for _, item := range v {
			size += textSize(item)
		}
	case map[string]any:
		for _, item := range v {
			size += textSize(item)
		}
	}
	return size
}

// statementPart is a statement of sql.parse and sql.find.
var statementPart = part{
	"an SQL statement",
	[]string{"verb", "object", "name", "names", "action", "has_where", "where_always", "has_limit", "if_exists", "cascade", "explain", "stored", "dynamic"},
	[]string{"verb", "object", "name", "action"},
}

// statements is a list of tables of what is known about statements.
func (c call) statements(list []*sql.Statement) *lua.LTable {
	return c.parts(len(list), statementPart, func(i int, t *lua.LTable) {
		s := list[i]
		statementPart.fill(t,
			textOrNil(s.Verb), textOrNil(s.Object), textOrNil(s.Name()), c.texts(s.Names), textOrNil(s.Action),
			lua.LBool(s.HasWhere), lua.LBool(s.WhereAlways), lua.LBool(s.HasLimit),
			lua.LBool(s.IfExists), lua.LBool(s.Cascade), lua.LBool(s.Explain), lua.LBool(s.Stored), lua.LBool(s.Dynamic))
	})
}
