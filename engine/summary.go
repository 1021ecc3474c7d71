package engine

import (
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
)

// outcome is what a firing gives back. Nobody keeps the firing for its sake. It doesn't change
// any more once the result is out.
type outcome struct {
	result     hooks.Result
	event      *hooks.EventInfo
	generation uint64
	fire       uint64 // the event's number
	started    time.Time
	took       time.Duration
	ran        int
	first      hookRun     // as a rule there is one
	blocks     [][]hookRun // the others: what is noted stays where it is
}

// maxBlock is how many runs there are in a block; the first ones have room for fewer.
const maxBlock = 64

// add makes room for another run, of no more than so many to come.
func (o *outcome) add(most int) *hookRun {
	o.ran++
	if o.ran == 1 {
		return &o.first
	}
	last := len(o.blocks) - 1
	if last < 0 || len(o.blocks[last]) == cap(o.blocks[last]) {
		o.blocks = append(o.blocks, make([]hookRun, 0, min(max(o.ran-1, 16), most, maxBlock)))
		last++
	}
	block := append(o.blocks[last], hookRun{})
	o.blocks[last] = block
	return &block[len(block)-1]
}

// runs are the runs in the order in which they were added.
func (o *outcome) runs(yield func(*hookRun) bool) {
	if o.ran > 0 && !yield(&o.first) {
		return
	}
	for _, block := range o.blocks {
		for i := range block {
			if !yield(&block[i]) {
				return
			}
		}
	}
}

// hookRun is what is noted of one call of one hook. It is a quarter of a [hooks.Run], which is made
// of it for who asks.
type hookRun struct {
	hook         *hook
	took         time.Duration
	instructions int64
	number       int32
	status       status
	judging      bool
	decision     decision // of the answer, as far as it counts
	modified     bool     // by it
	reason       string   // that it gave
	*said                 // nil: nothing
}

// decision is a [hooks.Decision].
type decision uint8

var decisions = [...]hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny}

// decisionOf is where a decision stands in decisions.
func decisionOf(d hooks.Decision) decision {
	switch d {
	case hooks.Allow:
		return 1
	case hooks.Ask:
		return 2
	case hooks.Deny:
		return 3
	}
	return 0
}

// status is a [hooks.Status].
type status uint8

const (
	statusRunning status = iota
	statusCompleted
	statusBlocked
	statusFailed
	statusUncounted
	statusSkipped
	statusQueued
)

var statuses = [...]hooks.Status{
	hooks.StatusRunning, hooks.StatusCompleted, hooks.StatusBlocked, hooks.StatusFailed, hooks.StatusUncounted, hooks.StatusSkipped, hooks.StatusQueued,
}

// said is what a run has to say beside a decision and its reason.
type said struct {
	entries []hooks.Entry
	answer  []hooks.Entry // of an answer that says more
	err     *hooks.RunError
	command *hooks.CommandRun
}

// says gives room for what the run has to say.
func (r *hookRun) says() *said {
	if r.said == nil {
		r.said = new(said)
	}
	return r.said
}

// note adds an entry.
func (r *hookRun) note(kind hooks.EntryKind, text string) {
	s := r.says()
	s.entries = append(s.entries, hooks.Entry{Kind: kind, Text: text})
}

// warn adds a warning.
func (r *hookRun) warn(text string) { r.note(hooks.EntryWarning, text) }

// noteAll adds what was noted elsewhere.
func (r *hookRun) noteAll(entries []hooks.Entry) {
	if len(entries) > 0 {
		r.says().entries = append(r.entries, entries...)
	}
}

// answered notes an answer, as far as it counts.
func (r *hookRun) answered(a *hooks.Result) {
	r.decision, r.modified = decisionOf(a.Decision), a.Input != nil || a.Output != nil
	if a.Halt || a.NewContext != "" || len(a.Contexts) > 0 {
		r.says().answer = entriesOf(a)
	} else {
		r.reason = a.Reason
	}
}

// end says how the run ended, and why; nil: there is no error.
func (r *hookRun) end(status status, err *hooks.RunError) {
	r.status = status
	if err != nil || r.said != nil {
		r.says().err = err
	}
}

// failed reports whether the run has an error.
func (r *hookRun) failed() bool { return r.said != nil && r.err != nil }

// describe makes what observers and results tell of the run.
func (r *hookRun) describe(event hooks.Event, fire uint64) hooks.Run {
	e := r.hook
	d := hooks.Run{
		ID: hooks.RunID{Fire: fire, Number: int(r.number)}, Hook: e.options.Name, Event: event, Handler: e.handler, Mode: e.mode,
		Scope: e.scope, Source: e.source, Order: e.order, Judging: r.judging,
		Status: statuses[r.status], DurationUS: r.took.Microseconds(), Instructions: r.instructions,
	}
	d.Decision, d.Modified = decisions[r.decision], r.modified
	if s := r.said; s != nil {
		d.Entries, d.Error, d.Command = slices.Concat(s.entries, s.answer), s.err, s.command
	}
	if r.reason != "" {
		d.Entries = append(d.Entries, hooks.Entry{Kind: hooks.EntryFeedback, Text: r.reason})
	}
	return d
}

// Summarize implements [hooks.Summarizer].
func (o *outcome) Summarize() *hooks.RunSummary {
	s := &hooks.RunSummary{Event: o.event.Name, Generation: o.generation, StartedAt: o.started, DurationMS: float64(o.took.Microseconds()) / 1000, Runs: make([]hooks.Run, 0, o.ran)}
	for run := range o.runs {
		s.Runs = append(s.Runs, run.describe(o.event.Name, o.fire))
	}
	return s
}
