package hooks_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

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
		{`{"event":"pre_tool_call","tool_call":{"name":"Bash","command":"ls"}}`, object{"command": "ls", "cmd": "rm"}, "says something else than command"},
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
