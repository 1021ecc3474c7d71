package genkithook_test

import (
	"context"
	"fmt"
	"log"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/luahook/luahook/adapters/genkithook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

type command struct {
	Command string `json:"command"`
}

// play defines a model that calls bash with a line, and then says what it was told.
func play(g *genkit.Genkit, line string) ai.Model {
	options := &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true}}
	return genkit.DefineModel(g, "played", options, func(_ context.Context, r *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		said := ai.NewModelMessage(ai.NewToolRequestPart(&ai.ToolRequest{Ref: "1", Name: "bash", Input: command{line}}))
		if last := r.Messages[len(r.Messages)-1]; last.Role == ai.RoleTool {
			said = ai.NewModelTextMessage(fmt.Sprint("I was told: ", last.Content[0].ToolResponse.Output))
		}
		return &ai.ModelResponse{Request: r, Message: said, FinishReason: ai.FinishReasonStop}, nil
	})
}

// The guard that is built in refuses what the model wants to run.
func Example() {
	ctx := context.Background()
	e, err := engine.New()
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(ctx)

	g := genkit.Init(ctx)
	bash := genkit.DefineTool(g, "bash", "Runs a command.", func(_ *ai.ToolContext, in command) (string, error) {
		return "ran " + in.Command, nil
	})
	text, err := genkit.GenerateText(ctx, g,
		ai.WithModel(play(g, "rm -rf /")),
		ai.WithPrompt("Make some room."),
		ai.WithTools(bash),
		ai.WithUse(genkithook.Middleware(e)),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// I was told: This deletes /: the whole machine. Delete what you mean by its own name, inside of the working folder. (safety-guard: deletion.root)
}

// A hook's ask is an interrupt; a person answers it, and the Generate goes on.
func ExampleAllow() {
	ctx := context.Background()
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(ctx)
	_, err = e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "careful"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Decision: hooks.Ask, Reason: "this goes to production"}, nil
	})
	if err != nil {
		log.Fatal(err)
	}

	g := genkit.Init(ctx)
	bash := genkit.DefineTool(g, "bash", "Runs a command.", func(_ *ai.ToolContext, in command) (string, error) {
		return "ran " + in.Command, nil
	})
	options := []ai.GenerateOption{ai.WithModel(play(g, "make deploy")), ai.WithTools(bash), ai.WithUse(genkithook.Middleware(e))}

	resp, err := genkit.Generate(ctx, g, append(options, ai.WithPrompt("Ship it."))...)
	for err == nil && len(resp.Interrupts()) > 0 {
		var restarts []*ai.Part
		for _, part := range resp.Interrupts() {
			if q, ok := genkithook.Asked(part); ok {
				fmt.Printf("May %s run %v? %s.\n", q.Tool, q.Input["command"], q.Reason)
				restarts = append(restarts, genkithook.Allow(part)) // or Refuse(part, "not on a Friday")
			}
		}
		resp, err = genkit.Generate(ctx, g, append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(restarts...))...)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.Text())
	// Output:
	// May bash run make deploy? this goes to production.
	// I was told: ran make deploy
}
