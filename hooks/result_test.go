package hooks_test

import (
	"encoding/json"
	"maps"
	"slices"
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
		{object{"deny": "x"}, `answer: unknown key "deny"; return deny(reason), or a table with decision = "deny"`},
		{object{"approve": true}, `answer: unknown key "approve"; return allow(reason), or a table with decision = "allow"`},
		{object{"decision": "block", "message": "x"}, `answer: unknown key "message"; did you mean "reason"?`},
		{object{"stopReason": "x"}, `answer: unknown key "stopReason"; did you mean "stop_reason"?`},
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
		{"post_tool_call", result{Decision: "ask"}, "post_tool_call can't ask for approval"},
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
		{*withSummary(&result{Data: object{}, Warnings: []string{}, Contexts: []hooks.ContextEntry{}}, &hooks.RunSummary{Event: "stop"}),
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

// merge folds the answers of hooks "1", "2", ... in order.
func merge(answers ...*hooks.Result) *hooks.Result {
	into := &hooks.Result{}
	for i, a := range answers {
		hooks.Merge(into, string(rune('1'+i)), a)
	}
	return into
}

type result = hooks.Result

func TestMerge(t *testing.T) {
	contexts := []hooks.ContextEntry{{Hook: "1", Text: "a"}, {Hook: "2", Text: "b\nc"}}
	for _, c := range []struct {
		about   string
		answers []*result
		want    result
	}{
		{"ask is stronger than allow", []*result{{Decision: "allow", Reason: "fine"}, {Decision: "ask", Reason: "sure?"}}, result{Decision: "ask", Reason: "sure?"}},
		{"in either order", []*result{{Decision: "ask", Reason: "sure?"}, {Decision: "allow", Reason: "fine"}}, result{Decision: "ask", Reason: "sure?"}},
		{"deny is stronger than ask", []*result{{Decision: "ask", Reason: "sure?"}, {Decision: "deny", Reason: "no"}}, result{Decision: "deny", Block: true, Reason: "no"}},
		{"and stays", []*result{{Decision: "deny", Reason: "no"}, {Decision: "allow", Reason: "fine"}, {Decision: "ask"}}, result{Decision: "deny", Block: true, Reason: "no"}},
		{"a stronger decision brings its reason, even none", []*result{{Decision: "allow", Reason: "fine"}, {Decision: "deny"}}, result{Decision: "deny", Block: true}},
		{"of two equal ones the first that gives a reason keeps it", []*result{{Decision: "deny", Reason: "first"}, {Decision: "deny", Reason: "second"}}, result{Decision: "deny", Block: true, Reason: "first"}},
		{"which may be the second", []*result{{Decision: "ask"}, {Decision: "ask", Reason: "second"}, {Decision: "ask", Reason: "third"}}, result{Decision: "ask", Reason: "second"}},
		{"a reason without a decision says nothing", []*result{{Reason: "note"}}, result{}},
		{"the later input replaces", []*result{{Input: object{"a": 1, "b": 1}}, {Input: object{"a": 2}}}, result{Modified: true, Input: object{"a": 2}}},
		{"the later output replaces", []*result{{Output: "x"}, {Output: false}}, result{Modified: true, Output: false}},
		{"input and output keep one another", []*result{{Input: object{"a": 1}}, {Output: "x"}}, result{Modified: true, Input: object{"a": 1}, Output: "x"}},
		{"modified stays", []*result{{Modified: true, NewContext: "a"}, {}}, result{Modified: true, NewContext: "a", Contexts: contexts[:1]}},
		{"contexts append, tagged and joined", []*result{{NewContext: "a"}, {NewContext: "b\nc"}}, result{NewContext: "a\nb\nc", Contexts: contexts}},
		{"contexts that are tagged already keep their hooks", []*result{{NewContext: "a\nb\nc", Contexts: contexts}, nil}, result{NewContext: "a\nb\nc", Contexts: contexts}},
		{"data merges key by key, the later wins", []*result{{Data: object{"a": 1, "b": object{"x": 1}}}, {Data: object{"b": object{"y": 2}, "c": nil}}}, result{Data: object{"a": 1, "b": object{"y": 2}, "c": nil}}},
		{"halt stays with the reason of the first", []*result{{Halt: true, StopReason: "budget"}, {Halt: true, StopReason: "other"}}, result{Halt: true, StopReason: "budget"}},
		{"even where the first gave none", []*result{{Halt: true}, {Halt: true, StopReason: "other"}}, result{Halt: true}},
		{"messages are joined", []*result{{SystemMessage: "a"}, {SystemMessage: "b"}}, result{SystemMessage: "a\nb"}},
		{"suppressing stays", []*result{{SuppressOutput: true}, {}}, result{SuppressOutput: true}},
		{"warnings append", []*result{{Warnings: []string{"a"}}, {Warnings: []string{"b", "c"}}}, result{Warnings: []string{"a", "b", "c"}}},
		{"nothing at all", []*result{nil, {}}, result{}},
	} {
		if diff := cmp.Diff(&c.want, merge(c.answers...)); diff != "" {
			t.Errorf("%s: %s", c.about, diff)
		}
	}
}

func withSummary(r *result, s *hooks.RunSummary) *result {
	r.Summarizer = s
	return r
}

func TestMergeLeavesSummaryAndAnswersAlone(t *testing.T) {
	summary := &hooks.RunSummary{Event: "stop"}
	into := withSummary(&result{}, summary)
	first, second := withSummary(&result{Data: object{"a": 1}}, &hooks.RunSummary{}), &result{Data: object{"a": 2}}
	hooks.Merge(into, "1", first)
	hooks.Merge(into, "2", second)
	if into.Summary() != summary {
		t.Error("Merge replaced the summary")
	}
	if first.Data["a"] != 1 || second.Data["a"] != 2 || into.Data["a"] != 2 {
		t.Errorf("Merge wrote into an answer: %v %v", first.Data, second.Data)
	}
}

// Every chain of up to three of these answers gives the same result wherever
// hooks without an opinion stand in it.
func TestSilenceNeverErases(t *testing.T) {
	answers := []*result{
		{Decision: "allow", Reason: "fine"}, {Decision: "ask", Reason: "sure?"}, {Decision: "deny", Reason: "no"}, {Decision: "deny"},
		{Input: object{"a": 1}, Modified: true}, {Output: "x"}, {NewContext: "c"}, {Halt: true, StopReason: "h"}, {Halt: true},
		{SystemMessage: "m", SuppressOutput: true}, {Data: object{"k": 1}}, {Warnings: []string{"w"}},
	}
	var chains [][]*result
	for _, a := range answers {
		chains = append(chains, []*result{a})
		for _, b := range answers {
			chains = append(chains, []*result{a, b})
			for _, c := range answers {
				chains = append(chains, []*result{a, b, c})
			}
		}
	}
	fold := func(chain []*result, silentAt int, silence *result) string {
		into := &result{}
		for i, a := range chain {
			if i == silentAt {
				hooks.Merge(into, "silent", silence)
			}
			hooks.Merge(into, "hook", a)
		}
		if silentAt == len(chain) {
			hooks.Merge(into, "silent", silence)
		}
		text, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, chain := range chains {
		want := fold(chain, -1, nil)
		for at := 0; at <= len(chain); at++ {
			for _, silence := range []*result{nil, {}} {
				if got := fold(chain, at, silence); got != want {
					t.Fatalf("silence at %d of %d changes the result:\n%s\n%s", at, len(chain), want, got)
				}
			}
		}
	}
}

// decode is DecodeContext of an event that is known to be good.
func decode(t testing.TB, text string) *hooks.Context {
	t.Helper()
	c, err := hooks.DecodeContext([]byte(text), "")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

func TestRewriteEveryRewritableEvent(t *testing.T) {
	for _, c := range []struct {
		event string
		patch object
		input object // what modify hands to the host
		want  string // the event that later hooks see
	}{
		{`{"event":"pre_prompt","prompt":"a","session_id":"s"}`, object{"prompt": "b"}, object{"prompt": "b"},
			`{"event":"pre_prompt","prompt":"b","session_id":"s"}`},
		{`{"event":"pre_model_call","model":"m","messages":[1],"tools":["x"],"temperature":0.2}`, object{"model": "n", "max_tokens": int64(9), "tools": nil},
			object{"model": "n", "messages": []any{int64(1)}, "temperature": 0.2, "max_tokens": int64(9)},
			`{"event":"pre_model_call","model":"n","messages":[1],"temperature":0.2,"max_tokens":9}`},
		{`{"event":"pre_model_call"}`, object{"system_prompt": "s"}, object{"system_prompt": "s"}, `{"event":"pre_model_call","system_prompt":"s"}`},
		{`{"event":"pre_tool_selection","tools":["bash","read"],"model":"m"}`, object{"tools": []any{"read"}}, object{"tools": []any{"read"}},
			`{"event":"pre_tool_selection","tools":["read"],"model":"m"}`},
		{`{"event":"message_sending","message":"hi","channel":"#a"}`, object{"message": "hello"}, object{"message": "hello"},
			`{"event":"message_sending","message":"hello","channel":"#a"}`},
		{`{"event":"pre_tool_call","tool_call":{"id":"1","name":"Bash","input":{"command":"ls","timeout":5}}}`, object{"command": "ls -l", "timeout": nil}, object{"command": "ls -l"},
			`{"event":"pre_tool_call","tool_call":{"id":"1","name":"Bash","input":{"command":"ls -l"}}}`},
		{`{"event":"permission_request","tool_call":{"name":"Write","input":{"file_path":"a","content":"x"}}}`, object{"file_path": "b"}, object{"file_path": "b", "content": "x"},
			`{"event":"permission_request","tool_call":{"name":"Write","input":{"file_path":"b","content":"x"}}}`},
		{`{"event":"pre_tool_call","tool_call":{"name":"Bash","paths":["a"],"input":{"command":"cat a"}}}`, object{"command": "cat b"}, object{"command": "cat b"},
			`{"event":"pre_tool_call","tool_call":{"name":"Bash","paths":["a"],"input":{"command":"cat b"}}}`},
		{`{"event":"pre_tool_call","tool_call":{"name":"mytool","paths":["secrets/k"],"input":{"file":"a","id":1}}}`, object{"file": "b"}, object{"file": "b", "id": int64(1)},
			`{"event":"pre_tool_call","tool_call":{"name":"mytool","paths":["b","secrets/k"],"input":{"file":"b","id":1}}}`},
		{`{"event":"pre_tool_selection","tools":["a"]}`, object{"tools": object{}}, object{"tools": object{}},
			`{"event":"pre_tool_selection","tools":[]}`},
		{`{"event":"pre_tool_call","tool_call":{"name":"read"}}`, object{"path": "a"}, object{"path": "a"},
			`{"event":"pre_tool_call","tool_call":{"name":"read","input":{"path":"a"}}}`},
	} {
		original := decode(t, c.event)
		input := original.Modify(c.patch)
		if diff := cmp.Diff(c.input, input); diff != "" {
			t.Errorf("%s: Modify: %s", c.event, diff)
		}
		got, err := original.Rewrite(&hooks.Result{Input: input})
		if err != nil {
			t.Errorf("%s: %v", c.event, err)
			continue
		}
		want := decode(t, c.want)
		if want.Fields == nil && len(got.Fields) == 0 {
			got.Fields = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.event, diff)
		}
		if diff := cmp.Diff(decode(t, c.event), original); diff != "" {
			t.Errorf("%s: the original changed: %s", c.event, diff)
		}
	}
}

func TestReplaceSwapsTheInputWhole(t *testing.T) {
	c := decode(t, `{"event":"pre_model_call","model":"m","prompt":"p","messages":[1],"temperature":0.2}`)
	got, err := c.Rewrite(&hooks.Result{Input: object{"messages": []any{}}})
	if err != nil {
		t.Fatal(err)
	}
	want := &hooks.Context{Event: "pre_model_call", Prompt: "p", Fields: object{"messages": []any{}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, c := range []struct {
		event string
		input object
		says  string
	}{
		{`{"event":"stop"}`, object{"response": "x"}, "answer: stop can't be rewritten"},
		{`{"event":"post_tool_call","tool_call":{"name":"Bash"}}`, object{"command": "x"}, "post_tool_call has no input to rewrite; output() replaces tool_call.output"},
		{`{"event":"pre_prompt"}`, object{"promt": "x"}, `"promt" can't be rewritten on pre_prompt, only prompt; did you mean "prompt"?`},
		{`{"event":"pre_prompt"}`, object{"prompt": int64(1)}, "answer.input.prompt: want string, got number"},
		{`{"event":"pre_model_call"}`, object{"temperature": "hot"}, "answer.input.temperature: want number, got string"},
		{`{"event":"pre_tool_call","tool_call":{"name":"Bash","command":"ls"}}`, object{"command": "ls", "cmd": "rm"}, `this call's input says "command", not "cmd"`},
		{`{"event":"pre_tool_call","tool_call":{"name":"Bash","command":"ls"}}`, object{"command": true}, "want text or a list of words, got boolean"},
	} {
		if got, err := decode(t, c.event).Rewrite(&hooks.Result{Input: c.input}); got != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.event, err, c.says)
		}
	}
}

func TestRewriteOutput(t *testing.T) {
	for _, event := range []string{"post_tool_call", "tool_result_persist"} {
		c := decode(t, `{"event":"`+event+`","tool_call":{"name":"Bash","command":"env","output":"TOKEN=abc"}}`)
		got, err := c.Rewrite(&hooks.Result{Output: "TOKEN=***"})
		if err != nil || got.ToolCall.Output != "TOKEN=***" || got.ToolCall.Command != "env" || c.ToolCall.Output != "TOKEN=abc" {
			t.Errorf("%s: %+v, %v", event, got, err)
		}
	}
	c := decode(t, `{"event":"pre_tool_call","tool_call":{"name":"Bash","command":"env"}}`)
	if got, err := c.Rewrite(&hooks.Result{Output: "stands in"}); err != nil || got.ToolCall.Output != nil {
		t.Errorf("on pre_tool_call an output answers for the call, it is not its output: %+v, %v", got, err)
	}
}

func TestInputIsTheCallersOwn(t *testing.T) {
	c := decode(t, `{"event":"pre_tool_call","tool_call":{"name":"Bash","input":{"command":"ls"}}}`)
	c.Input()["command"] = "rm"
	c.Modify(object{"command": "rm"})
	if c.ToolCall.Input["command"] != "ls" {
		t.Error("writing the input changed the event")
	}
	for _, event := range []hooks.Event{"stop", "post_tool_call", "nonsense", "deploy.requested"} {
		if got := (&hooks.Context{Event: event}).Input(); got != nil {
			t.Errorf("%s: Input() = %v, it can't be rewritten", event, got)
		}
	}
	if got := (&hooks.Context{Event: "stop"}).Modify(object{"a": 1}); !cmp.Equal(got, object{"a": 1}) {
		t.Errorf("Modify of an event that can't be rewritten keeps the patch for Check to refuse: %v", got)
	}
}

// A rewritten input that the tool would misunderstand is refused: with a key that nothing reads the call would
// run unchanged.
func TestRewriteChecksTheKeysOfKnownTools(t *testing.T) {
	bash := `{"name":"Bash","input":{"command":"ls","description":"list"}}`
	write := `{"name":"Write","input":{"file_path":"a","content":"x"}}`
	edit := `{"name":"Edit","input":{"file_path":"a","old_string":"x","new_string":"y"}}`
	for _, c := range []struct {
		call  string
		input object
		says  string // "": fine
	}{
		{bash, object{"command": "ls", "comand": "ls -l"}, `bash has no "comand"; did you mean "command"? (its input has command, description)`},
		{bash, object{"comand": "ls -l"}, `did you mean "command"?`},
		{bash, object{"description": "list"}, `"command" is missing, and bash can't run without it`},
		{bash, object{}, "an empty input"},
		{bash, object{"command": "ls", "cmd": "rm -rf x"}, `says "command", not "cmd"`},
		{bash, object{"command": "ls -l", "description": "list"}, ""},
		{bash, object{"command": "ls -l"}, ""},
		{bash, object{"command": "ls", "timeout": int64(5), "run_in_background": true, "workdir": "/x"}, ""},
		{`{"name":"run_shell_command","input":{"command":"ls"}}`, object{"command": "ls", "is_background": false, "dir_path": "a"}, ""},
		{`{"name":"run_shell_command","input":{"command":"ls"}}`, object{"command": "ls", "comand": "x"}, `no "comand"`},
		{`{"name":"run_commands","input":{"commands":["ls"]}}`, object{"commands": []any{"ls -l", "pwd"}}, ""},
		{`{"name":"run_commands","input":{"commands":["ls"]}}`, object{"command": "ls -l"}, `says "commands", not "command"`},
		{`{"name":"run_commands","input":{"commands":["ls"]}}`, object{"commands": []any{int64(1)}}, "want text or a list of words"},
		{`{"name":"fetch_web_content","input":{"requests":[{"url":"https://a"}]}}`, object{"requests": []any{}}, ""},
		{`{"name":"search_codebase","input":{"queries":["a"]}}`, object{"queries": []any{"b"}}, ""},
		{write, object{"file_path": "b", "content": "x"}, ""},
		{write, object{"file_path": "a", "content": "x", "path": "b"}, `says "file_path", not "path"`},
		{write, object{"path": "b", "content": "x"}, `says "file_path", not "path"`},
		{write, object{"file_path": "a", "contents": "y"}, `says "content", not "contents"`},
		{write, object{"file_path": "a", "contnt": "y", "content": "x"}, `no "contnt"; did you mean "content"?`},
		{write, object{"content": "x"}, `"file_path" is missing`},
		{edit, object{"file_path": "a", "old_string": "x", "new_string": "z", "replace_all": true}, ""},
		{edit, object{"file_path": "a", "old_string": "x", "new_string": "y", "new_str": "z"}, `says "new_string", not "new_str"`},
		{edit, object{"old_string": "x", "new_string": "z"}, `"file_path" is missing`},
		{`{"name":"apply_patch","input":{"patch":"*** Update File: a"}}`, object{"patch": "*** Update File: b"}, ""},
		{`{"name":"Grep","input":{"pattern":"x"}}`, object{"pattern": "x", "path": "src", "-n": true, "output_mode": "content"}, ""},
		{`{"name":"Grep","input":{"path":"src"}}`, object{"path": "src", "patern": "x"}, `no "patern"`},
		{`{"name":"WebFetch","input":{"url":"https://a"}}`, object{"url": "https://b", "prompt": "x"}, ""},
		{`{"name":"WebFetch","input":{"url":"https://a","prompt":"x"}}`, object{"url": "https://a", "prompt": "x", "ulr": "https://b"}, `no "ulr"; did you mean "url"?`},
		{`{"name":"Task","input":{"prompt":"x","subagent_type":"a"}}`, object{"prompt": "y", "subagent_type": "a", "model": "m"}, ""},
		// the tool's keys aren't known
		{`{"name":"mcp__db__query","input":{"sql":"select 1"}}`, object{"sql": "select 1", "limit": int64(1)}, ""},
		{`{"name":"mcp__db__query","input":{"sql":"select 1"}}`, object{}, "an empty input"},
		{`{"name":"mcp__db__list","input":{}}`, object{}, ""},
		{`{"name":"Bash","command":"ls"}`, object{"command": "ls -l"}, ""},
	} {
		for _, name := range []string{"pre_tool_call", "permission_request"} {
			event := decode(t, `{"event":"`+name+`","tool_call":`+c.call+`}`)
			complete, err := event.Complete()
			if err != nil {
				t.Fatal(err)
			}
			_, err = complete.Rewrite(&hooks.Result{Input: c.input})
			if (err == nil) != (c.says == "") || (err != nil && !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%s %s %v: %v, want %q", name, c.call, c.input, err, c.says)
			}
		}
	}
	// The keys of hooks' answers elsewhere, or of a call, are not keys of its input.
	for call, own := range map[string][]string{
		bash:  {"timeout", "env", "shell", "workdir", "session_id"},
		write: {"overwrite", "append", "encoding"},
		edit:  {"replace_all", "expected_replacements", "instructions"},
		`{"name":"Read","input":{"file_path":"a"}}`:                       {"offset", "limit", "pages", "paths", "files"},
		`{"name":"Grep","input":{"pattern":"a"}}`:                         {"path", "glob", "output_mode", "-A", "context"},
		`{"name":"WebFetch","input":{"url":"a"}}`:                         {"prompt", "timeout", "format", "data"},
		`{"name":"Task","input":{"prompt":"a","subagent_type":"b"}}`:      {"name", "model", "run_in_background"},
		`{"name":"apply_patch","input":{"patch":"*** Update File: a\n"}}`: {"explanation"},
	} {
		complete, err := decode(t, `{"event":"pre_tool_call","tool_call":`+call+`}`).Complete()
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Concat(own, []string{
			"name", "kind", "id", "host_name", "tool", "tool_name", "tool_call", "input", "tool_input", "output", "outcome", "duration_ms", "paths", "files",
			"reason", "decision", "block", "allow", "message", "context", "data", "title", "session_id", "event", "patch", "edits",
		}) {
			input := complete.Input()
			if _, there := input[key]; there {
				continue
			}
			input[key] = "another"
			if _, err := complete.Rewrite(&hooks.Result{Input: input}); (err == nil) != slices.Contains(own, key) {
				t.Errorf("%s: %q: %v", call, key, err)
			}
		}
	}
	prompt := decode(t, `{"event":"pre_prompt","prompt":"x"}`)
	if _, err := prompt.Rewrite(&hooks.Result{Input: object{}}); err == nil || !strings.Contains(err.Error(), "an empty input") {
		t.Errorf("an empty prompt in place of one: %v", err)
	}
}
