package engines

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed opa.rego
var opaPolicy string

// newOPA makes a Rego policy, prepared once. It finds all patterns that match and answers with the first. Only
// the context bounds a run.
func newOPA() (Guard, error) {
	ctx := context.Background()
	query, err := rego.New(rego.Query("data.guard.answer"), rego.Module("guard.rego", opaPolicy)).PrepareForEval(ctx)
	if err != nil {
		return nil, err
	}
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		results, err := query.Eval(ctx, rego.EvalInput(eventMap(e)))
		if err != nil {
			return policy.Decision{}, err
		}
		switch {
		case len(results) == 0: // answer is undefined
			return policy.Decision{}, nil
		case len(results) > 1 || len(results[0].Expressions) != 1:
			return policy.Decision{}, fmt.Errorf("the policy gave %d results", len(results))
		}
		return decision(results[0].Expressions[0].Value)
	}), nil
}
