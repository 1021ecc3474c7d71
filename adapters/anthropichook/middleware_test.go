package anthropichook_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
)

func messageParams(prompt string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "played-1", MaxTokens: 100, Temperature: anthropic.Float(0.5),
		System:   []anthropic.TextBlockParam{{Text: "be kind", CacheControl: anthropic.NewCacheControlEphemeralParam()}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	}
}

func TestEachAttemptIsAModelCall(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, func(r request) reply {
		if r.number == 1 {
			return reply{status: 529, message: "busy"}
		}
		return reply{content: []any{text("hello")}}
	})
	m, err := p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.New(t.Context(), messageParams("hi"))
	if err != nil || m.Content[0].Text != "hello" {
		t.Fatal(m, err)
	}
	equal(t, "the events", events.Names(), "pre_model_call on_error pre_model_call post_model_call")
	failed := events.Of(hooks.OnError)[0].Error
	has(t, "the error", failed.Message, "529", "busy")
	equal(t, "its kind, and whether it can be tried again", []any{failed.Kind, failed.IsRetryable}, []any{"overloaded", true})
	equal(t, "the second attempt says so", events.Of(hooks.PreModelCall)[1].Metadata["retry"], 1)
	pre, post := events.Of(hooks.PreModelCall)[1], events.Of(hooks.PostModelCall)[0]
	equal(t, "what was asked", []any{pre.Model, pre.Fields["system_prompt"], pre.Fields["temperature"], pre.Fields["max_tokens"]}, []any{"played-1", "be kind", 0.5, 100})
	equal(t, "what was answered", []any{post.Response, post.Fields["finish_reason"], *post.Usage}, []any{"hello", "end_turn", hooks.Usage{InputTokens: 11, OutputTokens: 7, CacheTokens: 3}})
}

func TestAStreamIsNotHeldBack(t *testing.T) {
	e, events := newEngine(t, "")
	read := make(chan struct{})
	p := serve(t, nil)
	p.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i, event := range streamOf(object{"type": "message", "id": "m", "role": "assistant", "model": "played-1", "stop_reason": "end_turn", "content": []any{text("hello")}, "usage": object{"input_tokens": 11, "output_tokens": 7}}) {
			if i > 0 {
				<-read // until the reader has what was sent before
			}
			data, _ := json.Marshal(event)
			_, _ = w.Write([]byte("event: " + event["type"].(string) + "\ndata: " + string(data) + "\n\n"))
			w.(http.Flusher).Flush()
		}
	})
	stream := p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.NewStreaming(t.Context(), messageParams("hi"))
	count := 0
	for stream.Next() {
		if count++; count < 6 {
			read <- struct{}{}
		}
	}
	if err := stream.Err(); err != nil || count != 6 {
		t.Fatal(count, err)
	}
	equal(t, "the answer", events.Of(hooks.PostModelCall)[0].Response, "hello")
}

func TestAStreamThatBreaksIsAnError(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, func(request) reply {
		return reply{content: []any{text("hello")}, more: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"fell over\"}}\n\n"}
	})
	stream := p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.NewStreaming(t.Context(), messageParams("hi"))
	for stream.Next() {
	}
	if stream.Err() == nil {
		t.Error("the SDK saw no error")
	}
	equal(t, "the events", events.Names(), "pre_model_call on_error")
	has(t, "the error", events.Of(hooks.OnError)[0].Error.Message, "fell over")
}

func TestAStreamThatIsGivenUpIsOver(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("hello"))
	stream := p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.NewStreaming(t.Context(), messageParams("hi"))
	stream.Next()
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	equal(t, "the events", events.Names(), "pre_model_call post_model_call")
}

