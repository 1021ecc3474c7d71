package engines

import (
	"fmt"

	"github.com/luahook/luahook/bench/policy"
)

// eventMap returns the event as nested maps, for engines that read Go maps directly. The tool's input is shared,
// not copied.
func eventMap(e *policy.Event) map[string]any {
	return map[string]any{
		"event": e.Name,
		"tool_call": map[string]any{
			"id":      e.Tool.ID,
			"name":    e.Tool.Name,
			"command": e.Tool.Command,
			"input":   e.Tool.Input,
			"output":  e.Tool.Output,
		},
	}
}

// decision reads an answer that is a Go map, or nil for none.
func decision(answer any) (policy.Decision, error) {
	if answer == nil {
		return policy.Decision{}, nil
	}
	m, ok := answer.(map[string]any)
	if !ok {
		return policy.Decision{}, fmt.Errorf("the guard answered with a %T", answer)
	}
	var d policy.Decision
	d.Block, _ = m["block"].(bool)
	d.Reason, _ = m["reason"].(string)
	d.Output, _ = m["output"].(string)
	return d, nil
}
