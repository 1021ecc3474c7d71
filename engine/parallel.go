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
	started := time.Now()
	defer func() {
		f.now = time.Now()
		f.used[group[0].scope.Rank()] += f.now.Sub(started)
	}()
	first := f.number(len(group))
	attempts := make([]attempt, len(group))
	runs := make([]hooks.Run, len(group))
	done := make([]chan struct{}, len(group))
	places := make(chan struct{}, maxParallel)
	for i, e := range group {
		done[i] = make(chan struct{})
		go func() {
			places <- struct{}{}
			attempts[i] = f.attempt(ctx, e, &runs[i], first+i, time.Now())
			<-places
			close(done[i])
		}()
	}
	for i, e := range group {
		<-done[i]
		a := &attempts[i]
		if f.stopped(e) {
			cancel()
			a.result, a.failure = nil, nil
			a.run.Status, a.run.Error, a.run.Instructions = hooks.StatusSkipped, nil, 0
			a.run.Entries = []hooks.Entry{{Kind: hooks.EntryWarning, Text: "skipped: a parallel hook before it has denied"}}
		}
		a.run = f.record(e, runs[i])
		f.merge(ctx, e, a)
		if f.denied != nil {
			cancel()
		}
	}
}
