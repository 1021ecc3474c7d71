package mcphook_test

import (
	"context"
	"fmt"
	"log"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type command struct {
	Command string `json:"command"`
}

// runs is a tool that would run a command.
func runs(_ context.Context, _ *mcp.CallToolRequest, c command) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ran " + c.Command}}}, nil, nil
}

// connected is a client of a server, without a network.
func connected(server *mcp.Server, client *mcp.Client) *mcp.ClientSession {
	ctx := context.Background()
	toServer, toClient := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, toClient, nil); err != nil {
		log.Fatal(err)
	}
	session, err := client.Connect(ctx, toServer, nil)
	if err != nil {
		log.Fatal(err)
	}
	return session
}

// The tools of a server, guarded for all of its clients.
func ExampleServer() {
	e, err := engine.New()
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	server := mcp.NewServer(&mcp.Implementation{Name: "workshop"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "bash"}, runs)
	server.AddReceivingMiddleware(mcphook.Server(e))

	session := connected(server, mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil))
	defer session.Close()
	for _, line := range []string{"rm -rf /", "ls"} {
		res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "bash", Arguments: command{line}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.IsError, res.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// true This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
	// false ran ls
}

// The tools of others' servers, guarded for one agent.
func ExampleClient() {
	e, err := engine.New(engine.WithScript("workshop.lua", `
on("pre_tool_selection", function(ev)
  local safe = {}
  for _, tool in ipairs(ev.tools) do
    if not tool.name:find("delete") then table.insert(safe, tool) end
  end
  return modify{ tools = safe }
end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	server := mcp.NewServer(&mcp.Implementation{Name: "workshop"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "run_command"}, runs)
	mcp.AddTool(server, &mcp.Tool{Name: "delete_everything"}, runs)

	client := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil)
	client.AddSendingMiddleware(mcphook.Client(e))

	session := connected(server, client)
	defer session.Close()
	for tool, err := range session.Tools(context.Background(), nil) {
		fmt.Println(tool.Name, err)
	}
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "run_command", Arguments: command{"rm -rf /"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.IsError, res.Content[0].(*mcp.TextContent).Text)
	// Output:
	// run_command <nil>
	// true This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
}

// A hook asks, and the client's user answers.
func ExampleServer_ask() {
	e, err := engine.New(engine.WithScript("deploy.lua", `
on("pre_tool_call", { match = "deploy" }, function() return ask("this goes to production") end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	server := mcp.NewServer(&mcp.Implementation{Name: "workshop"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "deploy"}, runs)
	server.AddReceivingMiddleware(mcphook.Server(e))

	session := connected(server, mcp.NewClient(&mcp.Implementation{Name: "agent"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			fmt.Println(r.Params.Message)
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	}))
	defer session.Close()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "deploy", Arguments: command{"v2"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output:
	// this goes to production
	//
	// deploy {"command":"v2"}
	// ran v2
}
