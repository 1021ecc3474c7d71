package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
)

// TestFiles: each file that hooks come from is there with its text, under the name that its hooks have as their source.
func TestFiles(t *testing.T) {
	user := tree(t, `-- hooks/mine.lua --
on("stop", function() end)
-- hooks.yaml --
hooks:
  stop: [{command: "true"}]
`)
	e, _ := project(t, `-- .hooks/a.lua --
on("pre_tool_call", function() end)
-- .hooks/broken.lua --
on(
-- .hooks/more/listed.lua --
on("stop", function() end)
on("session_end", function() end)
-- .hooks/lib/b/words.lua --
return {}
-- .hooks/hooks.yaml --
hooks:
  stop: [{script: .hooks/more/listed.lua}]
  session_end: [{script: .hooks/more/listed.lua}]
`, engine.WithoutBuiltins(), engine.WithUserDir(user), engine.WithScript("own.lua", "on('stop', function() end)"))
	var got strings.Builder
	sources := map[string]bool{}
	for _, f := range e.Files() {
		name := strings.ReplaceAll(f.Name, filepath.ToSlash(user), "USER")
		fmt.Fprintf(&got, "%s %s %q %d\n", f.Scope, name, f.Library, strings.Count(f.Text, "\n"))
		sources[string(f.Scope)+f.Name] = true
		if f.Path == "" {
			continue
		}
		if text, err := os.ReadFile(f.Path); err != nil || string(text) != f.Text {
			t.Errorf("%s: %q, %v", f.Path, text, err)
		}
	}
	equal(t, "the files", got.String(), `embedder own.lua "" 0
user USER/hooks.yaml "" 2
user USER/hooks/mine.lua "" 1
project .hooks/hooks.yaml "" 3
project .hooks/more/listed.lua "" 2
project .hooks/a.lua "" 1
project .hooks/broken.lua "" 1
project .hooks/lib/b/words.lua "b.words" 1
`)
	for _, h := range e.Hooks() {
		if name := h.Source[:strings.LastIndexByte(h.Source, ':')]; !sources[string(h.Scope)+name] {
			t.Errorf("no file is called as the source of %s: %s", h.Name, h.Source)
		}
	}
	if files := new(engine.Engine).Files(); files != nil {
		t.Errorf("an engine that New hasn't made has %v", files)
	}
}

// TestFilesInForce: what a file holds by now doesn't matter while what was read stays in force.
func TestFilesInForce(t *testing.T) {
	const first = "on('pre_tool_call', function() end)\n"
	e, root := project(t, "-- .hooks/a.lua --\n"+first, engine.WithoutBuiltins())
	text := func() string {
		t.Helper()
		files := e.Files()
		if len(files) != 1 || files[0].Name != ".hooks/a.lua" {
			t.Fatalf("%+v", files)
		}
		return files[0].Text
	}
	equal(t, "at first", text(), first)
	write(t, root, "-- .hooks/a.lua --\non(\n")
	if err := e.Reload(t.Context()); err == nil {
		t.Error("a broken file is loaded")
	}
	equal(t, "with a broken file", text(), first)
	if err := os.Remove(filepath.Join(root, ".hooks", "a.lua")); err != nil {
		t.Fatal(err)
	}
	equal(t, "without the file", text(), first)
	write(t, root, "-- .hooks/a.lua --\n-- now\n"+first)
	if err := e.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "with another", text(), "-- now\n"+first)
}
