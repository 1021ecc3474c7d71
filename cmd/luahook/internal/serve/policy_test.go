package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// Each answer to an event that was judged says by which policy, and so does /readyz.
func TestAnswersNameTheirPolicy(t *testing.T) {
	e := newEngine(t, noRm)
	r := run(t, newServer(t, e, nil))
	named := func(method, path, body string) (generation, policy string) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		a, err := client(t).Do(q)
		if err != nil {
			t.Fatal(err)
		}
		text(t, a)
		return a.Header.Get("Luahook-Generation"), a.Header.Get("Luahook-Policy")
	}
	const event = `{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"ls"}}}`
	generation, policy := named("GET", "/readyz", "")
	if generation == "" || len(policy) != 16 {
		t.Fatalf("/readyz names %q, %q", generation, policy)
	}
	for path, body := range map[string]string{
		"/v1/fire": event, "/v1/agents/claude": `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`,
	} {
		if g, p := named("POST", path, body); g != generation || p != policy {
			t.Errorf("%s names %q, %q; want %q, %q", path, g, p, generation, policy)
		}
	}
	if g, p := named("POST", "/v1/fire", `{"event":"no_such"}`); g != "" || p != "" {
		t.Errorf("what no policy has judged names %q, %q", g, p)
	}
	r.Reloaded(e.Reload(context.Background()))
	r.Reloaded(errors.New("a file is broken"))
	if g, p := named("POST", "/v1/fire", event); g == generation || p != policy {
		t.Errorf("after a reload that changes nothing: %q, %q; before %q, %q", g, p, generation, policy)
	}
	a, err := client(t).Get(r.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	metrics := text(t, a)
	for _, want := range []string{`luahook_policy_info{policy="` + policy + `"} 1`, `luahook_reloads_total{outcome="done"} 1`, `luahook_reloads_total{outcome="failed"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
}
