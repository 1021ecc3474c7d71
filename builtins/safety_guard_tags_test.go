package builtins_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// everyTag is an index that leaves nothing out: each command has all tags that it could have.
const everyTag = `
local index = {}

function index:parse(command, cwd, home, language)
  local line = shell.parse(command, { cwd = cwd, home = home, language = language, names = require("names").all() })
  return line.commands, nil, line.error, line.too_complex
end

function index:tags(cmd)
  local name, subcommand = cmd.name or "?", cmd:subcommand() or "?"
  local tags = {}
  local function add(name)
    tags[#tags + 1] = name
    for _, condition in ipairs(require("rulebook").conditions) do
      tags[#tags + 1] = name .. "/" .. condition
    end
  end
  add(name)
  if name:sub(1, 4) == "git-" then
    subcommand = name:sub(5)
    name = "git"
  elseif name == "git" or name == "hub" then
    name, subcommand = "git", subcommand:lower()
  end
  add(name .. ":" .. subcommand)
  if name == "git" and subcommand == "config" then
    tags[#tags + 1] = "do:stored"
  elseif cmd.git and cmd.git.foreign then
    tags[#tags + 1] = "do:alias"
  end
  for _, need in ipairs({ "remote", "multiplies", "decoded" }) do
    tags[#tags + 1] = cmd[need] and "needs:" .. need or nil
  end
  local ending = (cmd.name or ""):sub(-3)
  tags[#tags + 1] = (ending == "ctl" or ending == "cli") and "needs:tool" or nil
  tags[#tags + 1] = cmd.path:find(" ", 1, true) and "needs:blank" or nil
  for _, tag in ipairs({ "needs:luahook", "needs:endless", "needs:committed", "do:handed", "on:command", "do:files", "do:statements" }) do
    tags[#tags + 1] = tag
  end
  return tags
end

return index`

// unindexed is the module with an index that leaves nothing out.
func unindexed() luabind.Module {
	m := lib.RulesModule()
	m.Functions[0].Go = func(L *lua.LState) int {
		chunk, err := L.LoadString(everyTag)
		if err != nil {
			L.RaiseError("%v", err)
		}
		L.Push(chunk)
		L.Call(0, 1)
		return 1
	}
	return m
}

// judgeWith loads the guard with a module for its index, and returns what gives its answer to a command.
func judgeWith(t testing.TB, with map[string]any, module luabind.Module) func(tool, command string) string {
	t.Helper()
	libraries := map[string]*luabind.Library{}
	for name, source := range builtins.Libraries(builtins.Default) {
		libraries[name] = luabind.LazyLibrary(name, func() (*compile.Program, error) { return compile.Script(name, source) })
	}
	source, err := os.ReadFile("safety-guard.lua")
	if err != nil {
		t.Fatal(err)
	}
	program, err := compile.Script("builtin:safety-guard", string(source))
	if err != nil {
		t.Fatal(err)
	}
	limits := luabind.Limits{Instructions: 1e9, Memory: 1 << 30, Timeout: time.Minute}
	state, err := luabind.NewState(t.Context(), program, luabind.Environment{
		Modules: append(lib.Modules(), lib.HostModule(lib.Host{Home: "/home/kim", Temp: []string{"/tmp"}}), lib.PassesModule(), lib.AuditModule(), lib.PatternsModule(), module),
		Words:   lib.Words(), Libraries: libraries, Limits: limits, With: with,
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(tool, command string) string {
		c, err := (&hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: tool, Input: map[string]any{"command": command}}}).Complete()
		if err != nil {
			t.Fatal(err)
		}
		out := state.Call(context.Background(), 0, c, limits)
		switch {
		case out.Err != nil:
			return out.Err.Error()
		case out.Result == nil:
			return ""
		}
		return string(out.Result.Decision) + ": " + out.Result.Reason
	}
}

// linesOfCases are the commands of all tables of cases, with the tools that they are for.
func linesOfCases(t testing.TB) (lines [][2]string) {
	files, err := filepath.Glob("testdata/safety-guard*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tool := "Bash"
		if strings.Contains(file, "-windows") {
			tool = strings.TrimSuffix(filepath.Base(file), ".txt")
		}
		for i, line := range strings.Split(string(text), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				_, command := caseOf(t, file, i+1, line)
				lines = append(lines, [2]string{tool, command})
			}
		}
	}
	for _, r := range readRules(t) {
		for _, command := range append(r.Blocked, r.Passes...) {
			lines = append(lines, [2]string{"Bash", command})
		}
	}
	return lines
}

