package luabind

import (
	"context"
	"fmt"
	"strconv"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// Limits bound one run of a hook. Zero values mean the defaults.
type Limits struct {
	Instructions int64         // VM instructions; default 5,000,000
	Timeout      time.Duration // wall clock; default 1 s
}

// DefaultLimits are the limits of a run that nobody has said anything about.
var DefaultLimits = Limits{Instructions: 5_000_000, Timeout: time.Second}

// Within returns the tighter of two limits, each on its own.
func (l Limits) Within(outer Limits) Limits {
	if l.Instructions <= 0 || (outer.Instructions > 0 && outer.Instructions < l.Instructions) {
		l.Instructions = outer.Instructions
	}
	if l.Timeout <= 0 || (outer.Timeout > 0 && outer.Timeout < l.Timeout) {
		l.Timeout = outer.Timeout
	}
	return l
}

// Budget is the context.Context that a state runs under. The VM asks Done before
// every instruction; that call is the count. It answers nil, which never fires,
// until something is used up, and a closed channel for ever after: pcall and
// coroutines can't swallow it. A Budget belongs to the goroutine that runs its
// state.
type Budget struct {
	state    *State
	parent   context.Context
	limits   Limits
	deadline time.Time
	used     int64
	spent    error // nil until something is used up
	limit    hooks.Limit
}

// clockEvery is how many instructions pass between two looks at the clock and at
// the caller's context.
const clockEvery = 128

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// start begins a run. The clock starts here.
func (b *Budget) start(parent context.Context, limits Limits, now time.Time) {
	limits = limits.orDefault()
	*b = Budget{state: b.state, parent: parent, limits: limits, deadline: now.Add(limits.Timeout)}
}

func (l Limits) orDefault() Limits {
	if l.Instructions <= 0 {
		l.Instructions = DefaultLimits.Instructions
	}
	if l.Timeout <= 0 {
		l.Timeout = DefaultLimits.Timeout
	}
	return l
}

// Done counts one instruction; see [Budget].
func (b *Budget) Done() <-chan struct{} {
	b.used++
	if b.spent != nil || b.used > b.limits.Instructions || b.used%clockEvery == 0 {
		return b.look()
	}
	return nil
}

func (b *Budget) look() <-chan struct{} {
	switch {
	case b.spent != nil:
	case b.used > b.limits.Instructions:
		b.limit = hooks.LimitInstructions
		b.spent = fmt.Errorf("it used up its %s instructions (limits.instructions); is there a loop that doesn't end?", grouped(b.limits.Instructions))
	default:
		b.checkClock()
	}
	if b.spent != nil {
		return closed
	}
	return nil
}

// finish looks at the clock once more when a run is over: a library function may
// have waited until the time was up, and the script may have caught its error.
func (b *Budget) finish() {
	if b.spent == nil {
		b.checkClock()
	}
}

func (b *Budget) checkClock() {
	if err := b.parent.Err(); err != nil {
		b.limit, b.spent = hooks.LimitTime, fmt.Errorf("the caller gave up: %w", err)
	} else if !time.Now().Before(b.deadline) {
		b.limit, b.spent = hooks.LimitTime, fmt.Errorf("it ran longer than its %s (its timeout, or limits.timeout)", b.limits.Timeout)
	}
}

// Spend charges work that a library function does by itself, in units of about
// one VM instruction, and raises the limit's error where it is used up. Functions
// call it before they do the work.
func Spend(L *lua.LState, work int) {
	b, ok := L.Context().(*Budget)
	if !ok {
		return
	}
	before := b.used / clockEvery
	b.used += int64(work)
	if b.spent == nil && b.used <= b.limits.Instructions && b.used/clockEvery == before {
		return
	}
	if b.look() != nil {
		L.RaiseError("%s", b.spent)
	}
}

// Err is nil until the budget is spent, then what was used up.
func (b *Budget) Err() error { return b.spent }

// Deadline is when the run's time is over.
func (b *Budget) Deadline() (time.Time, bool) { return b.deadline, true }

// Value asks the caller's context.
func (b *Budget) Value(key any) any { return b.parent.Value(key) }

// grouped writes 5000000 as 5,000,000.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
