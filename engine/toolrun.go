package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// ToolVerdict says what pre_tool_call has come to, and what its caller does next.
type ToolVerdict int

// The verdicts.
const (
	ToolRuns      ToolVerdict = iota // run the tool with [ToolRun.Input]
	ToolAsks                         // ask a person for [ToolRun.Reason], then Allow, Refuse, Unanswered or Suspend
	ToolRefused                      // don't run it; End says what the model reads
	ToolAnswered                     // a hook has answered in the tool's place; End has the answer
	ToolSuspended                    // the call waits, and will be begun again
)

// ErrSuspended is what an [AskFunc] returns where the person answers later, in a call that is
// begun again: no post_tool_call is fired for this one. It is also the error of the call.
var ErrSuspended = errors.New("luahook: the call waits for a person")

// ToolRun is one tool call under hooks, in two phases: [Engine.BeginTool] fires pre_tool_call,
// and End post_tool_call. It is for adapters of agents that run tools themselves;
// [Engine.WrapTool] is built on it, and does for a Go function all that it asks for.
//
// It belongs to one goroutine at a time.
type ToolRun struct {
	engine   *Engine
	settings toolSettings
	event    *hooks.Context // pre_tool_call, as rewritten
	pre      *hooks.Result
	verdict  ToolVerdict
	began    time.Time // of the tool itself, as far as it is known
	duration time.Duration
	done     bool // the body has been run by Do
	unjudged bool // no hook has seen the call, so that there is nothing to follow it

	output   any // what a hook has answered in the tool's place, or why it was refused
	err      error
	outcome  hooks.Outcome
	contexts []hooks.ContextEntry
	answer   *ToolAnswer // of End
}

// ToolAnswer is what a tool call has come to.
type ToolAnswer struct {
	Outcome  hooks.Outcome // what post_tool_call was told; "" where it wasn't fired
	Output   any           // what the model is to read: the tool's own, a hook's in its place, or why there is none
	Replaced bool          // Output isn't what End was given, an output or an error: nothing of that may reach the model
	Feedback string        // a hook of post_tool_call objects to what has happened
	Contexts []hooks.ContextEntry
	Err      error // the tool's own, a [*PanicError], a [*ToolError], [ErrSuspended]; nil: it ran without one, or a hook answered

	Halt       bool   // a hook ends the whole turn
	StopReason string // why
}

// BeginTool fires pre_tool_call for a call that is about to happen, by the caller and with
// the call's id that ctx names ([WithCaller], [WithToolCallID]) where call doesn't say them.
// The input may hold whatever [hooks.PlainValue] takes; a nil one is empty.
//
// Where a hook asks, permission_request is fired: its hooks may deny, and they may allow where
// none of a higher scope has asked. What they would rewrite is left aside, as the hooks of
// pre_tool_call have not seen it. With call.Resumed, which says that a person has been asked
// about this very call before, it isn't fired again.
//
// Every call that is begun is ended, by End or by Suspend.
func (e *Engine) BeginTool(ctx context.Context, call hooks.ToolCall, o ...ToolOption) *ToolRun {
	return e.beginTool(ctx, call, newToolSettings(o))
}

func (e *Engine) beginTool(ctx context.Context, call hooks.ToolCall, s toolSettings) *ToolRun {
	r := &ToolRun{engine: e, settings: s, event: &hooks.Context{Event: hooks.PreToolCall, ToolCall: &call}}
	if err := e.checkUse(ctx); err != nil {
		return r.unjudgeable("it can't be called, because no hook could judge the call", nil, err)
	}
	if call.ID == "" {
		call.ID = toolCallID(ctx)
	}
	if call.Kind == "" {
		call.Kind = s.kind
	}
	if call.Input == nil && call.Command == "" {
		call.Input = map[string]any{}
	}
	r.event = CallerFrom(ctx).Event(hooks.PreToolCall)
	r.event.ToolCall = &call
	event, err := r.event.Complete()
	if err != nil {
		return r.unjudgeable("its call can't be judged: "+err.Error(), nil, err)
	}
	r.event = event
	pre, err := e.Fire(ctx, event)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) { // no hook has seen it
		return r.unjudgeable("its call can't be judged: "+err.Error(), pre, err)
	}
	r.pre = pre
	r.handOver(ctx, pre)
	rewritten, err := event.Rewrite(pre)
	switch {
	case err != nil: // which the engine has found no fault with
		r.refuse(pre, "its rewritten input can't be used: "+err.Error(), err)
	case pre.Block:
		r.event = rewritten
		r.refuse(pre, pre.Reason, nil)
	default:
		r.event = rewritten
		if r.allow(); pre.Decision == hooks.Ask {
			r.verdict = ToolAsks
			r.requestPermission(ctx)
		}
	}
	r.began = time.Now()
	return r
}

