package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What several hooks make of one command; each script is the body of one file.
func TestMerge(t *testing.T) {
	tests := []struct {
		name, script string
		runs         string
		want         hooks.Result // without its summary
	}{
		{"a deny ends the chain", `
on("pre_tool_call", {name="a"}, function() return ask("sure?") end)
on("pre_tool_call", {name="b"}, function() return deny("no") end)
on("pre_tool_call", {name="c"}, function() return deny("never heard") end)`,
			"a b", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no"}},
		{"ask beats allow, whoever speaks first", `
on("pre_tool_call", {name="a"}, function() return allow("fine") end)
on("pre_tool_call", {name="b"}, function() return ask("sure?") end)
on("pre_tool_call", {name="c"}, function() return allow("fine") end)`,
			"a b c", hooks.Result{Decision: hooks.Ask, Reason: "sure?"}},
		{"silence changes nothing", `
on("pre_tool_call", {name="a"}, function() return allow("fine"), context("x") end)
on("pre_tool_call", {name="b"}, function() end)
on("pre_tool_call", {name="c"}, function() return nil end)
on("pre_tool_call", {name="d"}, function() return {block=false, reason="not mine"} end)`,
			"a b c d", hooks.Result{Decision: hooks.Allow, Reason: "fine", NewContext: "x", Contexts: []hooks.ContextEntry{{Hook: "a", Text: "x"}}}},
		{"contexts are tagged, data and messages merged", `
on("pre_tool_call", {name="a"}, function() return context("one"), message("m1"), {data={k=1, same="a"}} end)
on("pre_tool_call", {name="b"}, function() return context("two"), message("m2"), {data={l={2}, same="b"}} end)`,
			"a b", hooks.Result{NewContext: "one\ntwo", Contexts: []hooks.ContextEntry{{Hook: "a", Text: "one"}, {Hook: "b", Text: "two"}},
				SystemMessage: "m1\nm2", Data: map[string]any{"k": int64(1), "l": []any{int64(2)}, "same": "b"}}},
		{"a deny without a reason gets one", `
on("pre_tool_call", {name="mute"}, function() return false end)`,
			"mute", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "hook mute (a.lua:2) denied this and gave no reason"}},
		{"halt denies what is pending", `
on("pre_tool_call", {name="a"}, function() return halt("budget used up") end)`,
			"a", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "budget used up", Halt: true, StopReason: "budget used up"}},
		{"a deny takes a response back", `
on("pre_tool_call", {name="a"}, function() return respond("cached"), context("hint") end)
on("pre_tool_call", {name="b"}, function() return deny("no") end)`,
			"a b", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no", NewContext: "hint", Contexts: []hooks.ContextEntry{{Hook: "a", Text: "hint"}}}},
		{"context beside a deny modifies nothing", `
on("pre_tool_call", {name="a"}, function() return context("hint") end)
on("pre_tool_call", {name="b"}, function() return deny("no") end)`,
			"a b", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no", NewContext: "hint", Contexts: []hooks.ContextEntry{{Hook: "a", Text: "hint"}}}},
		{"a response stands in for the call", `
on("pre_tool_call", {name="a"}, function() return respond("cached") end)
on("pre_tool_call", {name="b"}, function(ev) assert(ev.tool_call.output == nil) end)`,
			"a b", hooks.Result{Modified: true, Output: "cached"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := *fire(t, lua(t, test.script), bash("ls"))
			equal(t, "runs", runs(&r), test.runs)
			r.Summarizer = nil
			if d := cmp.Diff(test.want, r); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEntriesOfARun(t *testing.T) {
	tests := []struct {
		name, answer string
		want         []hooks.Entry
	}{
		{"deny", `return deny("no")`, []hooks.Entry{{Kind: "feedback", Text: "no"}}},
		{"deny without a reason", `return deny()`, []hooks.Entry{
			{Kind: "warning", Text: "it denied without a reason; say what to do instead"},
			{Kind: "feedback", Text: "hook a (a.lua:1) denied this and gave no reason"}}},
		{"halt without a reason", `return halt()`, []hooks.Entry{{Kind: "feedback", Text: "hook a (a.lua:1) ended the turn"}}},
		{"halt", `return halt("over")`, []hooks.Entry{{Kind: "stop", Text: "over"}}},
		{"halt and deny", `return deny("no"), halt("over")`, []hooks.Entry{{Kind: "stop", Text: "over"}, {Kind: "feedback", Text: "no"}}},
		{"context", `return context("x")`, []hooks.Entry{{Kind: "context", Text: "x"}}},
		{"two contexts", `return context("x"), context("y")`, []hooks.Entry{{Kind: "context", Text: "x"}, {Kind: "context", Text: "y"}}},
		{"a reason that decides nothing", `return {block=false, reason="hm"}`, []hooks.Entry{{Kind: "feedback", Text: "hm"}}},
		{"forgotten return", `local d = deny("no") if not d then return d end`, []hooks.Entry{{Kind: "warning", Text: "deny(...) was called but what it made was not returned; write return deny(...)"}}},
		{"nothing", ``, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := fire(t, lua(t, `on("pre_tool_call", function() `+test.answer+` end)`), bash("ls"))
			if d := cmp.Diff(test.want, r.Summary().Runs[0].Entries); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestForgottenReturnWarns(t *testing.T) {
	r := fire(t, lua(t, `on("pre_tool_call", function() local d = deny("no") if not d then return d end end)`), bash("ls"))
	want := []string{"hook a (a.lua:1): deny(...) was called but what it made was not returned; write return deny(...)"}
	if d := cmp.Diff(want, r.Warnings); d != "" {
		t.Error(d)
	}
}

func TestForgottenReturnDoesNotApprove(t *testing.T) {
	for body, blocks := range map[string]bool{
		`on("pre_tool_call", function() deny("no") end)`:                                       true,
		`on("pre_tool_call", { on_failure = "warn" }, function() deny("no") end)`:              true,
		`on("pre_tool_call", { on_failure = "warn" }, function() ask("no") end)`:               false,
		`on("pre_tool_call", function() ask("no") end)`:                                        true,
		`on("pre_tool_call", { mode = "parallel" }, function() deny("no") return allow() end)`: true,
	} {
		r := fire(t, lua(t, body), bash("ls"))
		if r.Block != blocks || r.Summary().Runs[0].Error == nil || !strings.Contains(r.Summary().Runs[0].Error.Message, "was called but what it made was not returned") {
			t.Errorf("%s: %+v", body, r.Summary().Runs[0])
		}
	}
}

func TestRewritesChain(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="a"}, function(ev) return modify{command=ev.tool_call.command.." | tee log", login=true} end)
on("pre_tool_call", {name="b"}, function(ev)
  if ev.judging then return end
  return modify{command="set -e; "..ev.tool_call.command}, {data={saw=ev.tool_call.command}}
end)
on("pre_tool_call", {name="c"}, function(ev) return {data={final=ev.tool_call.command, input=ev.tool_call.input.command}} end)`)
	r := fire(t, e, bash("ls"))
	want := map[string]any{"command": "set -e; ls | tee log", "login": true}
	if d := cmp.Diff(want, r.Input); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]any{"saw": "ls | tee log", "final": "set -e; ls | tee log", "input": "set -e; ls | tee log"}, r.Data); d != "" {
		t.Error(d)
	}
	equal(t, "modified", r.Modified, true)
	equal(t, "runs", runs(r), "a b c a*")
}

func TestRewriteDerivesPaths(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="a", match="write"}, function(ev) return replace{file_path="b.txt"} end)
on("pre_tool_call", {name="old", match={path="a.txt"}}, function() end)
on("pre_tool_call", {name="new", match={path="b.txt"}}, function(ev) return context(ev.tool_call.paths[1]) end)`)
	r := fire(t, e, event(t, hooks.PreToolCall, `{"tool_call":{"name":"Write","input":{"file_path":"a.txt","content":"x"}}}`))
	equal(t, "runs", runs(r), "a new")
	equal(t, "context", r.NewContext, "b.txt")
	if d := cmp.Diff(map[string]any{"file_path": "b.txt"}, r.Input); d != "" {
		t.Error(d)
	}
}

func TestRewriteThatCantBeUsed(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="a"}, function() return modify{command=5} end)
on("pre_tool_call", {name="b"}, function() return ask("after") end)`)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "a")
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindResult)
	contains(t, r.Reason, "hook a failed at a.lua:2", "tool_call.input.command", "number")
	if r.Input != nil || r.Modified {
		t.Errorf("the rewrite stayed: %s", asJSON(t, r))
	}
	// The same from Go, where nothing checks it before the engine does.
	e = newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go"}, answer(&hooks.Result{Input: map[string]any{"command": 5.5}}, nil))
	r = fire(t, e, bash("ls"))
	equal(t, "status", r.Summary().Runs[0].Status, hooks.StatusFailed)
	equal(t, "kind of the Go hook's", r.Summary().Runs[0].Error.Kind, hooks.KindResult)
	contains(t, r.Reason, "hook go failed", "tool_call.input.command")
}

func TestRewriteOfOtherEvents(t *testing.T) {
	e := lua(t, `
on("pre_prompt", function(ev) return modify{prompt=ev.prompt.."!"} end)
on("pre_prompt", {name="b"}, function(ev) return {data={saw=ev.prompt}} end)
on("tool_result_persist", function(ev) return output(ev.tool_call.output:upper()) end)
on("tool_result_persist", {name="b"}, function(ev) return {data={saw=ev.tool_call.output}} end)`)
	r := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "hi"})
	equal(t, "prompt", asJSON(t, r.Input)+asJSON(t, r.Data), `{"prompt":"hi!"}{"saw":"hi!"}`)
	r = fire(t, e, &hooks.Context{Event: hooks.ToolResultPersist, ToolCall: &hooks.ToolCall{Name: "read", Output: "key"}})
	equal(t, "output", asJSON(t, r.Output)+asJSON(t, r.Data), `"KEY"{"saw":"KEY"}`)
}

// The judging round: "guard" stands before "rewriter".
func TestJudging(t *testing.T) {
	tests := []struct {
		name, script string
		runs         string
		want         hooks.Result
	}{
		{"a deny counts", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.tool_call.command == "evil" then return deny("evil") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="evil"} end)
on("pre_tool_call", {name="last"}, function() end)`,
			"guard rewriter last guard*", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "evil", Modified: true, Input: map[string]any{"command": "evil"}}},
		{"a bare deny counts", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging then return false end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="evil"} end)`,
			"guard rewriter guard*", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "hook guard (a.lua:2) denied this and gave no reason", Modified: true, Input: map[string]any{"command": "evil"}}},
		{"an ask counts", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging then return ask("sure?"), context("dropped") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Decision: hooks.Ask, Reason: "sure?", Modified: true, Input: map[string]any{"command": "x"}}},
		{"a failure counts", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging then error("boom") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Decision: hooks.Deny, Block: true, Modified: true, Input: map[string]any{"command": "x"},
				Reason: "hook guard failed at a.lua:2: boom. It is a guard (on_failure: block), so nothing goes on without it: fix the hook."}},
		{"nothing else does", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging then return modify{command="other"}, context("c"), message("m"), {data={k=1}} end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Modified: true, Input: map[string]any{"command": "x"}}},
		{"an allow of the round doesn't count", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging then return allow("fine") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Modified: true, Input: map[string]any{"command": "x"}}},
		{"an allow of an older input is void", `
on("pre_tool_call", {name="guard"}, function(ev) return allow("fine as it was") end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Modified: true, Input: map[string]any{"command": "x"}}},
		{"a later allow has its own reason", `
on("pre_tool_call", {name="guard"}, function(ev) return allow("fine as it was") end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"}, allow("fine now") end)`,
			"guard rewriter guard*", hooks.Result{Decision: hooks.Allow, Reason: "fine now", Modified: true, Input: map[string]any{"command": "x"}}},
		{"an ask about an older input stays", `
on("pre_tool_call", {name="guard"}, function(ev) if not ev.judging then return ask("sure?") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter guard*", hooks.Result{Decision: hooks.Ask, Reason: "sure?", Modified: true, Input: map[string]any{"command": "x"}}},
		{"one round for two rewrites, and each hook judges once", `
on("pre_tool_call", {name="guard"}, function(ev) if ev.judging and ev.tool_call.command ~= "ls1 2" then error(ev.tool_call.command) end end)
on("pre_tool_call", {name="one"}, function(ev) return modify{command=ev.tool_call.command.."1"} end)
on("pre_tool_call", {name="two"}, function(ev) return modify{command=ev.tool_call.command.." 2"} end)
on("pre_tool_call", {name="last"}, function() end)`,
			"guard one two last guard* one*", hooks.Result{Modified: true, Input: map[string]any{"command": "ls1 2"}}},
		{"one that matches the final input only", `
on("pre_tool_call", {name="guard", match={command="/evil/"}}, function(ev) return deny("evil") end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="be evil"} end)`,
			"rewriter guard*", hooks.Result{Decision: hooks.Deny, Block: true, Reason: "evil", Modified: true, Input: map[string]any{"command": "be evil"}}},
		{"one that matched the older input only", `
