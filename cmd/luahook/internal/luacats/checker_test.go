package luacats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const repository = "../../../.."

// finding is what lua-language-server has found, in a line of a file of the folder.
type finding struct {
	file, code, message string
	line                int
}

// check runs lua-language-server's checker over a folder with these files, the stub and our settings.
func check(t *testing.T, files map[string]string) []finding {
	t.Helper()
	server, err := exec.LookPath("lua-language-server")
	if err != nil {
		t.Skip("needs lua-language-server, which isn't installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := stub(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	write(".luarc.json", string(Settings))
	write(".luahook/luahook.lua", text)
	logs := t.TempDir()
	report := filepath.Join(logs, "report.json")
	out, _ := exec.Command(server, "--check", dir, "--checklevel=Warning", "--check_format=json", "--check_out_path="+report, "--logpath="+logs).CombinedOutput()
	if strings.Contains(string(out), "no problems found") {
		return nil
	}
	content, err := os.ReadFile(report)
	var found map[string][]struct {
		Code, Message string
		Range         struct{ Start struct{ Line int } }
	}
	if err == nil {
		err = json.Unmarshal(content, &found)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var all []finding
	for at, list := range found {
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(dir, u.Path)
		for _, f := range list {
			all = append(all, finding{filepath.ToSlash(name), f.Code, f.Message, f.Range.Start.Line + 1})
		}
	}
	return all
}

// examples are the hooks that people read: those under testdata, the one that init makes, and the fences of the documents. A function's example in
// modules.md is what a hook does; what it asserts, an editor doesn't know.
func examples(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := filepath.Join(repository, "testdata", "hooks")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lua" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	first, _ := filepath.Glob("../scaffold/first/*.lua")
	for _, path := range first {
		text, bad := os.ReadFile(path)
		err = errors.Join(err, bad)
		files[filepath.Base(path)] = string(text)
	}
	pages, _ := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	for _, page := range append(pages, filepath.Join(repository, "README.md")) {
		text, bad := os.ReadFile(page)
		err = errors.Join(err, bad)
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		for _, at := range regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllSubmatchIndex(text, -1) {
			code := string(text[at[2]:at[3]])
			switch {
			case regexp.MustCompile(`(?m)^on\(`).MatchString(code):
			case name == "modules":
				code = "---@diagnostic disable: need-check-nil\non(\"post_tool_call\", function(ev)\nprint(ev.tool_call.name)\n" + code + "end)\n"
			default:
				continue
			}
			files[fmt.Sprintf("docs/%s-%d.lua", name, 1+strings.Count(string(text[:at[2]]), "\n"))] = code
		}
	}
	if err != nil || len(files) < 100 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	return files
}

func TestCheckerFindsNothingInExamples(t *testing.T) {
	for _, f := range check(t, examples(t)) {
		t.Errorf("%s:%d: %s (%s)", f.file, f.line, f.message, f.code)
	}
}

// TestCheckerFindsNothingInTheStub opens the stub itself, which it otherwise takes for a library.
func TestCheckerFindsNothingInTheStub(t *testing.T) {
	for _, f := range check(t, map[string]string{"opened.lua": stub(t)}) {
		if f.code != "duplicate-doc-field" && f.code != "duplicate-doc-alias" && f.code != "duplicate-set-field" { // it is there twice
			t.Errorf("%s:%d: %s (%s)", f.file, f.line, f.message, f.code)
		}
	}
}

// TestBuiltinsUseNoUndefinedGlobal shows that nothing of what scripts find is missing: the built-in hooks use most of it.
func TestBuiltinsUseNoUndefinedGlobal(t *testing.T) {
	files := map[string]string{}
	root := filepath.Join(repository, "builtins")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".lua" || strings.HasSuffix(path, "_test.lua") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range check(t, files) {
		private := strings.Contains(f.message, "`patterns`") || strings.Contains(f.message, "`passes`") || strings.Contains(f.message, "`audit`") || strings.Contains(f.message, "`host`")
		if f.code == "undefined-global" && !private { // those are for built-in hooks alone
			t.Errorf("%s:%d: %s", f.file, f.line, f.message)
		}
	}
}

// TestCheckerFindsMistakes shows that editors know what each thing is.
func TestCheckerFindsMistakes(t *testing.T) {
	mistakes := []struct{ code, line string }{
		{"undefined-field", `on("pre_tool_call", function(ev) print(ev.tool_cal) end)`},
		{"undefined-field", `on("pre_tool_call", function(ev) print(ev.tool_call.comand) end)`},
		{"undefined-field", `on("pre_tool_call", { match = "bash" }, function(ev) print(ev.tool_call.comand) end)`},
		{"undefined-field", `on("pre_tool_call", function(ev) print(ev.message) end)`},
		{"undefined-field", `on("post_tool_batch", function(ev) print(ev.tool_calls[1].inputs) end)`},
		{"undefined-field", `on("post_model_call", function(ev) print(ev.usage.cost) end)`},
		{"undefined-field", `on("*", function(ev) print(ev.tol_call) end)`},
		{"undefined-field", `on("pre_tool_call", function(ev) print(shell.parse(ev.tool_call.command).commands[1].nam) end)`},
		{"undefined-field", `on("pre_tool_call", function(ev) for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do print(cmd.nam) end end)`},
		{"undefined-field", `on("pre_tool_call", function(ev) for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do print(cmd:operand()) end end)`},
		{"undefined-field", `print(sql.parse("DROP TABLE x")[1].verbs)`},
		{"undefined-field", `print(re.compile("x"):matches("x"))`},
		{"undefined-field", `print(text.trimmed("x"))`},
		{"undefined-field", `print(store.session.gett("x"))`},
		{"undefined-field", `print(store.shared("x").gett("x"))`},
		{"undefined-field", `expect(1):equal(1)`},
		{"undefined-field", `print(fire("stop").descision)`},
		{"undefined-global", `on("stop", function() return dney("x") end)`},
		{"undefined-global", `os.execute("ls")`},
		{"undefined-global", `io.open("x")`},
		{"undefined-global", `dofile("x")`},
		{"undefined-global", `load("x")`},
		{"undefined-global", `print(utf8.char(1))`},
		{"param-type-mismatch", `print(text.split("x", 1))`},
		{"param-type-mismatch", `on("stop", { on_failure = "warn" }, 3)`},
		{"param-type-mismatch", `on(3, function() end)`},
		{"missing-parameter", `print(text.split("x"))`},
		{"redundant-parameter", `print(deny("x", "y"))`},
		{"return-type-mismatch", `on("stop", function() return 3 end)`},
		{"return-type-mismatch", `on("stop", function() return "a text denies tool calls only" end)`},
		{"assign-type-mismatch", `on("stop", { mode = "later" }, function() end)`},
	}
	right := []string{
		`on("pre_tool_call", function(ev) if ev.tool_call.name == "bash" then return "no" end return false end)`,
		`on("pre_tool_call", function() return modify{ timeout = 60 }, context("x") end)`,
		`on("post_tool_call", function(ev) if ev.error then return output(ev.error.message) end end)`,
		`on({ "stop", "subagent_stop" }, function(ev) print(ev.response, ev.agent_name) return { block = true, reason = "x" } end)`,
		`on("*", { match = { ["error.kind"] = "network" } }, function(ev) print(ev.canonical_event, ev.message) end)`,
		`on("deploy.requested", function(ev) print(ev.metadata.day) end)`,
		`on("PreToolUse", { mode = "async", once = true }, function(ev) print(ev.tool_call.command) end)`,
		`on("PreToolUse", { mode = "parallel" }, function(ev) print(ev.tool_call.command) end)`,
		`for name, value in pairs({ a = 1 }) do print(name .. "x", value + 1) end`,
		`print(select("#", unpack({ 1, 2 })), pcall(error, "x"), tostring(setmetatable({}, {})), string.format("%d", 1), math.max(1, 2))`,
		`local rules = require("rules") print(rules.x, require("json").null)`,
		`test_each({ { "a", "b" } }, "%s", function(a, b) expect(a):is(b) end) fake.store.set("a", 1) fake.tasks.fails("x") fake.git(false) fake.exec("npm", { code = 0 })`,
		`test("x", function() local other = start("on_error: [{builtin: error-logger}]") expect(other:fire("stop").decision):is("") expect(other.problem()):is(nil) expect(#fake.calls("exec")):is(0) end)`,
		`describe("a", function() before_each(function() project.write("a", "b") fake.time("2026-01-02T03:04:05Z") end) test("b", function() local r = fire("pre_tool_call", "ls") expect(r.decision):never():is("deny") expect(r.reason):contains("x") end) end)`,
	}
	var lines []string
	for _, m := range mistakes {
		lines = append(lines, m.line)
	}
	lines = append(lines, right...)
	found := make([][]string, len(lines)+1)
	for _, f := range check(t, map[string]string{"mistakes.lua": strings.Join(lines, "\n") + "\n", "lib/rules.lua": "return { x = 1 }\n"}) {
		if f.file != "mistakes.lua" {
			t.Errorf("%s:%d: %s", f.file, f.line, f.message)
			continue
		}
		found[f.line] = append(found[f.line], f.code)
	}
	for i, line := range lines {
		if i < len(mistakes) && !slices.Contains(found[i+1], mistakes[i].code) || i >= len(mistakes) && len(found[i+1]) > 0 {
			t.Errorf("%s: found %q", line, found[i+1])
		}
	}
}
