package luatest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/luatest"
)

// The hook and the tests of the page are what the page says, and it tells of every function.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	content := files{}
	for _, block := range regexp.MustCompile("(?s)```lua\n-- (\\S+\\.lua)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		content[block[1]] = block[2]
	}
	if len(content) != 2 {
		t.Fatalf("the page has %d files, want a hook and its tests", len(content))
	}
	r, err := luatest.Run(t.Context(), luatest.Options{Dir: projectOf(t, content), Coverage: true})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	if r.Passed != 6 || r.Percent() != 100 || r.Coverage[0].Lines != 6 {
		t.Errorf("%d passed, %v%% of %d lines covered; the page says otherwise", r.Passed, r.Percent(), r.Coverage[0].Lines)
	}
	for _, name := range functionNames() {
		if !strings.Contains(string(text), "`"+name+"(") {
			t.Errorf("the page doesn't tell of %s", name)
		}
	}
}
