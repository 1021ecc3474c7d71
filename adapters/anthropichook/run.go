// Package anthropichook puts agents of the Anthropic SDK for Go under luahook: the tools and the
// loop of its tool runners, and the requests of its Messages API.
//
// [Run] does what NewToolRunner and RunToCompletion do, with all events; [RunStreaming] is the
// same for NewToolRunnerStreaming. Who steps a runner by hand puts [Tools], [Middleware] and
// [RunContext] where the SDK wants them.
package anthropichook

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Run runs an agent to its end: service.NewToolRunner and RunToCompletion, under e's hooks.
// It returns the agent's last message.
//
//   - run_start is fired before, and run_end after it, with the tokens of all requests. Where
//     run_start is denied, nothing runs and the error is an [*engine.DeniedError].
//   - pre_prompt is fired with the text of the last message of params, where that is the user's:
//     it may be rewritten, and added to. A deny is an error as above.
//   - tools are those of [Tools], and requests go through [Middleware].
//   - stop is fired when the model ends its turn. A deny sends the agent on, with the reason as
//     the user's next message, as long as params.MaxIterations allows. It isn't fired where hooks
//     have answered in the model's place.
//   - a hook that halts ends the run before its next request: the message has the reason, and the
//     error is an [*engine.DeniedError] with Halt.
//
// In the body of a tool that is under hooks itself Run is a sub-agent, with the tool's name: it
// fires subagent_start and subagent_stop, in place of run_start, pre_prompt, stop and run_end,
// and a halt ends the agents above it, too.
//
// Params and tools aren't changed. Options for requests, such as headers, belong into
// service.Options.
func Run(ctx context.Context, e *engine.Engine, service *anthropic.BetaMessageService, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams, o ...Option) (message *anthropic.BetaMessage, err error) {
	r, ctx, err := start(ctx, e, tools, params, o)
	if err != nil {
		return nil, err
	}
	defer func() { r.end(ctx, err) }()
	for again := true; again; {
		runner := service.NewToolRunner(r.tools, r.params, r.middleware)
		if message, err = runner.RunToCompletion(ctx); err == nil {
			again, err = r.again(ctx, message, runner.Params, runner.IterationCount())
			continue
		}
		return nil, r.failure(err)
	}
	return message, err
}

// RunStreaming is [Run] with service.NewToolRunnerStreaming: it yields the events of all of the
// agent's messages as they come. An error is the last thing it yields. Where its reader stops,
// the run ends.
func RunStreaming(ctx context.Context, e *engine.Engine, service *anthropic.BetaMessageService, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams, o ...Option) iter.Seq2[anthropic.BetaRawMessageStreamEventUnion, error] {
	return func(yield func(anthropic.BetaRawMessageStreamEventUnion, error) bool) {
		r, ctx, err := start(ctx, e, tools, params, o)
		if err == nil {
			defer func() { r.end(ctx, err) }()
		}
		for again := err == nil; again; {
			runner := service.NewToolRunnerStreaming(r.tools, r.params, r.middleware)
			if err = stream(ctx, runner, yield); err == nil {
				again, err = r.again(ctx, runner.LastMessage(), runner.Params, runner.IterationCount())
				continue
			}
			if err == errStopped {
				return
			}
			err, again = r.failure(err), false
		}
		if err != nil {
			yield(anthropic.BetaRawMessageStreamEventUnion{}, err)
		}
	}
}

var errStopped = errors.New("the stream's reader has stopped")

// stream yields what a runner streams.
func stream(ctx context.Context, runner *anthropic.BetaToolRunnerStreaming, yield func(anthropic.BetaRawMessageStreamEventUnion, error) bool) error {
	for !runner.IsCompleted() {
		for event, err := range runner.NextStreaming(ctx) {
			if err != nil {
				return err
			}
			if !yield(event, nil) {
				return errStopped
			}
		}
	}
	return nil
}

// agentRun is one Run.
type agentRun struct {
	adapter    *adapter.Adapter
	run        *adapter.Run // nil: of a sub-agent
	turn       *turn
	tools      []anthropic.BetaTool
	params     anthropic.BetaToolRunnerParams
	middleware option.RequestOption
	loop       int
	stopped    bool // its last stop, or subagent_stop, was fired
}

