package einohook

import (
	"context"
	"errors"
	"strings"

	"github.com/cloudwego/eino/compose"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// call is one tool call under hooks.
type call struct {
	*hook
	run     *engine.ToolRun
	name    string
	args    string          // as they came
	at      context.Context // luahook's own address below the tool's, so that neither takes the other's state
	granted bool            // a person has said yes to this call
}

var (
	errBegan     = errors.New("the tool has begun before a hook asked")
	errNoAnswer  = errors.New("the run was resumed without an einohook.Approval for the question")
	errNoReader  = errors.New("nobody reads what the tool says any more")
	errGoroutine = errors.New("the tool ended its goroutine (runtime.Goexit)")
)

// begin fires pre_tool_call. Without a call, refusal is what the model reads. The error is an
// interrupt: the call waits for a person.
func (h *hook) begin(ctx context.Context, name, id, args string) (c *call, refusal string, err error) {
	h.noteCall(ctx, name)
	input, err := adapter.DecodeInput([]byte(args))
	if err != nil {
		return nil, "the input of " + name + " can't be used: " + strings.TrimPrefix(err.Error(), "event: "), nil
	}
	at := compose.AppendAddressSegment(ctx, "luahook", id)
	asked, _, before := compose.GetInterruptState[*progress](at)
	c = &call{hook: h, name: name, args: args, at: at, granted: before != nil && before.Granted}
	c.run = h.adapter.BeginTool(ctx, hooks.ToolCall{ID: id, Name: name, Input: input, Resumed: asked})
	if c.run.Verdict() == engine.ToolAsks {
		if err := c.ask(ctx, asked); err != nil {
			return nil, "", err
		}
	}
	return c, "", nil
}

// ask takes the answer of a person out of what the run was resumed with, or interrupts it.
func (c *call) ask(ctx context.Context, asked bool) error {
	if c.granted {
		c.run.Allow()
		return nil
	}
	target, _, answer := compose.GetResumeContext[any](c.at)
	if answered := asked && target; !answered && !c.adapter.AsksNatively() {
		return nil // Do asks
	} else if !answered {
		if began, _, _ := compose.GetInterruptState[any](ctx); began {
			c.run.Unanswered(ctx, errBegan) // an interrupt here would lose what the tool waits with
			return nil
		}
		return c.interrupt()
	}
	switch answer := answer.(type) {
	case *Approval:
		c.take(ctx, *answer)
	case Approval:
		c.take(ctx, answer)
	default:
		c.run.Unanswered(ctx, errNoAnswer)
	}
	return nil
}

func (c *call) take(ctx context.Context, a Approval) {
	if c.granted = a.Approved; a.Approved {
		c.run.Allow()
	} else {
		c.run.Refuse(ctx, a.Comment)
	}
}

// interrupt is the error by which Eino stops the run for a person.
func (c *call) interrupt() error {
	reason := c.run.Reason()
	c.run.Suspend()
	t := c.run.Event().ToolCall
	input, err := hooks.EncodeJSON(t.Input)
	if err != nil {
		return err
	}
	return compose.StatefulInterrupt(c.at, &Question{CallID: t.ID, Tool: t.HostName, Input: string(input), Reason: reason}, &progress{})
}

// do runs the tool where it may run, with its arguments as hooks leave them. suspended is an interrupt: the call waits, for a person or
// for what the tool itself waits for, and will be begun again.
func (c *call) do(ctx context.Context, body func(ctx context.Context, args string) (any, error)) (output any, err, suspended error) {
	asks := c.run.Verdict() == engine.ToolAsks
	output, err = c.run.Do(ctx, func(ctx context.Context) (any, error) {
		args := c.args
		if c.run.Rewritten() {
			rewritten, err := hooks.EncodeJSON(c.run.Input())
			if err != nil {
				return nil, err
			}
			args = string(rewritten)
		}
		ctx, over := c.watchBelow(ctx, c.name)
		output, err := body(ctx, args)
		over(err)
		return output, err
	})
	if c.run.Verdict() == engine.ToolSuspended { // by the function that was to answer
		return nil, nil, c.interrupt()
	}
	c.granted = c.granted || asks && c.run.Verdict() == engine.ToolRuns
	if err == nil {
		return output, nil, nil
	}
	if _, waits := compose.IsInterruptRerunError(err); waits {
		c.run.Suspend()
		if c.granted {
			err = compose.CompositeInterrupt(c.at, nil, &progress{Granted: true}, err)
		}
		return nil, nil, err
	}
	return output, err, nil
}

// finish fires post_tool_call. The error is for Eino, and ends its run.
func (c *call) finish(ctx context.Context, output any, err error) (*engine.ToolAnswer, error) {
	if err != nil && output == nil {
		output = err.Error()
	}
	var denied *engine.DeniedError
	if errors.As(err, &denied) { // an agent below this one must not start
		output = denied.Error()
	}
	a := c.run.End(ctx, output, err)
	a.Replaced = a.Replaced || denied != nil
	if a.Halt {
		agent := agentFrom(ctx)
		if agent == nil || agent.name != agentName(ctx) { // there is no handler that could end the turn
			return nil, a.Err
		}
		agent.turn.halt(haltReason(a))
	}
	if err != nil && !a.Replaced {
		return nil, err
	}
	return a, nil
}

func haltReason(a *engine.ToolAnswer) string {
	if a.StopReason != "" {
		return a.StopReason
	}
	return engine.TextOf(a.Output)
}

// noteCall notes who calls a tool, and warns where hooks are not the last to see its input.
func (h *hook) noteCall(ctx context.Context, tool string) {
	name := agentName(ctx)
	if t := turnFrom(ctx); t != nil {
		t.see(name)
	}
	if below, ok := ctx.Value(belowKey{}).(*below); ok {
		below.seen.Store(true)
	}
	agent := agentFrom(ctx)
	if agent != nil && agent.name == name && agent.unknown(tool) {
		h.adapter.Warn(ctx, hooks.PreToolCall, "the agent %s has a tool %s that einohook.Handler was not shown: put it last into Handlers, so that no other handler changes a tool's input after hooks have seen it (or the name is an alias, by which hooks see the tool)", name, tool)
	}
}

// watchBelow gives a context for the body of a tool, and what to call when it has run: it warns
// where the tool is an agent of which no hook has heard.
func (h *hook) watchBelow(ctx context.Context, tool string) (context.Context, func(err error)) {
	agent := agentFrom(ctx)
	if agent == nil || !agent.isAgent(tool) {
		return ctx, func(error) {}
	}
	b := &below{}
	return context.WithValue(ctx, belowKey{}, b), func(err error) {
		if _, waits := compose.IsInterruptRerunError(err); waits {
			return
		}
		if sub := b.agent.Load(); sub != nil && err != nil {
			sub.end(ctx, "")
		} else if err == nil && !b.seen.Load() {
			h.adapter.Warn(ctx, hooks.SubagentStart, "the agent %s runs below %s without hooks: give it einohook.Handler, too", tool, agent.name)
		}
	}
}
