package task_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

var (
	_ engine.TaskSink    = (*task.Shared)(nil)
	_ engine.TaskUpdater = (*task.Shared)(nil)
)

// sharedTrackers gives trackers as several machines have them, in one store.
func sharedTrackers(t *testing.T) func(root string) *task.Shared {
	t.Helper()
	kept := store.NewMemory(100_000)
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	var mu sync.Mutex
	return func(root string) *task.Shared {
		s := task.NewShared(func(context.Context) (store.Store, error) { return kept, nil }, root)
		s.Clock = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Second)
			return now
		}
		return s
	}
}

func titlesOf(t *testing.T, s engine.TaskSink, q hooks.TaskQuery) string {
	t.Helper()
	list, err := s.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, task := range list {
		names = append(names, task.Title)
	}
	return strings.Join(names, " ")
}

// What is noted on one machine is found on the others, and only in the same project.
func TestShared(t *testing.T) {
	trackers := sharedTrackers(t)
	one, other := trackers("/work/shop"), trackers("/work/shop")
	ctx := t.Context()
	a, fresh, err := one.Create(ctx, hooks.Task{Title: "a", Key: "k", Labels: []string{"x"}})
	if err != nil || !fresh || a.ID == "" || a.Status != hooks.TaskOpen || a.Created.IsZero() {
		t.Fatalf("%+v, %v, %v", a, fresh, err)
	}
	again, fresh, err := other.Create(ctx, hooks.Task{Title: "said otherwise", Key: "k"})
	if err != nil || fresh || again.ID != a.ID || again.Title != "a" {
		t.Errorf("again: %+v, %v, %v", again, fresh, err)
	}
	b, _, err := other.Create(ctx, hooks.Task{Title: "b", Parent: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	urgent := 0
	for _, err := range []error{
		other.Link(ctx, b.ID, "shop-2", "blocks"), one.Link(ctx, b.ID, "shop-2", "blocks"),
		other.Comment(ctx, a.ID, "a note"), one.Update(ctx, a.ID, hooks.TaskChange{Priority: &urgent}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for q, want := range map[hooks.TaskQuery]string{
		{}: "b a", {Issue: "shop-2"}: "b", {Issue: b.ID}: "b a", {Label: "x"}: "a", {Limit: 1}: "b", {Parent: "none"}: "",
	} {
		if got := titlesOf(t, one, q); got != want {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	list, err := other.List(ctx, hooks.TaskQuery{Label: "x"})
	if err != nil || len(list) != 1 || len(list[0].Comments) != 1 || list[0].Priority == nil || *list[0].Priority != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = other.List(ctx, hooks.TaskQuery{Parent: a.ID}); err != nil || len(list[0].Links) != 1 {
		t.Errorf("it was linked twice: %+v, %v", list, err)
	}
	if got := titlesOf(t, trackers("/work/other"), hooks.TaskQuery{Status: hooks.AnyStatus}); got != "" {
		t.Errorf("in another project: %q", got)
	}

	if err := one.SetStatus(ctx, a.ID, hooks.TaskClosed); err != nil {
		t.Fatal(err)
	}
	if got := titlesOf(t, other, hooks.TaskQuery{}); got != "b" {
		t.Errorf("open: %q", got)
	}
	if again, fresh, err = other.Create(ctx, hooks.Task{Title: "a", Key: "k"}); err != nil || fresh || again.Status != hooks.TaskClosed {
		t.Errorf("a closed task came back: %+v, %v, %v", again, fresh, err)
	}
}

// However many machines create the task of a key at once, there is one, and one of them has made it.
func TestSharedCreatedAtOnce(t *testing.T) {
	trackers := sharedTrackers(t)
	var mu sync.Mutex
	made, ids := 0, map[string]bool{}
	var work sync.WaitGroup
	for range 8 {
		s := trackers("/work/shop")
		work.Go(func() {
			for i := range 20 {
				task, fresh, err := s.Create(context.Background(), hooks.Task{Title: "t", Key: fmt.Sprint(i)})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				if ids[task.ID] = true; fresh {
					made++
				}
				mu.Unlock()
			}
		})
	}
	work.Wait()
	if made != 20 || len(ids) != 20 {
		t.Errorf("%d were made, with %d ids; want 20", made, len(ids))
	}
}

func TestSharedRefuses(t *testing.T) {
	trackers := sharedTrackers(t)
	s, ctx := trackers("/work/shop"), t.Context()
	made, _, err := s.Create(ctx, hooks.Task{Title: "a"})
	if err != nil {
		t.Fatal(err)
	}
	tooUrgent := -1
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no such task":      {s.Comment(ctx, "t-none", "x"), "there is no task t-none"},
		"a long id":         {s.Comment(ctx, strings.Repeat("x", 2000), "x"), "there is no task xxx"},
		"itself":            {s.Link(ctx, made.ID, made.ID, "blocks"), "can't be linked to itself"},
		"no status":         {s.SetStatus(ctx, made.ID, " "), "a status is a word"},
		"no priority":       {s.Update(ctx, made.ID, hooks.TaskChange{Priority: &tooUrgent}), "a priority is"},
		"a long comment":    {s.Comment(ctx, made.ID, strings.Repeat("x", 300<<10)), "more than 256 KiB"},
		"no store any more": {task.NewShared(func(context.Context) (store.Store, error) { return nil, nil }, "/").Comment(ctx, "t", "x"), "names no store any more"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
	lost := errors.New("it is gone")
	_, _, err = task.NewShared(func(context.Context) (store.Store, error) { return nil, lost }, "/").Create(ctx, hooks.Task{Title: "x"})
	if !errors.Is(err, lost) {
		t.Errorf("a store that is gone: %v", err)
	}
}
