package store

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/internal/misuse"
)

// waitedKey is the context key for the time that was spent waiting.
type waitedKey struct{}

// Counting returns a context in which drivers note, with [Waited], how long they have waited for other users of
// the store.
func Counting(ctx context.Context) (counting context.Context, waited func() time.Duration) {
	sum := new(atomic.Int64)
	return context.WithValue(misuse.OrBackground(ctx), waitedKey{}, sum), func() time.Duration { return time.Duration(sum.Load()) }
}

// Waited notes that a driver has waited for another user of the store. Hooks aren't charged for that time.
func Waited(ctx context.Context, d time.Duration) {
	if sum, ok := misuse.OrBackground(ctx).Value(waitedKey{}).(*atomic.Int64); ok {
		sum.Add(int64(d))
	}
}

// Pause waits before a driver asks again for something that others hold, and notes the time with [Waited]. If
// ctx ends first, its error is returned.
func Pause(ctx context.Context, d time.Duration) error {
	if ctx == nil {
		return misuse.ErrNoContext
	}
	began := time.Now()
	defer func() { Waited(ctx, time.Since(began)) }()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// noteKey is the context key for the receiver of notes.
type noteKey struct{}

// Noting returns a context in which drivers report, with [Note], what a person should know about a store that
// works. note is called from any goroutine, and more than once with the same text.
func Noting(ctx context.Context, note func(text string)) context.Context {
	return context.WithValue(misuse.OrBackground(ctx), noteKey{}, note)
}

// Note passes text to the receiver that [Noting] has set, if any.
func Note(ctx context.Context, text string) {
	if note, _ := misuse.OrBackground(ctx).Value(noteKey{}).(func(string)); note != nil {
		note(text)
	}
}
