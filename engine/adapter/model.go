package adapter

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
)

// ModelCall is a request to a model, as hooks see it.
type ModelCall struct {
	Model        string
	Messages     []any // each {role, content}
	Tools        []any // names, or the framework's definitions
	SystemPrompt string
	Temperature  *float64
	MaxTokens    int64
	Metadata     map[string]any
}

// ModelAnswer is what a model came back with.
type ModelAnswer struct {
	Model        string // "": the one of the call
	Response     string // its text
	FinishReason string
	Usage        *hooks.Usage
}

// ModelRun is one request to a model under hooks, from [Adapter.BeginModel]. End and Fail may be
// called from another goroutine, and count once together.
type ModelRun struct {
	// Denied is why the request must not be made, an [*engine.DeniedError]: its reason stands in
	// for the model's answer. nil: it may.
	Denied error
	// Input are the fields that hooks have rewritten, by name (model, messages, tools,
	// system_prompt, temperature, max_tokens), all that the event had; nil: none is.
	Input map[string]any
	// Context is text for the model that hooks add; "" for none.
	Context string

	adapter *Adapter
	event   *hooks.Context // nil: model events are off
	started time.Time
	over    sync.Once
}

// BeginModel fires pre_model_call. Without model events it gives a run that does nothing.
func (a *Adapter) BeginModel(ctx context.Context, call ModelCall) *ModelRun {
	m := &ModelRun{adapter: a, started: time.Now()}
	if !a.FiresModelEvents() {
		return m
	}
	m.event = a.Event(ctx, hooks.PreModelCall)
	m.event.Model = cmp.Or(call.Model, m.event.Model)
	for key, value := range call.Metadata {
		if m.event.Metadata == nil {
			m.event.Metadata = map[string]any{}
		}
		m.event.Metadata[key] = value
	}
	event := *m.event
	event.Fields = map[string]any{"messages": orEmpty(call.Messages), "tools": orEmpty(call.Tools)}
	if call.SystemPrompt != "" {
		event.Fields["system_prompt"] = call.SystemPrompt
	}
	if call.Temperature != nil {
		event.Fields["temperature"] = *call.Temperature
	}
	if call.MaxTokens > 0 {
		event.Fields["max_tokens"] = call.MaxTokens
	}
	r, err := a.Fire(ctx, &event)
	m.Denied, m.Input, m.Context = err, r.Input, r.NewContext
	return m
}

func orEmpty(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

// End fires post_model_call, also where ctx is done by then.
func (m *ModelRun) End(ctx context.Context, answer ModelAnswer) {
	m.over.Do(func() {
		if m.event == nil {
			return
		}
		event := *m.event
		event.Event = hooks.PostModelCall
		event.Model = cmp.Or(answer.Model, event.Model)
		event.Response, event.Usage = answer.Response, answer.Usage
		event.Fields = map[string]any{"duration": time.Since(m.started).Seconds()}
		if answer.FinishReason != "" {
			event.Fields["finish_reason"] = answer.FinishReason
		}
		m.adapter.Observe(ctx, &event)
	})
}

// Fail fires on_error for a request that failed. edit may correct what is derived from err.
func (m *ModelRun) Fail(ctx context.Context, err error, edit ...func(c *hooks.Context)) {
	m.over.Do(func() {
		if m.event != nil {
			m.adapter.ReportError(ctx, err, edit...)
		}
	})
}
