package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// TestLoopGuard plays sessions: each word is an event, "stop:REASON" one whose hook
// blocks with that reason.
func TestLoopGuard(t *testing.T) {
	const always = "capped: it has kept the agent from stopping 3 times since the last prompt (max_followups is 3)"
	const same = "capped: it gave the same reason again, and no tool was called in between"
	tests := []struct {
		name, session string
		options       []engine.Option
		want          string // what became of each stop
	}{
		{name: "3 blocks, then no more", session: "stop:a stop:b stop:c stop:d stop:e", want: "a b c " + always + " " + always},
		{name: "a prompt begins anew", session: "stop:a stop:b stop:c prompt stop:d stop:a", want: "a b c d a"},
		{name: "... in another spelling, too", session: "stop:a stop:b stop:c submit stop:d stop:a", want: "a b c d a"},
		{name: "the same reason again", session: "stop:a stop:a stop:b stop:a", want: "a " + same + " b a"},
		{name: "after a tool call it may come again", session: "stop:a tool stop:a after stop:a tool stop:a", want: "a a a " + always},
		{name: "a prompt lets a reason come again", session: "stop:a prompt stop:a", want: "a a"},
		{name: "a prompt that is the reason begins nothing anew", session: "stop:a prompt again:b prompt again:c prompt again:d prompt stop:e", want: "a b c " + always + " e"},
		{name: "nor does the same reason come again by it", session: "stop:a prompt again:a", want: "a " + same},
		{name: "no tool call in another session", session: "stop:a other:tool stop:a", want: "a " + same},
		{name: "sessions don't share", session: "stop:a stop:b stop:c other:stop:d stop:e", want: "a b c d " + always},
		{name: "subagent_stop counts with its own hook", session: "stop:a stop:b stop:c sub:d sub:e sub:f sub:g", want: "a b c d e f " + always},
		{name: "an embedder's bound", options: []engine.Option{engine.WithMaxFollowups(1)}, session: "stop:a stop:b", want: "a " + strings.NewReplacer("3 times", "1 times", "is 3", "is 1").Replace(always)},
		{name: "none at all", options: []engine.Option{engine.WithMaxFollowups(0)}, session: "stop:a", want: strings.NewReplacer("3 times", "0 times", "is 3", "is 0").Replace(always)},
	}
	for _, tt := range tests {
		for _, session := range []string{"s1", ""} {
			if session == "" && strings.Contains(tt.session, "other") {
				continue
			}
			t.Run(tt.name+"/"+session, func(t *testing.T) {
				e := lua(t, `
on("stop", {name="next"}, function(ev) return deny(ev.metadata.say) end)
on("subagent_stop", {name="next"}, function(ev) return deny(ev.metadata.say) end)`, tt.options...)
				var got []string
				for word := range strings.FieldsSeq(tt.session) {
					c := &hooks.Context{Event: hooks.PrePrompt, SessionID: session, Prompt: "go on"}
					if rest, ok := strings.CutPrefix(word, "other:"); ok {
						c.SessionID, word = "s2", rest
					}
					kind, say, _ := strings.Cut(word, ":")
					switch kind {
					case "stop", "sub", "again":
						c.Event, c.Metadata = hooks.Stop, map[string]any{"say": say}
						if kind == "again" {
							c.LoopCount = 1
						}
						if kind == "sub" {
							c.Event = hooks.SubagentStop
						}
					case "submit":
						c.Event = "UserPromptSubmit"
					case "tool":
						c.Event, c.ToolCall = hooks.PreToolCall, bash("ls").ToolCall
					case "after":
						c.Event, c.ToolCall = hooks.PostToolCall, bash("ls").ToolCall
					}
					r := fire(t, e, c)
					if say == "" {
						continue
					}
					run := r.Summary().Runs[0]
					if r.Block {
						got = append(got, r.Reason)
						equal(t, "status", run.Status, hooks.StatusBlocked)
						continue
					}
					equal(t, "status", run.Status, hooks.StatusCompleted)
					equal(t, "the entry", string(run.Entries[0].Kind)+" "+run.Entries[0].Text, "warning "+strings.TrimPrefix(r.Warnings[0], "hook next ("+run.Source+"): "))
					got = append(got, run.Entries[0].Text)
				}
				equal(t, "stops", strings.Join(got, " "), tt.want)
			})
		}
	}
}

