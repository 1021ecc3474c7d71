package engines

import (
	_ "embed"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed starlark.star
var starlarkScript string

// newStarlark makes a Starlark guard with Starlark's limit on steps: a frozen module, a thread for each event,
// the event as structs, a dict as the answer.
func newStarlark() (Guard, error) {
	globals, err := starlark.ExecFileOptions(&syntax.FileOptions{}, &starlark.Thread{}, "guard.star", starlarkScript, nil)
	if err != nil {
		return nil, err
	}
	globals.Freeze()
	judge := globals["judge"]
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		thread := &starlark.Thread{}
		thread.SetMaxExecutionSteps(1_000_000)
		answer, err := starlark.Call(thread, judge, starlark.Tuple{starlarkEvent(e)}, nil)
		if err != nil {
			return policy.Decision{}, err
		}
		return starlarkDecision(answer)
	}), nil
}

func starlarkEvent(e *policy.Event) starlark.Value {
	input := starlark.NewDict(len(e.Tool.Input))
	for name, v := range e.Tool.Input {
		if text, ok := v.(string); ok {
			if err := input.SetKey(starlark.String(name), starlark.String(text)); err != nil {
				panic(err) // a string is always a valid key
			}
		}
	}
	call := starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"id":      starlark.String(e.Tool.ID),
		"name":    starlark.String(e.Tool.Name),
		"command": starlark.String(e.Tool.Command),
		"input":   input,
		"output":  starlark.String(e.Tool.Output),
	})
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"event":     starlark.String(e.Name),
		"tool_call": call,
	})
}

func starlarkDecision(answer starlark.Value) (policy.Decision, error) {
	if answer == starlark.None {
		return policy.Decision{}, nil
	}
	dict, ok := answer.(*starlark.Dict)
	if !ok {
		return policy.Decision{}, fmt.Errorf("the guard answered with a %s", answer.Type())
	}
	var d policy.Decision
	for _, item := range dict.Items() {
		name, _ := starlark.AsString(item[0])
		switch name {
		case "block":
			d.Block = bool(item[1].Truth())
		case "reason":
			d.Reason, _ = starlark.AsString(item[1])
		case "output":
			d.Output, _ = starlark.AsString(item[1])
		}
	}
	return d, nil
}
