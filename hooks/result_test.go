package hooks_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

// eventOf is the sample of that event.
func eventOf(t testing.TB, name hooks.Event) *hooks.Context {
	t.Helper()
	return decode(t, string(hooks.Sample(hooks.Lookup(name))))
}

func TestDecodeAnswer(t *testing.T) {
	for _, c := range []struct {
		event  hooks.Event
		answer object
		want   result
		note   string
	}{
		{"pre_tool_call", object{}, result{}, ""},
		{"pre_tool_call", object{"block": true, "reason": "no"}, result{Decision: "deny", Block: true, Reason: "no"}, ""},
		{"pre_tool_call", object{"decision": "deny", "block": true}, result{Decision: "deny", Block: true}, ""},
		{"pre_tool_call", object{"decision": "deny", "block": nil, "modified": nil}, result{Decision: "deny", Block: true}, ""},
		{"pre_tool_call", object{"decision": "ask", "reason": "sure?"}, result{Decision: "ask", Reason: "sure?"}, ""},
		{"pre_tool_call", object{"decision": "allow", "block": false}, result{Decision: "allow"}, ""},
		{"pre_tool_call", object{"block": false, "reason": "looked fine"}, result{}, "looked fine"},
		{"pre_tool_call", object{"decision": "block", "reason": "no"}, result{Decision: "deny", Block: true, Reason: "no"}, ""},
		{"pre_tool_call", object{"decision": "approve", "reason": "fine"}, result{Decision: "allow", Reason: "fine"}, ""},
		{"post_tool_call", object{"decision": "block", "reason": "tests fail"}, result{Decision: "deny", Block: true, Reason: "tests fail"}, ""},
		{"stop", object{"decision": "block", "reason": "run the tests"}, result{Decision: "deny", Block: true, Reason: "run the tests"}, ""},
		{"session_end", object{"decision": "approve", "reason": "fine"}, result{}, "fine"},
		{"session_end", object{"decision": "allow"}, result{}, ""},
		{"pre_tool_call", object{"decision": "", "reason": "looked fine"}, result{}, "looked fine"},
		{"pre_tool_call", object{"input": object{"command": "ls"}}, result{Modified: true, Input: object{"command": "ls"}}, ""},
		{"pre_tool_call", object{"output": "stands in", "modified": true}, result{Modified: true, Output: "stands in"}, ""},
		{"post_tool_call", object{"output": false}, result{Modified: true, Output: false}, ""},
		{"stop", object{"modified": true, "new_context": "c"}, result{Modified: true, NewContext: "c"}, ""},
		{"stop", object{"modified": false, "new_context": "c", "data": object{"k": 1}}, result{NewContext: "c", Data: object{"k": 1}}, ""},
		{"notification", object{"system_message": "m", "suppress_output": true}, result{SystemMessage: "m", SuppressOutput: true}, ""},
		{"pre_tool_call", object{"halt": true, "stop_reason": "budget"}, result{Decision: "deny", Block: true, Reason: "budget", Halt: true, StopReason: "budget"}, ""},
		{"stop", object{"halt": true, "stop_reason": "budget"}, result{Halt: true, StopReason: "budget"}, ""},
	} {
		got, note, err := hooks.DecodeAnswer(maps.Clone(c.answer), eventOf(t, c.event))
		if err != nil || note != c.note {
			t.Errorf("%s %v: note %q, %v", c.event, c.answer, note, err)
			continue
		}
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s %v: %s", c.event, c.answer, diff)
		}
	}
}

func TestDecodeAnswerIsStrict(t *testing.T) {
	for _, c := range []struct {
		answer object
		says   string
	}{
		{object{"blok": true}, `answer: unknown key "blok"; did you mean "block"?`},
		{object{"newContext": "x"}, `answer: unknown key "newContext"; did you mean "new_context"?`},
		{object{"zzzzzzzz": 1}, `answer: unknown key "zzzzzzzz"`},
		{object{"zzzzzzzz": 1, "hookSpecificOutput": object{"permissionDecision": "deny"}, "suppressOutput": true}, `answer: unknown key "hookSpecificOutput"; did you mean "decision"?`},
		{object{"continue": false}, `answer: unknown key "continue"; did you mean "halt"?`},
		{object{"contexts": []any{}}, `"contexts" is written by the engine; use new_context or system_message`},
		{object{"warnings": []any{}}, `"warnings" is written by the engine`},
		{object{"summary": object{}}, `"summary" is written by the engine`},
		{object{"decision": "denied"}, `"denied" is none of allow, ask, deny`},
		{object{"decision": "Deny"}, `did you mean "deny"?`},
		{object{"block": true, "decision": "allow"}, `block = true contradicts decision = "allow"`},
		{object{"block": true, "decision": "ask"}, `block = true contradicts decision = "ask"`},
		{object{"block": false, "decision": "deny"}, `block = false contradicts decision = "deny"`},
		{object{"modified": false, "input": object{}}, "modified = false contradicts input or output"},
		{object{"modified": false, "output": "x"}, "modified = false contradicts input or output"},
		{object{"modified": true}, "modified = true needs input, output or new_context"},
		{object{"stop_reason": "x"}, "answer.stop_reason: needs halt = true"},
		{object{"stop_reason": "x", "halt": false}, "answer.stop_reason: needs halt = true"},
	} {
		r, _, err := hooks.DecodeAnswer(maps.Clone(c.answer), eventOf(t, "pre_tool_call"))
		if r != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.answer, err, c.says)
		}
	}
	for key, kind := range map[string]hooks.Type{
		"decision": "string", "block": "boolean", "reason": "string", "modified": "boolean", "input": "object", "new_context": "string",
		"halt": "boolean", "stop_reason": "string", "system_message": "string", "suppress_output": "boolean", "data": "object",
	} {
		for _, wrong := range wrongTypes(kind) {
			_, _, err := hooks.DecodeAnswer(object{key: wrong}, eventOf(t, "pre_tool_call"))
			if want := "answer." + key + ": want " + string(kind) + ", got "; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("{%s = %v}: %v, want %q", key, wrong, err, want)
			}
		}
	}
}

