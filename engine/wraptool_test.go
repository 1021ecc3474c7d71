package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// ledger keeps what post_tool_call was told, a line each.
type ledger struct {
	mu     sync.Mutex
	lines  []string
	events []*hooks.Context
}

// keep registers a hook that writes the ledger, before all others.
func (l *ledger) keep(t testing.TB, e *engine.Engine) {
	register(t, e, hooks.PostToolCall, hooks.Options{Name: "ledger", Priority: 100}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		if c.Judging {
			return nil, nil
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		line := fmt.Sprintf("%s %s %v", c.ToolCall.Outcome, asJSON(t, c.ToolCall.Input), c.ToolCall.Output)
		if c.Error != nil {
			line += fmt.Sprintf(" (%s: %s)", c.Error.Kind, c.Error.Message)
		}
		l.lines, l.events = append(l.lines, line), append(l.events, c)
		return nil, nil
	})
}

func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// The way of a call through its hooks: what the body gets, what the model reads, and
// what post_tool_call is told.
func TestWrapToolFollowsTheHooks(t *testing.T) {
	yes := func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil }
	no := func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return false, nil }
	tests := []struct {
		name string
		hook string // Lua
		ask  engine.AskFunc
		fail error // of the body

		body string // its input; "" where it doesn't run
		text string
		err  string
		post string
	}{
		{"no hook has an opinion", ``, nil, nil,
			`{ "command": "ls", "n": 12345678901234567890 }`, "ran", "", `ok {"command":"ls","n":12345678901234567890} ran`},
		{"a hook rewrites", `on("pre_tool_call", function() return modify{command="ls -l"} end)`, nil, nil,
			`{"command":"ls -l","n":12345678901234567890}`, "ran", "", `ok {"command":"ls -l","n":12345678901234567890} ran`},
		{"a hook denies", `on("pre_tool_call", function() return deny("not here"), context("try ls") end)`, nil, nil,
			"", "not here\n\n[hook a] try ls", "tool bash: not here", `denied {"command":"ls","n":12345678901234567890} not here (denied: not here)`},
		{"a hook fails that must not", `on("pre_tool_call", function() error("out of order") end)`, nil, nil,
			"", "hook a failed at a.lua:1: out of order. It is a guard (on_failure: block), so nothing goes on without it: fix the hook.", "*", "*"},
		{"a hook ends the turn", `on("pre_tool_call", function() return halt("enough") end)`, nil, nil,
			"", "enough", "tool bash: enough; halt", `denied {"command":"ls","n":12345678901234567890} enough (denied: enough)`},
		{"a hook answers in its place", `on("pre_tool_call", function() return respond{cached=true} end)`, nil, nil,
			"", `{"cached":true}`, "", `ok {"command":"ls","n":12345678901234567890} map[cached:true]`},
		{"a hook answers with a text", `on("pre_tool_call", function() return respond("cached") end)`, nil, nil,
			"", `cached`, "", `ok {"command":"ls","n":12345678901234567890} cached`},

		{"asked, nobody there", `on("pre_tool_call", function() return ask("sure?") end)`, nil, nil,
			"", "a person would have to allow this, and there is nobody to ask: sure?", "*", "*"},
		{"asked, yes", `on("pre_tool_call", function() return ask("sure?"), modify{command="ls -l"} end)`, yes, nil,
			`{"command":"ls -l","n":12345678901234567890}`, "ran", "", "*"},
		{"asked, no", `on("pre_tool_call", function() return ask("sure?") end)`, no, nil,
			"", "a person was asked and said no: sure?", "*", "*"},
		{"asked, no answer", `on("pre_tool_call", function() return ask() end)`, func(context.Context, *hooks.Context, *hooks.Result) (bool, error) {
			return true, errors.New("no terminal")
		}, nil,
			"", "a person would have to allow this, and asking failed (no terminal)", "*", "*"},
		{"asked, panic", `on("pre_tool_call", function() return ask("sure?") end)`, func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { panic("broken") }, nil,
			"", "a person would have to allow this, and asking failed (the function of WithAsk panicked: broken): sure?", "*", "*"},
		{"asked about an answer in its place", `on("pre_tool_call", function() return ask("sure?"), respond("cached") end)`, no, nil,
			"", "a person was asked and said no: sure?", "*", "*"},

		{"the body fails", ``, nil, errors.New("no such file"),
			`{ "command": "ls", "n": 12345678901234567890 }`, "no such file", "no such file", `error {"command":"ls","n":12345678901234567890} no such file (error: no such file)`},
		{"the body's time is over", ``, nil, fmt.Errorf("reading: %w", context.DeadlineExceeded),
			`{ "command": "ls", "n": 12345678901234567890 }`, "reading: context deadline exceeded", "reading: context deadline exceeded", `timeout {"command":"ls","n":12345678901234567890} reading: context deadline exceeded (timeout: reading: context deadline exceeded)`},

		{"the output is replaced", `on("post_tool_call", function(ev) return output(ev.tool_call.output:upper()), context("one"), context("two") end)`, nil, nil,
			"*", "RAN\n\n[hook a] one\n\n[hook a] two", "", "*"},
		{"the output is replaced by a value", `on("post_tool_call", function(ev) return output{lines={1,2}} end)`, nil, nil,
			"*", `{"lines":[1,2]}`, "", "*"},
		{"an error's text is replaced", `on("post_tool_call", function(ev) return output("(removed)") end)`, nil, errors.New("token abc"),
			"*", "(removed)", "token abc", "*"},
		{"feedback", `on("post_tool_call", function() return deny("run the tests"), context("make test") end)`, nil, nil,
			"*", "ran\n\n[hook] run the tests\n\n[hook a] make test", "", "*"},
		{"a hook of the output fails that must not", `on("post_tool_call", {on_failure="block"}, function() error("redaction broke") end)`, nil, nil,
			"*", "what it answered is kept back: hook a failed at a.lua:1: redaction broke. It is a guard (on_failure: block), so nothing goes on without it: fix the hook.", "*", "*"},
		{"a hook of the output fails", `on("post_tool_call", function() error("formatting broke") end)`, nil, nil,
			"*", "ran", "", "*"},
		{"the turn ends after it", `on("post_tool_call", function() return halt("enough") end)`, nil, nil,
			"*", "ran", "tool bash: a hook ended the turn: enough; halt", "*"},
		{"the turn ends after an error", `on("post_tool_call", function() return halt("enough") end)`, nil, errors.New("no such file"),
			"*", "no such file", "tool bash: a hook ended the turn: enough; halt", "*"},
		{"contexts of both sides", `on("pre_tool_call", function() return context("before") end) on("post_tool_call", {name="b"}, function() return context("after") end)`, nil, nil,
			"*", "ran\n\n[hook a] before\n\n[hook b] after", "", "*"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var options []engine.Option
			if test.ask != nil {
				options = append(options, engine.WithAsk(test.ask))
			}
			e := lua(t, test.hook, options...)
			var l ledger
			l.keep(t, e)
			var got []string
			tool := e.WrapTool("bash", func(ctx context.Context, input json.RawMessage) (string, error) {
				if from, ok := engine.FromContext(ctx); !ok || from != e {
					t.Error("the body's context doesn't carry the engine")
				}
				got = append(got, string(input))
				if test.fail != nil {
					return "", test.fail
				}
				return "ran", nil
			})
			text, err := tool(context.Background(), json.RawMessage(`{ "command": "ls", "n": 12345678901234567890 }`))
			equal(t, "text", text, test.text)
			if body := strings.Join(got, "; "); test.body != "*" || body == "" {
				equal(t, "body", body, test.body)
			}
			if test.err != "*" {
				equal(t, "error", describe(err), test.err)
			}
			if (test.err != "") != (err != nil) {
				t.Errorf("error: %v", err)
			}
			if test.fail != nil && !errors.Is(err, test.fail) {
				t.Errorf("%v doesn't lead to the body's error", err)
			}
			if len(l.lines) != 1 {
				t.Errorf("post_tool_call was fired %d times: %v", len(l.lines), l.lines)
			}
			if test.post != "*" {
				equal(t, "post_tool_call", l.String(), test.post)
			}
		})
	}
}

