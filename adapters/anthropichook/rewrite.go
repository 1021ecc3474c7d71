package anthropichook

import (
	"encoding/json"
	"reflect"

	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// rewritten is the request's body as hooks leave it. What they leave alone keeps its bytes.
func (c *modelCall) rewritten(run *adapter.ModelRun) ([]byte, error) {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(c.raw, &body); err != nil {
		return nil, err
	}
	if run.Input != nil {
		if err := c.rewrite(body, run.Input); err != nil {
			return nil, err
		}
	}
	if run.Context != "" {
		system, err := withContext(body["system"], run.Context)
		if err != nil {
			return nil, err
		}
		body["system"] = system
	}
	return json.Marshal(body)
}

func (c *modelCall) rewrite(body map[string]json.RawMessage, input map[string]any) error {
	had := map[string]any{"model": c.Model, "messages": c.Messages, "tools": c.Tools, "system_prompt": c.SystemPrompt, "max_tokens": c.MaxTokens}
	if c.Temperature != nil {
		had["temperature"] = *c.Temperature
	}
	for _, name := range []string{"model", "messages", "tools", "system_prompt", "temperature", "max_tokens"} {
		key := name
		if name == "system_prompt" {
			key = "system"
		}
		value, kept := input[name]
		switch {
		case !kept:
			delete(body, key)
		case same(value, had[name]):
		default:
			raw, err := hooks.EncodeJSON(value)
			if err != nil {
				return err
			}
			body[key] = raw
		}
	}
	return nil
}

// same reports whether hooks have left a value alone; an empty list is none.
func same(value, had any) bool {
	if list, ok := value.([]any); ok && len(list) == 0 {
		before, _ := had.([]any)
		return len(before) == 0
	}
	return reflect.DeepEqual(value, had)
}

// withContext puts a text behind a system prompt, so that what is before it stays cached.
func withContext(system json.RawMessage, text string) (json.RawMessage, error) {
	block := func(text string) map[string]any { return map[string]any{"type": "text", "text": text} }
	var (
		prompt string
		list   []any
	)
	switch {
	case len(system) == 0 || string(system) == "null":
	case json.Unmarshal(system, &prompt) == nil:
		list = append(list, block(prompt))
	default:
		var parts []json.RawMessage
		if err := json.Unmarshal(system, &parts); err != nil {
			return nil, err
		}
		for _, part := range parts {
			list = append(list, part)
		}
	}
	return json.Marshal(append(list, block(text)))
}
