package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

const none = `{"decision":"","block":false}`

func TestAnswers(t *testing.T) {
	deny := func(reason string) string { return `{"decision":"deny","block":true,"reason":"` + reason + `"}` }
	tests := []struct {
		event hooks.Event
		body  string
		want  string
	}{
		{hooks.PreToolCall, ``, "nil"},
		{hooks.PreToolCall, `return`, "nil"},
		{hooks.PreToolCall, `return nil`, "nil"},
		{hooks.PreToolCall, `return nil, nil`, none},
		{hooks.PreToolCall, `return false`, `{"decision":"deny","block":true}`},
		{hooks.PreToolCall, `return "no"`, deny("no")},
		{hooks.PermissionRequest, `return "no"`, deny("no")},
		{hooks.PreToolCall, `return false, "no"`, deny("no")},
		{hooks.PreToolCall, `return deny()`, `{"decision":"deny","block":true}`},
		{hooks.PreToolCall, `return deny("no")`, deny("no")},
		{hooks.PreToolCall, `return deny(42)`, deny("42")},
		{hooks.PreToolCall, `return ask()`, `{"decision":"ask","block":false}`},
		{hooks.PreToolCall, `return ask("sure?")`, `{"decision":"ask","block":false,"reason":"sure?"}`},
		{hooks.PreToolCall, `return allow()`, `{"decision":"allow","block":false}`},
		{hooks.PreToolCall, `return allow("harmless")`, `{"decision":"allow","block":false,"reason":"harmless"}`},
		{hooks.PreToolCall, `return modify{ timeout = 9 }`, `{"decision":"","block":false,"modified":true,"input":{"command":"go test ./...","timeout":9}}`},
		{hooks.PreToolCall, `return modify{ timeout = 1 }, modify{ args = { "-v" }, timeout = probe.null }`, `{"decision":"","block":false,"modified":true,"input":{"args":["-v"],"command":"go test ./..."}}`},
		{hooks.PreToolCall, `return replace{ command = "ls" }`, `{"decision":"","block":false,"modified":true,"input":{"command":"ls"}}`},
		{hooks.PreToolCall, `return replace{ command = "ls" }, modify{ timeout = 1 }`, `{"decision":"","block":false,"modified":true,"input":{"command":"ls","timeout":1}}`},
		{hooks.PreToolCall, `return replace{ command = "ls", timeout = probe.null }`, `{"decision":"","block":false,"modified":true,"input":{"command":"ls","timeout":null}}`},
		{hooks.PreToolCall, `return respond("42")`, `{"decision":"","block":false,"modified":true,"output":"42"}`},
		{hooks.PreToolCall, `return respond{ 1, 2 }`, `{"decision":"","block":false,"modified":true,"output":[1,2]}`},
		{hooks.PreToolCall, `return respond(false)`, `{"decision":"","block":false,"modified":true,"output":false}`},
		{hooks.PreToolCall, `return respond("")`, `{"decision":"","block":false,"modified":true,"output":""}`},
		{hooks.PreToolCall, `return context("hi")`, `{"decision":"","block":false,"new_context":"hi","contexts":[{"hook":"","text":"hi"}]}`},
		{hooks.PreToolCall, `return message("hi")`, `{"decision":"","block":false,"system_message":"hi"}`},
		{hooks.PreToolCall, `return halt("enough")`, `{"decision":"deny","block":true,"reason":"enough","halt":true,"stop_reason":"enough"}`},
		{hooks.Stop, `return halt()`, `{"decision":"","block":false,"halt":true}`},
		{hooks.Stop, `return deny("tests fail")`, deny("tests fail")},
		{hooks.PreToolCall, `return context("a"), nil, context("b"), message("m")`,
			`{"decision":"","block":false,"new_context":"a\nb","contexts":[{"hook":"","text":"a"},{"hook":"","text":"b"}],"system_message":"m"}`},
		{hooks.PreToolCall, `return allow(), deny("no"), ask("?")`, deny("no")},
		{hooks.PostToolCall, `return output("short")`, `{"decision":"","block":false,"modified":true,"output":"short"}`},
		{hooks.ToolResultPersist, `return output{ text = "short" }`, `{"decision":"","block":false,"modified":true,"output":{"text":"short"}}`},
		{hooks.PrePrompt, `return modify{ prompt = "better" }`, `{"decision":"","block":false,"modified":true,"input":{"prompt":"better"}}`},
		{hooks.MessageSending, `return replace{ message = "better" }`, `{"decision":"","block":false,"modified":true,"input":{"message":"better"}}`},
		// tables
		{hooks.PreToolCall, `return {}`, none},
		{hooks.PreToolCall, `return { block = true, reason = "no" }`, deny("no")},
		{hooks.PreToolCall, `return { decision = "deny", block = true, reason = "no" }`, deny("no")},
		{hooks.PreToolCall, `return { decision = "ask", reason = "?" }`, `{"decision":"ask","block":false,"reason":"?"}`},
		{hooks.PreToolCall, `return { block = false }`, none},
		{hooks.PreToolCall, `return { modified = true, new_context = "c", data = { n = 1, l = probe.list() } }`,
			`{"decision":"","block":false,"modified":true,"new_context":"c","contexts":[{"hook":"","text":"c"}],"data":{"l":[],"n":1}}`},
		{hooks.PreToolCall, `return { input = { command = "ls" }, output = "o", system_message = "m", suppress_output = true }`,
			`{"decision":"","block":false,"modified":true,"input":{"command":"ls"},"output":"o","system_message":"m","suppress_output":true}`},
		{hooks.Stop, `return { halt = true, stop_reason = "s" }`, `{"decision":"","block":false,"halt":true,"stop_reason":"s"}`},
		{hooks.PreToolCall, `return { data = { call = ev.tool_call } }`,
			`{"decision":"","block":false,"data":{"call":{"command":"go test ./...","duration_ms":0,"files":[],"host_name":"bash","id":"call_1","input":{"command":"go test ./..."},"kind":"shell","name":"bash","paths":[],"resumed":false}}}`},
		{hooks.PreToolCall, `return { input = { command = "ls" } }, modify{ timeout = 1 }`, `{"decision":"","block":false,"modified":true,"input":{"command":"ls","timeout":1}}`},
	}
	for _, tt := range tests {
		t.Run(string(tt.event)+" "+tt.body, func(t *testing.T) {
			out, _ := run(t, tt.body, sample(t, tt.event))
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			equal(t, "result", show(t, out.Result), tt.want)
			if len(out.Entries) > 0 {
				t.Errorf("entries %v", out.Entries)
			}
		})
	}
}

