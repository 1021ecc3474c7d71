package engine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A guard in Go that goes by what a command line would run.
func ExampleEngine_RegisterHook_commands() {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	_, err = e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "no-prod", Match: hooks.MustMatch("bash")},
		func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
			line := shell.ParseContext(ctx, c.ToolCall.Command, shell.Options{Cwd: c.CWD})
			for _, cmd := range line.Commands {
				if value, _ := cmd.Flag("--context"); cmd.Name == "kubectl" && value == "prod" {
					return &hooks.Result{Decision: hooks.Deny, Reason: "no kubectl against prod; use --context staging"}, nil
				}
			}
			if line.TooComplex || line.Err != nil { // Commands isn't all
				return &hooks.Result{Decision: hooks.Ask, Reason: "this command can't be read to its end"}, nil
			}
			return nil, nil
		})
	if err != nil {
		log.Fatal(err)
	}
	for _, command := range []string{"cd x && sudo kubectl --context=prod get po", `git commit -m "kubectl --context=prod"`, "echo 'x"} {
		r, err := e.Fire(context.Background(), &hooks.Context{
			Event:    hooks.PreToolCall,
			ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": command}},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q: %q\n", r.Decision, r.Reason)
	}
	// Output:
	// "deny": "no kubectl against prod; use --context staging"
	// "": ""
	// "ask": "this command can't be read to its end"
}
