package anthropichook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// recorded are the events that an engine has had.
type recorded struct {
	mu     sync.Mutex
	events []*hooks.Context
}

// newQuietEngine is an engine with a script, and no other hooks.
func newQuietEngine(t *testing.T, script string) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("policy.lua", script))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// newEngine is an engine with a script, and what it has had.
func newEngine(t *testing.T, script string) (*engine.Engine, *recorded) {
	t.Helper()
	e := newQuietEngine(t, script)
	r := &recorded{}
	for _, info := range hooks.Events() {
		_, err := e.RegisterHook(info.Name, hooks.Options{Name: "recorder", Priority: 1000}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			if !c.Judging {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.events = append(r.events, c)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return e, r
}

func (r *recorded) of(name hooks.Event) (list []*hooks.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.events {
		if c.Event == name {
			list = append(list, c)
		}
	}
	return list
}

// names are the names of all events, in order.
func (r *recorded) names() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, c := range r.events {
		names = append(names, string(c.Event))
	}
	return strings.Join(names, " ")
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func has(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in it, got %q", what, part, text)
		}
	}
}

func serve(t *testing.T, answer func(r request) reply) *played {
	p := newPlayed(answer)
	t.Cleanup(p.server.Close)
	return p
}

// run runs an agent with tools against the played model.
func run(t *testing.T, e *engine.Engine, p *played, tools []anthropic.BetaTool, o ...anthropichook.Option) (string, error) {
	m, err := anthropichook.Run(t.Context(), e, &p.client().Beta.Messages, tools, params("please"), o...)
	return finalText(m), err
}

func echo(name string) anthropic.BetaTool {
	return newTool(name, func(_ context.Context, input map[string]any) (string, error) {
		return fmt.Sprint("said ", input["text"]), nil
	})
}

// warnings takes what hooks say to people.
type warnings struct {
	mu   sync.Mutex
	text string
}

func (w *warnings) option() anthropichook.Option {
	return anthropichook.WithMessages(func(_ context.Context, m anthropichook.Message) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.text += m.Text + "\n"
	})
}
