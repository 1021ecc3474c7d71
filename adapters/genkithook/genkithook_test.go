package genkithook_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	plugin "github.com/firebase/genkit/go/plugins/middleware"
	"github.com/luahook/luahook/adapters/genkithook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
)

// world is a Genkit with a played model and an engine whose events are kept.
type world struct {
	testing.TB
	g      *genkit.Genkit
	model  *played
	ref    ai.Model
	engine *engine.Engine

	*adaptertest.Events
	mu       sync.Mutex
	messages []genkithook.Message
}

func newWorld(t testing.TB, policy string, turns ...*ai.Message) *world {
	t.Helper()
	w := &world{TB: t, g: genkit.Init(t.Context()), model: &played{turns: turns}}
	w.ref = w.model.define(w.g, "played")
	w.engine = adaptertest.NewEngine(t, policy)
	w.Events = adaptertest.Record(t, w.engine)
	return w
}

// hooked is the middleware, whose messages are kept.
func (w *world) hooked(o ...genkithook.Option) ai.Middleware {
	return genkithook.Middleware(w.engine, append(o, genkithook.WithMessages(func(_ context.Context, m genkithook.Message) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.messages = append(w.messages, m)
	}))...)
}

// generate is a Generate with the middleware as the last one.
func (w *world) generate(o ...ai.GenerateOption) (*ai.ModelResponse, error) {
	return genkit.Generate(w.Context(), w.g, append(o, ai.WithModel(w.ref), ai.WithUse(w.hooked()))...)
}

func (w *world) must(resp *ai.ModelResponse, err error) *ai.ModelResponse {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	return resp
}

func (w *world) want(what string, got, want any) {
	w.Helper()
	if got != want {
		w.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func call(ref, tool string, input any) *ai.ToolRequest {
	return &ai.ToolRequest{Ref: ref, Name: tool, Input: input}
}

func say(text string) *ai.Message { return ai.NewModelTextMessage(text) }

func textTool(w *world, name string, run func(input any) (string, error)) ai.ToolRef {
	return genkit.DefineTool(w.g, name, name, func(_ *ai.ToolContext, input any) (string, error) { return run(input) })
}

func TestAGenerateIsARun(t *testing.T) {
	w := newWorld(t, "", calls(call("c1", "echo", map[string]any{})), say("done"))
	echo := textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	flow := genkit.DefineFlow(w.g, "tidy", func(ctx context.Context, prompt string) (string, error) {
		return genkit.GenerateText(ctx, w.g, ai.WithModel(w.ref), ai.WithPrompt("%s", prompt), ai.WithTools(echo), ai.WithUse(w.hooked()))
	})
	text, err := flow.Run(t.Context(), "please")
	if err != nil || text != "done" {
		t.Fatal(text, err)
	}
	w.want("the events", w.Names(), "run_start pre_prompt pre_agent pre_model_call post_model_call pre_tool_call post_tool_call "+
		"pre_model_call post_model_call stop post_agent run_end")
	w.want("the program", w.Of(hooks.RunStart)[0].Fields["program_name"], any("tidy"))
	w.want("the agent", w.Of(hooks.PreToolCall)[0].AgentName, "tidy")
	w.want("the model", w.Of(hooks.PreToolCall)[0].Model, "played")
	w.want("the call's id", w.Of(hooks.PreToolCall)[0].ToolCall.ID, "c1")
	w.want("the last word", w.Of(hooks.PostAgent)[0].Response, "done")
}

func TestADeniedPromptIsTheError(t *testing.T) {
	w := newWorld(t, `on("pre_prompt", function() return deny("not that") end)`, say("done"))
	_, err := w.generate(ai.WithPrompt("please"))
	var denied *engine.DeniedError
	if !errors.As(err, &denied) || denied.Reason != "not that" {
		t.Errorf("got %v", err)
	}
	w.want("requests", len(w.model.requests), 0)
	w.want("run_end", w.Of(hooks.RunEnd)[0].Fields["success"], any(false))
}

func TestAPromptIsRewrittenBesideItsOtherParts(t *testing.T) {
	w := newWorld(t, `on("pre_prompt", function(ev) return modify{ prompt = ev.prompt:upper() } end)`, say(`{"ok":true}`))
	w.must(w.generate(ai.WithMessages(ai.NewUserMessage(ai.NewTextPart("look"), ai.NewMediaPart("image/png", "data:image/png;base64,AAAA"))), ai.WithOutputType(struct {
		OK bool `json:"ok"`
	}{})))
	w.want("the prompt", w.Of(hooks.PrePrompt)[0].Prompt, "look")
	content := w.model.requests[0].Messages[0].Content
	if len(content) != 3 || content[0].Text != "LOOK" || content[1].Text != "data:image/png;base64,AAAA" || content[2].Metadata["purpose"] != "output" {
		t.Errorf("the model was sent %v", w.model.asked(t))
	}
}

func TestStopKeepsTheAgentGoing(t *testing.T) {
	w := newWorld(t, `on("stop", function(ev) if ev.loop_count == 0 then return deny("run the tests") end end)`,
		calls(call("c1", "echo", map[string]any{})), say("finished"), calls(call("c2", "echo", map[string]any{})), say("really finished"))
	echo := textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	index := 0
	resp := w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(echo), ai.WithStreaming(func(_ context.Context, c *ai.ModelResponseChunk) error {
		if c.Index < index {
			t.Errorf("chunk %d after chunk %d", c.Index, index)
		}
		index = c.Index
		return nil
	})))
	w.want("the answer", resp.Text(), "really finished")
	w.want("stop events", len(w.Of(hooks.Stop)), 2)
	var said []string
	for _, message := range resp.History() {
		said = append(said, string(message.Role)+":"+message.Text())
	}
	w.want("the conversation", strings.Join(said, " "), "user:please model: tool: model:finished user:run the tests model: tool: model:really finished")
	w.want("the last chunk's message", index, 6)
}

