package engine_test

import (
	"context"
	"testing"
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
	equal(t, "first event", in("ls"), "hello rewriter hello* rewriter*")
	equal(t, "second event", in("ls"), "rewriter rewriter*")
	equal(t, "one that comes late", in("evil"), "evil rewriter evil* rewriter*")
	equal(t, "and is over", in("evil"), "rewriter rewriter*")
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
