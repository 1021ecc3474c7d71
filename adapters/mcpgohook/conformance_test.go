package mcpgohook_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	noModel  = "an MCP server has no model"
	noRun    = "an MCP server hears of calls, not of an agent's runs and prompts"
	noStream = "MCP answers a call with one result"
)

var lacks = map[string]string{
	"model": noModel, "model_deny": noModel, "model_context": noModel, "model_error": noModel,
	"run": noRun, "prompt": noRun, "stream": noStream, "tool_stream": noStream,
	"subagent": "MCP doesn't tell a server which agent calls",
}

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{Name: "mcpgohook", Lacks: lacks, Run: runScenario(mcp.LATEST_PROTOCOL_VERSION)})
}

// TestConformanceOlderClient runs the list with a client whose user is asked by a request of the
// server, while the call waits.
func TestConformanceOlderClient(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{Name: "mcpgohook-2025-11-25", Lacks: lacks, Run: runScenario("2025-11-25")})
}

func runScenario(version string) func(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	return func(t testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
		srv := server.NewMCPServer("tools", "1", mcpgohook.ServerOption(s.Engine, s.Options...))
		for _, tool := range s.Tools {
			srv.AddTool(mcp.NewTool(tool.Name), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				var input map[string]any
				if err := req.BindArguments(&input); err != nil {
					return nil, err
				}
				output, err := tool.Run(ctx, input)
				if err != nil {
					return nil, err
				}
				if text, ok := output.(string); ok {
					return mcp.NewToolResultText(text), nil
				}
				return mcp.NewToolResultStructuredOnly(output), nil
			})
		}
		o := adaptertest.Outcome{Answers: map[string]string{}}
		person := &asker{}
		if s.Answer != nil {
			person.action = mcp.ElicitationResponseActionDecline
			if *s.Answer {
				person.action = mcp.ElicitationResponseActionAccept
			}
		}
		c := connect(t, srv, version, person)
		var mu sync.Mutex
		var wait sync.WaitGroup
		for _, call := range s.Calls {
			wait.Go(func() {
				text, err := callTool(s.Context, c, call.Tool, call.Input)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					o.Err = errors.Join(o.Err, err)
					return
				}
				o.Answers[call.ID] = text
			})
		}
		wait.Wait()
		o.Stopped = int(person.asked.Load())
		return o
	}
}

// asker is the client's user, who answers every question with the same action, or not at all.
type asker struct {
	action mcp.ElicitationResponseAction
	asked  atomic.Int64
	last   atomic.Pointer[string] // what was asked last
}

func (a *asker) Elicit(_ context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	a.asked.Add(1)
	a.last.Store(&req.Params.Message)
	if a.action == "" {
		return nil, errors.New("the user is away")
	}
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: a.action, Content: map[string]any{}}}, nil
}

// connect is a client that speaks the protocol version.
func connect(t testing.TB, s *server.MCPServer, version string, person client.ElicitationHandler) *client.Client {
	t.Helper()
	var options []client.ClientOption
	if person != nil {
		options = append(options, client.WithElicitationHandler(person))
	}
	c, err := client.NewInProcessClientWithOptions(s, options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = version
	init.Params.ClientInfo = mcp.Implementation{Name: "agent", Version: "1"}
	answer, err := c.Initialize(context.Background(), init)
	if err != nil {
		t.Fatal(err)
	}
	if answer.ProtocolVersion != version {
		t.Fatalf("the client speaks %s, want %s", answer.ProtocolVersion, version)
	}
	return c
}

// callTool gives all that a client gets of a call, as one text.
func callTool(ctx context.Context, c *client.Client, name string, input map[string]any) (string, error) {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, input
	result, err := c.CallTool(ctx, req)
	if err != nil {
		return "", err
	}
	return resultText(result.Content, result.StructuredContent), nil
}

func resultText(content []mcp.Content, structured any) string {
	var parts []string
	for _, c := range content {
		if text, ok := c.(mcp.TextContent); ok {
			parts = append(parts, text.Text)
			continue
		}
		part, _ := json.Marshal(c)
		parts = append(parts, string(part))
	}
	if structured != nil {
		part, _ := json.Marshal(structured)
		parts = append(parts, string(part))
	}
	return strings.Join(parts, "\n")
}