func TestAnswersThatAreErrors(t *testing.T) {
	tests := []struct {
		event hooks.Event
		body  string
		want  string
	}{
		{hooks.PreToolCall, `return true`, "answer: true is no answer; return allow() to allow, or nothing"},
		{hooks.PreToolCall, `return 1`, "answer: got a number, want deny(...), ask(...), context(...) or a table"},
		{hooks.PreToolCall, `return deny`, "answer: got a function, want deny(...)"},
		{hooks.PreToolCall, `return ev`, "answer: got ev, want deny(...)"},
		{hooks.PreToolCall, `return probe.null`, "answer: got json.null, want deny(...)"},
		{hooks.PrePrompt, `return "no"`, "answer: a bare string denies on pre_tool_call and permission_request only; on pre_prompt return context(text) or deny(reason)"},
		{hooks.PrePrompt, `return false, "no"`, "on pre_prompt return context(text) or deny(reason)"},
		{"deploy.requested", `return "no"`, "on deploy.requested return context(text) or deny(reason)"},
		{hooks.PreToolCall, `return nil, 1`, "answer: got a number"},
		{hooks.PreToolCall, `return deny("a"), true`, "answer: true is no answer"},
		{hooks.PreToolCall, `return { 1, 2 }`, "answer: got a list; return several answers as return a, b"},
		{hooks.PreToolCall, `return { deny("x") }`, "answer: [1] is a deny() answer, which is no data"},
		{hooks.PreToolCall, `return { reson = "x" }`, `answer: unknown key "reson"; did you mean "reason"?`},
		{hooks.PreToolCall, `return { contexts = {} }`, `"contexts" is written by the engine; use new_context or system_message`},
		{hooks.PreToolCall, `return { data = { f = print } }`, "answer: data.f is a function, which is no data"},
		{hooks.PreToolCall, `return { reason = 1 }`, "answer.reason: want string, got number"},
		{hooks.PreToolCall, `return { block = "yes" }`, "answer.block: want boolean, got string"},
		{hooks.PreToolCall, `return { data = "x" }`, "answer.data: want object, got string"},
		{hooks.PreToolCall, `return { block = true, decision = "allow" }`, `block = true contradicts decision = "allow"`},
		{hooks.PreToolCall, `return { block = false, decision = "deny" }`, `block = false contradicts decision = "deny"`},
		{hooks.PreToolCall, `return { modified = true }`, "modified = true needs input, output or new_context"},
		{hooks.PreToolCall, `return { modified = false, input = {} }`, "modified = false contradicts input or output"},
		{hooks.PreToolCall, `return { stop_reason = "x" }`, "answer.stop_reason: needs halt = true"},
		{hooks.PreToolCall, `return output("x")`, "the tool has not run yet on pre_tool_call; respond() gives a result in its place"},
		{hooks.PostToolCall, `return respond("x")`, "respond() stands in for a tool call and means nothing on post_tool_call"},
		{hooks.PostToolCall, `return modify{ a = 1 }`, "post_tool_call has no input to rewrite; output() replaces tool_call.output"},
		{hooks.PostToolCall, `return ask("?")`, "post_tool_call can't ask for approval"},
		{hooks.Notification, `return deny("x")`, "notification can't be blocked, so deny means nothing there"},
		{hooks.Notification, `return modify{ message = "x" }`, "notification can't be rewritten"},
		{hooks.Notification, `return output("x")`, "notification has no output to replace"},
		{hooks.PrePrompt, `return modify{ promt = "x" }`, `"promt" can't be rewritten on pre_prompt, only prompt; did you mean "prompt"?`},
		{hooks.PrePrompt, `return modify{ prompt = 1 }`, "answer.input.prompt: want string, got number"},
		{hooks.Stop, `return deny()`, "answer.reason: missing; on stop it is what the agent goes on with"},
		{hooks.Stop, `return false`, "answer.reason: missing"},
		{hooks.SubagentStop, `return { block = true }`, "answer.reason: missing; on subagent_stop"},
		{hooks.PreToolCall, `return modify{ command = "a" }, modify{ cmd = "b" }`, `says "command", not "cmd"`},
		{hooks.PreToolCall, `return modify{ command = probe.null }`, "an empty input"},
	}
	for _, tt := range tests {
		t.Run(string(tt.event)+" "+tt.body, func(t *testing.T) {
			out, _ := run(t, "\n"+tt.body, sample(t, tt.event))
			wantError(t, out.Err, hooks.KindResult, file+":1: ", tt.want)
			if out.Result != nil {
				t.Errorf("the result is %+v beside the error", out.Result)
			}
		})
	}
}