func TestCheckKnowsWhatAnEventUnderstands(t *testing.T) {
	for _, info := range hooks.Events() {
		event := eventOf(t, info.Name)
		for _, decision := range []hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny} {
			r := &result{Decision: decision, Reason: "because"}
			err := r.Check(event)
			ok := decision == hooks.NoOpinion || (decision == hooks.Allow && info.Blocking == hooks.BlockNever) || info.Blocking == hooks.BlockAction || (info.Blocking == hooks.BlockFeedback && decision != hooks.Ask)
			if (err == nil) != ok {
				t.Errorf("%s on %s: %v", decision, info.Name, err)
			}
			if err == nil && r.Block != (decision == hooks.Deny) {
				t.Errorf("%s on %s: block = %t", decision, info.Name, r.Block)
			}
		}
		halt := &result{Halt: true, StopReason: "budget"}
		err := halt.Check(event)
		want := &result{Halt: true, StopReason: "budget"}
		if info.Blocking == hooks.BlockAction {
			want.Decision, want.Block, want.Reason = hooks.Deny, true, "budget"
		}
		if diff := cmp.Diff(want, halt); diff != "" || err != nil {
			t.Errorf("halt on %s: %v %s", info.Name, err, diff)
		}
		err = (&result{Output: "x"}).Check(event)
		if ok := info.Name == "pre_tool_call" || info.Output != ""; (err == nil) != ok {
			t.Errorf("output on %s: %v", info.Name, err)
		}
		input := event.Input()
		if input == nil {
			input = object{}
		}
		err = (&result{Input: input}).Check(event)
		if ok := len(info.Modify) > 0; (err == nil) != ok {
			t.Errorf("input on %s: %v", info.Name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		event  hooks.Event
		answer result
		says   string
	}{
		{"on_error", result{Decision: "deny", Reason: "x"}, "on_error can't be blocked, so deny means nothing there; use context(), message() or data"},
		{"post_tool_call", result{Decision: "ask"}, "nothing is waiting for a yes on post_tool_call"},
		{"stop", result{Decision: "deny"}, "answer.reason: missing; on stop it is what the agent goes on with"},
		{"subagent_stop", result{Decision: "deny"}, "answer.reason: missing"},
		{"pre_tool_call", result{Decision: "maybe"}, `"maybe" is none of allow, ask, deny`},
		{"pre_prompt", result{Input: object{"promt": "x"}}, `did you mean "prompt"?`},
		{"nonsense", result{}, `unknown event "nonsense"`},
	} {
		if err := c.answer.Check(&hooks.Context{Event: c.event}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.event, err, c.says)
		}
	}
	ok := &result{Decision: "deny"}
	if err := ok.Check(&hooks.Context{Event: "post_tool_call"}); err != nil {
		t.Errorf("a deny of post_tool_call needs no reason: %v", err)
	}
	kept := &result{Decision: "deny", Reason: "no", Halt: true, StopReason: "budget"}
	if err := kept.Check(eventOf(t, "pre_tool_call")); err != nil || kept.Reason != "no" {
		t.Errorf("a halt beside a deny took its reason: %+v, %v", kept, err)
	}
	allowed := &result{Decision: "allow", Reason: "fine", Halt: true, StopReason: "budget"}
	if err := allowed.Check(eventOf(t, "pre_tool_call")); err != nil || !allowed.Block || allowed.Reason != "budget" {
		t.Errorf("a halt is stronger than the allow beside it: %+v, %v", allowed, err)
	}
}

func TestResultJSON(t *testing.T) {
	for _, c := range []struct {
		result result
		want   string
	}{
		{result{}, `{"decision":"","block":false,"summary":null}`},
		{result{Data: object{}, Warnings: []string{}, Contexts: []hooks.ContextEntry{}, Summary: &hooks.RunSummary{Event: "stop"}},
			`{"decision":"","block":false,"summary":{"event":"stop","generation":0,"started_at":"0001-01-01T00:00:00Z","duration_ms":0,"runs":null}}`},
		{result{Modified: true, Input: object{}}, `{"decision":"","block":false,"modified":true,"input":{},"summary":null}`}, // replaced by nothing at all
		{result{Decision: "deny", Block: true, Reason: "no", Modified: true, Input: object{"a": 1}, Output: false, NewContext: "c", Contexts: []hooks.ContextEntry{{Hook: "h", Text: "c"}},
			Halt: true, StopReason: "s", SystemMessage: "m", SuppressOutput: true, Data: object{"k": nil}, Warnings: []string{"w"}},
			`{"decision":"deny","block":true,"reason":"no","modified":true,"input":{"a":1},"output":false,"new_context":"c","contexts":[{"hook":"h","text":"c"}],` +
				`"halt":true,"stop_reason":"s","system_message":"m","suppress_output":true,"data":{"k":null},"warnings":["w"],"summary":null}`},
	} {
		got, err := json.Marshal(c.result)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
	}
}
