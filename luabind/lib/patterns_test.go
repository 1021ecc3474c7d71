package lib

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

// A late pattern is what re.compile gives, but for when a mistake in it is told.
func TestLatePatterns(t *testing.T) {
	modules := []luabind.Module{PatternsModule()}
	for source, want := range map[string]string{
		PatternsModule().Functions[0].Example: "",
		`local p = patterns.later("(a+)b")
assert(tostring(p) == "(a+)b" and p:match("xaab") and not p:match("b") and tostring(p) == "(a+)b")
assert(p:find("xaab") == "aab" and p:captures("xaab")[1] == "aa" and p:replace("xaab", "-") == "x-" and #p:split("1ab2") == 2)`: "",
		`local p = patterns.later("a("); assert(tostring(p) == "a(")`: "",
		`patterns.later("a("):match("x")`:                             "pattern `a(`: missing closing )",
		`local p = patterns.later("a"); p.x = 1`:                      "read-only",
		`patterns.later()`:                                            "string expected",
	} {
		err := run(t, modules, source, wide)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", source, err, want)
		}
	}
}
