package lib

import (
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

// A function whose result is an argument of another's gives one value: a second one would be
// taken for what that takes next. A message beside nil is another matter, and what has a
// report in its name gives two, as does re.find, where the pattern asks for it.
func TestFunctionsGiveOneValue(t *testing.T) {
	several := regexp.MustCompile(`^[^{(]*(\{.*\}[^{(]*)?, `)
	seen := 0
	for _, m := range Modules() {
		for _, f := range m.Functions {
			depth, end := 0, 0
			for i, r := range f.Signature {
				switch r {
				case '(':
					depth++
				case ')':
					if depth--; depth == 0 && end == 0 {
						end = i + 1
					}
				}
			}
			results := strings.TrimPrefix(f.Signature[end:], ": ")
			seen++
			if !several.MatchString(results) && !strings.HasPrefix(results, "(") || strings.HasSuffix(results, "|nil, string?") {
				continue
			}
			if name := m.Name + "." + f.Name; name != "re.find" && !strings.HasSuffix(name, "report") {
				t.Errorf("%s gives several values: %s", name, results)
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d functions were looked at", seen)
	}
	for _, source := range []string{
		`assert(json.encode(redact.value({ a = "password=hunter2" })) == '{"a":"password=[redacted: password]"}')`,
		`assert(json.encode(redact.text("password=hunter2")) == '"password=[redacted: password]"')`,
		`local t = {} table.insert(t, redact.text("x")) table.insert(t, text.squeeze("y")) assert(#t == 2 and t[1] == "x")`,
		`assert(json.encode(text.squeeze("a\n")) == '"a\\n"' and json.encode(text.excerpt(("a\n"):rep(99), { bytes = 80 })))`,
		`assert(text.truncate("x", 5, text.squeeze("y")) == "x" and tonumber(redact.text("12")) == 12)`,
		`assert(select("#", redact.text("x"), redact.value("x")) == 2 and select("#", redact.report("x")) == 2 and select("#", text.squeeze("x")) == 1)`,
		`assert(select("#", text.excerpt("x", { bytes = 5 })) == 1 and select("#", text.excerpt(("x\n"):rep(50), { bytes = 50 })) == 1)`,
	} {
		if err := run(t, Modules(), source, luabind.Limits{}); err != nil {
			t.Errorf("%s\n%v", source, err)
		}
	}
}
