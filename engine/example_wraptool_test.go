package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A tool of the agent, under its hooks: what the model is to read is the text.
func ExampleEngine_WrapTool() {
	e, err := engine.New(engine.WithScript("mail.lua", `
on("pre_tool_call", { match = "send_mail" }, function(ev)
  local to = ev.tool_call.input.to
  if not to:find("@shop.example", 1, true) then return deny("mail goes to @shop.example only") end
  return modify{ to = to:lower() }
end)
on("post_tool_call", { match = "send_mail" }, function(ev)
  if ev.tool_call.outcome == "ok" then return context("note it in the log") end
end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	send := e.WrapTool("send_mail", func(_ context.Context, input json.RawMessage) (string, error) {
		return "sent: " + string(input), nil
	})
	for _, input := range []string{`{"to":"Ana@shop.example"}`, `{"to":"eve@elsewhere.example"}`} {
		text, err := send(context.Background(), json.RawMessage(input))
		var refused *engine.ToolError
		switch {
		case errors.As(err, &refused):
			fmt.Printf("%s: %s\n", refused.Outcome, text)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(text)
		}
	}
	// Output:
	// sent: {"to":"ana@shop.example"}
	//
	// [hook mail] note it in the log
	// denied: mail goes to @shop.example only
}

// The tools of a package don't need to know the engine: it travels in the context,
// with who is calling.
func ExampleWrapTool() {
	read := engine.WrapTool("read", func(_ context.Context, input json.RawMessage) (string, error) { return "the text", nil })

	_, err := read(context.Background(), json.RawMessage(`{"file_path":"cart.go"}`))
	fmt.Println(errors.Is(err, engine.ErrNoEngine))

	e, err := engine.New(engine.WithScript("read.lua", `
on("pre_tool_call", { match = "read" }, function(ev)
  return context(ev.agent_id .. " reads " .. ev.tool_call.paths[1])
end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	ctx := engine.NewContext(context.Background(), e)
	ctx = engine.WithCaller(ctx, engine.Caller{AgentID: "reviewer"})
	text, err := read(engine.WithToolCallID(ctx, "call_1"), json.RawMessage(`{"file_path":"cart.go"}`))
	fmt.Println(text, err)
	// Output:
	// true
	// the text
	//
	// [hook read] reviewer reads cart.go <nil>
}

// A person answers where a hook asks.
func ExampleWithAsk() {
	e, err := engine.New(
		engine.WithScript("push.lua", `
on("pre_tool_call", { match = "bash" }, function(ev)
  if ev.tool_call.command:find("git push", 1, true) then return ask("this publishes your work") end
end)`),
		engine.WithAsk(func(_ context.Context, event *hooks.Context, r *hooks.Result) (bool, error) {
			fmt.Printf("%s? %s (y/n)\n", event.ToolCall.Command, r.Reason)
			return true, nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	bash := e.WrapTool("bash", func(context.Context, json.RawMessage) (string, error) { return "pushed", nil })
	text, err := bash(context.Background(), json.RawMessage(`{"command":"git push"}`))
	fmt.Println(text, err)
	// Output:
	// git push? this publishes your work (y/n)
	// pushed <nil>
}

// One function hears of all errors of the agents.
func ExampleEngine_ReportError() {
	e, err := engine.New(engine.WithOnError(func(_ context.Context, err engine.AgentError) {
		fmt.Printf("%s (%s): %s, %s, retry: %t\n", err.AgentID, err.Model, err.Message, err.Kind, err.Retryable)
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	ctx := engine.WithCaller(context.Background(), engine.Caller{AgentID: "coder", Model: "sonnet-5"})
	if _, err := e.ReportError(ctx, fmt.Errorf("asking the model: %w", context.DeadlineExceeded)); err != nil {
		log.Fatal(err)
	}
	if _, err := e.ReportError(ctx, errors.New("status 429"), func(c *hooks.Context) {
		c.Error.Kind, c.Error.IsRetryable = "rate_limit", true
	}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// coder (sonnet-5): asking the model: context deadline exceeded, timeout, retry: true
	// coder (sonnet-5): status 429, rate_limit, retry: true
}

type timings struct{}

func (timings) RunStarted(context.Context, hooks.Run) {}
func (timings) RunCompleted(_ context.Context, run hooks.Run) {
	fmt.Println(run.Hook, run.Event, run.Status)
}

// An observer hears of each run, and the counters add up what was decided.
func ExampleWithObserver() {
	e, err := engine.New(engine.WithObserver(timings{}), engine.WithScript("stop.lua", `
on("stop", function(ev) return deny("run the tests first") end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	if _, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.Stop}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("denied:", e.Counters().Denies)
	// Output:
	// stop stop blocked
	// denied: 1
}

// Watch takes over what changes on disk, for as long as its context lasts.
func ExampleEngine_Watch() {
	dir, err := os.MkdirTemp("", "luahook")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	reloads := make(chan uint64, 1)
	e, err := engine.New(engine.WithHooksDir(dir, dir), engine.WithOnReload(func(generation uint64, err error) {
		reloads <- generation
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- e.Watch(ctx) }()
	fmt.Println("generation", <-reloads)
	cancel()
	fmt.Println(<-ended)
	// Output:
	// generation 2
	// <nil>
}
