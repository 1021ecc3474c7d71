package hooks_test

import (
	"slices"
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

// A rewritten input that the tool doesn't understand as it is meant is refused: a key that
// nothing reads would let the call run as it was.
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
		{bash, object{"description": "list"}, `"command" is missing, without which bash can't run`},
		{bash, object{}, "it is empty"},
		{bash, object{"command": "ls", "cmd": "rm -rf x"}, `says "command", not "cmd"`},
		{bash, object{"command": "ls -l", "description": "list"}, ""},
		{bash, object{"command": "ls -l"}, ""},
		{bash, object{"command": "ls", "timeout": int64(5), "run_in_background": true, "workdir": "/x"}, ""},
		{`{"name":"run_shell_command","input":{"command":"ls"}}`, object{"command": "ls", "is_background": false, "dir_path": "a"}, ""},
		{`{"name":"run_shell_command","input":{"command":"ls"}}`, object{"command": "ls", "comand": "x"}, `no "comand"`},
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
		{`{"name":"mcp__db__query","input":{"sql":"select 1"}}`, object{"sql": "select 1", "limit": int64(1)}, ""}, // nobody knows its keys
		{`{"name":"mcp__db__query","input":{"sql":"select 1"}}`, object{}, "it is empty"},
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
	// What hooks say elsewhere, or read of a call, is no key of its input.
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
	if _, err := prompt.Rewrite(&hooks.Result{Input: object{}}); err == nil || !strings.Contains(err.Error(), "it is empty") {
		t.Errorf("an empty prompt in place of one: %v", err)
	}
}
