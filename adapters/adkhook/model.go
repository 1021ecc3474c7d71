package adkhook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"
)

// beforeModel puts the tools of a request under hooks, and fires pre_model_call.
func (g *guard) beforeModel(ctx agent.Context, req *model.LLMRequest) (*model.LLMResponse, error) {
	for name, t := range req.Tools {
		req.Tools[name] = g.wrap(t)
	}
	r := g.runOf(ctx)
	if reason, halted := r.halted(); halted {
		return answer(haltText(reason)), nil
	}
	var notes []string
	r.mu.Lock()
	if a := r.agents[place(ctx)]; a != nil {
		notes, a.added = append(notes, a.added), ""
	}
	r.mu.Unlock()
	hctx := g.context(ctx)
	call := modelCall(req)
	m := g.a.BeginModel(hctx, call)
	if m.Denied != nil {
		return answer(reasonOf(m.Denied)), nil
	}
	if m.Input != nil {
		if err := rewrite(req, call, m.Input); err != nil {
			return answer("the rewritten request can't be made: " + err.Error()), nil
		}
	}
	for _, note := range notEmpty(append(notes, m.Context)) {
		req.Contents = append(req.Contents, genai.NewContentFromText(note, genai.RoleUser))
	}
	r.mu.Lock()
	r.models[place(ctx)] = m
	r.mu.Unlock()
	return nil, nil
}

// answer stands in for a model's.
func answer(text string) *model.LLMResponse {
	return &model.LLMResponse{Content: genai.NewContentFromText(text, genai.RoleModel), TurnComplete: true}
}

func (g *guard) afterModel(ctx agent.Context, resp *model.LLMResponse, err error) (*model.LLMResponse, error) {
	if err != nil || resp == nil || resp.Partial {
		return nil, nil
	}
	r := g.runOf(ctx)
	a := adapter.ModelAnswer{Model: resp.ModelVersion, Response: textOf(resp.Content), FinishReason: string(resp.FinishReason), Usage: usageOf(resp.UsageMetadata)}
	r.mu.Lock()
	m := r.models[place(ctx)]
	delete(r.models, place(ctx)) // what comes after the answer is part of it
	if open := r.agents[place(ctx)]; open != nil && a.Response != "" {
		open.said = a.Response
	}
	r.err = nil
	r.mu.Unlock()
	if m != nil {
		m.End(g.context(ctx), a)
		if r.events != nil {
			r.events.Add(a.Usage)
		}
	}
	return nil, nil
}

func (g *guard) modelError(ctx agent.Context, _ *model.LLMRequest, err error) (*model.LLMResponse, error) {
	r := g.runOf(ctx)
	r.mu.Lock()
	m := r.models[place(ctx)]
	delete(r.models, place(ctx))
	r.err = err
	r.mu.Unlock()
	if m != nil {
		m.Fail(g.context(ctx), err)
	}
	return nil, nil
}

func usageOf(u *genai.GenerateContentResponseUsageMetadata) *hooks.Usage {
	if u == nil {
		return nil
	}
	return &hooks.Usage{
		InputTokens:  int64(u.PromptTokenCount),
		OutputTokens: int64(u.CandidatesTokenCount) + int64(u.ThoughtsTokenCount),
		CacheTokens:  int64(u.CachedContentTokenCount),
	}
}

// modelCall is a request as hooks see it: the content of a message is its text, or the list of
// its parts where it is more than that.
func modelCall(req *model.LLMRequest) adapter.ModelCall {
	call := adapter.ModelCall{Model: req.Model}
	for _, content := range req.Contents {
		call.Messages = append(call.Messages, message(content))
	}
	for _, name := range slices.Sorted(maps.Keys(req.Tools)) {
		call.Tools = append(call.Tools, name)
	}
	if c := req.Config; c != nil {
		call.SystemPrompt, call.MaxTokens = textOf(c.SystemInstruction), int64(c.MaxOutputTokens)
		if c.Temperature != nil {
			call.Temperature = new(float64(*c.Temperature))
		}
	}
	return call
}

func message(c *genai.Content) any {
	if c == nil {
		return map[string]any{"role": "", "content": ""}
	}
	if len(c.Parts) == 1 && c.Parts[0] != nil && isText(c.Parts[0]) {
		return map[string]any{"role": c.Role, "content": c.Parts[0].Text}
	}
	parts := make([]any, len(c.Parts))
	for i, part := range c.Parts {
		plain, err := hooks.PlainValue(part)
		if err != nil {
			plain = fmt.Sprintf("(a part that is no JSON: %s)", err)
		}
		parts[i] = plain
	}
	return map[string]any{"role": c.Role, "content": parts}
}

// rewrite makes of a request what hooks have made of it. What they have left alone stays the
// very values that ADK gave.
func rewrite(req *model.LLMRequest, was adapter.ModelCall, input map[string]any) error {
	if req.Config == nil {
		req.Config = &genai.GenerateContentConfig{}
	}
	if name, ok := input["model"].(string); ok {
		req.Model = name
	}
	if text, _ := input["system_prompt"].(string); text != was.SystemPrompt {
		req.Config.SystemInstruction = nil
		if text != "" {
			req.Config.SystemInstruction = genai.NewContentFromText(text, genai.RoleUser)
		}
	}
	if n, ok := number(input["temperature"]); ok {
		req.Config.Temperature = new(float32(n))
	} else {
		req.Config.Temperature = nil
	}
	n, _ := number(input["max_tokens"])
	req.Config.MaxOutputTokens = int32(n)
	if names, ok := input["tools"].([]any); ok {
		keepTools(req, names)
	}
	list, ok := input["messages"].([]any)
	if !ok {
		return nil
	}
	contents := make([]*genai.Content, len(list))
	for i, item := range list {
		if i < len(was.Messages) && engine.TextOf(item) == engine.TextOf(was.Messages[i]) {
			contents[i] = req.Contents[i]
			continue
		}
		c, err := contentFrom(item)
		if err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		contents[i] = c
	}
	req.Contents = contents
	return nil
}

// keepTools takes the tools away that aren't named any more.
func keepTools(req *model.LLMRequest, names []any) {
	gone := func(name string) bool { return !slices.Contains(names, any(name)) }
	maps.DeleteFunc(req.Tools, func(name string, _ any) bool { return gone(name) })
	for _, t := range req.Config.Tools {
		if t != nil {
			t.FunctionDeclarations = slices.DeleteFunc(t.FunctionDeclarations, func(d *genai.FunctionDeclaration) bool { return d != nil && gone(d.Name) })
		}
	}
	req.Config.Tools = slices.DeleteFunc(req.Config.Tools, func(t *genai.Tool) bool {
		return t != nil && t.FunctionDeclarations != nil && len(t.FunctionDeclarations) == 0
	})
}

// contentFrom is the content that a message stands for.
func contentFrom(item any) (*genai.Content, error) {
	m, ok := item.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("want {role, content}, got %s", engine.TextOf(item))
	}
	role, _ := m["role"].(string)
	c := &genai.Content{Role: role}
	if text, ok := m["content"].(string); ok {
		c.Parts = []*genai.Part{genai.NewPartFromText(text)}
		return c, nil
	}
	text, err := hooks.EncodeJSON(m["content"])
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal(text, &c.Parts)
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
