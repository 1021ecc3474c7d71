package access

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]struct{ local, everywhere, bad bool }{
		"127.0.0.1:7878":          {local: true},
		"127.9.9.9:0":             {local: true},
		"localhost:7878":          {local: true},
		"LocalHost:7878":          {local: true},
		"[::1]:7878":              {local: true},
		"[::ffff:127.0.0.1]:7878": {local: true},
		"unix:/run/x.sock":        {local: true},
		"unix:x.sock":             {local: true},
		":7878":                   {everywhere: true},
		"0.0.0.0:7878":            {everywhere: true},
		"[::]:7878":               {everywhere: true},
		"[::ffff:0.0.0.0]:7878":   {everywhere: true},
		"10.0.0.1:7878":           {},
		"example.com:7878":        {},
		"localhost.evil.com:7878": {},
		"2130706433:7878":         {}, // some resolvers take it for 127.0.0.1
		"7878":                    {bad: true},
		"":                        {bad: true},
		"127.0.0.1":               {bad: true},
		"127.0.0.1:":              {bad: true},
		"http://127.0.0.1:7878":   {bad: true},
		"unix:":                   {bad: true},
		"unix:@abstract":          {bad: true}, // which has no mode
	} {
		a, err := ParseAddress(text)
		if want.bad != (err != nil) {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil {
			continue
		}
		if a.Local() != want.local || a.everywhere() != want.everywhere {
			t.Errorf("%q: local %v, everywhere %v; want %v", text, a.Local(), a.everywhere(), want)
		}
		if again, err := ParseAddress(a.String()); err != nil || again != a {
			t.Errorf("%q is %q, which is %v, %v", text, a, again, err)
		}
	}
}

// TestWhoMayAsk holds the checks against what a browser, a stranger and honest clients send.
func TestWhoMayAsk(t *testing.T) {
	for _, test := range []struct {
		listen, host, header, value string
		knows, same                 bool
	}{
		{host: "127.0.0.1:7878", knows: true, same: true},
		{host: "LOCALHOST", knows: true, same: true},
		{host: "[::1]:1", knows: true, same: true},
		{host: "evil.example:7878", same: true},
		{host: "localhost.evil.example", same: true},
		{host: "192.168.1.7:7878", same: true},
		{host: "", same: true},
		{listen: "Box.lan:7878", host: "box.LAN:7878", knows: true, same: true},
		{listen: "10.0.0.1:7878", host: "10.0.0.2:7878", same: true},
		{listen: "0.0.0.0:7878", host: "whatever", knows: true, same: true},
		{listen: "unix:/s", host: "whatever", knows: true, same: true},
		{host: "127.0.0.1:7878", header: "Origin", value: "http://127.0.0.1:7878", knows: true, same: true},
		{host: "127.0.0.1:7878", header: "Origin", value: "http://127.0.0.1:3000", knows: true},
		{host: "127.0.0.1:7878", header: "Origin", value: "null", knows: true},
		{host: "127.0.0.1:7878", header: "Sec-Fetch-Site", value: "none", knows: true, same: true},
		{host: "127.0.0.1:7878", header: "Sec-Fetch-Site", value: "same-site", knows: true},
		{host: "127.0.0.1:7878", header: "Sec-Fetch-Site", value: "cross-site", knows: true},
	} {
		if test.listen == "" {
			test.listen = "127.0.0.1:7878"
		}
		a, err := ParseAddress(test.listen)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = test.host
		if test.header != "" {
			r.Header.Set(test.header, test.value)
		}
		if knows, same := a.KnowsHost(r), SameOrigin(r); knows != test.knows || same != test.same {
			t.Errorf("%+v: knows the host %v, same origin %v", test, knows, same)
		}
	}
}

func TestToken(t *testing.T) {
	token := NewToken("secret")
	for text, want := range map[string]bool{"secret": true, "secre": false, "secrets": false, "": false, "SECRET": false} {
		if token.Is(text) != want {
			t.Errorf("%q is the token: %v", text, !want)
		}
	}
	for header, want := range map[string]bool{"Bearer secret": true, "bearer secret": true, "secret": false, "Basic secret": false, "Bearer": false} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", header)
		if token.Carried(r) != want {
			t.Errorf("%q carries the token: %v", header, !want)
		}
	}
	if (Token{}).Is("") || NewToken("").Is("") {
		t.Error("no token is one that everybody knows")
	}
}
