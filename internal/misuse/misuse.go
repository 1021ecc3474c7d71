// Package misuse has the errors of calls that can't be meant: with a nil context, or of what
// was not made by its constructor. They are errors, and no panics, as a host that judges its
// tools by hooks must not go down with them.
package misuse

import (
	"context"
	"errors"
	"fmt"
)

// ErrNoContext is the error of a call with a nil context.
var ErrNoContext = errors.New("luahook: the context is nil; pass context.Background() where there is no other")

// ErrNotMade is the error of a call of what its constructor has not made.
var ErrNotMade = errors.New("luahook: this is a zero value or nil")

// Check says why a call can't be meant, nil where it can. by is what would have made it.
func Check(ctx context.Context, made bool, by string) error {
	if !made {
		return NotMade(by)
	}
	if ctx == nil {
		return ErrNoContext
	}
	return nil
}

// NotMade is [ErrNotMade] with what would have made it.
func NotMade(by string) error { return fmt.Errorf("%w; make it with %s", ErrNotMade, by) }

// OrBackground is a context that isn't nil.
func OrBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
