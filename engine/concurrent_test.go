package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// TestConcurrentFires fires 10,000 events at once at hooks of every kind and mode,
// while the engine reloads and hooks come and go; each event gets the answer that it
// would get alone.
func TestConcurrentFires(t *testing.T) {
	root := tree(t, `
-- .hooks/hooks.yaml --
hooks:
  pre_tool_call:
    - {name: command, command: 'read -r line; echo "{\"new_context\": \"cmd $TOOL_COMMAND\"}"', match: {command: "*07"}, timeout: 10m}
    - {name: command-denies, command: 'echo no 13 >&2; exit 2', match: {command: "*13"}, priority: 9, mode: parallel, timeout: 10m}
  post_tool_call:
    - {name: observer, command: 'cat > /dev/null', match: {command: "*99"}, mode: async}
-- .hooks/guard.lua --
local seen = 0
on("pre_tool_call", {name="rewrites", priority=5, match={command="*3"}}, function(ev)
  if not ev.judging then return modify{command = ev.tool_call.command .. " --dry-run"} end
end)
on("pre_tool_call", {name="p1", mode="parallel"}, function(ev) return context(ev.tool_call.command) end)
on("pre_tool_call", {name="p2", mode="parallel"}, function(ev) if ev.tool_call.command:find("5 ", 1, true) then error("never") end end)
on("pre_tool_call", {name="once", once=true}, function(ev) return context("welcome " .. ev.session_id) end)
on("post_tool_call", {name="watch", mode="async"}, function(ev) seen = seen + 1 end)
`)
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithLimits(engine.Limits{Timeout: 10 * time.Minute}), engine.WithEventTimeout(30*time.Minute),
		engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "problems", problems(e), "")
	var asked atomic.Int64
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go", Mode: hooks.ModeParallel, Timeout: 10 * time.Minute}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		asked.Add(1)
		c.ToolCall.Input["command"] = "mine"
		return &hooks.Result{Decision: hooks.Allow}, nil
	})
	const n = 10_000
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			command := fmt.Sprintf("run %06d", i)
			c := bash(command)
			c.SessionID = fmt.Sprint("s", i)
			if i%10 == 9 {
				c.Event = hooks.PostToolCall
				if r, err := e.Fire(context.Background(), c); err != nil || r.Decision != hooks.NoOpinion {
					t.Errorf("%s: %v, %v", command, r.Decision, err)
				}
				return
			}
			r, err := e.Fire(context.Background(), c)
			if err != nil {
				t.Error(err)
				return
			}
			want, contexts := hooks.Allow, "welcome "+c.SessionID
			if strings.HasSuffix(command, "13") {
				want = hooks.Deny
			}
			if strings.HasSuffix(command, "3") && want != hooks.Deny {
				command += " --dry-run"
				want = hooks.NoOpinion // each allow was for the input before
			}
			if r.Decision != want || r.Block != (want == hooks.Deny) {
				t.Errorf("%s: %q, want %q: %s", command, r.Decision, want, runs(r))
			}
			if want != hooks.Deny && (!strings.Contains(r.NewContext, contexts) || !strings.Contains(r.NewContext, command)) {
				t.Errorf("%s: context %q", command, r.NewContext)
			}
			if strings.HasSuffix(command, "07") && !strings.Contains(r.NewContext, "cmd "+command) {
				t.Errorf("%s: context %q", command, r.NewContext)
			}
		})
	}
	all.Go(func() {
		<-begin
		for range 10 {
			if err := e.Reload(context.Background()); err != nil {
				t.Error(err)
			}
			register(t, e, hooks.PreToolCall, hooks.Options{Name: "passing"}, nothing)()
		}
	})
	close(begin)
	all.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		t.Error(err)
	}
	if got := asked.Load(); got < n*8/10 {
		t.Errorf("the Go hook was asked %d times", got)
	}
}