on("pre_tool_call", {name="guard", match={command="ls"}}, function(ev) if ev.judging then return deny("x") end end)
on("pre_tool_call", {name="rewriter"}, function() return modify{command="x"} end)`,
			"guard rewriter", hooks.Result{Modified: true, Input: map[string]any{"command": "x"}}},
		{"no rewrite, no round", `
on("pre_tool_call", {name="guard"}, function(ev) return context("c") end)`,
			"guard", hooks.Result{NewContext: "c", Contexts: []hooks.ContextEntry{{Hook: "guard", Text: "c"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := *fire(t, lua(t, test.script), bash("ls"))
			equal(t, "runs", runs(&r), test.runs)
			r.Summarizer = nil
			if d := cmp.Diff(test.want, r); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestJudgingGoHooks(t *testing.T) {
	e := newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard", Priority: 1}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		if c.Judging && c.ToolCall.Command == "evil" {
			return &hooks.Result{Block: true, Reason: "evil"}, nil
		}
		return nil, nil
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "rewriter"}, answer(&hooks.Result{Input: map[string]any{"command": "evil"}}, nil))
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "guard rewriter guard*")
	equal(t, "reason", r.Reason, "evil")
}

func answer(r *hooks.Result, err error) hooks.Func {
	return func(context.Context, *hooks.Context) (*hooks.Result, error) { return r, err }
}

// A rewrite that would leave the call as it was, or take away what was judged, is a failed run.
func TestRewritesThatTheToolWouldNotSee(t *testing.T) {
	for answer, says := range map[string]string{
		`modify{ comand = "ls -l" }`:            `bash has no "comand"; did you mean "command"?`,
		`modify{ command = nil }`:               "the table is empty",
		`modify{}`:                              "the table is empty",
		`replace{}`:                             "an empty input",
		`replace{ comand = "ls -l" }`:           `bash has no "comand"`,
		`replace{ description = "x" }`:          `"command" is missing`,
		`{ input = { comand = "ls -l" } }`:      `bash has no "comand"`,
		`message("x"), modify{ cmd = "ls -l" }`: `says "command", not "cmd"`,
	} {
		e := newEngine(t, engine.WithScript("a.lua", `on("pre_tool_call", {name = "a"}, function(ev) return `+answer+` end)`))
		r := fire(t, e, bash("ls"))
		if r.Decision != hooks.Deny || r.Input != nil {
			t.Errorf("%s: %q, input %v", answer, r.Decision, r.Input)
		}
		contains(t, r.Reason, says)
	}
	e := newEngine(t, engine.WithScript("a.lua", `on("pre_tool_call", {name = "a"}, function(ev) return modify{ command = "ls -l", timeout = 5 } end)`))
	if r := fire(t, e, bash("ls")); r.Input["command"] != "ls -l" {
		t.Errorf("%v %s", r.Input, r.Reason)
	}
}
