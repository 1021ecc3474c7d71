package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Close waits for all that has begun, and so does one that is called at the same time.
func TestCloseWaitsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &activity{drained: make(chan struct{}, 1)}
		for i := range 4 {
			if !a.begin(&a.lanes[i/2]) {
				t.Fatal("it can't begin")
			}
		}
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := a.close(short)
		if want := "events under way: 4: context deadline exceeded"; err == nil || err.Error() != want || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %s", err, want)
		}
		if ok := a.begin(&a.lanes[3]); ok || a.running() != 4 {
			t.Errorf("after close: began %v, %d under way", ok, a.running())
		}
		closed := make(chan error, 3)
		for range 3 {
			go func() { closed <- a.close(context.Background()) }()
		}
		for i := range 4 {
			synctest.Wait()
			if len(closed) != 0 {
				t.Fatal("it didn't wait for all")
			}
			a.end(&a.lanes[i/2])
		}
		for range 3 {
			if err := <-closed; err != nil {
				t.Error(err)
			}
		}
	})
}

// A closed engine refuses every event, those that concern nobody as well.
func TestClosedForQuietEvents(t *testing.T) {
	e, err := New(WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	ctx, event := context.Background(), &hooks.Context{Event: hooks.SessionStart}
	if r, err := e.Fire(ctx, event); err != nil || len(r.Summary().Runs) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := e.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fire(ctx, event); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want %v", err, ErrClosed)
	}
}
