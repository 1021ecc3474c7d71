package engine_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestOncePerSession(t *testing.T) {
	e, _ := project(t, `
-- .hooks/a.lua --
on("pre_tool_call", {name="hello", once=true}, function() return context("welcome") end)
on("pre_tool_call", {name="bash only", once=true, match={command="make"}}, function() end)
`)
	in := func(session, command string) string {
		c := bash(command)
		c.SessionID = session
		return runs(fire(t, e, c))
	}
	equal(t, "first", in("s1", "ls"), "hello")
	equal(t, "again", in("s1", "ls"), "")
	equal(t, "one that did not match has not run", in("s1", "make"), "bash only")
	equal(t, "another session", in("s2", "ls"), "hello")
	equal(t, "no session", in("", "ls"), "hello")
	equal(t, "no session again", in("", "ls"), "")
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "after a reload", in("s1", "ls"), "")
}

// A hook that runs once per session judges a rewrite of the event it ran for, and
// of no other.
func TestOnceAndJudging(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="hello", once=true}, function() end)
on("pre_tool_call", {name="evil", once=true, match={command="/evil/"}}, function() end)
on("pre_tool_call", {name="rewriter"}, function(ev) if not ev.judging then return modify{command=ev.tool_call.command.."!"} end end)`)
	in := func(command string) string {
		c := bash(command)
		c.SessionID = "s"
		return runs(fire(t, e, c))
	}
	equal(t, "first event", in("ls"), "hello rewriter hello*")
	equal(t, "second event", in("ls"), "rewriter")
	equal(t, "one that comes late", in("evil"), "evil rewriter evil*")
	equal(t, "and is over", in("evil"), "rewriter")
}

// A run that failed is not the one; the judging round changes nothing about that.
func TestOnceAndFailure(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="hello", once=true, on_failure="ignore"}, function(ev)
  if ev.tool_call.command == "fail" or ev.judging then error("boom") end
end)
on("pre_tool_call", {name="rewriter", match={command="rewrite"}}, function() return modify{command="rewritten"} end)`)
	in := func(command string) string {
		c := bash(command)
		c.SessionID = "s"
		return runs(fire(t, e, c))
	}
	equal(t, "it fails", in("fail"), "hello")
	equal(t, "so it runs again", in("fail"), "hello")
	equal(t, "and does its work, though it fails as a judge", in("rewrite"), "hello rewriter hello*")
	equal(t, "which it does once", in("ls"), "")
}

// A hook has run once its answer is out: where a program hands results on, when it says
// that it has; where the caller has given up, never.
func TestOnceIsNotedWhenTheAnswerIsOut(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {name="hello", once=true}, function() return context("welcome") end)`)
	in := func(ctx context.Context) string {
		c := bash("ls")
		c.SessionID = "s"
		r, _ := e.Fire(ctx, c)
		return runs(r)
	}
	ctx, lost := engine.Delivering(context.Background())
	equal(t, "first", in(ctx), "hello")
	equal(t, "it owes", lost.Owes(), true)
	ctx, out := engine.Delivering(context.Background())
	equal(t, "what was lost runs again", in(ctx), "hello")
	out.Done()
	equal(t, "it owes nothing", out.Owes(), false)
	equal(t, "what was out doesn't", in(context.Background()), "")
	lost.Done()
}

func TestOnceAndACallerThatGivesUp(t *testing.T) {
	e := newEngine(t, patient)
	ctx, cancel := context.WithCancel(context.Background())
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard", Once: true}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, nil
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "gives up", OnFailure: hooks.Ignore}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		cancel()
		return nil, nil
	})
	if _, err := e.Fire(ctx, bash("ls")); err == nil {
		t.Fatal("the caller hasn't given up")
	}
	equal(t, "next", runs(fire(t, e, bash("ls"))), "guard gives up")
	equal(t, "and then", runs(fire(t, e, bash("ls"))), "gives up")
}

// While an async hook that runs once is queued or at work, it isn't queued again.
func TestOnceAsyncIsQueuedOnce(t *testing.T) {
	e := newEngine(t, patient)
	letGo := make(chan struct{})
	register(t, e, hooks.Stop, hooks.Options{Name: "once", Mode: hooks.ModeAsync, Once: true}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-letGo
		return nil, nil
	})
	stop := &hooks.Context{Event: hooks.Stop, SessionID: "s"}
	equal(t, "first", runs(fire(t, e, stop)), "once")
	equal(t, "at work", runs(fire(t, e, stop)), "")
	equal(t, "another session", runs(fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "other"})), "once")
	close(letGo)
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "over", runs(fire(t, e, stop)), "")
}
