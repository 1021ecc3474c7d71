package engine

import (
	"context"
	"sync/atomic"

	"github.com/luahook/luahook/shell"
)

// eventContext is the context of everything that is called for one event: what its
// hooks parse is parsed once. The cache is made by the first of them that asks. An async
// hook has one of its own: what it parses should not stay while others wait their turn.
type eventContext struct {
	context.Context
	lines atomic.Pointer[shell.Cache]
	home  func() string // the user's home folder
}

// Value answers for the cache, and asks the caller's context for everything else.
func (c *eventContext) Value(key any) any {
	if key == (shell.CacheKey{}) {
		return c.cache()
	}
	return c.Context.Value(key)
}

func (c *eventContext) cache() *shell.Cache {
	if lines := c.lines.Load(); lines != nil {
		return lines
	}
	c.lines.CompareAndSwap(nil, new(shell.Cache))
	return c.lines.Load()
}

// FilesOf tells the event's tool call which files a shell text names.
func (c *eventContext) FilesOf(text, dir string) []string {
	return c.cache().Parse(text, shell.Options{Cwd: dir, Home: c.home()}).Files()
}
