package engine

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// grace is what the events get that follow on something that is over, once the
// caller's own context is done.
const grace = 5 * time.Second

// outlasting is a context for the events that have to be fired in any case. It has the
// values of ctx; where ctx is done, it ends 5 s later.
func outlasting(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); cancel() }
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
	if err := e.misused(ctx); err != nil {
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
	c.take(ctx, pre)
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
	c.take(ctx, post)
	switch {
	case err != nil:
		return c.keepBack(post, "what it answered is kept back, because post_tool_call could not be judged: "+err.Error(), errors.Join(c.err, err))
	case post.Block && !meant(post):
		return c.keepBack(post, "what it answered is kept back: "+post.Reason, c.err)
	case post.Block && post.Reason != "":
		c.text = append([]string{"[hook] " + post.Reason}, c.text...)
	}
	if post.Halt {
		c.err = &ToolError{Tool: c.tool.name, Message: withReason("a hook ended the turn", post.StopReason), Outcome: c.outcome, Halt: true, Result: post, Err: c.err}
	}
	text, err := asText(output)
	if err != nil {
		return c.keepBack(post, "what a hook answered in its place is no JSON: "+err.Error(), errors.Join(c.err, err))
	}
	return c.join(text), c.err
}

// keepBack is the answer of a tool whose output nobody may see.
func (c *toolCall) keepBack(post *hooks.Result, message string, err error) (string, error) {
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

// meant tells whether a deny is the answer of a hook, not what the policy makes of the
// failure of one.
func meant(r *hooks.Result) bool {
	for _, run := range r.Summary.Runs {
		if run.Status == hooks.StatusBlocked {
			return true
		}
	}
	return false
}

// take hands over what a result has for others than the tool.
func (c *toolCall) take(ctx context.Context, r *hooks.Result) {
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
