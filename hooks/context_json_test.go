package hooks_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/luahook/luahook/hooks"
)

const fullJSON = `{
	"event": "OnRetry", "session_id": "s-1", "run_id": "r-1", "issue_id": "SHOP-41", "agent_id": "a-2", "parent_agent_id": "a-1", "agent_depth": 1,
	"cwd": "/work/shop", "model": "sonnet-5", "prompt": "fix it", "response": "fixed",
	"tool_call": {"id": "c-1", "name": "bash", "host_name": "Bash", "kind": "Shell", "command": "ls a", "paths": ["a"],
		"input": {"command": "ls a"}, "output": "a\n", "outcome": "ok", "duration_ms": 812.345},
	"error": {"message": "reset", "kind": "network", "is_retryable": true, "hook": "guard", "source": "a.lua:1", "event": "stop"},
	"usage": {"input_tokens": 5, "output_tokens": 6, "cache_tokens": 7, "cost_usd": 0.5},
	"loop_count": 2, "metadata": {"permission_mode": "plan"}, "attempt": 2, "delay": 1.5, "judging": true
}`

func TestDecodeContextReadsEveryField(t *testing.T) {
	got, err := hooks.DecodeContext([]byte(fullJSON), "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullContext(), got); diff != "" {
		t.Error(diff)
	}
}

// wrongTypes has a value of each JSON type that doesn't fit t.
func wrongTypes(t hooks.Type) []any {
	values := map[hooks.Type]any{hooks.String: "x", hooks.Number: 0.5, hooks.Boolean: true, hooks.Object: map[string]any{}, hooks.List: []any{}}
	var wrong []any
	for kind, v := range values {
		if kind != t && t != hooks.Any && (t != hooks.Record || kind != hooks.Object) {
			wrong = append(wrong, v)
		}
	}
	return wrong
}

func TestDecodeContextNamesTheFieldOfTheWrongType(t *testing.T) {
	records := map[string]map[string]hooks.Type{
		"tool_call": {"id": "string", "name": "string", "host_name": "string", "kind": "string", "command": "string", "paths": "list", "input": "object", "outcome": "string", "duration_ms": "number"},
		"error":     {"message": "string", "kind": "string", "is_retryable": "boolean"},
		"usage":     {"input_tokens": "integer", "output_tokens": "integer", "cache_tokens": "integer", "cost_usd": "number"},
	}
	refuse := func(event map[string]any, field string) {
		t.Helper()
		text, _ := json.Marshal(event)
		_, err := hooks.DecodeContext(text, "")
		var input *hooks.InputError
		if !errors.As(err, &input) || input.Field != field || !strings.Contains(err.Error(), "event") || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), ": want ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want an error about %s", text, err, field)
		}
	}
	for _, info := range hooks.Events() {
		for _, name := range info.FieldNames() {
			for _, wrong := range wrongTypes(info.Field(name).Type) {
				refuse(map[string]any{"event": info.Name, "tool_call": map[string]any{"name": "bash"}, name: wrong}, name)
			}
		}
	}
	for record, keys := range records {
		for key, kind := range keys {
			for _, wrong := range wrongTypes(kind) {
				event := map[string]any{"event": "on_error", record: map[string]any{"name": "bash", key: wrong}}
				if record != "tool_call" {
					event[record] = map[string]any{key: wrong}
				}
				refuse(event, record+"."+key)
			}
		}
	}
	refuse(map[string]any{"event": "pre_tool_call", "tool_call": map[string]any{"name": "read", "paths": []any{"a", 1}}}, "tool_call.paths")
}