func TestConstructorsRefuse(t *testing.T) {
	tests := []struct{ body, want string }{
		{`context()`, "bad argument #1 to context (want a text, got nil)"},
		{`message(nil)`, "bad argument #1 to message (want a text, got nil)"},
		{`deny({})`, "bad argument #1 to deny (want a text, got table)"},
		{`ask(false)`, "bad argument #1 to ask (want a text, got boolean)"},
		{`modify()`, "bad argument #1 to modify (want a table, got nil)"},
		{`modify("x")`, "bad argument #1 to modify (want a table, got string)"},
		{`modify{ 1, 2 }`, "bad argument #1 to modify (want a table with names as keys, got a list)"},
		{`modify{ 1, x = 2 }`, "bad argument #1 to modify (value mixes a list with other keys (x))"},
		{`modify{ a = { b = { print } } }`, "bad argument #1 to modify (a.b[1] is a function, which is no data)"},
		{`modify{ a = 0/0 }`, "bad argument #1 to modify (a is NaN, which JSON can't hold)"},
		{`replace(probe.null)`, "bad argument #1 to replace (want a table, got json.null)"},
		{`replace(probe.give("9007199254740993"))`, "bad argument #1 to replace (want a table, got number)"},
		{`respond()`, "bad argument #1 to respond (want a value, got nil)"},
		{`respond(probe.null)`, "bad argument #1 to respond (want a value, got json.null)"},
		{`output(print)`, "bad argument #1 to output (value is a function, which is no data)"},
		{`output(deny("x"))`, "bad argument #1 to output (value is a deny() answer, which is no data)"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			out, _ := run(t, "\nreturn "+tt.body, shellCall(t))
			wantError(t, out.Err, hooks.KindScript, file+":2: "+tt.want)
		})
	}
}

