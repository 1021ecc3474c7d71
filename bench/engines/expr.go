package engines

import (
	_ "embed"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed expr.expr
var exprSource string

// exprEvent has the names that the expression can use.
type exprEvent struct {
	Event    string   `expr:"event"`
	ToolCall exprCall `expr:"tool_call"`
	Patterns []string `expr:"patterns"`
}

type exprCall struct {
	ID      string         `expr:"id"`
	Name    string         `expr:"name"`
	Command string         `expr:"command"`
	Input   map[string]any `expr:"input"`
	Output  string         `expr:"output"`
}

// newExpr makes an expression of Expr: compiled once, a kept VM, the event a Go struct. Its memory budget is
// always on; an expression always ends.
func newExpr() (Guard, error) {
	program, err := expr.Compile(exprSource, expr.Env(exprEvent{}))
	if err != nil {
		return nil, err
	}
	var machine vm.VM
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		answer, err := machine.Run(program, exprEvent{e.Name, exprCall(e.Tool), policy.Patterns})
		if err != nil {
			return policy.Decision{}, err
		}
		return decision(answer)
	}), nil
}
