package shell

import (
	"slices"
	"testing"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// programNames returns the names of the programs of which options are known.
func programNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, name := range programs.Names() {
		if grammarOf(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) < 400 {
		t.Fatalf("options of %d programs are known", len(names))
	}
	slices.Sort(names)
	return names
}

// TestFunctionsOfStanzas checks that the functions which stanzas name exist.
func TestFunctionsOfStanzas(t *testing.T) {
	for _, name := range programs.Names() {
		p := programs.Of(name)
		if p.Paths != nil && p.Paths.By != "" && pathFunction(p.Paths.By) == nil {
			t.Errorf("%s: pathFunction has no %s", name, p.Paths.By)
		}
		if p.Runs != nil && p.Runs.By != "" && runFunction(p.Runs.By) == nil {
			t.Errorf("%s: runFunction has no %s", name, p.Runs.By)
		}
	}
}