// describe is an error, and whether it ends the turn.
func describe(err error) string {
	var refused *engine.ToolError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused) && refused.Halt:
		return err.Error() + "; halt"
	}
	return err.Error()
}

// Whoever denies says so with a type: the outcome, the result, the cause.
func TestWrapToolErrorSaysWhy(t *testing.T) {
	cause := errors.New("no terminal")
	e := lua(t, `on("pre_tool_call", function() return ask("sure?") end)`, engine.WithAsk(func(_ context.Context, c *hooks.Context, r *hooks.Result) (bool, error) {
		equal(t, "asked about", c.ToolCall.Command+": "+r.Reason, "ls: sure?")
		return false, cause
	}))
	_, err := e.WrapTool("bash", succeed)(context.Background(), json.RawMessage(`{"command":"ls"}`))
	var refused *engine.ToolError
	if !errors.As(err, &refused) || !errors.Is(err, cause) {
		t.Fatalf("error: %v", err)
	}
	equal(t, "tool", refused.Tool, "bash")
	equal(t, "outcome", refused.Outcome, hooks.OutcomeDenied)
	equal(t, "decision", refused.Result.Decision, hooks.Ask)
}

func succeed(context.Context, json.RawMessage) (string, error) { return "ran", nil }

// What is no call fires nothing and runs nothing.
func TestWrapToolRefusesWhatIsNoCall(t *testing.T) {
	fires := &ledger{}
	e := lua(t, `on("pre_tool_call", function() end)`)
	fires.keep(t, e)
	tests := []struct {
		name, tool, input string
		options           []engine.ToolOption
		body              engine.ToolFunc
		text              string
	}{
		{"a list", "bash", `["ls"]`, nil, succeed, "its input can't be used: want a JSON object"},
		{"null", "bash", `null`, nil, succeed, "its input can't be used: want a JSON object"},
		{"nothing", "bash", ``, nil, succeed, "its input can't be used: empty input, want JSON"},
		{"cut off", "bash", `{"command":`, nil, succeed, "its input can't be used: not JSON: the text ends too early at byte 11"},
		{"two values", "bash", `{} {}`, nil, succeed, "its input can't be used: more text after the JSON value at byte 3"},
		{"a key twice", "bash", `{"command":"ls","command":"rm"}`, nil, succeed, `its input can't be used: the key "command" appears twice in one object, the second time at byte 25`},
		{"two commands", "bash", `{"command":"ls","cmd":"rm"}`, nil, succeed, "its call can't be judged: event: tool_call.input.cmd: differs from command"},
		{"no name", "", `{}`, nil, succeed, "its call can't be judged: event: tool_call.name: missing"},
		{"a wrong kind", "x", `{}`, []engine.ToolOption{engine.ToolKind("sehll")}, succeed, `its call can't be judged: event: tool_call.kind: unknown kind "sehll"; did you mean "shell"?`},
		{"no body", "x", `{}`, nil, nil, "it has no body"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := e.Counters().Fires
			ran := false
			body := test.body
			if body != nil {
				body = func(ctx context.Context, input json.RawMessage) (string, error) {
					ran = true
					return test.body(ctx, input)
				}
			}
			text, err := e.WrapTool(test.tool, body, test.options...)(context.Background(), json.RawMessage(test.input))
			equal(t, "text", text, test.text)
			var refused *engine.ToolError
			if !errors.As(err, &refused) || refused.Err == nil || refused.Outcome != "" {
				t.Errorf("error: %#v", err)
			}
			equal(t, "ran", ran, false)
			equal(t, "events fired", e.Counters().Fires-before, uint64(0))
		})
	}
}