// Verdict is what has come of the call so far.
func (r *ToolRun) Verdict() ToolVerdict { return r.verdict }

// Reason is why a hook asks, or why the call is refused; for a person and the model.
func (r *ToolRun) Reason() string {
	if r.verdict == ToolRefused {
		return modelText(r.err)
	}
	if r.pre == nil {
		return ""
	}
	return r.pre.Reason
}

// Input is the tool's input as the hooks have left it. Don't change it.
func (r *ToolRun) Input() map[string]any { return r.event.ToolCall.Input }

// Rewritten reports whether a hook has rewritten the input.
func (r *ToolRun) Rewritten() bool { return r.pre != nil && r.pre.Input != nil }

// Event is what would happen, with all rewrites in it, for whoever asks a person. Don't change it.
func (r *ToolRun) Event() *hooks.Context { return r.event }

// Allow is the yes of a person to a call that asks. Of another one it does nothing.
func (r *ToolRun) Allow() {
	if r.verdict == ToolAsks {
		r.allow()
	}
}

func (r *ToolRun) allow() {
	r.verdict = ToolRuns
	if r.pre.Output != nil {
		r.verdict, r.output, r.outcome = ToolAnswered, r.pre.Output, hooks.OutcomeOK
	}
}

// Refuse is the no of a person to a call that asks, with what they say ("": nothing), and
// fires permission_denied. Of another call it does nothing.
func (r *ToolRun) Refuse(ctx context.Context, comment string) {
	if r.verdict == ToolAsks {
		if comment == "" {
			comment = r.pre.Reason
		}
		r.deny(ctx, withReason("a person was asked and said no", comment), nil)
	}
}

// Unanswered refuses a call that asks where nobody could be asked, and why. It fires
// permission_denied. Of another call it does nothing.
func (r *ToolRun) Unanswered(ctx context.Context, err error) {
	if r.verdict == ToolAsks {
		if err == nil {
			err = errNobodyToAsk
		}
		r.deny(ctx, unanswered(r.pre.Reason, err), err)
	}
}

// Ask puts a call that asks to the function of [AskWith] or [WithAsk], as Do does, for callers
// that don't run the tool by Do. Of another call it does nothing.
func (r *ToolRun) Ask(ctx context.Context) {
	if r.verdict == ToolAsks {
		r.ask(ctx)
	}
}

// Suspend ends the call without post_tool_call: it waits for a person, or the tool itself does,
// and will be begun again, with [hooks.ToolCall.Resumed] set where a person was asked.
func (r *ToolRun) Suspend() {
	if r.answer == nil {
		r.verdict, r.err = ToolSuspended, ErrSuspended
		r.answer = &ToolAnswer{Output: r.Reason(), Err: ErrSuspended, Contexts: r.contexts}
	}
}

// Do runs the tool where the verdict says so, and times it: body gets a context that carries
// the engine and ends with the time of [ToolTimeout]. A call that asks is put to the function
// of [AskWith] or [WithAsk] first. What body panics with, or that it ends its goroutine, is its
// error, a [*PanicError]. Where body doesn't run, nothing is returned. Give End what Do returns.
func (r *ToolRun) Do(ctx context.Context, body func(ctx context.Context) (output any, err error)) (output any, err error) {
	r.Ask(ctx)
	if r.verdict != ToolRuns && r.verdict != ToolAnswered || r.answer != nil {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		r.verdict, r.outcome, r.output = ToolRefused, outcomeOf(ctx, err), nil
		r.err = &ToolError{Tool: r.name(), Message: "it did not run, because its caller gave up: " + err.Error(), Outcome: r.outcome, Result: r.pre, Err: err}
		return nil, nil
	}
	if r.verdict == ToolAnswered {
		return nil, nil
	}
	return r.body(NewContext(ctx, r.engine), body)
}

