package einohook_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
)

type command struct {
	Command string `json:"command"`
}

// An agent whose model wants to delete everything, under the hooks that are built in.
func Example() {
	ctx := context.Background()
	bash, err := utils.InferTool("bash", "runs a command", func(_ context.Context, c command) (string, error) {
		return "ran " + c.Command, nil
	})
	if err != nil {
		panic(err)
	}
	e, err := engine.New() // the built-in hooks, safety-guard among them
	if err != nil {
		panic(err)
	}
	defer e.Close(ctx)

	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "coder", Description: "writes code",
		Model:       &played{answers: []*schema.Message{calls("bash", `{"command":"rm -rf /"}`)}},
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{bash}}},
		Handlers:    []adk.ChatModelAgentMiddleware{einohook.Handler(e)},
	})
	if err != nil {
		panic(err)
	}
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, "clean up")
	for event, more := events.Next(); more; event, more = events.Next() {
		if m := event.Output.MessageOutput; m.Role == schema.Tool {
			fmt.Println(m.Message.Content)
		}
	}
	// Output: This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
}

// A hook asks; the run stops with a question, and goes on with the answer.
func ExampleResume() {
	ctx := context.Background()
	e, err := engine.New(engine.WithScript("policy.lua", `
		on("pre_tool_call", { match = "deploy" }, function() return ask("deploy on a Friday?") end)`))
	if err != nil {
		panic(err)
	}
	defer e.Close(ctx)
	deploy, err := utils.InferTool("deploy", "deploys", func(context.Context, struct{}) (string, error) { return "deployed", nil })
	if err != nil {
		panic(err)
	}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "coder", Description: "writes code",
		Model:       &played{answers: []*schema.Message{calls("deploy", `{}`)}},
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{deploy}}},
		Handlers:    []adk.ChatModelAgentMiddleware{einohook.Handler(e)},
	})
	if err != nil {
		panic(err)
	}
	runner := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent, CheckPointStore: &memory{}})
	events := einohook.Run(ctx, e, runner, []adk.Message{schema.UserMessage("go")}, adk.WithCheckPointID("run-1"))
	answers := &adk.ResumeParams{Targets: map[string]any{}}
	for event, more := events.Next(); more; event, more = events.Next() {
		if event.Action == nil || event.Action.Interrupted == nil {
			continue
		}
		for _, c := range event.Action.Interrupted.InterruptContexts {
			if q, ok := c.Info.(*einohook.Question); ok {
				fmt.Println(q.Tool, q.Input, q.Reason)
				answers.Targets[c.ID] = &einohook.Approval{Approved: true}
			}
		}
	}
	events, err = einohook.Resume(ctx, e, runner, "run-1", answers)
	if err != nil {
		panic(err)
	}
	for event, more := events.Next(); more; event, more = events.Next() {
		fmt.Println(event.Output.MessageOutput.Message.Content)
	}
	// Output:
	// deploy {} deploy on a Friday?
	// deployed
	// done
}
