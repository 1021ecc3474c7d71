package builtins_test

import (
	"bytes"
	"context"
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
	if problems := e.Problems(); len(problems) > 0 {
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

// Processes that count at once lose nothing.
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

// backdated is a store in which another day stands for today.
type backdated struct {
	*store.Memory
	day string
}

func (b backdated) seen(value []byte) []byte {
	today := time.Now().UTC()
	value = bytes.ReplaceAll(value, []byte(today.Format(`"2006-01-02"`)), []byte(`"`+b.day+`"`))
	return bytes.ReplaceAll(value, []byte(today.Format(`"2006-01"`)), []byte(`"`+b.day[:7]+`"`))
}

func (b backdated) Get(ctx context.Context, s store.Space, key string) ([]byte, error) {
	value, err := b.Memory.Get(ctx, s, key)
	return b.seen(value), err
}

func (b backdated) Update(ctx context.Context, s store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	return b.Memory.Update(ctx, s, key, ttl, func(old []byte) ([]byte, error) { return change(b.seen(old)) })
}

// A new day and a new month begin at nothing; a clock that is ahead by a little doesn't
// begin one twice, one that was wrong doesn't keep them from beginning.
func TestCostTrackerBeginsDays(t *testing.T) {
	today := time.Now().UTC()
	for _, test := range []struct {
		name, day string
		want      float64 // of the day
	}{
		{"today", today.Format(time.DateOnly), 3},
		{"an earlier day", "2020-01-31", 2},
		{"a clock a little ahead", today.AddDate(0, 0, 1).Format(time.DateOnly), 3},
		{"a clock that was wrong", "2099-01-31", 2},
	} {
		memory := store.NewMemory(1000)
		countIn(t, costTracker(t, memory, nil), modelCall(1))
		r := countIn(t, costTracker(t, backdated{memory, test.day}, nil), modelCall(2))
		if got := costIn(t, r, "day_usd"); got != test.want {
			t.Errorf("%s: the day has cost %v, want %v", test.name, got, test.want)
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

// Counting is at the side of things; a budget that can't be looked up is a guard that
// failed.
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
