package lib

import (
	"container/list"
	"sync"
)

// cache keeps the values that were used last, by their text: at most maxEntries of
// them, and at most maxSize by the sum of their sizes. It is safe for concurrent
// use; what it keeps must be immutable.
type cache[V any] struct {
	maxEntries, maxSize int

	mu      sync.Mutex
	entries map[string]*list.Element
	order   *list.List // of *entry[V], the latest first
	size    int
}

type entry[V any] struct {
	text  string
	value V
	size  int
}

func newCache[V any](maxEntries, maxSize int) *cache[V] {
	return &cache[V]{maxEntries: maxEntries, maxSize: maxSize, entries: map[string]*list.Element{}, order: list.New()}
}

func (c *cache[V]) get(text string) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[text]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[V]).value, true
}

// put adds a value and drops those that were not used for longest. Of two that are
// put for the same text the first stays.
func (c *cache[V]) put(text string, v V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[text]; ok || size > c.maxSize {
		return
	}
	c.entries[text] = c.order.PushFront(&entry[V]{text, v, size})
	c.size += size
	for len(c.entries) > c.maxEntries || c.size > c.maxSize {
		last := c.order.Remove(c.order.Back()).(*entry[V])
		delete(c.entries, last.text)
		c.size -= last.size
	}
}
