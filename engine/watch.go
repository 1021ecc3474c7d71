package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/luahook/luahook/hooks"
)

// ErrWatching is the error of watching an engine that is being watched already.
var ErrWatching = errors.New("luahook: Watch: the engine is being watched already; one Watch is enough")

// How changes are gathered before the hooks are read again.
const (
	quietTime = 100 * time.Millisecond // without a change: the editor is done
	busyTime  = time.Second            // at the latest, however busy the folder is
	pollTime  = 2 * time.Second        // between two looks at what can't be watched
)

// WithOnReload says who is told when [Engine.Watch] has read the hooks again:
// generation is the one in force now, err what [Engine.Reload] says. It is called on
// Watch's goroutine, one call at a time. A panic of it is logged.
func WithOnReload(tell func(generation uint64, err error)) Option {
	return func(o *options) error {
		if tell == nil {
			return errors.New("WithOnReload: the function is nil")
		}
		o.onReload = tell
		return nil
	}
}

// Watch reads the hooks again, as [Engine.Reload] does, whenever a file changes that
// they are read from: what lies in the hooks folders, hooks.yaml of each scope, the
// files that its script: names, and what the user trusts ([WithTrust]). Folders may
// come, go and be replaced. It begins with a Reload,
// for what has changed since [New]; after that one, a change that leaves every file's
// content as it was does nothing. Changes are gathered until nothing has changed for
// 100 ms, for 1 s at most. What the system can't watch is looked at every 2 s.
//
// Each Reload is logged, at info with its generation or at warn with its error, and
// told to the function of [WithOnReload]. One that fails leaves the last good hooks in
// force, and Watch goes on.
//
// Watch returns nil when ctx is done or the engine is closed. It returns [ErrClosed]
// where the engine was closed before, and [ErrWatching] where it is being watched.
func (e *Engine) Watch(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !e.watching.CompareAndSwap(nil, &cancel) {
		return ErrWatching
	}
	defer e.watching.Store(nil)
	if e.active.closed.Load() { // else Close finds the cancel
		return ErrClosed
	}
	w := newWatch(e)
	if notifier, err := fsnotify.NewWatcher(); err != nil {
		w.cant("the hooks", err)
	} else {
		defer notifier.Close()
		w.notifier = notifier
	}
	w.run(ctx)
	return nil
}

// endWatch ends a Watch that is under way, and doesn't wait for it. Close calls it once
// the engine takes no more events.
func (e *Engine) endWatch() {
	if cancel := e.watching.Load(); cancel != nil {
		(*cancel)()
	}
}

// watch is one Watch. It belongs to the goroutine of its caller.
type watch struct {
	engine   *Engine
	folders  []folder
	notifier *fsnotify.Watcher // nil: everything has to be looked at

	watched map[string]fs.FileInfo // by folder
	blind   bool                   // something is not watched
	told    bool                   // the log knows
	sources sources                // as they were when the hooks were last read
}

func newWatch(e *Engine) *watch {
	w := &watch{engine: e, folders: slices.Clone(e.options.folders)}
	for i := range w.folders {
		if w.folders[i].scope == hooks.ScopeManaged { // as load sees them
			w.folders[i].root = e.options.root
		}
	}
	return w
}

// run reads the hooks again after each change until ctx is done.
func (w *watch) run(ctx context.Context) {
	w.follow()
	for w.reload(ctx) && w.wait(ctx) {
	}
}

// wait comes back once something has changed that the hooks are read from; it tells
// whether ctx lets it go on.
func (w *watch) wait(ctx context.Context) bool {
	for w.settle(ctx) {
		before := w.sources.sum
		if w.follow(); w.sources.sum != before {
			return true
		}
	}
	return false
}

// settle waits for a sign of a change, and then until there is none for a moment.
func (w *watch) settle(ctx context.Context) bool {
	var events <-chan fsnotify.Event
	var errs <-chan error
	if w.notifier != nil {
		events, errs = w.notifier.Events, w.notifier.Errors
	}
	var look, settled, busy <-chan time.Time
	if w.blind {
		look = time.After(pollTime)
	}
	quiet := time.NewTimer(quietTime) // not asked before there is a sign
	defer quiet.Stop()
	for {
		sign := false
		select {
		case <-ctx.Done():
			return false
		case <-look:
			return true
		case <-settled:
			return true
		case <-busy:
			return true
		case event, ok := <-events:
			if !ok {
				events = nil
				w.cant("the hooks", errors.New("the notifications have ended"))
				return true
			}
			sign = w.sources.concerns(event.Name)
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			sign = true // such as events that were lost
			w.engine.options.logger.Debug("watching the hooks", "error", err)
		}
		if sign {
			quiet.Reset(quietTime)
			if settled = quiet.C; busy == nil {
				busy = time.After(busyTime)
			}
		}
	}
}

// reload reads the hooks again and says what came of it. It tells whether the engine
// is still open.
func (w *watch) reload(ctx context.Context) bool {
	e := w.engine
	err := e.Reload(ctx)
	generation := e.Generation()
	switch {
	case ctx.Err() != nil, errors.Is(err, ErrClosed):
		return false
	case err != nil:
		e.options.logger.WarnContext(ctx, "hooks read again", "generation", generation, "error", err)
	default:
		e.options.logger.InfoContext(ctx, "hooks read again", "generation", generation)
	}
	if tell := e.options.onReload; tell != nil {
		e.protected(ctx, "WithOnReload", func() { tell(generation, err) })
	}
	return true
}

// cant notes that something can't be watched, so that it is looked at from time to
// time.
func (w *watch) cant(what string, err error) {
	w.blind = true
	if !w.told {
		w.told = true
		w.engine.options.logger.Warn(fmt.Sprintf("%s can't be watched, so changes are looked for every %s", what, pollTime), "error", err)
	}
}
