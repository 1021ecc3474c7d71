package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

// fail applies the failure policy to the latest run.
func (f *firing) fail(e *hook, failure *hooks.Error, run *hookRun) {
	f.engine.counters.fail(failure.Kind)
	keepMessage(run, failure.SystemMessage)
	f.noteFailure(withHookName(failure, e))
	switch f.policy(e, failure) {
	case hooks.Block:
		r := &hooks.Result{Decision: hooks.Deny, Block: true, Reason: blockText(e, failure, f.context.store.Load().explains(failure))}
		hooks.Merge(&f.result, e.options.Name, r)
		f.denied = e
		f.withhold(e)
		text := "blocked: its on_failure is block"
		if failure.Denied {
			text = "blocked: its answer was a deny"
		}
		run.note(hooks.EntryError, text)
	case hooks.Warn:
		if e.loadError == nil { // of which every result tells
			f.warn("%s", failure.Brief())
		}
		text := "went on: its on_failure is warn"
		if e.options.OnFailure == hooks.Block {
			text = fmt.Sprintf("went on: a failure never blocks %s", f.info.Name)
		}
		run.note(hooks.EntryError, text)
	default:
		run.note(hooks.EntryError, "went on: its on_failure is ignore")
	}
}

// policy is what a failure of the hook means for this event. Where nothing can be
// blocked, and where a block would only keep a broken agent running, block is warn;
// elsewhere an answer that was a deny blocks whatever on_failure says.
func (f *firing) policy(e *hook, failure *hooks.Error) hooks.Policy {
	p := e.options.OnFailure
	if p == "" {
		p = f.info.OnFailure
	}
	blocks := f.info.Blocking != hooks.BlockNever && !f.info.Continues
	switch {
	case blocks && failure.Denied:
		return hooks.Block
	case !blocks && p == hooks.Block:
		return hooks.Warn
	}
	return p
}

// withhold puts a line in the place of what the tool gave back: the hook that failed might have
// taken something out of it. Whatever other hooks make of it, the line stays.
func (f *firing) withhold(e *hook) {
	if f.info.Output == "" || f.withheld != "" || f.event.ToolCall == nil || f.event.ToolCall.Output == nil {
		return
	}
	name := "hook " + e.options.Name
	if e.loadError != nil {
		name = source.Plain(e.loadError.err.Source)
	}
	f.withheld = withheld(name + ", which must not fail here, has failed")
	event, call := *f.event, *f.event.ToolCall
	call.Output = f.withheld
	event.ToolCall = &call
	f.event = &event
}

// withheld is what stands in the place of an output that nobody may see.
func withheld(why string) string {
	return "[withheld: what the tool gave back isn't shown: " + why + "]"
}

// blockText is what the agent and its user read of a failure that blocks: which
// hook, where, why, and what to do. storeFails says that it's the store which is to be mended.
func blockText(e *hook, failure *hooks.Error, storeFails bool) string {
	if failure.Denied {
		return sentence(fmt.Sprintf("hook %s denied this at %s, with an answer that can't be used as it stands: %s", e.options.Name, failure.Source, failure.Message)) + " Fix the hook."
	}
	if e.loadError == nil {
		text := sentence(fmt.Sprintf("hook %s failed at %s: %s", e.options.Name, failure.Source, failure.Message)) + " It is a guard (on_failure: block), so nothing goes on without it"
		if errors.Is(failure, context.Canceled) || errors.Is(failure, context.DeadlineExceeded) || failure.Kind == hooks.KindTrust {
			return text + "."
		}
		if storeFails {
			return text + ". The hook is in order: mend the store, and try again."
		}
		return text + ": fix the hook."
	}
	text := fmt.Sprintf("%s can't be loaded: %s", failure.Source, failure.Message)
	shown := ""
	if failure.Snippet != "" {
		shown = "\n" + failure.Snippet
	}
	if errors.Is(failure, context.Canceled) || errors.Is(failure, context.DeadlineExceeded) { // there is nothing to fix
		return sentence(text) + " Its hooks are guards, so nothing goes on without them."
	}
	text = sentence(text) + " Its hooks are guards, so nothing goes on without them: fix it"
	if len(e.loadError.paths) > 0 {
		text += "; an edit of the file is asked about, not blocked"
	}
	return text + "." + shown
}

// sentence ends a text with a full stop where it has no end yet.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return text + "."
}

// withHookName is a failure with the name of its hook, which that of a file that doesn't load hasn't.
func withHookName(failure *hooks.Error, e *hook) *hooks.Error {
	if failure.Hook != "" {
		return failure
	}
	with := *failure
	with.Hook = e.options.Name
	return &with
}

func gaveUp(ctx context.Context, message string) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message + ": " + ctx.Err().Error(), Err: ctx.Err()}
}

func panicked(r any) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("it panicked: %v", r), Traceback: string(debug.Stack())}
}
