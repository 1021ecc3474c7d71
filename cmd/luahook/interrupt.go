package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

var errInterrupted = errors.New("interrupted before all was decided")

// fire fires an event, until somebody ends the command.
func fire(ctx context.Context, e *engine.Engine, c *hooks.Context) (*hooks.Result, error) {
	watch := &lateWatch{Context: ctx, begin: untilSignal, since: time.Now()}
	defer watch.end()
	r, err := e.Fire(watch, c)
	if err != nil && watch.Err() != nil && ctx.Err() == nil {
		return r, errInterrupted
	}
	return r, err
}

// promptTime is how long hooks run before signals are caught, where nobody waits: most
// have decided by then.
const promptTime = 10 * time.Millisecond

func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, ending...)
}

// ending are the signals by which somebody ends the command.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

func ignoreQuit() { signal.Ignore(syscall.SIGQUIT) }

// idleWatch ends the process at a signal while nothing is judged. One that comes while an
// event is judged, and that its context was not told of any more, counts afterwards.
type idleWatch struct {
	signals chan os.Signal
	done    chan struct{}

	mu    sync.Mutex
	idle  bool
	ended os.Signal // nil: by none yet
}

func watchIdle() *idleWatch {
	w := &idleWatch{signals: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(w.signals, ending...)
	go func() {
		for {
			select {
			case s := <-w.signals:
				w.mu.Lock()
				w.ended = s
				w.leave()
				w.mu.Unlock()
			case <-w.done:
				return
			}
		}
	}()
	return w
}

// set tells whether nothing is judged from now on.
func (w *idleWatch) set(idle bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = idle
	w.leave()
}

func (w *idleWatch) leave() {
	if s, ok := w.ended.(syscall.Signal); ok && w.idle {
		os.Exit(128 + int(s))
	}
}

func (w *idleWatch) end() {
	signal.Stop(w.signals)
	close(w.done)
}

// lateWatch is a context that is made once somebody waits for its end, as whoever starts
// a program does, or asks for it when promptTime is over; until then it is its parent. To
// catch signals takes threads, and longer than most hooks.
type lateWatch struct {
	context.Context // the parent, whose Deadline it has
	begin           func(context.Context) (context.Context, context.CancelFunc)
	since           time.Time

	mu    sync.Mutex
	made  context.Context // nil: nobody has waited
	stop  context.CancelFunc
	ended bool
}

func (w *lateWatch) waited() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.made == nil {
		if w.ended {
			return w.Context
		}
		w.made, w.stop = w.begin(w.Context)
	}
	return w.made
}

func (w *lateWatch) current() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.made == nil {
		return w.Context
	}
	return w.made
}

func (w *lateWatch) Done() <-chan struct{} { return w.waited().Done() }
func (w *lateWatch) Value(key any) any     { return w.current().Value(key) }

func (w *lateWatch) Err() error {
	if time.Since(w.since) > promptTime {
		return w.waited().Err()
	}
	return w.current().Err()
}

// end gives signals back their usual meaning, and ends what waits.
func (w *lateWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if w.made != nil {
		w.stop()
	}
}

// signalWatch is a context that ends when somebody ends the command. It lasts for as
// long as events are there to be judged: to begin and end it for each of thousands would
// take longer than to judge them.
type signalWatch struct {
	parent  context.Context
	current context.Context
	stop    context.CancelFunc
}

func (w *signalWatch) begin() context.Context {
	if w.current == nil {
		w.current, w.stop = untilSignal(w.parent)
	}
	return w.current
}

// err tells why no further event is to be judged, nil where one may be.
func (w *signalWatch) err() error {
	if err := w.parent.Err(); err != nil || w.current == nil || w.current.Err() == nil {
		return err
	}
	return errInterrupted
}

// end gives signals back their usual meaning.
func (w *signalWatch) end() {
	if w.current != nil {
		w.stop()
		w.current, w.stop = nil, nil
	}
}
