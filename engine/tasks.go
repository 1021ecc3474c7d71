package engine

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// TaskSink is where the tasks module of scripts puts tasks and finds them: an issue
// tracker. An implementation must be safe for use by several goroutines, and should
// return soon, at the latest when ctx is done: a call takes part in the time of the
// hook's run. Package engine/task has one that keeps them in a file and one for beads.
//
// What scripts give is bounded (a title has one line and at most 500 bytes, a body 64 KiB)
// and free of control characters, but else whatever they like: it must not become a
// program's flag, a query or a path. An error is what the script is told: one line that
// says what to do, without secrets.
type TaskSink interface {
	// Create makes a task of t, which has no ID, Status and Created yet, and gives it as
	// it is kept then. Where t.Key isn't empty and there is a task of that key already, it
	// gives that one, as it is, and fresh is false.
	Create(ctx context.Context, t hooks.Task) (made hooks.Task, fresh bool, err error)
	// List gives the tasks that q describes, the newest first.
	List(ctx context.Context, q hooks.TaskQuery) ([]hooks.Task, error)
	// Link notes how a task stands to another, which need not be in the same tracker.
	// Doing so again changes nothing.
	Link(ctx context.Context, id, other, kind string) error
	// Comment adds a text to a task.
	Comment(ctx context.Context, id, text string) error
}

// TaskUpdater is what a TaskSink may be, too: one whose tasks can be changed. Where it
// isn't, tasks.update tells the script so.
type TaskUpdater interface {
	// Update changes a task. Priorities are from 0 to hooks.LeastPriority.
	Update(ctx context.Context, id string, change hooks.TaskChange) error
}

// WithTasks gives the tasks module of scripts the tracker that it is about. A script
// needs the capability tasks for it, which built-ins have. Where the managed or the
// user's hooks.yaml names a tracker with the key tasks, that takes its place. Default:
// none, and each call says so.
func WithTasks(s TaskSink) Option {
	return func(o *options) error {
		if s == nil {
			return errors.New("WithTasks: there is none (nil)")
		}
		o.tasks = s
		return nil
	}
}

// tracker is what the highest scope's hooks.yaml names, else that of the options; nil: none.
func (r *loader) tracker() TaskSink {
	named := highest(r.contents, func(c *config.Config) config.Tasks { return c.Tasks })
	root := r.engine.options.root
	switch {
	case named.Tracker == "":
		return r.engine.options.tasks
	case root == "":
		return noTasks{errors.New("there is no project here, whose tasks they could be")}
	case named.Tracker == config.TasksBeads:
		return task.NewBeads(root)
	case filepath.IsAbs(named.Path):
		return task.NewFile(filepath.Clean(named.Path), root)
	case StateDir() == "":
		return noTasks{errors.New("there is nowhere to keep tasks: set HOME or XDG_STATE_HOME to an absolute path")}
	case named.Path != "":
		return task.NewFile(filepath.Join(StateDir(), named.Path), root)
	}
	return task.NewFile(task.DefaultPath(StateDir(), root), root)
}

// noTasks is a tracker that can't be used.
type noTasks struct{ err error }

func (n noTasks) Create(context.Context, hooks.Task) (hooks.Task, bool, error) {
	return hooks.Task{}, false, n.err
}
func (n noTasks) List(context.Context, hooks.TaskQuery) ([]hooks.Task, error) { return nil, n.err }
func (n noTasks) Link(context.Context, string, string, string) error          { return n.err }
func (n noTasks) Comment(context.Context, string, string) error               { return n.err }
func (n noTasks) Update(context.Context, string, hooks.TaskChange) error      { return n.err }