func TestAnswersLeaveEntries(t *testing.T) {
	warning := func(kind string) hooks.Entry {
		return hooks.Entry{Kind: hooks.EntryWarning, Text: kind + "(...) was called but what it made was not returned; write return " + kind + "(...)"}
	}
	tests := []struct {
		body, result string
		entries      []hooks.Entry
	}{
		{`local d = deny("x") if not d then return d end`, "nil", []hooks.Entry{warning("deny")}},
		{`context("y") return deny("x")`, `{"decision":"deny","block":true,"reason":"x"}`, []hooks.Entry{warning("context")}},
		{`local d = deny("x") return d, d`, `{"decision":"deny","block":true,"reason":"x"}`, nil},
		{`return { block = false, reason = "fine" }`, none, []hooks.Entry{{Kind: hooks.EntryFeedback, Text: "fine"}}},
		{`return { decision = "", reason = "fine" }, { block = false, reason = "too" }`, none, []hooks.Entry{{Kind: hooks.EntryFeedback, Text: "fine"}, {Kind: hooks.EntryFeedback, Text: "too"}}},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			out, _ := run(t, tt.body, shellCall(t))
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			equal(t, "result", show(t, out.Result), tt.result)
			equal(t, "entries", out.Entries, tt.entries)
		})
	}
}

// A guard that forgot a return doesn't approve.
func TestADroppedAnswerIsAFailure(t *testing.T) {
	for _, tt := range []struct {
		kind, body string
		line       int
	}{
		{"deny", `deny("x")`, 1},
		{"deny", `if ev.tool_call.name == "bash" then deny("x") end return context("y")`, 1},
		{"ask", `ask("x") return nil, nil`, 1},
		{"halt", "\nhalt('x')", 2},
		{"modify", `modify{ command = "ls" }`, 1},
		{"context", `context("x") return allow()`, 1},
		{"deny", `local _ = deny("x")`, 1},
		{"deny", `local verdict, why = deny("x"), "because"`, 1},
		{"deny", `local verdict = ev.tool_call and deny("x")`, 1},
		{"deny", `if true then local verdict = deny("x") end`, 1},
		{"deny", "local function refuse(why)\nreturn deny(why) end\nrefuse('x')", 3},
		{"deny", `local function refuse(why) local d = deny(why) return d end refuse("x")`, 1},
		{"deny", `local function refuse(why) return "no", why and deny(why) end refuse("x")`, 1},
		{"deny", `local rules = {} function rules.refuse(why) return deny(why) end rules.refuse("x")`, 1},
		{"deny", `local rules = {} function rules:refuse(why) return deny(why) end rules:refuse("x") return context("y")`, 1},
		{"deny", `local function each(t, f) for _, v in ipairs(t) do\nf(v) end end each({ 1 }, function(v) return deny("x") end)`, 2},
		{"deny", `pcall(deny, "x")`, 1},
		{"deny", `pcall(function() return deny("x") end)`, 1},
		{"deny", `pcall(function() deny("x") end)`, 1},
		{"deny", `pcall(function() error(deny("x")) end)`, 1},
		{"deny", `assert(deny("x"))`, 1},
		{"deny", `coroutine.wrap(function() coroutine.yield(deny("x")) end)()`, 1},
		{"deny", `coroutine.resume(coroutine.create(function() return deny("x") end))`, 1},
		{"deny", `(function() return deny("x") end)()`, 1},
		{"deny", `local deny = deny deny("x")`, 1},
		{"deny", `local t = { no = deny } t.no("x")`, 1},
		{"deny", `_G.deny("x")`, 1},
		{"deny", `local no = deny("x") local function refuse() return no end refuse()`, 1},
		{"deny", `for i = 1, 3 do if i == 2 then deny("x") break end end`, 1},
		{"deny", `local ok = context("y") deny("x") return ok`, 1},
		{"deny", `local f = setmetatable({}, { __call = function(_, why) return deny(why) end }) f("x")`, 1},
	} {
		t.Run(tt.body, func(t *testing.T) {
			out, _ := run(t, strings.ReplaceAll(tt.body, "\\n", "\n"), shellCall(t))
			wantError(t, out.Err, hooks.KindResult, fmt.Sprintf("%s:%d: answer: %s(...) was called but what it made was not returned", file, tt.line, tt.kind))
			if out.Result != nil || out.Err.Denied != (tt.kind == "deny" || tt.kind == "halt") {
				t.Errorf("result %v, denied %v", out.Result, out.Err.Denied)
			}
		})
	}
}

