package genkithook_test

import (
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/luahook/luahook/hooks"
)

// sampling is the configuration of a model that isn't Genkit's common one.
type sampling struct {
	Temperature *float32 `json:"temperature,omitempty"`
	Seed        int      `json:"seed"`
}

func TestHooksRewriteARequest(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function(ev)
  local m = ev.messages
  m[1].content = m[1].content:gsub("hunter2", "***")
  table.remove(m, 2)
  return modify{ messages = m, system_prompt = ev.system_prompt .. " Be brief.", tools = { "echo" }, temperature = 0.5, max_tokens = 100, model = "other" }
end)`, say("done"))
	echo := textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	other := textTool(w, "other", func(any) (string, error) { return "", nil })
	photo := ai.NewUserMessage(ai.NewTextPart("look"), ai.NewMediaPart("image/png", "data:image/png;base64,AAAA"))
	photo.Metadata = map[string]any{"kept": true}
	resp := w.must(w.generate(ai.WithSystem("You are kind."), ai.WithMessages(ai.NewUserTextMessage("it is hunter2"), say("forget this"), photo),
		ai.WithTools(echo, other), ai.WithConfig(&ai.GenerationCommonConfig{Temperature: 1, TopK: 3})))

	r := w.model.requests[0]
	var said []string
	for _, m := range r.Messages {
		said = append(said, string(m.Role)+":"+m.Text())
	}
	w.want("the messages", strings.Join(said, " "), "system:You are kind. Be brief. user:it is *** user:look")
	if r.Messages[2].Content[1].Text != "data:image/png;base64,AAAA" || r.Messages[2].Metadata["kept"] != true {
		t.Errorf("the photo became %v", w.model.asked(t))
	}
	if len(r.Tools) != 1 || r.Tools[0].Name != "echo" {
		t.Errorf("the tools are %v", r.Tools)
	}
	config, ok := r.Config.(*ai.GenerationCommonConfig)
	if !ok || config.Temperature != 0.5 || config.MaxOutputTokens != 100 || config.TopK != 3 {
		t.Errorf("the configuration is %#v", r.Config)
	}
	if len(w.messages) != 1 || !w.messages[0].Warning || !strings.Contains(w.messages[0].Text, "other") {
		t.Errorf("told %v, want that the model stays", w.messages)
	}
	w.want("messages of the conversation", len(resp.History()), 5) // which is the user's own
}

func TestAConfigurationKeepsItsType(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function(ev) return modify{ temperature = 0.5, max_tokens = 100 } end)`, say("done"))
	w.must(w.generate(ai.WithPrompt("please"), ai.WithConfig(sampling{Seed: 4})))
	config, ok := w.model.requests[0].Config.(sampling)
	if !ok || config.Temperature == nil || *config.Temperature != 0.5 || config.Seed != 4 {
		t.Errorf("the configuration is %#v", w.model.requests[0].Config)
	}
	if len(w.messages) != 1 || !strings.Contains(w.messages[0].Text, "maxOutputTokens") {
		t.Errorf("told %v, want that it has no limit", w.messages)
	}
	if _, has := w.Of(hooks.PreModelCall)[0].Fields["temperature"]; has {
		t.Error("hooks saw a temperature that isn't set")
	}
}

func TestARewriteThatIsNoRequestIsNotSent(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function(ev) return modify{ messages = { { role = "user" } } } end)`, say("done"))
	resp := w.must(w.generate(ai.WithPrompt("please")))
	w.want("requests", len(w.model.requests), 0)
	if resp.FinishReason != ai.FinishReasonBlocked || !strings.Contains(resp.Text(), "message 1: want a role and content") {
		t.Errorf("got %s: %s", resp.FinishReason, resp.Text())
	}
}