// What else the answer says stays.
func TestCappedBlockKeepsTheRest(t *testing.T) {
	e := lua(t, `on("stop", function() return deny("more"), message("said") end)`, engine.WithMaxFollowups(0))
	r := fire(t, e, &hooks.Context{Event: hooks.Stop})
	equal(t, "result", fmt.Sprint(r.Decision, r.Block, r.Reason, r.SystemMessage), "falsesaid")
}

// Blocks that are no follow-ups are not counted.
func TestLoopGuardLeavesOtherEventsAlone(t *testing.T) {
	e := lua(t, `on("pre_tool_call", function() return deny("no") end)`)
	for range 10 {
		equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
	}
}

// Each hook of an event has a count of its own.
func TestLoopGuardCountsByHook(t *testing.T) {
	e := lua(t, `
on("stop", {name="a", match={["metadata.who"]="a"}}, function(ev) return deny("a"..ev.metadata.n) end)
on("stop", {name="b", match={["metadata.who"]="b"}}, function(ev) return deny("b"..ev.metadata.n) end)`)
	blocked := func(who string, n int) bool {
		return fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s", Metadata: map[string]any{"who": who, "n": fmt.Sprint(n)}}).Block
	}
	for n := range 3 {
		equal(t, "a", blocked("a", n), true)
	}
	equal(t, "a again", blocked("a", 4), false)
	equal(t, "b", blocked("b", 1), true)
}

// brokenStore is a store that can't be read.
type brokenStore struct{ store.Store }

var errDisk = errors.New("the disk is gone")

func (brokenStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, errDisk }

func (brokenStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return errDisk
}

// A state that can't be used is told of and blocks nothing.
func TestStateThatFails(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="first", once=true}, function() end)
on("stop", function() return deny("more") end)`, engine.WithStore(brokenStore{}))
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "first")
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	contains(t, strings.Join(r.Warnings, "\n"), "the engine's state can't be used", "the disk is gone")
	for range 5 {
		r = fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s"})
		equal(t, "a block that can't be counted", r.Block, true)
		contains(t, strings.Join(r.Warnings, "\n"), "loops may go on: the disk is gone")
	}
	for count, blocks := range []bool{true, true, true, false, false} { // where the host counts
		r = fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s", LoopCount: count})
		equal(t, "a block after so many", r.Block, blocks)
	}
	contains(t, strings.Join(r.Warnings, "\n"), "capped: the host says")
}

// stuckStore is held by somebody else for longer than anybody waits.
type stuckStore struct {
	store.Store
	waits *[]time.Duration // what it was given
}

func (s stuckStore) Get(ctx context.Context, _ store.Space, _ string) ([]byte, error) {
	return nil, s.Update(ctx, store.Space{}, "", 0, nil)
}

func (s stuckStore) Update(ctx context.Context, _ store.Space, _ string, _ time.Duration, _ func([]byte) ([]byte, error)) error {
	end, _ := ctx.Deadline()
	*s.waits = append(*s.waits, time.Until(end))
	return context.DeadlineExceeded
}

// However many hooks ask for a state that somebody holds, an event waits for it once.
func TestStateThatIsHeldIsWaitedForOnce(t *testing.T) {
	var waits []time.Duration
	e := lua(t, `for i = 1, 5 do on("pre_prompt", {name="h" .. i, once=true}, function() return context("x") end) end`, engine.WithStore(stuckStore{waits: &waits}))
	r := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, SessionID: "s", Prompt: "x"})
	equal(t, "runs", len(r.Summary().Runs), 5)
	long := 0
	for _, wait := range waits {
		if wait > 100*time.Millisecond {
			long++
		}
	}
	equal(t, "long waits", long, 1)
}