func TestDecodeContextRefuses(t *testing.T) {
	for _, c := range []struct {
		text, event, want string
	}{
		{``, "stop", "event: empty input, want JSON"},
		{" \n", "stop", "event: empty input, want JSON"},
		{`{"event":"stop"`, "", "event: not JSON: the text ends too early at byte 15"},
		{`{"event":stop}`, "", "event: not JSON: invalid character 's' looking for beginning of value at byte 9"},
		{`[1]`, "stop", "event: want a JSON object, got list at byte 0"},
		{`"stop"`, "", "event: want a JSON object, got string at byte 0"},
		{`null`, "stop", "event: want a JSON object, got null at byte 0"},
		{`{"event":"stop"} x`, "", "event: more text after the JSON value at byte 17"},
		{`{"event":"stop","event":"stop"}`, "", `event: the key "event" appears twice in one object, the second time at byte 23`},
		{`{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"rm -rf /","a":[{"x":1,"y":{}}],"command":"ls"}}}`, "", `event: the key "command" appears twice in one object, the second time at byte 112`},
		{`{"event":"pre_tool_call","tool_call":{"name":"bash","Command":"ls"}}`, "", `event: tool_call.Command: is spelled "command" here`},
		{`{"event":"pre_tool_call","tool_call":{"name":"bash","Input":{"command":"ls"}}}`, "", `event: tool_call.Input: is spelled "input" here`},
		{`{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"ls"},"arguments":{"command":"rm"}}}`, "", `event: tool_call.arguments: is given together with input; give one of them`},
		{`{"event":"pre_tool_call","tool_call":{"name":"bash","arguments":"rm -rf /"}}`, "", `event: tool_call.arguments: want an object, got string`},
		{`{}`, "", `event name: missing; give it as "event"`},
		{`{"event":null}`, "", `event name: missing; give it as "event"`},
		{"\uFEFF", "", "event: empty input, want JSON"},
		{`{"event":"stpo"}`, "", `unknown event "stpo"; did you mean "stop"?`},
		{`{}`, "stpo", `unknown event "stpo"; did you mean "stop"?`},
		{`{"event":"pre_tool_call"}`, "", `event: tool_call: missing; pre_tool_call needs it as {"name": ..., "input": {...}}`},
		{`{"event":"pre_tool_call","toolName":"bash"}`, "", `event: tool_call: missing; pre_tool_call needs it as {"name": ..., "input": {...}}; "toolName" is another agent's spelling`},
		{`{"event":"pre_tool_call","tool_call":{"id":"1"}}`, "", "event: tool_call.name: missing"},
	} {
		got, err := hooks.DecodeContext([]byte(c.text), hooks.Event(c.event))
		if got != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestDecodeContextRefusesWhatIsTooLarge(t *testing.T) {
	fits := []byte(`{"event":"stop","response":"`)
	fits = append(fits, bytes.Repeat([]byte("x"), hooks.MaxEventBytes-len(fits)-2)...)
	fits = append(fits, `"}`...)
	if _, err := hooks.DecodeContext(fits, ""); err != nil {
		t.Errorf("exactly 16 MiB: %v", err)
	}
	_, err := hooks.DecodeContext(append(fits, ' '), "")
	var input *hooks.InputError
	if !errors.As(err, &input) || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("one byte more: %v", err)
	}
}

func TestTheEventMayBeSaidTwice(t *testing.T) {
	for _, c := range []struct{ text, event string }{
		{`{"attempt":2}`, "on_retry"}, {`{"attempt":2}`, "OnRetry"}, {`{"event":"ON_RETRY","attempt":2}`, "on_retry"}, {`{"event":"on-retry","attempt":2}`, "OnRetry"}, {`{"event":"","attempt":2}`, "on_retry"},
	} {
		got, err := hooks.DecodeContext([]byte(c.text), hooks.Event(c.event))
		if err != nil || got.Event != "on_retry" || got.Fields["attempt"] != int64(2) {
			t.Errorf("%s as %s: %+v, %v", c.text, c.event, got, err)
		}
	}
}

func TestUnknownKeysAreKeptInMetadata(t *testing.T) {
	got, err := hooks.DecodeContext([]byte(`{"event":"pre_tool_call","permission_mode":"plan","attempt":2,"nothing":null,
		"tool_call":{"name":"bash","command":"ls","sandboxed":true},
		"error":{"message":"m","code":7}, "usage":{"output_tokens":1,"reasoning_tokens":3},
		"metadata":{"transcript_path":"/t.jsonl","big":9007199254740993,"huge":1e400,"wide":18446744073709551616}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"permission_mode": "plan", "attempt": int64(2), "nothing": nil, "transcript_path": "/t.jsonl",
		"tool_call": map[string]any{"sandboxed": true}, "error": map[string]any{"code": int64(7)}, "usage": map[string]any{"reasoning_tokens": int64(3)},
		"big": int64(9007199254740993), "huge": json.Number("1e400"), "wide": json.Number("18446744073709551616"),
	}
	if diff := cmp.Diff(want, got.Metadata); diff != "" {
		t.Error(diff)
	}
	text, _ := json.Marshal(got)
	for _, number := range []string{"9007199254740993", "1e400", "18446744073709551616"} {
		if !strings.Contains(string(text), number) {
			t.Errorf("%s was lost in %s", number, text)
		}
	}
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	event := map[string]any{"event": "on_retry"}
	for _, name := range hooks.Lookup("on_retry").FieldNames() {
		if name != "event" {
			event[name] = nil
		}
	}
	text, _ := json.Marshal(event)
	got, err := hooks.DecodeContext(text, "")
	if diff := cmp.Diff(&hooks.Context{Event: "on_retry"}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"812": 812 * time.Millisecond, "0.29": 290 * time.Microsecond, "1.001": 1001 * time.Microsecond, "-5": 0, "1e14": 0, "0": 0,
	} {
		c, err := hooks.DecodeContext([]byte(`{"event":"post_tool_call","tool_call":{"name":"x","duration_ms":`+text+`}}`), "")
		if err != nil || c.ToolCall.Duration != want {
			t.Errorf("duration_ms %s = %v, %v; want %v", text, c.ToolCall.Duration, err, want)
		}
	}
}

// sameAgain writes c and reads it back.
func sameAgain(t *testing.T, c *hooks.Context) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back hooks.Context
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// An empty object and an absent one are the same to a hook.
	if diff := cmp.Diff(c, &back, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}

func TestContextsSurviveJSON(t *testing.T) {
	for _, info := range hooks.Events() {
		c, err := hooks.DecodeContext(hooks.Sample(info), "")
		if err != nil {
			t.Fatal(err)
		}
		sameAgain(t, c)
	}
	sameAgain(t, fullContext())
	for _, call := range []string{
		`{"name":"Bash","input":{"command":["git","commit","-m","it's"]}}`, `{"name":"read","input":{}}`, `{"name":"x","output":false}`, `{"name":"x","output":0}`,
		`{"name":"x","output":""}`, `{"name":"x","output":[]}`, `{"name":"deploy","host_name":"acme.Deploy"}`, `{"name":"mcp_github_create_issue"}`, `{"command":"ls"}`,
		`{"name":"apply_patch","input":{"patch":"*** Add File: a\n"}}`, `{"name":"x","paths":["a","b"],"duration_ms":0.333}`,
	} {
		c, err := hooks.DecodeContext([]byte(`{"event":"post_tool_call","error":{},"usage":{},"foo":{"bar":[1,1.0,0.5,null]},"tool_call":`+call+`}`), "")
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		sameAgain(t, c)
	}
}

func TestMarshalWritesTheNamesOfTheDesign(t *testing.T) {
	got, err := fullContext().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"agent_depth":1,"agent_id":"a-2","attempt":2,"cwd":"/work/shop","delay":1.5,"error":{"event":"stop","hook":"guard","is_retryable":true,"kind":"network","message":"reset","source":"a.lua:1"},` +
		`"event":"on_retry","issue_id":"SHOP-41","loop_count":2,"metadata":{"permission_mode":"plan"},"model":"sonnet-5","parent_agent_id":"a-1","prompt":"fix it",` +
		`"response":"fixed","run_id":"r-1","session_id":"s-1","tool_call":{"command":"ls a","duration_ms":812.345,"host_name":"Bash","id":"c-1","input":{"command":"ls a"},` +
		`"kind":"shell","name":"bash","outcome":"ok","output":"a\n","paths":["a"]},"usage":{"cache_tokens":7,"cost_usd":0.5,"input_tokens":5,"output_tokens":6}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if got, _ := (&hooks.Context{Event: "stop"}).MarshalJSON(); string(got) != `{"event":"stop"}` {
		t.Errorf("what is absent is left out: %s", got)
	}
	if err := json.Unmarshal([]byte(`{"event":"stpo"}`), new(hooks.Context)); err == nil {
		t.Error("UnmarshalJSON accepts an unknown event")
	}
}

// The input is also found under the names that other systems give it.
func TestDecodeContextKnowsOtherNamesOfTheInput(t *testing.T) {
	for _, input := range []string{`"arguments":{"command":"rm -rf /"}`, `"arguments":"{\"command\":\"rm -rf /\"}"`, `"tool_input":{"command":"rm -rf /"}`, `"params":{"command":"rm -rf /"}`} {
		c, err := hooks.DecodeContext([]byte(`{"event":"pre_tool_call","tool_call":{"name":"bash",`+input+`}}`), "")
		if err != nil || c.ToolCall.Command != "rm -rf /" || len(c.Metadata) > 0 {
			t.Errorf("%s: %+v, %v", input, c, err)
		}
	}
}

func TestSamplesAreEventsOfTheirName(t *testing.T) {
	for _, info := range hooks.Events() {
		c, err := hooks.DecodeContext(hooks.Sample(info), "")
		if err != nil {
			t.Errorf("%s: %v\n%s", info.Name, err, hooks.Sample(info))
			continue
		}
		if c.Event != info.Name || len(c.Metadata) > 0 {
			t.Errorf("%s: sample reads as %s with metadata %v", info.Name, c.Event, c.Metadata)
		}
	}
}
