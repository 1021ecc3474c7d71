package luabind

import (
	"context"
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// waitWork is about what a goroutine and a timer cost, in units of [Spend].
const waitWork = 150

// Wait calls f, which may block, in a goroutine of its own and gives what it returns.
// f gets the run's context and must not touch the Lua state or a Lua value:
// arguments are converted before, results after. what names it in messages.
//
// Where the run's time is over first, or the caller has given up, f is left behind
// (see [Stragglers]) and the run ends at once by its limit on time, whatever the
// script catches. A panic of f goes up here, to become the error of the function
// that waits.
func Wait[T any](L *lua.LState, what string, f func(ctx context.Context) T) T {
	b, ok := L.Context().(*Budget)
	if !ok {
		return f(context.Background())
	}
	b.spend(L, waitWork)
	if b.checkClock(); b.spent != nil {
		b.raise(L)
	}
	ctx, cancel := context.WithDeadline(b.parent, b.deadline)
	defer cancel()
	v, err := Await(ctx, b.state.env.Stragglers, what, f)
	if errors.Is(err, ErrLeftBehind) {
		if cause := b.parent.Err(); cause != nil {
			b.stop(hooks.LimitTime, fmt.Errorf("the caller gave up (%w) while %s had not come back", cause, what))
		} else {
			b.stop(hooks.LimitTime, fmt.Errorf("%s had not come back when the %s of the run were over (raise its timeout, or limits.timeout, to give it more)", what, b.limits.Timeout))
		}
		b.state.logger.Warn("a call has outlasted its run", "call", what)
	}
	if b.checkClock(); b.spent != nil { // it may have come back for that very reason
		b.raise(L)
	}
	if err != nil {
		L.RaiseError("%s: %s", what, err)
	}
	return v
}