func TestAnswersMayBeKept(t *testing.T) {
	for _, body := range []string{
		`local a, b = deny("x"), context("y") return b or a`,
		`local a = deny("x") if ev.tool_call.name == "none" then return a end`,
		`local function check() return deny("x") end local verdict = check() if not verdict then return verdict end`,
		`local verdicts = {} verdicts[#verdicts + 1] = deny("x") table.insert(verdicts, ask("y")) return verdicts[3]`,
		`kept = deny("x")`,
		`local ok, verdict = pcall(function() return deny("x") end) return verdict`,
		`local function build() local d = deny("x") return d end build = build() return build`,
		`local d = deny("x") tostring(d) print(d) return d`,
		`local function id(v) return v end local d = deny("x") id(d) return d`,
		`local function note() return "text", 7, {}, nil end note()`,
		`local unused = string.upper("x") local _, n = ("x"):gsub("x", "y")`,
		`deny("x") return deny("y")`,
		`ask("x") return halt("y")`,
		`pcall(error, "x")`,
	} {
		passes(t, body, shellCall(t))
	}
	s := load(t, `local NO = deny("never") deny("while it loads") local kept
on("pre_tool_call", function() return NO end)
on("pre_tool_call", function() local function refuse() return NO end refuse() end)
on("pre_tool_call", function() kept = deny("later") end)
on("pre_tool_call", function() return kept end)
on("notification", function() deny("x") end)
on("session_end", function() context("x") end)`, luabind.Environment{})
	c := shellCall(t)
	equal(t, "an answer of the script's", calls(t, s, 0, c).Reason, "never")
	if r := calls(t, s, 2, c); r != nil {
		t.Errorf("what is kept is answered: %v", r)
	}
	equal(t, "what was kept", calls(t, s, 3, c).Reason, "later")
	calls(t, s, 4, sample(t, hooks.Notification)) // where nothing can be blocked there is a warning
	calls(t, s, 5, sample(t, hooks.SessionEnd))
	calls(t, s, 0, c)
	wantError(t, s.Call(t.Context(), 1, c, luabind.Limits{}).Err, hooks.KindResult, file+":3: answer: deny(...) was called")
}

func TestAnAnswerMadeEarlierMayBeReturned(t *testing.T) {
	s := load(t, `local NO = deny("never")
local unused = context("x")
on("pre_tool_call", function() return NO end)
on("pre_tool_call", function() deny("y") return NO end)`, luabind.Environment{})
	for range 3 { // in every run the same
		out := s.Call(context.Background(), 0, shellCall(t), luabind.Limits{})
		equal(t, "result", show(t, out.Result), `{"decision":"deny","block":true,"reason":"never"}`)
		equal(t, "entries", len(out.Entries), 0)
		equal(t, "warnings", len(s.Call(context.Background(), 1, shellCall(t), luabind.Limits{}).Entries), 1)
	}
}

func TestAnswersAreOpaque(t *testing.T) {
	passes(t, `
assert(tostring(deny("x")) == 'deny("x")')
assert(tostring(halt()) == "halt()")
assert(tostring(modify{ x = 1 }) == "modify()")
assert(getmetatable(deny("x")) == "answer")
assert(not pcall(function() return deny("x").text end))
assert(not pcall(function() deny("x").text = "y" end))`, shellCall(t))
}

