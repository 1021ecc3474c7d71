package builtins_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

func costTracker(t *testing.T, s store.Store, with map[string]any) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), ample, engine.WithBuiltin("cost-tracker", with), engine.WithStore(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	if problems := e.LoadErrors(); len(problems) > 0 {
		t.Fatal(problems)
	}
	return e
}

func countIn(t *testing.T, e *engine.Engine, c *hooks.Context) *hooks.Result {
	t.Helper()
	r, err := e.Fire(t.Context(), c)
	if err != nil {
		t.Error(err)
	}
	return r
}

func modelCall(dollars float64) *hooks.Context {
	return &hooks.Context{Event: hooks.PostModelCall, SessionID: "s", Model: "m", Usage: &hooks.Usage{InputTokens: 10, CostUSD: dollars}}
}

func costIn(t *testing.T, r *hooks.Result, key string) float64 {
	t.Helper()
	table, _ := r.Data["cost"].(map[string]any)
	switch n := table[key].(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	t.Fatalf("no cost.%s in %v (%s)", key, r.Data, r.SystemMessage)
	return 0
}

// Concurrent processes lose nothing.
func TestCostTrackerCountsAtOnce(t *testing.T) {
	const engines, calls = 8, 25
	shared := store.NewMemory(1000)
	var all sync.WaitGroup
	for range engines {
		e := costTracker(t, shared, nil)
		all.Go(func() {
			for range calls {
				if r := countIn(t, e, modelCall(0.1)); r.SystemMessage != "" {
					t.Error(r.SystemMessage)
				}
			}
		})
	}
	all.Wait()
	r := countIn(t, costTracker(t, shared, nil), modelCall(0.1))
	if got := costIn(t, r, "session_usd"); got != 20.1 {
		t.Errorf("the session has cost %v, want 20.1", got)
	}
	if got := costIn(t, r, "total_tokens"); got != 10*(engines*calls+1) {
		t.Errorf("%v tokens, want %d", got, 10*(engines*calls+1))
	}
}

// otherwise is a store whose values have another format.
type otherwise struct {
	*store.Memory
	seen func(value []byte) []byte
}

func (o otherwise) Get(ctx context.Context, s store.Space, key string) ([]byte, error) {
	value, err := o.Memory.Get(ctx, s, key)
	return o.seen(value), err
}

func (o otherwise) Update(ctx context.Context, s store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	return o.Memory.Update(ctx, s, key, ttl, func(old []byte) ([]byte, error) { return change(o.seen(old)) })
}

// backdated has another day for today.
func backdated(m *store.Memory, day string) store.Store {
	today := time.Now().UTC()
	return otherwise{m, func(value []byte) []byte {
		value = bytes.ReplaceAll(value, []byte(today.Format(`"2006-01-02"`)), []byte(`"`+day+`"`))
		return bytes.ReplaceAll(value, []byte(today.Format(`"2006-01"`)), []byte(`"`+day[:7]+`"`))
	}}
}

// A host that names no session has begun a new one if the last report is long ago.
func TestCostTrackerBeginsSessions(t *testing.T) {
	at := regexp.MustCompile(`"at":[0-9]+`)
	for _, test := range []struct {
		hours int
		want  float64 // of the session
	}{{11, 3}, {13, 2}} {
		memory := store.NewMemory(1000)
		first, second := modelCall(1), modelCall(2)
		first.SessionID, second.SessionID = "", ""
		countIn(t, costTracker(t, memory, nil), first)
		then := fmt.Appendf(nil, `"at":%d`, time.Now().Add(-time.Duration(test.hours)*time.Hour).Unix())
		r := countIn(t, costTracker(t, otherwise{memory, func(value []byte) []byte { return at.ReplaceAll(value, then) }}, nil), second)
		if got := costIn(t, r, "session_usd"); got != test.want {
			t.Errorf("after %d hours the session has cost %v, want %v", test.hours, got, test.want)
		}
	}
}

// A new day and a new month begin at zero. A clock that is a little fast doesn't begin one twice; one that was
// wrong doesn't keep them from beginning.
func TestCostTrackerBeginsDays(t *testing.T) {
	today := time.Now().UTC()
	for _, test := range []struct {
		name, day string
		want      float64 // of the day
	}{
		{"today", today.Format(time.DateOnly), 3},
		{"an earlier day", "2020-01-31", 2},
		{"yesterday", today.AddDate(0, 0, -1).Format(time.DateOnly), 2},
		{"a clock a little ahead", today.AddDate(0, 0, 1).Format(time.DateOnly), 3},
		{"a clock that was wrong", "2099-01-31", 2},
	} {
		memory := store.NewMemory(1000)
		countIn(t, costTracker(t, memory, nil), modelCall(1))
		r := countIn(t, costTracker(t, backdated(memory, test.day), nil), modelCall(2))
		if got := costIn(t, r, "day_usd"); got != test.want {
			t.Errorf("%s: the day has cost %v, want %v", test.name, got, test.want)
		}
		month := 3.0
		if test.day[:7] != today.Format("2006-01") && test.want == 2 {
			month = 2
		}
		if got := costIn(t, r, "month_usd"); got != month {
			t.Errorf("%s: the month has cost %v, want %v", test.name, got, month)
		}
		if got := costIn(t, r, "total_usd"); got != 3 {
			t.Errorf("%s: all of it has cost %v, want 3", test.name, got)
		}
	}
}

// lostStore can't be reached.
type lostStore struct{ *store.Memory }

var errLost = &store.UnavailableError{Message: "the store is gone"}

func (lostStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, errLost }

func (lostStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return errLost
}

// Counting doesn't disturb anything; a budget that can't be looked up is a guard that failed.
func TestCostTrackerWithoutStore(t *testing.T) {
	broken := lostStore{store.NewMemory(10)}
	e := costTracker(t, broken, map[string]any{"session_usd": 1.0})
	r := countIn(t, e, modelCall(2))
	if !strings.Contains(r.SystemMessage, "the usage was not counted") || !strings.Contains(r.SystemMessage, "the store is gone") {
		t.Errorf("after a call: %q", r.SystemMessage)
	}
	call := &hooks.Context{Event: hooks.PreToolCall, SessionID: "s", ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "ls"}}}
	if r := countIn(t, e, call); r.Decision != hooks.Deny || !strings.Contains(r.Reason, "the store is gone") {
		t.Errorf("with a budget: %q, %s", r.Decision, r.Reason)
	}
	if r := countIn(t, costTracker(t, broken, nil), call); r.Decision != hooks.NoOpinion {
		t.Errorf("without a budget: %q, %s", r.Decision, r.Reason)
	}
}
