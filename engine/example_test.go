package engine_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A hook in Lua decides over a tool call.
func Example() {
	e, err := engine.New(engine.WithScript("push.lua", `
on("pre_tool_call", { match = "bash" }, function(ev)
  if ev.tool_call.command:find("git push", 1, true) then
    return ask("this publishes your work")
  end
end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	for _, command := range []string{"git status", "git push"} {
		result, err := e.Fire(context.Background(), &hooks.Context{
			Event:    hooks.PreToolCall,
			ToolCall: &hooks.ToolCall{Name: "bash", Command: command},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %q, %q\n", command, result.Decision, result.Reason)
	}
	// Output:
	// git status: "", ""
	// git push: "ask", "this publishes your work"
}

// A hook in Go runs beside the scripts, until it is unregistered.
func ExampleEngine_RegisterHook() {
	e, err := engine.New()
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	unregister, err := e.RegisterHook(hooks.PreModelCall, hooks.Options{Name: "budget", Priority: 10},
		func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			return &hooks.Result{Decision: hooks.Deny, Reason: "no budget left for " + c.Model}, nil
		})
	if err != nil {
		log.Fatal(err)
	}
	call := &hooks.Context{Event: hooks.PreModelCall, Model: "opus-5"}
	result, _ := e.Fire(context.Background(), call)
	fmt.Println(result.Block, result.Reason)

	unregister()
	result, _ = e.Fire(context.Background(), call)
	fmt.Println(result.Block)
	// Output:
	// true no budget left for opus-5
	// false
}

// Reload takes over what has changed on disk; a file that can't be used leaves the
// last good hooks in force.
func ExampleEngine_Reload() {
	root, err := os.MkdirTemp("", "luahook")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	write := func(text string) {
		if err := os.MkdirAll(filepath.Join(root, ".hooks"), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, ".hooks", "hello.lua"), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	write(`on("pre_prompt", function() return context("one") end)`)
	e, err := engine.New(engine.WithProject(engine.Project{Root: root}))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	for _, text := range []string{`on("pre_prompt", function() return context("two") end)`, `on("pre_promt", function() end)`} {
		write(text)
		if err := e.Reload(context.Background()); err != nil {
			fmt.Println(err)
		}
		result, _ := e.Fire(context.Background(), &hooks.Context{Event: hooks.PrePrompt, Prompt: "hi"})
		fmt.Println(result.NewContext)
	}
	// Output:
	// two
	// hooks were not reloaded, the last good ones stay in force: .hooks/hello.lua:1: on: unknown event "pre_promt"; did you mean "pre_prompt"?
	//     1 | on("pre_promt", function() end)
	//       |     ^
	// two
}

type tickets struct{}

func (tickets) Open(id string) bool { return id == "SHOP-41" }

// The embedder's scripts can call the named methods of a Go value.
func ExampleWithHostObject() {
	e, err := engine.New(
		engine.WithHostObject("tickets", tickets{}, "Open"),
		engine.WithScript("close.lua", `
on("pre_close", function(ev)
  if not tickets.Open(ev.issue_id) then return deny(ev.issue_id .. " is closed already") end
end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	for _, id := range []string{"SHOP-41", "SHOP-42"} {
		result, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.PreClose, IssueID: id})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %q\n", id, result.Reason)
	}
	// Output:
	// SHOP-41: ""
	// SHOP-42: "SHOP-42 is closed already"
}
