package hooks_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

var (
	blockable = strings.Fields(`run_start session_start pre_prompt pre_agent pre_model_call pre_tool_selection pre_tool_call
		post_tool_call post_tool_batch tool_result_persist permission_request stop subagent_start subagent_stop pre_compact
		on_retry on_claim pre_close task_created task_completed message_sending`)
	blockedByFailure = strings.Fields("pre_tool_call permission_request pre_model_call message_sending tool_result_persist pre_close")
)

// These properties of events are promised to hosts.
func TestRowsKeepTheDesignsPromises(t *testing.T) {
	for event := range spellings {
		info, name := hooks.Lookup(event), string(event)
		if got, want := info.Blocking != hooks.BlockNever, slices.Contains(blockable, name); got != want {
			t.Errorf("%s: can be blocked = %t, want %t", name, got, want)
		}
		want := hooks.Warn
		if slices.Contains(blockedByFailure, name) {
			want = hooks.Block
		}
		if info.OnFailure != want {
			t.Errorf("%s: on_failure = %s, want %s", name, info.OnFailure, want)
		}
		if got, want := info.Guards, name == "pre_tool_call" || name == "permission_request"; got != want {
			t.Errorf("%s: guards = %t, want %t", name, got, want)
		}
		if got, want := info.Continues, name == "stop" || name == "subagent_stop"; got != want {
			t.Errorf("%s: continues = %t, want %t", name, got, want)
		}
		if info.Help == "" || strings.Contains(info.Help, "\n") {
			t.Errorf("%s: help %q is not one line", name, info.Help)
		}
	}
	feedback := []hooks.Event{"post_tool_call", "post_tool_batch", "stop", "subagent_stop"}
	for event := range spellings {
		info := hooks.Lookup(event)
		if got, want := info.Blocking == hooks.BlockFeedback, slices.Contains(feedback, info.Name); got != want {
			t.Errorf("%s: feedback = %t, want %t", info.Name, got, want)
		}
	}
}

func TestWhatCanBeRewritten(t *testing.T) {
	want := map[hooks.Event]string{
		"pre_prompt":          "prompt",
		"pre_model_call":      "model messages tools system_prompt temperature max_tokens",
		"pre_tool_selection":  "tools",
		"pre_tool_call":       "tool_call",
		"permission_request":  "tool_call",
		"message_sending":     "message",
		"post_tool_call":      "-> tool_call.output",
		"tool_result_persist": "-> tool_call.output",
	}
	for event := range spellings {
		info := hooks.Lookup(event)
		got := strings.Join(info.Modify, " ")
		if info.Output != "" {
			got += "-> " + info.Output
		}
		if got != want[info.Name] {
			t.Errorf("%s: rewrites %q, want %q", info.Name, got, want[info.Name])
		}
		for _, field := range info.Modify {
			if info.Field(field) == nil {
				t.Errorf("%s: rewrites %q, a field that it doesn't have", info.Name, field)
			}
		}
	}
}

// The fields that the design promises by name.
func TestRowsCarryTheirFields(t *testing.T) {
	for event, fields := range map[hooks.Event]string{
		"pre_model_call":   "model:string messages:list tools:list",
		"post_model_call":  "messages:list usage:record response:string",
		"on_retry":         "attempt:integer max_retries:integer error:record",
		"pre_compact":      "token_count:integer trigger:string",
		"post_compact":     "token_count:integer new_token_count:integer",
		"notification":     "message:any",
		"message_sending":  "message:any",
		"message_received": "message:any",
		"post_agent":       "agent_name:string result:any",
		"subagent_stop":    "agent_name:string result:any",
		"run_end":          "program_name:string outputs:object duration:number",
		"parallel_join":    "branches:list",
		"on_error":         "error:record",
	} {
		info := hooks.Lookup(event)
		for _, want := range strings.Fields(fields) {
			name, kind, _ := strings.Cut(want, ":")
			i := slices.IndexFunc(info.Fields, func(f hooks.Field) bool { return f.Name == name })
			if i < 0 || string(info.Fields[i].Type) != kind {
				t.Errorf("%s: no own field %s", event, want)
			}
		}
	}
	for _, info := range hooks.Events() {
		for _, f := range info.Fields {
			if f.Help == "" || (f.Example != "" && !json.Valid([]byte(f.Example))) {
				t.Errorf("%s.%s: help %q, example %q", info.Name, f.Name, f.Help, f.Example)
			}
		}
		root, _, _ := strings.Cut(info.MatchOn, ".")
		if info.MatchOn != "" && info.Field(root) == nil {
			t.Errorf("%s: a matcher looks at %q, which it doesn't have", info.Name, info.MatchOn)
		}
	}
}

func TestFieldNames(t *testing.T) {
	names := hooks.Lookup("on_retry").FieldNames()
	if names[0] != "attempt" || !slices.Contains(names, "session_id") {
		t.Errorf("own fields come first, then the common ones: %v", names)
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a name stands twice: %v", names)
	}
	if f := hooks.Lookup("on_retry").Field("delay"); f == nil || f.Type != hooks.Number {
		t.Errorf("Field(delay) = %+v", f)
	}
	if f := hooks.Lookup("stop").Field("delay"); f != nil {
		t.Errorf("stop has a field delay: %+v", f)
	}
}
