package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

// An event gets the result that eval prints, and happens in the server's folder if it doesn't say where.
func TestFire(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	for body, want := range map[string]answer{
		bash("ls"):    {},
		bash("rm -r"): {Decision: "deny", Block: true, Reason: "no rm in /work/shop"},
		strings.Replace(bash("rm"), "{", `{"cwd":"/elsewhere",`, 1): {Decision: "deny", Block: true, Reason: "no rm in /elsewhere"},
		bash("ask"):              {Decision: "ask", Reason: "really?"},
		bash("ll"):               {Input: map[string]any{"command": "ls -l"}},
		`{"event":"SessionEnd"}`: {},
		`{"event":"my.own"}`:     {},
	} {
		got := post(s, "/v1/fire", body)
		a := decoded(t, got)
		if got.StatusCode != 200 || a.Decision != want.Decision || a.Block != want.Block || a.Reason != want.Reason ||
			a.Input["command"] != want.Input["command"] || a.Summary == nil {
			t.Errorf("%s: %d, %+v", body, got.StatusCode, a)
		}
	}
}

// What can't be judged is denied, unless that would keep an agent going or nothing can be blocked.
func TestWhatCannotBeJudged(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	for body, word := range map[string]string{
		"":                                 "JSON",
		"nonsense":                         "JSON",
		"[]":                               "object",
		`{"event":"pre_tool_call"}`:        "tool_call",
		`{"event":"nothing"}`:              "nothing",
		`{}`:                               "event",
		`{"event":"stop"} {"event":"x.y"}`: "",
		`{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"ls","command":"rm"}}}`: "command",
		strings.Repeat("[", 100_000): "",
	} {
		got := post(s, "/v1/fire", body)
		a := decoded(t, got)
		if got.StatusCode != 400 || !a.Block || a.Decision != "deny" || a.Status != 400 || !strings.Contains(a.Detail, word) || strings.HasPrefix(a.Detail, "luahook:") {
			t.Errorf("%.100s: %d, %+v", body, got.StatusCode, a)
		}
	}
	for _, event := range []string{"stop", "post_response"} {
		got := post(s, "/v1/fire", `{"event":"`+event+`"}`, timeoutHeader, "soon")
		if a := decoded(t, got); got.StatusCode != 400 || a.Block || len(a.Warnings) == 0 {
			t.Errorf("%s: %d, %+v", event, got.StatusCode, a)
		}
	}
}

func TestAnswersOfAgents(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	decision := func(path, body string) (string, answer) {
		t.Helper()
		got := post(s, path, body)
		if got.StatusCode != 200 {
			t.Errorf("%s: status %d", body, got.StatusCode)
		}
		if got.ContentLength == 0 {
			return "silence", answer{}
		}
		a := decoded(t, got)
		return a.Specific.Decision, a
	}
	if d, _ := decision("/v1/agents/claude", claudeBash("ls")); d != "silence" {
		t.Errorf("no opinion is %s", d)
	}
	if d, a := decision("/v1/agents/claude", claudeBash("rm")); d != "deny" || a.Specific.Reason != "no rm in /w" || a.Specific.Event != "PreToolUse" {
		t.Errorf("got %+v", a)
	}
	if _, a := decision("/v1/agents/Claude", claudeBash("ll")); a.Specific.Updated["command"] != "ls -l" {
		t.Errorf("got %+v", a)
	}
	nameless := `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"rm"}}`
	if d, a := decision("/v1/agents/claude?event=PreToolUse", nameless); d != "deny" || a.Specific.Reason != "no rm in /work/shop" {
		t.Errorf("got %+v", a)
	}
	for _, bad := range []string{nameless, "", "nonsense", `{"hook_event_name":"PreToolUse"}`} {
		if d, a := decision("/v1/agents/claude", bad); d != "deny" || a.Specific.Reason == "" {
			t.Errorf("%s: %s, %+v", bad, d, a)
		}
	}
}

