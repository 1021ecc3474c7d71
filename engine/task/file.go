// Package task has trackers for the tasks module of scripts: a file of JSON lines, and the issue tracker beads.
// See engine.WithTasks.
package task

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// Bounds of a [File].
const (
	MaxFileBytes = 2 << 20
	maxWait      = 10 * time.Second // for other writing processes
	maxListed    = 1000
)

// File keeps tasks in a file of JSON lines, of mode 0600 in folders of mode 0700, made when there is something
// to keep. It may be used by several goroutines, and by several processes at once. A line says what was done: a
// task was created, linked, commented on, or given another status. The state of a task is the sum of its lines,
// so nothing is ever rewritten. If a killed process has left half a line at the end, the next writer closes it
// off. All readers skip it, as any other line that isn't valid.
//
// The file may hold the tasks of several projects; each sees its own. It may have 2 MiB (some 5,000 tasks),
// which each call reads completely. Beyond that nothing can be added until somebody moves the file away, or
// removes the lines of closed tasks. A file or folder that belongs to another user, or is writable by others, is
// an error of every call.
type File struct {
	// Clock returns the time; nil: time.Now. Set it before the file is used.
	Clock func() time.Time

	path, project string
}

// NewFile returns the file at path, which is absolute, for the tasks of the project at root. It opens nothing
// yet.
func NewFile(path, root string) *File { return &File{path: path, project: real(root)} }

func (f *File) made() bool { return f != nil && f.path != "" }

// real returns the path of a project with links followed, so that it has one name.
func real(root string) string {
	if path, err := filepath.EvalSymlinks(root); err == nil {
		return path
	}
	return filepath.Clean(root)
}

// DefaultPath returns the file for a project's tasks in luahook's state folder. Each project has a file of its
// own, so that it can't fill that of another; the file's name begins with the project's name.
func DefaultPath(stateDir, root string) string {
	root = real(root)
	sum := sha256.Sum256([]byte(root))
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, filepath.Base(root))
	return filepath.Join(stateDir, "tasks", name[:min(len(name), 40)]+"-"+hex.EncodeToString(sum[:8])+".jsonl")
}

// Create implements engine.TaskSink.
func (f *File) Create(ctx context.Context, t hooks.Task) (made hooks.Task, fresh bool, err error) {
	if err := checkPriority(t.Priority); err != nil {
		return made, false, err
	}
	err = f.add(ctx, func(b *book) (*record, error) {
		if old := b.keyed(t.Key); old != nil {
			made, fresh = *old, false
			return nil, nil
		}
		now := f.now()
		made, fresh = t, true
		made.ID, made.Status, made.Created = b.freshID(now), hooks.TaskOpen, now
		return &record{Do: doCreate, At: now, Project: f.project, Task: &made}, nil
	})
	if err != nil {
		return hooks.Task{}, false, err
	}
	return made, fresh, nil
}

// List implements engine.TaskSink. It returns all comments of a task, however many.
func (f *File) List(ctx context.Context, q hooks.TaskQuery) ([]hooks.Task, error) {
	if err := misuse.Check(ctx, f.made(), "task.NewFile"); err != nil {
		return nil, err
	}
	text, err := f.own(0).Read()
	if err != nil {
		return nil, f.explain(err)
	}
	return f.read(text).list(q), nil
}

// Link implements engine.TaskSink.
func (f *File) Link(ctx context.Context, id, other, kind string) error {
	return f.add(ctx, func(b *book) (*record, error) {
		t, err := b.task(id)
		if err != nil || slices.Contains(t.Links, hooks.TaskLink{ID: other, Kind: kind}) {
			return nil, err
		}
		if id == other {
			return nil, fmt.Errorf("%s can't be linked to itself", id)
		}
		return &record{Do: doLink, At: f.now(), ID: id, Other: other, Kind: kind}, nil
	})
}

// Comment implements engine.TaskSink.
func (f *File) Comment(ctx context.Context, id, text string) error {
	return f.add(ctx, func(b *book) (*record, error) {
		if _, err := b.task(id); err != nil {
			return nil, err
		}
		return &record{Do: doComment, At: f.now(), ID: id, Text: text}, nil
	})
}

// Update implements engine.TaskUpdater.
func (f *File) Update(ctx context.Context, id string, change hooks.TaskChange) error {
	if err := checkPriority(change.Priority); err != nil {
		return err
	}
	return f.add(ctx, func(b *book) (*record, error) {
		t, err := b.task(id)
		if err != nil || change.Priority == nil || t.Priority != nil && *t.Priority == *change.Priority {
			return nil, err
		}
		return &record{Do: doUpdate, At: f.now(), ID: id, Priority: change.Priority}, nil
	})
}

// SetStatus sets the status of a task, for instance to [hooks.TaskClosed]. Scripts can't do that.
func (f *File) SetStatus(ctx context.Context, id, status string) error {
	return f.add(ctx, func(b *book) (*record, error) {
		switch t, err := b.task(id); {
		case err != nil || t.Status == status:
			return nil, err
		case strings.TrimSpace(status) == "":
			return nil, errNoStatus
		}
		return &record{Do: doStatus, At: f.now(), ID: id, Status: status}, nil
	})
}

var errNoStatus = errors.New("a status is a word, such as open or closed")

func (f *File) now() time.Time {
	read := time.Now
	if f.Clock != nil {
		read = f.Clock
	}
	return read().UTC().Truncate(time.Millisecond)
}

// add adds the line that change returns, if any, while no other process writes.
func (f *File) add(ctx context.Context, change func(*book) (*record, error)) error {
	if err := misuse.Check(ctx, f.made(), "task.NewFile"); err != nil {
		return err
	}
	wait := maxWait
	if end, ok := ctx.Deadline(); ok {
		wait = max(0, min(wait, time.Until(end).Round(time.Millisecond)))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	refused := error(nil)
	err := f.own(wait).Extend(func(old []byte) ([]byte, error) {
		r, err := change(f.read(old))
		if err != nil || r == nil {
			refused = err
			return nil, err
		}
		line, err := r.encode()
		if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
			line = append([]byte("\n"), line...)
		}
		return line, err
	})
	if refused != nil {
		return refused
	}
	return f.explain(err)
}

// own returns the file. If the machine stops a task or two may be lost.
func (f *File) own(wait time.Duration) ownfile.File {
	return ownfile.File{Path: f.path, Max: cmp.Or(maxBytes, MaxFileBytes), Wait: wait, Unsynced: true}
}

// maxBytes is less in tests.
var maxBytes int64

// explain returns an error of the file in the words of this package.
func (f *File) explain(err error) error {
	var theirs *ownfile.NotOursError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &theirs):
		return fmt.Errorf("the file of tasks %s isn't used: %s", f.path, theirs.Why)
	case errors.Is(err, ownfile.ErrTooLarge):
		return fmt.Errorf("the file of tasks %s is full (%d MiB): move it away, or remove the lines of closed tasks", f.path, MaxFileBytes>>20)
	}
	return fmt.Errorf("the file of tasks %s: %w", f.path, err)
}
