package engines

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/luahook/luahook/bench/policy"
)

// wazeroGuard is a WebAssembly guest in wazero's compiler. The host writes the command into the guest's memory
// and reads the reason there; the guest only judges commands.
type wazeroGuard struct {
	runtime wazero.Runtime
	memory  api.Memory
	check   api.Function
	stack   [2]uint64 // arguments and results
}

func newWazero() (Guard, error) {
	ctx := context.Background()
	g := &wazeroGuard{runtime: wazero.NewRuntime(ctx)}
	module, err := g.runtime.Instantiate(ctx, guest(policy.Patterns))
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	g.memory, g.check = module.Memory(), module.ExportedFunction("check")
	return g, nil
}

func (g *wazeroGuard) Prepare(e *policy.Event) (Judge, error) {
	if e.Name != policy.Before {
		return nil, ErrNoRule
	}
	return func() (policy.Decision, error) { return g.run(e) }, nil
}

func (g *wazeroGuard) Close() error { return g.runtime.Close(context.Background()) }

func (g *wazeroGuard) run(e *policy.Event) (policy.Decision, error) {
	if e.Tool.Name != policy.Bash { // done by the host, because the guest doesn't know the names of tools
		return policy.Decision{}, nil
	}
	if !g.memory.WriteString(commandAt, e.Tool.Command) {
		return policy.Decision{}, errors.New("the command doesn't fit into the guest's memory")
	}
	g.stack[0], g.stack[1] = commandAt, uint64(len(e.Tool.Command))
	if err := g.check.CallWithStack(context.Background(), g.stack[:]); err != nil {
		return policy.Decision{}, err
	}
	place := g.stack[0]
	if place == 0 {
		return policy.Decision{}, nil
	}
	reason, ok := g.memory.Read(uint32(place>>32), uint32(place))
	if !ok {
		return policy.Decision{}, errors.New("the guest's reason is outside its memory")
	}
	return policy.Decision{Block: true, Reason: string(reason)}, nil
}
