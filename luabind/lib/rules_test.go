package lib

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

// TestRules: of a command by itself it isn't known what else is in its pipeline, and where its files are; and nobody
// writes all words of an index wrongly.
func TestRules(t *testing.T) {
	for source, want := range map[string]string{
		RulesModule().Functions[0].Example: "",
		`local index = rules.index({ " on:file " }, { readers = "sort", starts = "", marks = ".env", joins = "" }, {})
			assert(index:tags(shell.parse("sort b > a").commands[1])[1] == "do:files")
			assert(index:tags(shell.parse("sort b >> a").commands[1])[1] == "do:files")
			assert(not index:parse("sort b >> a", "/none"))`: "",
		`local index = rules.index({ " on:file on:reading " }, { readers = "cat", starts = "", marks = "x", joins = "" }, {})
			assert(index:parse("cat a"))`: "",
		`rules.index({}, { mark = "x" }, {})`: `unknown option mark; did you mean "marks"?`,
		`rules.index({}, {}, { 1, {} })`:      "string expected",
	} {
		if err := run(t, append(Modules(), RulesModule()), source, wide); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", source, err, want)
		}
	}
}

// TestMarksAreCharged: a path is compared with all marks only within the budget.
func TestMarksAreCharged(t *testing.T) {
	source := fmt.Sprintf(`local index = rules.index({}, { marks = ("xy "):rep(1000) }, {}) index:parse(%q)`, strings.Repeat("touch a;", 5000))
	few := luabind.Limits{Instructions: 1_000_000, Memory: 1 << 30, Timeout: wide.Timeout}
	if err := run(t, append(Modules(), RulesModule()), source, few); err == nil || !strings.Contains(err.Error(), "instructions") {
		t.Errorf("got %v, want that the instructions are used up", err)
	}
}
