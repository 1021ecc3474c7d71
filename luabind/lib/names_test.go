package lib

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

func TestNames(t *testing.T) {
	modules := append(Modules(), PatternsModule(), RulesModule())
	for source, want := range map[string]string{
		PatternsModule().Functions[1].Example: "",
		`local n = patterns.names({ "/etc/x", ".a/b" }, { " rm shoptool:push ", "shoptool:pull Remove-Item" })
			assert(#n:meant("/e*/x") == 1 and #n:meant("x") == 0)
			local commands = shell.parse("/bin/shopt?ol push; Remove-Ite?", { names = n }).commands
			assert(#commands == 3 and commands[2].name == "shoptool")`: "",
		`local index = rules.index({ " rm " }, {}, {})
			assert(index:parse("rm *") == true and index:parse("ls *") == true)
			local commands = index:parse("/bin/shoptoo[l] x; rm x", nil, nil, nil, patterns.names({}, { "shoptool" }))
			assert(#commands == 3 and commands[2].name == "shoptool")
			assert(not index:parse("ls *", nil, nil, nil, patterns.names{}))`: "",
		`patterns.names{}.meant("x")`:                          "call meant of names with a colon",
		`patterns.names{}:meant(("x"):rep(5000))`:              "longer than a path can be",
		`shell.parse("x", { names = {} })`:                     "names: what patterns.names returns expected, got table",
		`rules.index({}, {}, {}):parse("x", nil, nil, nil, 1)`: "names: what patterns.names returns expected, got number",
		`patterns.names()`:                                     "table expected",
		`patterns.names({}, { {} })`:                           "string expected as item 1",
		`patterns.names{}.x = 1`:                               "attempt to index",
	} {
		if err := run(t, modules, source, wide); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", source, err, want)
		}
	}
}

// TestNamesAreCharged: patterns are compared with names only within the budget.
func TestNamesAreCharged(t *testing.T) {
	modules := append(Modules(), PatternsModule())
	for _, pattern := range []string{strings.Repeat("[", 200) + strings.Repeat("]", 50), "/" + strings.Repeat("*/", 1000) + "x"} {
		source := fmt.Sprintf(`local files = {} for i = 1, 1000 do files[i] = "hooks/of/many/names" .. i end
			local names = patterns.names(files)
			for _ = 1, 10 do names:meant(%q) end`, pattern)
		few := luabind.Limits{Instructions: 300_000, Memory: 1 << 30, Timeout: wide.Timeout}
		if err := run(t, modules, source, few); err == nil || !strings.Contains(err.Error(), "instruction") {
			t.Errorf("%.20s: %v", pattern, err)
		}
		if err := run(t, modules, source, wide); err != nil && !strings.Contains(err.Error(), "limit") {
			t.Errorf("%.20s: %v", pattern, err)
		}
	}
}
