package shell

import (
	"context"
	"sync"
)

// The bounds of a [Cache].
const (
	maxCached     = 16        // texts
	maxCachedText = 256 << 10 // bytes of them together
)

// CacheKey is the key under which a context has a *[Cache] for [ParseContext]. The
// contexts that hooks of one event are called with have one in common.
type CacheKey struct{}

// ParseContext is [Parse], but where ctx has a [Cache] (see [CacheKey]) a line that is
// there already isn't parsed anew. The line is shared: don't change it.
func ParseContext(ctx context.Context, text string, options Options) *Line {
	if c, ok := ctx.Value(CacheKey{}).(*Cache); ok && c != nil {
		return c.Parse(text, options)
	}
	return Parse(text, options)
}

// Cache keeps lines, so that those who look at the same text parse it once. It takes
// up to 16 texts of 256 KiB together, and parses what comes after them anew each time;
// nothing is ever dropped, so it should live no longer than they have to do with one
// another. The zero value is ready, and safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	lines []cachedLine
	size  int
}

type cachedLine struct {
	text    string
	options Options
	parse   func() *Line // parses when it is called for the first time
}

// Parse is [Parse] for a line that others may ask for as well. Those who ask while it
// is being parsed wait for it. The line is shared: don't change it.
func (c *Cache) Parse(text string, options Options) *Line {
	if parse := c.find(text, options); parse != nil {
		return parse()
	}
	return Parse(text, options)
}

// find gives the line's place, a new one where there is none yet, and nil where there
// is no room for it.
func (c *Cache) find(text string, options Options) func() *Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.lines {
		if l := &c.lines[i]; l.text == text && l.options == options {
			return l.parse
		}
	}
	if len(c.lines) == maxCached || c.size+len(text) > maxCachedText || len(text) > maxText {
		return nil
	}
	parse := sync.OnceValue(func() *Line { return Parse(text, options) })
	c.lines = append(c.lines, cachedLine{text, options, parse})
	c.size += len(text)
	return parse
}
