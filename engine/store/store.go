// Package store is where values outlast an event: what hooks remember, and what the
// engine keeps for itself. This package has the contract and the store in memory; those
// in a file and in Redis are packages of their own, so that nobody pays for a driver who
// doesn't use it.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps values by space and key. An implementation is safe for use by several
// goroutines and, where it is shared, by several processes: each call is one atomic
// operation. A call returns when ctx is done, and takes no longer than about [MaxWait]
// beside its work in any case. Nothing is changed where the error isn't nil, but for an
// [*UnavailableError], after which that isn't known.
//
// Keys are any text, of 1 to [MaxKey] bytes. Values are any bytes; nil is no value, an
// empty one is. A key whose time to live is over isn't there, and counts for nothing.
type Store interface {
	// Get gives the value of a key, nil where there is none. It belongs to the caller.
	Get(ctx context.Context, s Space, key string) ([]byte, error)
	// Set gives a key its value, for ttl from now: [Forever], [Keep] or more than 0. The
	// store keeps a copy.
	Set(ctx context.Context, s Space, key string, value []byte, ttl time.Duration) error
	// Incr adds by to the number that a key holds as decimal text, 0 where there is
	// none, and gives the sum, which is kept for ttl from now; [Keep] leaves the time to
	// live as it is. The error is a [*NotNumberError] where the key holds something else,
	// or the sum is no finite number. Numbers are those of float64: whole ones are exact
	// up to 2^53.
	Incr(ctx context.Context, s Space, key string, by float64, ttl time.Duration) (float64, error)
	// Update gives change the value of a key, nil where there is none, and keeps what it
	// returns, or a copy of that, for ttl from now; nil deletes the key. [Keep] leaves the
	// time to live as it is. What change is given is its own. change is quick and calls no
	// store: others may be waiting for it. It may be called again where somebody else was
	// faster. Its error is Update's, as it is. A value that change leaves as it was need
	// not be written.
	Update(ctx context.Context, s Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error
	// Delete takes a key away; that there was none is no error.
	Delete(ctx context.Context, s Space, key string) error
	// List gives the keys of a space that begin with prefix, sorted.
	List(ctx context.Context, s Space, prefix string) ([]string, error)
	// Close frees what the store holds open. No call may follow.
	Close() error
}

// Times to live that are no durations.
const (
	Forever time.Duration = 0
	Keep    time.Duration = -1 // that of the key as it is; of a new one that of its space
)

// MaxKey is how many bytes a key may have.
const MaxKey = 1 << 10

// MaxWait is how long a call waits for others that use the store.
const MaxWait = 10 * time.Second

// Space is a set of keys apart from all others, with how much it may hold. A call that
// would go over a quota is a [*QuotaError]; one that takes away or gets smaller never is.
type Space struct {
	Name     string
	MaxKeys  int     // 0: any number
	MaxBytes int64   // of all keys and values together; 0: any number
	Within   []Quota // of what it holds together with other spaces

	TTL time.Duration // what [Keep] means for a key that isn't there yet

	// Owner is who keeps something here, "" for whoever uses the space: who has lost what
	// was kept is told so once, with an [*UnavailableError].
	Owner string
}

// NotNumberError is the error of Incr on what is no number.
type NotNumberError struct{ Why string } // "it holds \"abc\""

func (e *NotNumberError) Error() string { return "no number: " + e.Why }

// UnavailableError is the error of a store that can't be reached, or not in time. Whether
// the call has changed anything isn't known.
type UnavailableError struct {
	Message string // what was tried and what to do
	Err     error
	Lost    bool // what was kept is gone, and an empty store has taken its place
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
var errTTL = errors.New("a time to live is more than nothing")

// Check tells whether a key and a time to live can be used. Drivers call it first.
func Check(key string, ttl time.Duration) error {
	switch {
	case key == "" || len(key) > MaxKey:
		return ErrKey
	case ttl < Keep:
		return errTTL
	}
	return nil
}
