package engines

import (
	_ "embed"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed expr.expr
var exprSource string

// newExpr is an expression of Expr: compiled once, a kept VM, the event a Go map. Its
// memory budget is always on; an expression always ends.
func newExpr() (Guard, error) {
	env := eventMap(&policy.Event{})
	env["patterns"] = policy.Patterns
	program, err := expr.Compile(exprSource, expr.Env(env))
	if err != nil {
		return nil, err
	}
	var machine vm.VM
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		env := eventMap(e)
		env["patterns"] = policy.Patterns
		answer, err := machine.Run(program, env)
		if err != nil {
			return policy.Decision{}, err
		}
		return decision(answer)
	}), nil
}
