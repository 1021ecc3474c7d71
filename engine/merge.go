package engine

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
)

// merge folds the outcome of a run into the result.
func (f *firing) merge(ctx context.Context, e *hook, a *hookCall) {
	run, r, failure := a.run, a.result, a.failure
	defer f.observeEnd(run)
	if run.status == statusSkipped || run.status == statusUncounted {
		return
	}
	if run.said != nil {
		for _, entry := range run.entries {
			if entry.Kind == hooks.EntryWarning { // such as an answer that was made and not returned
				f.warn("hook %s (%s): %s", e.options.Name, e.source, entry.Text)
			}
		}
	}
	if run.judging {
		r = judgingAnswer(r)
	}
	defer f.timeMerge(e, r)()
	if failure == nil && r != nil {
		whole := r
		r = f.dropForbidden(e, r, run)
		if failure = f.lostRewrite(e, whole, r, run); failure == nil {
			failure = f.countText(e, r, run)
		}
	}
	if failure == nil && r != nil {
		failure = f.applyRewrite(e, r, run)
	}
	if failure != nil {
		if a.result != nil {
			keepMessage(run, cut(a.result.SystemMessage))
		}
		f.fail(e, failure, run)
		return
	}
	f.noteOnceRun(e)
	if r == nil {
		return
	}
	if r.Decision == hooks.Deny && r.Reason == "" && r.Halt {
		r.Reason = fmt.Sprintf("hook %s (%s) ended the turn", e.options.Name, e.source)
	}
	if r.Decision == hooks.Deny && r.Reason == "" {
		r.Reason = fmt.Sprintf("hook %s (%s) denied this and gave no reason", e.options.Name, e.source)
		run.warn("it denied without a reason; say what to do instead")
	}
	if r.Decision == hooks.Deny && f.info.Continues && f.capped(ctx, e, r, run) {
		silent := *r
		silent.Decision, silent.Block, silent.Reason = hooks.NoOpinion, false, ""
		r = &silent
	}
	run.answered(r)
	hooks.Merge(&f.result, e.options.Name, r)
	if r.Decision == hooks.Deny {
		run.status = statusBlocked
		f.denied = e
	}
}

// judgingAnswer is what counts of an answer in the judging round.
func judgingAnswer(r *hooks.Result) *hooks.Result {
	if r == nil || (r.Decision != hooks.Deny && r.Decision != hooks.Ask) {
		return nil
	}
	return &hooks.Result{Decision: r.Decision, Reason: r.Reason, Block: r.Block}
}

// timeMerge makes what follows part of the time that a script has, where its answer is
// large.
func (f *firing) timeMerge(e *hook, r *hooks.Result) (done func()) {
	if e.script == nil || r == nil || r.Input == nil && isText(r.Output) && sizeOfResult(r) < 4<<10 {
		return func() {}
	}
	started := f.look()
	return func() {
		f.ended = f.look()
		f.account.chargeFile(e, f.ended.Sub(started))
	}
}

// isText reports whether an output is a text, or there is none.
func isText(output any) bool {
	_, ok := output.(string)
	return ok || output == nil
}

// dropForbidden takes out of an answer what its hook has no right to say. The answer itself
// isn't changed; what was taken out is an entry of the run and a warning.
//
//   - A project that isn't trusted may deny, ask, message, and add context and data:
//     an allow would lift the host's own prompt, and a rewritten command is a command.
//   - A parallel hook can't rewrite: the others have judged the input that it had.
//   - A value in data that a higher scope has given stays.
//
// Where the rewrite of a built-in hook was taken out, so is what it says of that to the
// user and in data: it would tell that something was done which wasn't.
func (f *firing) dropForbidden(e *hook, r *hooks.Result, run *hookRun) *hooks.Result {
	if e.untrusted == "" && e.mode != hooks.ModeParallel && len(r.Data) == 0 {
		return r
	}
	kept := *r
	drop := func(what, why string) {
		text := fmt.Sprintf("its %s was dropped: %s", what, why)
		run.warn(text)
		f.warn("hook %s (%s): %s", e.options.Name, e.source, text)
	}
	if e.untrusted != "" {
		if r.Decision == hooks.Allow {
			drop("allow", e.untrusted)
			kept.Decision, kept.Reason = hooks.NoOpinion, ""
		}
		if r.Input != nil {
			drop("rewritten input", e.untrusted)
			kept.Input = nil
		}
		if r.Output != nil {
			drop("output", e.untrusted)
			kept.Output = nil
		}
		if r.Halt {
			drop("halt", e.untrusted) // the deny that follows from it stays
			kept.Halt, kept.StopReason = false, ""
		}
		if r.SuppressOutput {
			drop("suppress_output", e.untrusted)
			kept.SuppressOutput = false
		}
	}
	if e.mode == hooks.ModeParallel {
		const why = "a parallel hook can't rewrite, because those beside it have judged what was there before; use mode sync"
		if kept.Input != nil {
			drop("rewritten input", why)
			kept.Input = nil
		}
		if kept.Output != nil && f.info.Output != "" {
			drop("output", why)
			kept.Output = nil
		}
	}
	if r.Modified && (r.Input != nil || r.Output != nil) {
		kept.Modified = kept.Input != nil || kept.Output != nil
	}
	data := r.Data
	if strings.HasPrefix(e.source, "builtin:") && (r.Input != nil && kept.Input == nil || r.Output != nil && kept.Output == nil) {
		kept.SystemMessage, data = "", nil
	}
	kept.Data = f.keepData(e, data, drop)
	return &kept
}

