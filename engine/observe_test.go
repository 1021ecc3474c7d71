package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// watcher keeps what an observer is told, a line each.
type watcher struct {
	mu     sync.Mutex
	lines  []string
	runs   []hooks.Run
	panics bool
}

func (w *watcher) RunStarted(_ context.Context, run hooks.Run) { w.note("started", run) }
func (w *watcher) RunCompleted(_ context.Context, run hooks.Run) {
	w.note("completed", run)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs = append(w.runs, run)
}

func (w *watcher) note(what string, run hooks.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := fmt.Sprintf("%s %s %s", what, run.ID, run.Hook)
	if run.Judging {
		line += " judging"
	}
	if what == "completed" || run.Status != hooks.StatusRunning {
		line += " " + string(run.Status)
	}
	w.lines = append(w.lines, line)
	if w.panics {
		panic("the observer broke")
	}
}

const observed = `
on("pre_tool_call", {name="first"}, function(ev) if ev.judging then return nil end return context("one") end)
on("pre_tool_call", {name="rewrites"}, function() return modify{command="ls -l"} end)
on("pre_tool_call", {name="fails", on_failure="warn"}, function() error("out of order") end)
on("pre_tool_call", {name="asks"}, function() return ask("sure?") end)
on("pre_tool_call", {name="elsewhere", match="read"}, function() return deny("no") end)
on("post_tool_call", {name="denies"}, function() return deny("run the tests") end)
`

// Observers hear of each run twice, in order, and of the same run that the summary has.
func TestObserversAreTold(t *testing.T) {
	first, second := &watcher{}, &watcher{}
	e := lua(t, observed, engine.WithObserver(first), engine.WithObserver(second))
	r := fire(t, e, bash("ls"))
	want := `started 1.1 first
completed 1.1 first completed
started 1.2 rewrites
completed 1.2 rewrites completed
started 1.3 fails
completed 1.3 fails failed
started 1.4 asks
completed 1.4 asks completed
started 1.5 first judging
completed 1.5 first judging completed`
	for _, w := range []*watcher{first, second} {
		equal(t, "told", strings.Join(w.lines, "\n"), want)
		equal(t, "runs", asJSON(t, w.runs), asJSON(t, r.Summary().Runs))
	}
}

// A panic of an observer is its own affair.
func TestObserverThatPanics(t *testing.T) {
	var log bytes.Buffer
	broken, other := &watcher{panics: true}, &watcher{}
	e := lua(t, observed, engine.WithObserver(broken), engine.WithObserver(other), engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Ask)
	equal(t, "told", len(other.lines), len(broken.lines))
	contains(t, log.String(), "level=ERROR msg=\"a callback panicked\" callback=WithObserver panic=\"the observer broke\"")
}

// What the log says at each level.
func TestLogOfRunsAndDecisions(t *testing.T) {
	tests := []struct {
		level slog.Level
		want  string
	}{
		{slog.LevelError, ""},
		{slog.LevelWarn, `level=WARN msg="hook failed" event=pre_tool_call hook=fails source=a.lua:4 mode=sync kind=script limit="" message="out of order"
`},
		{slog.LevelInfo, `level=WARN msg="hook failed" event=pre_tool_call hook=fails source=a.lua:4 mode=sync kind=script limit="" message="out of order"
level=INFO msg="hook decision" event=pre_tool_call decision=ask reason=sure? hook=asks generation=1
level=INFO msg="hook decision" event=post_tool_call decision=deny reason="run the tests" hook=denies generation=1
`},
		{slog.LevelDebug, `level=DEBUG msg="hook run" event=pre_tool_call hook=first status=completed scope=embedder source=a.lua:2 judging=false
level=DEBUG msg="hook run" event=pre_tool_call hook=rewrites status=completed scope=embedder source=a.lua:3 judging=false
level=WARN msg="hook failed" event=pre_tool_call hook=fails source=a.lua:4 mode=sync kind=script limit="" message="out of order"
level=DEBUG msg="hook run" event=pre_tool_call hook=fails status=failed scope=embedder source=a.lua:4 judging=false
level=DEBUG msg="hook run" event=pre_tool_call hook=asks status=completed scope=embedder source=a.lua:5 judging=false
level=DEBUG msg="hook run" event=pre_tool_call hook=first status=completed scope=embedder source=a.lua:2 judging=true
level=INFO msg="hook decision" event=pre_tool_call decision=ask reason=sure? hook=asks generation=1
level=DEBUG msg="hook run" event=post_tool_call hook=denies status=blocked scope=embedder source=a.lua:7 judging=false
level=INFO msg="hook decision" event=post_tool_call decision=deny reason="run the tests" hook=denies generation=1
`},
	}
	for _, test := range tests {
		t.Run(test.level.String(), func(t *testing.T) {
			var log bytes.Buffer
			handler := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: test.level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey || a.Key == "duration_us" {
					return slog.Attr{}
				}
				return a
			}})
			e := lua(t, observed, engine.WithLogger(slog.New(handler)))
			fire(t, e, bash("ls"))
			fire(t, e, &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}})
			fire(t, e, &hooks.Context{Event: hooks.Stop})
			equal(t, "log", log.String(), test.want)
		})
	}
}

