package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// firing is one event on its way through the plan. It belongs to one goroutine.
type firing struct {
	engine *Engine
	plan   *plan
	given  *hooks.Context // as it came, and complete unless it couldn't be judged
	event  *hooks.Context // as rewritten so far
	info   *hooks.EventInfo
	hooks  []*hook

	frame   *frame // the hook that the event comes from; nil: none
	depth   int    // hooks that it lies in, those above this process included
	started time.Time
	ended   time.Time // when the latest of what takes time was over, as a rule a run
	looked  time.Time // at the clock, the last time; nothing that takes long has been done since
	context eventContext

	laneAt   uint32 // which of an engine's lanes counts it
	id       uint64
	numbered int // runs that have a number
	*outcome
	failing    sync.Mutex     // guards failures while hooks run
	failures   []*hooks.Error // that on_error is to be told of
	once       []string       // keys of hooks that run once per session and have answered
	denied     *hook          // whose deny ended the chain
	withheld   string         // the line that stands in the place of the tool's output; "": none
	asked      askedMatcher
	version    int                    // counts the rewrites
	seen       []int                  // by entry: the version that it has judged; nil before the first rewrite
	ranBefore  []bool                 // by entry: whether it ran before the judging round; nil before that
	dataScopes map[string]hooks.Scope // who has given a key of data its value
	textBytes  [scopes]int            // bytes that the answers of scripts add up to, by the scope's rank

	account    account     // that hooks have used
	stateStuck atomic.Bool // the engine's state was waited for in vain

	machines machines
	latest   atomic.Pointer[pool.State] // that a hook ran in, as a rule one on the same processor; see Acquire
	escaped  bool                       // something that may outlast the event has got the context; see recycle

	answer    hooks.Result  // of the sync hook that ran last, if it gave one
	completed hooks.Context // the event as it came, completed
	call      hooks.ToolCall
	paths     [2]string // of the call
}

// machines are those on which an event's Lua hooks run. They are kept for the next event, which
// finds their memory at hand.
type machines struct{ trusted, untrusted *luabind.Machine }

// of is the machine for a hook: what isn't trusted has another one than the rest. It is nil for those
// that run beside others, each on a machine of its state's own.
func (m *machines) of(e *hook) *luabind.Machine {
	if e.mode != hooks.ModeSync {
		return nil
	}
	at := &m.trusted
	if e.untrusted != "" {
		at = &m.untrusted
	}
	if *at == nil {
		*at = luabind.NewMachine()
	}
	return *at
}

// drop forgets a machine on which a hook has failed; nil is none.
func (m *machines) drop(machine *luabind.Machine) {
	switch machine {
	case nil:
	case m.trusted:
		m.trusted = nil
	case m.untrusted:
		m.untrusted = nil
	}
}

// firings are those that are over and that nobody can have kept.
var firings = sync.Pool{New: func() any { return &firing{laneAt: madeFirings.Add(1) % laneCount} }}

// madeFirings counts them, to give each a lane in turn.
var madeFirings atomic.Uint32

// lane is where an engine counts the firing.
func (f *firing) lane(e *Engine) *lane { return &e.active.lanes[f.laneAt] }

// recycle gives a firing back, unless its context or its event went to something that may
// still be at work: a call that was left behind, a Go hook, a program, a store.
func (f *firing) recycle() {
	machines, latest, laneAt := f.machines, f.latest.Load(), f.laneAt
	if f.escaped {
		f = new(firing)
	} else {
		*f = firing{}
	}
	f.machines, f.laneAt = machines, laneAt
	f.latest.Store(latest)
	firings.Put(f)
}

// look looks at the clock, after what may have taken a while. Only the firing's own goroutine may.
func (f *firing) look() time.Time {
	f.looked = f.now()
	return f.looked
}

// now is the time. It takes one look at the clock, where time.Now takes two.
func (f *firing) now() time.Time { return f.started.Add(time.Since(f.started)) }

// outcomes makes room for what is told of runs.
func (f *firing) outcomes() {
	if f.outcome == nil {
		f.outcome = new(outcome)
	}
}

// warn adds a warning to the result.
func (f *firing) warn(format string, args ...any) {
	f.outcomes()
	f.result.Warnings = append(f.result.Warnings, fmt.Sprintf(format, args...))
}

// scopes is how many there are.
const scopes = 4

