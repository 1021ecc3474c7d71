package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

// watched is a watch whose signal is a call of end; begun counts how often it was made.
func watched(t *testing.T, since time.Time) (w *lateWatch, end context.CancelFunc, begun *int) {
	t.Helper()
	signal, end := context.WithCancel(t.Context())
	begun = new(int)
	w = &lateWatch{Context: t.Context(), since: since, begin: func(context.Context) (context.Context, context.CancelFunc) {
		*begun++
		return signal, end
	}}
	t.Cleanup(w.end)
	return w, end, begun
}

func TestWatchBeginsWhenSomebodyWaits(t *testing.T) {
	w, end, begun := watched(t, time.Now().Add(time.Hour))
	if err := w.Err(); err != nil || *begun != 0 {
		t.Fatalf("nobody has waited: got %v, made %d times", err, *begun)
	}
	child, cancel := context.WithCancel(w)
	defer cancel()
	if *begun != 1 || child.Err() != nil {
		t.Fatalf("somebody waits: made %d times, %v", *begun, child.Err())
	}
	end()
	<-child.Done()
	<-w.Done()
	if *begun != 1 || !errors.Is(w.Err(), context.Canceled) {
		t.Errorf("made %d times, %v", *begun, w.Err())
	}
}

// A script that computes waits for nothing; it only asks, again and again.
func TestWatchBeginsWhenHooksTakeLong(t *testing.T) {
	w, end, begun := watched(t, time.Now().Add(-time.Hour))
	if err := w.Err(); err != nil || *begun != 1 {
		t.Fatalf("got %v, made %d times", err, *begun)
	}
	end()
	if !errors.Is(w.Err(), context.Canceled) {
		t.Errorf("got %v after the signal", w.Err())
	}
}

func TestWatchThatHasEndedBeginsNoMore(t *testing.T) {
	w, _, begun := watched(t, time.Now().Add(-time.Hour))
	w.end()
	if err := w.Err(); err != nil || w.Done() != t.Context().Done() || *begun != 0 {
		t.Errorf("got %v, made %d times", err, *begun)
	}
}

func TestWatchEndsWithItsParent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := &lateWatch{Context: ctx, since: time.Now().Add(time.Hour), begin: untilSignal}
	defer w.end()
	cancel()
	if !errors.Is(w.Err(), context.Canceled) {
		t.Errorf("got %v", w.Err())
	}
	<-w.Done()
}
