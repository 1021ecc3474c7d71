package luabind

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
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

// Waits are how long several runs together have waited for others; see [WaitBeyond].
// They may do so at once.
type Waits struct{ waited atomic.Int64 }

// WaitsKey is the key by which the context of a run has an [*Waits], where it shares
// one with other runs.
type WaitsKey struct{}

// WaitBeyond is [Wait] for what may have to wait for others before it is its turn. f
// gives beside its result how long that was. The run's time is as much longer, by up to
// most over all such calls of the run, and of all runs that share its [Waits], so that
// who is kept waiting isn't to blame; the caller's own context still ends it.
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
	shared, _ := b.parent.Value(WaitsKey{}).(*Waits)
	if shared == nil {
		shared = new(Waits)
	}
	left := max(0, most-max(b.waited, time.Duration(shared.waited.Load())))
	ctx, cancel := context.WithDeadline(b.parent, b.deadline().Add(left))
	defer cancel()
	type answer struct {
		result T
		waited time.Duration
		took   time.Duration
	}
	a, err := Await(ctx, b.state.env.Stragglers, what, func(ctx context.Context) (a answer) {
		began := time.Now()
		a.result, a.waited = f(ctx)
		a.took = time.Since(began)
		return a
	})
	if b.waits = errors.Is(err, ErrLeftBehind); !b.waits {
		b.seen += a.took // what it waits for is its own time
	}
	v, waited := a.result, min(max(0, a.waited), left)
	// What it has taken beyond the run's own time counts for the others, whatever it says.
	shared.waited.Add(int64(max(waited, min(left, time.Since(b.deadline())))))
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
