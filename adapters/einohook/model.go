package einohook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// WrapModel puts the model under hooks: once for each attempt, with what the model really gets.
func (h *handler) WrapModel(_ context.Context, m model.BaseModel[*schema.Message], _ *adk.ModelContext) (model.BaseModel[*schema.Message], error) {
	return &hookedModel{h.hook, m}, nil
}

type hookedModel struct {
	*hook
	model model.BaseModel[*schema.Message]
}

// request is one request to the model as hooks leave it.
type request struct {
	run      *adapter.ModelRun
	turn     *turn
	messages []*schema.Message
	options  []model.Option
	answer   *schema.Message // in the model's place; nil: it is asked
}

// Generate asks the model, unless a hook denies it or has ended the turn.
func (m *hookedModel) Generate(ctx context.Context, in []*schema.Message, o ...model.Option) (*schema.Message, error) {
	r, err := m.begin(ctx, in, o)
	if err != nil {
		return nil, err
	}
	if r.answer != nil {
		return r.answer, nil
	}
	answer, err := m.model.Generate(ctx, r.messages, r.options...)
	if err != nil {
		r.run.Fail(ctx, err)
		return nil, err
	}
	r.end(ctx, answer)
	return answer, nil
}

// Stream does so bit by bit.
func (m *hookedModel) Stream(ctx context.Context, in []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	r, err := m.begin(ctx, in, o)
	if err != nil {
		return nil, err
	}
	if r.answer != nil {
		return schema.StreamReaderFromArray([]*schema.Message{r.answer}), nil
	}
	source, err := m.model.Stream(ctx, r.messages, r.options...)
	if err != nil {
		r.run.Fail(ctx, err)
		return nil, err
	}
	var chunks []*schema.Message
	return schema.StreamReaderWithConvert(source,
		func(chunk *schema.Message) (*schema.Message, error) {
			chunks = append(chunks, chunk)
			return chunk, nil
		},
		schema.WithErrWrapper(func(err error) error {
			r.run.Fail(ctx, err)
			return err
		}),
		schema.WithOnEOF(func() (any, error) {
			if whole, err := schema.ConcatMessages(chunks); err == nil {
				r.end(ctx, whole)
			} else {
				r.run.Fail(ctx, err)
			}
			return nil, io.EOF
		})), nil
}

// begin fires pre_model_call and makes the request that hooks leave. The error says that it
// can't be made.
func (m *hookedModel) begin(ctx context.Context, in []*schema.Message, o []model.Option) (*request, error) {
	r := &request{turn: turnFrom(ctx), messages: in, options: o}
	if r.turn != nil {
		if reason, halted := r.turn.isHalted(); halted {
			r.answer = schema.AssistantMessage(reason, nil)
			return r, nil
		}
	}
	asked := newAsked(ctx, in, model.GetCommonOptions(&model.Options{}, o...))
	r.run = m.adapter.BeginModel(ctx, asked.call)
	if err := r.run.Denied; err != nil {
		reason := err.Error()
		if denied := (*engine.DeniedError)(nil); errors.As(err, &denied) {
			if denied.Reason != "" {
				reason = denied.Reason
			}
			if denied.Halt && r.turn != nil {
				r.turn.halt(reason)
			}
		}
		r.answer = schema.AssistantMessage(reason, nil)
		return r, nil
	}
	if r.run.Input != nil {
		if err := asked.rewrite(r, r.run.Input); err != nil {
			err = fmt.Errorf("luahook: what a hook of pre_model_call has made of the request can't be sent: %w", err)
			r.run.Fail(ctx, err)
			return nil, err
		}
	}
	if r.run.Context != "" {
		r.messages = append(r.messages[:len(r.messages):len(r.messages)], schema.UserMessage(r.run.Context))
	}
	return r, nil
}

// end fires post_model_call, and counts what the answer has used.
func (r *request) end(ctx context.Context, m *schema.Message) {
	answer := adapter.ModelAnswer{Response: textOf(m)}
	if meta := m.ResponseMeta; meta != nil {
		answer.FinishReason = meta.FinishReason
		if u := meta.Usage; u != nil {
			answer.Usage = &hooks.Usage{InputTokens: int64(u.PromptTokens), OutputTokens: int64(u.CompletionTokens), CacheTokens: int64(u.PromptTokenDetails.CachedTokens)}
		}
	}
	r.run.End(ctx, answer)
	if r.turn != nil && r.turn.run != nil {
		r.turn.run.Add(answer.Usage)
	}
}

// asked is a request as hooks see it, beside what it was made of.
type asked struct {
	call     adapter.ModelCall
	system   *schema.Message // the first message where it is one of the system; hooks see it apart
	messages []*schema.Message
	tools    []*schema.ToolInfo
}

