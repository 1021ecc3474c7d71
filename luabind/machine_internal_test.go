package luabind

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// Nothing of a run is left in the machine when it is over: the next one is another script's.
func TestAMachineKeepsNothing(t *testing.T) {
	p, err := compile.Script("a.lua", `on("pre_tool_call", function(ev)
	local long = ("x"):rep(300) .. ev.tool_call.command
	long = long .. long
	local list = {}
	list[50000] = long
	deny("never returned")
	pcall(pcall, error, "stack overflow")
	return deny(tostring(ev.error) .. tostring(unknown))
end)
on("stop", function() pcall(pcall, function() while true do end end) end)
on("stop", function() pcall(function() pcall(error, "registry overflow", 0) error("stack overflow", 0) end) local t = nil return t.x end)`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewState(t.Context(), p, Environment{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "ls"}}).Complete()
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine()
	if out := s.CallOn(m, context.Background(), 0, c, Limits{}, time.Now(), &hooks.Result{}); out.Err != nil || out.Result == nil || !strings.HasPrefix(out.Result.Reason, "nil") {
		t.Fatalf("%+v", out)
	}
	keepsNothing(t, m, s)
	for i, stop := range []int{1, 2} {
		s, err := NewState(t.Context(), p, Environment{Limits: Limits{Instructions: 2000}})
		if err != nil {
			t.Fatal(err)
		}
		if out := s.CallOn(m, context.Background(), stop, &hooks.Context{Event: hooks.Stop}, Limits{}, time.Now(), &hooks.Result{}); out.Err == nil {
			t.Errorf("hook %d has not failed", i)
		}
		keepsNothing(t, m, s)
	}
}

func keepsNothing(t *testing.T, m *Machine, s *State) {
	t.Helper()
	if m.event != nil || len(m.warnings)+len(m.built)+len(m.dropped)+len(m.filledTo)+m.protectedDepth > 0 || m.joined != [4]string{} || m.thrown != nil ||
		m.budget.state != nil || m.lua.GetTop() > 0 || m.view.absent != "" || m.view.event.rec != nil || m.view.call.rec != nil || s.machine != nil {
		t.Errorf("%+v\n%+v", m.machine, m.view)
	}
}
