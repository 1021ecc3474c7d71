package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Bounds of what waits to run in the background.
const (
	maxQueued      = 1024     // runs
	maxQueuedBytes = 64 << 20 // of their events, about
	maxBackground  = 4        // at work at once

	// Of these a project may have so many: it must not take all from those above it.
	maxProjectQueued     = maxQueued / 2
	maxProjectBytes      = maxQueuedBytes / 2
	maxProjectBackground = maxBackground - 1
)

// background runs async hooks beside the events. Runs begin in the order in which
// they were queued, those of projects after all others; up to maxBackground are at work
// at once. What doesn't fit is dropped and counted. Its goroutines live while there is
// something to do, and no longer than until drain returns, but for those that it names.
type background struct {
	ctx    context.Context // of all runs; ended when drain gives up
	cancel context.CancelFunc

	mu      sync.Mutex
	others  backlog
	project backlog
	atWork  []*hook
	working int // goroutines; where there are none, nothing waits
	closed  bool
	idle    chan struct{} // closed when the last goroutine ends; the next one makes another
}

// backlog is what waits, in order, and what of it is at work.
type backlog struct {
	queue   []queued
	bytes   int
	running int
}

type queued struct {
	firing *firing
	entry  *hook
	ctx    context.Context // values of the caller's, without its end
	number int
	bytes  int
	late   bool // it is due to a run that Close waits for
}

func newBackground() *background {
	b := &background{}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// observe hands the event to an async hook, as it is now.
func (f *firing) observe(e *hook) {
	number := f.nextNumbers(1)
	var run hookRun
	f.startRun(&run, e, number)
	run.status = statusQueued
	defer func() {
		*f.addRun(e) = run
		f.ended = f.look()
	}()
	note := func(status status, text string) {
		run.status = status
		run.warn(text)
	}
	if skip := f.skipReason(e); skip != nil {
		f.releaseClaim(e)
		note(statusSkipped, skip.Message)
		run.end(statusSkipped, trustError(skip))
		return
	}
	own := &firing{engine: f.engine, plan: f.plan, event: f.event.Clone(), info: f.info, started: f.started, id: f.id, frame: f.frame, depth: f.depth}
	own.setPlace()
	mark, _ := f.context.Context.Value(failureKey{}).(failureMark)
	dropped := f.engine.background.add(queued{own, e, context.WithoutCancel(f.context.Context), number, sizeOfEvent(own.event), mark.late && mark.engine == f.engine})
	if dropped != "" {
		f.engine.counters.dropped.Add(1)
		f.releaseClaim(e)
		note(statusSkipped, "dropped: "+dropped)
		f.warn("hook %s (%s): dropped: %s", e.options.Name, e.source, dropped)
	}
}

// releaseClaim lets a hook that runs once per session be queued again in it, unless it has run.
func (f *firing) releaseClaim(e *hook) {
	if !e.options.Once {
		return
	}
	key := f.onceKey(e)
	f.unclaimAmongAll(key)
	f.engine.once.release(key)
}

// sizeOfEvent is about what an event takes, in bytes.
func sizeOfEvent(c *hooks.Context) int {
	n := 1024 + len(c.Prompt) + len(c.Response) + sizeOfValue(c.Fields) + sizeOfValue(c.Metadata)
	if c.ToolCall != nil {
		n += sizeOfValue(c.ToolCall.Input) + sizeOfValue(c.ToolCall.Output)
	}
	return n
}

// add queues a run; the text says why it was dropped.
func (b *background) add(q queued) (dropped string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, most, mostBytes := &b.others, maxQueued, maxQueuedBytes
	if q.entry.scope == hooks.ScopeProject {
		l, most, mostBytes = &b.project, maxProjectQueued, maxProjectBytes
	}
	switch {
	case b.closed && (!q.late || b.ctx.Err() != nil):
		return "the engine is closing"
	case len(l.queue) >= most || len(b.others.queue)+len(b.project.queue) >= maxQueued:
		return fmt.Sprintf("%d runs wait already", min(most, maxQueued))
	case len(l.queue) > 0 && (l.bytes+q.bytes > mostBytes || b.others.bytes+b.project.bytes+q.bytes > maxQueuedBytes):
		return fmt.Sprintf("the events that wait already hold %d MiB", mostBytes>>20)
	}
	l.queue = append(l.queue, q)
	l.bytes += q.bytes
	if b.working < maxBackground {
		if b.working++; b.working == 1 {
			b.idle = make(chan struct{})
		}
		go b.work()
	}
	return ""
}

// work runs what is queued until nothing is.
func (b *background) work() {
	for {
		b.mu.Lock()
		l := b.next()
		if l == nil {
			if b.working--; b.working == 0 {
				close(b.idle)
			}
			b.mu.Unlock()
			return
		}
		q := l.queue[0]
		l.queue[0] = queued{}
		l.queue = l.queue[1:]
		l.bytes -= q.bytes
		l.running++
		b.atWork = append(b.atWork, q.entry)
		b.mu.Unlock()
		q.run(b.ctx)
		b.mu.Lock()
		l.running--
		at := slices.Index(b.atWork, q.entry)
		b.atWork = slices.Delete(b.atWork, at, at+1)
		b.mu.Unlock()
	}
}

// next is the line whose turn it is, nil where there is nothing to begin. What waits for
// a place of the project's is begun by those who are at work on it. b.mu is held.
func (b *background) next() *backlog {
	switch {
	case len(b.others.queue) > 0:
		return &b.others
	case len(b.project.queue) > 0 && b.project.running < maxProjectBackground:
		return &b.project
	}
	return nil
}

// run is the run of an async hook. Nobody waits for what it comes to: the observers
// and the logs get it.
func (q queued) run(ended context.Context) {
	f, e := q.firing, q.entry
	ctx, cancel := context.WithCancel(q.ctx)
	defer cancel()
	defer context.AfterFunc(ended, cancel)()
	f.started = time.Now()
	f.context.Context = ctx
	run := new(hookRun)
	a := hookCall{run: run}
	f.callHook(&f.context, e, &a, q.number, f.started)
	if a.failure == nil && a.result != nil && decides(a.result) {
		a.failure = &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: "answer: an async hook observes while the event goes on, so its answer decides nothing; return nothing, or leave out mode async"}
		run.end(statusFailed, a.failure.RunError())
		keepMessage(run, cut(a.result.SystemMessage))
	}
	if a.failure != nil {
		keepMessage(run, a.failure.SystemMessage)
		f.noteFailure(withHookName(a.failure, e))
		f.engine.counters.fail(a.failure.Kind)
	} else if e.options.Once && run.status != statusSkipped {
		f.stateUsable(f.engine.noteOnce(context.WithoutCancel(&f.context), []string{f.onceKey(e)}, stateWait))
	}
	f.releaseClaim(e)
	for _, note := range f.context.store.Load().told() {
		run.warn(note)
		f.engine.options.logger.Warn(note)
	}
	f.observeEnd(run)
	f.recordRun(ctx, run)
	f.fireOnError(true)
}

