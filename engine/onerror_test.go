package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// told keeps what the function of WithOnError was told.
type told struct {
	mu     sync.Mutex
	errors []engine.AgentError
}

func (t *told) option() engine.Option {
	return engine.WithOnError(func(_ context.Context, err engine.AgentError) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.errors = append(t.errors, err)
	})
}

type retryable bool

func (r retryable) Error() string   { return "overloaded" }
func (r retryable) Retryable() bool { return bool(r) }

type isRetryable bool

func (r isRetryable) Error() string     { return "overloaded" }
func (r isRetryable) IsRetryable() bool { return bool(r) }

// What hooks and the function are told follows from the error.
func TestReportErrorSaysWhetherToTryAgain(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	tests := []struct {
		err  error
		want string
	}{
		{errors.New("no such file"), "error false"},
		{fmt.Errorf("asking: %w", context.DeadlineExceeded), "timeout true"},
		{fmt.Errorf("asking: %w", context.Canceled), "cancelled false"},
		{fmt.Errorf("asking: %w", refused), "network true"},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, "network false"},
		{&net.DNSError{Err: "server misbehaving"}, "network true"},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, "timeout true"},
		{fmt.Errorf("asking: %w", retryable(true)), "error true"},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, retryable(false)), "timeout false"},
		{isRetryable(true), "error true"},
		{&engine.PanicError{Value: "oops"}, "panic false"},
		{&engine.ToolError{Tool: "bash", Outcome: hooks.OutcomeDenied}, "denied false"},
	}
	var told told
	e := newEngine(t, told.option())
	var seen []*hooks.Context
	register(t, e, hooks.OnError, hooks.Options{}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		seen = append(seen, c)
		return &hooks.Result{NewContext: "noted"}, nil
	})
	ctx := engine.WithCaller(context.Background(), engine.Caller{AgentID: "a-1", AgentName: "coder", Model: "sonnet-5"})
	for i, test := range tests {
		r, err := e.ReportError(ctx, test.err)
		if err != nil || r.NewContext != "noted" {
			t.Fatalf("%v: %v", r, err)
		}
		c := seen[i]
		what := test.err.Error()
		equal(t, what, fmt.Sprint(c.Error.Kind, " ", c.Error.IsRetryable), test.want)
		equal(t, "event", fmt.Sprint(c.AgentID, c.Model, c.AgentName, c.Error.Message), "a-1sonnet-5coder"+what)
		if len(told.errors) != i+1 {
			t.Fatalf("%s: told %d times", what, len(told.errors))
		}
		got := told.errors[i]
		equal(t, what, fmt.Sprint(got.Kind, " ", got.Retryable), test.want)
		equal(t, "message", fmt.Sprint(got.AgentID, got.Model, got.Message), "a-1sonnet-5"+what)
		if got.Err != test.err {
			t.Errorf("%s: told of %v", what, got.Err)
		}
	}
}

// The caller knows more about an error than its type says.
func TestReportErrorTakesDetails(t *testing.T) {
	var told told
	e := newEngine(t, told.option())
	_, err := e.ReportError(context.Background(), errors.New("429"), func(c *hooks.Context) {
		c.Error.Kind, c.Error.IsRetryable = "rate_limit", true
		c.Fields["attempt"] = 2
	})
	if err != nil || len(told.errors) != 1 {
		t.Fatalf("%d: %v", len(told.errors), err)
	}
	got := told.errors[0]
	equal(t, "error", fmt.Sprint(got.Kind, " ", got.Retryable, " ", got.Event.Fields["attempt"]), "rate_limit true 2")

	if r, err := e.ReportError(context.Background(), nil); err == nil || r == nil || len(told.errors) != 1 {
		t.Errorf("no error: %v, %v", r, err)
	}
}

