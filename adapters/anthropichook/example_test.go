package anthropichook_test

import (
	"context"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The model calls bash with rm -rf /. safety-guard, which every engine has, denies it.
func ExampleRun() {
	model := newPlayed(says("I won't.", use("toolu_1", "bash", object{"command": "rm -rf /"})))
	defer model.server.Close()
	client := model.client() // anthropic.NewClient()
	bash := newTool("bash", func(context.Context, map[string]any) (string, error) { return "it ran", nil })

	e, err := engine.New()
	if err != nil {
		panic(err)
	}
	defer e.Close(context.Background())
	message, err := anthropichook.Run(context.Background(), e, &client.Beta.Messages, []anthropic.BetaTool{bash}, params("clean up"))
	fmt.Println(model.answers()["toolu_1"])
	fmt.Println(message.Content[0].Text, err)
	// Output:
	// Error: This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
	// I won't. <nil>
}

// A hook asks, and a person says yes.
func ExampleRun_ask() {
	model := newPlayed(says("Deployed.", use("toolu_1", "deploy", object{"to": "production"})))
	defer model.server.Close()
	client := model.client()
	deploy := newTool("deploy", func(_ context.Context, input map[string]any) (string, error) {
		return fmt.Sprint("deployed to ", input["to"]), nil
	})

	e, err := engine.New(
		engine.WithScript("policy.lua", `on("pre_tool_call", { match = "deploy" }, function() return ask("deploys need a person") end)`),
		engine.WithAsk(func(_ context.Context, event *hooks.Context, r *hooks.Result) (bool, error) {
			fmt.Println(event.ToolCall.Name, event.ToolCall.Input["to"], "-", r.Reason)
			return true, nil
		}))
	if err != nil {
		panic(err)
	}
	defer e.Close(context.Background())
	message, err := anthropichook.Run(context.Background(), e, &client.Beta.Messages, []anthropic.BetaTool{deploy}, params("ship it"))
	fmt.Println(message.Content[0].Text, err)
	// Output:
	// deploy production - deploys need a person
	// Deployed. <nil>
}
