package engine

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// maxTexts bounds what the answers of scripts to one event may add up to: their
// reasons, contexts, messages and data. Each script's is bounded already, but a file
// may have many hooks.
const maxTexts = 4 << 20

// scopes is how many there are.
const scopes = 4

// admit counts an answer of a script, each scope for itself: a lower one must not use
// up what a higher one needs to judge again. One that is too much is a failed run.
func (f *firing) admit(e *entry, r *hooks.Result, run *hooks.Run) *hooks.Error {
	if e.script == nil {
		return nil
	}
	texts := &f.texts[e.scope.Rank()]
	*texts += weight(r)
	if *texts <= maxTexts {
		return nil
	}
	failure := &hooks.Error{
		Kind: hooks.KindResult, Hook: e.options.Name, Source: e.source, Denied: r.Decision == hooks.Deny,
		Message: "answer: the reasons, contexts, messages and data of all answers of a scope to this event add up to more than 4 MiB",
	}
	run.Status, run.Error = hooks.StatusFailed, failure.RunError()
	return failure
}

// weight is about what an answer adds to a result, in bytes.
func weight(r *hooks.Result) int {
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
		n += weightOf(r.Data)
	}
	return n
}

// partBytes is about what one value takes beside its text.
const partBytes = 100

func weightOf(v any) int {
	n := partBytes
	switch v := v.(type) {
	case string:
		n += len(v)
	case map[string]any:
		for k, e := range v {
			n += len(k) + weightOf(e)
		}
	case []any:
		for _, e := range v {
			n += weightOf(e)
		}
	}
	return n
}

// timed makes what follows part of the time that a script has, where its answer is
// large.
func (f *firing) timed(e *entry, r *hooks.Result) (done func()) {
	if e.script == nil || r == nil || (r.Input == nil && r.Output == nil && weight(r) < 4<<10) {
		return func() {}
	}
	started := time.Now()
	return func() { f.time.chargeFile(e.script, time.Since(started)) }
}
