package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// ToolFunc is a tool of an agent: it gets the arguments that the model gave, a JSON
// object, and returns what the model is to read. Of a wrapped tool the text is what
// the model is to read in every case, beside an error, too.
type ToolFunc func(ctx context.Context, input json.RawMessage) (string, error)

// ToolError is why a wrapped tool did not run, why its output is kept back, or why the
// turn ends. Other errors of a wrapped tool are the tool's own.
type ToolError struct {
	Tool    string
	Message string        // one line or more, for the model, without what hooks add to it
	Outcome hooks.Outcome // what post_tool_call was told; "" where the call was no event at all
	Halt    bool          // a hook ends the whole turn; Message says why
	Result  *hooks.Result // of the event that it comes from; nil where there is none. Shared, don't change it
	Err     error         // the cause, where there is one: of the tool, the engine or ctx
}

// Error is "tool NAME: MESSAGE".
func (e *ToolError) Error() string { return "tool " + e.Tool + ": " + e.Message }

// Unwrap returns the cause.
func (e *ToolError) Unwrap() error { return e.Err }

// PanicError is the panic of a wrapped tool.
type PanicError struct {
	Tool  string
	Value any    // what it panicked with
	Stack []byte // of the goroutine, as debug.Stack gives it
}

// Error is "tool NAME: it panicked: VALUE".
func (e *PanicError) Error() string { return fmt.Sprintf("tool %s: it panicked: %v", e.Tool, e.Value) }

// Unwrap returns what the tool panicked with, where that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ToolOption is a setting of one wrapped tool.
type ToolOption func(*tool)

// ToolKind says what the tool does, where its name doesn't tell. A wrong kind is an
// error of every call.
func ToolKind(k hooks.Kind) ToolOption { return func(t *tool) { t.kind = k } }

// ToolTimeout ends the context of the tool's body after that time, hooks and person
// not counted; 0 or less is no end of its own. A body has to heed it: it isn't left
// behind.
func ToolTimeout(d time.Duration) ToolOption { return func(t *tool) { t.timeout = d } }

// ToolContexts hands over what hooks add for the model, by hook, in place of adding it
// to the text. take is called once for each event that has contexts, before the
// wrapped tool returns.
func ToolContexts(take func(ctx context.Context, contexts []hooks.ContextEntry)) ToolOption {
	return func(t *tool) { t.contexts = take }
}

// ToolResults shows the result of each of the tool's events, pre_tool_call and
// post_tool_call, for what a text can't hold: SystemMessage, Warnings, Data, Summary.
// The result is shared: don't change it.
func ToolResults(show func(ctx context.Context, event hooks.Event, r *hooks.Result)) ToolOption {
	return func(t *tool) { t.results = show }
}

// tool is a wrapped tool.
type tool struct {
	name     string
	body     ToolFunc
	kind     hooks.Kind
	timeout  time.Duration
	contexts func(ctx context.Context, contexts []hooks.ContextEntry)
	results  func(ctx context.Context, event hooks.Event, r *hooks.Result)
}

// WrapTool is [Engine.WrapTool] with the engine that the context of each call carries
// ([NewContext]). Where it carries none, the tool doesn't run: the error is
// [ErrNoEngine].
func WrapTool(name string, body ToolFunc, o ...ToolOption) ToolFunc {
	t := newTool(name, body, o)
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		e, ok := FromContext(ctx)
		if !ok {
			return t.refuse(&ToolError{Message: "it can't be called, because no hook could judge the call", Err: ErrNoEngine})
		}
		return e.callTool(ctx, t, input)
	}
}

