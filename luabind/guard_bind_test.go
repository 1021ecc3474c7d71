package luabind_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Calls of library functions are bound when a script is compiled. What a script makes of
// the same names goes before that, as in any Lua.
func TestCallsMeanWhatTheScriptSays(t *testing.T) {
	tests := []struct {
		name, script, library, want string
	}{
		{"the library's", `on("stop", function() return context(string.upper("a") .. type(1) .. tostring(2)) end)`, "", "Anumber2"},
		{"a local library", `local string = {upper = function() return "mine" end} on("stop", function() return context(string.upper("a")) end)`, "", "mine"},
		{"a parameter", `local function f(string) return string.upper("a") end on("stop", function() return context(f{upper = function() return "mine" end}) end)`, "", "mine"},
		{"a local only elsewhere", `do local string = 1 end on("stop", function() return context(string.upper("a")) end)`, "", "A"},
		{"a loop variable", `on("stop", function() for _, string in ipairs{{upper = function() return "mine" end}} do return context(string.upper("a")) end end)`, "", "mine"},
		{"a global library", `string = {upper = function() return "mine" end} on("stop", function() return context(string.upper("a")) end)`, "", "mine"},
		{"a global function", `function tostring() return "mine" end on("stop", function() return context(tostring(1)) end)`, "", "mine"},
		{"assigned after the call is compiled", `on("stop", function() return context(tostring(1)) end) tostring = function() return "mine" end`, "", "mine"},
		{"assigned among others", `local a a, tostring = 1, function() return "mine" end on("stop", function() return context(tostring(1)) end)`, "", "mine"},
		{"assigned in the run", `on("stop", function() tostring = function() return "mine" end return context(tostring(1)) end)`, "", "mine"},
		{"by _G", `_G.tostring = function() return "mine" end on("stop", function() return context(tostring(1)) end)`, "", "mine"},
		{"by a name made up", `local g = _G g["to" .. "string"] = function() return "mine" end on("stop", function() return context(tostring(1)) end)`, "", "mine"},
		{"by rawset", `rawset(_G, "string", {upper = function() return "mine" end}) on("stop", function() return context(string.upper("a")) end)`, "", "mine"},
		{"by a library", `require("l") on("stop", function() return context(tostring(1)) end)`, `tostring = function() return "mine" end`, "mine"},
		{"by a library with _G", `require("l") on("stop", function() return context(string.upper("a")) end)`, `_G["string"] = {upper = function() return "mine" end}`, "mine"},
		{"in a library, by the script", `tostring = function() return "mine" end on("stop", function() return context(require("l")()) end)`, `return function() return tostring(1) end`, "mine"},
		{"a function of a library's own", `require("l") on("stop", function() return context(tool.name()) end)`, `tool = {name = function() return "mine" end}`, "mine"},
		{"a method", `on("stop", function() return context(("a"):upper()) end)`, "", "A"},
		{"more than can be bound", manyCalls(), "", "A"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := luabind.Environment{}
			if test.library != "" {
				env.Libraries = map[string]*luabind.Library{"l": {Program: compiled(t, ".hooks/lib/l.lua", test.library)}}
			}
			s := load(t, test.script, env)
			for range 2 {
				equal(t, "answer", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, test.want)
			}
		})
	}
}

// manyCalls is a script that calls more library functions than are bound.
func manyCalls() string {
	var b strings.Builder
	b.WriteString("local function never()\n")
	for _, library := range []string{"string", "table", "math", "coroutine"} {
		for _, f := range strings.Fields("byte char find format gmatch gsub len lower match rep reverse sub upper concat insert remove sort maxn abs ceil floor max min sqrt pow exp log create wrap resume status running yield") {
			b.WriteString("pcall(function() " + library + "." + f + "() end)\n")
		}
	}
	b.WriteString("end\non('stop', function() return context(string.upper('a')) end)")
	return b.String()
}

// A call of what isn't there fails when it is made, as it stands in the script.
func TestCallsOfWhatIsNotThere(t *testing.T) {
	tests := []struct{ script, want string }{
		{"on('stop', function()\nstrnig.upper('a')\nend)", ".hooks/a.lua:2: "},
		{"on('stop', function()\nstring.uper('a')\nend)", ".hooks/a.lua:2: "},
		{"on('stop', function()\nstring.rep()\nend)", ".hooks/a.lua:2: bad argument #1 to 'rep'"},
	}
	for _, test := range tests {
		s := load(t, test.script, luabind.Environment{})
		wantError(t, s.Call(t.Context(), 0, sample(t, hooks.Stop), luabind.Limits{}).Err, hooks.KindScript, test.want)
	}
}
