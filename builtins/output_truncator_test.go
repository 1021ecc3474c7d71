package builtins_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// truncator is an engine with output-truncator alone.
func truncator(t testing.TB, with map[string]any, options ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := engine.New(append(options, ample, engine.WithoutBuiltins(), engine.WithBuiltin("output-truncator", with))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	return e
}

// shorten fires an output of a command and returns the result.
func shorten(t testing.TB, e *engine.Engine, output any) *hooks.Result {
	t.Helper()
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PostToolCall, CWD: cwd, SessionID: "s",
		ToolCall: &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": "make"}, Output: output, Outcome: hooks.OutcomeOK}})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Fatal(run.Error.Message)
		}
	}
	return r
}

// plainLines is an output in which nothing matters.
func plainLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[%d] compiled part %d\n", i, i)
	}
	return b.String()
}

// TestOutputTruncatorFindsWhatMatters holds lines of well-known tools, in the middle of a
// long output, against what is kept of it.
func TestOutputTruncatorFindsWhatMatters(t *testing.T) {
	e := truncator(t, map[string]any{"max_bytes": 4000, "spill": false})
	for group, lines := range map[string][]string{
		"summaries": {
			"FAIL\tgithub.com/acme/shop/cart\t0.412s", "FAIL", "DONE 214 tests, 3 failures in 12.3s", "3 issues:",
			"=========== 2 failed, 118 passed, 3 skipped in 14.21s ===========", "2 failed, 10 passed in 0.41s", "FAILED tests/test_cart.py::test_total - assert 3 == 4", "ERROR tests/test_cart.py - ImportError",
			"Ran 12 tests in 0.004s", "FAILED (failures=2, errors=1)", "Found 3 errors in 1 file (checked 12 source files)", "TOTAL                 812    101    88%",
			"Tests:       2 failed, 41 passed, 43 total", "Test Suites: 1 failed, 7 passed, 8 total", " Test Files  1 failed | 4 passed (5)", "      Tests  2 failed | 30 passed (32)", "  12 passing (41ms)", "  2 failing", "ℹ fail 1", "# pass 12",
			"test result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", "error: could not compile `cart` (lib) due to 2 previous errors", "error: aborting due to 2 previous errors", "warning: `cart` (lib) generated 3 warnings",
			"BUILD FAILED in 12s", "BUILD SUCCESSFUL in 3s", "12 tests completed, 1 failed", "> Task :compileJava FAILED", "[INFO] BUILD FAILURE", "Tests run: 12, Failures: 1, Errors: 0, Skipped: 0", "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin",
			"2 warnings and 1 error generated.", "compilation terminated.", "collect2: error: ld returned 1 exit status", "make: *** [Makefile:12: all] Error 2", "gmake[2]: *** [x.o] Error 1", "ninja: build stopped: subcommand failed.", "92% tests passed, 1 tests failed out of 12", "//cart:cart_test          FAILED in 0.3s",
			"Found 12 errors in 3 files.", "✖ 14 problems (3 errors, 11 warnings)", "12 examples, 1 failure", "rspec ./spec/cart_spec.rb:12 # Cart totals", "12 runs, 40 assertions, 1 failures, 0 errors, 0 skips", "Tests: 12, Assertions: 30, Failures: 1.", "OK (12 tests, 30 assertions)", "FAILURES!",
			"Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12", "Build FAILED.", "    3 Error(s)", "Total tests: 12", "     Executed 12 tests, with 1 failure (0 unexpected) in 0.2 seconds", "** TEST FAILED **", "[  FAILED  ] 1 test, listed below:",
			"added 213 packages in 4s", "3 high severity vulnerabilities", "Successfully installed requests-2.31.0", "Plan: 2 to add, 1 to change, 0 to destroy.", "process exited with code 137", "Automatic merge failed; fix conflicts and then commit the result.",
		},
		"crashes": {
			"panic: runtime error: index out of range [5] with length 3", "fatal error: all goroutines are asleep - deadlock!", "goroutine 1 [running]:", "WARNING: DATA RACE", "Traceback (most recent call last):", "2026-01-02 ERROR Traceback (most recent call last):",
			"app.rb:12:in `total': undefined method (NoMethodError)", "PHP Fatal error:  Uncaught Exception", "** (ArithmeticError) bad argument", `Exception in thread "main" java.lang.NullPointerException`, "Caused by: java.io.IOException: disk full", "java.lang.IllegalStateException: closed",
			"Unhandled exception. System.NullReferenceException", "TypeError: Cannot read properties of undefined (reading 'x')", "Uncaught ReferenceError: x is not defined", "thread 'main' panicked at src/main.rs:4:5:", "Segmentation fault (core dumped)", "==12==ERROR: AddressSanitizer: heap-use-after-free",
			"terminate called after throwing an instance of 'std::runtime_error'", "a.out: main.c:4: main: Assertion `x > 0' failed.", "signal: killed SIGKILL", "Out of memory: Killed process 12", "Killed", "main.c:4:9: runtime error: signed integer overflow",
		},
		"failures": {
			"--- FAIL: TestCart (0.00s)", "    --- FAIL: TestCart/empty (0.00s)", "    cart_test.go:12: got 3, want 4", "____________________ test_total ____________________", "E       assert 3 == 4", "FAIL: test_total (tests.CartTest)", "  ● Cart › totals the items", "   ✕ totals the items (3 ms)", "not ok 12 - totals",
			"test cart::tests::total ... FAILED", "---- cart::tests::total stdout ----", "AssertionError: 3 != 4", "     Failure/Error: expect(total).to eq(4)", "Failed asserting that 3 matches expected 4.", "cart_test.cc:12: Failure", "[  FAILED  ] Cart.Total (0 ms)", "  Failed Cart.Total [12 ms]", "    CartTests.Total [FAIL]",
			"Tests in error <<< FAILURE!", " 3/12 Test  #3: cart ...***Failed    0.01 sec", "CartTest > total() FAILED", "FAIL src/cart.test.ts", "CONFLICT (content): Merge conflict in cart.go",
		},
		"errors": {
			"cart.c:12:5: error: 'x' undeclared (first use in this function)", "src/cart.ts(12,5): error TS2304: Cannot find name 'x'.", "error[E0425]: cannot find value `x` in this scope", "  12:5  error  'x' is not defined  no-undef", "npm ERR! code ELIFECYCLE", "npm error code E404", "ERROR: No matching distribution found for x",
			"fatal: not a git repository (or any of the parent directories): .git", "bash: foo: command not found", "cat: a: No such file or directory", "rm: cannot remove 'a': Permission denied", "cart.o: undefined reference to `total'", "./cart.go:12:3: undefined: total", "ModuleNotFoundError: No module named 'x'", "E0102 12:00:00.000000 1 main.go:12] it broke",
			"curl: (7) Failed to connect to localhost port 80: Connection refused", "context deadline exceeded: request timed out", "level=warn err=\"disk full\"", "! [rejected] main -> main (fetch first)", "write a: no space left on device", "SyntaxError: invalid syntax", "[CRITICAL] worker lost",
		},
	} {
		for _, line := range lines {
			t.Run(group+"/"+line, func(t *testing.T) {
				r := shorten(t, e, plainLines(500)+line+"\n"+plainLines(500))
				if text, _ := r.Output.(string); !strings.Contains(text, "\n"+line+"\n") {
					t.Fatalf("it is cut:\n%s", text)
				}
				truncated, _ := r.Data["truncated"].(map[string]any)
				list, _ := truncated["snippets"].([]any)
				for _, s := range list {
					if s := s.(map[string]any); s["name"] == group && fmt.Sprint(s["found"]) != "1" {
						t.Errorf("%v of %s are found", s["found"], group)
					}
				}
			})
		}
	}
}