// keepData leaves out of data the keys that a higher scope has given a value.
func (f *firing) keepData(e *hook, data map[string]any, drop func(what, why string)) map[string]any {
	if len(data) == 0 {
		return data
	}
	if f.dataScopes == nil {
		f.dataScopes = map[string]hooks.Scope{}
	}
	kept := data
	for k := range data {
		scope, given := f.dataScopes[k]
		switch {
		case !given:
			f.dataScopes[k] = e.scope
		case scope.Rank() < e.scope.Rank():
			if len(kept) == len(data) {
				kept = maps.Clone(data)
			}
			delete(kept, k)
			drop(fmt.Sprintf("data.%s", k), fmt.Sprintf("a hook of the %s scope has given it a value", scope))
		}
	}
	return kept
}

// lostRewrite is the failure of a parallel hook whose rewriting was dropped, where nothing may go
// on without it.
func (f *firing) lostRewrite(e *hook, whole, kept *hooks.Result, run *hookRun) *hooks.Error {
	dropped := whole.Input != nil && kept.Input == nil || whole.Output != nil && kept.Output == nil
	if !dropped || e.mode != hooks.ModeParallel || e.options.OnFailure != hooks.Block || e.untrusted != "" {
		return nil
	}
	failure := &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: "a parallel hook can't rewrite, and this one must not fail; use mode sync"}
	run.end(statusFailed, failure.RunError())
	return failure
}

// maxTexts bounds what the answers of scripts to one event may add up to: their
// reasons, contexts, messages and data. Each script's is bounded already, but a file
// may have many hooks.
const maxTexts = 4 << 20

// countText counts an answer of a script, each scope for itself: a lower one must not use
// up what a higher one needs to judge again. One that is too much is a failed run.
func (f *firing) countText(e *hook, r *hooks.Result, run *hookRun) *hooks.Error {
	if e.script == nil {
		return nil
	}
	texts := &f.textBytes[e.scope.Rank()]
	*texts += sizeOfResult(r)
	if *texts <= maxTexts {
		return nil
	}
	failure := &hooks.Error{
		Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Denied: r.Decision == hooks.Deny,
		Message: "answer: the reasons, contexts, messages and data of all answers of a scope to this event add up to more than 4 MiB",
	}
	run.end(statusFailed, failure.RunError())
	return failure
}

// sizeOfResult is about what an answer adds to a result, in bytes.
func sizeOfResult(r *hooks.Result) int {
	n := len(r.Reason) + len(r.SystemMessage) + len(r.StopReason)
	if len(r.Contexts) == 0 {
		n += len(r.NewContext) // which is the contexts joined
	}
	for _, c := range r.Contexts {
		n += len(c.Text) + partBytes
	}
	for _, w := range r.Warnings {
		n += len(w)
	}
	if r.Data != nil {
		n += sizeOfValue(r.Data)
	}
	return n
}

// partBytes is about what one value takes beside its text.
const partBytes = 100

func sizeOfValue(v any) int {
	n := partBytes
	switch v := v.(type) {
	case string:
		n += len(v)
	case map[string]any:
		for k, e := range v {
			n += len(k) + sizeOfValue(e)
		}
	case []any:
		for _, e := range v {
			n += sizeOfValue(e)
		}
	}
	return n
}

// applyRewrite puts what the hook has rewritten into the event that the next one sees. An
// allow that was given to the older one is void.
func (f *firing) applyRewrite(e *hook, r *hooks.Result, run *hookRun) *hooks.Error {
	if r.Input == nil && (r.Output == nil || f.info.Output == "") {
		return nil
	}
	event, err := f.event.Rewrite(r)
	if err != nil {
		failure := &hooks.Error{Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Message: err.Error(), Err: err, Denied: r.Decision == hooks.Deny}
		run.end(statusFailed, failure.RunError())
		return failure
	}
	if f.seen == nil {
		f.seen = make([]int, len(f.hooks))
	}
	f.event = event
	f.version++
	f.seen[e.order-1] = f.version // which is its own
	if f.result.Decision == hooks.Allow {
		f.result.Decision, f.result.Reason = hooks.NoOpinion, ""
	}
	return nil
}

// maxMessage is how much is kept of a message whose answer can't be used, in bytes.
const maxMessage = 4 << 10

func cut(text string) string { return excerpt.Beginning(text, maxMessage) }
