// Package redis is a store in Redis, for teams whose agents run on many machines. It uses
// github.com/redis/go-redis/v9.
package redis

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/internal/misuse"
)

// Store is a store in Redis, 6.2 or later. It implements [store.Store]; make one with [Open].
//
// Each change is one step of the server, which also expires the keys. Nothing is sent twice: a lost connection
// is a [*store.UnavailableError], whether or not the change was made, and the next call connects again. A call
// takes 2 seconds at most to connect, and 2 for each answer. A call whose context is done returns at once, but
// what it has sent may still take effect.
//
// In a cluster each space lies on one node, and spaces are spread over the nodes. All those that count towards quotas
// lie on one, so that the quotas are exact. While a cluster has lost a node, calls for its spaces fail.
//
// All keys begin with "luahook:". A server whose maxmemory policy evicts keys forgets any of them; give luahook
// one without.
type Store struct {
	client  redis.UniversalClient
	where   string
	cluster bool
}

// Get implements [store.Store].
func (s *Store) Get(ctx context.Context, sp store.Space, key string) ([]byte, error) {
	if err := store.Check(key, store.Keep); err != nil {
		return nil, err
	}
	return called(ctx, s, func(ctx context.Context) ([]byte, error) {
		value, err := s.ask(ctx, "get", s.valueKey(sp, key)).Text()
		switch {
		case errors.Is(err, redis.Nil):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return []byte(value), nil
	})
}

// Values returns the values of several keys of a space in one question, nil for those that there aren't. They need not
// be of one moment.
func (s *Store) Values(ctx context.Context, sp store.Space, keys []string) ([][]byte, error) {
	if len(keys) == 0 {
		return nil, misuse.Check(ctx, s != nil && s.client != nil, "redis.Open")
	}
	words := append(make([]any, 0, 1+len(keys)), "mget")
	for _, key := range keys {
		if err := store.Check(key, store.Keep); err != nil {
			return nil, err
		}
		words = append(words, s.valueKey(sp, key))
	}
	return called(ctx, s, func(ctx context.Context) ([][]byte, error) {
		found, err := s.ask(ctx, words...).Slice()
		if err == nil && len(found) != len(keys) {
			err = errAnswer
		}
		values := make([][]byte, len(found))
		for i, v := range found {
			if text, ok := v.(string); ok {
				values[i] = []byte(text)
			}
		}
		return values, err
	})
}

// Set implements [store.Store].
func (s *Store) Set(ctx context.Context, sp store.Space, key string, value []byte, ttl time.Duration) error {
	if err := store.Check(key, ttl); err != nil {
		return err
	}
	_, err := s.run(ctx, setScript, sp, key, ttl, orEmpty(value))
	return err
}

// Incr implements [store.Store].
func (s *Store) Incr(ctx context.Context, sp store.Space, key string, by float64, ttl time.Duration) (float64, error) {
	if err := store.Check(key, ttl); err != nil {
		return 0, err
	}
	if math.IsNaN(by) || math.IsInf(by, 0) {
		return 0, store.ErrNotFinite
	}
	said, err := s.run(ctx, incrScript, sp, key, ttl, strconv.FormatFloat(by, 'g', -1, 64))
	if err != nil {
		return 0, err
	}
	sum, err := strconv.ParseFloat(said.text(), 64)
	if err != nil {
		return 0, s.unavailable(err)
	}
	return sum, nil
}

// Delete implements [store.Store].
func (s *Store) Delete(ctx context.Context, sp store.Space, key string) error {
	if err := store.Check(key, store.Keep); err != nil {
		return err
	}
	_, err := s.run(ctx, deleteScript, sp, key, store.Keep)
	return err
}

// How long Update waits for others who were faster: a little at first, longer each time, and at random
// intervals.
const (
	firstPause = time.Millisecond
	mostPause  = 50 * time.Millisecond
)

// Update implements [store.Store]. It holds no lock during change: if another user has changed the key
// meanwhile, change is called again with the new value.
func (s *Store) Update(ctx context.Context, sp store.Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	if err := store.Check(key, ttl); err != nil {
		return err
	}
	end := time.Now().Add(store.MaxWait)
	old, err := s.Get(ctx, sp, key)
	if err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		value, err := change(bytes.Clone(old))
		switch {
		case err != nil:
			return err
		case value == nil && old == nil, value != nil && old != nil && ttl == store.Keep && bytes.Equal(value, old):
			return nil
		}
		said, err := s.run(ctx, casScript, sp, key, ttl, there(old), orEmpty(old), there(value), orEmpty(value))
		if err != nil || said.code() != codeChanged {
			return err
		}
		old = said.bytes()
		if err := s.pause(ctx, end, rand.N(pause)); err != nil {
			return err
		}
	}
}

func (s *Store) pause(ctx context.Context, end time.Time, d time.Duration) error {
	if time.Now().After(end) {
		return s.unavailable(errors.New("others change this key all the time"))
	}
	return store.Pause(ctx, d)
}

// List implements [store.Store].
func (s *Store) List(ctx context.Context, sp store.Space, prefix string) ([]string, error) {
	said, err := s.run(ctx, listScript, sp, prefix, store.Keep)
	if err != nil {
		return nil, err
	}
	keys := []string{}
	for _, key := range said.list() {
		text, ok := key.(string)
		if !ok {
			return nil, s.unavailable(errAnswer)
		}
		keys = append(keys, text)
	}
	slices.Sort(keys)
	return keys, nil
}

// Close implements [store.Store].
func (s *Store) Close() error {
	if s == nil || s.client == nil {
		return misuse.NotMade("redis.Open")
	}
	return s.client.Close()
}

// valueKey returns the key of a value in Redis; baseKey returns the common prefix of a space's keys.
func (s *Store) valueKey(sp store.Space, key string) string { return s.baseKey(sp) + ":k:" + key }

func (s *Store) baseKey(sp store.Space) string {
	if s.inCluster() && len(sp.Within) > 0 {
		return "luahook:{q}/" + url.QueryEscape(sp.Name)
	}
	return "luahook:{/" + url.QueryEscape(sp.Name) + "}"
}

func (s *Store) inCluster() bool { return s != nil && s.cluster }

// quotaKey returns the common prefix of a quota's keys.
func (s *Store) quotaKey(q store.Quota) string {
	if s.inCluster() {
		return "luahook:{q}q/" + url.QueryEscape(q.Name)
	}
	return "luahook:{q/" + url.QueryEscape(q.Name) + "}"
}

// there distinguishes no value from an empty one, for a script.
func there(value []byte) string {
	if value == nil {
		return "0"
	}
	return "1"
}

// orEmpty returns a value as an argument.
func orEmpty(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

var _ store.Store = (*Store)(nil)
