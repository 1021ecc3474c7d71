package lib

import (
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/internal/redact"
	"github.com/luahook/luahook/luabind"
)

func TestRedact(t *testing.T) {
	runScripts(t, []script{
		{"how many", `
			local s, n = redact.report("password=hunter2 and token='abcd1234efgh'")
			same(s, "password=[redacted: password] and token='[redacted: token]'")
			same(n, 2)
			same({ redact.report(s) }, { s, 0 })`, ""},
		{"bytes stay", `same({ redact.report("\255 a \0 b long") }, { "\255 a \0 b long", 0 })`, ""},
		{"value", `
			local v = { a = { "password=hunter2", 1.5, true, json.null }, secret = "correct horse", n = 3 }
			local r, n = redact.report(v)
			same(json.encode(r), '{"a":["password=[redacted: password]",1.5,true,null],"n":3,"secret":"[redacted: secret]"}')
			same(n, 2)
			same(v.secret, "correct horse")
			r.n = 4
			same(v.n, 3)`, ""},
		{"a copy where nothing was found", `local v = { 1 }; local r = redact.value(v); r[1] = 2; same(v[1], 1)`, ""},
		{"texts and nothing", `same({ redact.report("password=hunter2") }, { "password=[redacted: password]", 1 }); same(redact.value(nil), json.null)`, ""},
		{"what is kept", `
			local test = { re.compile("^hunter\\d$"), re.compile("^test_") }
			same({ redact.report("password=hunter2 password=hunter22", { keep = test }) }, { "password=hunter2 password=[redacted: password]", 1 })
			local v, n = redact.report({ password = "hunter2", pin = 1, token = "abcd1234efgh" }, { keep = test })
			same(v, { password = "hunter2", pin = 1, token = "[redacted: token]" })
			same(n, 1)
			same({ redact.report("password=hunter2", { keep = {} }) }, { "password=[redacted: password]", 1 })`, ""},
		{"keep of texts", `redact.text("password=hunter2", { keep = { "hunter2" } })`, "bad argument #2 to text (keep: pattern of re.compile expected, got string)"},
		{"keep of something", `redact.text("password=hunter2", { keep = "hunter2" })`, "keep: list of patterns expected, got string"},
		{"unknown option", `redact.text("password=hunter2", { kepe = {} })`, `unknown option kepe; did you mean "keep"?`},
		{"function", `redact.value({ print })`, "bad argument #1 to value ([1] is a function"},
		{"table", `redact.text({})`, "bad argument #1 to text (string expected, got table)"},
	})
}

func TestRedactIsCharged(t *testing.T) {
	err := run(t, Modules(), `redact.text(("x"):rep(16 * 1024 * 1024 + 1))`, luabind.Limits{Instructions: 100_000_000, Timeout: time.Minute, Memory: 1 << 30})
	if err == nil || !strings.Contains(err.Error(), "at most 16777216 bytes expected") {
		t.Errorf("too much: %v", err)
	}
	for name, source := range map[string]string{
		"text":  `for i = 1, 1e6 do redact.text(("password=hunter2 "):rep(10000)) end`,
		"value": `for i = 1, 1e6 do redact.value({ ("password=hunter2 "):rep(10000) }) end`,
	} {
		err := run(t, Modules(), source, luabind.Limits{Instructions: 1_000_000, Timeout: time.Minute})
		if err == nil || !strings.Contains(err.Error(), "instructions") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRedactingOneTextIsCharged(t *testing.T) {
	for _, source := range []string{`redact.text(("sk-"):rep(350000))`, `redact.value({ ("x "):rep(500000) })`} {
		err := run(t, Modules(), source, luabind.Limits{Instructions: 150_000, Timeout: time.Minute})
		if err == nil || !strings.Contains(err.Error(), "instructions") {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// Only what has the engine's redactor knows the environment: another script could ask
// for what it wasn't granted, guess by guess.
func TestRedactorOfTheEngine(t *testing.T) {
	knows := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming"})
	source := `return assert(redact.text("Winter-is-c0ming") == `
	for want, services := range map[string]*Services{
		`"Winter-is-c0ming"`:                     {},
		`"[redacted: environment: DB_PASSWORD]"`: {Redactor: func() *redact.Redactor { return knows }},
	} {
		if _, err := load(t, luabind.Environment{Modules: Modules(), Services: services}, source+want+")"); err != nil {
			t.Errorf("want %s: %v", want, err)
		}
	}
}
