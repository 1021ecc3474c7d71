package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
)

// merge folds the outcome of the latest run into the result.
func (f *firing) merge(ctx context.Context, e *entry, a *attempt) {
	run, r, failure := &f.runs[len(f.runs)-1], a.result, a.failure
	defer f.observeEnd(run)
	if run.Status == hooks.StatusSkipped || run.Status == hooks.StatusUncounted {
		return
	}
	for _, entry := range run.Entries {
		if entry.Kind == hooks.EntryWarning { // such as an answer that was made and not returned
			f.warn("hook %s (%s): %s", e.options.Name, e.source, entry.Text)
		}
	}
	if run.Judging {
		r = judged(r)
	}
	defer f.timed(e, r)()
	if failure == nil && r != nil {
		whole := r
		r = f.curb(e, r, run)
		if failure = f.unheard(e, whole, r, run); failure == nil {
			failure = f.admit(e, r, run)
		}
	}
	if failure == nil && r != nil {
		failure = f.rewrite(e, r, run)
	}
	if failure != nil {
		if a.result != nil {
			keepMessage(run, cut(a.result.SystemMessage))
		}
		f.fail(e, failure, run)
		return
	}
	f.answered(e)
	if r == nil {
		return
	}
	if r.Decision == hooks.Deny && r.Reason == "" && r.Halt {
		r.Reason = fmt.Sprintf("hook %s (%s) ended the turn", e.options.Name, e.source)
	}
	if r.Decision == hooks.Deny && r.Reason == "" {
		r.Reason = fmt.Sprintf("hook %s (%s) denied this and gave no reason", e.options.Name, e.source)
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: "it denied without a reason; say what to do instead"})
	}
	if r.Decision == hooks.Deny && f.info.Continues && f.capped(ctx, e, r, run) {
		silent := *r
		silent.Decision, silent.Block, silent.Reason = hooks.NoOpinion, false, ""
		r = &silent
	}
	record(run, r)
	hooks.Merge(&f.result, e.options.Name, r)
	if r.Decision == hooks.Deny {
		run.Status = hooks.StatusBlocked
		f.denied = e
	}
}

// unheard is the failure of a parallel hook whose rewriting was dropped, where nothing may go
// on without it.
func (f *firing) unheard(e *entry, whole, curbed *hooks.Result, run *hooks.Run) *hooks.Error {
	dropped := whole.Input != nil && curbed.Input == nil || whole.Output != nil && curbed.Output == nil
	if !dropped || e.mode != hooks.ModeParallel || e.options.OnFailure != hooks.Block || e.untrusted != "" {
		return nil
	}
	failure := &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: "a parallel hook can't rewrite, and this one must not fail; use mode sync"}
	run.Status, run.Error = hooks.StatusFailed, failure.RunError()
	return failure
}

// rewrite puts what the hook has rewritten into the event that the next one sees. An
// allow that was given to the older one is void.
func (f *firing) rewrite(e *entry, r *hooks.Result, run *hooks.Run) *hooks.Error {
	if r.Input == nil && (r.Output == nil || f.info.Output == "") {
		return nil
	}
	event, err := f.event.Rewrite(r)
	if err != nil {
		failure := &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: err.Error(), Err: err, Denied: r.Decision == hooks.Deny}
		run.Status, run.Error = hooks.StatusFailed, failure.RunError()
		return failure
	}
	if f.seen == nil {
		f.seen = make([]int, len(f.entries))
	}
	f.event = event
	f.version++
	f.seen[e.order-1] = f.version // which is its own
	if f.result.Decision == hooks.Allow {
		f.result.Decision, f.result.Reason = hooks.NoOpinion, ""
	}
	return nil
}

// record notes what a run had to say.
func record(run *hooks.Run, r *hooks.Result) {
	add := func(kind hooks.EntryKind, text string) {
		if text != "" {
			run.Entries = append(run.Entries, hooks.Entry{Kind: kind, Text: text})
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
}

// maxMessage is how much is kept of a message whose answer can't be used, in bytes.
const maxMessage = 4 << 10

func cut(text string) string { return beginning(text, maxMessage) }

// keepMessage notes what a run had to say to the user where the result doesn't.
func keepMessage(run *hooks.Run, text string) {
	if text != "" {
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryMessage, Text: text})
	}
}

// judge is the one round over the final input: every hook that matches it, and has
// neither seen it nor made it, runs again. Only its deny, its ask and its failure count, and
// what it does beside answering was done by its first run; see lib.Effects.
func (f *firing) judge(ctx context.Context) {
	if f.version == 0 || f.denied != nil {
		return
	}
	final := *f.event
	final.Judging = true
	f.event = &final
	f.again = make([]bool, len(f.entries))
	for i := range f.runs {
		if r := &f.runs[i]; r.Status != hooks.StatusSkipped {
			f.again[r.Order-1] = true
		}
	}
	f.pass(ctx, 0, len(f.entries), func(i int, e *entry) bool { return f.seen[i] != f.version && e.mode != hooks.ModeAsync })
}

// judged is what counts of an answer in the judging round.
func judged(r *hooks.Result) *hooks.Result {
	if r == nil || (r.Decision != hooks.Deny && r.Decision != hooks.Ask) {
		return nil
	}
	return &hooks.Result{Decision: r.Decision, Reason: r.Reason, Block: r.Block}
}

// report fills in the summary.
func (f *firing) report() (*hooks.Result, error) {
	f.settle()
	f.tellFailures(false)
	caller := f.context.Context
	if len(f.runs) == 0 {
		nothing := f.plan.at(f.event.Event).nothing
		f.engine.decided(caller, f.event.Event, nothing)
		return nothing, nil
	}
	r := &f.result
	if r.Block && r.Output != nil && f.event.Event == hooks.PreToolCall {
		r.Output, r.Modified = nil, r.Input != nil // a deny answers in place of a respond
	}
	if f.withheld != "" {
		r.Output, r.Modified = f.withheld, true
	}
	for _, note := range f.context.store.Load().told() {
		f.warn("%s", note)
	}
	if len(f.plan.warnings) > 0 {
		r.Warnings = slices.Concat(f.plan.warnings, r.Warnings)
	}
	f.summary = hooks.RunSummary{
		Event: f.event.Event, Generation: f.plan.generation, StartedAt: f.started,
		DurationMS: float64(time.Since(f.started).Microseconds()) / 1000, Runs: f.runs,
	}
	r.Summary = &f.summary
	f.engine.decided(caller, f.event.Event, r)
	return r, caller.Err()
}

// Unjudged is the result of an event that could not be judged, and why, as [Engine.Fire]
// gives it: for a program that fails before it can fire the event. Of one whose name isn't
// known ("") it denies.
func Unjudged(event hooks.Event, err error) *hooks.Result { return refusal(event, err) }

// refusal is the result of an event that can't be judged.
func refusal(event hooks.Event, err error) *hooks.Result {
	name := event
	if parsed, e := hooks.ParseEvent(string(event)); e == nil {
		name = parsed
	}
	r := &hooks.Result{Summary: &hooks.RunSummary{Event: name, StartedAt: time.Now(), Runs: []hooks.Run{}}}
	info := hooks.Lookup(name)
	if info != nil && (info.Blocking == hooks.BlockNever || info.Continues) {
		r.Warnings = []string{err.Error()}
		return r
	}
	r.Decision, r.Block, r.Reason = hooks.Deny, true, err.Error()
	if info != nil && info.Output != "" {
		r.Output, r.Modified = withheld("no hook could look at it"), true
	}
	return r
}