func TestAnswersDontShareWithTheEvent(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"tool_call":{"name":"x","input":{"deep":{"list":[1]}}}}`)
	out, _ := run(t, `local t = { deep = ev.tool_call.input.deep } local a = replace(t) t.deep.list[1] = 2 return a`, c)
	equal(t, "result", show(t, out.Result), `{"decision":"","block":false,"modified":true,"input":{"deep":{"list":[1]}}}`)
	equal(t, "event", c.ToolCall.Input, map[string]any{"deep": map[string]any{"list": []any{int64(1)}}})
}

func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		`null`, `true`, `"x"`, `1`, `[]`, `{}`, `{"block":true}`, `{"decision":"ask","reason":"?"}`, `{"modified":true,"input":{"command":"ls"}}`,
		`{"input":{"command":["a"]}}`, `{"data":{"n":9007199254740993}}`, `{"halt":true,"stop_reason":"s"}`, `{"output":null}`, `{"block":false,"reason":"r"}`,
	} {
		f.Add(text, 0)
	}
	events := hooks.Events()
	f.Fuzz(func(t *testing.T, text string, n int) {
		if _, err := hooks.DecodeJSON([]byte(text)); err != nil {
			t.Skip("no JSON")
		}
		info := events[uint(n)%uint(len(events))]
		p := &probe{}
		source := `local v = probe.give((...).text) on("` + string(info.Name) + `", function() return v end)`
		s, err := luabind.NewState(context.Background(), compiled(t, file, source), luabind.Environment{Modules: []luabind.Module{p.module()}, With: map[string]any{"text": text}})
		if err != nil {
			t.Skip("deeper or larger than a value may be")
		}
		out := s.Call(context.Background(), 0, event(t, info.Name, string(hooks.Sample(info))), luabind.Limits{})
		if (out.Err == nil) == s.Broken() {
			t.Fatalf("broken is %v with the error %v", s.Broken(), out.Err)
		}
		if out.Err != nil && (out.Result != nil || out.Err.Kind != hooks.KindResult) {
			t.Fatalf("%+v", out)
		}
		if r := out.Result; r != nil && r.Block != (r.Decision == hooks.Deny) {
			t.Fatalf("block is %v with %q", r.Block, r.Decision)
		}
	})
}

// An answer that can't be used says whether it was a deny, so that no policy makes
// less of it.
func TestBrokenDenyIsKnown(t *testing.T) {
	tests := []struct {
		body   string
		denied bool
	}{
		{`return deny("no"), output("x")`, true},
		{`return true, false`, true},
		{`return { block = true, reason = "no", note = "x" }`, true},
		{`return { decision = "deny", reason = 5 }`, true},
		{`return setmetatable({}, { __index = { block = true } })`, false},
		{`return ask("hm"), 5`, false},
		{`return { blok = true }`, false},
	}
	for _, tt := range tests {
		out, _ := run(t, tt.body, shellCall(t))
		if out.Err == nil || out.Err.Kind != hooks.KindResult || out.Err.Denied != tt.denied {
			t.Errorf("%s: %+v", tt.body, out.Err)
		}
	}
}

// What becomes of a result doesn't reach an answer that the script has kept.
func TestKeptAnswerStaysAsItWasMade(t *testing.T) {
	s := load(t, `local kept = replace{ command = "ls", args = { "a" } } on("pre_tool_call", function() return kept end)`, luabind.Environment{})
	for range 2 {
		out := s.Call(t.Context(), 0, shellCall(t), luabind.Limits{})
		if out.Err != nil || out.Result.Input["command"] != "ls" {
			t.Fatal(out.Err, out.Result)
		}
		out.Result.Input["command"] = "changed"
	}
}

// A deny that stands beside nonsense denies whatever on_failure says.
func TestADenyIsNotLost(t *testing.T) {
	for _, body := range []string{`return "reason", 42`, `return deny("x"), 42`, `return false, {oops=1}`, `return {block=true}, 42`} {
		out, _ := run(t, body, shellCall(t))
		if out.Err == nil || !out.Err.Denied {
			t.Errorf("%s: %+v", body, out.Err)
		}
	}
	out, _ := run(t, `return "reason", 42`, sample(t, hooks.Stop))
	if out.Err == nil || out.Err.Denied {
		t.Errorf("on stop, where text doesn't deny: %+v", out.Err)
	}
}