// account is the time that the hooks of one event have used, and not what passed while
// none had its turn. Parallel hooks share it.
type account struct {
	scope     [scopes]atomic.Int64 // nanoseconds, by the scope's rank
	untrusted atomic.Int64         // nanoseconds, of scripts that aren't trusted

	long atomic.Bool // one of them has taken so long that it must be looked at
	mu   sync.Mutex
	file map[*pool.Script]time.Duration // by scripts whose hooks have taken long; guarded by mu
}

// charge takes time from what the hooks of the event have together.
func (a *account) charge(e *hook, used time.Duration) {
	a.scope[e.scope.Rank()].Add(int64(used))
	if used >= notLong {
		a.long.Store(true)
	}
}

// notLong is what adds up to nothing.
const notLong = 100 * time.Microsecond

// chargeFile takes time from what the hooks of a hook's script have together, and from what all have that aren't
// trusted. Each pays in full, though it ran beside others: that they run at once doesn't give them more processors.
func (a *account) chargeFile(e *hook, used time.Duration) {
	if e.script == nil {
		return
	}
	if e.untrusted != "" {
		a.untrusted.Add(int64(used))
	}
	if used < notLong {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		a.file = map[*pool.Script]time.Duration{}
	}
	a.file[e.script] += used
	a.long.Store(true)
}

// ofEvent is how much of the event's time is left for the hook. What lower scopes have used
// doesn't count: they could use it all up before a guard judges again.
func (a *account) ofEvent(e *hook) time.Duration {
	left := e.within
	for i := range e.scope.Rank() + 1 {
		left -= time.Duration(a.scope[i].Load())
	}
	return left
}

// untrustedRuns is how many runs, each as long as one may be, scripts that aren't trusted have together for an event.
// Whoever clones a repository waits no longer for it.
const untrustedRuns = 5

// ofUntrusted is how much time is left for a script that isn't trusted, of what all those have together.
func (a *account) ofUntrusted(s *pool.Script) time.Duration {
	return untrustedRuns*s.Environment.Limits.Timeout - time.Duration(a.untrusted.Load())
}

// ofFile is how much time the hooks of a script have for the rest of the event. They share
// what one of them may take, or a file could hold an event up for as long as it has hooks.
func (a *account) ofFile(s *pool.Script) time.Duration {
	left := s.Environment.Limits.Timeout
	if !a.long.Load() {
		return left
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return left - a.file[s]
}

// frame is a hook that is running, as its context tells. Events that are fired with
// that context, or one made from it, come from inside it.
type frame struct {
	engine *Engine
	key    string
	above  *frame
	depth  int
}

type frameKey struct{}

// frameOf is the hook that ctx comes from, or nil.
func frameOf(ctx context.Context) *frame {
	f, _ := ctx.Value(frameKey{}).(*frame)
	return f
}

// hookContext is the context of a hook's run.
func (f *firing) hookContext(ctx context.Context, e *hook) context.Context {
	return context.WithValue(ctx, frameKey{}, &frame{engine: f.engine, key: e.key, above: f.frame, depth: f.depth + 1 - f.engine.depth})
}

// Bounds of what on_error is told of the hooks of one event.
const (
	maxFailures = 8               // that it is fired for
	failureTime = 5 * time.Second // for all of them
)

// noteFailure keeps the failure of a hook, or of an observer, for fireOnError. Parallel runs
// may do so at once.
func (f *firing) noteFailure(failure *hooks.Error) {
	f.failing.Lock()
	defer f.failing.Unlock()
	if len(f.failures) < maxFailures && f.event.Event != hooks.OnError {
		f.failures = append(f.failures, failure)
	}
}

// entriesOf is what an answer had to say.
func entriesOf(r *hooks.Result) (entries []hooks.Entry) {
	add := func(kind hooks.EntryKind, text string) {
		if text != "" {
			entries = append(entries, hooks.Entry{Kind: kind, Text: text})
		}
	}
	if r.Halt {
		add(hooks.EntryStop, r.StopReason)
	}
	if !r.Halt || r.Reason != r.StopReason {
		add(hooks.EntryFeedback, r.Reason)
	}
	if len(r.Contexts) == 0 {
		add(hooks.EntryContext, r.NewContext)
	}
	for _, c := range r.Contexts {
		add(hooks.EntryContext, c.Text)
	}
	return entries
}

// keepMessage notes what a run had to say to the user where the result doesn't.
func keepMessage(run *hookRun, text string) {
	if text != "" {
		run.note(hooks.EntryMessage, text)
	}
}