// start begins a run. The context is the run's.
func start(ctx context.Context, e *engine.Engine, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams, o []Option) (*agentRun, context.Context, error) {
	a := adapter.New(e, o...)
	caller, sub := toolCallOf(ctx)
	ctx = a.Context(ctx, func(c *engine.Caller) {
		if sub {
			*c = adapter.SubCaller(*c, cmp.Or(caller.id, caller.tool), caller.tool)
		}
		c.Model = cmp.Or(string(params.Model), c.Model)
	})
	r := &agentRun{
		adapter: a, params: params, tools: Tools(e, tools, o...), turn: &turn{parent: caller.turn},
		middleware: option.WithMiddleware((&middleware{adapter: a, ofRun: true}).handle),
	}
	if err := r.begin(ctx, sub); err != nil {
		return nil, ctx, err
	}
	r.turn.run = r.run
	return r, withTurn(ctx, r.turn), nil
}

// begin fires the events before the first request.
func (r *agentRun) begin(ctx context.Context, sub bool) (err error) {
	prompt, ok := promptOf(r.params.Messages)
	var added string
	if sub {
		if added, err = r.adapter.BeginAgent(ctx, prompt); err == nil {
			r.params.Messages = withPrompt(r.params.Messages, prompt, added)
		}
		return err
	}
	if r.run, err = r.adapter.BeginRun(ctx, "", nil); err != nil || !ok {
		return err
	}
	if prompt, added, err = r.adapter.Prompt(ctx, prompt); err != nil {
		r.run.End(ctx, err)
		return err
	}
	r.params.Messages = withPrompt(r.params.Messages, prompt, added)
	return nil
}

// again reports whether the agent has to go on, which params then say how to. The error is why a
// hook has ended the turn.
func (r *agentRun) again(ctx context.Context, last *anthropic.BetaMessage, params anthropic.BetaToolRunnerParams, iterations int) (bool, error) {
	halted, denied := r.turn.state()
	switch {
	case halted != nil:
		return false, halted
	case last == nil, denied, last.StopReason != anthropic.BetaStopReasonEndTurn && last.StopReason != anthropic.BetaStopReasonStopSequence:
		return false, nil
	}
	event := r.adapter.Event(ctx, hooks.Stop)
	if r.run == nil {
		event.Event = hooks.SubagentStop
	}
	event.Response, event.LoopCount = textOf(last), r.loop
	result, _ := r.adapter.Fire(ctx, event)
	r.stopped = true
	if !result.Block || result.Halt || ctx.Err() != nil {
		return false, nil
	}
	if r.params.MaxIterations > 0 {
		if params.MaxIterations -= iterations; params.MaxIterations <= 0 {
			r.adapter.Warn(ctx, event.Event, "a hook would have the agent go on, and its MaxIterations are used up")
			return false, nil
		}
	}
	r.loop, r.stopped = r.loop+1, false
	params.Messages = append(slices.Clip(params.Messages), anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(cmp.Or(result.Reason, "go on"))))
	r.params = params
	return true, nil
}

// failure is the error of a run whose runner has failed.
func (r *agentRun) failure(err error) error {
	if halted, _ := r.turn.state(); halted != nil {
		return halted
	}
	return err
}

// end fires the event after the last request.
func (r *agentRun) end(ctx context.Context, err error) {
	switch {
	case r.run != nil:
		r.run.End(ctx, err)
	case !r.stopped: // which goes by another way than the end of its turn
		r.adapter.EndAgent(ctx, "")
	}
}

// promptOf is the text of the last message, where that is the user's and has one.
func promptOf(messages []anthropic.BetaMessageParam) (text string, ok bool) {
	if len(messages) == 0 || messages[len(messages)-1].Role != anthropic.BetaMessageParamRoleUser {
		return "", false
	}
	for _, b := range messages[len(messages)-1].Content {
		if b.OfText != nil {
			if ok {
				text += "\n"
			}
			text, ok = text+b.OfText.Text, true
		}
	}
	return text, ok
}

// withPrompt is messages whose last one, the user's, says that text, and after it what hooks add.
func withPrompt(messages []anthropic.BetaMessageParam, text, added string) []anthropic.BetaMessageParam {
	before, ok := promptOf(messages)
	messages = slices.Clone(messages)
	if !ok && added != "" {
		return append(messages, anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(added)))
	}
	if !ok {
		return messages
	}
	last := &messages[len(messages)-1]
	last.Content = slices.Clone(last.Content)
	if text != before {
		last.Content = slices.DeleteFunc(last.Content, func(b anthropic.BetaContentBlockParamUnion) bool { return b.OfText != nil })
		if text != "" {
			last.Content = append(last.Content, anthropic.NewBetaTextBlock(text))
		}
	}
	if added != "" {
		last.Content = append(last.Content, anthropic.NewBetaTextBlock(added))
	}
	return messages
}