// body runs the tool itself. Where it ends its goroutine, post_tool_call is fired on the way
// out.
func (r *ToolRun) body(ctx context.Context, body func(ctx context.Context) (any, error)) (output any, err error) {
	if r.settings.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.settings.timeout)
		defer cancel()
	}
	returned := false
	r.began = time.Now()
	defer func() {
		r.duration, r.done = time.Since(r.began), true
		if returned {
			r.outcome = outcomeOf(ctx, err)
			return
		}
		r.outcome = hooks.OutcomeError
		if p := recover(); p != nil {
			output, err = nil, &PanicError{Tool: r.name(), Value: p, Stack: debug.Stack()}
			return
		}
		r.End(ctx, nil, errGoexit) // nobody is left to do so
	}()
	output, err = body(ctx)
	returned = true
	return output, err
}

var errGoexit = errors.New("the tool ended its goroutine (runtime.Goexit)")

// End fires post_tool_call with what the tool came back with, and says what the call has come
// to. output may hold whatever [hooks.PlainValue] takes, as text, as JSON's own shapes, or as
// the host's structs, which hooks see as JSON has them; what can't be made plain is withheld.
// Of a call that did not run neither output nor err counts. post_tool_call is fired where ctx
// is done, too, with 5 s for all its hooks. A second End gives the answer of the first.
//
// Where the call still asks, nobody was asked: it is refused.
func (r *ToolRun) End(ctx context.Context, output any, err error) *ToolAnswer {
	if r.answer != nil {
		return r.answer
	}
	r.Unanswered(ctx, nil)
	if r.verdict == ToolRuns {
		r.output, r.err = output, err
		if !r.done {
			r.duration, r.outcome = time.Since(r.began), outcomeOf(ctx, err)
		}
	}
	if r.err != nil && (r.output == nil || r.output == "") {
		r.output = modelText(r.err)
	}
	r.answer = &ToolAnswer{
		Outcome: r.outcome, Output: r.output, Replaced: r.verdict != ToolRuns,
		Err: r.err, Contexts: r.contexts,
	}
	if refused := (*ToolError)(nil); errors.As(r.err, &refused) && refused.Halt {
		r.answer.Halt, r.answer.StopReason = true, r.pre.StopReason
	}
	if !r.unjudged {
		r.finish(ctx, r.answer)
	}
	return r.answer
}

// finish fires post_tool_call and takes what its hooks say into the answer.
func (r *ToolRun) finish(ctx context.Context, a *ToolAnswer) {
	ctx, cancel := outlasting(ctx)
	defer cancel()
	post, err := r.engine.Fire(ctx, r.after())
	r.handOver(ctx, post)
	a.Contexts = r.contexts
	if post.Output != nil {
		a.Output, a.Replaced = post.Output, true
	}
	withhold := func(message string, err error) {
		a.Output, a.Replaced = message, true
		a.Err = &ToolError{Tool: r.name(), Message: message, Outcome: r.outcome, Halt: post.Halt, Result: post, Err: err}
	}
	switch {
	case err != nil:
		withhold("what it answered is kept back, because post_tool_call could not be judged: "+err.Error(), errors.Join(r.err, err))
	case post.Block && !deniedByHook(post):
		withhold("what it answered is kept back: "+post.Reason, r.err)
	default:
		if post.Block {
			a.Feedback = post.Reason
		}
		if post.Halt {
			a.Err = &ToolError{Tool: r.name(), Message: withReason("a hook ended the turn", post.StopReason), Outcome: r.outcome, Halt: true, Result: post, Err: r.err}
		}
	}
	if post.Halt {
		a.Halt, a.StopReason = true, post.StopReason
	}
}

