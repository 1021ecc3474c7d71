package engine_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Each decision leaves a record, without the secrets of the call.
func ExampleWithAudit() {
	dir, err := os.MkdirTemp("", "log")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	decisions, err := audit.Open(dir, audit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer decisions.Close()
	e, err := engine.New(engine.WithAudit(decisions, engine.RecordDecisions), engine.WithScript("a.lua", `
on("pre_tool_call", { match = "bash" }, function(ev) return deny("no databases today") end)`))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())
	call := &hooks.ToolCall{Name: "bash", Command: "mysql --password hunter2"}
	if _, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.PreToolCall, ToolCall: call}); err != nil {
		log.Fatal(err)
	}

	_, err = audit.Read(dir, audit.Filter{Decision: "deny"}, func(r audit.Entry) bool {
		fmt.Println(r.Tool, r.Decision, r.Reason)
		fmt.Println(r.Context["tool_call"].(map[string]any)["input"])
		return true
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// bash deny no databases today
	// map[command:mysql --password [redacted: password]]
}
