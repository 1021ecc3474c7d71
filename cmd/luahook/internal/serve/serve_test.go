package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newEngine makes an engine with one script and no built-ins that is closed with the test.
func newEngine(t testing.TB, script string, options ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := engine.New(append([]engine.Option{engine.WithoutBuiltins(), engine.WithScript("test.lua", script)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// newServer makes a server of loopback without a token, unless change says otherwise.
func newServer(t testing.TB, e *engine.Engine, change func(*Options)) *Server {
	t.Helper()
	o := Options{Engine: e, Address: address(t, DefaultAddress), CWD: "/work/shop", Version: "v1.2.3"}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func address(t testing.TB, text string) access.Address {
	t.Helper()
	a, err := access.ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// noRm is a policy for most tests.
const noRm = `on("pre_tool_call", {match = "bash"}, function(ev)
	if ev.tool_call.command:find("rm", 1, true) then return deny("no rm in " .. ev.cwd) end
	if ev.tool_call.command == "ask" then return ask("really?") end
	if ev.tool_call.command == "ll" then return modify{command = "ls -l"} end
end)
on("post_tool_call", function() return context("seen") end)`

// bash is an event of luahook's, and claudeBash one of Claude Code's.
func bash(command string) string {
	return `{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"` + command + `"}}}`
}

func claudeBash(command string) string {
	return `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"` + command + `"}}`
}

// send has a handler answer a request; headers are names and values in turn.
func send(h http.Handler, method, path, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:7878"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			r.Host = headers[i+1]
		case headers[i+1] == "":
			r.Header.Del(headers[i])
		default:
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func post(h http.Handler, path, body string, headers ...string) *http.Response {
	return send(h, http.MethodPost, path, body, headers...)
}

// text reads a body.
func text(t testing.TB, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// answer is what tests look at in an answer of any kind.
type answer struct {
	Decision string
	Block    bool
	Reason   string
	Detail   string
	Status   int
	Input    map[string]any
	Warnings []string
	Summary  *hooks.RunSummary
	Specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
		Input    map[string]any
		Updated  map[string]any `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

func decoded(t testing.TB, r *http.Response) (a answer) {
	t.Helper()
	body := text(t, r)
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return a
}

// log is a log that tests read.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *log) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// within is a context for what must come soon.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// receive waits for a value.
func receive[T any](t testing.TB, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-within(t).Done():
		t.Fatalf("%s hasn't come", what)
	}
	return v
}
