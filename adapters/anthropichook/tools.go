package anthropichook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Tools puts tools under e's hooks, for the tool runners of messages and of sessions, and for
// whoever calls them by hand. A tool that is under e's hooks already stays as it is. What is
// returned is an [io.Closer] each, which closes the tool where that can be closed.
//
// A call that hooks refuse is an error of the tool: the runner gives its text to the model, as
// "Error: TEXT". Where a hook asks, the call waits for the function of [engine.WithAsk] or
// [engine.AskWith]. Panics are errors.
//
// The ids of calls, and the end of the turn when a hook halts it, need the context of [Run],
// [RunStreaming] or [RunContext].
func Tools(e *engine.Engine, tools []anthropic.BetaTool, o ...Option) []anthropic.BetaTool {
	a := adapter.New(e, o...)
	hooked := make([]anthropic.BetaTool, len(tools))
	for i, t := range tools {
		if h, ok := t.(*tool); ok && h.adapter.Engine() == e {
			hooked[i] = h
			continue
		}
		hooked[i] = &tool{t, a}
	}
	return hooked
}

// tool is a tool under hooks.
type tool struct {
	anthropic.BetaTool
	adapter *adapter.Adapter
}

// Close closes the tool itself, where it can be closed.
func (t *tool) Close() error {
	if c, ok := t.BetaTool.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type blocks = []anthropic.BetaToolResultBlockParamContentUnion

// Execute runs the tool between its two events.
func (t *tool) Execute(ctx context.Context, input json.RawMessage) (blocks, error) {
	object, err := adapter.DecodeInput(input)
	if err != nil {
		return nil, fmt.Errorf("the input of %s can't be judged: %w", t.Name(), err)
	}
	turn := turnOf(ctx)
	call := hooks.ToolCall{ID: turn.take(t.Name(), input), Name: t.Name(), Input: object}
	run := t.adapter.BeginTool(ctx, call)
	var own blocks
	output, err := run.Do(ctx, func(ctx context.Context) (any, error) {
		if run.Rewritten() {
			var err error
			if input, err = hooks.EncodeJSON(run.Input()); err != nil {
				return nil, fmt.Errorf("its rewritten input can't be used: %w", err)
			}
		}
		var err error
		if own, err = t.BetaTool.Execute(insideTool(ctx, toolCall{t.Name(), call.ID, turn}), input); err != nil {
			return nil, err // beside which the runner drops what the tool returns
		}
		return outputOf(own), nil
	})
	answer := run.End(ctx, output, err)
	if answer.Halt {
		t.halt(ctx, turn, answer)
	}
	switch {
	case answer.Err != nil:
		return nil, &failure{answer.Text(), answer.Err}
	case answer.Replaced:
		_, structured := output.(blocks)
		own = blocksOf(answer.Output, structured)
	}
	own = slices.Clip(own)
	for _, note := range answer.Notes() {
		own = append(own, textBlock(note))
	}
	return own, nil
}

// halt has the turn end before the next request.
func (t *tool) halt(ctx context.Context, turn *turn, answer *engine.ToolAnswer) {
	if turn == nil {
		t.adapter.Warn(ctx, hooks.PreToolCall, "a hook ends the turn in a call of %s, and the tool runner can't be told: use anthropichook.Run, or a context of anthropichook.RunContext", t.Name())
		return
	}
	turn.halt(haltOf(answer))
}

// failure is the error of a call, with the text that the model reads of it.
type failure struct {
	text string
	err  error
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.err }

func textBlock(text string) anthropic.BetaToolResultBlockParamContentUnion {
	return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: text}}
}

// outputOf is what hooks see of a tool's output: one text, or the blocks where not all are texts.
func outputOf(own blocks) any {
	texts := make([]string, len(own))
	for i, b := range own {
		if b.OfText == nil {
			return own
		}
		texts[i] = b.OfText.Text
	}
	return strings.Join(texts, "\n")
}

// blocksOf makes the blocks of what stands in for a tool's output: those that a hook has made of
// the tool's blocks, or one text.
func blocksOf(output any, structured bool) (list blocks) {
	if items, ok := output.([]any); ok && structured {
		raw, err := hooks.EncodeJSON(items)
		if err == nil && json.Unmarshal(raw, &list) == nil && !slices.ContainsFunc(list, isUnknown) {
			return list
		}
	}
	if text := engine.TextOf(output); text != "" { // the API refuses an empty one
		return blocks{textBlock(text)}
	}
	return nil
}

func isUnknown(b anthropic.BetaToolResultBlockParamContentUnion) bool { return b.GetType() == nil }
