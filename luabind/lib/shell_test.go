package lib

import (
	"context"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestShell(t *testing.T) {
	const first = `local function first(s) return shell.parse(s).commands[1] end `
	runScripts(t, []script{
		{"fields", first + `local c = first("FOO=1 BAR+=$x /bin/rm -rf 'a b' $d *.go >out 2>&1")
			same(c.name, "rm") same(c.path, "/bin/rm") same(c.args, { "-rf", "a b", "$d", "*.go" })
			same(c.words[2], { text = "a b", dynamic = false, quoted = true, glob = false, home = false }) same(c.words[3].dynamic, true) same(c.words[4].glob, true)
			same(c.assignments[1], { name = "FOO", value = "1", append = false, dynamic = false }) same(c.assignments[2].append, true) same(c.assignments[2].dynamic, true)
			same(c.redirects[1], { op = ">", target = "out", dynamic = false, body = "", empties = false }) same(c.redirects[2].fd, 2)
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
		{"methods look at what was parsed", first + `local c = first("git push -f origin") c.words = { 1 } c.args, c.name = nil, "rm" same(c:operands(), { "push", "origin" }) same(c:subcommand(), "push") same(c:flag("-f"), "origin") same(c.name, "rm")`, ""},
		{"a method of a copy", first + `local copy = {} for k, v in pairs(first("ls -l")) do copy[k] = v end first("ls").flag(copy, "-l")`, "call flag of a command of shell.parse with a colon"},

		{"env", first + `local e = first("A=1 B=x A=2 B+=y C+=z C+=. D=$x cmd").env same(e, { A = "2", B = "xy", C = "${C}z.", D = "$x" }) same(e.NONE, nil) same(first("ls").env, {})`, ""},
		{"a field is the same each time", first + `local c = first("A=1 ls x >y") for _, k in ipairs({ "args", "words", "env", "assignments", "redirects", "via" }) do assert(rawequal(c[k], c[k]), k) end c.args[1] = "z" same(c.args, { "z" }) same(c.words[1].text, "x")`, ""},
		{"home", first + `same(first("ls ~/x").words[1].home, true)`, ""},
		{"git", first + `local g = first("git push --force origin +main").git same(g.subcommand, "push") same(g.force, true) same(g.rewrites_history, true) same(g.dry_run, false) same(g.discards_changes, false) same(first("ls").git, nil)`, ""},
		{"git's words", first + `local g = first("git -C /r push -f origin +main :old").git same(g.dir, "/r") same(g.operands, { "origin", "+main", ":old" }) same(g.paths, json.array())
			same(g.refspecs[1], { source = "main", target = "main", force = true, delete = false }) same(g.refspecs[2].delete, true) same(first("git status").git.dir, nil)`, ""},
		{"git without effects", first + `local g = first("git").git same(g.subcommand, nil) same(g.because, "") same(g.refspecs, json.array()) same(g.deletes_refs, false) same(g.force_with_lease, false) same(g.dynamic, false)`, ""},
		{"paths", first + `local paths, unknown = first("rm -rf /a /b"):paths() same(paths, { "/a", "/b" }) same(unknown, false)`, ""},
		{"paths by access", first + `local c = first("rm -rf /a") same(c:paths("delete"), { "/a" }) same(c:paths("write"), json.array()) same(c:paths("read"), json.array())`, ""},
		{"paths that aren't known", first + `local c = first('rm -rf /a "$x"') local paths, unknown = c:paths("delete") same(#paths, 2) same(unknown, true) same(select(2, c:paths("read")), false)`, ""},
		{"files", first + `local files = first("cp a* ~/b"):files() same(#files, 2) same({ files[1].path, files[1].access, files[1].glob, files[1].home, files[1].dynamic }, { "a*", "read", true, false, false }) same({ files[2].path, files[2].access, files[2].home }, { "~/b", "write", true })`, ""},
		{"files by access", first + `local files = first("cp a b"):files("write") same(#files, 1) same(files[1].path, "b") same(#first("cp a b"):files("delete"), 0)`, ""},
		{"files of two kinds of access", first + `local files = first("mv a b"):files("write", "delete") same(#files, 2) same(files[1].path .. files[2].path, "ab") same(#first("cat a"):files("write", "delete"), 0)`, ""},
		{"files that aren't known", first + `local file = first('rm "$x"'):files("delete")[1] same(file.dynamic, true)`, ""},
		{"files elsewhere", `local line = shell.parse("ssh h 'cd /srv && rm -rf app ../x >> y'") local rm = line.commands[3] same(#rm:files(), 0) same(#line.commands[1]:remote_files(), 0)
			local files = rm:remote_files() same(#files, 3) same({ files[1].path, files[1].access, files[2].path, files[3].path, files[3].access }, { "/srv/app", "delete", "/x", "/srv/y", "write" }) same(#rm:remote_files("write"), 1)`, ""},
		{"where files are that aren't known", first + `local x, t = first('rm "/srv/$x"'):files()[1], first('rm "$TMPDIR/x"'):files()[1] same({ x.under, x.temporary, t.under, t.temporary }, { "/srv", false, "", true })`, ""},
		{"files of an unknown access", first + `first("ls"):files("wirte")`, `bad argument #1 to files ("read", "write" or "delete" expected, got "wirte"; did you mean "write"?)`},
		{"a field that files don't have", first + `return first("rm x"):files()[1].pth`, `a file of a command has no field "pth"; did you mean "path"?`},
		{"paths of a folder", `local c = shell.parse("rm -rf x", { cwd = "/w/./y/..", home = "/home/me" }).commands[1] same(c:paths("delete"), { "/w/x" })`, ""},

		{"pairs shows plain data", first + `local seen = {} for k, v in pairs(first("A=1 ls -l")) do seen[#seen + 1] = k end
			same(table.concat(seen, " "), "name path args words env assignments redirects context via dynamic name_dynamic dir decoded multiplies decides remote mounted line column")`, ""},
		{"next shows plain data", first + `local c = first("ls") local k, v = next(c) same(k, "name") same(v, "ls") same(next(c, "name"), "path")`, ""},
		{"JSON shows plain data", first + `local c = json.decode(json.encode(first("sudo -u me ls -l >out"))) same(c.name, "sudo") same(c.args, { "-u", "me", "ls", "-l" }) same(c.words[4].text, "-l") same(c.redirects[1].target, "out") same(c.env, {}) same(c.parent, nil) same(c.flag, nil)`, ""},
		{"a line as JSON", `local l = json.decode(json.encode(shell.parse("a | sudo b; c"))) same(#l.commands, 4) same(l.commands[3].via, { "sudo" }) same(l.too_complex, false)`, ""},
		{"what the script sets stays", first + `local c = first("ls x") c.name, c.args, c.note = "rm", { "y" }, "n" local j = json.decode(json.encode(c)) same(j.name, "rm") same(j.args, { "y" }) same(j.note, "n") same(j.path, "ls")`, ""},
		{"commands of a long line", `local c = shell.parse(("a x;"):rep(1000)).commands same(#c, 1000) for i = 1000, 1, -7 do same(c[i].column, 4 * i - 3) end for i, cmd in ipairs(c) do same(cmd.column, 4 * i - 3) same(cmd:operands(), { "x" }) end`, ""},

		{"methods", first + `same(first([[mongosh --eval "db.users.remove({}); db.x.drop()"]]):methods(), { { name = "remove", object = "users", bare = true, key = "" }, { name = "drop", object = "x", bare = true, key = "" } })
			same(first("mongosh --eval 'db.users.remove({a: 1})'"):methods()[1].bare, false) same(first("ls 'a.b()'"):methods(), json.array())`, ""},
		{"options", `shell.parse("ls", { cwd = "/x" }) shell.parse("ls", { home = "/x" }) shell.parse("ls", {}) shell.parse("ls", nil) shell.parse("ls", { cwd = [[C:\x]] })`, ""},
		{"unknown option", `shell.parse("ls", { cdw = "/x" })`, `bad argument #2 to parse (unknown option cdw; did you mean "cwd"?)`},
		{"options of another type", `shell.parse("ls", "/x")`, "bad argument #2 to parse (table expected, got string)"},
		{"cwd of another type", `shell.parse("ls", { cwd = true })`, "bad argument #2 to parse (cwd: string expected, got boolean)"},
		{"relative cwd", `shell.parse("ls", { cwd = "x" })`, `bad argument #2 to parse (cwd: absolute path expected, got "x")`},
		{"empty home", `shell.parse("ls", { home = "" })`, `bad argument #2 to parse (home: absolute path expected, got "")`},
		{"unknown access", first + `first("ls"):paths("wirte")`, `bad argument #1 to paths ("read", "write" or "delete" expected, got "wirte"; did you mean "write"?)`},
		{"several kinds of access", first + `first("ls"):paths("write", "delete")`, "bad argument #2 to paths (one kind of access expected, or none for all)"},
		{"an operand with a name", first + `same(first("dd if=/x of=/y"):flag("of="), "/y") same(first("dd if=/x"):flag("of="), false)`, ""},
		{"access of another type", first + `first("ls"):paths({})`, "bad argument #1 to paths (string expected, got table)"},
		{"unknown field of a word", first + `return first("ls x").words[1].dynamc`, `a word of a shell command has no field "dynamc"; did you mean "dynamic"?`},
		{"unknown field of an assignment", first + `return first("A=1 ls").assignments[1].text`, `an assignment of a shell command has no field "text"`},
		{"unknown field of a redirection", first + `return first("ls >x").redirects[1].file`, `a redirection of a shell command has no field "file"`},
		{"fields of git are there for pairs and json", first + `local g = first("git push -f").git local read = g.force
			local n = 0 for name, value in pairs(g) do n = n + 1 assert(g[name] ~= nil, name) end same(n, 17) same(read, true)
			same(json.decode(json.encode(first("git -C /r status").git)).dir, "/r")`, ""},
		{"git belongs to the script", first + `local g = first("git push -f").git g.force = "mine" same(g.force, "mine") same(g.dry_run, false)
			g.pushes[1].branch = "x" same(g.pushes[1].branch, "x") for k in pairs(g) do g[k] = nil end same(g.subcommand, "push") same(g.force, true)`, ""},
		{"unknown field of git", first + `return first("git push").git.forced`, `git of a shell command has no field "forced"; did you mean "force"?`},
		{"unknown field of a refspec", first + `return first("git push origin main").git.refspecs[1].src`, `a refspec of git has no field "src"`},
		{"the pushes of git", first + `local p = first("git push -f origin HEAD:main").git.pushes[1] same(p, { remote = "origin", branch = "main", current = false, any = false, force = true, delete = false })
			local q = first("git push").git.pushes[1] same(q.remote, nil) same(q.branch, nil) same(q.current, true) same(first("git status").git.pushes, json.array())`, ""},
		{"unknown field of a push", first + `return first("git push").git.pushes[1].brnch`, `a push of git has no field "brnch"; did you mean "branch"?`},
		{"before", `local c = shell.parse("a; b && git -C x init y").commands local list = c[3]:before()
			same(#list, 2) same(list[1].cmd, c[1]) same(list[1].succeeded, false) same(list[2].succeeded, true) same(#c[1]:before(), 0)`, ""},
		{"a field that an earlier command doesn't have", `local x = shell.parse("a; b").commands[2]:before()[1].name`, "an earlier command has no field \"name\""},
		{"git_folders", `local c = shell.parse("a; git -C x clone https://example.com/y.git; git status", {cwd = "/w"}).commands
			local works, makes = c[2]:git_folders() same(works.path, "/w/x") same(makes.path, "/w/x/y") same(makes.access, "write")
			works, makes = c[3]:git_folders() same(works.path, "/w") same(makes, nil) same(c[1]:git_folders(), nil) same(c[3].git.foreign, false)
			same(shell.parse("git up").commands[1].git.foreign, true)`, ""},
		{"replace_name", `local c = shell.parse('npm i; git commit -m "npm i"; sudo npm x').commands
			same(c[1]:replace_name("pnpm"), 'pnpm i; git commit -m "npm i"; sudo npm x') same(c[4]:replace_name("bun"), 'pnpm i; git commit -m "npm i"; sudo bun x')
			same(c[1]:replace_name("yarn"), 'yarn i; git commit -m "npm i"; sudo bun x')`, ""},
		{"replace_name that can't be", `local c = shell.parse("npm i; $x y").commands same(c[1]:replace_name("pnpm"), "pnpm i; $x y")
			local line, why = c[2]:replace_name("z") same(line, nil) same(why, [[the name of "$x" isn't written out as a word of the line]])
			line, why = c[1]:replace_name("p npm") same(line, nil) same(why, [["p npm" isn't a name in one plain word]]) same(c[1]:replace_name("bun"), "bun i; $x y")`, ""},
		{"replace_name without a name", first + `first("ls"):replace_name()`, "bad argument #1 to replace_name (string expected, got nil)"},
		{"methods of the second command", `local c = shell.parse("a -x; b -y z").commands[2] assert(c:flag("-y") == "z" and not c:flag("-x")) same(c:operands()[1], "z")`, ""},
		{"absent fields", first + `local c = first("$x >y") same(c.name, nil) same(c.pipe, nil) same(c.parent, nil) same(c.input, nil) same(c.git, nil) same(c.redirects[1].fd, nil)`, ""},
	})
}

// TestShellRelations reads the fields that lead from command to command, in a line that
// is made by hand.
func TestShellRelations(t *testing.T) {
	curl := &shell.Command{Name: "curl", Path: "curl", Pipe: 1}
	sh := &shell.Command{Name: "sh", Path: "sh", Pipe: 1, Dir: shell.Word{Text: "/w"}, Input: &shell.Input{Text: "x", Dynamic: true, From: []*shell.Command{curl}}}
	unknown := &shell.Command{NameDynamic: true, Dynamic: true, Parent: sh, From: []*shell.Command{curl}, Remote: true, Dir: shell.Word{Text: "$x", Dynamic: true}}
	line := &shell.Line{Commands: []*shell.Command{curl, sh, unknown}}
	lines := luabind.Module{Name: "lines", Help: "a line", Functions: []luabind.Function{{Name: "get", Go: func(L *lua.LState) int {
		c := call{LState: L}
		return c.give(c.commands(line, "", shell.Options{}))
	}}}}
	for _, s := range []script{
		{"from", `assert(rawequal(unknown.from[1], curl) and rawequal(unknown.from, unknown.from)) same(#unknown.from, 1) same(curl.from, json.array())`, ""},
		{"parent", `assert(rawequal(unknown.parent, sh)) same(sh.parent, nil)`, ""},
		{"input", `same(sh.input.text, "x") same(sh.input.dynamic, true) assert(rawequal(sh.input.from[1], curl) and rawequal(sh.input, sh.input)) same(curl.input, nil)`, ""},
		{"a typo in input", `return sh.input.form`, `the input of a shell command has no field "form"; did you mean "from"?`},
		{"a change to a table is seen wherever it is reached", `sh.note = 1 same(unknown.parent.note, 1) unknown.from[1].note = 2 same(curl.note, 2) sh.input.from[2] = "x" same(#sh.input.from, 2)`, ""},
		{"dir and remote", `same(sh.dir, "/w") same(unknown.dir, nil) same(curl.dir, nil) same(unknown.remote, true) same(sh.remote, false)`, ""},
		{"JSON follows none of them", `local _ = unknown.parent, unknown.from, sh.input.from
			for _, cmd in ipairs({ unknown, sh }) do local t = json.decode(json.encode(cmd)) same(t.parent, nil) same(t.from, nil) same(t.input, nil) end
			same(json.encode(sh.input), '{"dynamic":true,"text":"x"}')`, ""},
		{"a hand-over to log", `log.info("seen", unknown)`, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			head := strings.ReplaceAll(prelude, "\n", " ") + `local curl, sh, unknown = unpack(lines.get()) `
			err := run(t, append(Modules(), lines), head+s.lua, wide)
			if err == nil && s.want != "" || err != nil && (s.want == "" || !strings.Contains(err.Error(), s.want)) {
				t.Errorf("got %v, want %q", err, s.want)
			}
		})
	}
}

// TestShellCache has states and Go share a line: what one parses, the others get. A
// mark that is put on the shared line shows who has it.
func TestShellCache(t *testing.T) {
	const text = "ls -l"
	cache := new(shell.Cache)
	ctx := context.WithValue(context.Background(), shell.CacheKey{}, cache)
	c, err := (&hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": text}}).Complete()
	if err != nil {
		t.Fatal(err)
	}
	source := `on("notification", function(ev) return message(shell.parse(ev.message, { cwd = "/w" }).commands[1].name) end)
on("notification", function(ev) for i = 1, 16 do shell.parse(ev.message .. i) end end)`
	call := func(ctx context.Context, hook int) luabind.Outcome {
		t.Helper()
		s, err := load(t, luabind.Environment{Modules: Modules()}, source)
		if err != nil {
			t.Fatal(err)
		}
		out := s.Call(ctx, hook, c, luabind.Limits{})
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		return out
	}
	options := shell.Options{Cwd: "/w"}
	first := call(ctx, 0)
	cache.Parse(text, options).Commands[0].Name = "marked"
	if again := call(ctx, 0); again.Result.SystemMessage != "marked" || again.Instructions != first.Instructions {
		t.Errorf("got %q for %d instructions, want the line that is there, for %d", again.Result.SystemMessage, again.Instructions, first.Instructions)
	}
	if got := call(context.Background(), 0).Result.SystemMessage; got != "ls" {
		t.Errorf("without a cache: %q", got)
	}
	call(ctx, 1) // 16 other texts: the last one has no room any more
	if a, b := cache.Parse(text+"15", shell.Options{}), cache.Parse(text+"15", shell.Options{}); a != b {
		t.Error("what a script has parsed is not kept")
	}
	if a, b := cache.Parse(text+"16", shell.Options{}), cache.Parse(text+"16", shell.Options{}); a == b {
		t.Error("the cache has no bound, or scripts don't fill it")
	}
}
