package anthropichook_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/toolrunner"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{
		Name: "anthropichook",
		Lacks: map[string]string{
			"ask_native":  "the SDK's tool runners can't be interrupted; an ask waits for engine.WithAsk",
			"ask_refused": "the SDK's tool runners can't be interrupted; an ask waits for engine.WithAsk",
			"session":     "the Messages API has no sessions",
			"tool_stream": "the SDK's tools don't stream",
		},
		Run: conform,
	})
}

// conform runs a scenario with a tool runner of the SDK.
func conform(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	var calls []any
	for _, c := range s.Calls {
		calls = append(calls, use(c.ID, c.Tool, c.Input))
	}
	model := newPlayed(func(r request) reply {
		switch {
		case s.ModelFails != "":
			return reply{status: 400, message: s.ModelFails}
		case r.body.System != nil && s.Sub:
			return says("helped", calls...)(r)
		case s.Sub:
			return says("done", use("sub", "helper", object{"request": "go"}))(r)
		}
		return says("done", calls...)(r)
	})
	defer model.server.Close()
	service := &model.client().Beta.Messages
	var tools []anthropic.BetaTool
	for _, tool := range s.Tools {
		tools = append(tools, newTool(tool.Name, func(ctx context.Context, input map[string]any) (string, error) {
			output, err := tool.Run(ctx, input)
			return engine.TextOf(output), err
		}))
	}
	if s.Sub {
		own := tools
		tools = []anthropic.BetaTool{newTool("helper", func(ctx context.Context, input map[string]any) (string, error) {
			p := params(input["request"].(string))
			p.System = []anthropic.BetaTextBlockParam{{Text: "you are the helper"}}
			m, err := anthropichook.Run(ctx, s.Engine, service, own, p, s.Options...)
			return finalText(m), err
		})}
	}
	ctx := engine.WithCaller(s.Context, engine.Caller{SessionID: s.Session, AgentID: s.Agent, AgentName: s.Agent})
	var o adaptertest.Outcome
	if s.Stream {
		o.Final, o.Err = streamed(ctx, s, service, tools)
	} else {
		var m *anthropic.BetaMessage
		m, o.Err = anthropichook.Run(ctx, s.Engine, service, tools, params(s.Prompt), s.Options...)
		o.Final = finalText(m)
	}
	o.Answers, o.Requests = model.answers(), model.texts()
	return o
}

func streamed(ctx context.Context, s adaptertest.Scenario, service *anthropic.BetaMessageService, tools []anthropic.BetaTool) (final string, err error) {
	for event, err := range anthropichook.RunStreaming(ctx, s.Engine, service, tools, params(s.Prompt), s.Options...) {
		switch {
		case err != nil:
			return final, err
		case event.Type == "message_start":
			final = ""
		case event.Type == "content_block_delta":
			final += event.Delta.Text
		}
	}
	return final, nil
}

func finalText(m *anthropic.BetaMessage) (text string) {
	if m != nil {
		for _, b := range m.Content {
			text += b.Text
		}
	}
	return text
}

// newTool is a tool with any object as its input, and a text as its output.
func newTool(name string, run func(ctx context.Context, input map[string]any) (string, error)) anthropic.BetaTool {
	return toolrunner.NewBetaTool(name, name, anthropic.BetaToolInputSchemaParam{},
		func(ctx context.Context, raw json.RawMessage) (anthropic.BetaToolResultBlockParamContentUnion, error) {
			var input map[string]any
			if err := json.Unmarshal(raw, &input); err != nil {
				return anthropic.BetaToolResultBlockParamContentUnion{}, err
			}
			text, err := run(ctx, input)
			return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: text}}, err
		})
}
