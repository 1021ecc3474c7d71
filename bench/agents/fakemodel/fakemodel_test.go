package fakemodel_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/bench/agents/fakemodel"
)

var tool = fakemodel.Tool{Name: "sh", Input: func(command string) map[string]any { return map[string]any{"cmd": command} }}

// start starts a model that runs ls and then is done.
func start(t *testing.T) *fakemodel.Server {
	t.Helper()
	s, err := fakemodel.Start(tool, fakemodel.Turn{Command: "ls"}, fakemodel.Turn{Text: "that's all"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// post sends a request and returns the status and the body of the answer.
func post(t *testing.T, s *fakemodel.Server, path, body string) (int, string) {
	t.Helper()
	r, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	out, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(out)
}

// TestAnswers goes through a conversation in each form: a request without the tool, and three with it.
func TestAnswers(t *testing.T) {
	const functions, chatTools = `"tools":[{"name":"sh"}]`, `"tools":[{"type":"function","function":{"name":"sh"}}]`
	for _, c := range []struct {
		name, path, tools string
		call, text        string // what an answer has in it that calls the tool, and one that doesn't before its text
	}{
		{"responses", "/v1/responses", functions, `"arguments":"{\"cmd\":\"ls\"}"`, `"text":`},
		{"chat", "/v1/chat/completions", chatTools, `"arguments":"{\"cmd\":\"ls\"}"`, `"content":`},
		{"chat stream", "/v1/chat/completions", chatTools + `,"stream":true`, `"arguments":"{\"cmd\":\"ls\"}"`, `"content":`},
		{"content", "/v1beta/models/x:generateContent", `"tools":[{"functionDeclarations":[{"name":"sh"}]}]`,
			`"functionCall":{"args":{"cmd":"ls"},"name":"sh"}`, `"text":`},
		{"content stream", "/v1beta/models/x:streamGenerateContent", `"tools":[{"functionDeclarations":[{"name":"sh"}]}]`,
			`"functionCall":{"args":{"cmd":"ls"},"name":"sh"}`, `"text":`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t)
			for i, step := range []struct{ tools, want string }{
				{strings.ReplaceAll(c.tools, `"sh"`, `"other"`), c.text + `"ok"`},
				{c.tools, c.call},
				{c.tools, c.text + `"that's all"`},
				{c.tools, c.text + `"That was answer 3."`},
			} {
				status, out := post(t, s, c.path, `{"input":"step",`+step.tools+`}`)
				if status != http.StatusOK || !strings.Contains(out, step.want) {
					t.Errorf("step %d: %d %s, want %s", i+1, status, out, step.want)
				}
				if stream := strings.Contains(out, "data: "); stream != (strings.Contains(c.name, "stream") || c.name == "responses") {
					t.Errorf("step %d: a stream: %v: %s", i+1, stream, out)
				}
			}
			var conversation []bool
			for _, r := range s.Requests() {
				conversation = append(conversation, r.Conversation)
			}
			if want := []bool{false, true, true, true}; !slices.Equal(conversation, want) {
				t.Errorf("of the conversation: %v, want %v", conversation, want)
			}
		})
	}
}

// TestMaxTurns sees that an agent which never ends is stopped.
func TestMaxTurns(t *testing.T) {
	s := start(t)
	for i := range fakemodel.MaxTurns + 2 {
		status, out := post(t, s, "/v1/responses", `{"tools":[{"name":"sh"}]}`)
		if want := i < fakemodel.MaxTurns; (status == http.StatusOK) != want {
			t.Errorf("request %d: %d %s", i+1, status, out)
		}
	}
}

// TestLog sees that whatever comes is kept, and that nothing is answered that no model is asked.
func TestLog(t *testing.T) {
	s := start(t)
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/telemetry", `{"event":"start"}`, http.StatusNotFound},
		{"/v1/responses", `no JSON`, http.StatusOK},
		{"/v1/responses", `["a list"]`, http.StatusOK},
		{"/v1/chat/completions", `{"tools":"none","messages":[{"content":"one"},{"content":["two","one"]}]}`, http.StatusOK},
		{"/v1beta/models/x:countTokens", `{}`, http.StatusOK},
	} {
		if status, out := post(t, s, c.path, c.body); status != c.status {
			t.Errorf("%s: %d %s, want %d", c.path, status, out, c.status)
		}
	}
	requests := s.Requests()
	if len(requests) != 5 {
		t.Fatalf("%d requests in the log, want 5", len(requests))
	}
	if got, want := requests[3].Texts(), []string{"one", "two", "one", "none"}; !slices.Equal(got, want) {
		t.Errorf("texts: %q, want %q", got, want)
	}
	if got, want := requests[3].Since(fakemodel.Request{Body: []any{"one"}}), []string{"two", "none"}; !slices.Equal(got, want) {
		t.Errorf("new texts: %q, want %q", got, want)
	}
	if !requests[1].Contains("JSON") || requests[2].Contains("lists") || !requests[2].Contains("list") {
		t.Error("Contains doesn't find what a request has, or finds what it hasn't")
	}
}