func TestADenyOfTheModelAnswersInItsPlace(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function() return deny("the model is off") end)`)
	var streamed string
	// Neither does the format of the answer hide the reason, nor does a retry try again.
	data, resp, err := genkit.GenerateData[struct{ OK bool }](t.Context(), w.g, ai.WithModel(w.ref), ai.WithPrompt("please"),
		ai.WithUse(&plugin.Retry{}, w.hooked()), ai.WithStreaming(func(_ context.Context, c *ai.ModelResponseChunk) error {
			streamed += c.Text()
			return nil
		}))
	if data != nil || resp == nil {
		t.Fatal(data, resp, err)
	}
	w.want("the answer", resp.Text(), "the model is off")
	w.want("the reason", string(resp.FinishReason)+": "+resp.FinishMessage, "blocked: the model is off")
	w.want("the stream", streamed, "the model is off")
	w.want("the events", w.Names(), "run_start pre_prompt pre_agent pre_model_call post_agent run_end")
}

func TestAHaltEndsTheTurn(t *testing.T) {
	policy := `on("post_tool_call", { match = "echo" }, function() return halt("enough") end)`
	w := newWorld(t, policy, calls(call("c1", "echo", map[string]any{})), say("done"))
	echo := textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	resp := w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(echo)))
	w.want("the answer", resp.Text(), "enough")
	w.want("the reason", resp.FinishReason, ai.FinishReasonBlocked)
	w.want("requests", len(w.model.requests), 1)
	w.model.note(resp.History())
	w.want("what the tool answered", w.model.answers["c1"], "echoed")

	// One below ends the whole turn, too.
	w = newWorld(t, policy, calls(call("c1", "helper", map[string]any{})), calls(call("c1", "echo", map[string]any{})), say("done"))
	echo = textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	helper := genkit.DefineTool(w.g, "helper", "an agent", func(ctx *ai.ToolContext, _ any) (string, error) {
		return genkit.GenerateText(ctx, w.g, ai.WithModel(w.ref), ai.WithPrompt("go"), ai.WithTools(echo), ai.WithUse(w.hooked()))
	})
	resp = w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(helper)))
	w.want("the answer", resp.Text(), "enough")
	w.want("requests", len(w.model.requests), 2)
}

func TestADeniedSubagentAnswersInItsPlace(t *testing.T) {
	w := newWorld(t, `on("subagent_start", { match = "helper" }, function() return deny("no helpers") end)`, calls(call("c1", "helper", map[string]any{})), say("done"))
	helper := genkit.DefineTool(w.g, "helper", "an agent", func(ctx *ai.ToolContext, _ any) (string, error) {
		return genkit.GenerateText(ctx, w.g, ai.WithModel(w.ref), ai.WithPrompt("go"), ai.WithUse(w.hooked()))
	})
	resp := w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(helper)))
	w.want("the answer", resp.Text(), "done")
	w.want("what the outer model read", w.model.answers["c1"], "no helpers")
	w.want("runs", len(w.Of(hooks.RunStart)), 1)
}

func TestItSaysThatItIsNotInnermost(t *testing.T) {
	w := newWorld(t, "", say("one"), say("two"), say("three"))
	hooked := w.hooked()
	for range 2 {
		if _, err := genkit.GenerateText(t.Context(), w.g, ai.WithModel(w.ref), ai.WithPrompt("please"), ai.WithUse(hooked, &plugin.Retry{})); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.messages) != 1 || !w.messages[0].Warning || !strings.Contains(w.messages[0].Text, "genkit-middleware/retry") {
		t.Errorf("told %v", w.messages)
	}
	w.messages = nil
	if _, err := genkit.GenerateText(t.Context(), w.g, ai.WithModel(w.ref), ai.WithPrompt("please"), ai.WithUse(&plugin.Retry{}, w.hooked())); err != nil {
		t.Fatal(err)
	}
	w.want("messages", len(w.messages), 0)
}

func TestPromptsAndToolsOfMiddlewareAreJudged(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", { match = "lent" }, function() return deny("not that one") end)`, calls(call("c1", "lent", map[string]any{})), say("done"))
	lent := ai.NewTool("lent", "lent", func(*ai.ToolContext, any) (string, error) { return "ran", nil })
	lender := ai.MiddlewareFunc(func(context.Context) (*ai.Hooks, error) { return &ai.Hooks{Tools: []ai.Tool{lent}}, nil })
	prompt := genkit.DefinePrompt(w.g, "greet", ai.WithModel(w.ref), ai.WithPrompt("hello"))
	resp := w.must(prompt.Execute(t.Context(), ai.WithUse(lender, w.hooked())))
	w.want("the answer", resp.Text(), "done")
	w.want("what the model read", w.model.answers["c1"], "not that one")
}

func TestWithoutAnEngineNothingRuns(t *testing.T) {
	w := newWorld(t, "", say("done"))
	_, err := genkit.Generate(t.Context(), w.g, ai.WithModel(w.ref), ai.WithPrompt("please"), ai.WithUse(genkithook.Middleware(nil)))
	if !errors.Is(err, engine.ErrNotMade) {
		t.Errorf("got %v", err)
	}
	w.want("requests", len(w.model.requests), 0)
}

func TestContextOfHooksStaysOutOfTheConversation(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function() return context("answer in French") end)`, say("oui"))
	resp := w.must(w.generate(ai.WithPrompt("please")))
	if asked := w.model.asked(t)[0]; !strings.Contains(asked, "answer in French") {
		t.Errorf("the model was sent %s", asked)
	}
	if slices.ContainsFunc(resp.History(), func(m *ai.Message) bool { return strings.Contains(m.Text(), "French") }) {
		t.Error("the conversation has what was for one request alone")
	}
}
