package check_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/check"
	"github.com/luahook/luahook/luabind/lib"
)

const top = "../../../../"

// TestSilence: nothing is found in what is right.
func TestSilence(t *testing.T) {
	n := 0
	see := func(name, source string, c check.Context) {
		n++
		for _, p := range check.Script(name, source, c) {
			t.Errorf("%s:%d:%d: %s: %s (%s)\n%s", p.File, p.Line, p.Column, p.Level, p.Text, p.Code, p.Source)
		}
	}
	for _, dir := range []string{"testdata/hooks", "builtins", "bench/agents/testdata", "docs"} {
		err := filepath.WalkDir(filepath.Join(top, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata" && dir == "builtins", strings.HasSuffix(path, "_test.lua"), strings.Contains(path, "unloadable"), strings.Contains(path, "broken.lua"):
				return nil
			case strings.HasSuffix(path, ".lua"):
				c := check.Context{}
				if dir == "builtins" {
					c.Globals = map[string]bool{"host": true, "patterns": true, "audit": true, "override": true, "passes": true, "overrides": true, "rules": true}
				}
				see(path, read(t, path), c)
			case strings.HasSuffix(path, ".md"):
				for _, fence := range fences().FindAllStringSubmatch(read(t, path), -1) {
					isHook := strings.HasPrefix(fence[1], "on(") || strings.Contains(fence[1], "\non(")
					if isHook && !strings.Contains(fence[1], "...") && !strings.Contains(fence[1], "modfy") { // which the tutorial has check find
						see(path, fence[1], check.Context{})
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range lib.Modules() { // whose examples are bodies of hooks
		for _, f := range m.Functions {
			see(m.Name+"."+f.Name, `on("pre_tool_call", { match = "bash" }, function(ev) `+f.Example+"\nend)", check.Context{})
		}
	}
	if n < 100 {
		t.Errorf("only %d scripts were looked at", n)
	}
}

func fences() *regexp.Regexp { return regexp.MustCompile("(?s)```lua\n(.*?)```") }

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
