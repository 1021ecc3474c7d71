// Package misuse has the errors of calls that are programming mistakes: with a nil context, or on a value that
// its constructor didn't make. They are errors, not panics, because a host that has its tools judged by hooks
// must not crash with them.
package misuse

import (
	"context"
	"errors"
)

// ErrNoContext is the error of a call with a nil context.
var ErrNoContext = errors.New("luahook: the context is nil; pass context.Background() where there is no other")

// ErrNotMade is the error of a call on a value that its constructor didn't make.
var ErrNotMade = errors.New("luahook: this is a zero value or nil")

// Check returns the error of such a call, or nil. by is the constructor.
func Check(ctx context.Context, made bool, by string) error {
	if !made {
		return NotMade(by)
	}
	if ctx == nil {
		return ErrNoContext
	}
	return nil
}

// NotMade returns [ErrNotMade] with the constructor's name.
func NotMade(by string) error { return notMade(by) }

type notMade string

func (by notMade) Error() string { return ErrNotMade.Error() + "; make it with " + string(by) }
func (notMade) Unwrap() error    { return ErrNotMade }

// OrBackground returns ctx, or the background context if it is nil.
func OrBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