// WrapTool puts a tool under the engine's hooks. A call of what it returns
//
//  1. fires pre_tool_call, with the caller ([WithCaller]) and the id of the call
//     ([WithToolCallID]) that ctx names;
//  2. runs body, on the same goroutine and with the input as the hooks have rewritten
//     it; where they haven't, with the very bytes that came in. It doesn't run where a
//     hook denies, where one asks and the function of [WithAsk] doesn't say yes, where
//     ctx is done, and where a hook responds, whose answer is then the output;
//  3. fires post_tool_call, once for each pre_tool_call, with the output, the outcome
//     and the duration: ok, error (panics and runtime.Goexit as well), denied, or
//     timeout (body failed when its context's deadline was over). It is fired where ctx
//     is done, too, with 5 s for all its hooks.
//
// The text is what the model is to read: the output, or what a hook of post_tool_call
// puts in its place (a value that is no text as JSON); the error's text where body
// failed without an output; the reason of a deny. What hooks add comes after it, each
// after an empty line: the reason of a post_tool_call that was denied, as "[hook]
// REASON", and contexts, as "[hook NAME] TEXT" (but see [ToolContexts]). Where a hook
// of post_tool_call failed that must not (on_failure: block), the output is kept back.
//
// The error is nil where body ran without one, or a hook responded. Else it is the one
// of body as it is, a [*PanicError], or a [*ToolError]: for what did not run, for an
// output that is kept back, and where Halt is set, which ends the turn and may come
// after body has run. Input that is no JSON object is an error before anything is
// fired.
//
// Body's context carries the engine.
func (e *Engine) WrapTool(name string, body ToolFunc, o ...ToolOption) ToolFunc {
	t := newTool(name, body, o)
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		return e.callTool(ctx, t, input)
	}
}

func newTool(name string, body ToolFunc, o []ToolOption) *tool {
	t := &tool{name: name, body: body}
	for _, option := range o {
		if option != nil {
			option(t)
		}
	}
	return t
}

// refuse is the answer of a tool that fires nothing.
func (t *tool) refuse(err *ToolError) (string, error) {
	err.Tool = t.name
	return err.Message, err
}

// event is the pre_tool_call of a call, complete.
func (t *tool) event(ctx context.Context, input json.RawMessage) (*hooks.Context, *ToolError) {
	if t.body == nil {
		return nil, &ToolError{Message: "it has no body", Err: errors.New("luahook: WrapTool: the body is nil")}
	}
	object, err := decodeInput(input)
	if err != nil {
		return nil, &ToolError{Message: "its input can't be used: " + strings.TrimPrefix(err.Error(), "event: "), Err: err}
	}
	event := CallerFrom(ctx).event(hooks.PreToolCall)
	event.ToolCall = &hooks.ToolCall{ID: toolCallID(ctx), Name: t.name, Kind: t.kind, Input: object}
	event, err = event.Complete()
	if err != nil {
		return nil, &ToolError{Message: "its call can't be judged: " + err.Error(), Err: err}
	}
	return event, nil
}

// decodeInput reads the arguments of a tool.
func decodeInput(input json.RawMessage) (map[string]any, error) {
	if len(input) > hooks.MaxEventBytes {
		return nil, &hooks.InputError{Offset: -1, Message: "it is larger than 16 MiB"}
	}
	value, err := hooks.DecodeJSON(input)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &hooks.InputError{Offset: -1, Message: "want a JSON object"}
	}
	return object, nil
}

// toolCall is one call of a wrapped tool on its way. It belongs to one goroutine.
type toolCall struct {
	engine *Engine
	tool   *tool
	event  *hooks.Context // pre_tool_call, as rewritten

	output   any   // of the body, or what a hook answered in its place
	err      error // of the body; a *ToolError where it did not run
	outcome  hooks.Outcome
	duration time.Duration

	text []string // what hooks add, for the model
}

// callTool is one call of a wrapped tool; see WrapTool.
func (e *Engine) callTool(ctx context.Context, t *tool, input json.RawMessage) (string, error) {
	if err := e.checkUse(ctx); err != nil {
		return t.refuse(&ToolError{Message: "it can't be called, because no hook could judge the call", Err: err})
	}
	event, refused := t.event(ctx, input)
	if refused != nil {
		return t.refuse(refused)
	}
	pre, err := e.Fire(ctx, event)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) { // no hook has seen it
		return t.refuse(&ToolError{Message: "its call can't be judged: " + err.Error(), Result: pre, Err: err})
	}
	c := &toolCall{engine: e, tool: t, event: event, output: ""}
	c.handOver(ctx, pre)
	rewritten, err := event.Rewrite(pre)
	switch {
	case err != nil: // which the engine has found no fault with
		c.denied(pre, "its rewritten input can't be used: "+err.Error(), err)
	default:
		c.event = rewritten
		c.run(ctx, pre, input)
	}
	return c.finish(ctx)
}