// The function hears of on_error events in any spelling, with hooks for them or
// without, once each, and of no others.
func TestOnErrorHearsOfFiredEvents(t *testing.T) {
	for _, script := range []string{"", `on("on_error", function() end)`} {
		var told told
		e := lua(t, script, told.option())
		for _, name := range []hooks.Event{hooks.OnError, "errorOccurred", "on-error", hooks.OnRetry, hooks.Stop, "deploy.failed"} {
			fire(t, e, &hooks.Context{Event: name, AgentID: "a-1", Error: &hooks.ErrorInfo{Message: string(name), Kind: "network", IsRetryable: true}})
		}
		var got []string
		for _, err := range told.errors {
			got = append(got, err.Message)
			equal(t, "error", fmt.Sprint(err.AgentID, " ", err.Kind, " ", err.Retryable, " ", err.Err), "a-1 network true <nil>")
		}
		equal(t, "told", strings.Join(got, " "), "on_error errorOccurred on-error")
	}
}

// An error that a hook of on_error fires is another one than what was reported.
func TestOnErrorTellsErrorsApart(t *testing.T) {
	var told told
	e := newEngine(t, told.option())
	register(t, e, hooks.OnError, hooks.Options{}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		if c.Error.Message == "reported" {
			_, err := e.Fire(ctx, &hooks.Context{Event: hooks.OnError, Error: &hooks.ErrorInfo{Message: "fired"}})
			return nil, err
		}
		return nil, nil
	})
	cause := errors.New("reported")
	if _, err := e.ReportError(context.Background(), cause); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, err := range told.errors {
		got = append(got, fmt.Sprint(err.Message, ": ", err.Err))
	}
	equal(t, "told", strings.Join(got, "; "), "reported: reported; fired: <nil>")
}

// What the function does is its own affair: a panic is logged, an error that it
// reports goes to the hooks alone.
func TestOnErrorFunctionThatFails(t *testing.T) {
	var log bytes.Buffer
	calls, again := 0, (*engine.Engine)(nil)
	e := newEngine(t, engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), engine.WithOnError(func(ctx context.Context, err engine.AgentError) {
		calls++
		if _, err := again.ReportError(ctx, errors.New("the pager is down")); err != nil {
			t.Error(err)
		}
		panic("oops")
	}))
	again = e
	var seen []string
	register(t, e, hooks.OnError, hooks.Options{}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		seen = append(seen, c.Error.Message)
		return nil, nil
	})
	if _, err := e.ReportError(context.Background(), errors.New("no such file")); err != nil {
		t.Fatal(err)
	}
	equal(t, "calls", calls, 1)
	equal(t, "events", strings.Join(seen, "; "), "the pager is down; no such file")
	contains(t, log.String(), "level=ERROR", "a callback panicked", "callback=WithOnError", "panic=oops", "TestOnErrorFunctionThatFails")
}

// An error is reported where the caller has given up, too.
func TestReportErrorAfterTheEnd(t *testing.T) {
	bubble(t, "cancelled", func(t *testing.T) {
		e := newEngine(t, patient)
		var ran atomic.Int64 // the hook may still be on its way out
		register(t, e, hooks.OnError, hooks.Options{}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
			ran.Add(1)
			<-ctx.Done()
			return nil, nil
		})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		began := time.Now()
		_, _ = e.ReportError(ctx, ctx.Err())
		equal(t, "hooks", ran.Load(), 1)
		equal(t, "time", time.Since(began), 5*time.Second)
	})
}

// A tool that its hooks did not let run can be reported as an error of the agent.
func TestReportErrorOfAWrappedTool(t *testing.T) {
	var told told
	e := lua(t, `on("pre_tool_call", function() return deny("no") end)`, told.option())
	_, err := e.WrapTool("bash", succeed)(context.Background(), json.RawMessage(`{"command":"ls"}`))
	if _, failed := e.ReportError(context.Background(), err); failed != nil {
		t.Fatal(failed)
	}
	equal(t, "kind", told.errors[0].Kind, "denied")
}

func TestOptionsOfCallbacksNeedOne(t *testing.T) {
	for _, option := range []engine.Option{engine.WithOnError(nil), engine.WithAsk(nil), engine.WithObserver(nil), engine.WithOnReload(nil)} {
		if _, err := engine.New(option); err == nil || !strings.Contains(err.Error(), "is nil") {
			t.Errorf("error: %v", err)
		}
	}
}
