package store

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/internal/misuse"
)

// waitedKey is the key by which a context has its count of what was waited.
type waitedKey struct{}

// Counting is a context in which drivers note with [Waited] how long they have waited
// for others, beside their work.
func Counting(ctx context.Context) (counting context.Context, waited func() time.Duration) {
	sum := new(atomic.Int64)
	return context.WithValue(misuse.OrBackground(ctx), waitedKey{}, sum), func() time.Duration { return time.Duration(sum.Load()) }
}

// Waited notes that a driver has waited for somebody else who used the store. Hooks aren't
// charged for that.
func Waited(ctx context.Context, d time.Duration) {
	if sum, ok := misuse.OrBackground(ctx).Value(waitedKey{}).(*atomic.Int64); ok {
		sum.Add(int64(d))
	}
}

// Pause waits before a driver asks again for what others have, and notes that with
// [Waited]. The error is that of ctx, where it ends first.
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

// noteKey is the key by which a context has where notes go.
type noteKey struct{}

// Noting is a context in which drivers say with [Note] what a person should know of a store
// that works: note is called from any goroutine, and more than once with the same text.
func Noting(ctx context.Context, note func(text string)) context.Context {
	return context.WithValue(misuse.OrBackground(ctx), noteKey{}, note)
}

// Note tells whoever wants to know; see [Noting].
func Note(ctx context.Context, text string) {
	if note, _ := misuse.OrBackground(ctx).Value(noteKey{}).(func(string)); note != nil {
		note(text)
	}
}