// protecting are options under which commands are stopped that others let through.
var protecting = map[string]any{"packs": "all", "protect_paths": []any{"src/"}}

// TestRuleIndex: that a command is let through before any rule is asked, because the index says that none
// can be about it, changes no answer.
func TestRuleIndex(t *testing.T) {
	type judge struct {
		with, without func(tool, command string) string
	}
	var judges []judge
	for _, options := range []map[string]any{nil, {"packs": "all"}, protecting} {
		judges = append(judges, judge{judgeWith(t, options, lib.RulesModule()), judgeWith(t, options, unindexed())})
	}
	lines := [][2]string{{"Bash", "ls"}, {"Bash", "patch"}}
	for i, line := range linesOfCases(t) {
		if i%4 == 0 || os.Getenv("LUAHOOK_NIGHTLY") == "1" {
			lines = append(lines, line)
		}
	}
	stopped := 0
	for i, line := range lines {
		by := judges[i%3]
		want := by.without(line[0], line[1])
		if want != "" {
			stopped++
		}
		if got := by.with(line[0], line[1]); got != want {
			t.Errorf("%s: %q\nwith the index: %s\nwithout: %s", line[0], line[1], got, want)
		}
	}
	if len(lines) < 2500 || stopped < len(lines)/5 || stopped > len(lines)*4/5 {
		t.Errorf("%d lines, of which %d are stopped", len(lines), stopped)
	}
}

// TestMarkedFiles: the same of files that are only written, with all words that stand in the guard's sources in
// their paths.
func TestMarkedFiles(t *testing.T) {
	with, without := judgeWith(t, nil, lib.RulesModule()), judgeWith(t, nil, unindexed())
	seen, words := map[string]bool{}, []string(nil)
	for _, source := range builtins.Libraries(builtins.Default) {
		for _, word := range regexp.MustCompile(`[\w.~-]+`).FindAllString(strings.ReplaceAll(source, `\.`, "."), -1) {
			if !seen[word] && len(word) > 1 {
				seen[word], words = true, append(words, word)
			}
		}
	}
	slices.Sort(words)
	paths := []string{"%s", ".%s", "%s/x", "src/%s/a.b", "src/a%s", "src/a%s", "/%s", "/%s/x", "/etc/%s", "~/%s", "~/.%s", "~/%s/x", "../%s", "/home/kim/%s/x", "/home/kim/shop/%s", "/home/kim/shop/.git/%s", "'D:/%s'", "a.%s"}
	lines := []string{"echo x > %s", "cat a > %s", "echo x >> %s", "cp a %s", "cp -r src/a %s", "mv %[2]s src", "cp %[2]s lib", "cp -r %[2]s /", "cp -r %[2]s /home/kim", ": > %s", "sed -i s/a/b/ %s", "touch %s", "mkdir -p %s",
		"cat %s | sort > %[1]s", "cd src && ln -s b %s", "tee %s", "install -m 644 a %s", "git show HEAD:%s > %[1]s", "curl -o %s https://x.example/y", "python3 -c \"open('%s', 'w')\""}
	random := rand.New(rand.NewPCG(1, 2))
	count, stopped := 0, 0
	for _, word := range words {
		for _, path := range paths {
			if os.Getenv("LUAHOOK_NIGHTLY") != "1" && random.IntN(len(paths)) > 1 {
				continue
			}
			line := ": > %s" // emptied: that is what most rules are about
			if random.IntN(2) == 0 {
				line = lines[random.IntN(len(lines))]
			}
			line = fmt.Sprintf(line+"%.0[2]s", fmt.Sprintf(path, word), word)
			want := without("Bash", line)
			if count++; want != "" {
				stopped++
			}
			if got := with("Bash", line); got != want {
				t.Errorf("%q\nwith the index: %s\nwithout: %s", line, got, want)
			}
		}
	}
	if stopped < count/20 || stopped > count*4/5 {
		t.Errorf("of %d lines %d are stopped", count, stopped)
	}
}

func FuzzRuleIndex(f *testing.F) {
	for i, line := range linesOfCases(f) {
		if i%20 == 0 {
			f.Add(line[1])
		}
	}
	packs := map[string]any{"packs": "all"}
	with, without := judgeWith(f, packs, lib.RulesModule()), judgeWith(f, packs, unindexed())
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 2000 {
			t.Skip("long lines take too long without the index")
		}
		if got, want := with("Bash", command), without("Bash", command); got != want {
			t.Errorf("%q\nwith the index: %s\nwithout: %s", command, got, want)
		}
	})
}
