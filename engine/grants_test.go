package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// TestWithoutGrantsBesideWithGrants: what a program gives its own scripts is withheld, in either order, and is told.
func TestWithoutGrantsBesideWithGrants(t *testing.T) {
	dir := t.TempDir()
	give, withhold := engine.WithGrants(hooks.Grants{FSWrite: true}), engine.WithoutGrants()
	for _, order := range [][]engine.Option{{give, withhold}, {withhold, give}} {
		e := newEngine(t, append(order, engine.WithoutBuiltins(), engine.WithProject(engine.Project{Root: dir}),
			engine.WithScript("loading", `fs.write("written", "x") on("stop", function() end)`),
			engine.WithScript("running", `on("stop", function() fs.write("written", "x") end)`))...)
		contains(t, problems(e), "fs.write: not granted: nothing is granted to hooks that are only looked at")
		if list := e.Hooks(); len(list) != 1 || !list[0].Grants.FSWrite {
			t.Errorf("the hooks are %+v", list)
		}
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.Stop})
		if err != nil {
			t.Fatal(err)
		}
		contains(t, strings.Join(r.Warnings, "\n"), "fs.write: not granted: nothing is granted")
		if _, err := os.Stat(filepath.Join(dir, "written")); err == nil {
			t.Error("a script has written a file")
		}
	}
}

// TestWithoutGrants: a program that looks at hooks lets none of them reach outside, and is told what they are granted.
func TestWithoutGrants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"hooks.yaml": "hooks:\n  grant: {fs.write: true}\n",
		"a.lua":      `fs.write("written", "x") on("stop", function(ev) end)`,
		"b.lua":      `on("stop", function(ev) fs.write("written", "x") end)`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(engine.WithHooksDir(dir, dir), engine.WithoutBuiltins(), engine.WithoutGrants())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	list := e.Hooks()
	if len(list) != 1 || !list[0].Grants.FSWrite {
		t.Errorf("the hooks are %+v", list)
	}
	if errs := e.LoadErrors(); len(errs) != 1 || !strings.Contains(errs[0].Error(), "nothing is granted to hooks that are only looked at") {
		t.Errorf("the errors are %q", errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "written")); err == nil {
		t.Error("a script has written a file while it was looked at")
	}
}
