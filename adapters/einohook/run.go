package einohook

import (
	"context"
	"errors"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Run is runner.Run with run_start and pre_prompt before it, and stop and run_end after it. The
// agents need [Handler] for the events within.
//
// Where a hook denies run_start or pre_prompt, the only event is the error, an
// [*engine.DeniedError]. pre_prompt is about the last of the messages where it is the user's. Where
// a hook of stop wants the agent to go on, the runner runs again, with the conversation so far and
// what the hook says, and its events follow in the same iterator. A run that an interrupt stops
// has not ended: [Resume] goes on with it.
//
// [RunOptions] gives options of this package.
func Run(ctx context.Context, e *engine.Engine, runner *adk.Runner, messages []adk.Message, o ...adk.AgentRunOption) *adk.AsyncIterator[*adk.AgentEvent] {
	r := newRun(e, runner, o)
	ctx = r.adapter.Context(ctx, nil)
	at := lastOfUser(messages)
	if at >= 0 {
		r.turn.prompt = textOf(messages[at])
	}
	var err error
	if r.turn.run, err = r.adapter.BeginRun(ctx, "", map[string]any{"prompt": r.turn.prompt}); err != nil {
		return failed(err)
	}
	if at >= 0 {
		prompt, added, err := r.adapter.Prompt(ctx, r.turn.prompt)
		if err != nil {
			r.turn.run.End(ctx, err)
			return failed(err)
		}
		messages = withPrompt(messages, at, r.turn.prompt, prompt, added)
		r.turn.prompt = prompt
	}
	ctx = context.WithValue(ctx, turnKey{}, r.turn)
	r.given = messages
	return r.forward(ctx, runner.Run(ctx, messages, o...))
}

// Resume is runner.ResumeWithParams, or runner.Resume where params is nil, for a run that [Run]
// has begun: it fires stop and run_end.
func Resume(ctx context.Context, e *engine.Engine, runner *adk.Runner, checkPointID string, params *adk.ResumeParams, o ...adk.AgentRunOption) (*adk.AsyncIterator[*adk.AgentEvent], error) {
	r := newRun(e, runner, o)
	ctx = r.adapter.Context(ctx, nil)
	r.turn.run = r.adapter.ContinueRun(ctx, "")
	ctx = context.WithValue(ctx, turnKey{}, r.turn)
	var events *adk.AsyncIterator[*adk.AgentEvent]
	var err error
	if params == nil {
		events, err = runner.Resume(ctx, checkPointID, o...)
	} else {
		events, err = runner.ResumeWithParams(ctx, checkPointID, params, o...)
	}
	if err != nil { // so that it goes on waiting
		return nil, err
	}
	return r.forward(ctx, events), nil
}

// run is a run of a runner under hooks.
type run struct {
	adapter *adapter.Adapter
	runner  *adk.Runner
	options []adk.AgentRunOption
	turn    *turn
	given   []*schema.Message // what the runner was given
	warned  map[string]bool   // agents
}

func newRun(e *engine.Engine, runner *adk.Runner, o []adk.AgentRunOption) *run {
	settings := adk.GetImplSpecificOptions[runSettings](nil, o...)
	return &run{adapter: adapter.New(e, settings.options...), runner: runner, options: o, turn: &turn{}, warned: map[string]bool{}}
}

func failed(err error) *adk.AsyncIterator[*adk.AgentEvent] {
	events, to := adk.NewAsyncIteratorPair[*adk.AgentEvent]()
	to.Send(&adk.AgentEvent{Err: err})
	to.Close()
	return events
}

// forward hands events on, and fires what comes after the last of them. The goroutine ends with
// the run.
func (r *run) forward(ctx context.Context, from *adk.AsyncIterator[*adk.AgentEvent]) *adk.AsyncIterator[*adk.AgentEvent] {
	events, to := adk.NewAsyncIteratorPair[*adk.AgentEvent]()
	go func() {
		defer to.Close()
		for loop := 0; ; loop++ {
			interrupted, err := r.pass(ctx, from, to)
			if interrupted {
				return
			}
			again := ""
			if _, halted := r.turn.isHalted(); err == nil && !halted && ctx.Err() == nil {
				again = r.stop(ctx, loop)
			}
			if again == "" {
				r.end(ctx, err)
				return
			}
			r.given = append(r.conversation(), schema.UserMessage(again))
			from = r.runner.Run(ctx, r.given, r.options...)
		}
	}()
	return events
}

// pass hands on the events of one run of the runner.
func (r *run) pass(ctx context.Context, from *adk.AsyncIterator[*adk.AgentEvent], to *adk.AsyncGenerator[*adk.AgentEvent]) (interrupted bool, err error) {
	for {
		event, more := from.Next()
		if !more {
			return interrupted, err
		}
		if event.Err != nil {
			err = errors.Join(err, event.Err)
		}
		if event.Action != nil && event.Action.Interrupted != nil {
			interrupted = true
		}
		r.look(ctx, event)
		to.Send(event)
	}
}

// look warns of tools that no hook has judged.
func (r *run) look(ctx context.Context, event *adk.AgentEvent) {
	if event.Output == nil || event.Output.MessageOutput == nil {
		return
	}
	m := event.Output.MessageOutput
	if m.Role != schema.Tool || m.ToolName == adk.TransferToAgentToolName || r.warned[event.AgentName] || r.turn.see(event.AgentName) {
		return
	}
	r.warned[event.AgentName] = true
	r.adapter.Warn(ctx, hooks.PreToolCall, "the agent %s calls tools without hooks: give it einohook.Handler", event.AgentName)
}

// stop asks hooks whether the turn may end. Without an agent with Handler nobody knows what the
// agent has said.
func (r *run) stop(ctx context.Context, loop int) (again string) {
	r.turn.mu.Lock()
	known, last, speaker := r.turn.history != nil, r.turn.last, r.turn.speaker
	r.turn.mu.Unlock()
	if !known {
		return ""
	}
	ctx = r.adapter.Context(ctx, func(c *engine.Caller) { c.AgentName = speaker })
	return r.adapter.Stop(ctx, last, loop)
}

// conversation is what the last agent has left, without the instruction, which Eino puts before it
// again.
func (r *run) conversation() []*schema.Message {
	r.turn.mu.Lock()
	defer r.turn.mu.Unlock()
	history := r.turn.history
	if len(history) > 0 && history[0].Role == schema.System && (len(r.given) == 0 || r.given[0].Role != schema.System || len(history) > 1 && history[1].Role == schema.System) {
		history = history[1:]
	}
	return history[:len(history):len(history)]
}

// end fires run_end, and before it the end of agents that Eino doesn't tell of, because they have
// failed.
func (r *run) end(ctx context.Context, err error) {
	r.turn.mu.Lock()
	var left []*agent
	for a := range r.turn.begun {
		left = append(left, a)
	}
	r.turn.mu.Unlock()
	for _, a := range left {
		a.end(ctx, "")
	}
	r.turn.run.End(ctx, err)
}

func lastOfUser(messages []*schema.Message) int {
	if n := len(messages); n > 0 && messages[n-1].Role == schema.User {
		return n - 1
	}
	return -1
}

// withPrompt is the messages with a prompt as hooks have left it, and what they add to it. Where
// a prompt has parts that are no text, they stay.
func withPrompt(messages []*schema.Message, at int, was, prompt, added string) []*schema.Message {
	if prompt == was && added == "" {
		return messages
	}
	m := *messages[at]
	if prompt != was {
		m.Content = prompt
		var rest []schema.MessageInputPart
		for _, part := range m.UserInputMultiContent {
			if part.Type != schema.ChatMessagePartTypeText {
				rest = append(rest, part)
			}
		}
		if len(rest) > 0 {
			m.UserInputMultiContent = append([]schema.MessageInputPart{{Type: schema.ChatMessagePartTypeText, Text: prompt}}, rest...)
		} else {
			m.UserInputMultiContent = nil
		}
		m.MultiContent = nil
	}
	changed := append(messages[:at:at], &m)
	changed = append(changed, messages[at+1:]...)
	if added != "" {
		changed = append(changed, schema.UserMessage(added))
	}
	return changed
}