// decides reports whether an answer holds anything.
func decides(r *hooks.Result) bool {
	return r.Decision != hooks.NoOpinion || r.Input != nil || r.Output != nil || r.NewContext != "" || len(r.Contexts) > 0 ||
		r.Halt || r.SystemMessage != "" || r.SuppressOutput || len(r.Data) > 0
}

// wait waits until nothing is queued or at work, or ctx is done.
func (b *background) wait(ctx context.Context) error {
	for {
		b.mu.Lock()
		working, idle := b.working, b.idle
		b.mu.Unlock()
		if working == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// drain refuses new runs and waits for those that are queued. Where ctx is done
// before, what waits is dropped and what runs is ended; left says how many those were,
// and stuck names the hooks whose runs have not ended all the same.
func (b *background) drain(ctx context.Context) (left int, stuck []string) {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	if b.wait(ctx) == nil {
		b.cancel()
		return 0, nil
	}
	b.mu.Lock()
	for _, l := range []*backlog{&b.others, &b.project} {
		left += len(l.queue) + l.running
		l.queue, l.bytes = nil, 0
	}
	b.mu.Unlock()
	b.cancel()
	grace, cancel := context.WithTimeout(context.Background(), endGrace)
	defer cancel()
	if b.wait(grace) == nil {
		return left, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.atWork {
		stuck = append(stuck, "hook "+e.options.Name+" ("+e.source+")")
	}
	return left, stuck
}

// resting reports whether nothing is queued or at work.
func (b *background) resting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.working == 0
}
