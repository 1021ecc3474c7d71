package engine

import (
	"context"
	"time"

	"github.com/luahook/luahook/hooks"
)

// maxParallel is how many hooks of one event run at once.
const maxParallel = 16

// abreast gives how many of the entries, from the first one on, stand side by side:
// parallel hooks of one scope that follow each other. Those of a lower scope wait: there
// may be so many of them that the others would get no turn in the event's time.
func abreast(entries []*entry) int {
	n := 0
	for n < len(entries) && entries[n].mode == hooks.ModeParallel && entries[n].scope == entries[0].scope {
		n++
	}
	return max(n, 1)
}

// together runs parallel hooks at once, each on the event as it is now, and folds
// their answers in the plan's order. Once one denies, those after it don't count.
func (f *firing) together(ctx context.Context, group []*entry) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.lent = true
	var longest, charged time.Duration
	defer func() { f.time.charge(group[0], max(longest-charged, 0)) }()
	first := f.number(len(group))
	attempts := make([]attempt, len(group))
	runs := make([]hooks.Run, len(group))
	ended := make([]bool, len(group)) // by then
	done := make([]chan struct{}, len(group))
	places := make(chan struct{}, maxParallel)
	share := func(used time.Duration) time.Duration { return used / time.Duration(min(len(group), maxParallel)) }
	for i, e := range group {
		done[i] = make(chan struct{})
		go func() {
			places <- struct{}{}
			attempts[i] = f.attempt(ctx, e, &runs[i], first+i)
			ended[i] = ctx.Err() != nil
			f.time.charge(e, share(attempts[i].used))
			<-places
			close(done[i])
		}()
	}
	for i, e := range group {
		<-done[i]
		a := &attempts[i]
		longest, charged = max(longest, a.used), charged+share(a.used)
		a.run = f.record(e, runs[i])
		if f.stopped(e) {
			cancel()
			f.uncount(e, a, ended[i])
		}
		f.merge(ctx, e, a)
		if f.denied != nil {
			cancel()
		}
	}
}

// uncount has a run count for nothing that went on, or was to go on, while a hook before it
// denied; ended tells that its context was over when it was. What it had to say is kept in it.
func (f *firing) uncount(e *entry, a *attempt, ended bool) {
	run, why := a.run, "a parallel hook before it has denied"
	note := func(text string) {
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: text})
	}
	switch {
	case run.Status == hooks.StatusSkipped: // for a reason of its own
	case !a.began:
		run.Status, run.Error, run.Entries = hooks.StatusSkipped, nil, nil
		note("skipped: " + why)
	case a.failure != nil && ended:
		run.Status, run.Error = hooks.StatusUncounted, nil
		note("ended: " + why)
	case a.failure != nil:
		run.Status = hooks.StatusUncounted
		note("its failure doesn't count: " + why)
		keepMessage(run, a.failure.SystemMessage)
		f.noteFailure(named(a.failure, e))
	default:
		run.Status = hooks.StatusUncounted
		note("its answer doesn't count: " + why)
		if r := a.result; r != nil && !run.Judging && f.admit(e, r, &hooks.Run{}) == nil {
			record(run, r)
			keepMessage(run, r.SystemMessage)
		}
	}
	a.result, a.failure = nil, nil
}
