package genkithook

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// modelDenied is why a request was not made, on its way from model to whole.
type modelDenied struct{ error }

func (d *modelDenied) Unwrap() error { return d.error }

// model is one request to the model.
func (m *middleware) model(ctx context.Context, p *ai.ModelParams, next ai.ModelNext) (*ai.ModelResponse, error) {
	sent := describe(p.Request)
	sent.Model = engine.CallerFrom(ctx).Model
	run := m.a.BeginModel(ctx, sent)
	denied := run.Denied
	q := *p
	if denied == nil {
		q.Request, denied = m.rewritten(ctx, p.Request, sent, run)
	}
	if denied != nil {
		// A status that middlewares around this one don't try again for.
		return nil, core.NewError(core.PERMISSION_DENIED, "%v", &modelDenied{denied})
	}
	resp, err := next(ctx, &q)
	if err != nil {
		run.Fail(ctx, err)
		return nil, err
	}
	usage := usageOf(resp.Usage)
	scopeOf(ctx).run.Add(usage)
	run.End(ctx, adapter.ModelAnswer{Response: responseText(resp), FinishReason: string(resp.FinishReason), Usage: usage})
	if resp.Request == q.Request {
		resp.Request = p.Request // a conversation that goes on isn't to hold what was for this request alone
	}
	return resp, nil
}

func usageOf(u *ai.GenerationUsage) *hooks.Usage {
	if u == nil {
		return nil
	}
	return &hooks.Usage{InputTokens: int64(u.InputTokens), OutputTokens: int64(u.OutputTokens), CacheTokens: int64(u.CachedContentTokens)}
}

// describe is a request as hooks see it: the text of system messages apart, and other messages
// with their text, or with their parts where they have others.
func describe(r *ai.ModelRequest) (call adapter.ModelCall) {
	var system []string
	for _, message := range r.Messages {
		if message.Role == ai.RoleSystem {
			system = append(system, textOf(message))
		} else {
			call.Messages = append(call.Messages, describeMessage(message))
		}
	}
	call.SystemPrompt = strings.Join(system, "\n\n")
	for _, tool := range r.Tools {
		call.Tools = append(call.Tools, tool.Name)
	}
	config := plainConfig(r)
	if temperature, err := json.Number(engine.TextOf(config[temperatureKey])).Float64(); err == nil {
		call.Temperature = &temperature
	}
	call.MaxTokens, _ = json.Number(engine.TextOf(config[maxTokensKey])).Int64() // 0: none is set
	return call
}

// Where the configurations of Genkit's models have them.
const (
	temperatureKey = "temperature"
	maxTokensKey   = "maxOutputTokens"
)

// plainConfig is the configuration of the model as JSON has it; nil where it is no object.
func plainConfig(r *ai.ModelRequest) map[string]any {
	plain, err := hooks.PlainValue(r.Config)
	if config, ok := plain.(map[string]any); ok && err == nil {
		return config
	}
	return nil
}

func describeMessage(m *ai.Message) any {
	if !slices.ContainsFunc(m.Content, func(p *ai.Part) bool { return !isSaid(p) }) {
		return map[string]any{"role": string(m.Role), "content": textOf(m)}
	}
	return map[string]any{"role": string(m.Role), "content": shownParts(m.Content)}
}
