package spill_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/hooks"
)

// A script puts the whole output of a tool where the agent can read it.
func ExampleNew() {
	cache, err := os.MkdirTemp("", "cache-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(cache)
	e, err := engine.New(
		engine.WithSpill(spill.New(filepath.Join(cache, "spill"), "/work/shop")),
		engine.WithGrants(hooks.Grants{FSWrite: true}),
		engine.WithScript("short.lua", `
			on("post_tool_call", function(ev)
			  local all = ev.tool_call.output
			  if #all > 1000 then
			    return output(all:sub(1, 20) .. "... (all of it: " .. assert(spill(all, { name = "go test" })) .. ")")
			  end
			end)`),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer e.Close(ctx)
	r, err := e.Fire(ctx, &hooks.Context{
		Event: hooks.PostToolCall, SessionID: "s-1",
		ToolCall: &hooks.ToolCall{Name: "bash", Command: "go test ./...", Output: strings.Repeat("ok\n", 1000), Outcome: "ok"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	short, _ := r.Output.(string)
	_, path, _ := strings.Cut(strings.TrimSuffix(short, ")"), "all of it: ")
	text, err := os.ReadFile(path)
	fmt.Println(len(text), strings.Contains(path, "-go-test-"), err)
	// Output: 3000 true <nil>
}
