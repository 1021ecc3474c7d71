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

// NewEngine is an engine with a script of hooks ("": none) and without built-ins, for a test that
// it is closed with.
func NewEngine(t testing.TB, script string, o ...engine.Option) *engine.Engine {
	t.Helper()
	if o = append(o, engine.WithoutBuiltins()); script != "" {
		o = append(o, engine.WithScript("policy.lua", script))
	}
	e, err := engine.New(o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	return e
}

// Record keeps the events of an engine from now on, those of the names or all, before any other
// hook of the embedder's scope can end them. Those of the judging round are left out. The events
// are shared: don't change them.
func Record(t testing.TB, e *engine.Engine, names ...hooks.Event) *Events {
	t.Helper()
	if len(names) == 0 {
		for _, info := range hooks.Events() {
			names = append(names, info.Name)
		}
	}
	r := &Events{}
	for _, name := range names {
		_, err := e.RegisterHook(name, hooks.Options{Name: "recorder", Priority: 1000}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
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

// Names are the names of all events so far, with a blank between them.
func (r *Events) Names() string {
	var names []string
	for _, c := range r.All() {
		names = append(names, string(c.Event))
	}
	return strings.Join(names, " ")
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
