package adkhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"
)

// liveModel is a model whose client talks to a server of the test.
type liveModel struct {
	*played
	client *genai.Client
}

func (m *liveModel) Client() *genai.Client { return m.client }

// TestLive has a live model call tools, one after the other, and reads what it is sent.
func TestLive(t *testing.T) {
	w := newWorld(t, policy+`
on("pre_tool_call", { match = "rewrite" }, function(ev) return modify{ text = "rewritten" } end)`)
	sent := map[string]string{} // to the model, for each call
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var upgrader websocket.Upgrader
		conn, err := upgrader.Upgrade(rw, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		defer cancel()
		read := func() string {
			_, text, err := conn.ReadMessage()
			if err != nil {
				t.Error(err)
			}
			return string(text)
		}
		read() // its set-up
		_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"setupComplete":{}}`))
		for _, name := range []string{"danger", "rewrite", "secret", "approve"} {
			text, _ := json.Marshal(map[string]any{"toolCall": map[string]any{"functionCalls": []any{
				map[string]any{"id": name, "name": name, "args": map[string]any{"text": "hunter2"}}}}})
			_ = conn.WriteMessage(websocket.TextMessage, text)
			sent[name] = read()
		}
	}))
	defer server.Close()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: strings.Replace(server.URL, "http", "ws", 1)}})
	if err != nil {
		t.Fatal(err)
	}
	var tools []tool.Tool
	for _, name := range []string{"danger", "rewrite", "secret", "approve"} {
		tools = append(tools, w.tool(t, name))
	}
	a, err := llmagent.New(llmagent.Config{Name: "main", Model: &liveModel{&played{name: "live"}, client}, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	_, events, err := converse(t, a, adkhook.Plugin(w.engine)).runner.RunLive(ctx, "user-1", "session-1", agent.LiveRunConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range events {
		if err != nil && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "close") {
			t.Error(err)
		}
	}
	server.Close() // waits for the handler
	for name, want := range map[string]string{
		"danger": "not danger", "rewrite": "rewrite said rewritten", "secret": "secret said ***", "approve": "there is nobody to ask",
	} {
		contains(t, name, sent[name], want)
	}
	for name, text := range sent {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: the model was sent %s", name, text)
		}
	}
	if starts, ends := w.about(hooks.RunStart, ""), w.about(hooks.RunEnd, ""); len(starts) != 1 || len(ends) != 1 {
		t.Errorf("%d run_start, %d run_end", len(starts), len(ends))
	}
	if posts := w.about(hooks.PostToolCall, ""); len(posts) != 4 {
		t.Errorf("%d post_tool_call, want 4", len(posts))
	}
}

func TestALiveRunThatNobodyReadsEndsWithTheNextRun(t *testing.T) {
	w := newWorld(t, policy)
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: "ws://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := llmagent.New(llmagent.Config{Name: "main", Model: &liveModel{&played{name: "live"}, client}})
	if err != nil {
		t.Fatal(err)
	}
	p := adkhook.Plugin(w.engine)
	ctx, cancel := context.WithCancel(context.Background())
	live, _, err := converse(t, a, p).runner.RunLive(ctx, "user-1", "session-1", agent.LiveRunConfig{})
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	other, _ := newAgent(t, llmagent.Config{})
	converse(t, other, p).ask("go")
	if starts, ends := w.about(hooks.RunStart, ""), w.about(hooks.RunEnd, ""); len(starts) != 2 || len(ends) != 2 {
		t.Errorf("%d run_start, %d run_end, want 2 and 2", len(starts), len(ends))
	}
}
