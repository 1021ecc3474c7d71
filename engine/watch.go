package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/luahook/luahook/engine/internal/source"
)

// ErrWatching is the error of watching an engine that is being watched already.
var ErrWatching = errors.New("luahook: Watch: the engine is being watched already; one Watch is enough")

// How changes are gathered before the hooks are read again.
const (
	quietTime = 100 * time.Millisecond // without a change: the editor is done
	busyTime  = time.Second            // at the latest, however busy the folder is
	pollTime  = 2 * time.Second        // between two looks at what can't be watched

	// Between two tries where the hooks couldn't be read: the first pause, which
	// doubles, and the longest.
	firstPause = 100 * time.Millisecond
	lastPause  = 30 * time.Second
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
// told to the function of [WithOnReload]; the first one is logged at debug unless it
// fails. One that fails leaves the last good hooks in force, as Reload says, and is tried
// again, whatever the reason was: after 100 ms, then after pauses that double, up to 30 s,
// until it succeeds. A try with the same outcome as the one before it is logged at debug
// and not told.
//
// Watch returns nil when ctx is done or the engine is closed. It returns [ErrClosed]
// where the engine was closed before, and [ErrWatching] where it is being watched.
func (e *Engine) Watch(ctx context.Context) error {
	if err := e.checkUse(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !e.watching.CompareAndSwap(nil, &cancel) {
		return ErrWatching
	}
	defer func() {
		e.watching.Store(nil)
		e.resume()
	}()
	if e.active.closed.Load() { // else Close finds the cancel
		return ErrClosed
	}
	w := &watch{engine: e}
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
	notifier *fsnotify.Watcher // nil: everything has to be looked at

	watched map[string]fs.FileInfo // by folder
	blind   bool                   // something is not watched
	told    bool                   // the log knows
	sources source.Sources         // as they were when the hooks were last read

	pause time.Duration // before the next try; 0: none is due
	next  time.Time     // when that is; zero: never
	said  string        // what came of the last Reload
}

// run reads the hooks again after each change, and after a failure, until ctx is done.
func (w *watch) run(ctx context.Context) {
	w.follow()
	why := changed
	for w.reload(ctx, why) && w.wait(ctx, &why) {
	}
}

// wait comes back once something has changed that the hooks are read from, or for
// another try; it reports whether ctx lets it go on.
func (w *watch) wait(ctx context.Context, why *reason) bool {
	for w.settle(ctx) {
		before := w.sources.Sum
		w.follow()
		// What was read in the middle of a change may be back to what it was before.
		if w.sources.Sum != before || w.sources.Reading != w.engine.lastReading() {
			*why = changed
			return true
		}
		if !w.next.IsZero() && !time.Now().Before(w.next) {
			*why = again
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
	var look, due, settled, busy <-chan time.Time
	if w.blind {
		look = time.After(pollTime)
	}
	if !w.next.IsZero() {
		due = time.After(time.Until(w.next))
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
		case <-due:
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
			sign = w.sources.Includes(event.Name)
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

// reload reads the hooks again and says what came of it; why is again where nothing has
// changed but the time. It reports whether the engine is still open.
func (w *watch) reload(ctx context.Context, why reason) bool {
	e := w.engine
	err := e.reload(ctx, why)
	generation := e.Generation()
	if ctx.Err() != nil || errors.Is(err, ErrClosed) {
		return false
	}
	w.plan(why)
	said := fmt.Sprintln(generation, err)
	if why == again && said == w.said {
		e.options.logger.DebugContext(ctx, "reading the hooks again, with the same outcome", "generation", generation, "error", err)
		return true
	}
	if first := w.said == ""; first && err == nil { // which nothing but the beginning was the reason for
		e.options.logger.DebugContext(ctx, "hooks read again, as they are being watched now", "generation", generation)
	} else {
		e.logReload(ctx, err)
	}
	w.said = said
	if tell := e.options.onReload; tell != nil {
		e.protected(ctx, "WithOnReload", func() { tell(generation, err) })
	}
	return true
}

// plan says when the hooks are to be read again though nothing changes.
func (w *watch) plan(why reason) {
	until, unsure := w.engine.due()
	switch {
	case !unsure:
		w.pause = 0
	case why != again || w.pause == 0:
		w.pause = firstPause
	default:
		w.pause = min(2*w.pause, lastPause)
	}
	w.next = until
	if w.pause > 0 {
		w.next = source.Earlier(until, time.Now().Add(w.pause))
	}
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

// follow finds out what the hooks are read from now, and watches it.
func (w *watch) follow() {
	const rounds = 5 // a folder may come while the one above it is being watched
	for range rounds {
		w.sources = source.ReadSources(w.engine.options.folders, w.engine.options.trust)
		w.blind = w.notifier == nil || w.sources.Unread
		if w.sources.More {
			w.cant("all files", fmt.Errorf("there are more than %d folders or %d files", source.MaxWatchedFolders, source.MaxWatchedFiles))
		}
		if !w.watch(w.sources.Folders) {
			return
		}
	}
}

// watch watches these folders and no others; it reports whether there was a new one.
func (w *watch) watch(folders []string) (added bool) {
	if w.notifier == nil {
		return false
	}
	wanted, active := map[string]fs.FileInfo{}, map[string]bool{}
	for _, p := range w.notifier.WatchList() { // without those that are gone
		active[p] = true
	}
	for _, p := range folders {
		info, err := os.Stat(p)
		if err != nil {
			added = true // it has gone: look again
			continue
		}
		wanted[p] = info
		old, ok := w.watched[p]
		if ok && active[p] && os.SameFile(old, info) {
			continue
		}
		if active[p] { // another folder has taken its place
			_ = w.notifier.Remove(p) // an error means that it is gone already
		}
		if err := w.notifier.Add(p); err != nil {
			delete(wanted, p)
			w.cant(p, err)
			continue
		}
		added = true
	}
	for p := range active {
		if _, ok := wanted[p]; !ok {
			_ = w.notifier.Remove(p)
		}
	}
	w.watched = wanted
	return added
}
