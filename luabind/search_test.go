package luabind_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// A loop that looks for the texts of a list goes the same way as one that isn't seen to be such,
// whatever the list and the text are: it finds the same, or fails with the same error in the same place.
func TestSearchesGoAsTheyAreWritten(t *testing.T) {
	finds := []string{
		"string.find(s, PART, 1, true)", "s:find(PART, 1, true)", "string.find(s, PART)", "s:find(PART)", "string.match(s, PART)", "s:match(PART)",
		"s:find(PART, 1, true) ~= nil", "s:find(PART) and yes", "s:find(PART, 1, true) and yes ~= nil", "s:find(PART) and s:find('x') and yes",
	}
	loops := []string{
		"for i = 1, #list do if FIND[list[i]] then see(i) end end",
		"for i = 1, #list, 1 do if FIND[list[i]] then return see(i) end end",
		"for i = 1, #list do if FIND[list[i]] then see(i, list[i]) break end end",
		"for i = 1, #list do if FIND[list[i].text] then see(i, list[i].text) end end",
		"for i = 1, #list do local part = list[i] if FIND[part] then see(i, part) end end",
		"for i = 1, #list do local part = list[i] if FIND[part.text] then see(i) list[#list] = nil end end",
		"for i, part in ipairs(list) do if FIND[part] then see(i, part) end end",
		"for _, part in ipairs(list) do if FIND[part] then see(part) s = 'other' end end",
		"for _, part in ipairs(list) do if FIND[part.text] then see(part.text) list[2] = 'new' end end",
		"for i, part in ipairs(list) do if FIND[part] then see(i) list = { 'x' } end end",
		"for i, part in ipairs({ 'no', 'rm', 'x' }) do if FIND[part] then see(i) end end",
		"for i, part in ipairs(list.inner or list) do if FIND[part] then see(i) end end",
		// Not taken for such.
		"for i = 1, #list do if FIND[list[i]] then see(i) else see(-i) end end",
		"for i = 1, #list do if FIND[list[i]] then see(i) elseif i == 1 then see('first') end end",
		"for i = 2, #list do if FIND[list[i]] then see(i) end end",
		"for i = 1, #list, 2 do if FIND[list[i]] then see(i) end end",
		"for i = 1, 3 do if FIND[list[i]] then see(i) end end",
		"for i = 1, #list do if FIND[list[1]] then see(i) end end",
		"for list = 1, #list do if FIND[list[list]] then see(list) end end",
		"for i, part in pairs(list) do if FIND[part] then see(i) end end",
		"for i, s in ipairs(list) do if FIND['a'] then see(i) end end",
		"for s, part in ipairs(list) do if FIND[part] then see(s) end end",
		"for i, part in ipairs(list) do local part = 'a' if FIND[part] then see(i) end end",
		"for i, part in ipairs(list) do see(i) if FIND[part] then see(i) end end",
		"for i, part in ipairs(list) do if FIND[part] then see(i) end see(i) end",
		"for i, part in ipairs(list) do if FIND[part] or yes then see(i) end end",
		"for i, part in ipairs(list) do if not FIND[part] then see(i) end end",
		"for i, part in ipairs(list) do if FIND[part[i]] then see(i) end end",
		"for i, part in ipairs(list) do if FIND[part['']] then see(i) end end",
	}
	subjects := []string{`"rm -rf /"`, `""`, `("x"):rep(100) .. "rm"`, "12", "nil", "true", `{ find = function(self, part) return part end, match = function(self, part) return part end }`, "{}"}
	lists := []string{
		`{ "mkfs", "rm", "x" }`, `{ "mkfs", "dd" }`, `{}`, `{ "mkfs", nil, "rm" }`, `{ "dd", 12, "rm" }`, `{ "dd", {}, "rm" }`, `{ "dd", false, "rm" }`, `{ "r.", "(", "rm" }`, `{ "%d", "^rm", "(r)(m)" }`,
		`{ "rm", "rm", "rm" }`, `{ { text = "dd" }, { text = "rm" }, { text = 12 } }`, `{ { text = "dd" }, {}, { text = "rm" } }`, `{ { text = "dd" }, "rm", { text = "rm" } }`, `{ "find", "len" }`,
		`setmetatable({ "dd" }, { __index = function(t, i) if i == 2 then return "rm" end end })`, `setmetatable({}, { __index = function(t, i) return "rm" end })`,
		`{ setmetatable({}, { __index = { text = "rm" } }), { text = "rm" } }`, `{ ("x"):rep(100), ("y"):rep(100), "rm" }`, "nil", `"rm"`, "12", "print", `require("read").only`,
	}
	var cases []string
	for _, s := range subjects {
		for _, list := range lists {
			cases = append(cases, fmt.Sprintf("{ function() return %s end, function() return %s end },", s, list))
		}
	}
	source := func(body string) string {
		return "local yes, kept = true, true\nlocal function test(s, list, see) " + body + " return 'end' end\n" + `on("stop", function()
	local all = {}
	for n, case in pairs(require("cases")) do
		local seen = {}
		local function see(...) for _, v in ipairs({ ... }) do seen[#seen + 1] = tostring(v) end end
		local ok, what = pcall(function() return test(case[1](), case[2](), see) end)
		all[#all + 1] = n .. " " .. tostring(ok) .. " " .. tostring(what) .. " " .. table.concat(seen, ",")
	end
	return context(table.concat(all, "\n"))
end)`
	}
	env := luabind.Environment{Libraries: map[string]*luabind.Library{
		"read":  {Program: compiled(t, "read.lua", `return { only = { "dd", "rm" } }`)},
		"cases": {Program: compiled(t, "cases.lua", "return {"+strings.Join(cases, " ")+"}")},
	}}
	address := regexp.MustCompile("0x[0-9a-f]+")
	for _, find := range finds {
		for _, loop := range loops {
			at, end := strings.Index(loop, "FIND["), strings.Index(loop, "] then")
			if end < 0 {
				end = strings.Index(loop, "] or")
			}
			part := loop[at+len("FIND[") : end]
			written := loop[:at] + strings.Replace(find, "PART", part, 1) + loop[end+1:]
			kept := strings.Replace(written, " if ", " do end if ", 1) // something else is in the loop, so it is none
			got := calls(t, load(t, source(written), env), 0, sample(t, hooks.Stop)).NewContext
			want := calls(t, load(t, source(kept), env), 0, sample(t, hooks.Stop)).NewContext
			if got, want = address.ReplaceAllString(got, ""), address.ReplaceAllString(want, ""); got != want {
				t.Errorf("%s\n%s", written, different(got, want))
			}
		}
	}
}

