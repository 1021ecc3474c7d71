package adaptertest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Events are the events that an engine has fired, in order. Its methods may be called from
// several goroutines at once.
type Events struct {
	mu   sync.Mutex
	list []*hooks.Context
}

// Record keeps the events of an engine from now on, before any other hook of the embedder's
// scope can end them. Those of the judging round are left out. The events are shared: don't
// change them.
func Record(t testing.TB, e *engine.Engine) *Events {
	t.Helper()
	r := &Events{}
	for _, info := range hooks.Events() {
		_, err := e.RegisterHook(info.Name, hooks.Options{Name: "recorder", Priority: 1000}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			if !c.Judging {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.list = append(r.list, c)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// All are all events so far.
func (r *Events) All() []*hooks.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// Of are those of one name.
func (r *Events) Of(name hooks.Event) []*hooks.Context {
	return slices.DeleteFunc(r.All(), func(c *hooks.Context) bool { return c.Event != name })
}

// About are those of one name about calls of a tool, by the name that it ends in:
// mcp__server__tool is about tool.
func (r *Events) About(name hooks.Event, tool string) []*hooks.Context {
	return slices.DeleteFunc(r.Of(name), func(c *hooks.Context) bool {
		return c.ToolCall == nil || c.ToolCall.HostName != tool && !strings.HasSuffix(c.ToolCall.Name, "__"+tool)
	})
}
