// Package store keeps values between events: those that hooks remember, and the engine's own. This package has
// the contract and the store in memory. The stores in a file and in Redis are packages of their own, so that a
// program links only the drivers that it uses.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps values by space and key. An implementation is safe for use by several goroutines and, if it is
// shared, by several processes: each call is one atomic operation. A call returns when ctx is done, and in any
// case takes no longer than about [MaxWait] plus its own work. If there is an error, nothing has changed, except
// with an [*UnavailableError], after which that isn't known.
//
// Keys are any text of 1 to [MaxKey] bytes. Values are any bytes; nil is no value, an empty one is. An expired
// key counts as absent, in quotas too.
type Store interface {
	// Get returns the value of a key, nil if there is none. The value belongs to the caller.
	Get(ctx context.Context, s Space, key string) ([]byte, error)
	// Set sets the value of a key, for ttl from now: [Forever], [Keep] or more than 0. The store keeps a copy.
	Set(ctx context.Context, s Space, key string, value []byte, ttl time.Duration) error
	// Incr adds by to the number that a key holds as decimal text, 0 if there is none, and returns the sum,
	// which is kept for ttl from now; [Keep] leaves the time to live as it is. The error is a [*NotNumberError]
	// if the key holds something else, or if the sum isn't a finite number. Numbers are float64: whole ones are
	// exact up to 2^53.
	Incr(ctx context.Context, s Space, key string, by float64, ttl time.Duration) (float64, error)
	// Update calls change with the value of a key, nil if there is none, and keeps the result, or a copy of it,
	// for ttl from now; nil deletes the key. [Keep] leaves the time to live as it is. change owns its argument.
	// It must be quick and call no store, since others may be waiting for it. It may be called again if another
	// user was faster. Update returns its error unchanged. A value that change leaves as it was need not be
	// written.
	Update(ctx context.Context, s Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error
	// Delete deletes a key; it is no error if there was none.
	Delete(ctx context.Context, s Space, key string) error
	// List returns the keys of a space that begin with prefix, sorted.
	List(ctx context.Context, s Space, prefix string) ([]string, error)
	// Close frees what the store holds open. No call may follow.
	Close() error
}

// Special times to live.
const (
	Forever time.Duration = 0
	Keep    time.Duration = -1 // the key's current one; for a new key that of its space
)

// MaxKey is the most bytes that a key may have.
const MaxKey = 1 << 10

// MaxWait is how long a call waits for other users of the store.
const MaxWait = 10 * time.Second

// Space is a separate set of keys, with a bound on its size. A call that would exceed a quota returns a
// [*QuotaError]; one that deletes or makes smaller never does.
type Space struct {
	Name     string
	MaxKeys  int     // 0: any number
	MaxBytes int64   // of all keys and values together; 0: any number
	Within   []Quota // quotas that it shares with other spaces; one that has none never gets any, and the other way round

	TTL time.Duration // what [Keep] means for a new key

	// Owner is who keeps values here; "" is every user of the space. An owner who has lost values learns so
	// once, by an [*UnavailableError].
	Owner string
}

// NotNumberError is the error of Incr if the value isn't a number.
type NotNumberError struct{ Why string } // "it holds \"abc\""

func (e *NotNumberError) Error() string { return "no number: " + e.Why }

// UnavailableError is the error of a store that can't be reached, or not in time. It isn't known whether the
// call has changed anything.
type UnavailableError struct {
	Message string // what was tried and what to do
	Err     error
	Lost    bool // the values are lost, and an empty store has replaced the old one
}

func (e *UnavailableError) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// ErrKey is the error of a key that is empty or too long.
var ErrKey = fmt.Errorf("a key has 1 to %d bytes", MaxKey)

// errTTL is the error of a time to live that makes no sense.
var errTTL = errors.New("a time to live is more than 0")

// Check checks a key and a time to live. Drivers call it first.
func Check(key string, ttl time.Duration) error {
	switch {
	case key == "" || len(key) > MaxKey:
		return ErrKey
	case ttl < Keep:
		return errTTL
	}
	return nil
}
