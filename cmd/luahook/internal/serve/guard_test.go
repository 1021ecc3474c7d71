package serve

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

// TestWhoMayAsk holds the checks against requests that a browser, a stranger and honest clients send.
func TestWhoMayAsk(t *testing.T) {
	e := newEngine(t, noRm)
	for _, test := range []struct {
		name    string
		listen  string
		token   string
		headers []string
		want    int
	}{
		{name: "an honest client", want: 200},
		{name: "by name", headers: []string{"Host", "localhost:7878"}, want: 200},
		{name: "by name, in capitals", headers: []string{"Host", "LOCALHOST"}, want: 200},
		{name: "by another port, as a tunnel has it", headers: []string{"Host", "localhost:1"}, want: 200},
		{name: "IPv6", headers: []string{"Host", "[::1]:7878"}, want: 200},
		{name: "another address of loopback", headers: []string{"Host", "127.8.8.8:7878"}, want: 200},
		{name: "rebound name", headers: []string{"Host", "evil.example:7878"}, want: 403},
		{name: "name that begins well", headers: []string{"Host", "localhost.evil.example"}, want: 403},
		{name: "name that begins like an address", headers: []string{"Host", "127.0.0.1.evil.example"}, want: 403},
		{name: "name that ends well", headers: []string{"Host", "evil.localhost"}, want: 403},
		{name: "another machine's address", headers: []string{"Host", "192.168.1.7:7878"}, want: 403},
		{name: "all addresses", headers: []string{"Host", "0.0.0.0:7878"}, want: 403},
		{name: "no host", headers: []string{"Host", ""}, want: 403},
		{name: "page of a stranger", headers: []string{"Origin", "https://evil.example"}, want: 403},
		{name: "page without an origin", headers: []string{"Origin", "null"}, want: 403},
		{name: "page of another port", headers: []string{"Origin", "http://127.0.0.1:3000"}, want: 403},
		{name: "page of another name of this machine", headers: []string{"Origin", "http://localhost:7878"}, want: 403},
		{name: "page over TLS", headers: []string{"Origin", "https://127.0.0.1:7878"}, want: 403},
		{name: "page of an extension", headers: []string{"Origin", "moz-extension://1234"}, want: 403},
		{name: "own page", headers: []string{"Origin", "http://127.0.0.1:7878"}, want: 200},
		{name: "cross-site without an origin", headers: []string{"Sec-Fetch-Site", "cross-site"}, want: 403},
		{name: "same site, another port", headers: []string{"Sec-Fetch-Site", "same-site"}, want: 403},
		{name: "form of a page", headers: []string{"Content-Type", "text/plain"}, want: 415},
		{name: "another form of a page", headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, want: 415},
		{name: "no type", headers: []string{"Content-Type", ""}, want: 415},
		{name: "type that can't be read", headers: []string{"Content-Type", "application/json; charset"}, want: 415},
		{name: "longer type", headers: []string{"Content-Type", "application/json-seq"}, want: 415},
		{name: "with a charset", headers: []string{"Content-Type", "Application/JSON; charset=UTF-8"}, want: 200},
		{name: "another charset", headers: []string{"Content-Type", "application/json; charset=utf-16"}, want: 415},
		{name: "compressed", headers: []string{"Content-Encoding", "gzip"}, want: 415},

		{name: "no token", token: "secret", want: 401},
		{name: "token", token: "secret", headers: []string{"Authorization", "Bearer secret"}, want: 200},
		{name: "token, the scheme in small letters", token: "secret", headers: []string{"Authorization", "bearer secret"}, want: 200},
		{name: "shorter token", token: "secret", headers: []string{"Authorization", "Bearer secre"}, want: 401},
		{name: "longer token", token: "secret", headers: []string{"Authorization", "Bearer secrets"}, want: 401},
		{name: "empty token", token: "secret", headers: []string{"Authorization", "Bearer "}, want: 401},
		{name: "bare token", token: "secret", headers: []string{"Authorization", "secret"}, want: 401},
		{name: "another scheme", token: "secret", headers: []string{"Authorization", "Basic secret"}, want: 401},
		{name: "the token doesn't make a page welcome", token: "secret", headers: []string{"Authorization", "Bearer secret", "Origin", "https://evil.example"}, want: 403},
		{name: "nor a strange host", token: "secret", headers: []string{"Authorization", "Bearer secret", "Host", "evil.example"}, want: 403},

		{name: "the address listened on", listen: "192.168.1.7:80", token: "secret", headers: []string{"Authorization", "Bearer secret", "Host", "192.168.1.7"}, want: 200},
		{name: "the name listened on", listen: "Hooks.internal:80", token: "secret", headers: []string{"Authorization", "Bearer secret", "Host", "hooks.INTERNAL"}, want: 200},
		{name: "another name than that listened on", listen: "hooks.internal:80", token: "secret", headers: []string{"Authorization", "Bearer secret", "Host", "hooks"}, want: 403},
		{name: "everywhere, by any name", listen: "0.0.0.0:80", token: "secret", headers: []string{"Authorization", "Bearer secret", "Host", "hooks.svc"}, want: 200},
		{name: "everywhere, without the token", listen: ":80", token: "secret", headers: []string{"Host", "hooks.svc"}, want: 401},
		{name: "a socket, by any name", listen: "unix:/x", headers: []string{"Host", "unix"}, want: 200},
		{name: "a socket, from a page", listen: "unix:/x", headers: []string{"Origin", "https://evil.example"}, want: 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t, e, func(o *Options) {
				o.Token = test.token
				if test.listen != "" {
					o.Address = address(t, test.listen)
				}
			})
			got := post(s, "/v1/fire", bash("ls"), test.headers...)
			a := decoded(t, got)
			if got.StatusCode != test.want || a.Block != (test.want != 200) {
				t.Errorf("status %d, %+v; want %d", got.StatusCode, a, test.want)
			}
			for _, header := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Headers"} {
				if got.Header.Get(header) != "" {
					t.Errorf("the answer has %s", header)
				}
			}
			if test.want == 200 {
				return
			}
			// An agent would take any other status for consent.
			agent := post(s, "/v1/agents/claude?event=PreToolUse", claudeBash("ls"), test.headers...)
			if a := decoded(t, agent); agent.StatusCode != 200 || a.Specific.Decision != "deny" || a.Specific.Reason == "" {
				t.Errorf("an agent gets %d, %+v", agent.StatusCode, a)
			}
		})
	}
}

// A browser asks before it sends JSON from a page of another origin, and gets no word that it may.
func TestPreflight(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), nil)
	got := send(s, http.MethodOptions, "/v1/fire", "", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
	if got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "POST" || got.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("got %d, %v", got.StatusCode, got.Header)
	}
}

// Health and readiness tell nothing, so that whatever looks after the process needs no token.
func TestOpenWithoutToken(t *testing.T) {
	s := newServer(t, newEngine(t, noRm), func(o *Options) { o.Token = "secret" })
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 401, "/v1/events": 401, "/nowhere": 401} {
		if got := send(s, http.MethodGet, path, ""); got.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, got.StatusCode, want)
		}
	}
}

// Others than this machine are served with a token alone.
func TestOthersNeedToken(t *testing.T) {
	for text, local := range map[string]bool{"127.0.0.1:7878": true, "[::1]:7878": true, "unix:/run/x.sock": true, ":7878": false, "10.0.0.1:7878": false, "example.com:7878": false} {
		if _, err := New(Options{Address: address(t, text)}); local != (err == nil) || !local && (!errors.Is(err, ErrNoToken) || !strings.Contains(err.Error(), "LUAHOOK_TOKEN")) {
			t.Errorf("%q without a token: %v", text, err)
		}
	}
}
