package store

import (
	"bytes"
	"context"
	"sort"
	"strings"
	"sync"
	"time"
)

// Memory is a store for as long as the process lives. Of more than maxKeys keys over all
// spaces, those that have not been used for longest are forgotten. Make one with
// [NewMemory].
type Memory struct {
	maxKeys int
	now     func() time.Time

	mu     sync.Mutex
	spaces map[string]*memorySpace
	keys   int // over all spaces
	clock  uint64
}

type memorySpace struct {
	values map[string]*memoryValue
	bytes  int64
}

type memoryValue struct {
	value   []byte
	expires time.Time // zero: never
	used    uint64    // when, by the store's clock
}

// NewMemory makes a store in memory for so many keys.
func NewMemory(maxKeys int) *Memory {
	return &Memory{maxKeys: maxKeys, now: time.Now, spaces: map[string]*memorySpace{}}
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, s Space, key string) (value []byte, err error) {
	err = m.update(ctx, s, key, Keep, func(old []byte) ([]byte, error) {
		value = bytes.Clone(old)
		return old, nil
	})
	return value, err
}

// Set implements [Store].
func (m *Memory) Set(ctx context.Context, s Space, key string, value []byte, ttl time.Duration) error {
	return m.update(ctx, s, key, ttl, func([]byte) ([]byte, error) { return present(value), nil })
}

// Incr implements [Store].
func (m *Memory) Incr(ctx context.Context, s Space, key string, by float64) (sum float64, err error) {
	err = m.update(ctx, s, key, Keep, func(old []byte) (value []byte, err error) {
		value, sum, err = Add(old, by)
		return value, err
	})
	return sum, err
}

// Update implements [Store].
func (m *Memory) Update(ctx context.Context, s Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	return m.update(ctx, s, key, ttl, func(old []byte) ([]byte, error) { return change(bytes.Clone(old)) })
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, s Space, key string) error {
	return m.update(ctx, s, key, Keep, func([]byte) ([]byte, error) { return nil, nil })
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, s Space, prefix string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(s.Name)
	keys := []string{}
	if space := m.spaces[s.Name]; space != nil {
		for key := range space.values {
			if strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
			}
		}
	}
	sort.Strings(keys)
	return keys, nil
}

// Close implements [Store]; there is nothing to close.
func (m *Memory) Close() error { return nil }

// present is a value that is there, though it may be empty.
func present(value []byte) []byte {
	return append([]byte{}, value...)
}

func (m *Memory) update(ctx context.Context, s Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	if err := Check(key, ttl); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	space := m.spaces[s.Name]
	if space == nil {
		space = &memorySpace{values: map[string]*memoryValue{}}
	}
	now := m.now()
	was := space.values[key]
	if was != nil && was.over(now) {
		m.remove(s.Name, key)
		was = nil
	}
	var old []byte
	if was != nil {
		old = was.value
	}
	value, err := change(old)
	if err != nil {
		return err
	}
	if value == nil {
		m.remove(s.Name, key)
		return nil
	}
	m.clock++
	if was != nil && len(value) > len(old) || was == nil {
		if err := m.fits(s, key, value, old, was == nil); err != nil {
			return err
		}
	}
	m.put(s.Name, key, value, expiry(now, ttl, was))
	return nil
}

// expiry is when a value is over; zero: never.
func expiry(now time.Time, ttl time.Duration, was *memoryValue) time.Time {
	switch {
	case ttl == Keep && was != nil:
		return was.expires
	case ttl > 0:
		return now.Add(ttl)
	}
	return time.Time{}
}

func (v *memoryValue) over(now time.Time) bool {
	return !v.expires.IsZero() && !now.Before(v.expires)
}

// fits holds what the space would have against its quota, without what is over.
func (m *Memory) fits(s Space, key string, value, old []byte, fresh bool) error {
	held := func() (keys int, bytes int64) {
		if space := m.spaces[s.Name]; space != nil {
			keys, bytes = len(space.values), space.bytes
		}
		bytes += int64(len(value) - len(old))
		if fresh {
			keys, bytes = keys+1, bytes+int64(len(key))
		}
		return keys, bytes
	}
	if s.Fits(held()) == nil {
		return nil
	}
	m.sweep(s.Name)
	return s.Fits(held())
}

func (m *Memory) put(name, key string, value []byte, expires time.Time) {
	space := m.spaces[name]
	if space == nil {
		space = &memorySpace{values: map[string]*memoryValue{}}
		m.spaces[name] = space
	}
	if was := space.values[key]; was != nil {
		space.bytes += int64(len(value) - len(was.value))
		*was = memoryValue{value, expires, m.clock}
		return
	}
	if m.keys >= m.maxKeys {
		m.forgetOldest()
		if m.spaces[name] == nil {
			m.spaces[name] = space
		}
	}
	space.values[key] = &memoryValue{value, expires, m.clock}
	space.bytes += int64(len(key) + len(value))
	m.keys++
}

func (m *Memory) remove(name, key string) {
	space := m.spaces[name]
	if space == nil || space.values[key] == nil {
		return
	}
	space.bytes -= int64(len(key) + len(space.values[key].value))
	delete(space.values, key)
	m.keys--
	if len(space.values) == 0 {
		delete(m.spaces, name)
	}
}

// sweep forgets the keys of a space that are over.
func (m *Memory) sweep(name string) {
	space, now := m.spaces[name], m.now()
	if space == nil {
		return
	}
	for key, v := range space.values {
		if v.over(now) {
			m.remove(name, key)
		}
	}
}

// forgetOldest forgets what is over everywhere, or else a tenth of the keys, those that
// have not been used for longest.
func (m *Memory) forgetOldest() {
	type place struct {
		space, key string
		used       uint64
	}
	var all []place
	for name := range m.spaces {
		m.sweep(name)
	}
	if m.keys < m.maxKeys {
		return
	}
	for name, space := range m.spaces {
		for key, v := range space.values {
			all = append(all, place{name, key, v.used})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].used < all[j].used })
	for _, p := range all[:max(1, len(all)/10)] {
		m.remove(p.space, p.key)
	}
}

var _ Store = (*Memory)(nil)