// Lines that only sound like errors take no space from real ones.
func TestOutputTruncatorFindsNoMore(t *testing.T) {
	e := truncator(t, map[string]any{"max_bytes": 4000, "spill": false})
	for _, line := range []string{
		"0 errors, 0 warnings", "Build finished with no errors.", "errors: 0", `{"error":null,"id":12}`, `"failed": 0,`, "ok  \tshop/errors\t0.4s", "--- PASS: TestError (0.00s)", "=== RUN   TestFailed", "tests/test_error.py::test_failed PASSED", "test error::fatal ... ok",
		"   Compiling thiserror v1.0.0", "  ✓ shows an error message (3 ms)", "PASS src/error.test.ts", "terror and mirrors", "[12/90] CC src/errors.o", "the errand is done", "failover is ready", "panicle, exceptional, fatally", "CC error.c",
	} {
		t.Run(line, func(t *testing.T) {
			r := shorten(t, e, plainLines(500)+line+"\n"+plainLines(500))
			truncated, _ := r.Data["truncated"].(map[string]any)
			list, _ := truncated["snippets"].([]any)
			if len(list) != 4 {
				t.Fatalf("%v", r.Data)
			}
			for _, s := range list {
				if s := s.(map[string]any); fmt.Sprint(s["found"]) != "0" {
					t.Errorf("it is taken for one of %s", s["name"])
				}
			}
		})
	}
}