func TestADeniedRequestIsAnsweredInTheModelsPlace(t *testing.T) {
	e, events := newEngine(t, `on("pre_model_call", function() return deny("the budget is used up") end)`)
	p := serve(t, says("hello"))
	c := p.client(option.WithMiddleware(anthropichook.Middleware(e)))
	m, err := c.Messages.New(t.Context(), messageParams("hi"))
	if err != nil || m.Content[0].Text != "the budget is used up" || m.StopReason != anthropic.StopReasonEndTurn {
		t.Error(m, err)
	}
	stream, streamed := c.Messages.NewStreaming(t.Context(), messageParams("hi")), anthropic.Message{}
	for stream.Next() {
		if err := streamed.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if stream.Err() != nil || streamed.Content[0].Text != "the budget is used up" || streamed.StopReason != anthropic.StopReasonEndTurn {
		t.Error(streamed, stream.Err())
	}
	equal(t, "requests", len(p.texts()), 0)
	equal(t, "the events", events.Names(), "pre_model_call pre_model_call")
}

func TestARequestIsRewritten(t *testing.T) {
	e, _ := newEngine(t, `
on("pre_model_call", function(ev)
  ev.messages[1].content[1].text = ev.messages[1].content[1].text:gsub("hunter2", "***")
  return modify{ model = "played-2", messages = ev.messages, temperature = 0.25 }
end)
on("pre_model_call", function() return context("answer in French") end)`)
	p := serve(t, says("bonjour"))
	sent := messageParams("my password is hunter2")
	sent.Metadata = anthropic.MetadataParam{UserID: anthropic.String("u1")}
	if _, err := p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.New(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(p.texts()[0]), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"model":       `"played-2"`,
		"temperature": `0.25`,
		"max_tokens":  `100`,
		"metadata":    `{"user_id":"u1"}`,
		"messages":    `[{"content":[{"text":"my password is ***","type":"text"}],"role":"user"}]`,
		"system":      `[{"text":"be kind","cache_control":{"type":"ephemeral"},"type":"text"},{"text":"answer in French","type":"text"}]`,
		"tools":       ``,
	} {
		equal(t, key, string(got[key]), want)
	}
}

func TestContextBecomesTheSystemPrompt(t *testing.T) {
	e, _ := newEngine(t, `on("pre_model_call", function() return context("answer in French") end)`)
	p := serve(t, says("bonjour"))
	c := p.client(option.WithMiddleware(anthropichook.Middleware(e)))
	for _, set := range []option.RequestOption{option.WithJSONDel("system"), option.WithJSONSet("system", "be kind")} {
		if _, err := c.Messages.New(t.Context(), messageParams("hi"), set); err != nil {
			t.Fatal(err)
		}
	}
	has(t, "a request without one", p.texts()[0], `"system":[{"text":"answer in French","type":"text"}]`)
	has(t, "a request with a text", p.texts()[1], `"system":[{"text":"be kind","type":"text"},{"text":"answer in French","type":"text"}]`)
}

func TestSignedRequestsAreNotRewritten(t *testing.T) {
	signed := option.WithHeader("Authorization", "AWS4-HMAC-SHA256 Credential=x")
	for script, want := range map[string]string{
		`on("pre_model_call", function() end)`:                     "",
		`on("pre_model_call", function() return context("x") end)`: "signed already",
	} {
		p := serve(t, says("hello"))
		_, err := p.client(option.WithMiddleware(anthropichook.Middleware(adaptertest.NewEngine(t, script)))).Messages.New(t.Context(), messageParams("hi"), signed)
		switch {
		case want == "" && (err != nil || len(p.texts()) != 1):
			t.Errorf("%s: got %v after %d requests, want it sent", script, err, len(p.texts()))
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || len(p.texts()) != 0):
			t.Errorf("%s: got %v after %d requests, want %q after none", script, err, len(p.texts()), want)
		}
	}
}

func TestRequestsThatHooksCantJudge(t *testing.T) {
	const listening = `on("pre_model_call", function() end)`
	for body, why := range map[string]string{
		`{"x":"` + strings.Repeat("x", hooks.MaxEventBytes) + `"}`: "larger than 16 MiB",
		`{"model":"a","model":"b"}`:                                `"model"`,
		`[]`:                                                       "no JSON object",
	} {
		for _, script := range []string{"", listening} {
			var w warnings
			sent := ""
			req := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
			res, err := anthropichook.Middleware(adaptertest.NewEngine(t, script), w.option())(req, func(req *http.Request) (*http.Response, error) {
				raw, err := io.ReadAll(req.Body)
				sent = string(raw)
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, err
			})
			if err != nil {
				t.Fatal(err)
			}
			if script == "" {
				if sent != body || !strings.Contains(w.text, why) {
					t.Errorf("nobody listens, and %d of %d bytes were sent, with the warning %q", len(sent), len(body), w.text)
				}
				continue
			}
			answer, _ := io.ReadAll(res.Body)
			if sent != "" || res.StatusCode != http.StatusBadRequest || !strings.Contains(strings.ReplaceAll(string(answer), `\`, ""), why) {
				t.Errorf("%d bytes were sent, and the answer is %d %s, want %q", len(sent), res.StatusCode, answer, why)
			}
		}
	}
}

func TestALargeAnswerPassesWhole(t *testing.T) {
	e, events := newEngine(t, "")
	body := strings.Repeat("x", hooks.MaxEventBytes+1)
	req := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(`{"messages":[]}`))
	res, err := anthropichook.Middleware(e)(req, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(res.Body); err != nil || string(got) != body {
		t.Errorf("got %d bytes of %d, %v", len(got), len(body), err)
	}
	equal(t, "the events", events.Names(), "pre_model_call post_model_call")
}

func TestOtherRequestsPass(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("hello"))
	_, _ = p.client(option.WithMiddleware(anthropichook.Middleware(e))).Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{
		Model: "played-1", Messages: messageParams("hi").Messages})
	equal(t, "requests", len(p.texts()), 1)
	equal(t, "the events", events.Names(), "")
}
