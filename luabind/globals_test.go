package luabind_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

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
local ok, err = pcall(function() return (pairs(nil)) end) assert(err:find("bad argument #1 to pairs (table expected, got nil)", 1, true), err)`, shellCall(t))
}
