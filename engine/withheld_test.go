package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const raw = "the raw output"

func ran(event hooks.Event, output any) *hooks.Context {
	return &hooks.Context{Event: event, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "ls"}, Output: output, Outcome: hooks.OutcomeOK}}
}

// isWithheld wants one line in the place of the output, and a deny that says why.
func isWithheld(t *testing.T, r *hooks.Result, why string) {
	t.Helper()
	line, _ := r.Output.(string)
	if !strings.HasPrefix(line, "[withheld: ") || strings.Contains(line, "\n") || !strings.Contains(line, why) {
		t.Errorf("the output is %q, want a line with %q", line, why)
	}
	if !r.Modified || !r.Block || r.Reason == "" {
		t.Errorf("modified %v, block %v, reason %q", r.Modified, r.Block, r.Reason)
	}
	if strings.Contains(asJSON(t, r), raw) {
		t.Errorf("the output is in the result: %s", asJSON(t, r))
	}
}

// A hook that must not fail, and fails, lets no output pass, however it fails.
func TestOutputOfAFailedGuardIsWithheld(t *testing.T) {
	for _, f := range failures {
		for _, on := range []hooks.Event{hooks.PostToolCall, hooks.ToolResultPersist} {
			t.Run(f.name+" "+string(on), func(t *testing.T) {
				e, _ := failing(t, on, hooks.Block, f.lua, f.fn)
				isWithheld(t, fire(t, e, ran(on, raw)), "which must not fail here")
			})
		}
	}
	t.Run("no output", func(t *testing.T) {
		e, _ := failing(t, hooks.PostToolCall, hooks.Block, `error("boom")`, nil)
		if r := fire(t, e, ran(hooks.PostToolCall, nil)); r.Output != nil {
			t.Errorf("there was none, and is %v", r.Output)
		}
	})
	t.Run("warn", func(t *testing.T) {
		e, _ := failing(t, hooks.PostToolCall, hooks.Warn, `error("boom")`, nil)
		if r := fire(t, e, ran(hooks.PostToolCall, raw)); r.Output != nil || r.Block {
			t.Errorf("its on_failure is warn: %s", asJSON(t, r))
		}
	})
}

// Nobody puts back what was withheld, or sees it afterwards.
func TestWithheldOutputStays(t *testing.T) {
	e := lua(t, `
on("post_tool_call", {name="first", priority=1}, function(ev) return output("OLD " .. ev.tool_call.output) end)
on("post_tool_call", {name="fails", on_failure="block"}, function() error("boom") end)
on("post_tool_call", {name="later", on_failure="block", priority=-1}, function(ev) return output(ev.tool_call.output), context(ev.tool_call.output) end)`)
	r := fire(t, e, ran(hooks.PostToolCall, raw))
	isWithheld(t, r, "hook fails")
	equal(t, "runs", len(r.Summary().Runs), 2)

	// In another scope the hooks still run where a file can't be loaded.
	broken, _ := project(t, `-- .hooks/later.lua --
on("post_tool_call", {name="later"}, function(ev) return output(ev.tool_call.output .. " again"), context(ev.tool_call.output) end)
`, engine.WithScript("a.lua", "on("))
	isWithheld(t, fire(t, broken, ran(hooks.PostToolCall, raw)), "a.lua")
}

// A deny is feedback there, and the output stays: what takes something out of it runs all the same.
func TestADenyKeepsNoGuardFromTheOutput(t *testing.T) {
	e := lua(t, `
on("post_tool_call", {name="denies", priority=1}, function() return deny("look again") end)
on("post_tool_call", {name="takes out", on_failure="block"}, function() return output("clean") end)
on("post_tool_call", {name="counts"}, function() return context("counted") end)`)
	r := fire(t, e, ran(hooks.PostToolCall, raw))
	equal(t, "output", fmt.Sprint(r.Output), "clean")
	equal(t, "reason", r.Reason, "look again")
	equal(t, "runs", len(r.Summary().Runs), 2)
}

