package mcpgohook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// runTask calls a tool as a task and gives what comes of it. over is closed when the request that
// creates the task has been answered.
func runTask(t *testing.T, s *server.MCPServer, over chan struct{}, tool string) string {
	t.Helper()
	send := func(method, params string) json.RawMessage {
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
		sent, err := json.Marshal(s.HandleMessage(context.Background(), []byte(message)))
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
	var created struct{ Result mcp.CreateTaskResult }
	sent := send("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"text":"hi"},"task":{}}`, tool))
	if err := json.Unmarshal(sent, &created); err != nil || created.Result.Task.TaskId == "" {
		t.Fatalf("%s: %v", sent, err)
	}
	if over != nil {
		close(over)
	}
	return string(send("tasks/result", fmt.Sprintf(`{"taskId":%q}`, created.Result.Task.TaskId)))
}

const taskPolicy = `
on("pre_tool_call", { match = "danger" }, function() return deny("danger is not allowed") end)
on("pre_tool_call", { match = "rewrite" }, function() return modify{ text = "rewritten" } end)
on("post_tool_call", { match = "secret" }, function() return output("***") end)
on("pre_tool_call", { match = "approve" }, function() return ask("needs a person") end)`

// TestTasks runs tools as tasks, those of AddTaskTool and those of AddTool, and holds that their
// hooks don't end with the request that has created the task.
func TestTasks(t *testing.T) {
	body := func(req mcp.CallToolRequest) ([]mcp.Content, any, error) {
		switch req.Params.Name {
		case "panics":
			panic("out of cheese")
		case "fails":
			return nil, nil, fmt.Errorf("disk full")
		case "secret":
			return []mcp.Content{mcp.NewTextContent("hunter2")}, map[string]any{"password": "hunter2"}, nil
		}
		return []mcp.Content{mcp.NewTextContent("said " + req.GetString("text", ""))}, nil, nil
	}
	for _, kind := range []string{"task tool", "tool"} {
		for _, x := range []struct {
			tool    string
			says    []string
			outcome hooks.Outcome
		}{
			{"echo", []string{"said hi"}, hooks.OutcomeOK},
			{"danger", []string{"danger is not allowed", `"isError":true`, "!said"}, hooks.OutcomeDenied},
			{"rewrite", []string{"said rewritten"}, hooks.OutcomeOK},
			{"secret", []string{"***", "!hunter2"}, hooks.OutcomeOK},
			{"approve", []string{"nobody to ask", "!said"}, hooks.OutcomeDenied},
			{"fails", []string{"disk full"}, hooks.OutcomeError},
			{"panics", []string{"out of cheese"}, hooks.OutcomeError},
		} {
			t.Run(kind+"/"+x.tool, func(t *testing.T) {
				w := newWorld(t, taskPolicy)
				s := server.NewMCPServer("x", "1", server.WithTaskCapabilities(true, true, true), w.option())
				over := make(chan struct{})
				// The hooks of the call go on when its request is over, and with that its context.
				if _, err := w.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "wait"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
					<-over
					return nil, nil
				}); err != nil {
					t.Fatal(err)
				}
				if kind == "task tool" {
					s.AddTaskTool(mcp.NewTool(x.tool, mcp.WithTaskSupport(mcp.TaskSupportRequired)), mcpgohook.TaskTool(w.Engine,
						func(_ context.Context, req mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
							content, structured, err := body(req)
							return &mcp.CreateTaskResult{Content: content, StructuredContent: structured}, err
						}, mcpgohook.WithMessages(w.take)))
				} else {
					s.AddTool(mcp.NewTool(x.tool, mcp.WithTaskSupport(mcp.TaskSupportOptional)), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						content, structured, err := body(req)
						return &mcp.CallToolResult{Content: content, StructuredContent: structured}, err
					})
				}
				says(t, runTask(t, s, over, x.tool), x.says...)
				posts := w.Of(hooks.PostToolCall)
				if len(posts) != 1 || posts[0].ToolCall.Outcome != x.outcome {
					t.Errorf("post_tool_call: %v, want one with %s", posts, x.outcome)
				}
			})
		}
	}
}

// TestTaskAsksTheProgram has the program's own function answer for a task.
func TestTaskAsksTheProgram(t *testing.T) {
	w := newWorld(t, taskPolicy, engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil }))
	s := server.NewMCPServer("x", "1", server.WithTaskCapabilities(true, true, true))
	s.AddTaskTool(mcp.NewTool("approve", mcp.WithTaskSupport(mcp.TaskSupportRequired)), mcpgohook.TaskTool(w.Engine,
		func(context.Context, mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			return &mcp.CreateTaskResult{Content: []mcp.Content{mcp.NewTextContent("approved")}}, nil
		}))
	says(t, runTask(t, s, nil, "approve"), "approved")
}
