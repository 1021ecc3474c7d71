package builtins_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// closedTasks is a tracker in which all earlier tasks are closed.
type closedTasks struct {
	brokenTasks
	byKey map[string]hooks.Task
}

func (c *closedTasks) Create(_ context.Context, t hooks.Task) (hooks.Task, bool, error) {
	if old, ok := c.byKey[t.Key]; ok {
		return old, false, nil
	}
	t.ID, t.Status = t.Key, "closed"
	c.byKey[t.Key] = t
	return t, true, nil
}

// A follow-up that was closed and is left open again gets a new task, one in each session.
func TestFollowupOfAClosedTask(t *testing.T) {
	tracker := &closedTasks{byKey: map[string]hooks.Task{}}
	for i, session := range []string{"a", "b", "b", "c"} {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithTasks(tracker), engine.WithBuiltin("followup-creator", nil))
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(t.Context())
		if _, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PostResponse, SessionID: session, Response: "TODO: add retries"}); err != nil {
			t.Fatal(err)
		}
		if want := []int{1, 2, 2, 3}[i]; len(tracker.byKey) != want {
			t.Errorf("after session %s there are %d tasks, want %d", session, len(tracker.byKey), want)
		}
	}
}