// Without an engine, or with one that is closed, a tool doesn't run.
func TestWrapToolNeedsAnEngine(t *testing.T) {
	tool := engine.WrapTool("bash", func(context.Context, json.RawMessage) (string, error) {
		t.Error("the tool ran without an engine")
		return "", nil
	})
	for _, ctx := range []context.Context{context.Background(), engine.NewContext(context.Background(), nil)} {
		text, err := tool(ctx, json.RawMessage(`{}`))
		if !errors.Is(err, engine.ErrNoEngine) || text == "" {
			t.Errorf("%q, %v", text, err)
		}
	}
	closed, err := engine.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := tool(engine.NewContext(context.Background(), closed), json.RawMessage(`{}`)); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("error: %v", err)
	}
	e := lua(t, "")
	text, err := engine.WrapTool("bash", succeed)(engine.NewContext(context.Background(), e), json.RawMessage(`{}`))
	if text != "ran" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// A panic comes back as an error, with the place; the hooks hear of it.
func TestWrapToolReturnsPanics(t *testing.T) {
	e := lua(t, "")
	var l ledger
	l.keep(t, e)
	cause := errors.New("nil map")
	text, err := e.WrapTool("notes", func(context.Context, json.RawMessage) (string, error) { panic(cause) })(context.Background(), json.RawMessage(`{}`))
	var panicked *engine.PanicError
	if !errors.As(err, &panicked) || !errors.Is(err, cause) {
		t.Fatalf("error: %v", err)
	}
	contains(t, string(panicked.Stack), "TestWrapToolReturnsPanics")
	equal(t, "text", text, "tool notes: it panicked: nil map")
	equal(t, "post_tool_call", l.String(), "error {} tool notes: it panicked: nil map (panic: tool notes: it panicked: nil map)")
}

