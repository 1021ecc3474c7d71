package mcphook_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lacks are the checks about what MCP doesn't have, on either side.
func lacks(more map[string]string) map[string]string {
	const noModel, noRun = "MCP has no calls of models that hooks could see", "MCP has no runs of agents"
	all := map[string]string{
		"model": noModel, "model_deny": noModel, "model_context": noModel, "model_error": noModel, "model_off": noModel,
		"run": noRun, "prompt": noRun, "subagent": noRun,
		"stream": "MCP has no streaming runs", "tool_stream": "a tool's result comes as a whole",
	}
	for name, why := range more {
		all[name] = why
	}
	return all
}

func TestConformanceOfServer(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{Name: "mcphook-server", Lacks: lacks(nil), Run: func(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
		return run(t, s, mcphook.Server(s.Engine, s.Options...), nil)
	}})
}

func TestConformanceOfClient(t *testing.T) {
	noAsk := "a client's middleware has no way to ask but engine.WithAsk"
	adaptertest.Run(t, adaptertest.Adapter{
		Name: "mcphook-client",
		Lacks: lacks(map[string]string{
			"panic":      "the tools run in the server's process",
			"ask_native": noAsk, "ask_refused": noAsk, "session": "the session is that of the agent that has the client, which says so with engine.WithCaller",
		}),
		Run: func(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
			s.Context = engine.WithCaller(s.Context, engine.Caller{SessionID: s.Session, AgentName: s.Agent})
			return run(t, s, nil, mcphook.Client(s.Engine, s.Options...))
		},
	})
}

// run has a client make the scenario's calls, all at once.
func run(t testing.TB, s adaptertest.Scenario, onServer, onClient mcp.Middleware) adaptertest.Outcome {
	outcome := adaptertest.Outcome{Answers: map[string]string{}}
	var mu sync.Mutex
	options := &mcp.ClientOptions{}
	if s.Answer != nil {
		options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			mu.Lock()
			defer mu.Unlock()
			outcome.Stopped++
			if *s.Answer {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			}
			return &mcp.ElicitResult{Action: "decline"}, nil
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	for _, tool := range s.Tools {
		mcp.AddTool(server, &mcp.Tool{Name: tool.Name}, func(ctx context.Context, _ *mcp.CallToolRequest, input map[string]any) (*mcp.CallToolResult, any, error) {
			output, err := tool.Run(ctx, input)
			if text, ok := output.(string); ok {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, err
			}
			return nil, output, err
		})
	}
	if onServer != nil {
		server.AddReceivingMiddleware(onServer)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: s.Agent, Version: "1"}, options)
	if onClient != nil {
		client.AddSendingMiddleware(onClient)
	}
	toServer, toClient := mcp.NewInMemoryTransports()
	serving, err := server.Connect(context.WithoutCancel(s.Context), toClient, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(context.Background(), toServer, nil)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for _, c := range s.Calls {
		calls.Go(func() {
			res, err := session.CallTool(engine.WithToolCallID(s.Context, c.ID), &mcp.CallToolParams{Name: c.Tool, Arguments: c.Input})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				outcome.Err = err
				return
			}
			outcome.Answers[c.ID] = show(t, res)
		})
	}
	calls.Wait()
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	_ = serving.Wait() // for calls that the client gave up
	return outcome
}

// show is a result as one text: its texts, and all of it as JSON.
func show(t testing.TB, res *mcp.CallToolResult) string {
	var texts []string
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	all, err := json.Marshal(res)
	if err != nil {
		t.Error(err)
	}
	return strings.Join(texts, "\n") + "\n" + string(all)
}
