package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/luahook/luahook/hooks"
)

// isNameField reports whether the text of an event's field is a name, not free text.
func isNameField(name string) bool {
	switch name {
	case "agent_name", "program_name", "task_id", "trigger", "source", "platform", "channel", "tools", "tool_name", "finish_reason":
		return true
	}
	return false
}

// Given returns what a record keeps of an event: who, where and which tool, its input, numbers and booleans. Of
// every other text (the prompt, responses, outputs, messages, and whatever the host adds) it keeps only
// {"bytes": n, "sha256": "..."}, which shows whether two were equal; of other values the same for their JSON.
// With everything it keeps the texts too. Nothing is redacted here: [Log.Append] does that. The tool's input is
// shared with c.
func Given(c *hooks.Context, everything bool) map[string]any {
	if c == nil {
		return nil
	}
	d, sums := *c, map[string]map[string]any{}
	var input map[string]any
	if d.ToolCall != nil {
		call := *d.ToolCall
		if call.Input != nil { // the rest follows from it
			call.Command, call.Paths = "", nil
			if isPlain(call.Input) { // it may be long, and needs no copy
				input, call.Input = call.Input, nil
			}
		}
		if !everything && call.Output != nil {
			sums["tool_call"] = map[string]any{"output": sumOf(call.Output)}
			call.Output = nil
		}
		d.ToolCall = &call
	}
	if !everything {
		top := map[string]any{}
		if d.Prompt != "" {
			top["prompt"], d.Prompt = sumOf(d.Prompt), ""
		}
		if d.Response != "" {
			top["response"], d.Response = sumOf(d.Response), ""
		}
		sums[""] = top
		if d.Error != nil && d.Error.Message != "" {
			e := *d.Error
			sums["error"] = map[string]any{"message": sumOf(e.Message)}
			e.Message, d.Error = "", &e
		}
		info := hooks.Lookup(d.Event)
		d.Fields = summed(d.Fields, func(name string) bool {
			return isNameField(name) || info != nil && info.MatchOn == name
		})
		d.Metadata = summed(d.Metadata, func(string) bool { return false })
	}
	text, err := d.MarshalJSON()
	if err != nil {
		return map[string]any{"event": string(c.Event)} // a value that JSON doesn't have
	}
	v, err := hooks.DecodeJSON(text)
	given, ok := v.(map[string]any)
	if err != nil || !ok {
		return map[string]any{"event": string(c.Event)}
	}
	if call, ok := given["tool_call"].(map[string]any); ok && input != nil {
		call["input"] = input
	}
	for record, fields := range sums {
		into := given
		if record != "" {
			if into, ok = given[record].(map[string]any); !ok {
				continue
			}
		}
		for name, sum := range fields {
			into[name] = sum
		}
	}
	return given
}

// isPlain reports whether a value has one of the types that JSON decodes to.
func isPlain(v any) bool {
	switch v := v.(type) {
	case nil, string, bool, int64, float64, json.Number:
		return true
	case map[string]any:
		for _, e := range v {
			if !isPlain(e) {
				return false
			}
		}
		return true
	case []any:
		for _, e := range v {
			if !isPlain(e) {
				return false
			}
		}
		return true
	}
	return false
}

// summed replaces each value with its sum, except kept ones, numbers and booleans.
func summed(fields map[string]any, keep func(name string) bool) map[string]any {
	if len(fields) == 0 {
		return nil
	}
	fresh := make(map[string]any, len(fields))
	for name, v := range fields {
		switch v.(type) {
		case string, []any, map[string]any, []string, map[string]string:
			if !keep(name) {
				v = sumOf(v)
			}
		}
		fresh[name] = v
	}
	return fresh
}

func sumOf(v any) map[string]any {
	text, ok := v.(string)
	if !ok {
		encoded, err := hooks.EncodeJSON(v)
		if err != nil {
			return map[string]any{}
		}
		text = string(encoded)
	}
	sum := sha256.Sum256([]byte(text))
	return map[string]any{"bytes": int64(len(text)), "sha256": hex.EncodeToString(sum[:])}
}
