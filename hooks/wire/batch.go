package wire

import (
	"maps"
	"slices"

	"github.com/luahook/luahook/hooks"
)

// prepareBatch makes the calls of a batch read like tool_call of the catalogue. What no hook could be told of stays as
// it is.
func prepareBatch(in object) {
	calls, _ := in["tool_calls"].([]any)
	for i, v := range calls {
		if call, ok := v.(map[string]any); ok {
			calls[i] = batchCall(call)
		}
	}
}

// batchCall is one call of a batch. Keys that nobody knows stay beside those of the catalogue.
func batchCall(in map[string]any) map[string]any {
	rest := object(maps.Clone(in))
	call := &hooks.ToolCall{Name: rest.text("tool_name"), ID: rest.text("tool_use_id", "tool_call_id")}
	input, _ := rest.take("tool_input")
	var err error
	if call.Input, _, err = toolInput(call.Name, input); err != nil {
		return in
	}
	call.Output, _ = rest.take("tool_response")
	if rest["tool_call_id"] == call.ID { // the same again
		delete(rest, "tool_call_id")
	}
	switch rest["status"] {
	case "success":
		call.Outcome = hooks.OutcomeOK
		delete(rest, "status")
	case "error", "cancelled":
		call.Outcome = hooks.OutcomeError
		delete(rest, "status")
	}
	c, err := (&hooks.Context{Event: hooks.PostToolCall, ToolCall: call}).Complete()
	if err != nil {
		return in
	}
	text, err := hooks.EncodeJSON(c)
	if err != nil {
		return in
	}
	v, err := hooks.DecodeJSON(text)
	whole, _ := v.(map[string]any)
	one, _ := whole["tool_call"].(map[string]any)
	if err != nil || one == nil {
		return in
	}
	for key, v := range rest {
		if !slices.Contains(call.Keys(), key) {
			one[key] = v
		}
	}
	return one
}
