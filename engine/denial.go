package engine

import (
	"cmp"

	"github.com/luahook/luahook/hooks"
)

// DeniedError is why something must not happen, as [Denial] says it.
type DeniedError struct {
	Event  hooks.Event
	Reason string        // for the model or the user
	Halt   bool          // a hook ends the whole turn
	Result *hooks.Result // of the event. Shared, don't change it
	Err    error         // why the event couldn't be judged; nil: it was
}

// Error is "EVENT was denied: REASON".
func (e *DeniedError) Error() string {
	return string(e.Event) + " was denied: " + cmp.Or(e.Reason, "a hook gave no reason")
}

// Unwrap returns why the event couldn't be judged.
func (e *DeniedError) Unwrap() error { return e.Err }

// Denial takes what [Engine.Fire] returns and gives a [*DeniedError] where the event must not
// happen: a hook denies or halts, one asks, for which there is nobody here, or the event can't
// be judged and can be blocked. It gives nil where the event goes on.
func Denial(r *hooks.Result, err error) error {
	switch {
	case r == nil:
		return err
	case r.Block, r.Halt:
		return &DeniedError{Event: r.Summary().Event, Reason: cmp.Or(r.Reason, r.StopReason), Halt: r.Halt, Result: r, Err: err}
	case r.Decision == hooks.Ask:
		return &DeniedError{Event: r.Summary().Event, Reason: unanswered(r.Reason, errNobodyToAsk), Result: r, Err: err}
	}
	return nil
}
