package luabind

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	return WaitBeyond(L, what, 0, func(ctx context.Context) (T, time.Duration) { return f(ctx), 0 })
}

// WaitBeyond is [Wait] for what may have to wait for others before it is its turn. f
// gives beside its result how long that was. The run's time is as much longer, by up to
// most over all such calls of the run, so that who is kept waiting isn't to blame; the
// caller's own context still ends it.
func WaitBeyond[T any](L *lua.LState, what string, most time.Duration, f func(ctx context.Context) (result T, waited time.Duration)) T {
	b, ok := L.Context().(*Budget)
	if !ok {
		v, _ := f(context.Background())
		return v
	}
	b.spend(L, waitWork)
	if b.checkClock(); b.spent != nil {
		b.raise(L)
	}
	b.lent = true
	left := max(0, most-b.waited)
	ctx, cancel := context.WithDeadline(b.parent, b.deadline().Add(left))
	defer cancel()
	type answer struct {
		result T
		waited time.Duration
	}
	a, err := Await(ctx, b.state.env.Stragglers, what, func(ctx context.Context) (a answer) {
		a.result, a.waited = f(ctx)
		return a
	})
	v, waited := a.result, min(max(0, a.waited), left)
	b.waited += waited
	b.allowed += waited
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
