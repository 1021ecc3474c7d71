package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Bounds of what waits to run in the background.
const (
	maxQueued      = 1024     // runs
	maxQueuedBytes = 64 << 20 // of their events, about
	maxBackground  = 4        // at work at once
)

// background runs async hooks beside the events. Runs begin in the order in which
// they were queued; up to maxBackground are at work at once. What doesn't fit is
// dropped and counted. Its goroutines live while there is something to do, and no
// longer than until drain returns.
type background struct {
	ctx    context.Context // of all runs; ended when drain gives up
	cancel context.CancelFunc

	mu      sync.Mutex
	queue   []queued
	bytes   int
	working int // goroutines
	running int // runs at work
	closed  bool
	idle    chan struct{} // closed when nothing is left to do after closed
}

type queued struct {
	firing *firing
	entry  *entry
	ctx    context.Context // values of the caller's, without its end
	number int
	bytes  int
}

func newBackground() *background {
	b := &background{idle: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// add queues a run; the text says why it was dropped.
func (b *background) add(q queued) (dropped string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return "the engine is closing"
	case len(b.queue) == maxQueued:
		return fmt.Sprintf("%d runs wait already", maxQueued)
	case len(b.queue) > 0 && b.bytes+q.bytes > maxQueuedBytes:
		return fmt.Sprintf("the events that wait already hold %d MiB", maxQueuedBytes>>20)
	}
	b.queue = append(b.queue, q)
	b.bytes += q.bytes
	if b.working < maxBackground {
		b.working++
		go b.work()
	}
	return ""
}

// work runs what is queued until nothing is.
func (b *background) work() {
	for {
		b.mu.Lock()
		if len(b.queue) == 0 {
			b.working--
			if b.closed && b.working == 0 {
				close(b.idle)
			}
			b.mu.Unlock()
			return
		}
		q := b.queue[0]
		b.queue[0] = queued{}
		b.queue = b.queue[1:]
		b.bytes -= q.bytes
		b.running++
		b.mu.Unlock()
		q.run(b.ctx)
		b.mu.Lock()
		b.running--
		b.mu.Unlock()
	}
}

// drain refuses new runs and waits for those that are queued. Where ctx is done
// before, what waits is dropped and what runs is ended; left says how many those were.
func (b *background) drain(ctx context.Context) (left int) {
	b.mu.Lock()
	if !b.closed {
		b.closed = true
		if b.working == 0 {
			close(b.idle)
		}
	}
	b.mu.Unlock()
	select {
	case <-b.idle:
		b.cancel()
		return 0
	default:
	}
	select {
	case <-b.idle:
		b.cancel()
		return 0
	case <-ctx.Done():
	}
	b.mu.Lock()
	left = len(b.queue) + b.running
	b.queue, b.bytes = nil, 0
	b.mu.Unlock()
	b.cancel()
	<-b.idle // each run ends soon after its context
	return left
}

// observe hands the event to an async hook, as it is now.
func (f *firing) observe(ctx context.Context, e *entry) {
	number := f.number(1)
	a := attempt{run: f.newRun(e, number)}
	a.run.Status = hooks.StatusQueued
	defer func() { f.record(e, &a) }()
	note := func(status hooks.Status, text string) {
		a.run.Status, a.run.Entries = status, []hooks.Entry{{Kind: hooks.EntryWarning, Text: text}}
	}
	if skip := f.skips(e); skip != nil {
		note(hooks.StatusSkipped, skip.Message)
		a.run.Error = trustError(skip)
		return
	}
	own := &firing{engine: f.engine, plan: f.plan, event: f.event.Clone(), info: f.info, started: f.started, id: f.id, frame: f.frame, depth: f.depth}
	dropped := f.engine.background.add(queued{own, e, context.WithoutCancel(ctx), number, weightOfEvent(own.event)})
	if dropped != "" {
		f.engine.counters.dropped.Add(1)
		f.forget(ctx, e)
		note(hooks.StatusSkipped, "dropped: "+dropped)
		f.result.Warnings = append(f.result.Warnings, fmt.Sprintf("hook %s (%s): dropped: %s", e.options.Name, e.source, dropped))
	}
}

// run is the run of an async hook. Nobody waits for what it comes to: the observers
// and the log get it.
func (q queued) run(ended context.Context) {
	f, e := q.firing, q.entry
	ctx, cancel := context.WithCancel(q.ctx)
	defer cancel()
	defer context.AfterFunc(ended, cancel)()
	f.started = time.Now()
	a := f.attempt(ctx, e, q.number)
	if a.failure == nil && a.result != nil && decides(a.result) {
		a.failure = &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: "answer: an async hook observes while the event goes on, so its answer decides nothing; return nothing, or leave out mode async"}
		a.run.Status, a.run.Error = hooks.StatusFailed, a.failure.RunError()
	}
	if a.failure != nil {
		f.engine.counters.fail(a.failure.Kind)
		f.forget(ctx, e)
	}
	f.engine.observeEnd(ctx, &a.run)
}

// decides tells whether an answer holds anything.
func decides(r *hooks.Result) bool {
	return r.Decision != hooks.NoOpinion || r.Input != nil || r.Output != nil || r.NewContext != "" || len(r.Contexts) > 0 ||
		r.Halt || r.SystemMessage != "" || len(r.Data) > 0
}

// weightOfEvent is about what an event takes, in bytes.
func weightOfEvent(c *hooks.Context) int {
	n := 1024 + len(c.Prompt) + len(c.Response) + weightOf(c.Fields) + weightOf(c.Metadata)
	if c.ToolCall != nil {
		n += weightOf(c.ToolCall.Input) + weightOf(c.ToolCall.Output)
	}
	return n
}
