package einohook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// played is a model that answers by a script, and with "done" when that is over.
type played struct {
	mu       sync.Mutex
	answers  []*schema.Message
	requests [][]*schema.Message
	options  []*model.Options
	fails    error
	usage    *schema.TokenUsage
}

func (p *played) next(in []*schema.Message, o []model.Option) (*schema.Message, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, append([]*schema.Message(nil), in...))
	p.options = append(p.options, model.GetCommonOptions(nil, o...))
	if p.fails != nil {
		return nil, p.fails
	}
	answer := schema.AssistantMessage("done", nil)
	if len(p.answers) > 0 {
		answer, p.answers = p.answers[0], p.answers[1:]
	}
	if p.usage != nil {
		answer.ResponseMeta = &schema.ResponseMeta{FinishReason: "stop", Usage: p.usage}
	}
	return answer, nil
}

func (p *played) Generate(_ context.Context, in []*schema.Message, o ...model.Option) (*schema.Message, error) {
	return p.next(in, o)
}

// Stream says a text in two parts, the second with the usage.
func (p *played) Stream(_ context.Context, in []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	m, err := p.next(in, o)
	if err != nil {
		return nil, err
	}
	rest := *m
	half := len(m.Content) / 2
	rest.Content = m.Content[half:]
	return schema.StreamReaderFromArray([]*schema.Message{schema.AssistantMessage(m.Content[:half], nil), &rest}), nil
}

// text is all that the model was sent with its nth request.
func (p *played) text(n int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n < 0 {
		n += len(p.requests)
	}
	if n < 0 || n >= len(p.requests) {
		return ""
	}
	text, _ := json.Marshal(p.requests[n])
	return string(text)
}

// given is what the model was given for a call.
func (p *played) given(id string) (text string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, in := range p.requests {
		for _, m := range in {
			if m.Role == schema.Tool && m.ToolCallID == id {
				text, ok = m.Content, true
				for _, part := range m.UserInputMultiContent {
					text += part.Text
				}
			}
		}
	}
	return text, ok
}

// calls is an answer that calls tools, each named by its name and its arguments.
func calls(list ...string) *schema.Message {
	m := schema.AssistantMessage("", nil)
	for i := 0; i < len(list); i += 2 {
		m.ToolCalls = append(m.ToolCalls, schema.ToolCall{ID: fmt.Sprintf("c%d", i/2+1), Type: "function", Function: schema.FunctionCall{Name: list[i], Arguments: list[i+1]}})
	}
	return m
}

// toolOf is what all tools of the tests begin with.
type toolOf struct{ name string }

func (t toolOf) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: t.name, Desc: t.name}, nil
}

type invokable struct {
	toolOf
	run func(ctx context.Context, args string) (string, error)
}

func (t invokable) InvokableRun(ctx context.Context, args string, _ ...tool.Option) (string, error) {
	return t.run(ctx, args)
}

type streamable struct {
	toolOf
	run func(ctx context.Context, args string) (*schema.StreamReader[string], error)
}

func (t streamable) StreamableRun(ctx context.Context, args string, _ ...tool.Option) (*schema.StreamReader[string], error) {
	return t.run(ctx, args)
}

type enhanced struct {
	toolOf
	run func(ctx context.Context, args string) (*schema.ToolResult, error)
}

func (t enhanced) InvokableRun(ctx context.Context, args *schema.ToolArgument, _ ...tool.Option) (*schema.ToolResult, error) {
	return t.run(ctx, args.Text)
}

type enhancedStreamable struct {
	toolOf
	run func(ctx context.Context, args string) (*schema.StreamReader[*schema.ToolResult], error)
}

func (t enhancedStreamable) StreamableRun(ctx context.Context, args *schema.ToolArgument, _ ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	return t.run(ctx, args.Text)
}

// memory is a store for checkpoints.
type memory struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (s *memory) Get(_ context.Context, id string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.m[id]
	return b, ok, nil
}

func (s *memory) Set(_ context.Context, id string, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[string][]byte{}
	}
	s.m[id] = b
	return nil
}

// newAgent is an agent with a handler and tools.
func newAgent(t testing.TB, name string, m model.BaseModel[*schema.Message], handlers []adk.ChatModelAgentMiddleware, tools ...tool.BaseTool) *adk.ChatModelAgent {
	t.Helper()
	a, err := adk.NewChatModelAgent(context.Background(), &adk.ChatModelAgentConfig{
		Name: name, Description: name, Model: m, Instruction: "You are " + name + ".", Handlers: handlers,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ran is what a run has come to.
type ran struct {
	final     string
	errs      []error
	interrupt *adk.InterruptInfo
	events    []*adk.AgentEvent
}

func (r *ran) err() error { return errors.Join(r.errs...) }

// targets answers all questions of a stop in the same way.
func (r *ran) targets(answer any) *adk.ResumeParams {
	p := &adk.ResumeParams{Targets: map[string]any{}}
	for _, c := range r.interrupt.InterruptContexts {
		if c.IsRootCause {
			p.Targets[c.ID] = answer
		}
	}
	return p
}

// drain reads all that a run says.
func drain(events *adk.AsyncIterator[*adk.AgentEvent]) *ran {
	r := &ran{}
	for {
		event, more := events.Next()
		if !more {
			return r
		}
		r.events = append(r.events, event)
		if event.Err != nil {
			r.errs = append(r.errs, event.Err)
		}
		if event.Action != nil && event.Action.Interrupted != nil {
			r.interrupt = event.Action.Interrupted
		}
		if event.Output == nil || event.Output.MessageOutput == nil {
			continue
		}
		text, err := said(event.Output.MessageOutput)
		if err != nil {
			r.errs = append(r.errs, err)
		}
		if event.Output.MessageOutput.Role == schema.Assistant {
			r.final = text
		}
	}
}

func said(m *adk.MessageVariant) (string, error) {
	if !m.IsStreaming {
		return m.Message.Content, nil
	}
	var text strings.Builder
	for {
		chunk, err := m.MessageStream.Recv()
		if errors.Is(err, io.EOF) {
			return text.String(), nil
		}
		if err != nil {
			return text.String(), err
		}
		text.WriteString(chunk.Content)
	}
}
