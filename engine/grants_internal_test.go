package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// grantsOf lists what the scripts of an engine have been given: a line each, with "less"
// where they may only deny, ask and inform.
func grantsOf(t *testing.T, options ...Option) string {
	t.Helper()
	e, err := New(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	for _, err := range e.LoadErrors() {
		t.Error(err)
	}
	var lines []string
	for _, entry := range e.loadedNow().hooks {
		if entry.script == nil || entry.event != hooks.PreToolCall {
			continue
		}
		words := []string{string(entry.scope), entry.options.Name + ":"}
		g := entry.script.Environment.Grants
		for what, given := range map[string]bool{"fs.read": g.FSRead, "fs.write": g.FSWrite, "git": g.Git, "tasks": g.Tasks, "http": len(g.HTTP) > 0} {
			if given {
				words = append(words, what)
			}
		}
		slices.Sort(words[2:])
		words = append(append(words, g.Exec...), g.Env...)
		if entry.untrusted != "" {
			words = append(words, "less")
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// Who gets what a configuration grants: the scripts that it means, where it is trusted.
func TestWhoIsGranted(t *testing.T) {
	const script = "on('pre_tool_call', function() end)\n"
	const files = `hooks:
  grant: {env: [OF_THE_FILE]}
  pre_tool_call:
  - {name: listed, script: PLACE/listed.lua, grant: {exec: [of-the-entry]}}
  - {name: ungranted, script: PLACE/ungranted.lua}
  - {name: guard, builtin: safety-guard, grant: {exec: [of-the-builtin], fs.write: true}}
`
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for place, from := range map[string]string{"project/.hooks": "tools", "user": "tools", "managed": "tools"} {
		put(place+"/hooks.yaml", strings.ReplaceAll(files, "PLACE", from))
	}
	for _, place := range []string{"project/tools", "user/tools"} {
		put(place+"/listed.lua", script)
		put(place+"/ungranted.lua", script)
	}
	put("managed/tools/listed.lua", script) // the other one is the project's
	put("project/.hooks/itself.lua", script)
	put("user/hooks/itself.lua", script)
	store := filepath.Join(dir, "trust.json")
	if err := trust.NewStore(store).Put(trust.Pin{Root: filepath.Join(dir, "project"), Hooks: ".hooks", Folder: true}); err != nil {
		t.Fatal(err)
	}
	project := WithProject(Project{Root: filepath.Join(dir, "project")})
	tests := []struct {
		name    string
		options []Option
		want    string
	}{
		{"the default guard", nil, "user safety-guard: fs.read git tasks"},
		{"one that is added", []Option{WithoutBuiltins(), WithBuiltin("safety-guard", nil)}, "user safety-guard: fs.read git tasks"},
		{"the user's", []Option{WithUserDir(filepath.Join(dir, "user"))}, `user itself: OF_THE_FILE
user listed: of-the-entry OF_THE_FILE
user ungranted: OF_THE_FILE
user guard: fs.read fs.write git tasks of-the-builtin OF_THE_FILE`},
		{"a trusted project's", []Option{project, WithTrust(store), WithoutBuiltins()}, `project itself: OF_THE_FILE
project listed: of-the-entry OF_THE_FILE
project ungranted: OF_THE_FILE`},
		{"an untrusted project's", []Option{project, WithoutBuiltins()}, `project itself: less
project listed: less
project ungranted: less`},
		{"a trusted project's built-in", []Option{project, WithTrust(store)}, `user safety-guard: fs.read git tasks
project itself: OF_THE_FILE
project listed: of-the-entry OF_THE_FILE
project ungranted: OF_THE_FILE
project guard: fs.read git tasks`},
		{"an untrusted project's built-in", []Option{project}, `user safety-guard: fs.read git tasks
project itself: less
project listed: less
project ungranted: less
project guard: fs.read git tasks less`},
		{"a managed file's, and the project's script that it names", []Option{WithManaged(filepath.Join(dir, "managed", "hooks.yaml")), WithHooksDir(filepath.Join(dir, "project", ".hooks"), filepath.Join(dir, "project")), WithoutBuiltins()}, `managed listed: of-the-entry OF_THE_FILE
managed ungranted: less
managed guard: fs.read fs.write git tasks of-the-builtin OF_THE_FILE
project itself: OF_THE_FILE
project listed: of-the-entry OF_THE_FILE
project ungranted: OF_THE_FILE`},
		{"an embedder's", []Option{WithoutBuiltins(), WithScript("own", script), WithGrants(hooks.Grants{Env: []string{"OF_THE_EMBEDDER"}}), WithUserDir(filepath.Join(dir, "user"))}, `embedder own: OF_THE_EMBEDDER
user itself: OF_THE_FILE
user listed: of-the-entry OF_THE_FILE
user ungranted: OF_THE_FILE`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for line := range strings.Lines(grantsOf(t, tt.options...)) { // the guard's hooks are of one script
				if line = strings.TrimSpace(line); !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