// A body that ends its goroutine is followed by post_tool_call as well.
func TestWrapToolSurvivesGoexit(t *testing.T) {
	e := lua(t, "")
	var l ledger
	l.keep(t, e)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = e.WrapTool("notes", func(context.Context, json.RawMessage) (string, error) { runtime.Goexit(); return "", nil })(context.Background(), json.RawMessage(`{}`))
		t.Error("Goexit was swallowed")
	}()
	<-done
	contains(t, l.String(), "error {} the tool ended its goroutine")
	equal(t, "post_tool_calls", len(l.lines), 1)
}

// Where the caller has given up, post_tool_call is fired all the same.
func TestWrapToolTellsOfCallsThatWereGivenUp(t *testing.T) {
	bubble(t, "cancelled", func(t *testing.T) {
		e := lua(t, "")
		var l ledger
		l.keep(t, e)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := e.WrapTool("notes", func(ctx context.Context, _ json.RawMessage) (string, error) {
			cancel()
			return "", ctx.Err()
		})(ctx, json.RawMessage(`{}`))
		equal(t, "error", err, context.Canceled)
		equal(t, "post_tool_call", l.String(), "error {} context canceled (cancelled: context canceled)")
	})
	bubble(t, "the tool's own time", func(t *testing.T) {
		e := lua(t, "")
		var l ledger
		l.keep(t, e)
		_, err := e.WrapTool("notes", func(ctx context.Context, _ json.RawMessage) (string, error) {
			<-ctx.Done()
			return "half", errors.New("interrupted")
		}, engine.ToolTimeout(time.Minute))(context.Background(), json.RawMessage(`{}`))
		equal(t, "error", err.Error(), "interrupted")
		equal(t, "post_tool_call", l.String(), "timeout {} half (error: interrupted)")
		equal(t, "duration", l.events[0].ToolCall.Duration, time.Minute)
	})
	bubble(t, "before it ran", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		e := lua(t, "", engine.WithAsk(func(ctx context.Context, _ *hooks.Context, _ *hooks.Result) (bool, error) {
			<-ctx.Done()
			return true, nil
		}))
		register(t, e, hooks.PreToolCall, hooks.Options{Name: "asker"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			return &hooks.Result{Decision: hooks.Ask, Reason: "sure?"}, nil
		})
		var l ledger
		l.keep(t, e)
		_, err := e.WrapTool("notes", func(context.Context, json.RawMessage) (string, error) {
			t.Error("it ran after its time")
			return "", nil
		})(ctx, json.RawMessage(`{}`))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error: %v", err)
		}
		contains(t, l.String(), "denied {}")
	})
	bubble(t, "before the call", func(t *testing.T) {
		e := lua(t, "")
		var l ledger
		l.keep(t, e)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		text, err := e.WrapTool("notes", func(context.Context, json.RawMessage) (string, error) {
			t.Error("it ran after its time")
			return "", nil
		})(ctx, json.RawMessage(`{}`))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error: %v", err)
		}
		equal(t, "text", text, "it did not run, because its caller gave up: context canceled")
		equal(t, "post_tool_call", l.String(), "error {} "+text+" (cancelled: "+text+")")
	})
	bubble(t, "hooks that go on", func(t *testing.T) {
		e := lua(t, "", patient)
		register(t, e, hooks.PostToolCall, hooks.Options{Name: "slow"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ctx, cancel := context.WithCancel(context.Background())
		began := time.Now()
		text, _ := e.WrapTool("notes", func(context.Context, json.RawMessage) (string, error) {
			cancel()
			return "ran", nil
		})(ctx, json.RawMessage(`{}`))
		equal(t, "time", time.Since(began), 5*time.Second)
		contains(t, text, "kept back, because post_tool_call could not be judged")
	})
}

// The events say who called, and the contexts can be had apart.
func TestWrapToolSaysWhoCalled(t *testing.T) {
	e := lua(t, `on("pre_tool_call", function() return context("careful"), message("hello") end)`)
	var l ledger
	l.keep(t, e)
	var apart, seen []string
	tool := e.WrapTool("lookup", succeed,
		engine.ToolKind(hooks.KindWeb),
		engine.ToolContexts(func(_ context.Context, contexts []hooks.ContextEntry) {
			for _, c := range contexts {
				apart = append(apart, c.Hook+": "+c.Text)
			}
			panic("the embedder's own mistake")
		}),
		engine.ToolResults(func(_ context.Context, event hooks.Event, r *hooks.Result) {
			seen = append(seen, string(event)+" "+r.SystemMessage)
		}))
	ctx := engine.WithCaller(context.Background(), engine.Caller{
		SessionID: "s-1", RunID: "r-1", IssueID: "SHOP-41", AgentID: "a-2", ParentAgentID: "a-1", AgentDepth: 1, AgentName: "reviewer",
		CWD: "/work/shop", Model: "sonnet-5", Metadata: map[string]any{"team": "shop"},
	})
	text, err := tool(engine.WithToolCallID(ctx, "call_7"), json.RawMessage(`{"q":"rounding"}`))
	equal(t, "text", text, "ran")
	equal(t, "error", err, nil)
	equal(t, "contexts", strings.Join(apart, "; "), "a: careful")
	equal(t, "results", strings.Join(seen, "; "), "pre_tool_call hello; post_tool_call ")
	c := l.events[0]
	got := fmt.Sprint(c.SessionID, " ", c.RunID, " ", c.IssueID, " ", c.AgentID, " ", c.ParentAgentID, " ", c.AgentDepth, " ", c.AgentName, " ", c.CWD, " ", c.Model, " ", c.Metadata["team"], " ", c.ToolCall.ID, " ", c.ToolCall.Kind)
	equal(t, "event", got, "s-1 r-1 SHOP-41 a-2 a-1 1 reviewer /work/shop sonnet-5 shop call_7 web")
}

// Wrapped tools can be called from many goroutines, and each call has its own events.
func TestWrapToolAtOnce(t *testing.T) {
	e := lua(t, `on("pre_tool_call", function(ev) if ev.tool_call.input.n % 2 == 1 then return deny("odd") end end)`)
	var l ledger
	l.keep(t, e)
	tool := e.WrapTool("count", func(_ context.Context, input json.RawMessage) (string, error) { return string(input), nil })
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			text, err := tool(context.Background(), json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)))
			if n%2 == 1 && (err == nil || text != "odd") || n%2 == 0 && (err != nil || text != fmt.Sprintf(`{"n":%d}`, n)) {
				t.Errorf("%d: %q, %v", n, text, err)
			}
		})
	}
	all.Wait()
	equal(t, "post_tool_calls", len(l.lines), 50)
	equal(t, "denied", strings.Count(l.String(), "denied {"), 25)
}