// Of each event of each agent: if the agent takes a denial as JSON, it gets that; if it doesn't, it isn't served at
// all, rather than answered with what it takes for consent.
func TestAgentsThatWantAnExitStatus(t *testing.T) {
	e := newEngine(t, "")
	s := newServer(t, e, nil)
	served := 0
	for _, agent := range wire.Agents() {
		for _, event := range agent.Events {
			call, _ := agent.Decode(nil, event.Name)
			r := engine.Unjudged(call.Event.Event, errors.New("no"))
			out := call.ForHTTP().Encode(r)
			got := post(s, "/v1/agents/"+agent.Name+"?event="+event.Name, "nonsense")
			body := text(t, got)
			switch {
			case out.Exit != 0 && got.StatusCode != http.StatusNotImplemented:
				t.Errorf("%s %s: status %d", agent.Name, event.Name, got.StatusCode)
			case got.StatusCode == http.StatusNotImplemented && !strings.Contains(body, "luahook run --agent "+agent.Name):
				t.Errorf("%s %s isn't served, and what to do isn't said: %s", agent.Name, event.Name, body)
			case got.StatusCode == http.StatusOK:
				served++
				if r.Block && event.Can&wire.Deny != 0 && len(body) == 0 {
					t.Errorf("%s %s: what can't be judged is answered with silence", agent.Name, event.Name)
				}
			}
		}
	}
	if served == 0 {
		t.Error("no agent is served")
	}
}

// An event ends with its time, and an agent's before the agent stops waiting.
func TestTimeIsUp(t *testing.T) {
	e := newEngine(t, noRm)
	left := make(chan time.Duration, 1)
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{OnFailure: hooks.Warn, Timeout: time.Hour}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		if c.ToolCall.Command == "wait" {
			<-ctx.Done()
		}
		return nil, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, e, nil)

	got := post(s, "/v1/fire", bash("wait"), timeoutHeader, "20ms")
	if a := decoded(t, got); got.StatusCode != http.StatusGatewayTimeout || !a.Block || a.Reason == "" {
		t.Errorf("got %d, %+v", got.StatusCode, a)
	}
	<-left
	got = post(s, "/v1/agents/claude", claudeBash("wait"), timeoutHeader, "20ms")
	if a := decoded(t, got); got.StatusCode != 200 || a.Specific.Decision != "deny" || !strings.Contains(a.Specific.Reason, "time") {
		t.Errorf("got %d, %+v", got.StatusCode, a)
	}
	<-left

	post(s, "/v1/agents/claude", claudeBash("ls"))
	if within := <-left; within > wire.DefaultTimeout*9/10 || within < wire.DefaultTimeout/2 {
		t.Errorf("an agent's event has %s", within)
	}
	post(s, "/v1/fire", bash("ls"))
	if within := <-left; within > MaxTime || within < MaxTime/2 {
		t.Errorf("an event has %s", within)
	}
	for _, bad := range []string{"0s", "-1s", "11m", "1e9h", "5", "soon"} {
		if got := post(s, "/v1/fire", bash("ls"), timeoutHeader, bad); got.StatusCode != 400 {
			t.Errorf("%s: status %d", bad, got.StatusCode)
		}
		if a := decoded(t, post(s, "/v1/agents/claude", claudeBash("ls"), timeoutHeader, bad)); a.Specific.Decision != "deny" {
			t.Errorf("%s: %+v", bad, a)
		}
	}
}

