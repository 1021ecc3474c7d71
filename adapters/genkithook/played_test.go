package genkithook_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/luahook/luahook/engine"
)

// played is a model that answers by a script, and keeps what it was asked.
type played struct {
	mu       sync.Mutex
	turns    []*ai.Message // its answers, one after the other
	fails    error
	usage    *ai.GenerationUsage
	requests []*ai.ModelRequest
	answers  map[string]string // what it was given for each tool call, by ref
}

// define registers the model with a Genkit under a name.
func (p *played) define(g *genkit.Genkit, name string) ai.Model {
	options := &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true, SystemRole: true, Media: true}}
	return genkit.DefineModel(g, name, options, func(ctx context.Context, r *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.requests = append(p.requests, r)
		p.note(r.Messages)
		if p.fails != nil {
			return nil, p.fails
		}
		if len(p.turns) == 0 {
			return nil, errors.New("the played model has nothing left to say")
		}
		turn := p.turns[0]
		p.turns = p.turns[1:]
		if stream != nil && turn.Text() != "" {
			if err := stream(ctx, &ai.ModelResponseChunk{Content: []*ai.Part{ai.NewTextPart(turn.Text())}}); err != nil {
				return nil, err
			}
		}
		return &ai.ModelResponse{Request: r, Message: turn, FinishReason: ai.FinishReasonStop, Usage: p.usage}, nil
	})
}

// note keeps the answers of tools among messages.
func (p *played) note(messages []*ai.Message) {
	if p.answers == nil {
		p.answers = map[string]string{}
	}
	for _, message := range messages {
		for _, part := range message.Content {
			if part.IsToolResponse() {
				text := engine.TextOf(part.ToolResponse.Output)
				if len(part.ToolResponse.Content) > 0 {
					text += engine.TextOf(part.ToolResponse.Content)
				}
				p.answers[part.ToolResponse.Ref] = text
			}
		}
	}
}

// asked are the requests as texts.
func (p *played) asked(t testing.TB) (texts []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		text, err := json.Marshal(r.Messages)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// calls is a turn with tool calls.
func calls(list ...*ai.ToolRequest) *ai.Message {
	m := &ai.Message{Role: ai.RoleModel}
	for _, call := range list {
		m.Content = append(m.Content, ai.NewToolRequestPart(call))
	}
	return m
}
