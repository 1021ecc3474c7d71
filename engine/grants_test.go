package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
)

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