// A client that goes away takes its event with it.
func TestClientGoesAway(t *testing.T) {
	e := newEngine(t, noRm)
	began, ended := make(chan bool, 1), make(chan error, 1)
	_, err := e.RegisterHook("a.b", hooks.Options{Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		began <- true
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, e, nil)
	server := httptest.NewServer(s)
	defer server.Close()
	ctx, cancel := context.WithCancel(within(t))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/fire", strings.NewReader(`{"event":"a.b"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answered := make(chan error, 1)
	go func() {
		_, err := server.Client().Do(r)
		answered <- err
	}()
	receive(t, "the event", began)
	cancel()
	if err := receive(t, "the hook's end", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the hook ended with %v", err)
	}
	if err := receive(t, "the client's end", answered); !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	server.Close() // which waits for the handler
	if n := s.metrics.refused[causeGone].Load(); n != 1 {
		t.Errorf("%d clients are said to have gone away", n)
	}
}

// There is room for so many bytes of events at once, however they are sent, and it comes back.
func TestRoom(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	large := bash(strings.Repeat("x", 1<<20))
	chunked := func(path, body string) *http.Response {
		r := httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader(body)))
		r.Host, r.ContentLength = "localhost", -1
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Result()
	}
	largest := bash(strings.Repeat("x", hooks.MaxEventBytes-len(bash(""))))
	for name, send := range map[string]func(path, body string) *http.Response{
		"length": func(path, body string) *http.Response { return post(s, path, body) }, "chunks": chunked,
	} {
		for _, body := range []string{bash("ls"), large, largest} {
			if got := send("/v1/fire", body); got.StatusCode != 200 {
				t.Errorf("%s: %d bytes: status %d: %.200s", name, len(body), got.StatusCode, text(t, got))
			}
		}
		if got := send("/v1/fire", largest+" "); got.StatusCode != 413 {
			t.Errorf("%s: one byte more: status %d", name, got.StatusCode)
		}
		if a := decoded(t, send("/v1/agents/claude?event=PreToolUse", largest+" ")); a.Specific.Decision != "deny" {
			t.Errorf("%s: one byte more, of an agent: %+v", name, a)
		}

		s.room.Store(leastCost)
		if got := send("/v1/fire", bash("ls")); got.StatusCode != 200 {
			t.Errorf("%s: a small event where there is room for one: status %d", name, got.StatusCode)
		}
		if got := send("/v1/fire", large); got.StatusCode != 503 || got.Header.Get("Retry-After") != "1" || !decoded(t, got).Block {
			t.Errorf("%s: a large event where there is room for a small one: status %d, %v", name, got.StatusCode, got.Header)
		}
		got := send("/v1/agents/claude?event=PreToolUse", large)
		if a := decoded(t, got); a.Specific.Decision != "deny" || got.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: an agent's: %+v", name, a)
		}
		if room := s.room.Load(); room != leastCost {
			t.Errorf("%s: there is room for %d bytes, want %d", name, room, leastCost)
		}
		s.room.Store(maxAtWork)
	}
	if n := s.metrics.atWork.Load(); n != 0 {
		t.Errorf("%d events are at work", n)
	}
}

// A body that breaks off is no shorter event.
func TestBodyBreaksOff(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	r := httptest.NewRequest(http.MethodPost, "/v1/fire", io.MultiReader(strings.NewReader(bash("ls")), iotestError{}))
	r.Host, r.ContentLength = "localhost", -1
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if a := decoded(t, w.Result()); w.Code != 400 || !a.Block {
		t.Errorf("got %d, %+v", w.Code, a)
	}
	r = httptest.NewRequest(http.MethodPost, "/v1/fire", strings.NewReader(bash("ls")))
	r.Host, r.ContentLength = "localhost", int64(len(bash("ls"))+1)
	r.Header.Set("Content-Type", "application/json")
	w = httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if a := decoded(t, w.Result()); w.Code != 400 || !a.Block {
		t.Errorf("a body shorter than it says: %d, %+v", w.Code, a)
	}
}

type iotestError struct{}

func (iotestError) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Whatever fails in luahook is told as a denial, and the log says more.
func TestPanic(t *testing.T) {
	var l log
	s := newServer(t, newEngine(t, noRm), func(o *Options) { o.Logger = l.logger() })
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/v1/agents/claude?event=PreToolUse", strings.NewReader("{}"))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	r.SetPathValue("agent", "claude")
	at := route{method: http.MethodPost, agent: true, answer: func(*Server, http.ResponseWriter, *http.Request) *refusal { panic("the worst") }}
	s.handle(w, r, at)
	if a := decoded(t, w.Result()); w.Code != 200 || a.Specific.Decision != "deny" || !strings.Contains(l.String(), "the worst") {
		t.Errorf("got %d, %+v, log %s", w.Code, a, l.String())
	}
}

// Hooks that run once in a session have run when the answer is out.
func TestOncePerSession(t *testing.T) {
	s := newServer(t, newEngine(t, `on("session_start", {once = true}, function() return context("once") end)`), nil)
	server := httptest.NewServer(s)
	defer server.Close()
	for i, want := range []bool{true, false} {
		r, err := server.Client().Post(server.URL+"/v1/fire", "application/json", strings.NewReader(`{"event":"session_start","session_id":"s"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text(t, r), `"new_context":"once"`); got != want {
			t.Errorf("event %d: context %v, want %v", i+1, got, want)
		}
	}
}
