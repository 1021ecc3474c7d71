package adkhook_test

import (
	"context"
	"iter"
	"maps"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/agenttool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{Name: "adkhook", Run: runScenario})
}

// runScenario runs one scenario with an agent of ADK.
func runScenario(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	calling := &genai.Content{Role: genai.RoleModel}
	for _, c := range s.Calls {
		calling.Parts = append(calling.Parts, callPart(c.ID, c.Tool, c.Input))
	}
	m := &played{name: adaptertest.Model, fail: s.ModelFails}
	if len(s.Calls) > 0 {
		m.turns = []*genai.Content{calling}
	}
	var tools []tool.Tool
	for _, own := range s.Tools {
		tools = append(tools, toolOf(t, own))
	}
	helping := &played{name: adaptertest.Model}
	if s.Sub {
		helping.turns = []*genai.Content{calling, say("helped")}
		helper, err := llmagent.New(llmagent.Config{Name: "helper", Description: "helps", Model: helping, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		m.turns = []*genai.Content{calls(callPart("sub", "helper", map[string]any{"request": "go"}))}
		tools = []tool.Tool{agenttool.New(helper, nil)}
	}
	a, err := llmagent.New(llmagent.Config{Name: s.Agent, Model: m, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	c := converse(t, a, adkhook.Plugin(s.Engine, s.Options...))
	c.session = s.Session
	if s.Stream {
		c.mode = agent.StreamingModeSSE
	}
	r := c.say(s.Context, genai.NewContentFromText(s.Prompt, genai.RoleUser))
	o := adaptertest.Outcome{Answers: r.answers, Stopped: len(r.asks)}
	if len(r.asks) > 0 && s.Answer != nil {
		r = c.say(s.Context, confirm(*s.Answer, r.asks...))
		maps.Copy(o.Answers, r.answers)
	}
	maps.Copy(o.Answers, helping.answers)
	o.Requests = append(m.requests, helping.requests...)
	o.Final, o.Err = r.final, r.err
	return o
}

func toolOf(t testing.TB, own adaptertest.Tool) tool.Tool {
	cfg := functiontool.Config{Name: own.Name, Description: own.Name}
	var made tool.Tool
	var err error
	if own.Streams {
		made, err = functiontool.NewStreaming(cfg, func(ctx agent.Context, args map[string]any) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				output, err := own.Run(ctx, args)
				if err != nil {
					yield("", err)
					return
				}
				for part := range strings.SplitSeq(engine.TextOf(output), "|") {
					if !yield(part, nil) {
						return
					}
				}
			}
		})
	} else {
		made, err = functiontool.New(cfg, func(ctx agent.Context, args map[string]any) (any, error) {
			return own.Run(context.Context(ctx), args)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}