// The guard before such a loop does what it would do, for less.
func TestSearchesAreCharged(t *testing.T) {
	const items = 50_000
	for _, loop := range []string{
		"for i = 1, #list do if s:find(list[i], 1, true) then found = i end end",
		"for i, item in ipairs(list) do if string.match(s, item) then found = i end end",
	} {
		source := func(loop string) string {
			return fmt.Sprintf(`local list, found = {}, 0
for i = 1, %d do list[i] = "x" .. i end
list[#list + 1] = "y"
on("stop", function() local s = "the y" %s return context(tostring(found)) end)`, items, loop)
		}
		run := func(loop string) int64 {
			s := load(t, source(loop), luabind.Environment{})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
			if out.Err != nil || out.Result.NewContext != fmt.Sprint(items+1) {
				t.Fatalf("%s: %v, %v", loop, out.Result, out.Err)
			}
			return out.Instructions
		}
		got, want := run(loop), run(strings.Replace(loop, " if ", " do end if ", 1))
		if got < items || got > want-items {
			t.Errorf("%s: %d instructions, without the guard %d", loop, got, want)
		}
	}
}

// Whoever looks which lines run sees those of such a loop.
func TestSearchesAreCovered(t *testing.T) {
	p := compiled(t, "x.lua", "local s, list = 'abc', { 'x' }\nfor i = 1, #list do\nif s:find(list[i]) then\ns = 'y'\nend\nend")
	cover := luabind.NewCoverage()
	if _, err := luabind.NewState(t.Context(), p, luabind.Environment{Coverage: cover}); err != nil {
		t.Fatal(err)
	}
	if lines := cover.Lines(p); !lines[3] || lines[4] {
		t.Errorf("%v", lines)
	}
}

// different are the lines in which two texts differ.
func different(got, want string) string {
	var all []string
	w := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(w) || line != w[i] {
			all = append(all, fmt.Sprintf("got  %s\nwant %s", line, w[min(i, len(w)-1)]))
		}
	}
	return strings.Join(all, "\n")
}
