package hooks

import (
	"fmt"
	"maps"
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// checkInput tells whether input may replace what modify and replace change here.
func (i *EventInfo) checkInput(c *Context, input map[string]any) error {
	if len(i.Modify) == 0 {
		if i.Output != "" {
			return fmt.Errorf("answer: %s has no input to rewrite; output() replaces %s", i.Name, i.Output)
		}
		return fmt.Errorf("answer: %s can't be rewritten", i.Name)
	}
	if len(input) == 0 && len(c.Input()) > 0 {
		return fmt.Errorf("answer.input: it is empty, which would take away all of it; replace() takes the whole input, modify() what changes")
	}
	if i.rewritesTool() {
		if c.ToolCall == nil {
			return nil
		}
		return c.ToolCall.checkToolInput(input)
	}
	for key, v := range input {
		if !contains(i.Modify, key) {
			return fmt.Errorf("answer.input: %q can't be rewritten on %s, only %s%s", key, i.Name, strings.Join(i.Modify, ", "), spelling.DidYouMean(key, i.Modify))
		}
		f := i.Field(key)
		if empty, ok := v.(map[string]any); ok && f.Type == List && len(empty) == 0 {
			v = []any{} // in Lua an empty list looks like an empty object
			input[key] = v
		}
		if !f.Type.holds(v) {
			return fmt.Errorf("answer.input.%s: want %s, got %s", key, f.Type, typeName(v))
		}
	}
	return nil
}

func (i *EventInfo) rewritesTool() bool { return len(i.Modify) == 1 && i.Modify[0] == "tool_call" }

// Input is what modify and replace change on this event: the tool's input, or the
// fields that the catalogue names. The map is the caller's own. It is nil where the event can't be rewritten.
func (c *Context) Input() map[string]any {
	info := Lookup(c.Event)
	if info == nil || len(info.Modify) == 0 {
		return nil
	}
	if info.rewritesTool() {
		if c.ToolCall == nil || c.ToolCall.Input == nil {
			return map[string]any{}
		}
		input, _ := CloneValue(c.ToolCall.Input).(map[string]any)
		return input
	}
	input := map[string]any{}
	for _, key := range info.Modify {
		if v, _ := c.Value(key); v != nil {
			input[key] = CloneValue(v)
		}
	}
	return input
}

// Modify merges patch shallowly into what [Context.Input] returns; a nil value
// takes the key away.
func (c *Context) Modify(patch map[string]any) map[string]any {
	input := c.Input()
	if input == nil {
		input = map[string]any{}
	}
	for k, v := range patch {
		if v == nil {
			delete(input, k)
			continue
		}
		input[k] = v
	}
	return input
}

// Rewrite returns a copy of a complete event with the result's input and output
// put in; Command and Paths of the tool call are derived anew. On pre_tool_call an
// output doesn't change the event. The error says why the rewritten input can't be
// used.
func (c *Context) Rewrite(r *Result) (*Context, error) {
	info := Lookup(c.Event)
	d := *c
	if r == nil {
		return &d, nil
	}
	if r.Input != nil {
		if err := info.checkInput(c, r.Input); err != nil {
			return nil, err
		}
		if info.rewritesTool() {
			call := *c.ToolCall
			call.Input, call.Command, call.Paths = r.Input, "", nil
			derived := pathsOf(nil, call.Kind, c.ToolCall.Input)
			for _, p := range c.ToolCall.Paths { // the host's own word on files stays
				if !contains(derived, p) {
					call.Paths = append(call.Paths, p)
				}
			}
			if err := call.derive(nil); err != nil {
				return nil, err
			}
			d.ToolCall = &call
		} else {
			d.setFields(info, r.Input)
		}
	}
	if r.Output != nil && info.Output != "" && c.ToolCall != nil {
		call := *d.ToolCall
		call.Output = r.Output
		d.ToolCall = &call
	}
	return &d, nil
}

// setFields replaces the rewritable fields of the event by those of input.
func (c *Context) setFields(info *EventInfo, input map[string]any) {
	c.Fields = maps.Clone(c.Fields)
	for _, key := range info.Modify {
		v := input[key]
		switch key {
		case "prompt":
			c.Prompt, _ = v.(string)
		case "model":
			c.Model, _ = v.(string)
		default:
			if v == nil {
				delete(c.Fields, key)
				continue
			}
			if c.Fields == nil {
				c.Fields = map[string]any{}
			}
			c.Fields[key] = v
		}
	}
}
