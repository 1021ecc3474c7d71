package luabind_test

import (
	"context"
	"slices"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// policies are hooks as people write them, for the question of what the sandbox
// costs. Each lets its event pass.
var policies = []struct{ name, source string }{
	{"words", `
local rules = {
  { "rm%s+%-%a*[rf]", "deletes files" }, { "git%s+push.*%-%-force", "rewrites history" }, { "chmod%s+777", "opens files to all" },
  { "curl.*|%s*%a*sh", "runs what it downloads" }, { "dd%s+.*of=/dev", "writes to a device" }, { "^sudo%s", "becomes root" },
}
local protected = { main = true, master = true, production = true }
on("pre_tool_call", function(ev)
  local command = ev.tool_call.command
  local words = {}
  for word in command:gmatch("%S+") do words[#words + 1] = word end
  local normal = table.concat(words, " "):lower()
  for _, rule in ipairs(rules) do
    if normal:match(rule[1]) then return deny("this command " .. rule[2] .. ": " .. command) end
  end
  if words[1] == "git" and words[2] == "push" and protected[words[#words]] then
    return deny("push to a branch of your own, not to " .. words[#words])
  end
end)`},
	{"plain", `
local forbidden = { "rm -rf", "mkfs", "dd if=", "shutdown", ":(){" }
on("pre_tool_call", function(ev)
  local call = ev.tool_call
  if call.name ~= "bash" and call.name ~= "Bash" then return end
  for i = 1, #forbidden do
    if call.command:find(forbidden[i], 1, true) then return deny("forbidden: " .. forbidden[i]) end
  end
  local label = ev.session_id .. ":" .. call.name .. ":" .. #call.command
  if label:sub(1, 4) == "root" then return deny(label) end
end)`},
	{"counting", `
local limits = { rm = 1, curl = 3, git = 9 }
on("pre_tool_call", function(ev)
  local counts, report = {}, {}
  for name in ev.tool_call.command:gmatch("[%w_./-]+") do
    counts[name] = (counts[name] or 0) + 1
  end
  for name, limit in pairs(limits) do
    local n = counts[name] or 0
    if n > limit then report[#report + 1] = string.format("%s %d times (%d allowed)", name, n, limit) end
  end
  table.sort(report)
  if #report > 0 then return deny(table.concat(report, ", ")) end
  local ok, first = pcall(function() return counts["no such"].field end)
  if ok then return deny("impossible") end
end)`},
	{"smallest", `
on("pre_tool_call", function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no") end
end)`},
}

const policyCommand = "cd /srv/app && git add -A && git commit -m 'a longer message of some words' && git push origin feature/login"

// BenchmarkGuardCost runs each policy in the sandbox, with all limits on, and in
// gopher-lua as it comes (its own libraries, no context, a table made for each event)
// in turns, and reports what the one takes of the other: ratio 1.15 means 15 % more.
func BenchmarkGuardCost(b *testing.B) {
	c := event(b, hooks.PreToolCall, `{"session_id":"s1","tool_call":{"name":"Bash","input":{"command":"`+policyCommand+`"}}}`)
	for _, p := range policies {
		b.Run(p.name, func(b *testing.B) {
			s := load(b, p.source, luabind.Environment{})
			guarded := func() {
				if out := s.Call(context.Background(), 0, c, luabind.Limits{}); out.Err != nil || out.Result != nil {
					b.Fatal(out.Result, out.Err)
				}
				if s.Broken() { // as a pool would
					s = load(b, p.source, luabind.Environment{})
				}
			}
			plain := plainPolicy(b, p.source, c)
			var ratios []float64
			var inside, outside time.Duration
			const turn = 200
			time200 := func(f func()) time.Duration {
				started := time.Now()
				for range turn {
					f()
				}
				return time.Since(started)
			}
			runs := 0
			for b.Loop() { // a turn each, so that both meet the same weather
				in, out := time200(guarded), time200(plain)
				inside, outside = inside+in, outside+out
				ratios = append(ratios, float64(in)/float64(out))
				runs += turn
			}
			slices.Sort(ratios)
			b.ReportMetric(float64(inside.Nanoseconds())/float64(runs), "guarded-ns")
			b.ReportMetric(float64(outside.Nanoseconds())/float64(runs), "unguarded-ns")
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(0, "ns/op") // of a turn, which says nothing
		})
	}
}

// plainPolicy is a call of the policy's hook in a state of gopher-lua without any
// guard, with the fields of the event that such a host would hand over.
func plainPolicy(b *testing.B, source string, c *hooks.Context) func() {
	L := lua.NewState()
	b.Cleanup(L.Close)
	var hook *lua.LFunction
	L.SetGlobal("on", L.NewFunction(func(L *lua.LState) int { hook = L.CheckFunction(2); return 0 }))
	L.SetGlobal("deny", L.NewFunction(func(L *lua.LState) int { b.Fatal(L.CheckString(1)); return 0 }))
	if err := L.DoString(source); err != nil {
		b.Fatal(err)
	}
	return func() {
		input := L.CreateTable(0, len(c.ToolCall.Input))
		for key, value := range c.ToolCall.Input {
			input.RawSetString(key, lua.LString(value.(string)))
		}
		call := L.CreateTable(0, 4)
		call.RawSetString("name", lua.LString(c.ToolCall.Name))
		call.RawSetString("kind", lua.LString(c.ToolCall.Kind))
		call.RawSetString("command", lua.LString(policyCommand))
		call.RawSetString("input", input)
		ev := L.CreateTable(0, 4)
		ev.RawSetString("event", lua.LString(c.Event))
		ev.RawSetString("session_id", lua.LString(c.SessionID))
		ev.RawSetString("cwd", lua.LString(c.CWD))
		ev.RawSetString("tool_call", call)
		L.Push(hook)
		L.Push(ev)
		if err := L.PCall(1, lua.MultRet, nil); err != nil {
			b.Fatal(err)
		}
		L.SetTop(0)
	}
}
