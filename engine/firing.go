package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/hooks"
)

// firing is one event on its way through the plan. It belongs to one goroutine.
type firing struct {
	engine  *Engine
	plan    *plan
	event   *hooks.Context // as rewritten so far
	info    *hooks.EventInfo
	entries []*entry

	frame   *frame // the hook that the event comes from; nil: none
	depth   int    // hooks that it lies in, those above this process included
	started time.Time
	context eventContext

	id       uint64
	numbered int // runs that have a number
	*outcome
	runs     []hooks.Run            // in outcome, while there is one
	failing  sync.Mutex             // guards failures while hooks run
	failures []*hooks.Error         // that on_error is to be told of
	once     []string               // keys of hooks that run once per session and have answered
	denied   *entry                 // whose deny ended the chain
	withheld string                 // the line that stands in the place of the tool's output; "": none
	version  int                    // counts the rewrites
	seen     []int                  // by entry: the version that it has judged; nil before the first rewrite
	again    []bool                 // by entry: whether it ran before the judging round; nil before that
	given    map[string]hooks.Scope // who has given a key of data its value
	texts    [scopes]int            // bytes that the answers of scripts add up to, by the scope's rank

	time       account     // that hooks have used
	stateStuck atomic.Bool // the engine's state was waited for in vain

	lent bool // something that may outlast the event has got the context; see over

	completed hooks.Context // the event as it came, which event is at first
	call      hooks.ToolCall
	paths     [2]string // of the call
}

// outcome is what a firing gives back. Nobody keeps the firing for its sake.
type outcome struct {
	result  hooks.Result
	summary hooks.RunSummary
	one     [1]hooks.Run // as a rule there is one
}

// firings are those that are over and that nobody can have kept.
var firings = sync.Pool{New: func() any { return new(firing) }}

// over gives a firing back, unless its context or its event went to something that may
// still be at work: a call that was left behind, a Go hook, a program, a store.
func (f *firing) over() {
	if f.lent {
		return
	}
	*f = firing{}
	firings.Put(f)
}

// outcomes makes room for what is told of runs.
func (f *firing) outcomes() {
	if f.outcome == nil {
		f.outcome = new(outcome)
		f.runs = f.outcome.one[:0]
	}
}

// warn adds a warning to the result.
func (f *firing) warn(format string, args ...any) {
	f.outcomes()
	f.result.Warnings = append(f.result.Warnings, fmt.Sprintf(format, args...))
}

// enter finds out where the event comes from, and returns the context for what is called
// for it.
func (f *firing) enter(ctx context.Context) context.Context {
	f.context.Context = ctx
	f.context.rewrite = f.info != nil && (len(f.info.Modify) > 0 || f.info.Output != "")
	f.frame, f.depth = frameOf(ctx), f.engine.depth
	if f.frame != nil {
		f.depth += f.frame.depth
	}
	f.turn(ctx)
	return &f.context
}
