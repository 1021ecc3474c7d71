package engine

import (
	"context"
	"errors"
)

// Spiller keeps texts that are too long for a model where it can read them: behind the
// spill function of scripts. An implementation must be safe for use by several goroutines,
// and should return soon, at the latest when ctx is done. Package engine/spill has the one
// of the luahook command.
type Spiller interface {
	// Spill writes a text to a file that only the user can read, and gives its absolute
	// path. session is the event's, which may be "", and name a hint for the file's name:
	// any text. The error is what the script is told: one line, without secrets.
	Spill(ctx context.Context, session, name, text string) (path string, err error)
}

// WithSpill gives the spill function of scripts its place. A script needs the capability
// fs.write for it; built-ins don't. Default: none, and each call says so.
func WithSpill(s Spiller) Option {
	return func(o *options) error {
		if s == nil {
			return errors.New("WithSpill: there is none (nil)")
		}
		o.spill = s
		return nil
	}
}
