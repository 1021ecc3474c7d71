package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind/lib"
)

// services are what the modules of one script may use of the engine.
func (e *Engine) services(in scriptSpec) *lib.Services {
	s := &lib.Services{Stores: e.hookStores(in), Spills: in.builtin}
	if in.builtin {
		s.Redactor, s.Notes = e.redactor, e.notes(&in)
	}
	if r := e.options.rehearsal; r != nil {
		s.Outside = r.Outside
	}
	if e.options.spill != nil { // a nil of one interface is none of another
		s.Spill = e.options.spill
	}
	return s
}

// services are these with what the configuration says.
func (r *loader) services(in scriptSpec) *lib.Services {
	s := r.engine.services(in)
	if r.tasks != nil {
		s.Tasks = r.tasks
	}
	return s
}

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
// user's hooks.yaml names a tracker with the key tasks, that takes its place. Where it doesn't,
// and names a store by a URL, which other machines may use as well, tasks lie there instead of in
// a [*task.File]. Default: none, and each call says so.
func WithTasks(s TaskSink) Option {
	return func(o *options) error {
		if s == nil {
			return errors.New("WithTasks: there is none (nil)")
		}
		o.tasks = s
		return nil
	}
}

// Tasks is the tracker of the tasks module at this moment; nil: there is none.
func (e *Engine) Tasks() TaskSink {
	if !e.made() {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.current.tasks
}

// tracker is what the highest scope's hooks.yaml names, else that of the options; nil: none.
func (r *loader) tracker() TaskSink {
	named := highest(r.contents, func(c *config.Config) config.Tasks { return c.Tasks })
	root := r.engine.options.root
	switch {
	case named.Tracker == "" && r.tasksFollowStore():
		return task.NewShared(r.engine.SharedStore, root)
	case named.Tracker == "", r.engine.options.replay != nil, r.engine.options.rehearsal != nil:
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

// tasksFollowStore reports whether tasks lie where several machines keep what hooks remember.
func (r *loader) tasksFollowStore() bool {
	o := &r.engine.options
	_, inFile := o.tasks.(*task.File)
	return inFile && isShared(r.result.store) && o.root != "" && o.replay == nil && o.rehearsal == nil
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

// Spiller keeps texts that are too long for a model where it can read them: behind the
// spill function of scripts. An implementation must be safe for use by several goroutines,
// and should return soon, at the latest when ctx is done. Package engine/spill has the one
// of the luahook command.
type Spiller interface {
	// Spill writes a text to a file that only the user can read, and gives its absolute
	// path. session is the event's, which may be "", and name a hint for the file's name:
	// any text. The error is what the script is told: one line, without secrets.
	Spill(ctx context.Context, session, name, text string) (path string, err error)
}

// WithSpill gives the spill function of scripts its place. A script needs the capability
// fs.write for it; built-ins don't. Default: none, and each call says so.
func WithSpill(s Spiller) Option {
	return func(o *options) error {
		if s == nil {
			return errors.New("WithSpill: there is none (nil)")
		}
		o.spill = s
		return nil
	}
}

// host is what built-ins are told of the machine. A folder for temporary files that is
// the root, or holds the user's home, isn't one.
func (e *Engine) host() lib.Host {
	h := lib.Host{Root: e.options.root, Around: e.options.around, State: StateDir(), Config: UserDir(), Managed: filepath.Dir(managedFile), Home: userhome.Dir()}
	for _, dir := range []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", filepath.Clean(os.TempDir())} {
		if !filepath.IsAbs(dir) || filepath.Dir(dir) == dir || h.Home == dir || strings.HasPrefix(h.Home, dir+string(filepath.Separator)) {
			continue
		}
		h.Temp = append(h.Temp, filepath.ToSlash(dir))
	}
	for _, f := range e.options.folders {
		if !f.Confined {
			continue
		}
		if _, err := os.Lstat(f.Dir); err == nil {
			h.Hooks, h.Rooted = append(h.Hooks, e.options.rehearsal.inRoot(f.Root, f.Dir)), append(h.Rooted, e.options.rehearsal.inRoot(f.Root, f.Root))
		}
	}
	return h
}
