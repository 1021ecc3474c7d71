package engines

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	"github.com/luahook/luahook/bench/policy"
)

// celCall is the tool call with the names that the expression uses.
type celCall struct {
	ID      string         `cel:"id"`
	Name    string         `cel:"name"`
	Command string         `cel:"command"`
	Input   map[string]any `cel:"input"`
	Output  string         `cel:"output"`
}

// stringsType is the type of the output.
var stringsType = reflect.TypeFor[[]string]()

// newCEL makes a CEL expression, compiled once. CEL can't leave a list early, so the patterns are a chain of
// conditions, generated from the list.
func newCEL() (Guard, error) { return compileCEL() }

// newCELCostLimit is the same with CEL's limit on the cost of a run.
func newCELCostLimit() (Guard, error) { return compileCEL(cel.CostLimit(10_000_000)) }

// celSource is the guard. A text as its value is a reason to block, a list holds the output, null is no opinion.
func celSource() string {
	var b strings.Builder
	b.WriteString(`event == "pre_tool_call" ? (tool_call.name != "bash" ? dyn(null) : `)
	for _, p := range policy.Patterns {
		fmt.Fprintf(&b, "tool_call.command.contains(%s) ? dyn(%s) : ", strconv.Quote(p), strconv.Quote(policy.Matches+p))
	}
	b.WriteString(`dyn(null)) : tool_call.name == "bash"
		? (size(tool_call.output) > 8192
			? dyn([tool_call.output.substring(0, 4096) + "\n[...]\n" + tool_call.output.substring(size(tool_call.output) - 4096)])
			: dyn(null))
		: (size(tool_call.output) > 64 * 1024 * 1024 ? dyn("too long") : dyn(null))`)
	return b.String()
}

func compileCEL(options ...cel.ProgramOption) (Guard, error) {
	env, err := cel.NewEnv(
		ext.Strings(),
		cel.Variable("event", cel.StringType),
		ext.NativeTypes(reflect.TypeFor[celCall](), ext.ParseStructTags(true)),
		cel.Variable("tool_call", cel.ObjectType("engines.celCall")),
	)
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(celSource())
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(ast, append(options, cel.EvalOptions(cel.OptOptimize))...)
	if err != nil {
		return nil, err
	}
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		answer, _, err := program.Eval(map[string]any{"event": e.Name, "tool_call": celCall(e.Tool)})
		if err != nil {
			return policy.Decision{}, err
		}
		return celDecision(answer)
	}), nil
}

func celDecision(answer ref.Val) (policy.Decision, error) {
	switch v := answer.(type) {
	case types.Null:
		return policy.Decision{}, nil
	case types.String:
		return policy.Decision{Block: true, Reason: string(v)}, nil
	}
	list, err := answer.ConvertToNative(stringsType)
	if err != nil {
		return policy.Decision{}, err
	}
	return policy.Decision{Output: list.([]string)[0]}, nil
}
