package builtins_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
)

func TestNames(t *testing.T) {
	names := builtins.Names()
	if !slices.Contains(names, builtins.Default) {
		t.Errorf("%q is not among %q", builtins.Default, names)
	}
	if !slices.IsSorted(names) {
		t.Errorf("%q are not sorted", names)
	}
	for _, name := range names {
		source, ok := builtins.Source(name)
		if !ok || source == "" {
			t.Errorf("%s has no source", name)
		}
		if !strings.HasPrefix(source, "-- "+name+": ") {
			t.Errorf("%s doesn't begin with a line that says what it does", name)
		}
		if n := strings.Count(source, "\n"); n > 600 {
			t.Errorf("%s has %d lines, want at most 600", name, n)
		}
		for library, source := range builtins.Libraries(name) {
			if n := strings.Count(source, "\n"); n > 600 {
				t.Errorf("%s of %s has %d lines, want at most 600", library, name, n)
			}
			if strings.HasSuffix(library, "_test") {
				t.Errorf("%s of %s is a test", library, name)
			}
		}
		if strings.HasSuffix(name, "_test") {
			t.Errorf("%s is a test, not a built-in", name)
		}
	}
}

// Only the names that Names lists can be used as built-ins, whatever else is in the folder.
func TestSourceOfNoBuiltin(t *testing.T) {
	for _, name := range []string{"", ".", "nope", "safety-guard.lua", "builtins.go", "../engine/engine", "safety-guard/options", "shared", "shared/settings", "safety-guard_test"} {
		if source, ok := builtins.Source(name); ok || source != "" {
			t.Errorf("Source(%q) gave %d bytes", name, len(source))
		}
		if libraries := builtins.Libraries(name); len(libraries) > 0 {
			t.Errorf("Libraries(%q) gave %d", name, len(libraries))
		}
	}
}

// needed are the required options of the built-ins.
var needed = map[string]map[string]any{"test-verifier": {"command": "go test ./..."}}

// Every built-in loads with its required options, and leaves no state that can't close.
func TestEveryBuiltinLoads(t *testing.T) {
	for _, name := range builtins.Names() {
		t.Run(name, func(t *testing.T) {
			e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin(name, needed[name]))
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			if problems := e.LoadErrors(); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
		})
	}
}
