package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// modes lists what ran and how: name/mode=status.
func modes(r *hooks.Result) string {
	var list []string
	for _, run := range r.Summary().Runs {
		text := fmt.Sprintf("%s/%s=%s", run.Hook, run.Mode, run.Status)
		if run.Judging {
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// Parallel hooks are at work at the same time: each waits for the other here.
func TestParallelHooksRunAtOnce(t *testing.T) {
	e := newEngine(t, patient)
	var met sync.WaitGroup
	met.Add(3)
	meet := func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		met.Done()
		arrived := make(chan struct{})
		go func() { met.Wait(); close(arrived) }()
		select {
		case <-arrived:
			return &hooks.Result{NewContext: c.ToolCall.Command}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		register(t, e, hooks.PreToolCall, hooks.Options{Name: name, Mode: hooks.ModeParallel}, meet)
	}
	r := fire(t, e, bash("ls"))
	equal(t, "runs", modes(r), "a/parallel=completed b/parallel=completed c/parallel=completed")
	equal(t, "contexts in the plan's order", asJSON(t, r.Contexts), `[{"hook":"a","text":"ls"},{"hook":"b","text":"ls"},{"hook":"c","text":"ls"}]`)
}

// The answers are folded in the plan's order, whoever is done first.
func TestParallelHooksAreFoldedInOrder(t *testing.T) {
	e := newEngine(t, patient)
	second := make(chan struct{})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "first", Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-second
		return &hooks.Result{Data: map[string]any{"who": "first"}, NewContext: "1"}, nil
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "second", Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		defer close(second)
		return &hooks.Result{Data: map[string]any{"who": "second"}, NewContext: "2"}, nil
	})
	r := fire(t, e, bash("ls"))
	equal(t, "context", r.NewContext, "1\n2")
	equal(t, "the later value", asJSON(t, r.Data), `{"who":"second"}`)
}

func TestParallel(t *testing.T) {
	tests := []struct{ name, script, runs, result, warning string }{
		{"the deny of one ends the chain for those after it", `
on("pre_tool_call", {name="a", mode="parallel"}, function() return context("kept") end)
on("pre_tool_call", {name="b", mode="parallel"}, function() return deny("no") end)
on("pre_tool_call", {name="c", mode="parallel"}, function() return deny("too late"), context("dropped") end)
on("pre_tool_call", {name="d"}, function() return context("dropped") end)`,
			"a/parallel=completed b/parallel=blocked c/parallel=skipped",
			`{"decision":"deny","block":true,"reason":"no","new_context":"kept","contexts":[{"hook":"a","text":"kept"}]}`, ""},
		{"each has the same input", `
on("pre_tool_call", {name="a", mode="parallel"}, function(ev) return modify{command="rewritten"} end)
on("pre_tool_call", {name="b", mode="parallel"}, function(ev) return context(ev.tool_call.command) end)`,
			"a/parallel=completed b/parallel=completed",
			`{"decision":"","block":false,"new_context":"ls","contexts":[{"hook":"b","text":"ls"}],"warnings":["..."]}`,
			"hook a (a.lua:2): its rewritten input was dropped: a parallel hook can't rewrite"},
		{"a sync hook stands between", `
on("pre_tool_call", {name="a", mode="parallel"}, function(ev) end)
on("pre_tool_call", {name="b"}, function(ev) if not ev.judging then return modify{command="new"} end end)
on("pre_tool_call", {name="c", mode="parallel"}, function(ev) return context(ev.tool_call.command) end)`,
			"a/parallel=completed b/sync=completed c/parallel=completed a/parallel=completed*",
			`{"decision":"","block":false,"modified":true,"input":{"command":"new"},"new_context":"new","contexts":[{"hook":"c","text":"new"}]}`, ""},
		{"they judge what a later one has rewritten", `
on("pre_tool_call", {name="a", mode="parallel", match={command="ls"}}, function(ev) return allow() end)
on("pre_tool_call", {name="b", mode="parallel", match={command="evil"}}, function(ev) return deny("evil") end)
on("pre_tool_call", {name="c"}, function(ev) if not ev.judging then return modify{command="evil"} end end)`,
			"a/parallel=completed c/sync=completed b/parallel=blocked*",
			`{"decision":"deny","block":true,"reason":"evil","modified":true,"input":{"command":"evil"}}`, ""},
		{"the failure of one blocks", `
on("pre_tool_call", {name="a", mode="parallel"}, function(ev) error("boom") end)
on("pre_tool_call", {name="b", mode="parallel"}, function(ev) return allow() end)`,
			"a/parallel=failed b/parallel=skipped", "", ""},
		{"respond is no rewrite", `
on("pre_tool_call", {name="a", mode="parallel"}, function(ev) return respond("cached") end)
on("pre_tool_call", {name="b", mode="parallel"}, function(ev) end)`,
			"a/parallel=completed b/parallel=completed", `{"decision":"","block":false,"modified":true,"output":"cached"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := lua(t, tt.script, patient)
			for range 20 { // the same on each run
				r := fire(t, e, bash("ls"))
				// Whether one had begun when the one before it denied is a matter of luck.
				equal(t, "runs", strings.ReplaceAll(modes(r), "=uncounted", "=skipped"), tt.runs)
				if tt.warning != "" {
					contains(t, strings.Join(r.Warnings, "\n"), tt.warning)
					r.Warnings = []string{"..."}
				}
				if tt.result != "" {
					r.Summarizer = nil
					equal(t, "result", strings.Replace(asJSON(t, r), `,"summary":null`, "", 1), tt.result)
				}
			}
		})
	}
}

// On post_tool_call output rewrites.
func TestParallelOutputIsRefused(t *testing.T) {
	e := lua(t, `on("post_tool_call", {name="a", mode="parallel"}, function() return output("new") end)`)
	r := fire(t, e, event(t, hooks.PostToolCall, `{"tool_call":{"name":"bash","input":{"command":"ls"},"output":"old","outcome":"ok"}}`))
	if r.Output != nil || r.Modified {
		t.Errorf("%+v", r)
	}
	contains(t, strings.Join(r.Warnings, "\n"), "its output was dropped: a parallel hook can't rewrite")
}

// done waits for something to happen in the background.
func done(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute):
		t.Fatalf("%s doesn't happen", what)
	}
}

func TestAsyncHooksDontHoldUpTheEvent(t *testing.T) {
	e := newEngine(t, patient)
	answered, ran := make(chan struct{}), make(chan struct{})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "observer", Mode: hooks.ModeAsync, Timeout: time.Hour}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		<-answered // which it would wait for in vain, were the event to wait for it
		if c.ToolCall.Command != "ls" || ctx.Err() != nil {
			t.Errorf("%q, %v", c.ToolCall.Command, ctx.Err())
		}
		close(ran)
		return nil, nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	c := bash("ls")
	r, err := e.Fire(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	cancel() // the caller's end is not the observer's
	c.ToolCall.Input["command"] = "changed by its owner"
	equal(t, "runs", modes(r), "observer/async=queued")
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	close(answered)
	done(t, "the run", ran)
}

func TestCloseDrainsAsyncHooks(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	var ran atomic.Int64
	register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeAsync}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		ran.Add(1)
		return nil, nil
	})
	for range 100 {
		fire(t, e, &hooks.Context{Event: hooks.Stop})
	}
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "runs", ran.Load(), 100)
}

// Close doesn't wait for longer than its context; what waits then is dropped.
func TestCloseGivesUpOnAsyncHooks(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeAsync, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	for range 10 {
		fire(t, e, &hooks.Context{Event: hooks.Stop})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = e.Close(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Close: %v", err)
	}
	contains(t, err.Error(), "async hooks that were dropped or ended: 10")
	equal(t, "dropped", e.Counters().AsyncDropped, 10)
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// The queue has an end; what doesn't fit is dropped, counted and told.
func TestAsyncQueueIsBounded(t *testing.T) {
	e := newEngine(t)
	release := make(chan struct{})
	register(t, e, hooks.Stop, hooks.Options{Name: "slow", Mode: hooks.ModeAsync, Timeout: time.Hour}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-release
		return nil, nil
	})
	dropped := 0
	for range 2000 {
		r := fire(t, e, &hooks.Context{Event: hooks.Stop})
		if r.Summary().Runs[0].Status == hooks.StatusSkipped {
			dropped++
			contains(t, strings.Join(r.Warnings, ""), "hook slow", "dropped: 1024 runs wait already")
		}
	}
	if dropped < 2000-1024-10 || dropped > 2000-1024 {
		t.Errorf("dropped %d of 2000", dropped)
	}
	equal(t, "counted", e.Counters().AsyncDropped, uint64(dropped))
	close(release)
}

// What an async hook answers decides nothing, and that is told where the file loads,
// or where it runs.
func TestAsyncHooksDecideNothing(t *testing.T) {
	for _, word := range []string{"deny('x')", "ask('x')", "allow()", "modify{command='x'}", "replace{command='x'}", "respond('x')", "context('x')", "message('x')", "halt('x')"} {
		e := lua(t, `on("pre_tool_call", {mode="async"}, function(ev) if ev.judging then return `+word+` end end)`)
		contains(t, problems(e), "a.lua:1", "an async hook observes while the event goes on, so "+word[:3])
		equal(t, "the event is blocked", fire(t, e, bash("ls")).Decision, hooks.Deny)
	}
	e := lua(t, `on("pre_tool_call", {mode="async", on_failure="block"}, function(ev) end)`)
	contains(t, problems(e), `on_failure = "block" means nothing there`)
	e = lua(t, `local function context(x) return #x end
deny = function() end
on("pre_tool_call", {mode="async"}, function(ev) context("a name of its own") deny() end)`)
	equal(t, "problems", problems(e), "")

	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("a.lua", `local no = deny
on("pre_tool_call", {mode="async"}, function(ev) return no("at run time") end)
on("pre_tool_call", {mode="async"}, function(ev) return "text" end)`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.NoOpinion)
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "failures", e.Counters().Failures[hooks.KindResult], 2)
}

func TestAsyncHooksTakeNoPartInJudging(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="observer", mode="async"}, function(ev) end)
on("pre_tool_call", {name="rewriter"}, function(ev) if not ev.judging then return modify{command="new"} end end)`)
	equal(t, "runs", modes(fire(t, e, bash("ls"))), "observer/async=queued rewriter/sync=completed")
}
