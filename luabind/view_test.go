package luabind_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// expected is a record as scripts should see it.
func expected(rec interface {
	Keys() []string
	Value(string) (any, bool)
}) map[string]any {
	m := map[string]any{}
	for _, key := range rec.Keys() {
		v, _ := rec.Value(key)
		switch r := v.(type) {
		case nil:
		case *hooks.ToolCall:
			m[key] = expected(r)
		case *hooks.ErrorInfo:
			m[key] = expected(r)
		case *hooks.Usage:
			m[key] = expected(r)
		case float64:
			if m[key] = r; r == float64(int64(r)) {
				m[key] = int64(r)
			}
		default:
			m[key] = v
		}
	}
	return m
}

// Reads every field by name, by pairs and by next, and the event as a whole.
const readAll = `
local function copy(v)
  if type(v) ~= "userdata" or getmetatable(v) == "number" or getmetatable(v) == "null" then return v end
  local t = {}
  for k, e in pairs(v) do
    assert(rawequal(v[k], e), k)
    t[k] = copy(e)
  end
  local n = 0
  for k in next, v do n = n + 1; assert(t[k] ~= nil, k) end
  for _ in pairs(t) do n = n - 1 end
  assert(n == 0)
  return t
end
probe.keep(copy(ev))
probe.keep(ev)
local named = {}
for _, k in ipairs(FIELDS) do named[k] = copy(ev[k]) end
probe.keep(named)`

func TestEveryFieldOfEveryEvent(t *testing.T) {
	files, err := filepath.Glob("../testdata/events/*.json")
	if err != nil || len(files) < len(hooks.Events()) {
		t.Fatalf("%d events: %v", len(files), err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := event(t, "", string(text))
			before := c.Clone()
			names := `{"` + strings.Join(c.Keys(), `","`) + `"}`
			out, p := run(t, strings.Replace(readAll, "FIELDS", names, 1), c)
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			want := expected(c)
			equal(t, "by pairs", p.kept[0], any(want))
			equal(t, "by name", p.kept[2], any(want))
			equal(t, "the event after", c, before)
			if whole := p.kept[1].(map[string]any); len(whole) != len(want) {
				t.Errorf("as a whole it has %d fields, want %d", len(whole), len(want))
			}
		})
	}
}

func TestViewsAreStrict(t *testing.T) {
	const hint = `it is a read call; add match = {kind="shell"}`
	read := event(t, hooks.PreToolCall, `{"tool_call":{"name":"Read","input":{"file_path":"a.go"}}}`)
	failed := event(t, hooks.PostToolCall, `{"tool_call":{"name":"Read","input":{}},"error":{"message":"x"},"usage":{}}`)
	tests := []struct {
		c    *hooks.Context
		body string
		want string
	}{
		{read, `local x = ev.tool_cal`, `ev (pre_tool_call) has no field "tool_cal"; did you mean "tool_call"?`},
		{read, `local x = ev.tool_name`, `ev (pre_tool_call) has no field "tool_name"; did you mean ev.tool_call.name?`},
		{read, `local x = ev.tool_call.tool_input`, `ev.tool_call has no field "tool_input"; did you mean ev.tool_call.input?`},
		{read, `local x = ev.tool_call.sessionId`, `ev.tool_call has no field "sessionId"`},
		{read, `local x = ev.tool_call.comand`, `ev.tool_call has no field "comand"; did you mean "command"?`},
		{read, `local x = ev.tool_call.zzzzzzzz`, `ev.tool_call has no field "zzzzzzzz"`},
		{read, `local x = ev.attempt`, `ev (pre_tool_call) has no field "attempt"`},
		{failed, `local x = ev.error.mesage`, `ev.error has no field "mesage"; did you mean "message"?`},
		{failed, `local x = ev.usage.tokens`, `ev.usage has no field "tokens"`},
		{read, `local x = ev[1]`, "ev has no field 1; its fields have names"},
		{read, `ev.tool_call:block()`, `ev.tool_call has no field "block"`},
		{read, `ev.prompt = "x"`, "ev is read-only; return modify{...} to change the input"},
		{read, `ev.tool_call.command = "x"`, "ev.tool_call is read-only; return modify{...} to change the input"},
		{read, `rawset(ev, "prompt", "x")`, "bad argument #1 to 'rawset' (table expected, got ev)"},
		{read, `rawget(ev, "prompt")`, "bad argument #1 to 'rawget' (table expected, got ev)"},
		{read, `setmetatable(ev, {})`, "bad argument #1 to 'setmetatable' (table expected, got ev)"},
		{read, `table.insert(ev, 1)`, "bad argument #1 to 'insert' (table expected, got ev)"},
		{read, `return ev.tool_call.command:find("rm")`, hint},
		{read, `return ev.tool_call.command .. "x"`, hint},
		{failed, `return ev.prompt:find("x")`, "ev.prompt is nil in this event, so"},
		{read, `return ev.error.message`, "ev.error is nil in this event, so"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			out, _ := run(t, "\n"+tt.body, tt.c)
			wantError(t, out.Err, hooks.KindScript, file+":2: ", tt.want)
		})
	}
}

func TestHintsOnlyWhereANilIsToBlame(t *testing.T) {
	for _, body := range []string{
		`local x = ev.prompt error("vanilla")`,
		`for k in pairs(ev) do end local t = {} t.a.b = 1`,
		`local t = {} t.a.b = 1`,
	} {
		out, _ := run(t, body, shellCall(t))
		if out.Err == nil || strings.Contains(out.Err.Message, "in this event") {
			t.Errorf("%s: %v", body, out.Err)
		}
	}
}