// What a parallel hook rewrites is dropped; one that must not fail has failed then.
func TestParallelGuardThatRewrites(t *testing.T) {
	e := lua(t, `
on("post_tool_call", {name="takes out", mode="parallel", on_failure="block"}, function() return output("clean") end)
on("message_sending", {name="takes out", mode="parallel", on_failure="block"}, function() return modify{message="clean"} end)`)
	isWithheld(t, fire(t, e, ran(hooks.PostToolCall, raw)), "takes out")
	if r := fire(t, e, event(t, hooks.MessageSending, `{"message":"raw"}`)); !r.Block {
		t.Errorf("the message is sent: %s", asJSON(t, r))
	}
}

// Where no hook could look at the output at all, it isn't shown either.
func TestOutputOfAnEventThatCannotBeJudged(t *testing.T) {
	e := lua(t, `on("post_tool_call", function() end)`)
	bad := ran(hooks.PostToolCall, raw)
	bad.ToolCall.Kind = "no kind"
	r, err := e.Fire(t.Context(), bad)
	if err == nil {
		t.Fatal("no error")
	}
	isWithheld(t, r, "no hook could look at it")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	guard := lua(t, `on("post_tool_call", {on_failure="block"}, function() end)`)
	r, _ = guard.Fire(ctx, ran(hooks.PostToolCall, raw))
	isWithheld(t, r, "must not fail")
}

// secret-redactor that fails, can't be loaded, or has wrong options lets nothing pass.
func TestSecretRedactorThatFails(t *testing.T) {
	deep := any(raw)
	for range 150 { // deeper than a script may look
		deep = []any{deep}
	}
	fired := map[hooks.Event]*hooks.Context{
		hooks.PostToolCall:      ran(hooks.PostToolCall, deep),
		hooks.ToolResultPersist: ran(hooks.ToolResultPersist, deep),
		hooks.MessageSending:    {Event: hooks.MessageSending, Fields: map[string]any{"message": deep}},
		hooks.PrePrompt:         {Event: hooks.PrePrompt, Prompt: raw},
	}
	project := func(t *testing.T, files string) *engine.Engine {
		t.Helper()
		e, err := engine.New(engine.WithProject(engine.Project{Root: tree(t, files)}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close(t.Context()) })
		return e
	}
	check := func(t *testing.T, e *engine.Engine, event hooks.Event) {
		t.Helper()
		r := fire(t, e, fired[event])
		if !r.Block {
			t.Errorf("%s is not blocked: %s", event, asJSON(t, r))
		}
		if event == hooks.PostToolCall || event == hooks.ToolResultPersist {
			isWithheld(t, r, "")
		}
	}
	for event := range fired {
		t.Run(string(event), func(t *testing.T) {
			if event != hooks.PrePrompt {
				e := newEngine(t, engine.WithoutBuiltins(), engine.WithBuiltin("secret-redactor", nil), engine.WithOnFailure(hooks.Warn))
				check(t, e, event)
			}
			e := newEngine(t, engine.WithoutBuiltins(), engine.WithBuiltin("secret-redactor", map[string]any{"blok": true}), engine.WithOnFailure(hooks.Warn))
			check(t, e, event)
			listed := "-- .hooks/hooks.yaml --\nhooks: {on_failure: warn, " + string(event) + ": [{builtin: secret-redactor, %s}]}\n"
			e = project(t, fmt.Sprintf(listed, "with: {blok: true}"))
			check(t, e, event)
			e = project(t, fmt.Sprintf(listed, "mode: async"))
			check(t, e, event)
		})
	}
	t.Run("limits", func(t *testing.T) {
		e := newEngine(t, engine.WithoutBuiltins(), engine.WithBuiltin("secret-redactor", nil), engine.WithLimits(engine.Limits{Instructions: 200_000}))
		isWithheld(t, fire(t, e, ran(hooks.PostToolCall, strings.Repeat("sk-", 1<<20))), "secret-redactor")
	})
	t.Run("warn is the user's own word", func(t *testing.T) {
		e := project(t, "-- .hooks/hooks.yaml --\nhooks: {post_tool_call: [{builtin: secret-redactor, on_failure: warn}]}\n")
		if r := fire(t, e, fired[hooks.PostToolCall]); r.Block || len(r.Warnings) == 0 {
			t.Error(asJSON(t, r))
		}
	})
}
