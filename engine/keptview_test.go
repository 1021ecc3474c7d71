package engine_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What a script keeps of an event shows the event that the script is asked about, never one that is under way elsewhere.
func TestKeptViews(t *testing.T) {
	script := `local ev1, call1, calls
on("pre_tool_call", { name = "keeps" }, function(ev)
  if ev1 then
    for _ = 1, 50 do
      if ev1.session_id ~= ev.session_id then return deny("session " .. ev1.session_id) end
      for k, v in pairs(ev1) do if k == "session_id" and v ~= ev.session_id then return deny("pairs " .. v) end end
      local there, command = pcall(function() return call1.command end)
      if there and command ~= ev.session_id then return deny("command " .. command) end
      if not there and not command:find("only there while its hook runs", 1, true) then return deny(command) end
    end
  end
  ev1, call1 = ev1 or ev, call1 or ev.tool_call
end)`
	guard := `on("pre_tool_call", { name = "guard" }, function(ev)
  if ev.tool_call.command ~= ev.session_id or ev.tool_call.input.command ~= ev.session_id then return deny("stale " .. ev.tool_call.command) end
end)`
	e, err := engine.New(engine.WithScript("keeps.lua", script), engine.WithScript("guard.lua", guard))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				id := fmt.Sprint(i, "-", j)
				r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, SessionID: id, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": id}}})
				if err != nil || r.Decision != hooks.NoOpinion {
					t.Errorf("%s: %v %s: %s", id, err, r.Decision, r.Reason)
				}
			}
		})
	}
	group.Wait()
}
