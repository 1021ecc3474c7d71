package luabind_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// A plain find of which only the truth is looked at comes to the same as any other, whatever it is
// asked of: to the same truth, or to the same error in the same place.
func TestPlainFindsAreTrueWhereFindIs(t *testing.T) {
	conditions := []string{
		"FIND", "not FIND", "not not FIND", "FIND == nil", "FIND ~= nil", "FIND and yes", "yes and FIND", "FIND or no", "no or FIND", "(FIND)", "not (no or FIND and yes)",
		"(FIND == nil) == no", "yes == not FIND",
	}
	statements := []string{
		"if CONDITION then return 'true' end return 'false'",
		"local n = 0 while CONDITION do n = n + 1 if n == 2 then return 'true' end end return 'false'",
		"local n = 0 repeat n = n + 1 if n == 2 then return 'false' end until CONDITION return 'true'",
		"if no then return 'never' elseif CONDITION then return 'true' else return 'false' end",
		"return tostring(not (CONDITION))",
	}
	values := []string{`"rm -rf /"`, `"a.b"`, `""`, `("x"):rep(100) .. "rm"`, "12", "nil", "true", `{ find = function(self, ...) return select("#", ...) == 3 end }`, `{ find = false }`, `{}`, "print"}
	parts := []string{`"rm"`, `"."`, `""`, "2", "nil", "{}"}
	for _, find := range []string{"string.find(s, part, 1, true)", "s:find(part, 1, true)"} {
		// The same, as a call whose result is kept: it isn't compiled to a guard.
		kept := strings.Replace(find, ", true)", ", kept)", 1)
		for _, condition := range conditions {
			for _, statement := range statements {
				source := func(call string) string {
					body := strings.ReplaceAll(statement, "CONDITION", strings.ReplaceAll(condition, "FIND", call))
					return "local yes, no, kept = true, false, true\nlocal function test(s, part) " + body + " end\n" +
						`on("stop", function()
	local all = {}
	for i, s in pairs({` + strings.Join(indexed(values), ", ") + `}) do
		for j, part in pairs({` + strings.Join(indexed(parts), ", ") + `}) do
			local ok, what = pcall(test, s, part)
			all[#all + 1] = i .. "/" .. j .. " " .. tostring(ok) .. " " .. tostring(what)
		end
	end
	for i = 1, 2 do all[#all + 1] = tostring(select(2, pcall(test, nil, "x"))) .. tostring(select(2, pcall(test, "x", nil))) end
	return context(table.concat(all, "\n"))
end)`
				}
				got := calls(t, load(t, source(find), luabind.Environment{}), 0, sample(t, hooks.Stop)).NewContext
				want := calls(t, load(t, source(kept), luabind.Environment{}), 0, sample(t, hooks.Stop)).NewContext
				if got != want {
					t.Errorf("%s in %q, in %q: got\n%s\nwant\n%s", find, condition, statement, got, want)
				}
			}
		}
	}
}

// Finds that aren't plain from the beginning stay what they are.
func TestOtherFinds(t *testing.T) {
	const source = `local yes = true
on("stop", function()
	local all = {}
	local function see(found) all[#all + 1] = found and "y" or "n" end
	if string.find("ab", "a", 2, true) then see(true) else see(false) end
	if ("ab"):find("a", 2, true) then see(true) else see(false) end
	if string.find("ab", ".b", 1, false) then see(true) else see(false) end
	if ("ab"):find(".b", 1, nil) then see(true) else see(false) end
	if string.find("ab", ".b", 1, yes) then see(true) else see(false) end
	if ("ab"):find(".b", 1) then see(true) else see(false) end
	if string.find("ab", ".b") then see(true) else see(false) end
	if ("ab"):match("a", 1, true) then see(true) else see(false) end
	return context(table.concat(all))
end)`
	equal(t, "found", calls(t, load(t, source, luabind.Environment{}), 0, sample(t, hooks.Stop)).NewContext, "nnyynyyy")
}

// indexed writes values with their places, as a list with nil in it is none.
func indexed(values []string) (all []string) {
	for _, v := range values {
		if v != "nil" {
			all = append(all, v)
		}
	}
	return all
}

// What a script or its library makes of the name goes before that.
func TestPlainFindsMeanWhatTheScriptSays(t *testing.T) {
	const asks = `on("stop", function() if string.find("abc", "b", 1, true) then return context("found") end return context("not found") end)`
	const goes = `on("stop", function() local s = "abc" for _, part in ipairs({ "x", "b" }) do if s:find(part) then return context("found") end end return context("not found") end)`
	for _, test := range []struct{ name, script, library, want string }{
		{"the library's", asks, "", "found"},
		{"a global", `string = { find = function() end } ` + asks, "", "not found"},
		{"a local", `local string = { find = function() end } ` + asks, "", "not found"},
		{"by a library", `require("l") ` + asks, `string = { find = function() end }`, "not found"},
		{"ipairs, the library's", goes, "", "found"},
		{"ipairs, a global", `function ipairs() return function() end end ` + goes, "", "not found"},
		{"ipairs, by a library", `require("l") ` + goes, `function ipairs() return function() end end`, "not found"},
		{"by a library with _G", `require("l") ` + asks, `_G["str" .. "ing"] = { find = function() end }`, "not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			env := luabind.Environment{}
			if test.library != "" {
				env.Libraries = map[string]*luabind.Library{"l": {Program: compiled(t, ".hooks/lib/l.lua", test.library)}}
			}
			equal(t, "answer", calls(t, load(t, test.script, env), 0, sample(t, hooks.Stop)).NewContext, test.want)
		})
	}
}
