package adkhook_test

import (
	"context"
	"fmt"
	"log"

	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/engine"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// The built-in hooks keep an agent from deleting everything.
func Example() {
	hookEngine, err := engine.New()
	if err != nil {
		log.Fatal(err)
	}
	defer hookEngine.Close(context.Background())

	type args struct {
		Command string `json:"command"`
	}
	bash, err := functiontool.New(functiontool.Config{Name: "bash", Description: "runs a command"}, func(agent.Context, args) (string, error) {
		return "deleted", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// A model that wants to run rm -rf /, in place of a real one.
	model := &played{turns: []*genai.Content{call("bash", map[string]any{"command": "rm -rf /"})}}
	coder, err := llmagent.New(llmagent.Config{Name: "coder", Model: model, Tools: []tool.Tool{bash}})
	if err != nil {
		log.Fatal(err)
	}
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: coder, SessionService: session.InMemoryService(), AutoCreateSession: true,
		PluginConfig: runner.PluginConfig{Plugins: []*plugin.Plugin{adkhook.Plugin(hookEngine)}}, // the line
	})
	if err != nil {
		log.Fatal(err)
	}
	for event, err := range r.Run(context.Background(), "ana", "session-1", genai.NewContentFromText("tidy up", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			log.Fatal(err)
		}
		for _, part := range event.Content.Parts {
			if part.FunctionResponse != nil {
				fmt.Println(part.FunctionResponse.Response["error"])
			}
		}
	}
	// Output:
	// This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
}

// Where a hook asks, ADK's user is asked, and the call goes on with the answer.
func Example_ask() {
	hookEngine, err := engine.New(engine.WithScript("policy.lua", `
		on("pre_tool_call", { match = "deploy" }, function() return ask("deploys need a person") end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer hookEngine.Close(context.Background())

	deploy, err := functiontool.New(functiontool.Config{Name: "deploy", Description: "deploys"}, func(agent.Context, struct{}) (string, error) {
		return "deployed", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	model := &played{turns: []*genai.Content{call("deploy", nil)}}
	coder, err := llmagent.New(llmagent.Config{Name: "coder", Model: model, Tools: []tool.Tool{deploy}})
	if err != nil {
		log.Fatal(err)
	}
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: coder, SessionService: session.InMemoryService(), AutoCreateSession: true,
		PluginConfig: runner.PluginConfig{Plugins: []*plugin.Plugin{adkhook.Plugin(hookEngine)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	message := genai.NewContentFromText("ship it", genai.RoleUser)
	for message != nil {
		var next *genai.Content
		for event, err := range r.Run(context.Background(), "ana", "session-1", message, agent.RunConfig{}) {
			if err != nil {
				log.Fatal(err)
			}
			for _, part := range event.Content.Parts {
				switch ask := part.FunctionCall; {
				case ask != nil && ask.Name == "adk_request_confirmation": // show it to a person
					next = confirm(true, ask)
				case part.FunctionResponse != nil:
					fmt.Println(part.FunctionResponse.Response)
				}
			}
		}
		message = next
	}
	// Output:
	// map[error:this call waits for a person: deploys need a person]
	// map[result:deployed]
}
