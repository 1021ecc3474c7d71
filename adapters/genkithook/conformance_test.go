package genkithook_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/luahook/luahook/adapters/genkithook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{
		Name: "genkithook",
		Run:  runGenkit,
		Lacks: map[string]string{
			"session":     "Genkit has no sessions: a conversation is the messages that its user keeps",
			"tool_stream": "Genkit's tools don't stream",
		},
	})
}

// runGenkit runs a scenario with a Genkit of its own.
func runGenkit(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	g := genkit.Init(s.Context)
	usage := &ai.GenerationUsage{InputTokens: adaptertest.UsageInput, OutputTokens: adaptertest.UsageOutput}
	var tools []ai.ToolRef
	for _, tool := range s.Tools {
		tools = append(tools, genkit.DefineTool(g, tool.Name, tool.Name, func(ctx *ai.ToolContext, input map[string]any) (any, error) {
			return tool.Run(ctx, input)
		}))
	}
	made := &ai.Message{Role: ai.RoleModel}
	for _, c := range s.Calls {
		made.Content = append(made.Content, ai.NewToolRequestPart(&ai.ToolRequest{Ref: c.ID, Name: c.Tool, Input: c.Input}))
	}
	main, helper := &played{usage: usage}, &played{usage: usage}
	if s.ModelFails != "" {
		main.fails = errors.New(s.ModelFails)
	}
	model, helperModel := main.define(g, adaptertest.Model), helper.define(g, "played-helper")
	hooked := genkithook.Middleware(s.Engine, s.Options...)

	switch {
	case s.Sub:
		main.turns = []*ai.Message{calls(&ai.ToolRequest{Ref: "sub", Name: "helper", Input: map[string]any{"request": "go"}})}
		helper.turns = []*ai.Message{made, ai.NewModelTextMessage("helped")}
		inner := tools
		tools = []ai.ToolRef{genkit.DefineTool(g, "helper", "an agent", func(ctx *ai.ToolContext, input struct {
			Request string `json:"request"`
		}) (string, error) {
			return genkit.GenerateText(ctx, g, ai.WithModel(helperModel), ai.WithPrompt("%s", input.Request), ai.WithTools(inner...), ai.WithUse(hooked))
		})}
	case len(s.Calls) > 0:
		main.turns = []*ai.Message{made}
	}
	main.turns = append(main.turns, ai.NewModelTextMessage("done"))

	options := []ai.GenerateOption{ai.WithModel(model), ai.WithTools(tools...), ai.WithUse(hooked)}
	streamed := ""
	if s.Stream {
		options = append(options, ai.WithStreaming(func(_ context.Context, chunk *ai.ModelResponseChunk) error {
			if chunk.Role == ai.RoleModel {
				streamed += chunk.Text()
			}
			return nil
		}))
	}
	ctx := engine.WithCaller(s.Context, engine.Caller{SessionID: s.Session, AgentName: s.Agent})
	o := adaptertest.Outcome{}
	resp, err := genkit.Generate(ctx, g, append(options, ai.WithPrompt("%s", s.Prompt))...)
	for err == nil && len(resp.Interrupts()) > 0 {
		o.Stopped++
		if s.Answer == nil {
			break
		}
		var restarts []*ai.Part
		for _, part := range resp.Interrupts() {
			if *s.Answer {
				restarts = append(restarts, genkithook.Allow(part))
			} else {
				restarts = append(restarts, genkithook.Refuse(part, ""))
			}
		}
		resp, err = genkit.Generate(ctx, g, append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(restarts...))...)
	}
	if o.Err = err; err == nil {
		o.Final = resp.Text()
		if s.Stream && streamed != o.Final {
			t.Errorf("streamed %q, and answered %q", streamed, o.Final)
		}
		main.note(resp.History())
	}
	o.Requests = append(main.asked(t), helper.asked(t)...)
	o.Answers = map[string]string{}
	maps.Copy(o.Answers, main.answers)
	maps.Copy(o.Answers, helper.answers)
	return o
}
