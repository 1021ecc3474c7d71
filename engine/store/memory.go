package store

import (
	"bytes"
	"container/heap"
	"container/list"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/internal/misuse"
)

// Memory is a store that lives as long as the process. Make one with [NewMemory].
type Memory struct {
	maxKeys int
	now     func() time.Time

	mu     sync.Mutex
	spaces map[string]*memorySpace
	quotas map[string]*memoryQuota
	used   *list.List // of *memoryValue of all spaces, the most recently used first
	ends   memoryEnds // the values with a time to live
}

type memorySpace struct {
	name   string
	values map[string]*memoryValue
	bytes  int64          // of keys and values
	quotas []*memoryQuota // that it counts towards
}

// memoryQuota is the total of the spaces of a quota.
type memoryQuota struct {
	name  string
	keys  int
	bytes int64
}

type memoryValue struct {
	space   *memorySpace
	key     string
	value   []byte // the store's own
	expires time.Time
	end     int // its index in ends; -1: it has no time to live
	used    *list.Element
}

// NewMemory makes a store in memory for at most maxKeys keys over all spaces; 0 is any number. Beyond that the
// least recently used ones are forgotten. Use a Memory of its own for values that must not be forgotten because
// of others.
func NewMemory(maxKeys int) *Memory { return NewMemoryAt(maxKeys, time.Now) }

// NewMemoryAt is NewMemory by another clock, which several goroutines may ask.
func NewMemoryAt(maxKeys int, now func() time.Time) *Memory {
	return &Memory{maxKeys: maxKeys, now: now, spaces: map[string]*memorySpace{}, quotas: map[string]*memoryQuota{}, used: list.New()}
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, s Space, key string) ([]byte, error) {
	if err := check(ctx, key, Keep); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tidied()
	v := m.find(s, key)
	return bytes.Clone(v.bytes()), nil
}

// Set implements [Store].
func (m *Memory) Set(ctx context.Context, s Space, key string, value []byte, ttl time.Duration) error {
	if err := check(ctx, key, ttl); err != nil {
		return err
	}
	value = present(value)
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.tidied()
	return m.put(now, s, key, m.find(s, key), value, ttl)
}

// Incr implements [Store].
func (m *Memory) Incr(ctx context.Context, s Space, key string, by float64, ttl time.Duration) (float64, error) {
	if err := check(ctx, key, ttl); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.tidied()
	v := m.find(s, key)
	value, sum, err := Add(v.bytes(), by)
	if err == nil {
		err = m.put(now, s, key, v, value, ttl)
	}
	if err != nil {
		return 0, err
	}
	return sum, nil
}

