package einohook_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{
		Name:  "einohook",
		Lacks: map[string]string{"session": "Eino has no sessions: a run is all that it knows"},
		Run:   runScenario,
	})
}

func runScenario(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	usage := &schema.TokenUsage{PromptTokens: adaptertest.UsageInput, CompletionTokens: adaptertest.UsageOutput}
	worker := &played{usage: usage}
	if s.ModelFails != "" {
		worker.fails = errors.New(s.ModelFails)
	}
	if len(s.Calls) > 0 {
		m := schema.AssistantMessage("", nil)
		for _, c := range s.Calls {
			m.ToolCalls = append(m.ToolCalls, schema.ToolCall{ID: c.ID, Type: "function", Function: schema.FunctionCall{Name: c.Tool, Arguments: engine.TextOf(c.Input)}})
		}
		worker.answers = append(worker.answers, m)
	}
	var tools []tool.BaseTool
	for _, tool := range s.Tools {
		tools = append(tools, toolFor(tool))
	}
	handlers := []adk.ChatModelAgentMiddleware{einohook.Handler(s.Engine, s.Options...)}
	models := []*played{worker}
	main := worker
	agent := newAgent(t, s.Agent, worker, handlers, tools...)
	if s.Sub {
		worker.answers = append(worker.answers, schema.AssistantMessage("helped", nil))
		helper := adk.NewAgentTool(s.Context, newAgent(t, "helper", worker, handlers, tools...))
		main = &played{usage: usage, answers: []*schema.Message{calls("helper", `{"request": "go"}`)}}
		models = append(models, main)
		agent = newAgent(t, s.Agent, main, handlers, helper)
	}
	runner := adk.NewRunner(s.Context, adk.RunnerConfig{Agent: agent, EnableStreaming: s.Stream, CheckPointStore: &memory{}})
	options := []adk.AgentRunOption{adk.WithCheckPointID("x"), einohook.RunOptions(s.Options...)}
	r := drain(einohook.Run(s.Context, s.Engine, runner, []adk.Message{schema.UserMessage(s.Prompt)}, options...))
	o := adaptertest.Outcome{Answers: map[string]string{}}
	for r.interrupt != nil {
		o.Stopped++
		if s.Answer == nil {
			break
		}
		events, err := einohook.Resume(s.Context, s.Engine, runner, "x", r.targets(&einohook.Approval{Approved: *s.Answer}), options...)
		if err != nil {
			t.Fatal(err)
		}
		r = drain(events)
	}
	o.Final, o.Err = r.final, r.err()
	for _, m := range models {
		for i := range m.requests {
			o.Requests = append(o.Requests, m.text(i))
		}
	}
	for _, c := range s.Calls {
		if text, ok := worker.given(c.ID); ok {
			o.Answers[c.ID] = text
		}
	}
	return o
}

// toolFor makes a tool of Eino of a tool of the list.
func toolFor(t adaptertest.Tool) tool.BaseTool {
	run := func(ctx context.Context, args string) (string, error) {
		var input map[string]any
		if err := json.Unmarshal([]byte(args), &input); err != nil {
			return "", err
		}
		output, err := t.Run(ctx, input)
		return engine.TextOf(output), err
	}
	if !t.Streams {
		return invokable{toolOf{t.Name}, run}
	}
	return streamable{toolOf{t.Name}, func(ctx context.Context, args string) (*schema.StreamReader[string], error) {
		text, err := run(ctx, args)
		if err != nil {
			return nil, err
		}
		return schema.StreamReaderFromArray(strings.Split(text, "|")), nil
	}}
}