func TestHintsAreOfTheRun(t *testing.T) {
	s := load(t, `on("stop", function(ev) return ev.prompt and nil end) on("stop", function(ev) local t = {} t.a.b = 1 end)`, luabind.Environment{})
	calls(t, s, 0, sample(t, hooks.Stop))
	out := s.Call(context.Background(), 1, sample(t, hooks.Stop), luabind.Limits{})
	equal(t, "message", out.Err.Message, `t.a is nil, so it has no "b"`)
}

func TestAbsentFieldsAreNil(t *testing.T) {
	passes(t, `
for _, k in ipairs{ "session_id", "run_id", "issue_id", "agent_id", "parent_agent_id", "cwd", "model", "prompt", "response", "error", "usage", "agent_name" } do
  assert(ev[k] == nil, k)
end
assert(ev.agent_depth == 0 and ev.loop_count == 0 and ev.judging == false)
assert(next(ev.metadata) == nil)
assert(ev.tool_call.id == nil and ev.tool_call.output == nil and ev.tool_call.outcome == nil)
assert(tostring(ev) == "ev" and tostring(ev.tool_call) == "ev.tool_call" and getmetatable(ev) == "ev")
assert(ev.tool_call == ev.tool_call)
for k, v in pairs(ev) do assert(v ~= nil and k ~= "prompt") end`, shellCall(t))
	passes(t, `assert(ev.tool_call == nil) assert(not pcall(pairs, ev.tool_call))`, sample(t, hooks.Stop))
}

func TestOpenDataIsFreshInEachRun(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"k":{"v":1},"tool_call":{"name":"Bash","input":{"command":"ls","list":[1]},"output":{"o":1}}}`)
	before := c.Clone()
	s := load(t, `on("pre_tool_call", function(ev)
  assert(ev.tool_call.input.command == "ls" and #ev.tool_call.input.list == 1 and ev.tool_call.output.o == 1 and ev.metadata.k.v == 1 and #ev.tool_call.paths == 0)
  ev.tool_call.input.command = "rm"
  table.insert(ev.tool_call.input.list, 2)
  ev.tool_call.output.o, ev.metadata.k.v, ev.tool_call.paths[1] = 2, 2, "x"
  local _, all = pairs(ev)
  assert(type(all) == "userdata")
  assert(ev.tool_call.input.command == "rm") -- within the run it is the hook's own
  assert(ev.tool_call.command == "ls")
end)`, luabind.Environment{})
	for range 3 {
		if r := calls(t, s, 0, c); r != nil {
			t.Errorf("the result is %+v", r)
		}
	}
	equal(t, "the event", c, before)
}

func TestAStoredEventIsOfNoUse(t *testing.T) {
	s := load(t, `
local first, call, input, co
on("pre_tool_call", function(ev)
  first, call, input = ev, ev.tool_call, ev.tool_call.input
  assert(call.command == "git push" and ev.session_id == "one")
end)
on("stop", function(ev)
  for _, f in ipairs{
    function() return call.command end, function() return call.nonsense end, function() for k in pairs(call) do end end,
    function() return next(call) end, function() return { data = call }, modify(call) end,
  } do
    local ok, err = pcall(f)
    assert(not ok and err:find("ev.tool_call is only there while its hook runs; keep what you need of it", 1, true), tostring(err))
  end
  assert(first.session_id == "two" and first.tool_call == nil) -- it is this event now
  assert(input.command == "git push") -- data of its own stays what it was
end)
on("permission_request", function(ev)
  assert(call.command ~= "git push") -- so is the tool call, where there is one
  assert(ev.tool_call.command == call.command and ev.tool_call.input.command == call.command)
  for k, v in pairs(ev.tool_call) do if k == "command" then return context(v) end end
end)`, luabind.Environment{})
	calls(t, s, 0, event(t, hooks.PreToolCall, `{"session_id":"one","tool_call":{"name":"Bash","input":{"command":"git push"}}}`))
	calls(t, s, 1, event(t, hooks.Stop, `{"session_id":"two"}`))
	r := calls(t, s, 2, event(t, hooks.PermissionRequest, `{"tool_call":{"name":"Bash","input":{"command":"ls"}}}`))
	equal(t, "by pairs", r.NewContext, "ls")
	r = calls(t, s, 2, event(t, hooks.PermissionRequest, `{"tool_call":{"name":"Bash","input":{"command":"pwd"}}}`))
	equal(t, "by pairs", r.NewContext, "pwd")
}

func TestPairsShowTheEventOfTheRun(t *testing.T) {
	s := load(t, `on("stop", function(ev) for k, v in pairs(ev) do if k == "session_id" then return context(v) end end end)`, luabind.Environment{})
	equal(t, "first", calls(t, s, 0, event(t, hooks.Stop, `{"session_id":"one"}`)).NewContext, "one")
	equal(t, "second", calls(t, s, 0, event(t, hooks.Stop, `{"session_id":"two"}`)).NewContext, "two")
	if r := calls(t, s, 0, event(t, hooks.Stop, `{}`)); r != nil {
		t.Errorf("the third has %+v", r)
	}
}

func TestJudgingIsSeen(t *testing.T) {
	c := shellCall(t)
	c.Judging = true
	passes(t, `assert(ev.judging)`, c)
}

func TestFieldsThatCantBeGiven(t *testing.T) {
	c := shellCall(t)
	c.Metadata = map[string]any{"ch": make(chan int)}
	s := load(t, `on("pre_tool_call", function(ev) return ev.metadata.x end)`, luabind.Environment{})
	out := s.Call(context.Background(), 0, c, luabind.Limits{})
	wantError(t, out.Err, hooks.KindScript, "ev.metadata: a Go value of type chan int can't be given to a hook; use strings, numbers, booleans, maps and lists")
}
