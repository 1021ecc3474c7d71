package task

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// Bounds of a [Shared].
const (
	sharedKeys   = 10_000 // of tasks, and of their keys
	sharedBytes  = 16 << 20
	sharedTask   = 256 << 10
	closedTime   = 90 * 24 * time.Hour // that a closed task stays
	valuesAtOnce = 500
)

// Shared keeps the tasks of a project in a store, for several machines that use it. Each task is a value, and changes
// in one step of the store. There may be 10,000 values and 16 MiB of a project, a task with a key counting twice, and
// 256 KiB of a task with its comments. A closed task goes after 90 days, and with it its key.
type Shared struct {
	// Clock returns the time; nil: time.Now. Set it before the tracker is used.
	Clock func() time.Time

	open    func(ctx context.Context) (store.Store, error)
	space   store.Space
	project string
}

// NewShared returns the tracker of the project at root in the store that open finds, at each call anew.
func NewShared(open func(ctx context.Context) (store.Store, error), root string) *Shared {
	project := real(root)
	return &Shared{open: open, project: project, space: store.Space{
		Name: "engine\x00tasks\x00" + project, MaxKeys: sharedKeys, MaxBytes: sharedBytes, // a name that no hook's store has
	}}
}

const (
	taskPrefix = "task:"
	keyPrefix  = "key:"
)

var errOtherTask = errors.New("another task has this id")

// Create implements engine.TaskSink.
func (s *Shared) Create(ctx context.Context, t hooks.Task) (made hooks.Task, fresh bool, err error) {
	if err := checkPriority(t.Priority); err != nil {
		return made, false, err
	}
	kept, err := s.store(ctx)
	if err != nil {
		return made, false, err
	}
	taken := "" // an id that is another task's
	for range 4 {
		now := s.now()
		id := freshSharedID(now)
		if t.Key != "" {
			// Who creates a task of a key first names it; if it is killed before it has made it, the next one does.
			err = kept.Update(ctx, s.space, s.keyOf(t.Key), store.Keep, func(old []byte) ([]byte, error) {
				if old == nil || string(old) == taken {
					return []byte(id), nil
				}
				id = string(old)
				return old, nil
			})
			if err != nil {
				return hooks.Task{}, false, s.explain(err)
			}
		}
		err = kept.Update(ctx, s.space, taskPrefix+id, store.Keep, func(old []byte) ([]byte, error) {
			if old == nil {
				made, fresh = t, true
				made.ID, made.Status, made.Created = id, hooks.TaskOpen, now
				return encodeTask(&made)
			}
			made, fresh = hooks.Task{}, false
			switch err := json.Unmarshal(old, &made); {
			case err != nil:
				return nil, fmt.Errorf("task %s can't be read (%w)", id, err)
			case t.Key == "" || made.Key != t.Key:
				return nil, errOtherTask
			}
			return old, nil
		})
		switch {
		case errors.Is(err, errOtherTask):
			taken = id
		case err != nil:
			return hooks.Task{}, false, s.explain(err)
		default:
			return made, fresh, nil
		}
	}
	return hooks.Task{}, false, s.explain(err)
}

// List implements engine.TaskSink. It reads all tasks of the project.
func (s *Shared) List(ctx context.Context, q hooks.TaskQuery) ([]hooks.Task, error) {
	kept, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	b, err := s.read(ctx, kept)
	if err != nil {
		return nil, s.explain(err)
	}
	return b.list(q), nil
}

// valuesStore is a store that gives many values at once, nil for keys that there aren't.
type valuesStore interface {
	Values(ctx context.Context, sp store.Space, keys []string) ([][]byte, error)
}

// read reads all tasks. What can't be read is left out.
func (s *Shared) read(ctx context.Context, kept store.Store) (*book, error) {
	b := &book{project: s.project, byID: map[string]*hooks.Task{}}
	keys, err := kept.List(ctx, s.space, taskPrefix) // sorted, as ids are by the time of their creation
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(keys, valuesAtOnce) {
		values, err := valuesOf(ctx, kept, s.space, some)
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			var t hooks.Task
			if value != nil && json.Unmarshal(value, &t) == nil {
				b.tasks, b.byID[t.ID] = append(b.tasks, &t), &t
			}
		}
	}
	return b, nil
}

