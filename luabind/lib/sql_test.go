package lib

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestSQL(t *testing.T) {
	const line = `local function found(s) return sql.find(shell.parse(s)) end `
	runScripts(t, []script{
		{"fields", `local s = sql.parse("DROP TABLE IF EXISTS a, b.c CASCADE")[1]
			same(s.verb, "DROP") same(s.object, "TABLE") same(s.name, "a") same(s.names, { "a", "b.c" }) same(s.action, nil)
			same(s.if_exists, true) same(s.cascade, true) same(s.has_where, false) same(s.where_always, false) same(s.has_limit, false)
			same(s.explain, false) same(s.stored, false) same(s.dynamic, false)`, ""},
		{"where", `local s = sql.parse("DELETE FROM t WHERE 1=1 LIMIT 5")[1] same(s.has_where, true) same(s.where_always, true) same(s.has_limit, true)`, ""},
		{"action", `same(sql.parse("ALTER TABLE t DROP COLUMN c")[1].action, "DROP COLUMN")`, ""},
		{"explain", `same(sql.parse("EXPLAIN DELETE FROM t")[1].explain, true) same(sql.parse("EXPLAIN ANALYZE DELETE FROM t")[1].explain, false)`, ""},
		{"stored", `local s = sql.parse("CREATE TRIGGER a AFTER INSERT ON b FOR EACH ROW DELETE FROM c") same(#s, 2) same(s[2].stored, true)`, ""},
		{"several", `local s = sql.parse("SELECT 1; DELETE FROM a") same(#s, 2) same(s[2].name, "a")`, ""},
		{"data", `local s = sql.parse("INSERT INTO log VALUES ('DROP TABLE x')") same(#s, 1) same(s[1].verb, "INSERT")`, ""},
		{"not understood", `local s = sql.parse("frobnicate") same(#s, 1) same(s[1].verb, nil) same(s[1].object, nil) same(s[1].name, nil) same(s[1].names, json.array()) same(s[1].dynamic, false)`, ""},
		{"nothing", `same(sql.parse(""), json.array()) same(sql.parse("-- DROP TABLE x"), json.array())`, ""},
		{"too long", `local s = sql.parse(("x"):rep(70000)) same(#s, 1) same(s[1].verb, nil) same(s[1].dynamic, true)`, ""},
		{"dialect", `local s = [[SELECT '\'; DROP TABLE x; --']] same(#sql.parse(s, { dialect = "mysql" }), 1) same(#sql.parse(s, { dialect = "postgres" }), 2)`, ""},
		{"tables are the script's own", `local a, b = sql.parse("DROP TABLE a")[1], sql.parse("DROP TABLE a")[1] a.note = 1 a.names[1] = "x" same(rawget(b, "note"), nil) same(b.names[1], "a")`, ""},
		{"as JSON", `same(json.decode(json.encode(sql.parse("DROP TABLE a")[1])).verb, "DROP")`, ""},

		{"a command", line + `same(sql.find(shell.parse("psql -c 'DROP TABLE x'").commands[1])[1].name, "x")`, ""},
		{"a line", line + `local s = found("psql -c 'DROP TABLE x' && sudo mysql -e 'DELETE FROM y'") same(#s, 2) same(s[2].name, "y")`, ""},
		{"a list of others", `sql.find({ "DROP TABLE x" })`, "bad argument #1 to find (command, line or tool call expected, got a list)"},
		{"commands", `local s = sql.find(shell.parse("ls; dropdb x").commands) same(#s, 1) same(s[1].object, "DATABASE")`, ""},
		{"a here-document", line + `same(found("sqlite3 db <<EOF\nDROP TABLE x;\nEOF")[1].verb, "DROP")`, ""},
		{"a variable", line + `local s = found([[psql -c "$SQL"]]) same(s[1].verb, nil) same(s[1].dynamic, true)`, ""},
		{"text of others", line + `same(found("echo 'DROP TABLE x'; git commit -m 'DELETE FROM y'"), json.array())`, ""},
		{"an empty line", line + `same(found(""), json.array())`, ""},
		{"the command as parsed", `local c = shell.parse("psql -c 'DROP TABLE x'").commands[1] c.args = {} c.words = nil same(#sql.find(c), 1)`, ""},
		{"an input", `same(sql.find({ params = { sql = "DROP TABLE x" } })[1].name, "x") same(sql.find({ query = "the weather" }), json.array()) same(sql.find({}), json.array())`, ""},
		{"an input with a list", `same(#sql.find({ statements = { "DROP TABLE x", { sql = "DROP TABLE y" } } }), 2)`, ""},
		{"a tool call as a table", `same(sql.find({ name = "mcp__db__query", kind = "mcp", input = { query = "TRUNCATE a" } })[1].verb, "TRUNCATE")`, ""},
		{"a shell's tool call", `same(sql.find({ kind = "shell", command = "psql -c 'DROP TABLE x'" })[1].name, "x")`, ""},
		{"a shell's tool call, too complex", `local s = sql.find({ kind = "shell", command = ("("):rep(30000) }) same(s[#s].verb, nil) same(s[#s].dynamic, true)`, ""},

		{"parse nil", `sql.parse(nil)`, "bad argument #1 to parse (string expected, got nil)"},
		{"parse a table", `sql.parse({})`, "bad argument #1 to parse (string expected, got table)"},
		{"unknown option", `sql.parse("", { dialekt = "mysql" })`, `bad argument #2 to parse (unknown option dialekt; did you mean "dialect"?)`},
		{"unknown dialect", `sql.parse("", { dialect = "postgre" })`, `bad argument #2 to parse (dialect: there is no postgre; did you mean "postgres"?)`},
		{"no text for a dialect", `sql.parse("", { dialect = {} })`, "dialect: string expected, got table"},
		{"find nothing", `sql.find()`, "bad argument #1 to find (command, line or tool call expected, got nil)"},
		{"find a text", `sql.find("DROP TABLE x")`, "bad argument #1 to find (command, line or tool call expected, got string)"},
		{"find in a function", `sql.find({ sql = print })`, "bad argument #1 to find (command, line or tool call expected: "},
		{"find in an event", `sql.find({ event = "pre_tool_call", tool_call = { kind = "shell", command = "dropdb x" } })`, "bad argument #1 to find (command, line or tool call expected, got an event: use its tool_call)"},
		{"spoilt line", `local l = shell.parse("ls") l.commands = nil sql.find(l)`, "bad argument #1 to find (the line of shell.parse has no list of commands any more)"},
		{"unknown field", `return sql.parse("DROP TABLE x")[1].has_wher`, `an SQL statement has no field "has_wher"; did you mean "has_where"?`},
		{"unknown function", `return sql.pars("x")`, `sql has no "pars"; did you mean "parse"?`},
	})
}