// run does what pre_tool_call has come to.
func (c *toolCall) run(ctx context.Context, pre *hooks.Result, input json.RawMessage) {
	switch {
	case pre.Block:
		c.denied(pre, pre.Reason, nil)
		return
	case pre.Decision == hooks.Ask:
		if yes, err := c.engine.ask(ctx, c.event, pre); !yes {
			c.denied(pre, unanswered(pre.Reason, err), err)
			return
		}
	}
	if err := ctx.Err(); err != nil {
		c.outcome = outcomeOf(ctx, err)
		c.err = &ToolError{Tool: c.tool.name, Message: "it did not run, because its caller gave up: " + err.Error(), Outcome: c.outcome, Result: pre, Err: err}
		return
	}
	if pre.Output != nil {
		c.output, c.outcome = pre.Output, hooks.OutcomeOK
		return
	}
	if pre.Input != nil {
		var err error
		if input, err = hooks.EncodeJSON(c.event.ToolCall.Input); err != nil {
			c.denied(pre, "its rewritten input can't be used: "+err.Error(), err)
			return
		}
	}
	c.body(NewContext(ctx, c.engine), input)
}

// unanswered is what the model reads of an ask without a yes.
func unanswered(reason string, err error) string {
	switch {
	case err == nil:
		return withReason("a person was asked and said no", reason)
	case errors.Is(err, errNobodyToAsk):
		return withReason("a person would have to allow this, and there is nobody to ask", reason)
	}
	return withReason("a person would have to allow this, and asking failed ("+err.Error()+")", reason)
}

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

func (c *toolCall) denied(r *hooks.Result, message string, err error) {
	c.outcome = hooks.OutcomeDenied
	c.err = &ToolError{Tool: c.tool.name, Message: message, Outcome: c.outcome, Halt: r.Halt, Result: r, Err: err}
}

// body runs the tool itself. Where it ends its goroutine, post_tool_call is fired on
// the way out.
func (c *toolCall) body(ctx context.Context, input json.RawMessage) {
	if c.tool.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.tool.timeout)
		defer cancel()
	}
	started, returned := time.Now(), false
	defer func() {
		c.duration = time.Since(started)
		if returned {
			return
		}
		c.outcome = hooks.OutcomeError
		if p := recover(); p != nil {
			c.err = &PanicError{Tool: c.tool.name, Value: p, Stack: debug.Stack()}
			return
		}
		c.err = errGoexit
		_, _ = c.finish(ctx) // nobody is left to return to
	}()
	var output string
	output, c.err = c.tool.body(ctx, input)
	c.output, c.outcome, returned = output, outcomeOf(ctx, c.err), true
}

var errGoexit = errors.New("the tool ended its goroutine (runtime.Goexit)")

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

// finish fires post_tool_call and returns what the call comes to.
func (c *toolCall) finish(ctx context.Context) (string, error) {
	if c.err != nil && c.output == "" {
		c.output = modelText(c.err)
	}
	ctx, cancel := outlasting(ctx)
	defer cancel()
	post, err := c.engine.Fire(ctx, c.after())
	output := c.output
	if post.Output != nil {
		output = post.Output
	}
	c.handOver(ctx, post)
	switch {
	case err != nil:
		return c.withholdOutput(post, "what it answered is kept back, because post_tool_call could not be judged: "+err.Error(), errors.Join(c.err, err))
	case post.Block && !deniedByHook(post):
		return c.withholdOutput(post, "what it answered is kept back: "+post.Reason, c.err)
	case post.Block && post.Reason != "":
		c.text = append([]string{"[hook] " + post.Reason}, c.text...)
	}
	if post.Halt {
		c.err = &ToolError{Tool: c.tool.name, Message: withReason("a hook ended the turn", post.StopReason), Outcome: c.outcome, Halt: true, Result: post, Err: c.err}
	}
	text, err := asText(output)
	if err != nil {
		return c.withholdOutput(post, "what a hook answered in its place is no JSON: "+err.Error(), errors.Join(c.err, err))
	}
	return c.join(text), c.err
}

