package ownprocess

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// ErrInterrupted is the cause of a context that a signal has ended.
var ErrInterrupted = errors.New("interrupted before the hooks were done")

// EndingSignals are the signals by which somebody ends the command.
var EndingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Signals is a context that ends at the first signal by which somebody ends the command.
// While the command is idle such a signal ends the process.
type Signals struct {
	context.Context
	cancel context.CancelCauseFunc
	caught chan os.Signal

	mu   sync.Mutex
	idle bool
	got  os.Signal // nil: none yet
}

// CatchSignals catches signals until Stop is called.
func CatchSignals(ctx context.Context) *Signals {
	s := &Signals{caught: make(chan os.Signal, 1)}
	s.Context, s.cancel = context.WithCancelCause(ctx)
	signal.Notify(s.caught, EndingSignals...)
	go s.wait()
	return s
}

func (s *Signals) wait() {
	select {
	case got := <-s.caught:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = got
		s.cancel(ErrInterrupted)
		s.leave()
	case <-s.Done():
	}
}

// SetIdle says whether nothing is judged from now on. A signal that has come before ends
// an idle command, too.
func (s *Signals) SetIdle(idle bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = idle
	s.leave()
}

func (s *Signals) leave() {
	if got, ok := s.got.(syscall.Signal); ok && s.idle {
		os.Exit(128 + int(got))
	}
}

// Cause is [ErrInterrupted] after a signal, the error of a parent that has ended, or nil.
func (s *Signals) Cause() error { return context.Cause(s) }

// Status is the exit status of a command that a signal has ended, otherwise where none has.
func (s *Signals) Status(otherwise int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.got.(syscall.Signal); ok {
		return 128 + int(got)
	}
	return otherwise
}

// Stop gives signals back their usual meaning, and ends what waits.
func (s *Signals) Stop() {
	signal.Stop(s.caught)
	s.cancel(context.Canceled)
}
