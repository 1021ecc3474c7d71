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
	"github.com/luahook/luahook/engine/adaptertest"
)

// newEngine is an engine with a script, and what it has had.
func newEngine(t *testing.T, script string) (*engine.Engine, *adaptertest.Events) {
	t.Helper()
	e := adaptertest.NewEngine(t, script)
	return e, adaptertest.Record(t, e)
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
