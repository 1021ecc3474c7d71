package mcpgohook_test

import (
	"context"
	"fmt"
	"log"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A server with a shell, under the built-in hooks.
func Example() {
	e, err := engine.New()
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	s := server.NewMCPServer("shell", "1.0.0", mcpgohook.ServerOption(e))
	s.AddTool(mcp.NewTool("bash", mcp.WithString("command", mcp.Required())), runBash)

	// A client whose model wants to run two commands.
	c, err := client.NewInProcessClient(s)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if err := c.Start(context.Background()); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Initialize(context.Background(), mcp.InitializeRequest{}); err != nil {
		log.Fatal(err)
	}
	for _, command := range []string{"echo hello", "rm -rf /"} {
		var call mcp.CallToolRequest
		call.Params.Name, call.Params.Arguments = "bash", map[string]any{"command": command}
		result, err := c.CallTool(context.Background(), call)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.IsError, result.Content[0].(mcp.TextContent).Text)
	}
	// Output:
	// false ran echo hello
	// true This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
}

func runBash(_ context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText("ran " + call.GetString("command", "")), nil
}

// Where a hook asks, the client asks its user, and calls again with the answer.
func Example_ask() {
	e, err := engine.New(engine.WithScript("mail.lua", `
on("pre_tool_call", { match = "send_mail" }, function(ev) return ask("It goes to all customers.") end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	s := server.NewMCPServer("mail", "1.0.0", mcpgohook.ServerOption(e))
	s.AddTool(mcp.NewTool("send_mail"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("sent"), nil
	})

	c, err := client.NewInProcessClientWithOptions(s, client.WithElicitationHandler(agreeable{}))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if err := c.Start(context.Background()); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Initialize(context.Background(), mcp.InitializeRequest{}); err != nil {
		log.Fatal(err)
	}
	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = "send_mail", map[string]any{"subject": "Sale"}
	result, err := c.CallTool(context.Background(), call)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(mcp.TextContent).Text)
	// Output:
	// May the tool send_mail run? It goes to all customers.
	//
	// {"subject":"Sale"}
	// sent
}

// agreeable is a user who says yes.
type agreeable struct{}

func (agreeable) Elicit(_ context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	fmt.Println(req.Params.Message)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept}}, nil
}
