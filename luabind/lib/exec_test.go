//go:build unix

package lib

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

func granting(list ...string) hooks.Grants { return hooks.Grants{Exec: list} }

func TestExec(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"sub/x": "", "file": ""})
	link(t, "sub", filepath.Join(root, "short"))
	t.Setenv("HOOKTEST_INHERITED", "yes")
	t.Setenv("LUAHOOK_DEPTH", "7")
	dir := programs(t, map[string]string{
		"say":   `printf '[%s]' "$@"`,
		"fail":  `echo out; echo problem >&2; exit 3`,
		"copy":  `cat`,
		"where": `pwd -P`,
		"show":  `eval "echo \${$1-unset}"`,
		"much":  `head -c 3000000 /dev/zero; head -c 10 /dev/zero >&2`,
		"die":   `kill -KILL $$`,
	})
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "say")
	checkIn(t, root, granting("say", "fail", "copy", "where", "show", "much", "die", "missing", text, whole), []script{
		{"arguments", `same(exec.run("say", { "a b", "$HOME", "*", "; ls", "", 5 }).stdout, "[a b][$HOME][*][; ls][][5]")`, ""},
		{"none", `same(exec.run("say").code, 0)`, ""},
		{"a status is no failure", `local a = exec.run("fail") same(a.code, 3) same(a.stdout, "out\n") same(a.stderr, "problem\n") same(a.cut, false) same(a.signal, nil)`, ""},
		{"stdin", `same(exec.run("copy", {}, { stdin = "in\0put" }).stdout, "in\0put")`, ""},
		{"no stdin", `same(exec.run("copy").stdout, "")`, ""},
		{"a signal", `local a = exec.run("die") same(a.code, -1) same(a.signal, "killed")`, ""},
		{"the project's root", `same(exec.run("where").stdout, "` + root + `\n")`, ""},
		{"a folder", `same(exec.run("where", {}, { cwd = "sub" }).stdout, "` + root + `/sub\n")`, ""},
		{"a folder by a link", `same(exec.run("where", {}, { cwd = "short" }).stdout, "` + root + `/sub\n")`, ""},
		{"a folder that isn't there", `local a, problem = exec.run("where", {}, { cwd = "none" }) same(a, nil) assert(text.contains(problem, "none: no such file"), problem)`, ""},
		{"a file as folder", `local a, problem = exec.run("where", {}, { cwd = "file" }) same(a, nil) same(problem, "file: it is no folder")`, ""},
		{"a folder outside", `exec.run("where", {}, { cwd = "/" })`, "outside of the project"},
		{"a folder above", `exec.run("where", {}, { cwd = ".." })`, "cwd: \"..\" has .. in it"},
		{"environment", `same(exec.run("show", { "HOOKTEST_INHERITED" }).stdout, "yes\n")`, ""},
		{"a variable more", `same(exec.run("show", { "MORE" }, { env = { MORE = "x y" } }).stdout, "x y\n")`, ""},
		{"depth", `same(exec.run("show", { "LUAHOOK_DEPTH" }).stdout, "0\n")`, ""},
		{"much is cut", `local a = exec.run("much", {}, { max = 1000 }) same(#a.stdout, 1000) same(a.cut, true) same(#a.stderr, 10)`, ""},
		{"much", `local a = exec.run("much", {}, { max = 3000000 }) same(#a.stdout, 3000000) same(a.cut, false)`, ""},
		{"much, by default", `same(#exec.run("much").stdout, 1048576)`, ""},
		{"by its path", `same(exec.run("` + whole + `", { "x" }).stdout, "[x]")`, ""},
		{"no such program", `local a, problem = exec.run("missing") same(a, nil) assert(text.contains(problem, "missing is in no folder of PATH"), problem)`, ""},
		{"no program", `local a, problem = exec.run("` + text + `") same(a, nil) assert(text.contains(problem, "isn't executable"), problem)`, ""},
		{"another", `exec.run("sh", { "-c", "echo" })`, `exec.run: not granted; give this script "grant: {exec: [sh]}"`},
		{"its path where the name is granted", `exec.run("` + filepath.Join(dir, "copy") + `")`, "copy is not granted, copy is: write the program as it is granted"},
		{"a path that ends so", `exec.run("./say")`, "write the program as it is granted"},
		{"in the project", `exec.run("sub/say")`, "write the program as it is granted"},
		{"a name with arguments", `exec.run("say hello")`, "not granted"},
		{"nothing", `exec.run("")`, "not granted"},
		{"arguments as text", `exec.run("say", "a b")`, "bad argument #2 to run (table expected, got string)"},
		{"a table as argument", `exec.run("say", { {} })`, "string expected as item 1, got table"},
		{"a NUL byte", `exec.run("say", { "a\0b" })`, "an argument with a NUL byte"},
		{"too many arguments", `local s = ("x"):rep(600000) exec.run("say", { s, s })`, "arguments of more than 1048576 bytes"},
		{"too many to be looked at", `exec.run("say", { ("x"):rep(2000000) .. "\0" })`, "arguments of more than 1048576 bytes"},
		{"one text as many variables", `local s, env = ("x"):rep(600000), {} for i = 1, 100 do env["A" .. i] = s end exec.run("say", {}, { env = env })`, "env: variables of more than 1048576 bytes"},
		{"one that the system doesn't take", `local a, problem = exec.run("say", { ("x"):rep(1000000) }) assert(a == nil and problem or #a.stdout == 1000002)`, ""},
		{"unknown option", `exec.run("say", {}, { input = "x" })`, "unknown option input"},
		{"max", `exec.run("say", {}, { max = 8388609 })`, "max: whole number from 1 to 8388608"},
	})
}