// after is the post_tool_call of the call.
func (r *ToolRun) after() *hooks.Context {
	event := *r.event
	event.Event = hooks.PostToolCall
	call := *event.ToolCall
	call.Output, call.Outcome, call.Duration = r.output, r.outcome, r.duration
	event.ToolCall = &call
	if r.err != nil {
		event.Error = errorInfo(r.err)
		event.Error.Message = modelText(r.err)
	}
	return &event
}

func (r *ToolRun) name() string { return r.event.ToolCall.Name }

// unjudgeable refuses a call that no hook has seen. Nothing is fired for it.
func (r *ToolRun) unjudgeable(message string, result *hooks.Result, err error) *ToolRun {
	r.verdict, r.unjudged, r.pre = ToolRefused, true, result
	r.err = &ToolError{Tool: r.name(), Message: message, Result: result, Err: err}
	return r
}

// refuse is the end of a call that isn't to run.
func (r *ToolRun) refuse(by *hooks.Result, message string, err error) {
	r.verdict, r.outcome, r.output = ToolRefused, hooks.OutcomeDenied, nil
	r.err = &ToolError{Tool: r.name(), Message: message, Outcome: r.outcome, Halt: by.Halt, Result: by, Err: err}
}

// handOver hands over what a result has for others than the tool.
func (r *ToolRun) handOver(ctx context.Context, result *hooks.Result) {
	if show := r.settings.results; show != nil {
		r.engine.protected(ctx, "ToolResults", func() { show(ctx, result.Summary().Event, result) })
	}
	switch take := r.settings.contexts; {
	case len(result.Contexts) == 0:
	case take != nil:
		r.engine.protected(ctx, "ToolContexts", func() { take(ctx, result.Contexts) })
	default:
		r.contexts = append(r.contexts, result.Contexts...)
	}
}

// Notes are what hooks add for the model, as it reads them: "[hook] REASON" for the feedback,
// and "[hook NAME] TEXT" for each context.
func (a *ToolAnswer) Notes() []string {
	var notes []string
	if a.Feedback != "" {
		notes = append(notes, "[hook] "+a.Feedback)
	}
	for _, entry := range a.Contexts {
		notes = append(notes, "[hook "+entry.Hook+"] "+entry.Text)
	}
	return notes
}

// Text is all that the model is to read, as one text: the output, as JSON where it is no text,
// and the notes, each after an empty line.
func (a *ToolAnswer) Text() string {
	parts := a.Notes()
	if output := TextOf(a.Output); output != "" {
		parts = append([]string{output}, parts...)
	}
	return strings.Join(parts, "\n\n")
}

// TextOf is a tool's output as a model reads it: a text as it is, nil as nothing, and other
// values as the JSON of their plain form. A value without one is described.
func TextOf(output any) string {
	switch text := output.(type) {
	case string:
		return text
	case nil:
		return ""
	}
	plain, err := hooks.PlainValue(output)
	if err != nil {
		return fmt.Sprintf("(what it answered is no JSON: %s)", err)
	}
	if text, ok := plain.(string); ok {
		return text
	}
	line, err := hooks.EncodeJSON(plain)
	if err != nil {
		return fmt.Sprintf("(what it answered is no JSON: %s)", err)
	}
	return string(line)
}

// outcomeOf is the outcome of a body that returned err.
func outcomeOf(ctx context.Context, err error) hooks.Outcome {
	switch {
	case err == nil:
		return hooks.OutcomeOK
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return hooks.OutcomeTimeout
	}
	return hooks.OutcomeError
}

// deniedByHook reports whether a deny is the answer of a hook, not what the policy makes of the
// failure of one.
func deniedByHook(r *hooks.Result) bool {
	for _, run := range r.Summary().Runs {
		if run.Status == hooks.StatusBlocked {
			return true
		}
	}
	return false
}

// modelText is what the model reads of an error.
func modelText(err error) string {
	if refused, ok := err.(*ToolError); ok {
		return refused.Message
	}
	return err.Error()
}
