package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestSmoke(t *testing.T) {
	p, err := luabind.Compile(".hooks/a.lua", `
local n = 0
on("PreToolUse", {match="bash"}, function(ev)
  n = n + 1
  if ev.tool_call.command:find("rm") then return deny("no rm "..n) end
  return modify{timeout=60}, context("hi")
end)
on("pre_tool_call", function(ev) return ev.tool_call.comand end)
on("pre_tool_call", function(ev) while true do pcall(function() while true do end end) end end)
on("pre_tool_call", function(ev) for k,v in pairs(ev.tool_call.input) do print(k,v) end; string.x = 1 end)
on("pre_tool_call", function(ev) local co = coroutine.wrap(function() while true do end end); co() end)
`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := hooks.DecodeContext([]byte(`{"tool_call":{"name":"Bash","input":{"command":"rm x","n":9007199254740993,"l":[],"z":null}}}`), hooks.PreToolCall)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 5; i++ {
		s, err := luabind.NewState(context.Background(), p, luabind.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		out := s.Call(context.Background(), i, c, luabind.Limits{})
		t.Logf("%d: %+v %+v %v", i, out, out.Result, out.Err)
		s.Close()
	}
}
