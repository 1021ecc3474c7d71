// Package genkithook puts generations of Genkit (github.com/firebase/genkit/go) under luahook:
//
//	resp, err := genkit.Generate(ctx, g,
//		ai.WithPrompt("Tidy up the repository."),
//		ai.WithTools(bash),
//		ai.WithUse(genkithook.Middleware(e)), // last, so that it is innermost
//	)
//
// Each call of Generate, and of whatever is built on it, is a run: run_start, pre_prompt,
// pre_agent, the model calls and tool calls, stop, post_agent, run_end. A Generate in the body of
// a tool of another one, under the middleware as well, is a subagent, named after the tool.
//
// README.md says what is covered and what isn't.
package genkithook

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Option is a setting of the middleware.
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what Genkit doesn't know, such as the working folder and the
// session. What [engine.WithCaller] says of one Generate comes first.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithBlockingAsk has the function of [engine.WithAsk] or [engine.AskWith] answer where a hook
// asks, while the call waits, in place of an interrupt.
func WithBlockingAsk() Option { return adapter.WithBlockingAsk() }

// WithoutModelEvents fires no event for calls of the model.
func WithoutModelEvents() Option { return adapter.WithoutModelEvents() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}

// Middleware is for [ai.WithUse], of each Generate and of each prompt's Execute; Genkit 1.7.0 drops
// what DefinePrompt is given there. It has to be the last one: then hooks see the input that the
// tool gets, and what it came back with before others change that. Where it isn't, [WithMessages]
// hears of it once. Any number of generations may use it at once.
//
// A deny of run_start, pre_prompt or pre_agent is the error of Generate, an
// [*engine.DeniedError]. A deny of a model call, one of a subagent, and a halt end the Generate
// with a response whose text and FinishMessage say why, and whose FinishReason is "blocked".
func Middleware(e *engine.Engine, o ...Option) ai.Middleware {
	return &middleware{a: adapter.New(e, o...)}
}

type middleware struct {
	a      *adapter.Adapter
	warned sync.Once // that it isn't innermost
}

// Name is for Genkit.
func (m *middleware) Name() string { return "luahook" }

// New is for Genkit.
func (m *middleware) New(context.Context) (*ai.Hooks, error) {
	return &ai.Hooks{WrapGenerate: m.generate, WrapModel: m.model, WrapTool: m.tool}, nil
}

// scope is one Generate. Its iterations come one after the other.
type scope struct {
	run     *adapter.Run     // of the outermost Generate
	request *ai.ModelRequest // of the latest iteration. Genkit adds to its messages
	began   int              // how many messages there were, before Genkit went on
	added   string           // for the agent, where Genkit takes messages from elsewhere at first
}

type scopeKey struct{}

// scopeOf gives one of no run where a middleware around ours has dropped the context.
func scopeOf(ctx context.Context) *scope {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok {
		return s
	}
	return &scope{run: new(adapter.Run)}
}

// generate is called for each iteration of the tool loop, and the first one's call has the others
// in it: it is the whole Generate.
func (m *middleware) generate(ctx context.Context, p *ai.GenerateParams, next ai.GenerateNext) (*ai.ModelResponse, error) {
	if p.Iteration == 0 {
		return m.whole(ctx, p, next)
	}
	s := scopeOf(ctx)
	p = withContext(p, s.added)
	s.request, s.added = p.Request, ""
	if why, halted := s.run.Halted(); halted {
		return blocked(p.Request, why), nil
	}
	return next(ctx, p)
}

func (m *middleware) whole(ctx context.Context, p *ai.GenerateParams, next ai.GenerateNext) (resp *ai.ModelResponse, err error) {
	m.checkInnermost(ctx, p.Options.Use)
	outer, flow := toolBodyOf(ctx), core.FlowNameFromContext(ctx)
	ctx = m.a.Context(ctx, func(c *engine.Caller) {
		if outer != nil {
			*c = adapter.SubCaller(*c, outer.id, outer.tool)
		}
		c.AgentName, c.Model = cmp.Or(c.AgentName, flow), p.Options.Model
	})
	s := &scope{request: p.Request, began: len(p.Request.Messages)}
	ctx = context.WithValue(ctx, scopeKey{}, s)
	if outer != nil {
		s.run = outer.run
	} else {
		if s.run, err = m.a.BeginRun(ctx, flow, nil); err != nil {
			return nil, err
		}
		defer func() { s.run.End(ctx, err) }()
		if p, err = m.prompt(ctx, p); err != nil {
			return nil, err
		}
	}
	added, err := m.a.BeginAgent(ctx, textOf(promptOf(p)))
	switch {
	case err != nil && outer != nil:
		resp = m.refused(s, err)
		return resp, s.tell(ctx, p, resp)
	case err != nil:
		return nil, err
	}
	defer func() { m.a.EndAgent(ctx, responseText(resp)) }()
	if p.Options.Resume != nil {
		s.added = added
	} else {
		p = withContext(p, added)
	}
	for loop := 0; ; loop++ {
		s.request, s.began = p.Request, len(p.Request.Messages)
		resp, err = next(ctx, p)
		var denied *modelDenied
		if errors.As(err, &denied) {
			resp, err = m.refused(s, denied.error), nil
			return resp, s.tell(ctx, p, resp)
		}
		if err != nil {
			return nil, err
		}
		if why, halted := s.run.Halted(); halted {
			resp = blocked(s.request, why)
			return resp, s.tell(ctx, p, resp)
		}
		if outer != nil || !answered(resp) {
			return resp, nil
		}
		again := m.a.Stop(ctx, responseText(resp), loop)
		if again == "" {
			return resp, nil
		}
		p = s.goOn(p, resp.Message, again)
	}
}

