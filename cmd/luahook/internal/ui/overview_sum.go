package ui

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// The kinds of outcome that columns are stacked of, the lowest first.
const (
	denied = iota
	asked
	allowed
	unopposed
	outcomes
)

func outcomeOf(d logindex.Decision) int {
	switch d {
	case logindex.Deny:
		return denied
	case logindex.Ask:
		return asked
	case logindex.Allow:
		return allowed
	}
	return unopposed
}

// objections are how often something was denied and asked, and how often there was a chance to.
type objections struct{ denied, asked, of int }

func (o *objections) add(d logindex.Decision) {
	o.of++
	switch d {
	case logindex.Deny:
		o.denied++
	case logindex.Ask:
		o.asked++
	}
}

// table has values by the ID of a name. IDs are small numbers without many gaps.
type table[T any] []T

func (t *table[T]) at(id logindex.ID) *T {
	if int(id) >= len(*t) {
		*t = append(*t, make([]T, int(id)+1-len(*t))...)
	}
	return &(*t)[id]
}

// of is the value of a name, the zero value if it has none.
func (t table[T]) of(id logindex.ID) (v T) {
	if int(id) < len(t) {
		v = t[id]
	}
	return v
}

// hookRuns are the runs of a hook that it was waited for, or that ran beside.
type hookRuns struct {
	durations    distribution // in microseconds
	instructions distribution // of runs that have counted some
}

// failureOf is what failures are counted by.
type failureOf struct{ hook, kind logindex.ID }

type failures struct {
	runs int
	last int // row of the last one
}

// sum is what the overview counts of some rows.
type sum struct {
	records   int
	events    [outcomes]int
	failed    int          // records in which a run failed
	durations distribution // of events, in microseconds
	first     int64        // and last: of the times that can be drawn
	last      int64
	strange   int       // records whose time can't be drawn
	times     [][]int64 // of events that can be drawn, each with its outcome: milliseconds * outcomes + outcome; in parts
	rules     table[objections]
	hooks     table[objections]
	hosts     table[objections]
	agents    table[objections]
	runs      table[hookRuns]
	failures  map[failureOf]*failures
	costs     []costRow // of all rows, also of those that don't pass
}

// eventCount is the number of events.
func (s *sum) eventCount() int {
	n := 0
	for _, part := range s.events {
		n += part
	}
	return n
}

// newSum makes room for so many events.
func newSum(events int) *sum {
	return &sum{first: math.MaxInt64, last: math.MinInt64, times: [][]int64{make([]int64, 0, events)}, failures: map[failureOf]*failures{}}
}

// add counts a row.
func (s *sum) add(i int, r *logindex.Row) {
	s.records++
	if plausible(r.Time) {
		s.first, s.last = min(s.first, r.Time), max(s.last, r.Time)
	} else {
		s.strange++
	}
	if r.Flags&logindex.Failed != 0 {
		s.failed++
	}
	if r.Kind == logindex.KindDecision {
		s.events[outcomeOf(r.Decision)]++
		s.durations.add(r.DurationUS)
		if plausible(r.Time) {
			s.times[0] = append(s.times[0], r.Time*outcomes+int64(outcomeOf(r.Decision)))
		}
		if r.Decision == logindex.Deny || r.Decision == logindex.Ask {
			s.rules.at(r.Rule).add(r.Decision)
		}
		s.hosts.at(r.Host).add(r.Decision)
		s.agents.at(r.Agent).add(r.Decision)
	}
	for k := range r.Runs {
		run := &r.Runs[k]
		if run.Status == logindex.StatusSkipped || run.Status == logindex.StatusQueued {
			continue // nothing ran, or it has a record of its own
		}
		s.hooks.at(run.Hook).add(run.Decision)
		of := s.runs.at(run.Hook)
		of.durations.add(run.DurationUS)
		if run.Instructions > 0 {
			of.instructions.add(run.Instructions)
		}
		if run.Status == logindex.StatusFailed {
			f := s.failures[failureOf{run.Hook, run.Failure}]
			if f == nil {
				f = &failures{}
				s.failures[failureOf{run.Hook, run.Failure}] = f
			}
			f.runs++
			f.last = i
		}
	}
}

// join adds what was counted of the rows that follow.
func (s *sum) join(o *sum) {
	s.records += o.records
	for i, n := range o.events {
		s.events[i] += n
	}
	s.failed += o.failed
	s.durations.join(&o.durations)
	s.first, s.last = min(s.first, o.first), max(s.last, o.last)
	s.strange += o.strange
	s.times = append(s.times, o.times...)
	joinObjections(&s.rules, o.rules)
	joinObjections(&s.hooks, o.hooks)
	joinObjections(&s.hosts, o.hosts)
	joinObjections(&s.agents, o.agents)
	for id := range o.runs {
		if from := &o.runs[id]; from.durations.n > 0 {
			to := s.runs.at(logindex.ID(id))
			to.durations.join(&from.durations)
			to.instructions.join(&from.instructions)
		}
	}
	for of, from := range o.failures {
		if to := s.failures[of]; to != nil {
			to.runs += from.runs
			to.last = from.last
		} else {
			s.failures[of] = from
		}
	}
	s.costs = append(s.costs, o.costs...)
}

func joinObjections(to *table[objections], from table[objections]) {
	for id, o := range from {
		if o.of > 0 {
			t := to.at(logindex.ID(id))
			t.denied += o.denied
			t.asked += o.asked
			t.of += o.of
		}
	}
}

// sumOf counts the rows of a view that pass, on all processors.
func sumOf(ctx context.Context, v *logindex.View, q logindex.Query) (*sum, error) {
	passes, err := passing(ctx, v, q)
	if err != nil {
		return nil, err
	}
	workers := min(runtime.GOMAXPROCS(0), 1+v.Len()/10_000)
	parts := make([]*sum, workers)
	var wait sync.WaitGroup
	for k := range parts {
		from, end := v.Len()*k/workers, v.Len()*(k+1)/workers
		room := 0
		if passes == nil {
			room = end - from
		}
		parts[k] = newSum(room)
		wait.Go(func() {
			const block = 10_000
			for ; from < end && ctx.Err() == nil; from += block {
				v.Walk(from, min(from+block, end), func(i int, r *logindex.Row) {
					pass := passes == nil || passes[i]
					if r.Cost != nil {
						parts[k].costs = append(parts[k].costs, costRow{i, r.Session, r.Project, r.Host, r.Time, bounded(*r.Cost), pass})
					}
					if pass {
						parts[k].add(i, r)
					}
				})
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	whole := parts[0]
	for _, part := range parts[1:] {
		whole.join(part)
	}
	return whole, nil
}

// passing says of each row whether it passes; nil: all do.
func passing(ctx context.Context, v *logindex.View, q logindex.Query) ([]bool, error) {
	if q == (logindex.Query{}) {
		return nil, nil
	}
	passes := make([]bool, v.Len())
	const block = 50_000
	for from := v.Len(); from > 0; {
		found, err := v.Search(ctx, q, from, block)
		if err != nil {
			return nil, err
		}
		for _, i := range found.Rows {
			passes[i] = true
		}
		if !found.More {
			break
		}
		from = found.Next
	}
	return passes, nil
}
