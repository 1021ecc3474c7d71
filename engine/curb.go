package engine

import (
	"fmt"
	"maps"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// curb takes out of an answer what its hook has no right to say. The answer itself
// isn't changed; what was taken out is an entry of the run and a warning.
//
//   - A project that isn't trusted may deny, ask, message, and add context and data:
//     an allow would lift the host's own prompt, and a rewritten command is a command.
//   - A parallel hook can't rewrite: the others have judged the input that it had.
//   - A value in data that a higher scope has given stays.
//
// Where the rewrite of a built-in hook was taken out, so is what it says of that to the
// user and in data: it would tell that something was done which wasn't.
func (f *firing) curb(e *entry, r *hooks.Result, run *hooks.Run) *hooks.Result {
	if e.untrusted == "" && e.mode != hooks.ModeParallel && len(r.Data) == 0 {
		return r
	}
	curbed := *r
	drop := func(what, why string) {
		text := fmt.Sprintf("its %s was dropped: %s", what, why)
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: text})
		f.warn("hook %s (%s): %s", e.options.Name, e.source, text)
	}
	if e.untrusted != "" {
		if r.Decision == hooks.Allow {
			drop("allow", e.untrusted)
			curbed.Decision, curbed.Reason = hooks.NoOpinion, ""
		}
		if r.Input != nil {
			drop("rewritten input", e.untrusted)
			curbed.Input = nil
		}
		if r.Output != nil {
			drop("output", e.untrusted)
			curbed.Output = nil
		}
		if r.Halt {
			drop("halt", e.untrusted) // the deny that follows from it stays
			curbed.Halt, curbed.StopReason = false, ""
		}
		if r.SuppressOutput {
			drop("suppress_output", e.untrusted)
			curbed.SuppressOutput = false
		}
	}
	if e.mode == hooks.ModeParallel {
		const why = "a parallel hook can't rewrite, because those beside it have judged what was there before; use mode sync"
		if curbed.Input != nil {
			drop("rewritten input", why)
			curbed.Input = nil
		}
		if curbed.Output != nil && f.info.Output != "" {
			drop("output", why)
			curbed.Output = nil
		}
	}
	if r.Modified && (r.Input != nil || r.Output != nil) {
		curbed.Modified = curbed.Input != nil || curbed.Output != nil
	}
	data := r.Data
	if strings.HasPrefix(e.source, "builtin:") && (r.Input != nil && curbed.Input == nil || r.Output != nil && curbed.Output == nil) {
		curbed.SystemMessage, data = "", nil
	}
	curbed.Data = f.keep(e, data, drop)
	return &curbed
}

// keep leaves out of data the keys that a higher scope has given a value.
func (f *firing) keep(e *entry, data map[string]any, drop func(what, why string)) map[string]any {
	if len(data) == 0 {
		return data
	}
	if f.given == nil {
		f.given = map[string]hooks.Scope{}
	}
	kept := data
	for k := range data {
		scope, given := f.given[k]
		switch {
		case !given:
			f.given[k] = e.scope
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