// checkInnermost warns where another middleware stands between ours and the tools.
func (m *middleware) checkInnermost(ctx context.Context, use []*ai.MiddlewareRef) {
	if len(use) == 0 {
		return
	}
	last := use[len(use)-1]
	if _, ours := last.Config.(*middleware); !ours {
		m.warned.Do(func() {
			m.a.Warn(ctx, hooks.RunStart, "genkithook.Middleware isn't the last one of ai.WithUse: what %s does to tools and models comes after the hooks; put it last", last.Name)
		})
	}
}

// refused is the answer to what a hook has denied.
func (m *middleware) refused(s *scope, err error) *ai.ModelResponse {
	reason := err.Error()
	var denied *engine.DeniedError
	if errors.As(err, &denied) {
		reason = cmp.Or(denied.Reason, reason)
		if denied.Halt {
			s.run.Halt(reason)
		}
	}
	return blocked(s.request, reason)
}

func blocked(request *ai.ModelRequest, why string) *ai.ModelResponse {
	return &ai.ModelResponse{
		Request: request, FinishReason: ai.FinishReasonBlocked, FinishMessage: why, Message: ai.NewModelTextMessage(why),
	}
}

// tell streams why a response is blocked, for those who read no more than the stream.
func (s *scope) tell(ctx context.Context, p *ai.GenerateParams, resp *ai.ModelResponse) error {
	if p.Callback == nil {
		return nil
	}
	index := p.MessageIndex + len(resp.Request.Messages) - s.began
	return p.Callback(ctx, &ai.ModelResponseChunk{Role: ai.RoleModel, Index: index, Content: resp.Message.Content})
}

// answered reports whether the model has said its last word: it waits for nothing.
func answered(resp *ai.ModelResponse) bool {
	return resp != nil && resp.Message != nil && len(resp.ToolRequests()) == 0 &&
		resp.FinishReason != ai.FinishReasonBlocked && resp.FinishReason != ai.FinishReasonInterrupted
}

// goOn is p with all that was said since, and what the agent is to do before it may stop.
func (s *scope) goOn(p *ai.GenerateParams, said *ai.Message, again string) *ai.GenerateParams {
	messages := append(slices.Clone(s.request.Messages), said, ai.NewUserTextMessage(again))
	q := withMessages(p, messages)
	q.MessageIndex += len(messages) - s.began // of streamed chunks
	return q
}

// prompt fires pre_prompt where the Generate begins with what a user says.
func (m *middleware) prompt(ctx context.Context, p *ai.GenerateParams) (*ai.GenerateParams, error) {
	message := promptOf(p)
	said := textOf(message)
	if said == "" {
		return p, nil
	}
	prompt, added, err := m.a.Prompt(ctx, said)
	if err != nil {
		return nil, err
	}
	if prompt != said {
		messages := slices.Clone(p.Request.Messages)
		messages[len(messages)-1] = withText(message, prompt)
		p = withMessages(p, messages)
	}
	return withContext(p, added), nil
}

// promptOf is the user's message that a Generate begins with, or nil.
func promptOf(p *ai.GenerateParams) *ai.Message {
	messages := p.Request.Messages
	if len(messages) == 0 || messages[len(messages)-1].Role != ai.RoleUser {
		return nil
	}
	return messages[len(messages)-1]
}

// isSaid reports whether a part is text that somebody has said. Genkit adds parts to messages that
// say in which format the model is to answer.
func isSaid(p *ai.Part) bool { return p.IsText() && p.Metadata["purpose"] != "output" }

// textOf is the text of a message; "" of none.
func textOf(m *ai.Message) string {
	if m == nil {
		return ""
	}
	var text strings.Builder
	for _, part := range m.Content {
		if isSaid(part) {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

func responseText(resp *ai.ModelResponse) string {
	if resp == nil {
		return ""
	}
	return textOf(resp.Message)
}

// withText is the message with another text in place of its own.
func withText(m *ai.Message, text string) *ai.Message {
	changed := *m
	changed.Content = []*ai.Part{ai.NewTextPart(text)}
	for _, part := range m.Content {
		if !isSaid(part) {
			changed.Content = append(changed.Content, part)
		}
	}
	return &changed
}

// withContext is p with a text that hooks add.
func withContext(p *ai.GenerateParams, text string) *ai.GenerateParams {
	if text == "" {
		return p
	}
	return withMessages(p, append(slices.Clone(p.Request.Messages), ai.NewUserTextMessage(text)))
}

func withMessages(p *ai.GenerateParams, messages []*ai.Message) *ai.GenerateParams {
	q, request := *p, *p.Request
	request.Messages, q.Request = messages, &request
	return &q
}