// withholdOutput is the answer of a tool whose output nobody may see.
func (c *toolCall) withholdOutput(post *hooks.Result, message string, err error) (string, error) {
	return c.join(message), &ToolError{Tool: c.tool.name, Message: message, Outcome: c.outcome, Halt: post.Halt, Result: post, Err: err}
}

// after is the post_tool_call of the call.
func (c *toolCall) after() *hooks.Context {
	event := *c.event
	event.Event = hooks.PostToolCall
	call := *event.ToolCall
	call.Output, call.Outcome, call.Duration = c.output, c.outcome, c.duration
	event.ToolCall = &call
	if c.err != nil {
		event.Error = errorInfo(c.err)
		event.Error.Message = modelText(c.err)
	}
	return &event
}

// deniedByHook reports whether a deny is the answer of a hook, not what the policy makes of the
// failure of one.
func deniedByHook(r *hooks.Result) bool {
	for _, run := range r.Summary.Runs {
		if run.Status == hooks.StatusBlocked {
			return true
		}
	}
	return false
}

// handOver hands over what a result has for others than the tool.
func (c *toolCall) handOver(ctx context.Context, r *hooks.Result) {
	if show := c.tool.results; show != nil {
		c.engine.protected(ctx, "ToolResults", func() { show(ctx, r.Summary.Event, r) })
	}
	switch take := c.tool.contexts; {
	case len(r.Contexts) == 0:
	case take != nil:
		c.engine.protected(ctx, "ToolContexts", func() { take(ctx, r.Contexts) })
	default:
		for _, entry := range r.Contexts {
			c.text = append(c.text, "[hook "+entry.Hook+"] "+entry.Text)
		}
	}
}

// join is the text for the model: the output and what hooks add.
func (c *toolCall) join(output string) string {
	parts := c.text
	if output != "" {
		parts = append([]string{output}, parts...)
	}
	return strings.Join(parts, "\n\n")
}

// modelText is what the model reads of an error.
func modelText(err error) string {
	if refused, ok := err.(*ToolError); ok {
		return refused.Message
	}
	return err.Error()
}

// asText is a value as the model reads it.
func asText(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	line, err := hooks.EncodeJSON(v)
	return string(line), err
}

// AskFunc puts a hook's ask to a person: may this event happen? event is what would
// happen, with all rewrites in it, and r.Reason why a hook asks. true lets it happen.
// event and r are shared: don't change them.
//
// It may wait as long as ctx lets it, and may be called from several goroutines at
// once.
type AskFunc func(ctx context.Context, event *hooks.Context, r *hooks.Result) (bool, error)

// WithAsk says who answers where a hook asks about the call of a wrapped tool
// ([WrapTool]). Without it, and where it returns an error or panics, an ask is a deny.
// [Engine.Fire] never calls it: its caller gets the ask in the result.
func WithAsk(ask AskFunc) Option {
	return func(o *options) error {
		if ask == nil {
			return errors.New("WithAsk: the function is nil")
		}
		o.ask = ask
		return nil
	}
}

// errNobodyToAsk is why an ask without an [AskFunc] is a deny.
var errNobodyToAsk = errors.New("there is nobody to ask")

// ask puts a result's ask to the embedder. The error says why there is no answer,
// which counts as a no; so does a yes that came when ctx was done.
func (e *Engine) ask(ctx context.Context, event *hooks.Context, r *hooks.Result) (yes bool, err error) {
	if e.options.ask == nil {
		return false, errNobodyToAsk
	}
	defer func() {
		if p := recover(); p != nil {
			yes, err = false, fmt.Errorf("the function of WithAsk panicked: %v", p)
			e.logPanic(ctx, "WithAsk", p)
		}
	}()
	yes, err = e.options.ask(ctx, event, r)
	if err == nil {
		err = ctx.Err()
	}
	return yes && err == nil, err
}
