package engine

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// State is where an engine keeps what must outlast an event: how often a hook has
// kept the agent from stopping, and which hooks that run once per session have run.
// An implementation must be safe for use by several goroutines, and, where it is
// shared, by several processes.
type State interface {
	// Update gives change the value of a key, nil where there is none, and keeps what
	// it returns for at least about ttl after this update; nil deletes the key. change
	// is quick, and may be called again where somebody else was faster. What a change
	// leaves as it was need not be written. Nothing is kept where the error isn't nil.
	Update(ctx context.Context, key string, ttl time.Duration, change func(old []byte) []byte) error
}

// stateTTL is how long a session may rest without losing what is kept of it.
const stateTTL = 7 * 24 * time.Hour

// memoryState is the state of one engine. Of more than maxKeys keys, those that have
// not been used for longest are forgotten.
type memoryState struct {
	maxKeys int

	mu   sync.Mutex
	keys map[string]*list.Element
	used *list.List // of *memoryValue, the latest last
}

type memoryValue struct {
	key     string
	value   []byte
	expires time.Time
}

const maxStateKeys = 10_000

func newMemoryState(maxKeys int) *memoryState {
	return &memoryState{maxKeys: maxKeys, keys: map[string]*list.Element{}, used: list.New()}
}

// Update implements [State]. It never fails.
func (m *memoryState) Update(_ context.Context, key string, ttl time.Duration, change func(old []byte) []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	element := m.keys[key]
	var old []byte
	if element != nil && now.Before(element.Value.(*memoryValue).expires) {
		old = element.Value.(*memoryValue).value
	}
	value := change(old)
	switch {
	case value == nil && element != nil:
		m.used.Remove(element)
		delete(m.keys, key)
	case value == nil:
	case element != nil:
		*element.Value.(*memoryValue) = memoryValue{key, value, now.Add(ttl)}
		m.used.MoveToBack(element)
	default:
		m.keys[key] = m.used.PushBack(&memoryValue{key, value, now.Add(ttl)})
		if m.used.Len() > m.maxKeys {
			oldest := m.used.Remove(m.used.Front()).(*memoryValue)
			delete(m.keys, oldest.key)
		}
	}
	return nil
}

// first tells whether a hook that runs once per session has not run in it yet, and
// notes that now it has. Where that can't be known, it runs.
func (f *firing) first(ctx context.Context, e *entry) bool {
	first := true
	f.update(ctx, onceKey(f.event.SessionID, e), func(old []byte) []byte {
		first = old == nil
		return []byte{1}
	})
	return first
}

// forget lets a hook that runs once per session run again in it: its run has failed.
func (f *firing) forget(ctx context.Context, e *entry) {
	if e.options.Once {
		f.update(ctx, onceKey(f.event.SessionID, e), func([]byte) []byte { return nil })
	}
}

func onceKey(session string, e *entry) string { return "once\x00" + short(session) + "\x00" + e.key }

// update is Update of the engine's state, whose failure is a warning: what the engine
// keeps for itself is no reason to block.
func (f *firing) update(ctx context.Context, key string, change func(old []byte) []byte) bool {
	if err := f.engine.options.state.Update(ctx, key, stateTTL, change); err != nil {
		text := "the engine's state can't be used, so hooks may run once too often and loops may go on: " + err.Error()
		f.result.Warnings = append(f.result.Warnings, text)
		f.engine.options.logger.Warn(text)
		return false
	}
	return true
}
