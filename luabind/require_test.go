package luabind_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

func library(t testing.TB, name, source string) *luabind.Library {
	t.Helper()
	p, err := compile.Script(".hooks/lib/"+name+".lua", source)
	return &luabind.Library{Program: p, Err: err}
}

func withLibraries(t testing.TB, sources map[string]string) luabind.Environment {
	t.Helper()
	env := withProbe()
	env.Libraries = map[string]*luabind.Library{}
	for name, source := range sources {
		env.Libraries[name] = library(t, name, source)
	}
	return env
}

func TestRequire(t *testing.T) {
	s := load(t, `
assert(require("probe") == probe and require("string") == string and require("math").floor(1.5) == 1)
probe = nil
string = { upper = false }
assert(require("probe").keep and require("string").upper("x") == "X") -- the modules, whatever the globals hold
local rules = require("rules")
assert(rules == require("rules") and rules.loads == 1 and rules.inner == "inner")
assert(require("silent") == true and require("answer") == 42 and require("no") == false and require("no") == false)
assert(counted == 1)
on("stop", function() return context(require("rules").name .. require("late").name .. tostring(require("late").loads)) end)
`, withLibraries(t, map[string]string{
		"rules":  `counted = (counted or 0) + 1 return { name = "r", loads = counted, inner = require("inner") }`,
		"inner":  `return "inner"`,
		"silent": `local x = 1`,
		"answer": `return 42`,
		"no":     `return false`,
		"late":   `local n = 0 n = n + 1 return { name = "l", loads = n }`,
	}))
	for range 2 {
		equal(t, "in a run", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "rl1")
	}
}

func TestEachStateHasLibrariesOfItsOwn(t *testing.T) {
	env := withLibraries(t, map[string]string{"counter": `return { n = 0 }`})
	const source = `local c = require("counter") on("stop", function() c.n = c.n + 1 return context(tostring(c.n)) end)`
	a, b := load(t, source, env), load(t, source, env)
	for _, s := range []*luabind.State{a, b} {
		equal(t, "count", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "1")
		equal(t, "count", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "2")
	}
}

func TestRequireFails(t *testing.T) {
	env := withLibraries(t, map[string]string{
		"rules": `return {}`,
		"bad":   "local x = 1\nerror('broken rules')",
		"nils":  "local x\n\nreturn x.y",
		"typo":  "local x = = 1",
		"a":     `require("b")`,
		"b":     "\n" + `require("a")`,
		"self":  `require("self")`,
	})
	tests := []struct{ source, at, want string }{
		{`require("ruls")`, file + ":1", `require "ruls": no such module, and no such file under lib/; did you mean "rules"?`},
		{`require("strng")`, file + ":1", `did you mean "string"?`},
		{`require("zzzzzzzzzzzz")`, file + ":1", `require "zzzzzzzzzzzz": no such module, and no such file under lib/`},
		{`require("_G")`, file + ":1", `require "_G": no such module`},
		{`require()`, file + ":1", "bad argument #1 to require (string expected, got nil)"},
		{"\n" + `require("bad")`, ".hooks/lib/bad.lua:2", "broken rules"},
		{`require("nils")`, ".hooks/lib/nils.lua:3", `x is nil, so it has no "y"`},
		{"\n" + `require("typo")`, file + ":2", `require "typo": .hooks/lib/typo.lua:1:11: syntax error near "="`},
		{`require("a")`, ".hooks/lib/b.lua:2", `require "a": it is being loaded; two libraries require each other`},
		{`require("self")`, ".hooks/lib/self.lua:1", `require "self": it is being loaded`},
	}
	for _, tt := range tests {
		t.Run(tt.source, func(t *testing.T) {
			e := loadError(t, tt.source, env)
			wantError(t, e, hooks.KindLoad, tt.want)
			equal(t, "source", e.Source, tt.at)
			if strings.Contains(e.Message, "\n") {
				t.Errorf("the message has several lines: %q", e.Message)
			}
		})
	}
	// A library that failed is tried again, not taken for loaded.
	s := load(t, `on("stop", function() local a, b = pcall(require, "bad") local c, d = pcall(require, "bad") assert(not a and not c and b == d, d) return require("bad") end)`, env)
	out := s.Call(t.Context(), 0, sample(t, hooks.Stop), luabind.Limits{})
	wantError(t, out.Err, hooks.KindScript, ".hooks/lib/bad.lua:2: broken rules")
}

// A library that is first required in a run sets its globals anew in each.
func TestRequireInARun(t *testing.T) {
	env := withLibraries(t, map[string]string{"rules": `rule = function() return "no" end`})
	s := load(t, `on("stop", function() require("rules") return deny(rule()) end)`, env)
	for range 3 {
		if out := s.Call(t.Context(), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Err != nil || out.Result.Reason != "no" {
			t.Fatal(out.Err, out.Result)
		}
	}
}
