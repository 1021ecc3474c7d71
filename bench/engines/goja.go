package engines

import (
	_ "embed"
	"errors"

	"github.com/dop251/goja"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed goja.js
var gojaScript string

// newGoja makes a JavaScript guard in goja: one kept runtime, the event a Go map that goja wraps, the answer an
// object of the script. Nothing bounds a run; goja's own means would be a timer that calls Interrupt.
func newGoja() (Guard, error) {
	vm := goja.New()
	v, err := vm.RunScript("guard.js", gojaScript)
	if err != nil {
		return nil, err
	}
	judge, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errors.New("goja: the script is not a function")
	}
	return stateless(func(e *policy.Event) (policy.Decision, error) {
		v, err := judge(goja.Undefined(), vm.ToValue(eventMap(e)))
		if err != nil || goja.IsUndefined(v) {
			return policy.Decision{}, err
		}
		answer := v.ToObject(vm)
		var d policy.Decision
		if v := answer.Get("block"); v != nil {
			d.Block = v.ToBoolean()
		}
		if v := answer.Get("reason"); v != nil {
			d.Reason = v.String()
		}
		if v := answer.Get("output"); v != nil {
			d.Output = v.String()
		}
		return d, nil
	}), nil
}
