package engine

import (
	"fmt"
	"path/filepath"

	"github.com/luahook/luahook/hooks"
)

// fail applies the failure policy to the latest run.
func (f *firing) fail(e *entry, failure *hooks.Error, run *hooks.Run) {
	switch f.policy(e) {
	case hooks.Block:
		r := &hooks.Result{Decision: hooks.Deny, Block: true, Reason: blockText(e, failure)}
		hooks.Merge(&f.result, e.options.Name, r)
		f.denied = e
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryError, Text: "blocked: its on_failure is block"})
	case hooks.Warn:
		text := failure.Brief()
		f.result.Warnings = append(f.result.Warnings, text)
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryError, Text: "went on: its on_failure is warn"})
	default:
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryError, Text: "went on: its on_failure is ignore"})
	}
}

// policy is what a failure of the hook means for this event. Where nothing can be
// blocked, and where a block would only keep a broken agent running, block is warn.
func (f *firing) policy(e *entry) hooks.Policy {
	p := e.options.OnFailure
	if p == "" {
		p = f.info.OnFailure
	}
	if p == hooks.Block && (f.info.Blocking == hooks.BlockNever || f.info.Continues) {
		return hooks.Warn
	}
	return p
}

// blockText is what the agent and its user read of a failure that blocks: which
// hook, where, why, and what to do.
func blockText(e *entry, failure *hooks.Error) string {
	if e.fault == nil {
		return fmt.Sprintf("hook %s failed at %s: %s. It is a guard (on_failure: block), so nothing goes on without it: the hook has to be mended.", e.options.Name, failure.Source, failure.Message)
	}
	text := fmt.Sprintf("%s can't be loaded: %s. Its hooks are guards, so nothing goes on without them", failure.Source, failure.Message)
	if failure.Snippet != "" {
		text += fmt.Sprintf(" (the line is: %s)", failure.Snippet)
	}
	if e.fault.path != "" {
		return text + ": mend the file; an edit of it is asked about, not blocked."
	}
	return text + ": mend it."
}

// faulty is the run of a file that can't be used: it fails, unless the call is to
// mend that very file, which a person may allow.
func (f *firing) faulty(e *entry) (*hooks.Result, *hooks.Error) {
	call := f.event.ToolCall
	if e.fault.path == "" || call == nil || (call.Kind != hooks.KindWrite && call.Kind != hooks.KindEdit) || len(call.Paths) == 0 {
		return nil, e.fault.err
	}
	for _, p := range call.Paths {
		if !filepath.IsAbs(p) {
			if f.event.CWD == "" {
				return nil, e.fault.err
			}
			p = filepath.Join(f.event.CWD, p)
		}
		if filepath.Clean(p) != e.fault.path {
			return nil, e.fault.err
		}
	}
	return &hooks.Result{Decision: hooks.Ask, Reason: fmt.Sprintf("this edits %s, which can't be loaded as it is: %s", e.fault.err.Source, e.fault.err.Message)}, nil
}