func valuesOf(ctx context.Context, kept store.Store, sp store.Space, keys []string) (values [][]byte, err error) {
	if s, ok := kept.(valuesStore); ok {
		return s.Values(ctx, sp, keys)
	}
	for _, key := range keys {
		value, err := kept.Get(ctx, sp, key)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// Link implements engine.TaskSink.
func (s *Shared) Link(ctx context.Context, id, other, kind string) error {
	return s.change(ctx, id, func(t *hooks.Task) error {
		l := hooks.TaskLink{ID: other, Kind: kind}
		switch {
		case slices.Contains(t.Links, l):
			return nil
		case id == other:
			return fmt.Errorf("%s can't be linked to itself", id)
		}
		t.Links = append(t.Links, l)
		return nil
	})
}

// Comment implements engine.TaskSink.
func (s *Shared) Comment(ctx context.Context, id, text string) error {
	return s.change(ctx, id, func(t *hooks.Task) error {
		t.Comments = append(t.Comments, hooks.TaskComment{At: s.now(), Text: text})
		return nil
	})
}

// Update implements engine.TaskUpdater.
func (s *Shared) Update(ctx context.Context, id string, change hooks.TaskChange) error {
	if err := checkPriority(change.Priority); err != nil {
		return err
	}
	return s.change(ctx, id, func(t *hooks.Task) error {
		if change.Priority != nil {
			t.Priority = change.Priority
		}
		return nil
	})
}

// SetStatus sets the status of a task, for instance to [hooks.TaskClosed]. Scripts can't do that.
func (s *Shared) SetStatus(ctx context.Context, id, status string) error {
	if strings.TrimSpace(status) == "" {
		return errNoStatus
	}
	kept, err := s.store(ctx)
	if err != nil {
		return err
	}
	lives, key := store.Forever, ""
	if status == hooks.TaskClosed {
		lives = closedTime
	}
	if err := s.changeFor(ctx, kept, id, lives, func(t *hooks.Task) error {
		t.Status, key = status, t.Key
		return nil
	}); err != nil || key == "" {
		return err
	}
	return s.explain(kept.Set(ctx, s.space, s.keyOf(key), []byte(id), lives))
}

func (s *Shared) change(ctx context.Context, id string, change func(*hooks.Task) error) error {
	kept, err := s.store(ctx)
	if err != nil {
		return err
	}
	return s.changeFor(ctx, kept, id, store.Keep, change)
}

func (s *Shared) changeFor(ctx context.Context, kept store.Store, id string, lives time.Duration, change func(*hooks.Task) error) error {
	if len(id) > store.MaxKey-len(taskPrefix) || id == "" {
		return noTask(id)
	}
	return s.explain(kept.Update(ctx, s.space, taskPrefix+id, lives, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, noTask(id)
		}
		var t hooks.Task
		if err := json.Unmarshal(old, &t); err != nil {
			return nil, fmt.Errorf("task %s can't be read (%w)", id, err)
		}
		if err := change(&t); err != nil {
			return nil, err
		}
		return encodeTask(&t)
	}))
}

func encodeTask(t *hooks.Task) ([]byte, error) {
	text, err := hooks.EncodeJSON(t)
	if len(text) > sharedTask {
		return nil, fmt.Errorf("the task would have more than %d KiB with its comments; make another one", sharedTask>>10)
	}
	return text, err
}

func (s *Shared) store(ctx context.Context) (store.Store, error) {
	if err := misuse.Check(ctx, s != nil && s.open != nil, "task.NewShared"); err != nil {
		return nil, err
	}
	kept, err := s.open(ctx)
	if err == nil && kept == nil {
		err = errors.New("hooks.yaml names no store any more that several machines use")
	}
	return kept, s.explain(err)
}

func (s *Shared) keyOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return keyPrefix + hex.EncodeToString(sum[:])
}

func (s *Shared) now() time.Time {
	read := time.Now
	if s.Clock != nil {
		read = s.Clock
	}
	return read().UTC().Truncate(time.Millisecond)
}

// explain returns an error of the store in the words of this package.
func (s *Shared) explain(err error) error {
	var full *store.QuotaError
	if errors.As(err, &full) {
		return fmt.Errorf("the tracker is full (%s): close tasks that are done, which go 90 days later", full.What)
	}
	return err
}

// freshSharedID returns an id that sorts by the time, to a hundredth of a second, and that nobody else makes.
func freshSharedID(now time.Time) string {
	id := (&book{}).freshID(now)
	more := make([]byte, 6)
	_, _ = rand.Read(more) // it never fails
	for i := range more {
		more[i] = idDigits[more[i]&31]
	}
	return id + string(more)
}