func newAsked(ctx context.Context, in []*schema.Message, o *model.Options) *asked {
	a := &asked{messages: in, tools: o.Tools, call: adapter.ModelCall{Model: engine.CallerFrom(ctx).Model}}
	if len(in) > 0 && in[0].Role == schema.System {
		a.system, a.messages = in[0], in[1:]
		a.call.SystemPrompt = textOf(a.system)
	}
	for _, m := range a.messages {
		a.call.Messages = append(a.call.Messages, plainMessage(m))
	}
	for _, t := range o.Tools {
		a.call.Tools = append(a.call.Tools, t.Name)
	}
	if o.Model != nil {
		a.call.Model = *o.Model
	}
	if o.Temperature != nil {
		t := float64(*o.Temperature)
		a.call.Temperature = &t
	}
	if o.MaxTokens != nil {
		a.call.MaxTokens = int64(*o.MaxTokens)
	}
	return a
}

// plainMessage is a message as hooks see it.
func plainMessage(m *schema.Message) map[string]any {
	plain := map[string]any{"role": string(m.Role), "content": textOf(m)}
	if m.ToolCallID != "" {
		plain["tool_call_id"] = m.ToolCallID
	}
	if m.ToolName != "" {
		plain["name"] = m.ToolName
	}
	if len(m.ToolCalls) > 0 {
		var calls []any
		for _, c := range m.ToolCalls {
			calls = append(calls, map[string]any{"id": c.ID, "name": c.Function.Name, "arguments": c.Function.Arguments})
		}
		plain["tool_calls"] = calls
	}
	return plain
}

// textOf is the text of a message, of its parts where it has those.
func textOf(m *schema.Message) string {
	if m == nil {
		return ""
	}
	var text strings.Builder
	for _, part := range m.UserInputMultiContent {
		text.WriteString(part.Text)
	}
	for _, part := range m.AssistantGenMultiContent {
		text.WriteString(part.Text)
	}
	for _, part := range m.MultiContent {
		text.WriteString(part.Text)
	}
	if text.Len() == 0 {
		return m.Content
	}
	return text.String()
}

// rewrite makes the request of the fields that a hook has left.
func (a *asked) rewrite(r *request, fields map[string]any) error {
	messages, err := a.rewriteMessages(fields["messages"])
	if err != nil {
		return err
	}
	system, _ := fields["system_prompt"].(string)
	switch {
	case system != "" && system == a.call.SystemPrompt:
		messages = append([]*schema.Message{a.system}, messages...)
	case system != "":
		messages = append([]*schema.Message{schema.SystemMessage(system)}, messages...)
	}
	r.messages = messages
	o := r.options[:len(r.options):len(r.options)]
	if tools, err := a.rewriteTools(fields["tools"]); err != nil {
		return err
	} else if len(tools) != len(a.tools) {
		o = append(o, model.WithTools(tools))
	}
	if name, _ := fields["model"].(string); name != "" && name != a.call.Model {
		o = append(o, model.WithModel(name))
	}
	if t, ok := number(fields["temperature"]); ok && (a.call.Temperature == nil || t != *a.call.Temperature) {
		o = append(o, model.WithTemperature(float32(t)))
	}
	if n, ok := number(fields["max_tokens"]); ok && int64(n) != a.call.MaxTokens {
		o = append(o, model.WithMaxTokens(int(n)))
	}
	r.options = o
	return nil
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// rewriteMessages finds the messages again that a hook has left as they were. Of others the role
// and the content count.
func (a *asked) rewriteMessages(v any) ([]*schema.Message, error) {
	list, _ := v.([]any)
	out, used := make([]*schema.Message, len(list)), make([]bool, len(a.messages))
	for i, entry := range list {
		if at := a.find(entry, i, used); at >= 0 {
			out[i], used[at] = a.messages[at], true
		}
	}
	for i, entry := range list {
		if out[i] != nil {
			continue
		}
		fields, _ := entry.(map[string]any)
		content, ok := fields["content"].(string)
		if !ok {
			return nil, fmt.Errorf("message %d has no content that is a text", i+1)
		}
		name, _ := fields["role"].(string)
		switch role := schema.RoleType(name); role {
		case schema.System, schema.User, schema.Assistant, schema.Tool:
			m := &schema.Message{Role: role}
			if i < len(a.messages) && !used[i] && a.messages[i].Role == role { // another text for that one
				*m, used[i] = *a.messages[i], true
			}
			m.Content, m.MultiContent, m.UserInputMultiContent, m.AssistantGenMultiContent = content, nil, nil, nil
			out[i] = m
		default:
			return nil, fmt.Errorf("message %d has the role %q", i+1, role)
		}
	}
	return out, nil
}

// find is the place of the original message that an entry is, preferably its own; -1: there is none.
func (a *asked) find(entry any, i int, used []bool) int {
	if i < len(used) && !used[i] && reflect.DeepEqual(a.call.Messages[i], entry) {
		return i
	}
	for at, original := range a.call.Messages {
		if !used[at] && reflect.DeepEqual(original, entry) {
			return at
		}
	}
	return -1
}

func (a *asked) rewriteTools(v any) (kept []*schema.ToolInfo, err error) {
	list, _ := v.([]any)
next:
	for _, entry := range list {
		for _, t := range a.tools {
			if entry == t.Name {
				kept = append(kept, t)
				continue next
			}
		}
		return nil, fmt.Errorf("the agent has no tool %v", entry)
	}
	return kept, nil
}
