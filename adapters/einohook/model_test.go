package einohook_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/hooks"
)

// A hook rewrites a request: what it leaves alone reaches the model as it was, tool calls and all.
func TestRewrittenRequest(t *testing.T) {
	w := newWorld(t, `
on("pre_model_call", function(ev)
  if #ev.messages < 3 then return end
  ev.messages[1].content = "go gently"
  table.insert(ev.messages, 1, { role = "user", content = "first of all" })
  return modify{ messages = ev.messages, system_prompt = "You are calm.", tools = { "echo" }, model = "small", temperature = 0.5, max_tokens = 99 }
end)`, hooks.PreModelCall)
	m := &played{answers: []*schema.Message{calls("echo", `{"a":1}`)}}
	if r := w.run(newAgent(t, "main", m, w.handlers(), echo("echo"), echo("other")), false); r.err() != nil {
		t.Fatal(r.err())
	}
	first, second := m.requests[0], m.requests[1]
	equal(t, "first request", len(first), 2)
	var texts []string
	for _, m := range second {
		texts = append(texts, string(m.Role)+": "+m.Content)
	}
	equal(t, "second request", texts, []string{"system: You are calm.", "user: first of all", "user: go gently", "assistant: ", `tool: {"a":1}`})
	equal(t, "its tool call", second[3].ToolCalls[0].ID, "c1")
	equal(t, "its tool result", second[4].ToolCallID, "c1")
	o := m.options[1]
	if len(o.Tools) != 1 || o.Tools[0].Name != "echo" || *o.Model != "small" || *o.Temperature != 0.5 || *o.MaxTokens != 99 {
		t.Errorf("options: %+v", o)
	}
	equal(t, "tools of the first request", len(m.options[0].Tools), 2)
	equal(t, "what hooks see", w.Of(hooks.PreModelCall)[0].Fields["tools"], []any{"echo", "other"})
}

// A request that nobody could send isn't sent.
func TestRequestThatCannotBeSent(t *testing.T) {
	for _, policy := range []string{
		`on("pre_model_call", function() return modify{ messages = { { role = "king", content = "x" } } } end)`,
		`on("pre_model_call", function() return modify{ tools = { "unheard of" } } end)`,
	} {
		w := newWorld(t, policy)
		m := &played{}
		if r := w.run(newAgent(t, "main", m, w.handlers(), echo("echo")), false); r.err() == nil || len(m.requests) != 0 {
			t.Errorf("%s: %v, %d requests", policy, r.err(), len(m.requests))
		}
	}
}

// flaky fails at first.
type flaky struct {
	played
	failures int
}

func (f *flaky) Generate(ctx context.Context, in []*schema.Message, o ...model.Option) (*schema.Message, error) {
	if f.failures > 0 {
		f.failures--
		return nil, errors.New("overloaded")
	}
	return f.played.Generate(ctx, in, o...)
}

// Each attempt has its events.
func TestAttempts(t *testing.T) {
	w := newWorld(t, "", hooks.PreModelCall, hooks.PostModelCall, hooks.OnError, hooks.RunEnd)
	m := &flaky{failures: 1, played: played{usage: &schema.TokenUsage{PromptTokens: 5, CompletionTokens: 3}}}
	a, err := adk.NewChatModelAgent(t.Context(), &adk.ChatModelAgentConfig{Name: "main", Description: "main", Model: m, Handlers: w.handlers(),
		ModelRetryConfig: &adk.ModelRetryConfig{MaxRetries: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if r := w.run(a, false); r.err() != nil {
		t.Fatal(r.err())
	}
	equal(t, "events", w.story(), "pre_model_call@main on_error@main pre_model_call@main post_model_call@main run_end")
	for _, c := range w.Of(hooks.RunEnd) {
		if c.Usage == nil || c.Usage.InputTokens != 5 || c.Usage.OutputTokens != 3 {
			t.Errorf("usage of the run: %+v", c.Usage)
		}
	}
}

// A stream of the model passes while it speaks; its event has all of it.
func TestStreamOfTheModel(t *testing.T) {
	w := newWorld(t, "", hooks.PostModelCall)
	m := &played{answers: []*schema.Message{schema.AssistantMessage("hello there", nil)}, usage: &schema.TokenUsage{PromptTokens: 5}}
	runner := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: newAgent(t, "main", m, w.handlers()), EnableStreaming: true})
	events := einohook.Run(t.Context(), w.engine, runner, []adk.Message{schema.UserMessage("go")})
	chunks := 0
	for {
		event, more := events.Next()
		if !more {
			break
		}
		if event.Err != nil {
			t.Fatal(event.Err)
		}
		for {
			if _, err := event.Output.MessageOutput.MessageStream.Recv(); err != nil {
				break
			}
			chunks++
		}
	}
	equal(t, "chunks", chunks, 2)
	for _, c := range w.Of(hooks.PostModelCall) {
		equal(t, "response", c.Response, "hello there")
		equal(t, "usage", c.Usage.InputTokens, 5)
		equal(t, "finish_reason", c.Fields["finish_reason"], "stop")
	}
	equal(t, "events", w.story(), "post_model_call@main")
}