// Stack traces are kept to their end.
func TestOutputTruncatorKeepsTraces(t *testing.T) {
	e := truncator(t, map[string]any{"max_bytes": 6000, "spill": false})
	for name, trace := range map[string]string{
		"go":     "panic: boom [recovered]\n\ngoroutine 6 [running]:\nmain.total(...)\n\t/app/main.go:12 +0x1d\nmain.main()\n\t/app/main.go:5 +0x2f\nexit status 2\n",
		"python": "Traceback (most recent call last):\n  File \"/app/main.py\", line 5, in <module>\n    main()\n  File \"/app/main.py\", line 2, in main\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n",
		"java":   "Exception in thread \"main\" java.lang.RuntimeException: no\n\tat app.Main.total(Main.java:12)\n\tat app.Main.main(Main.java:5)\nCaused by: java.io.IOException: disk full\n\tat app.Disk.write(Disk.java:9)\n\t... 2 more\n",
		"node":   "/app/main.js:3\n    throw new TypeError('no')\n    ^\n\nTypeError: no\n    at total (/app/main.js:3:9)\n    at Object.<anonymous> (/app/main.js:7:1)\n    at node:internal/main:23:47\n\nNode.js v22.1.0\n",
		"rust":   "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
		"c#":     "Unhandled exception. System.InvalidOperationException: no\n   at App.Main.Total() in /app/Main.cs:line 12\n   at App.Main.Run() in /app/Main.cs:line 5\n",
		"c++":    "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n    #0 0x1 in total /app/main.cc:3\n    #1 0x2 in main /app/main.cc:7\n\nSUMMARY: AddressSanitizer: heap-use-after-free /app/main.cc:3 in total\n",
		"ruby":   "main.rb:2:in `/': divided by 0 (ZeroDivisionError)\n\tfrom main.rb:2:in `total'\n\tfrom main.rb:5:in `<main>'\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				full := strings.ReplaceAll(plainLines(500)+trace+plainLines(500), "\n", eol)
				text, _ := shorten(t, e, full).Output.(string)
				lines := strings.Split(strings.TrimSuffix(trace, "\n"), "\n")
				if name == "node" {
					lines = lines[4:]
				}
				for _, line := range lines {
					if !strings.Contains(text, line+eol) {
						t.Errorf("%q is cut:\n%s", line, text)
					}
				}
			}
		})
	}
}