func TestExecVariables(t *testing.T) {
	root := folder(t)
	programs(t, map[string]string{"say": `echo`})
	for _, name := range []string{
		"PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "LUAHOOK_DEPTH", "LUAHOOK_RUN", "BASH_ENV", "ENV", "GIT_SSH_COMMAND", "PYTHONPATH", "NODE_OPTIONS", "PERL5OPT", "RUBYOPT",
		"HOME", "BASH_FUNC_x%%", "", "A=B", "A\x00",
	} {
		err := runWith(t, luabind.Environment{Modules: Modules(), Root: root, Grants: granting("say"), With: map[string]any{"name": name}, Limits: wide},
			`local with = ... exec.run("say", {}, { env = { [with.name] = "x" } })`)
		if err == nil || !strings.Contains(err.Error(), "bad argument #3 to run (env.") {
			t.Errorf("%q: got %v", name, err)
		}
	}
	wantError(t, runIn(t, root, granting("say"), `exec.run("say", {}, { env = { A = "x\0y" } })`), "env.A: a value with a NUL byte")
	wantError(t, runIn(t, root, granting("say"), `exec.run("say", {}, { env = { A = {} } })`), "env.A: string expected, got table")
	wantError(t, runIn(t, root, granting("say"), `exec.run("say", {}, { env = { "A=x" } })`), "env: a name expected as key, got number")
}

// TestProjectBringsNoProgram has programs in the project that PATH leads to.
func TestProjectBringsNoProgram(t *testing.T) {
	root := folder(t)
	good := programs(t, map[string]string{"make": `echo good`})
	files(t, root, map[string]string{"bin/make": "#!/bin/sh\necho evil\n", "bin/only": "#!/bin/sh\necho evil\n", "make": "#!/bin/sh\necho evil\n", "only": "#!/bin/sh\necho evil\n"})
	for _, name := range []string{"bin/make", "bin/only", "make", "only"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link(t, filepath.Join(good, "make"), filepath.Join(root, "bin/other-name"))
	other := folder(t)
	link(t, filepath.Join(root, "bin"), filepath.Join(other, "linked"))
	link(t, filepath.Join(root, "bin/make"), filepath.Join(other, "single/make"))
	t.Chdir(root)
	system := os.Getenv("PATH")
	for name, entry := range map[string]string{
		"absolute": filepath.Join(root, "bin"), "relative": "bin", "current": ".", "empty": "", "by a link": filepath.Join(other, "linked"), "a link to a file": filepath.Join(other, "single"),
	} {
		t.Setenv("PATH", entry+":"+good+":"+system)
		checkIn(t, root, granting("make", "only", "other-name"), []script{
			{name + ", a link that leads out", `same(exec.run("other-name"), nil)`, ""},
			{name, `same(exec.run("make").stdout, "good\n")`, ""},
			{name + ", nowhere else", `local a, problem = exec.run("only") same(a, nil) assert(text.contains(problem, "only is"), problem)`, ""},
		})
	}
	inside := filepath.Join(root, "bin/make")
	checkIn(t, root, granting(inside), []script{{"granted by its path", `same(exec.run("` + inside + `").stdout, "evil\n")`, ""}})
}

// TestExecTimeout: a program that takes longer than its script gives it is ended, and the
// script goes on.
func TestExecTimeout(t *testing.T) {
	programs(t, map[string]string{"hang": `exec sleep 1000`, "show": `echo x`})
	env := granting("hang", "show")
	checkIn(t, folder(t), env, []script{
		{"too long", `local a, problem = exec.run("hang", {}, { timeout = "30ms" }) same(a, nil) same(problem, "hang had not ended after its timeout of 30ms") same(exec.run("show").stdout, "x\n")`, ""},
		{"in time", `same(exec.run("show", {}, { timeout = "1h" }).stdout, "x\n")`, ""},
		{"no time", `exec.run("show", {}, { timeout = 5 })`, "a time such as"},
	})
}

func TestExecDepth(t *testing.T) {
	programs(t, map[string]string{"show": `echo $LUAHOOK_DEPTH`})
	err := runWith(t, luabind.Environment{Modules: Modules(), Root: folder(t), Grants: granting("show"), Depth: 3, Limits: wide}, `same(exec.run("show").stdout, "3\n")`)
	wantError(t, err, "")
}

// TestExecEndsWithTheRun runs a program that goes on for ever, with a child: both are
// gone when the stragglers are.
func TestExecEndsWithTheRun(t *testing.T) {
	root := folder(t)
	programs(t, map[string]string{"hang": `trap '' TERM; sleep 1000 & echo $$ $! > pids.tmp; mv pids.tmp pids; while :; do sleep 1000; done`})
	stragglers := luabind.NewStragglers(4)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // the caller gives up once it runs
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(root, "pids")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	defer cancel()
	p, err := compile.Script("test.lua", `pcall(exec.run, "hang") while true do end`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = luabind.NewState(ctx, p, luabind.Environment{Modules: Modules(), Root: root, Grants: granting("hang"), Stragglers: stragglers, Limits: luabind.Limits{Timeout: time.Minute}})
	wantError(t, err, "the caller gave up")
	if err := stragglers.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(read(t, filepath.Join(root, "pids"))) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("process %d still runs", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
}

// alive reports whether a process runs; a zombie doesn't.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// TestExecIsPaidFor: what programs write counts.
func TestExecIsPaidFor(t *testing.T) {
	programs(t, map[string]string{"much": `head -c 300000 /dev/zero`})
	err := runWith(t, luabind.Environment{Modules: Modules(), Root: folder(t), Grants: granting("much"), Limits: luabind.Limits{Memory: 2 << 20, Timeout: time.Minute}}, `for i = 1, 20 do exec.run("much") end`)
	wantError(t, err, "of memory")
}
