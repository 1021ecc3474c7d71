package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A parallel hook that has answered beside a deny is told as one that ran, with what it
// said; and observers hear of a run that begins as one that is running.
func TestRunsBesideADeny(t *testing.T) {
	for range 1000 { // until it is so quick that the deny doesn't end it
		w := &watcher{}
		e := newEngine(t, patient, engine.WithObserver(w))
		answered := make(chan struct{})
		register(t, e, hooks.PreToolCall, hooks.Options{Name: "denies", Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			<-answered
			return &hooks.Result{Block: true, Reason: "no"}, nil
		})
		register(t, e, hooks.PreToolCall, hooks.Options{Name: "answers", Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			defer close(answered)
			return &hooks.Result{Decision: hooks.Ask, Reason: "sure?", NewContext: "seen", SystemMessage: "told", Data: map[string]any{"k": 1}}, nil
		})
		r := fire(t, e, bash("ls"))
		equal(t, "result", asJSON(t, []any{r.Decision, r.Reason, r.NewContext, r.SystemMessage, r.Data}), `["deny","no","","",null]`)
		run := r.Summary().Runs[1]
		equal(t, "status", run.Status, hooks.StatusUncounted)
		for _, line := range w.lines {
			if strings.HasPrefix(line, "started") && strings.Count(line, " ") > 2 {
				t.Errorf("a run that begins has another status than running: %s", line)
			}
		}
		if text := asJSON(t, run.Entries); !strings.Contains(text, "ended") {
			equal(t, "what it said", text, `[{"kind":"warning","text":"its answer doesn't count: a parallel hook before it has denied"},{"kind":"feedback","text":"sure?"},{"kind":"context","text":"seen"},{"kind":"message","text":"told"}]`)
			return
		}
	}
	t.Error("the answer never came in time")
}

// What an answer that can't be used had to say to the user is an entry of its run, whoever
// gave it.
func TestMessageOfAFailedAnswer(t *testing.T) {
	long := strings.Repeat("x", 5000)
	tests := []struct{ name, files, message string }{
		{"a table with an unknown key", `
-- .hooks/a.lua --
on("pre_tool_call", {on_failure="warn"}, function() return {system_message="look here", colour="red"} end)`, "look here"},
		{"beside an answer that means nothing", `
-- .hooks/a.lua --
on("pre_tool_call", {on_failure="warn"}, function() return message("look here"), true end)`, "look here"},
		{"two of them", `
-- .hooks/a.lua --
on("pre_tool_call", {on_failure="warn"}, function() return message("look here"), {system_message="and here", x=1} end)`, "look here\nand here"},
		{"a deny that blocks", `
-- .hooks/a.lua --
on("pre_tool_call", function() return {block=true, reason="no", system_message="look here", colour="red"} end)`, "look here"},
		{"a long one", `
-- .hooks/a.lua --
on("pre_tool_call", {on_failure="warn"}, function() return message(("x"):rep(5000)), true end)`, long[:4096] + "..."},
		{"a command's", `
-- .hooks/hooks.yaml --
hooks: {pre_tool_call: [{name: c, on_failure: warn, command: "echo '{\"system_message\": \"look here\", \"colour\": \"red\"}'"}]}`, "look here"},
		{"an async one", `
-- .hooks/hooks.yaml --
hooks: {pre_tool_call: [{name: c, mode: async, command: "echo '{\"system_message\": \"look here\"}'"}]}`, "look here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &watcher{}
			e, _ := project(t, tt.files+"\n", engine.WithObserver(w))
			fire(t, e, bash("ls"))
			if err := e.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			equal(t, "status", w.runs[0].Status, hooks.StatusFailed)
			contains(t, asJSON(t, w.runs[0].Entries), asJSON(t, hooks.Entry{Kind: hooks.EntryMessage, Text: tt.message}))
		})
	}
	t.Run("a Go hook's", func(t *testing.T) {
		e := newEngine(t)
		register(t, e, hooks.PreToolCall, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			return &hooks.Result{SystemMessage: "look here", Decision: "perhaps"}, nil
		})
		r := fire(t, e, bash("ls"))
		contains(t, asJSON(t, r.Summary().Runs[0].Entries), `{"kind":"message","text":"look here"}`)
	})
}
