package engine_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

const editedProject = `
-- .hooks/hooks.yaml --
hooks:
  grant: {fs.read: true, fs.write: true, exec: [touch]}
  pre_tool_call: [{name: listed, script: scripts/listed.lua, priority: 5}]
-- .hooks/a.lua --
on("pre_tool_call", { name = "a" }, function(ev) return context(fs.read("note") or "none") end)
-- .hooks/b.lua --
local words = require("words")
on("pre_tool_call", { name = "b" }, function(ev) return context(words) end)
-- .hooks/lib/words.lua --
return "words"
-- scripts/listed.lua --
on("pre_tool_call", function(ev) return context("listed") end)
-- note --
noted
`

// all is what lies in a folder, as one text.
func all(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		b.WriteString(p + "\n" + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEdited: texts stand in the place of those of files, and nothing else changes.
func TestEdited(t *testing.T) {
	root := tree(t, editedProject)
	before := all(t, root)
	user := tree(t, "-- hooks.yaml --\nhooks: {grant: {fs.read: true}}\n-- hooks/u.lua --\non('pre_tool_call', { name = 'u' }, function() return context('u ' .. fs.read('note')) end)\n")
	options := []engine.Option{patient, engine.WithProject(engine.Project{Root: root}), trusted(t, root), engine.WithUserDir(user), engine.WithStore(store.NewMemory(0)), engine.WithReplay(engine.Replay{})}
	say := func(text string) string {
		return `on("pre_tool_call", { name = "new" }, function(ev) return context("` + text + `") end)`
	}
	hooksDir := filepath.Join(root, ".hooks")
	for _, test := range []struct {
		name, path, text, runs, want, problems string
	}{
		{name: "nothing", runs: "u listed a b", want: "u noted\n|listed|noted\n|words"},
		{name: "a script", path: filepath.Join(hooksDir, "a.lua"), text: say("edited"), runs: "u listed new b", want: "u noted\n|listed|edited|words"},
		{name: "one that hooks.yaml lists keeps its place", path: filepath.Join(root, "scripts/listed.lua"), text: say("edited"), runs: "u listed a b", want: "u noted\n|edited|noted\n|words"},
		{name: "a new one", path: filepath.Join(hooksDir, "c.lua"), text: say("c"), runs: "u listed a b new", want: "u noted\n|listed|noted\n|words|c"},
		{name: "a new one that none would load", path: filepath.Join(hooksDir, "sub", "c.lua"), text: say("c"), runs: "u listed a b", want: "u noted\n|listed|noted\n|words"},
		{name: "the user's", path: filepath.Join(user, "hooks", "u.lua"), text: say("mine"), runs: "new listed a b", want: "mine|listed|noted\n|words"},
		{name: "capabilities are off in it", path: filepath.Join(hooksDir, "b.lua"), text: `on("pre_tool_call", { name = "b", on_failure = "warn" }, function() fs.read("note") end)`, runs: "u listed a b", want: "fs.read: not granted: capabilities are off where a text is edited and not saved"},
		{name: "a library is in force everywhere, and capabilities off", path: filepath.Join(hooksDir, "lib/words.lua"), text: `return "other words"`, runs: "u listed a", want: "fs.read: not granted: capabilities are off"},
		{name: "one that doesn't compile", path: filepath.Join(hooksDir, "a.lua"), text: "on(\n", problems: ".hooks/a.lua:", want: "BLOCKED"},
		{name: "and writes", path: filepath.Join(hooksDir, "a.lua"), text: `fs.write("written", "x")`, problems: "fs.write: not granted: capabilities are off", want: "BLOCKED"},
		{name: "definitions for editors", path: filepath.Join(hooksDir, "a.lua"), text: "---@meta\n" + say("x"), runs: "u listed b", want: "u noted\n|listed|words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			texts := map[string]string{}
			if test.path != "" {
				texts[test.path] = test.text
			}
			e := newEngine(t, append(options, engine.WithEdited(texts))...)
			r := fire(t, e, bash("ls"))
			if got := problems(e); !strings.Contains(got, test.problems) || test.problems == "" && got != "" {
				t.Errorf("the problems are %q", got)
			}
			var said []string
			for _, run := range r.Summary().Runs {
				for _, entry := range run.Entries {
					said = append(said, entry.Text)
				}
				if run.Error != nil {
					said = append(said, run.Error.Message)
				}
			}
			if test.want == "BLOCKED" {
				equal(t, "decision", r.Decision, hooks.Deny)
				return
			}
			equal(t, "runs", runs(r), test.runs)
			if got := strings.Join(said, "|"); !strings.Contains(got, test.want) {
				t.Errorf("the hooks said %q, want %q", got, test.want)
			}
		})
	}
	equal(t, "the folder", all(t, root), before)
}

// What was edited may decide whatever it says, in a project that nobody has trusted as well; what wasn't may not.
func TestEditedIsTrusted(t *testing.T) {
	const allow = `on("pre_tool_call", { name = "NAME" }, function() return allow("fine") end)`
	root := tree(t, "-- .hooks/a.lua --\n"+strings.ReplaceAll(allow, "NAME", "a")+"\n")
	for _, test := range []struct {
		name string
		want hooks.Decision
	}{{"a.lua", hooks.Allow}, {"_draft.lua", hooks.NoOpinion}} {
		e := newEngine(t, engine.WithProject(engine.Project{Root: root}), engine.WithReplay(engine.Replay{}),
			engine.WithEdited(map[string]string{filepath.Join(root, ".hooks", test.name): strings.ReplaceAll(allow, "NAME", "edited")}))
		equal(t, test.name, fire(t, e, bash("ls")).Decision, test.want)
	}
}

// A managed guard judges beside what is edited.
func TestEditedBesideManaged(t *testing.T) {
	root := tree(t, "-- .hooks/a.lua --\n")
	e := newEngine(t, engine.WithManaged(managed(t, managedGuard)), engine.WithProject(engine.Project{Root: root}), engine.WithReplay(engine.Replay{}),
		engine.WithEdited(map[string]string{filepath.Join(root, ".hooks", "a.lua"): `on("pre_tool_call", function() return allow("fine") end)`}))
	equal(t, "reason", fire(t, e, bash("no")).Reason, "not here")
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Allow)
}

// Edited hooks judge, and do nothing else.
func TestEditedWantsReplay(t *testing.T) {
	texts := map[string]string{filepath.Join(t.TempDir(), "a.lua"): ""}
	for name, options := range map[string][]engine.Option{
		"no replay":       {engine.WithEdited(texts)},
		"one that runs":   {engine.WithEdited(texts), engine.WithReplay(engine.Replay{Runs: true})},
		"a relative path": {engine.WithEdited(map[string]string{"a.lua": ""}), engine.WithReplay(engine.Replay{})},
		"a text too long": {engine.WithEdited(map[string]string{"/a.lua": strings.Repeat(" ", 10<<20)}), engine.WithReplay(engine.Replay{})},
	} {
		if e, err := engine.New(options...); err == nil || !strings.Contains(err.Error(), "WithEdited: ") {
			_ = e.Close(context.Background())
			t.Errorf("%s: %v", name, err)
		}
	}
}