func TestOutputTruncatorKeepsTheFullText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spill")
	e := truncator(t, nil, engine.WithSpill(spill.New(dir, "project")))
	full := plainLines(3000)
	r := shorten(t, e, full)
	truncated := r.Data["truncated"].(map[string]any)
	path, _ := truncated["path"].(string)
	if kept, err := os.ReadFile(path); err != nil || string(kept) != full || !strings.HasPrefix(path, dir) {
		t.Fatalf("%q has %d bytes of %d: %v", path, len(kept), len(full), err)
	}
	if n := strings.Count(r.Output.(string), " cut; the full text is in "+path+" ...]"); n != 1 {
		t.Errorf("the path is told %d times:\n%s", n, r.Output)
	}
	if _, ok := truncated["problem"]; ok {
		t.Errorf("problem: %v", truncated["problem"])
	}

	// Several texts are in one file.
	r = shorten(t, e, map[string]any{"stdout": full, "stderr": full + "x"})
	path = r.Data["truncated"].(map[string]any)["path"].(string)
	kept, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(kept), "==> stdout <==\n"+full) || !strings.Contains(string(kept), "==> stderr <==\n"+full+"x") {
		t.Errorf("%d bytes are kept: %v", len(kept), err)
	}
	before := files(t, dir)
	shorten(t, e, "short\n")
	shorten(t, truncator(t, map[string]any{"spill": false}, engine.WithSpill(spill.New(dir, "project"))), full)
	if after := files(t, dir); after != before {
		t.Errorf("there are %d files, were %d", after, before)
	}
}

