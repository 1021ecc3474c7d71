package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var errInterrupted = errors.New("interrupted before the hooks were done")

// ending are the signals by which somebody ends the command.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// signals is a context that ends at the first signal by which somebody ends the command.
// While the command is idle such a signal ends the process.
type signals struct {
	context.Context
	cancel context.CancelCauseFunc
	caught chan os.Signal

	mu   sync.Mutex
	idle bool
	got  os.Signal // nil: none yet
}

// catchSignals catches signals until stop is called.
func catchSignals(ctx context.Context) *signals {
	s := &signals{caught: make(chan os.Signal, 1)}
	s.Context, s.cancel = context.WithCancelCause(ctx)
	signal.Notify(s.caught, ending...)
	go s.wait()
	return s
}

func (s *signals) wait() {
	select {
	case got := <-s.caught:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = got
		s.cancel(errInterrupted)
		s.leave()
	case <-s.Done():
	}
}

// setIdle says whether nothing is judged from now on. A signal that has come before ends
// an idle command, too.
func (s *signals) setIdle(idle bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = idle
	s.leave()
}

func (s *signals) leave() {
	if got, ok := s.got.(syscall.Signal); ok && s.idle {
		os.Exit(128 + int(got))
	}
}

// err is errInterrupted after a signal, the error of a parent that has ended, or nil.
func (s *signals) err() error { return context.Cause(s) }

// status is the exit status of a command that a signal has ended.
func (s *signals) status() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.got.(syscall.Signal); ok {
		return 128 + int(got)
	}
	return exitError
}

// stop gives signals back their usual meaning, and ends what waits.
func (s *signals) stop() {
	signal.Stop(s.caught)
	s.cancel(context.Canceled)
}
