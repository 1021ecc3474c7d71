package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

var errInterrupted = errors.New("interrupted before the hooks were done")

// fire fires an event, until somebody ends the command.
func fire(ctx context.Context, e *engine.Engine, c *hooks.Context) (*hooks.Result, error) {
	watch := signalWatch{parent: ctx}
	defer watch.end()
	r, err := e.Fire(watch.begin(), c)
	if err != nil && watch.err() != nil && ctx.Err() == nil {
		return r, errInterrupted
	}
	return r, err
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
		w.current, w.stop = signal.NotifyContext(w.parent, os.Interrupt, syscall.SIGTERM)
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
