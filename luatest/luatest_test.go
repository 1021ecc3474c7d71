package luatest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/luatest"
)

// files are files by their names.
type files map[string]string

// projectOf writes a project, a repository of its own.
func projectOf(t testing.TB, content files) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, text := range content {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs the tests of a project.
func run(t testing.TB, content files) *luatest.Report {
	t.Helper()
	r, err := luatest.Run(t.Context(), luatest.Options{Dir: projectOf(t, content)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// passes fails where a test of the report has.
func passes(t testing.TB, r *luatest.Report) {
	t.Helper()
	for _, f := range r.Files {
		if f.Error != "" {
			t.Errorf("%s: %s", f.Path, f.Error)
		}
		for _, test := range f.Tests {
			if !test.Passed {
				t.Errorf("%s: %s: %s\n%s", test.Name, test.Failure.Source, test.Failure.Message, strings.Join(test.Printed, "\n"))
			}
		}
	}
	for _, problem := range r.Problems {
		t.Error(problem)
	}
}

// failures are the messages of the tests of a report, by their names; "" for one that has passed.
func failures(r *luatest.Report) map[string]string {
	messages := map[string]string{}
	for _, f := range r.Files {
		for _, test := range f.Tests {
			messages[test.Name] = ""
			if test.Failure != nil {
				messages[test.Name] = test.Failure.Source + ": " + test.Failure.Message
			}
		}
	}
	return messages
}

// The tests of testdata/api say of each function that tests can call what it does.
func TestAPI(t *testing.T) {
	r, err := luatest.Run(t.Context(), luatest.Options{Paths: []string{"testdata/api"}})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	if r.Passed < 40 {
		t.Errorf("only %d tests have run", r.Passed)
	}
}

// What is wrong fails with a message that says so, and nothing else fails with it.
func TestFailures(t *testing.T) {
	r, err := luatest.Run(t.Context(), luatest.Options{Paths: []string{"testdata/wrong/.hooks/wrong_test.lua"}, Limits: engine.Limits{Instructions: 1_000_000}})
	if err != nil {
		t.Fatal(err)
	}
	for name, message := range failures(r) {
		want, ok := wrong[name]
		switch {
		case !ok:
			t.Errorf("nobody expects anything of the test %q", name)
		case want == "" && message != "", want != "" && !strings.Contains(message, want):
			t.Errorf("%s: got %q, want %q", name, message, want)
		case want != "" && !strings.HasPrefix(message, "testdata/wrong/.hooks/wrong_test.lua:"):
			t.Errorf("%s: %q doesn't begin with the line of the test", name, message)
		}
	}
	if got := failures(r); len(got) != len(wrong) {
		t.Errorf("got %d tests, want %d", len(got), len(wrong))
	}
}

// wrong are the messages of testdata/wrong, by test.
var wrong = map[string]string{
	"a number":                 `got 1, want 2`,
	"a label":                  `the sum: got 1, want 2`,
	"a table":                  "what was got (+) isn't what was wanted (-)\n    {\n      a = 1,\n      b = {\n        1,\n  -     3,\n  +     2,\n      },\n    }",
	"a text of lines":          "  - two\n  + zwei",
	"the same table":           "equals() compares what is in them",
	"part of a text":           `got "abc", want a text that contains "x"`,
	"part of nil":              `got nil, want something that contains "x"`,
	"never part of a text":     `want a text that contains never "b"`,
	"a pattern":                `want a text that matches "^b"`,
	"no error":                 `got no error, want one that contains "boom"`,
	"another error":            `want one that contains "boom"`,
	"an error after all":       `want none`,
	"a misspelt expectation":   `expect has no equal; did you mean "equals"?`,
	"a dot for a colon":        `write a colon before is: expect(x):is(...)`,
	"nothing to compare":       `is wants a value to compare with`,
	"after the others":         ``,
	"an endless loop":          `it used up its 1,000,000 instructions; is there a loop that doesn't end?`,
	"too much memory":          `memory`,
	"too deep":                 `it recurses too deep`,
	"an unknown event":         `unknown event`,
	"a misspelt field":         `pre_prompt has no field "promt"; did you mean "prompt"?`,
	"a text for no call":       `a string is the command of a call of bash, which pre_prompt isn't about`,
	"a hook that fails":        "the hook failing failed at luatest/testdata/wrong/.hooks/failing.lua:4: no luck\n  4 |     error(\"no luck\")\n    |     ^",
	"no fake of a program":     `add fake.exec("npm"`,
	"no fake of a request":     `add fake.http("https://example.com/x"`,
	"no fake of git":           `add fake.git{ branch = ... }`,
	"caught by the hook":       `add fake.exec("npm"`,
	"not granted":              `exec.run: not granted; give this script "grant: {exec: [cargo]}"`,
	"a fake that fails":        `the fake's own error`,
	"a fake without an answer": `the answer of fake.exec is a nil, want a table`,
	"a table as the error":     `:47: in a table`,
	"a misspelt answer":        `the answer of fake.exec has no "stdot"; did you mean "stdout"?`,
	"a time that is none":      `a time like 2006-01-02T15:04:05Z expected`,
	"git for real":             `--run-programs`,
	"out of the project":       `it lies outside of the test's project`,
	"a script elsewhere":       `it lies outside of the test's project`,
	"a test in a test":         `stands in none`,
	"nothing is asked":         `:57: nothing is asked about the value, so this can't fail`,
	"never what":               `nothing is asked about the value`,

	"a misspelt field of the result":       `result has no "descision"; did you mean "decision"?`,
	"a misspelt field of a run":            `result.summary.runs[1] has no "stauts"; did you mean "status"?`,
	"an argument beside input":             `tool_call has no "path"; a tool's arguments belong in input`,
	"a misspelt field of a record":         `error has no "mesage"; did you mean "message"?`,
	"a misspelt field of a call in a list": `tool_calls[1] has no "file_path"; a tool's arguments belong in input`,
}

// A file that can't run is an error of its own, and the others run.
func TestFilesThatCannotRun(t *testing.T) {
	r := run(t, files{
		".hooks/a.lua":            `on("pre_tool_call", function(ev) end)`,
		".hooks/syntax_test.lua":  "test('x', function()\n  if\nend)",
		".hooks/empty_test.lua":   "-- nothing",
		".hooks/endless_test.lua": "while true do end",
		".hooks/hook_test.lua":    "test('x', function() end)\non('stop', function() end)",
		".hooks/twice_test.lua":   "test('x', function() end)\ntest('x', function() end)",
		".hooks/error_test.lua":   "error('while loading')",
		".hooks/good_test.lua":    "test('x', function() expect(fire('pre_tool_call', 'ls').decision):is('') end)",
	})
	want := map[string]string{
		".hooks/syntax_test.lua": ".hooks/syntax_test.lua:3:1: ", ".hooks/empty_test.lua": "there is no test in it", ".hooks/endless_test.lua": ".hooks/endless_test.lua:1",
		".hooks/hook_test.lua": "whose hooks never run", ".hooks/twice_test.lua": "a test of the name", ".hooks/error_test.lua": "while loading", ".hooks/good_test.lua": "",
	}
	if len(r.Files) != len(want) || r.Broken != len(want)-1 || r.Passed != 1 {
		t.Errorf("got %d files, %d broken, %d passed", len(r.Files), r.Broken, r.Passed)
	}
	for _, f := range r.Files {
		if want := want[f.Path]; !strings.Contains(f.Error, want) || want == "" && f.Error != "" {
			t.Errorf("%s: got %q, want %q", f.Path, f.Error, want)
		}
	}
}

// Where there is nothing to run, that is an error.
func TestNoTests(t *testing.T) {
	for name, content := range map[string]files{
		"no folder": {}, "no tests": {".hooks/a.lua": `on("stop", function(ev) end)`},
		"not loaded": {".hooks/a.lua": `on("stop", function(ev) end)`, ".hooks/_b.lua": "-- denies: ls", ".hooks/data/c.lua": "-- denies: ls"},
	} {
		_, err := luatest.Run(t.Context(), luatest.Options{Dir: projectOf(t, content)})
		if !errors.Is(err, luatest.ErrNoTests) {
			t.Errorf("%s: got %v, want ErrNoTests", name, err)
		}
	}
	dir := projectOf(t, files{".hooks/a_test.lua": "test('x', function() end)"})
	if _, err := luatest.Run(t.Context(), luatest.Options{Dir: dir, Filter: "y"}); err == nil {
		t.Error("a filter that fits nothing is no error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := luatest.Run(ended, luatest.Options{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}

// Files are reported in order, however many run at a time, and leave nothing behind.
func TestOrder(t *testing.T) {
	content := files{}
	for i := range 40 {
		content[fmt.Sprintf(".hooks/h%02d_test.lua", i)] = "test('x', function() project.write('f', 'x') expect(project.read('f')):is('x') end)"
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := projectOf(t, content)
	var told []string
	r, err := luatest.Run(t.Context(), luatest.Options{Dir: dir, Parallel: 8, Done: func(f luatest.File) { told = append(told, f.Path) }})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	for i, f := range r.Files {
		if want := fmt.Sprintf(".hooks/h%02d_test.lua", i); f.Path != want || told[i] != want {
			t.Errorf("file %d is %s and was told of as %s, want %s", i, f.Path, told[i], want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(temp, "luahook-test-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// The short form runs the file's own hooks alone, reads comments alone, and knows a slip.
func TestShortForms(t *testing.T) {
	r := run(t, files{".hooks/push.lua": `-- denies: git push origin main
--passes:   git push origin next
--- asks: git push origin prod
-- passes: git push --force origin x
-- passes: rm -rf /
-- denies: git push origin next
-- denise: git push
-- Denies: git push
-- asks:
-- tasks: these are others, and so are
-- parses: these
--[[ denies: git push in a long comment ]]
local text = "-- denies: git push in a text"
local long = [[
-- denies: git push in a long text
]]
on("pre_tool_call", { match = "bash" }, function(ev) -- denies: git push upstream main
  if ev.tool_call.command:find("main") then
    return deny("not to main")
  elseif ev.tool_call.command:find("prod") then
    return ask("to prod?")
  end
end)
`, ".hooks/other.lua": `on("pre_tool_call", { match = "bash", priority = 100 }, function(ev) return deny("other") end)`})
	const at = ".hooks/push.lua:"
	want := map[string]string{
		at + "1 denies: git push origin main":      "",
		at + "2 passes: git push origin next":      "",
		at + "3 asks: git push origin prod":        "",
		at + "4 passes: git push --force origin x": "",
		at + "5 passes: rm -rf /":                  "",
		at + "6 denies: git push origin next":      at + "6: the hooks of this file say passes, want denies",
		at + "7 denise: git push":                  at + `7: "denise:" is no test: did you mean "denies:"?`,
		at + "8 Denies: git push":                  at + `8: "Denies:" is no test: did you mean "denies:"?`,
		at + "9 asks: ":                            at + "9: there is no command behind the colon",
		at + "17 denies: git push upstream main":   "",
	}
	got := failures(r)
	for name, message := range want {
		if failure, ok := got[name]; !ok || failure != message {
			t.Errorf("%s: got %q (%v), want %q", name, failure, ok, message)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got the tests %v", got)
	}
}

// Hooks that can't be loaded are said once, and no test of them passes.
func TestHooksThatCannotBeLoaded(t *testing.T) {
	r := run(t, files{
		".hooks/bad.lua":    "-- denies: ls\nx y",
		".hooks/a_test.lua": "test('x', function() fire('pre_tool_call', 'ls') end)\ntest('y', function() expect(start('stop: []').problem()):is(nil) end)",
	})
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], ".hooks/bad.lua:2:3") {
		t.Errorf("got %q", r.Problems)
	}
	if r.Failed != 2 || r.Passed != 1 {
		t.Errorf("%d failed, %d passed, want the event and the short form to fail", r.Failed, r.Passed)
	}
}

// Command hooks are left out, unless programs run.
func TestCommandHooks(t *testing.T) {
	dir := projectOf(t, files{
		".hooks/hooks.yaml": "hooks:\n  pre_tool_call:\n    - {command: \"echo no >&2; exit 2\"}\n",
		".hooks/a_test.lua": "test('x', function() expect(fire('pre_tool_call', 'ls').decision):is('') end)",
	})
	for _, programs := range []bool{false, true} {
		r, err := luatest.Run(t.Context(), luatest.Options{Dir: dir, Programs: programs})
		if err != nil {
			t.Fatal(err)
		}
		if left := r.LeftOut == 1; left == programs || (r.Passed == 1) == programs {
			t.Errorf("programs run: %v; left out %d, passed %d", programs, r.LeftOut, r.Passed)
		}
	}
}

// The user's own hooks take no part in a project's tests, and have tests of their own.
func TestUserHooks(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	own := filepath.Join(home, ".config", "luahook", "hooks")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range (files{
		"strict.lua":      "-- denies: ls\non('pre_tool_call', function(ev) return deny('strict') end)",
		"strict_test.lua": "test('strict', function() expect(fire('pre_tool_call', 'ls').reason):is('strict') end)",
	}) {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := luatest.Run(t.Context(), luatest.Options{Paths: []string{own}})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	if r.Passed != 2 {
		t.Errorf("%d passed, want the test and the short form", r.Passed)
	}
	passes(t, run(t, files{".hooks/a_test.lua": "test('x', function() expect(fire('pre_tool_call', 'ls').decision):is('') end)"}))
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// Every function that tests can call is in the tests of the API.
func TestEveryFunctionIsTested(t *testing.T) {
	text, err := os.ReadFile("testdata/api/.hooks/all_test.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range functionNames() {
		if name != "only" && name != "project.git" && !strings.Contains(string(text), name+"(") { // that runs with the built-ins'
			t.Errorf("%s isn't tested", name)
		}
	}
}

// A file of tests may ask the hooks of one file alone, whatever else the project has.
func TestOnly(t *testing.T) {
	const own = `on("pre_tool_call", function(ev) if ev.tool_call.command == "own" then return deny("own") end end)`
	const greedy = `on("pre_tool_call", function(ev) return deny("other") end)`
	passes(t, run(t, files{".hooks/own.lua": own, ".hooks/other.lua": greedy,
		".hooks/own_test.lua": `only("own.lua")
test("its own", function() expect(fire("pre_tool_call", "own").reason):is("own") end)
test("no other, and no guard", function() expect(fire("pre_tool_call", "rm -rf /").decision):is("") end)`,
		".hooks/other_test.lua": `test("all again", function() expect(fire("pre_tool_call", "ls").reason):is("other") end)`,
	}))
	r := run(t, files{".hooks/own.lua": own,
		".hooks/none_test.lua": `only("../own.lua") test("x", function() end)`,
		".hooks/late_test.lua": `test("x", function() only("own.lua") end)`,
	})
	if got := r.Files[0]; got.Path != ".hooks/late_test.lua" || len(got.Tests) != 1 || got.Tests[0].Passed || !strings.Contains(got.Tests[0].Failure.Message, "stands in no test") {
		t.Errorf("%+v", got)
	}
	if got := r.Files[1]; !strings.Contains(got.Error, `there is no hook file "../own.lua" beside this one`) {
		t.Errorf("%+v", got)
	}
}

// functionNames are those of all that tests can call.
func functionNames() (names []string) {
	for _, f := range luatest.Words() {
		names = append(names, f.Name)
	}
	for _, m := range luatest.Modules() {
		for _, f := range m.Functions {
			names = append(names, m.Name+"."+f.Name)
		}
		for _, inner := range m.Modules {
			for _, f := range inner.Functions {
				names = append(names, inner.Name+"."+f.Name)
			}
		}
	}
	return names
}
