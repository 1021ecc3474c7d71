package lib

import "testing"

func TestShell(t *testing.T) {
	const first = `local function first(s) return shell.parse(s).commands[1] end `
	runScripts(t, []script{
		{"fields", first + `local c = first("FOO=1 BAR+=$x /bin/rm -rf 'a b' $d *.go >out 2>&1")
			same(c.name, "rm") same(c.path, "/bin/rm") same(c.args, { "-rf", "a b", "$d", "*.go" })
			same(c.words[2], { text = "a b", dynamic = false, quoted = true, glob = false }) same(c.words[3].dynamic, true) same(c.words[4].glob, true)
			same(c.assignments[1], { name = "FOO", value = "1", append = false, dynamic = false }) same(c.assignments[2].append, true) same(c.assignments[2].dynamic, true)
			same(c.redirects[1], { op = ">", target = "out", dynamic = false, body = "" }) same(c.redirects[2].fd, 2)
			same(c.context, "") same(c.via, json.array()) same(c.dynamic, true) same(c.name_dynamic, false) same(c.line, 1) same(c.column, 15) same(c.pipe, nil)`, ""},
		{"dynamic name", first + `local c = first("$cmd x") same(c.name, nil) same(c.path, "$cmd") same(c.name_dynamic, true) same(c.dynamic, true)`, ""},
		{"static", first + `same(first("ls -l").dynamic, false)`, ""},
		{"assignment alone", first + `local c = first("A=1") same(c.name, nil) same(c.name_dynamic, false) same(#c.args, 0)`, ""},
		{"here-document", first + `same(first("cat <<EOF\nhi\nEOF").redirects[1].body, "hi\n")`, ""},
		{"via and context", `local c = shell.parse("a | sudo b").commands same(#c, 3) same(c[3].name, "b") same(c[3].via, { "sudo" }) same(c[1].context, "pipe") same(c[1].pipe, 1)`, ""},
		{"flag", first + `local c = first("git push -f --context=prod --to x origin")
			same(c:flag("-f", "--force"), true) same(c:flag("--context"), "prod") same(c:flag("--to"), "x") same(c:flag("--none"), false) same(c:flag("-z", "--context"), "prod")`, ""},
		{"flag without value", first + `same(first("git push --force"):flag("--force"), true) same(first("rm -rf x"):flag("-r"), "f") same(first("a --x="):flag("--x"), true)`, ""},
		{"operands", first + `local c = first("git -C dir push origin main") same(c:subcommand(), "push") same(c:operands(), { "push", "origin", "main" }) same(first("ls"):operands(), json.array()) same(first("ls"):subcommand(), nil)`, ""},
		{"as JSON", first + `same(json.decode(json.encode(first("ls -l"))).args, { "-l" }) same(getmetatable(first("ls")), "command")`, ""},
		{"tables are the script's own", first + `local a, b = first("ls x"), first("ls x") a.args[1] = "y" a.note = 1 same(b.args[1], "x") same(a.note, 1) assert(rawget(b, "note") == nil)`, ""},
		{"errors are values", `local r = shell.parse("rm x; echo 'a") assert(r.error and not r.error:find("\n")) same(r.commands[1].name, "rm") same(r.too_complex, false) same(shell.parse("ls").error, nil)`, ""},
		{"too complex", `local r = shell.parse(("("):rep(30000)) same(r.too_complex, true) same(r.commands, json.array())`, ""},
		{"empty", `local r = shell.parse("") same(r.commands, json.array()) same(r.error, nil)`, ""},
		{"split", `same(shell.split([[a 'b c' d\ e]]), { "a", "b c", "d e" }) same(shell.split(""), json.array())`, ""},
		{"quote", `same(shell.quote("it's"), [['it'\''s']]) same(shell.split(shell.quote("a b", "", "$x")), { "a b", "", "$x" })`, ""},

		{"parse nil", `shell.parse(nil)`, "bad argument #1 to parse (string expected, got nil)"},
		{"parse a table", `shell.parse({})`, "bad argument #1 to parse (string expected, got table)"},
		{"split open quote", `shell.split("a 'b")`, "bad argument #1 to split (text with complete quotes expected: 1:3: a single quote isn't closed)"},
		{"quote nothing", `shell.quote()`, "bad argument #1 to quote (string expected, got nil)"},
		{"quote nil", `shell.quote("a", nil)`, "bad argument #2 to quote (string expected, got nil)"},
		{"unknown field of a line", `return shell.parse("ls").too_complx`, `what shell.parse returns has no field "too_complx"; did you mean "too_complex"?`},
		{"unknown function", `return text.startswith("a", "b")`, `text has no "startswith"; did you mean "starts_with"?`},
		{"unknown constant", `return json.nul`, `json has no "nul"; did you mean "null"?`},
		{"unknown field", first + `return first("ls").nmae`, `a shell command has no field "nmae"; did you mean "name"?`},
		{"flag with a dot", first + `first("ls").flag("-l")`, "call flag of a command of shell.parse with a colon: cmd:flag(...)"},
		{"flag without dashes", first + `first("ls"):flag("l")`, `bad argument #1 to flag (option with its dashes expected, like "-f" or "--force", got "l")`},
		{"flag of nothing", first + `first("ls"):flag()`, "bad argument #1 to flag (string expected, got nil)"},
		{"flag of a second nothing", first + `first("ls"):flag("-l", nil)`, "bad argument #2 to flag (string expected, got nil)"},
		{"spoilt words", first + `local c = first("ls -l") c.words = nil fails("call operands of a command", function() c:operands() end) c.words = { 1 } fails("call subcommand", function() c:subcommand() end) c.words = { { text = 1 } } fails("call flag", function() c:flag("-l") end)`, ""},
	})
}
