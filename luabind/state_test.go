package luabind_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestAScriptGetsItsOptions(t *testing.T) {
	const source = `local with = ... on("stop", function() return context(with.level .. #with.list .. type(with.none)) end)`
	s := load(t, source, luabind.Environment{With: map[string]any{"level": "strict", "list": []any{"a", "b"}}})
	equal(t, "with", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "strict2nil")
	load(t, `local with = ... assert(type(with) == "table" and next(with) == nil and select("#", ...) == 1)`, luabind.Environment{})
}

func TestWhatAChunkReturnsIsIgnored(t *testing.T) {
	s := load(t, `on("stop", function() return context("x") end) return 1, {}, "y"`, luabind.Environment{})
	equal(t, "result", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "x")
	equal(t, "registrations", len(load(t, ``, luabind.Environment{}).Registrations()), 0)
}

func TestStatesBreakWithErrors(t *testing.T) {
	s := load(t, `
on("stop", function() pcall(error, "caught") return context("fine") end)
on("stop", function() return 1 end)`, luabind.Environment{})
	calls(t, s, 0, sample(t, hooks.Stop))
	if s.Broken() {
		t.Fatal("an error that was caught broke the state")
	}
	if out := s.Call(context.Background(), 1, sample(t, hooks.Stop), luabind.Limits{}); out.Err == nil || !s.Broken() {
		t.Fatalf("%+v, broken %v", out, s.Broken())
	}
}

func TestCallLeavesTheEventAlone(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"x":{"y":[1]},"tool_call":{"name":"Bash","input":{"command":"ls","env":{"A":"b"}}}}`)
	before := c.Clone()
	out, _ := run(t, `
local i = ev.tool_call.input
i.env.A = "c"
ev.metadata.x.y[1] = 2
return modify{ env = i.env }, modify{ command = "rm", args = { "x" } }`, c)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	equal(t, "the event", c, before)
}

// Many states of one program work at once; each keeps its own locals, and all see
// their own event.
func TestManyStatesOfOneProgram(t *testing.T) {
	env := withLibraries(t, map[string]string{"rules": `return { count = 0 }`})
	env.Objects = []luabind.Object{luabind.HostObject{Name: "fmt", Value: pure{}, Methods: []string{"Twice"}}}
	p := compiled(t, file, `
local rules = require("rules")
local seen = {}
on("pre_tool_call", { match = "bash" }, function(ev)
  rules.count = rules.count + 1
  seen[#seen + 1] = ev.session_id
  for _, id in ipairs(seen) do assert(id == ev.session_id) end
  return modify{ timeout = fmt.Twice(rules.count) }, context(ev.session_id), { data = { n = rules.count, list = { ev.tool_call.command } } }
end)`)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			s, err := luabind.NewState(context.Background(), p, env)
			if err != nil {
				t.Error(err)
				return
			}
			id := fmt.Sprint("s", g)
			c, err := hooks.DecodeContext([]byte(`{"session_id":"`+id+`","tool_call":{"name":"bash","input":{"command":"ls"}}}`), hooks.PreToolCall)
			if err != nil {
				t.Error(err)
				return
			}
			for n := 1; n <= 20; n++ {
				out := s.Call(context.Background(), 0, c, luabind.Limits{})
				if out.Err != nil {
					t.Error(out.Err)
					return
				}
				equal(t, "result", show(t, out.Result), fmt.Sprintf(
					`{"decision":"","block":false,"modified":true,"input":{"command":"ls","timeout":%d},"new_context":"%s","contexts":[{"hook":"","text":"%s"}],"data":{"list":["ls"],"n":%d}}`, 2*n, id, id, n))
			}
		})
	}
	group.Wait()
}

type pure struct{}

func (pure) Twice(n int) int { return 2 * n }

func BenchmarkCall(b *testing.B) {
	s := load(b, `on("pre_tool_call", { match = "bash" }, function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no rm -rf") end
end)`, luabind.Environment{})
	for name, command := range map[string]string{"allow": "go test ./...", "deny": "rm -rf /"} {
		c := event(b, hooks.PreToolCall, `{"tool_call":{"name":"bash","input":{"command":"`+command+`"}}}`)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out := s.Call(context.Background(), 0, c, luabind.Limits{})
				if out.Err != nil || (out.Result != nil) != (name == "deny") {
					b.Fatalf("%+v", out)
				}
			}
		})
	}
}

func BenchmarkNewState(b *testing.B) {
	p := compiled(b, file, `on("stop", function(ev) end)`)
	b.ReportAllocs()
	for b.Loop() {
		_, err := luabind.NewState(context.Background(), p, luabind.Environment{})
		if err != nil {
			b.Fatal(err)
		}
	}
}
