package adkhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool/toolconfirmation"
	"google.golang.org/genai"
)

// played is a model that answers with its turns, one after the other, and "done" after them.
type played struct {
	name string
	fail string // it fails with this

	mu       sync.Mutex
	turns    []*genai.Content
	requests []string
	answers  map[string]string // what it was given for each call
}

func (p *played) Name() string { return p.name }

func (p *played) GenerateContent(_ context.Context, req *model.LLMRequest, stream bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		turn := p.turn(req)
		if p.fail != "" {
			yield(nil, errors.New(p.fail))
			return
		}
		if stream {
			for _, word := range strings.SplitAfter(textOf(turn), " ") {
				if word != "" && !yield(&model.LLMResponse{Content: genai.NewContentFromText(word, genai.RoleModel), Partial: true}, nil) {
					return
				}
			}
		}
		yield(&model.LLMResponse{
			Content: turn, TurnComplete: true, ModelVersion: p.name,
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 11, CandidatesTokenCount: 7},
		}, nil)
	}
}

func (p *played) turn(req *model.LLMRequest) *genai.Content {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, _ := json.Marshal([]any{req.Contents, req.Config.SystemInstruction})
	p.requests = append(p.requests, string(text))
	if p.answers == nil {
		p.answers = map[string]string{}
	}
	for _, c := range req.Contents {
		noteAnswers(p.answers, c)
	}
	if len(p.turns) == 0 {
		return genai.NewContentFromText("done", genai.RoleModel)
	}
	turn := p.turns[0]
	p.turns = p.turns[1:]
	return turn
}

func (p *played) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.requests)
}

func noteAnswers(answers map[string]string, c *genai.Content) {
	if c == nil {
		return
	}
	for _, part := range c.Parts {
		if r := part.FunctionResponse; r != nil {
			text, err := json.Marshal(r.Response)
			if err != nil {
				text = []byte(err.Error())
			}
			answers[r.ID] = string(text)
			if s, ok := r.Response["result"].(string); ok {
				answers[r.ID] += " " + s // as it is, too, without JSON's escapes
			}
		}
	}
}

func textOf(c *genai.Content) string {
	var b strings.Builder
	if c != nil {
		for _, part := range c.Parts {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

func say(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleModel) }

// call is a turn that calls a tool, as c1.
func call(tool string, args map[string]any) *genai.Content { return calls(callPart("c1", tool, args)) }

func calls(parts ...*genai.Part) *genai.Content {
	return &genai.Content{Role: genai.RoleModel, Parts: parts}
}

func callPart(id, tool string, args map[string]any) *genai.Part {
	return &genai.Part{FunctionCall: &genai.FunctionCall{ID: id, Name: tool, Args: args}}
}

// ran is what a run came to.
type ran struct {
	events  []*session.Event
	answers map[string]string
	final   string
	err     error
	asks    []*genai.FunctionCall // confirmations that were requested
}

// conversation is a runner with one session.
type conversation struct {
	runner  *runner.Runner
	session string
	mode    agent.StreamingMode
}

func converse(t testing.TB, a agent.Agent, plugins ...*plugin.Plugin) *conversation {
	t.Helper()
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: a, SessionService: session.InMemoryService(), AutoCreateSession: true,
		PluginConfig: runner.PluginConfig{Plugins: plugins},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &conversation{runner: r, session: "session-1"}
}

func (c *conversation) say(ctx context.Context, message *genai.Content) *ran {
	r := &ran{answers: map[string]string{}}
	for event, err := range c.runner.Run(ctx, "user-1", c.session, message, agent.RunConfig{StreamingMode: c.mode}) {
		if err != nil {
			r.err = errors.Join(r.err, err)
			continue
		}
		r.events = append(r.events, event)
		noteAnswers(r.answers, event.Content)
		if event.Content == nil || event.Partial {
			continue
		}
		if text := textOf(event.Content); text != "" {
			r.final = text
		}
		for _, part := range event.Content.Parts {
			if part.FunctionCall != nil && part.FunctionCall.Name == toolconfirmation.FunctionCallName {
				r.asks = append(r.asks, part.FunctionCall)
			}
		}
	}
	return r
}

func (c *conversation) ask(text string) *ran {
	return c.say(context.Background(), genai.NewContentFromText(text, genai.RoleUser))
}

// confirm is the message by which a person answers.
func confirm(yes bool, asks ...*genai.FunctionCall) *genai.Content {
	message := &genai.Content{Role: genai.RoleUser}
	for _, ask := range asks {
		message.Parts = append(message.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{
			ID: ask.ID, Name: toolconfirmation.FunctionCallName, Response: map[string]any{"confirmed": yes},
		}})
	}
	return message
}

func (r *ran) String() string {
	return fmt.Sprintf("answers %v, final %q, error %v", r.answers, r.final, r.err)
}