// A later hook's rewrite makes the truncator judge once more; nothing is kept twice then.
func TestOutputTruncatorJudges(t *testing.T) {
	dir, user := filepath.Join(t.TempDir(), "spill"), t.TempDir()
	if err := os.MkdirAll(filepath.Join(user, "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "hooks", "longer.lua"), []byte(`on("post_tool_call", { priority = -10 }, function(ev)
  if not ev.judging then return output(ev.tool_call.output:rep(3)) end
end)`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := truncator(t, nil, engine.WithSpill(spill.New(dir, "project")), engine.WithUserDir(user))
	r := shorten(t, e, plainLines(3000))
	if text, _ := r.Output.(string); len(text) < 60_000 || len(r.Summary().Runs) < 3 {
		t.Errorf("%d bytes, %d runs", len(text), len(r.Summary().Runs))
	}
	if path := r.Data["truncated"].(map[string]any)["path"]; !strings.HasPrefix(fmt.Sprint(path), dir) {
		t.Errorf("%v", r.Data)
	}
	if n := files(t, dir); n != 1 {
		t.Errorf("%d texts", n)
	}
}

// The issue gets a note of what was cut, if that is wanted; a tracker that refuses it does no harm.
func TestOutputTruncatorNotes(t *testing.T) {
	f := task.NewFile(filepath.Join(t.TempDir(), "tasks.jsonl"), t.TempDir())
	issue, _, err := f.Create(t.Context(), hooks.Task{Title: "the cart"})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "spill")
	fire := func(with map[string]any, issueID string, options ...engine.Option) map[string]any {
		t.Helper()
		e := truncator(t, with, append(options, engine.WithSpill(spill.New(dir, "project")))...)
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PostToolCall, CWD: cwd, SessionID: "s", IssueID: issueID,
			ToolCall: &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": "make"}, Output: plainLines(3000), Outcome: hooks.OutcomeOK}})
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := r.Output.(string); text == "" || len(text) > 30_000 {
			t.Fatalf("%d bytes are left, %+v", len(text), r.Summary().Runs)
		}
		return r.Data["truncated"].(map[string]any)
	}
	comments := func() []hooks.TaskComment {
		t.Helper()
		list, err := f.List(t.Context(), hooks.TaskQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Comments
	}
	fire(nil, issue.ID, engine.WithTasks(f))
	fire(map[string]any{"note": true}, "", engine.WithTasks(f))
	if got := comments(); len(got) > 0 {
		t.Errorf("nobody has asked for %+v", got)
	}
	cut := fire(map[string]any{"note": true}, issue.ID, engine.WithTasks(f))
	if got := comments(); len(got) != 1 || cut["noted"] != true || !strings.Contains(got[0].Text, "an output of bash was shortened from") || !strings.Contains(got[0].Text, fmt.Sprint(cut["path"])) {
		t.Errorf("%+v, %v", got, cut)
	}
	for _, cut := range []map[string]any{fire(map[string]any{"note": true}, "shop-1", engine.WithTasks(f)), fire(map[string]any{"note": true}, issue.ID)} {
		if cut["noted"] != nil || cut["not_noted"] == nil {
			t.Errorf("%v", cut)
		}
	}
}

// Very large outputs don't take more memory than a hook has.
func TestOutputTruncatorTakesLargeOutputs(t *testing.T) {
	e := truncator(t, nil)
	large := strings.Repeat("\x1b[1mcompiled\x1b[0m part "+strings.Repeat("x", 80)+"\n", 8<<20/100)
	for _, output := range []any{large + large + large, strings.Repeat(large, 6), map[string]any{"a": large, "b": large, "c": large, "d": large}} {
		if r := shorten(t, e, output); r.Output == nil {
			t.Errorf("%+v", r.Summary().Runs)
		}
	}
}

func TestOutputTruncatorGoesOnWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := shorten(t, truncator(t, nil, engine.WithSpill(spill.New(filepath.Join(file, "spill"), "project"))), plainLines(3000))
	text, _ := r.Output.(string)
	if !strings.Contains(text, " cut; the full text could not be kept: ") || len(text) > 30_000 {
		t.Errorf("%d bytes:\n%.2000s", len(text), text)
	}
	if r.Data["truncated"].(map[string]any)["problem"] == nil {
		t.Errorf("%v", r.Data)
	}
}

// files counts the texts that are kept.
func files(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(d.Name()) == ".txt" {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Values other than texts come back unchanged.
func TestOutputTruncatorKeepsValues(t *testing.T) {
	var output any
	decoder := json.NewDecoder(strings.NewReader(`{"id":9007199254740993,"none":null,"list":[],"object":{},"flag":false,"ratio":0.1,"stdout":""}`))
	decoder.UseNumber()
	if err := decoder.Decode(&output); err != nil {
		t.Fatal(err)
	}
	output.(map[string]any)["stdout"] = plainLines(3000)
	r := shorten(t, truncator(t, nil), output)
	got := r.Output.(map[string]any)
	got["stdout"] = ""
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"flag":false,"id":9007199254740993,"list":[],"none":null,"object":{},"ratio":0.1,"stdout":""}`; string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// Whatever the output, it doesn't grow, is within the limits and stays valid.
func TestOutputTruncatorHolds(t *testing.T) {
	e := truncator(t, map[string]any{"max_bytes": 1000, "max_lines": 20, "spill": false})
	piece := rapid.SampledFrom([]string{"\n", "\r\n", "line of text\n", "error: x\n", "ä🙂", "\x1b[1m", "\r 5%", "\xff\x00", "panic: x\n\n\tat y\n", strings.Repeat("z", 300)})
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		for _, p := range rapid.SliceOfN(piece, 0, 60).Draw(rt, "pieces") {
			text.WriteString(strings.Repeat(p, rapid.IntRange(1, 30).Draw(rt, "times")))
		}
		full := text.String()
		r := shorten(t, e, full)
		if r.Output == nil {
			if len(full) > 1100 {
				rt.Fatalf("%d bytes were left alone", len(full))
			}
			return
		}
		got := r.Output.(string)
		if len(got) >= len(full) || len(got) > 1000 || utf8.ValidString(full) && !utf8.ValidString(got) {
			rt.Fatalf("%d bytes became %d: %q", len(full), len(got), got)
		}
	})
}
