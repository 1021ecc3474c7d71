package genkithook

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/firebase/genkit/go/ai"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// rewritten is the request as hooks of pre_model_call leave it: r itself where they change
// nothing. The error is for what they have made of it that is no request.
func (m *middleware) rewritten(ctx context.Context, r *ai.ModelRequest, sent adapter.ModelCall, run *adapter.ModelRun) (*ai.ModelRequest, error) {
	if run.Input == nil && run.Context == "" {
		return r, nil
	}
	changed := *r
	if run.Input != nil {
		if err := m.rewrite(ctx, &changed, sent, run.Input); err != nil {
			return nil, fmt.Errorf("what hooks of pre_model_call have made of the request can't be sent: %w", err)
		}
	}
	if run.Context != "" {
		changed.Messages = append(slices.Clone(changed.Messages), ai.NewUserTextMessage(run.Context))
	}
	return &changed, nil
}

func (m *middleware) rewrite(ctx context.Context, r *ai.ModelRequest, sent adapter.ModelCall, input map[string]any) error {
	if input["model"] != sent.Model {
		m.a.Warn(ctx, hooks.PreModelCall, "a hook asks for the model %v; Genkit chooses the model before, so it stays %s", input["model"], sent.Model)
	}
	if !same(input["messages"], sent.Messages) {
		messages, err := messagesOf(input["messages"], r.Messages)
		if err != nil {
			return err
		}
		isSystem := func(m *ai.Message) bool { return m.Role == ai.RoleSystem }
		system := slices.DeleteFunc(slices.Clone(r.Messages), func(m *ai.Message) bool { return !isSystem(m) })
		r.Messages = append(system, messages...)
	}
	if system := engine.TextOf(input["system_prompt"]); system != sent.SystemPrompt {
		others := slices.DeleteFunc(slices.Clone(r.Messages), func(m *ai.Message) bool { return m.Role == ai.RoleSystem })
		if system != "" {
			others = append([]*ai.Message{ai.NewSystemTextMessage(system)}, others...)
		}
		r.Messages = others
	}
	if !same(input["tools"], sent.Tools) {
		names, _ := input["tools"].([]any)
		r.Tools = slices.DeleteFunc(slices.Clone(r.Tools), func(t *ai.ToolDefinition) bool { return !slices.Contains(names, any(t.Name)) })
		if len(r.Tools) != len(names) {
			m.a.Warn(ctx, hooks.PreModelCall, "a hook offers the model tools that this Generate doesn't have; it can only take tools away")
		}
	}
	return m.rewriteConfig(ctx, r, sent, input)
}

// rewriteConfig sets what hooks have changed in a configuration of the same type.
func (m *middleware) rewriteConfig(ctx context.Context, r *ai.ModelRequest, sent adapter.ModelCall, input map[string]any) error {
	set := map[string]any{}
	if !same(input["temperature"], sent.Temperature) {
		set[temperatureKey] = input["temperature"]
	}
	if limit := input["max_tokens"]; !same(limit, sent.MaxTokens) && (limit != nil || sent.MaxTokens != 0) {
		set[maxTokensKey] = limit
	}
	if len(set) == 0 {
		return nil
	}
	config := maps.Clone(plainConfig(r))
	if config == nil {
		config = map[string]any{}
	}
	for name, value := range set {
		if config[name] = value; value == nil {
			delete(config, name)
		}
	}
	var err error
	if r.Config, err = likeConfig(config, r.Config); err != nil {
		return err
	}
	now := plainConfig(r)
	for name, value := range set {
		if !same(now[name], value) {
			m.a.Warn(ctx, hooks.PreModelCall, "a hook has set %s, which a %T doesn't have; it stays as it was", name, r.Config)
		}
	}
	return nil
}

// likeConfig is a configuration in the type of the one before.
func likeConfig(config map[string]any, was any) (any, error) {
	t := reflect.TypeOf(was)
	if t == nil || t.Kind() == reflect.Map {
		return config, nil
	}
	text, err := hooks.EncodeJSON(config)
	if err != nil {
		return nil, err
	}
	value := reflect.New(t)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		return nil, fmt.Errorf("the model's configuration: %w", err)
	}
	return value.Elem().Interface(), nil
}

// same reports whether two values are the same in JSON.
func same(a, b any) bool { return jsonOf(a) == jsonOf(b) }

func jsonOf(v any) string {
	plain, err := hooks.PlainValue(v)
	if err != nil {
		return err.Error()
	}
	text, err := hooks.EncodeJSON(plain)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// messagesOf makes messages of what hooks have left of them. Messages and parts that are as they
// were stay what they were, with all that hooks aren't shown.
func messagesOf(list any, were []*ai.Message) ([]*ai.Message, error) {
	messages, parts := map[string]*ai.Message{}, map[string]*ai.Part{}
	for _, message := range were {
		messages[jsonOf(describeMessage(message))] = message
		for i, shown := range shownParts(message.Content) {
			parts[jsonOf(shown)] = message.Content[i]
		}
	}
	entries, _ := list.([]any)
	result := make([]*ai.Message, 0, len(entries))
	for i, entry := range entries {
		if message, was := messages[jsonOf(entry)]; was {
			result = append(result, message)
			continue
		}
		message, err := messageOf(entry, parts)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		result = append(result, message)
	}
	return result, nil
}

func messageOf(entry any, were map[string]*ai.Part) (*ai.Message, error) {
	fields, _ := entry.(map[string]any)
	role, _ := fields["role"].(string)
	message := &ai.Message{Role: ai.Role(role)}
	switch content := fields["content"].(type) {
	case string:
		message.Content = []*ai.Part{ai.NewTextPart(content)}
	case []any:
		for _, entry := range content {
			part, was := were[jsonOf(entry)]
			if !was {
				part = &ai.Part{}
				if err := json.Unmarshal([]byte(jsonOf(entry)), part); err != nil {
					return nil, err
				}
			}
			message.Content = append(message.Content, part)
		}
	}
	if role == "" || len(message.Content) == 0 {
		return nil, fmt.Errorf("want a role and content, got %s", jsonOf(entry))
	}
	return message, nil
}
