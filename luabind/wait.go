package luabind

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
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
	return WaitUncharged(L, what, 0, func(ctx context.Context) (T, time.Duration) { return f(ctx), 0 })
}

// Waits are how long several runs together have waited for others; see [WaitUncharged].
// They may do so at once.
type Waits struct{ waited atomic.Int64 }

// WaitsKey is the key by which the context of a run has an [*Waits], where it shares
// one with other runs.
type WaitsKey struct{}

// WaitUncharged is [Wait] for what may have to wait for others before it is its turn. f
// gives beside its result how long that was. The run isn't charged for that time, up to most
// over all such calls of the run and of all runs that share its [Waits]. The caller's own
// context still ends it.
func WaitUncharged[T any](L *lua.LState, what string, most time.Duration, f func(ctx context.Context) (result T, waited time.Duration)) T {
	b, ok := L.Context().(*budget)
	if !ok {
		v, _ := f(context.Background())
		return v
	}
	b.spend(L, waitWork)
	if b.checkClock(); b.spent != nil {
		b.raise(L)
	}
	b.escaped = true
	shared, _ := b.parent.Value(WaitsKey{}).(*Waits)
	if shared == nil {
		shared = new(Waits)
	}
	left := max(0, most-max(b.clock.waited, time.Duration(shared.waited.Load())))
	ctx, cancel := context.WithDeadline(b.parent, b.clock.deadline().Add(left))
	defer cancel()
	type answer struct {
		result T
		waited time.Duration
		took   time.Duration
	}
	if told := b.state.onWait; told != nil {
		told(true)
		defer told(false)
	}
	a, err := Await(ctx, b.state.env.Stragglers, what, func(ctx context.Context) (a answer) {
		began := time.Now()
		a.result, a.waited = f(ctx)
		a.took = time.Since(began)
		return a
	})
	if b.clock.waits = errors.Is(err, ErrLeftBehind); !b.clock.waits {
		b.clock.seen += a.took // what it waits for is its own time
	}
	v, waited := a.result, min(max(0, a.waited), left, a.took)
	// What it has taken beyond the run's own time counts for the others, whatever it says.
	shared.waited.Add(int64(max(waited, min(left, time.Since(b.clock.deadline())))))
	b.clock.waited += waited
	b.clock.skip(waited)
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

// Stragglers are the calls that have outlasted the run that made them and not come
// back yet. Go can't end a goroutine, so all that can be done is to count them: while
// there are as many as allowed, nothing that may block is called. Calls that are
// under way at that moment may still add to them. A nil *Stragglers counts nothing.
type Stragglers struct {
	max int

	mu    sync.Mutex
	count int
	names map[string]int
	fewer chan struct{} // closed when one comes back
}

// patience is how long a call waits for a place. Those that obey their context are
// out for a moment only.
const patience = 20 * time.Millisecond

// NewStragglers makes an empty set that holds up new calls from maximum on.
func NewStragglers(maximum int) *Stragglers {
	return &Stragglers{max: maximum, names: map[string]int{}, fewer: make(chan struct{})}
}

// Errors of [Await], beside that of a full set.
var (
	ErrLeftBehind = errors.New("it has not come back")
	ErrGoexit     = errors.New("it ended its goroutine (runtime.Goexit)")
)

// Await calls f in a goroutine of its own and gives what it returns. Where ctx is
// done first, the error is [ErrLeftBehind]: f goes on as a straggler, and what it
// returns, or panics with, is dropped. Where f panics in time, Await does. Where ctx
// is done before f was called, the error is that of ctx.
func Await[T any](ctx context.Context, s *Stragglers, what string, f func(context.Context) T) (T, error) {
	type ending struct {
		value    T
		panicked any
		returned bool
	}
	var none T
	if err := s.acquire(ctx); err != nil {
		return none, err
	}
	var decided atomic.Bool // whether it came back in time or is left behind
	done := make(chan ending, 1)
	go func() {
		var e ending
		defer func() {
			if !e.returned {
				e.panicked = recover()
			}
			if decided.CompareAndSwap(false, true) {
				done <- e
			} else {
				s.remove(what)
			}
		}()
		e.value = f(ctx)
		e.returned = true
	}()
	var e ending
	select {
	case e = <-done:
	case <-ctx.Done():
		s.add(what) // before the goroutine may remove it
		if decided.CompareAndSwap(false, true) {
			return none, ErrLeftBehind
		}
		s.remove(what)
		e = <-done
	}
	switch {
	case e.panicked != nil:
		panic(e.panicked)
	case !e.returned:
		return none, ErrGoexit
	}
	return e.value, nil
}

// acquire waits, not for long, until there are fewer than the maximum.
func (s *Stragglers) acquire(ctx context.Context) error {
	if s == nil {
		return nil
	}
	var over <-chan time.Time
	for {
		s.mu.Lock()
		if s.count < s.max {
			s.mu.Unlock()
			return nil
		}
		fewer, text := s.fewer, s.describe()
		s.mu.Unlock()
		if over == nil {
			over = time.After(patience)
		}
		select {
		case <-fewer:
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return fmt.Errorf("%s; until one does nothing is called that may block", text)
		}
	}
}

// describe says how many there are and which. s.mu is held.
func (s *Stragglers) describe() string {
	names := slices.Sorted(maps.Keys(s.names))
	if len(names) > 5 {
		names = append(names[:5:5], "...")
	}
	calls := "calls have"
	if s.count == 1 {
		calls = "call has"
	}
	return fmt.Sprintf("%d %s not come back (%s)", s.count, calls, strings.Join(names, ", "))
}

func (s *Stragglers) add(what string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	s.names[what]++
}

func (s *Stragglers) remove(what string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	if s.names[what]--; s.names[what] == 0 {
		delete(s.names, what)
	}
	close(s.fewer)
	s.fewer = make(chan struct{})
}

// Names lists them, one entry for each, in alphabetical order.
func (s *Stragglers) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]string, 0, s.count)
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		for range s.names[name] {
			list = append(list, name)
		}
	}
	return list
}

// Drain waits until all have come back. Where ctx is done first, the error says how
// many have not.
func (s *Stragglers) Drain(ctx context.Context) error {
	for {
		s.mu.Lock()
		if s.count == 0 {
			s.mu.Unlock()
			return nil
		}
		fewer, text := s.fewer, s.describe()
		s.mu.Unlock()
		select {
		case <-fewer:
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", text, ctx.Err())
		}
	}
}
