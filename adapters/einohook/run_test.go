package einohook_test

import (
	"errors"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A hook of stop keeps the agent going, with the conversation so far and one instruction.
func TestStopKeepsTheAgentGoing(t *testing.T) {
	for _, stream := range []bool{false, true} {
		w := newWorld(t, `on("stop", function(ev) if ev.loop_count == 0 then return deny("run the tests") end end)`, agentEvents...)
		m := &played{answers: []*schema.Message{calls("echo", `{}`), schema.AssistantMessage("ready", nil), schema.AssistantMessage("tested", nil)}}
		r := w.run(newAgent(t, "main", m, w.handlers(), echo("echo")), stream)
		if r.err() != nil {
			t.Fatal(r.err())
		}
		equal(t, "the last word", r.final, "tested")
		var texts []string
		for _, m := range m.requests[2] {
			texts = append(texts, string(m.Role)+": "+m.Content)
		}
		equal(t, "the last request", texts, []string{"system: You are main.", "user: go", "assistant: ", "tool: {}", "assistant: ready", "user: run the tests"})
		equal(t, "events", w.story(), "run_start pre_agent@main post_agent@main stop@main pre_agent@main post_agent@main stop@main run_end")
		equal(t, "answers that stop was told", []string{w.Of(hooks.Stop)[0].Response, w.Of(hooks.Stop)[1].Response}, []string{"ready", "tested"})
	}
}

func TestRunThatMayNotStart(t *testing.T) {
	for policy, want := range map[string]string{
		`on("run_start", function() return deny("not today") end)`:  "run_start",
		`on("pre_prompt", function() return deny("not today") end)`: "run_start run_end",
		`on("pre_agent", function() return deny("not today") end)`:  "run_start pre_agent@main run_end",
	} {
		w := newWorld(t, policy, agentEvents...)
		m := &played{}
		r := w.run(newAgent(t, "main", m, w.handlers(), echo("echo")), false)
		var denied *engine.DeniedError
		if !errors.As(r.err(), &denied) || denied.Reason != "not today" || len(r.events) != 1 {
			t.Errorf("%s: %v, %d events", policy, r.err(), len(r.events))
		}
		equal(t, policy, w.story(), want)
		equal(t, "requests", len(m.requests), 0)
	}
}

// A prompt keeps its pictures, and what hooks add to it comes after it. The caller's messages stay
// as they are.
func TestPromptWithAPicture(t *testing.T) {
	w := newWorld(t, `
on("pre_prompt", function(ev) return modify{ prompt = ev.prompt .. ", please" } end)
on("pre_prompt", function() return context("it is Friday") end)`)
	url := "https://example.test/cat.png"
	prompt := &schema.Message{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
		{Type: schema.ChatMessagePartTypeText, Text: "what is this"},
		{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{URL: &url}}},
	}}
	m := &played{}
	runner := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: newAgent(t, "main", m, w.handlers())})
	if r := drain(einohook.Run(t.Context(), w.engine, runner, []adk.Message{prompt})); r.err() != nil {
		t.Fatal(r.err())
	}
	has(t, "the request", m.text(0), "what is this, please", url, "it is Friday")
	equal(t, "the caller's prompt", prompt.UserInputMultiContent[0].Text, "what is this")
}