// The decision is logged with the hook that made it.
func TestLogNamesTheHookThatDecided(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"the first of two that allow", `on("pre_tool_call", {name="a"}, function() return allow("fine") end) on("pre_tool_call", {name="b"}, function() return allow("good") end)`, "allow fine a"},
		{"the stronger one", `on("pre_tool_call", {name="a"}, function() return allow("fine") end) on("pre_tool_call", {name="b"}, function() return ask("sure?") end)`, "ask sure? b"},
		{"the one that denies, after a failure", `on("pre_tool_call", {name="a", on_failure="warn"}, function() error("x") end) on("pre_tool_call", {name="b"}, function() return deny("no") end)`, "deny no b"},
		{"the failure of one", `on("pre_tool_call", {name="a", on_failure="warn"}, function() error("x") end) on("pre_tool_call", {name="b"}, function() error("y") end)`, "deny * b"},
		{"nobody gives a reason", `on("pre_tool_call", {name="a"}, function() return allow() end)`, "allow  a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			e := lua(t, test.script, engine.WithLogger(slog.New(decisions{func(r slog.Record) {
				words := map[string]string{}
				r.Attrs(func(a slog.Attr) bool { words[a.Key] = a.Value.String(); return true })
				got = words["decision"] + " " + words["reason"] + " " + words["hook"]
				if words["hook"] == "b" && strings.Contains(words["reason"], "failed at") {
					got = "deny * b"
				}
			}})))
			fire(t, e, bash("ls"))
			equal(t, "decision", got, test.want)
		})
	}
}

// decisions is a log handler that wants decisions alone.
type decisions struct{ handle func(slog.Record) }

func (d decisions) Enabled(_ context.Context, l slog.Level) bool { return l == slog.LevelInfo }
func (d decisions) WithAttrs([]slog.Attr) slog.Handler           { return d }
func (d decisions) WithGroup(string) slog.Handler                { return d }
func (d decisions) Handle(_ context.Context, r slog.Record) error {
	d.handle(r)
	return nil
}

// The counters add up what was decided and what failed.
func TestCounters(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", function(ev)
  local c = ev.tool_call.command
  if c == "deny" then return deny("no") elseif c == "ask" then return ask("sure?") elseif c == "allow" then return allow("fine") end
  if c == "fail" then error("out of order") elseif c == "result" then return 5 end
  while c == "loop" do end
end)`)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go", OnFailure: hooks.Warn}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		if c.ToolCall.Command == "own" {
			return nil, &hooks.Error{Kind: "of_its_own", Message: "no"}
		}
		return nil, nil
	})
	for _, command := range []string{"ls", "ls", "deny", "ask", "ask", "allow", "fail", "fail", "result", "loop", "own"} {
		fire(t, e, bash(command))
	}
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	got := e.Counters()
	equal(t, "counters", asJSON(t, got), `{"Fires":12,"Allows":1,"Asks":2,"Denies":5,"AsyncDropped":0,"Failures":{"host":1,"limit":1,"result":1,"script":2}}`)
	got.Failures[hooks.KindScript] = 100
	equal(t, "counters, read again", e.Counters().Failures[hooks.KindScript], uint64(2))
}