// Update implements [Store].
func (m *Memory) Update(ctx context.Context, s Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	if err := check(ctx, key, ttl); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.tidied()
	v := m.find(s, key)
	value, err := change(bytes.Clone(v.bytes()))
	switch {
	case err != nil:
		return err
	case value == nil:
		m.remove(v)
		return nil
	}
	return m.put(now, s, key, v, present(value), ttl)
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, s Space, key string) error {
	if err := check(ctx, key, Keep); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tidied()
	m.remove(m.find(s, key))
	return nil
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, s Space, prefix string) ([]string, error) {
	if ctx == nil {
		return nil, misuse.ErrNoContext
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tidied()
	keys := []string{}
	if space := m.spaces[s.Name]; space != nil {
		for key := range space.values {
			if strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// Close implements [Store]; there is nothing to close.
func (m *Memory) Close() error { return nil }

func check(ctx context.Context, key string, ttl time.Duration) error {
	if ctx == nil {
		return misuse.ErrNoContext
	}
	if err := Check(key, ttl); err != nil {
		return err
	}
	return ctx.Err()
}

// present returns a copy of a value that exists, though it may be empty.
func present(value []byte) []byte {
	return append([]byte{}, value...)
}

// bytes returns the value, nil if there is none.
func (v *memoryValue) bytes() []byte {
	if v == nil {
		return nil
	}
	return v.value
}

// tidied forgets expired values, and returns the time.
func (m *Memory) tidied() time.Time {
	now := m.now()
	for len(m.ends) > 0 && !now.Before(m.ends[0].expires) {
		m.remove(m.ends[0])
	}
	return now
}

// find returns the value of a key, nil if there is none, and marks it as used.
func (m *Memory) find(s Space, key string) *memoryValue {
	space := m.spaces[s.Name]
	if space == nil {
		return nil
	}
	v := space.values[key]
	if v != nil {
		m.used.MoveToFront(v.used)
	}
	return v
}

// put sets the value of a key; v is what it has now. The store keeps value.
func (m *Memory) put(now time.Time, s Space, key string, v *memoryValue, value []byte, ttl time.Duration) error {
	space := m.spaces[s.Name]
	if space == nil {
		space = &memorySpace{name: s.Name, values: map[string]*memoryValue{}}
	}
	keys, bytes := 1, int64(len(key)+len(value))
	if v != nil {
		keys, bytes = 0, int64(len(value)-len(v.value))
	}
	if err := m.fits(s, space, keys, bytes); err != nil {
		return err
	}
	if v == nil && m.maxKeys > 0 && m.used.Len() >= m.maxKeys {
		m.remove(m.used.Back().Value.(*memoryValue))
	}
	m.belongs(space, s.Within)
	if v == nil {
		v = &memoryValue{space: space, key: key, end: -1}
		v.used = m.used.PushFront(v)
		space.values[key] = v
		m.spaces[s.Name] = space // the forgotten value may have been its last
		if ttl == Keep {
			ttl = s.TTL
		}
	}
	v.value = value
	m.count(space, keys, bytes)
	m.lives(v, now, ttl)
	return nil
}

// fits checks a space's additional keys and bytes against its quotas.
func (m *Memory) fits(s Space, space *memorySpace, keys int, bytes int64) error {
	if keys == 0 && bytes <= 0 {
		return nil
	}
	if err := s.Fits(len(space.values)+keys, space.bytes+bytes); err != nil {
		return err
	}
	for _, q := range s.Within {
		had := memoryQuota{}
		if all := m.quotas[q.Name]; all != nil {
			had = *all
		}
		// it comes with everything in it
		if !slices.ContainsFunc(space.quotas, func(other *memoryQuota) bool { return other.name == q.Name }) {
			had.keys += len(space.values)
			had.bytes += space.bytes
		}
		if err := q.Fits(had.keys+keys, had.bytes+bytes); err != nil {
			return err
		}
	}
	return nil
}

// belongs makes a space count towards these quotas.
func (m *Memory) belongs(space *memorySpace, within []Quota) {
	if slices.EqualFunc(space.quotas, within, func(has *memoryQuota, q Quota) bool { return has.name == q.Name }) {
		return
	}
	keys, bytes := len(space.values), space.bytes
	m.count(space, -keys, -bytes)
	space.quotas = nil
	for _, q := range within {
		all := m.quotas[q.Name]
		if all == nil {
			all = &memoryQuota{name: q.Name}
			m.quotas[q.Name] = all
		}
		space.quotas = append(space.quotas, all)
	}
	m.count(space, keys, bytes)
}

// count adds to the numbers of a space and of its quotas.
func (m *Memory) count(space *memorySpace, keys int, bytes int64) {
	space.bytes += bytes
	for _, q := range space.quotas {
		q.keys += keys
		q.bytes += bytes
		if q.keys > 0 {
			m.quotas[q.name] = q
		} else {
			delete(m.quotas, q.name)
		}
	}
}

// lives sets a value's time to live.
func (m *Memory) lives(v *memoryValue, now time.Time, ttl time.Duration) {
	switch {
	case ttl > 0:
		v.expires = now.Add(ttl)
		if v.end < 0 {
			heap.Push(&m.ends, v)
		} else {
			heap.Fix(&m.ends, v.end)
		}
	case ttl == Forever && v.end >= 0:
		heap.Remove(&m.ends, v.end)
	}
}

func (m *Memory) remove(v *memoryValue) {
	if v == nil {
		return
	}
	if v.end >= 0 {
		heap.Remove(&m.ends, v.end)
	}
	m.used.Remove(v.used)
	delete(v.space.values, v.key)
	m.count(v.space, -1, -int64(len(v.key)+len(v.value)))
	if len(v.space.values) == 0 {
		delete(m.spaces, v.space.name)
	}
}

// memoryEnds is a heap of values, by expiry.
type memoryEnds []*memoryValue

func (e memoryEnds) Len() int           { return len(e) }
func (e memoryEnds) Less(i, j int) bool { return e[i].expires.Before(e[j].expires) }

func (e memoryEnds) Swap(i, j int) {
	e[i], e[j] = e[j], e[i]
	e[i].end, e[j].end = i, j
}

func (e *memoryEnds) Push(x any) {
	v := x.(*memoryValue)
	v.end = len(*e)
	*e = append(*e, v)
}

func (e *memoryEnds) Pop() any {
	last := len(*e) - 1
	v := (*e)[last]
	(*e)[last] = nil
	*e = (*e)[:last]
	v.end = -1
	return v
}

var _ Store = (*Memory)(nil)