// TestSQLOfEvent finds statements in tool calls as hooks get them.
func TestSQLOfEvent(t *testing.T) {
	s, err := load(t, luabind.Environment{Modules: Modules()}, `on("pre_tool_call", function(ev)
  for _, s in ipairs(sql.find(ev.tool_call)) do
    if s.verb == "DROP" and not s.explain then return deny("drops " .. s.name) end
  end
  assert(#sql.find(ev.tool_call.input) == 0)
end)`)
	if err != nil {
		t.Fatal(err)
	}
	for event, want := range map[string]string{
		`{"tool_call":{"name":"mcp__db__query","input":{"query":"DROP TABLE a"}}}`:                 "drops a",
		`{"tool_call":{"name":"mcp__db__run","input":{"params":{"statements":["DROP TABLE b"]}}}}`: "drops b",
		`{"tool_call":{"name":"Bash","input":{"command":"psql -c 'DROP TABLE c'"}}}`:               "drops c",
		`{"tool_call":{"name":"Bash","input":{"command":"echo 'DROP TABLE c'"}}}`:                  "",
		`{"tool_call":{"name":"Read","input":{"file_path":"DROP TABLE c"}}}`:                       "",
	} {
		c, err := hooks.DecodeContext([]byte(event), hooks.PreToolCall)
		if err != nil {
			t.Fatal(err)
		}
		out := s.Call(context.Background(), 0, c, luabind.Limits{})
		got := ""
		if out.Result != nil {
			got = out.Result.Reason
		}
		if out.Err != nil || got != want {
			t.Errorf("%s: got %q, %v", event, got, out.Err)
		}
	}
}
