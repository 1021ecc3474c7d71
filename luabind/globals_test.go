package luabind_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestPrintGoesToTheLoggerOnly(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = write, write
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()

	var log logBook
	s := load(t, "print('loading')\n"+`on("stop", function(ev)
  print("a", 1, nil, true, setmetatable({}, { __tostring = function() return "T" end }), ev, deny("x"))
  print()
end)`, luabind.Environment{Logger: log.logger()})
	calls(t, s, 0, sample(t, hooks.Stop))
	calls(t, load(t, `on("stop", function() print("nowhere") end)`, luabind.Environment{}), 0, sample(t, hooks.Stop))

	write.Close()
	os.Stdout, os.Stderr = stdout, stderr
	var printed strings.Builder
	buffer := make([]byte, 100)
	for n, err := read.Read(buffer); err == nil; n, err = read.Read(buffer) {
		printed.Write(buffer[:n])
	}
	equal(t, "stdout and stderr", printed.String(), "")
	equal(t, "log", log.String(), `level=INFO msg=loading source=.hooks/a.lua:1
level=INFO msg="a\t1\tnil\ttrue\tT\tev\tdeny(\"x\")" source=.hooks/a.lua:3
level=INFO msg="" source=.hooks/a.lua:4
`)
}

func TestLogLine(t *testing.T) {
	var log logBook
	s := load(t, `on("stop", function(ev)
  for _, level in ipairs{ "debug", "info", "warn", "error", "loud" } do probe.log(level, "x") end
  probe.log("info", ("ä"):rep(5000))
end)`, luabind.Environment{Logger: log.logger(), Modules: withProbe().Modules})
	calls(t, s, 0, sample(t, hooks.Stop))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	for i, want := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelInfo} {
		equal(t, "line", lines[i], "level="+want.String()+" msg=x source=.hooks/a.lua:2")
	}
	equal(t, "the long line", lines[5], "level=INFO msg="+strings.Repeat("ä", 4096)+"... source=.hooks/a.lua:3")
}

func TestPrintingIsCharged(t *testing.T) {
	var log logBook
	s := load(t, `on("stop", function(ev) local s = ("x"):rep(8000) while true do print(s) end end)`, luabind.Environment{Logger: log.logger()})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 100_000})
	stopped(t, s, out, hooks.LimitInstructions)
	if log.Len() > 8100*200 {
		t.Errorf("it wrote %d bytes", log.Len())
	}
}

func TestNextAndPairs(t *testing.T) {
	passes(t, `
assert(next({}) == nil and next({ 5 }) == 1 and select(2, next({ 5 })) == 5 and next({ 5 }, 1) == nil)
local f, t, k = pairs({ 7 }) assert(f == next and t[1] == 7 and k == nil)
local sum = 0 for k, v in pairs({ 1, 2, x = 3 }) do sum = sum + v end assert(sum == 6)
for _, bad in ipairs{ 1, "x", true, print, deny("x"), probe.null } do
  assert(not pcall(pairs, bad) and not pcall(next, bad))
end
local ok, err = pcall(function() return (pairs(nil)) end) assert(err:find("bad argument #1 to 'pairs' (table expected, got nil)", 1, true), err)`, shellCall(t))
}

func TestIteratingWhileTakingOut(t *testing.T) {
	passes(t, `
local function made()
  local t = { 1, 2, 3, x = 4, y = 5, [2.5] = 6, [true] = 7, [-1] = 8, [0] = 9, [2^40] = 10 }
  return t, 10
end
local function count(t) local n = 0 for k, v in pairs(t) do assert(t[k] == v) n = n + 1 end return n end

local t, n = made() assert(count(t) == n)
for k in pairs(t) do t[k] = nil n = n - 1 end
assert(n == 0 and next(t) == nil and count(t) == 0)

t = made() t.x = nil t[2] = nil t[true] = nil assert(count(t) == 7)
t.x = 1 t[2] = 1 assert(count(t) == 9)

-- take out what is next
t = made()
local seen = {}
for k in pairs(t) do seen[#seen + 1] = k local other = next(t, k) if other ~= nil then t[other] = nil end end
assert(#seen == 5 and count(t) == 5)

-- the list part becomes shorter under way
t = { 1, 2, 3, x = 4 }
seen = ""
for k in pairs(t) do seen = seen .. tostring(k) if k == 3 then table.remove(t) end end assert(seen == "123x", seen)
t, seen = { 1, x = 4, y = 5 }, 0
for k in pairs(t) do seen = seen + 1 if k == 1 then table.remove(t) end end assert(seen == 3)
t, seen = { 1, 2, 3, 4, x = 4 }, ""
for k in pairs(t) do seen = seen .. tostring(k) if k == 4 then for i = 1, 3 do table.remove(t) end end end assert(seen == "1234x", seen)

-- a queue, one key at a time
t = {} for i = 1, 1000 do t["k" .. i] = i end
for i = 1, 1000 do local k = next(t) t[k] = nil end
assert(next(t) == nil)
for i = 1, 10 do t[i] = i end for i = 1, 10 do t[next(t)] = nil end
assert(next(t) == nil)`, shellCall(t))
}

func TestIpairs(t *testing.T) {
	passes(t, `
local function seen(t) local s = "" for i, v in ipairs(t) do s = s .. i .. "=" .. tostring(v) .. " " end return s end
assert(seen{} == "" and seen{ "a", "b", nil, "d" } == "1=a 2=b " and seen{ [0] = "z", "a" } == "1=a ")
assert(seen(setmetatable({ "a" }, { __index = function() return "more" end })) == "1=a ")
assert(seen(string) == "" and seen(probe.give('["x",1]')) == "1=x 2=1 ")
local t = { 1, 2, 3 } local n = 0
for i in ipairs(t) do n = n + 1 t[i] = nil end assert(n == 3)
for i in ipairs(t) do error("empty") end
for i = 1, 5 do t[i] = i end
local sum = 0 for i, v in ipairs(t) do sum = sum + v if i < 7 then t[#t + 1] = 1 end end assert(sum == 15 + 6)
local step, of, from = ipairs(t) assert(of == t and from == 0 and select(2, step(t, 1)) == 2 and step(t, 100) == nil)
for _, bad in ipairs{ 1, "x", true, print, ev, probe.null } do
  local ok, err = pcall(ipairs, bad) assert(not ok and err:find("bad argument #1 to 'ipairs' (table expected, got ", 1, true), err)
end`, shellCall(t))
}

// gopher-lua keeps the keys that were taken out; a step leads over all of them.
func TestStepsOverDeadKeysEnd(t *testing.T) {
	s := load(t, `
local t = {} for i = 1, 40000 do t["k" .. i] = 1 end for i = 1, 40000 do t["k" .. i] = nil end
on("stop", function() while true do next(t) end end)`, luabind.Environment{Limits: luabind.Limits{Instructions: 1e9}})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 50 * time.Millisecond})
	stopped(t, s, out, hooks.LimitTime)
}
