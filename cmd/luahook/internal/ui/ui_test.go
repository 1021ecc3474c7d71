package ui

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const testToken = "token"

// newServer makes a server over a log: "log", "hostile", or another folder. The hooks in force are those of a script.
func newServer(t testing.TB, log, script string) *Server {
	t.Helper()
	if !filepath.IsAbs(log) {
		log = copied(t, filepath.Join("testdata", log))
	}
	index, err := logindex.Open(log, logindex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- index.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	indexed(t, index)
	address, err := access.ParseAddress("127.0.0.1:7879")
	if err != nil {
		t.Fatal(err)
	}
	make := func(options ...engine.Option) *engine.Engine {
		e, err := engine.New(append(options, engine.WithScript("guard.lua", script))...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close(context.Background()) })
		return e
	}
	s, err := New(Options{
		Index: index, LogName: "the log", Address: address, Token: testToken, Version: "v1.2.3", Logger: slog.New(slog.DiscardHandler),
		Hooks: Hooks{Engine: make(), Rehearse: func(o Rehearsal) (*engine.Engine, *replay.Judge, error) {
			refusals := &replay.Refusals{}
			options := []engine.Option{engine.WithReplay(engine.Replay{Refused: refusals.Add})}
			if o.Observer != nil {
				options = append(options, engine.WithObserver(o.Observer))
			}
			e := make(options...)
			return e, &replay.Judge{Engine: e, Refusals: refusals, Listens: map[hooks.Event]bool{hooks.PreToolCall: true}}, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// copied is a copy of a log that is the user's alone, as luahook wants it.
func copied(t testing.TB, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "log")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if d.IsDir() {
			mode = 0o700
		}
		return os.Chmod(path, mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// indexed waits until all of a log is indexed.
func indexed(t testing.TB, index *logindex.Index) *logindex.View {
	t.Helper()
	late := time.After(time.Minute)
	for {
		v := index.View()
		if done, total := v.Progress(); v.Err() != nil {
			t.Fatal(v.Err())
		} else if done == total && v.Len() > 0 {
			return v
		}
		select {
		case <-v.Newer():
		case <-late:
			t.Fatal("the log isn't indexed after a minute")
		}
	}
}

// ask has a server answer a request; headers are names and values in turn.
func ask(s *Server, method, path, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:7879"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// get is a page as HTML; it fails the test if there is none.
func get(t testing.TB, s *Server, path string) string {
	t.Helper()
	r := ask(s, http.MethodGet, "/"+testToken+"/"+path, "")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, r.StatusCode, body)
	}
	return string(body)
}

// contains checks that a page has texts.
func contains(t *testing.T, page string, want ...string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page doesn't have %q", text)
		}
	}
}

// TestWhoMayAsk holds the checks against what strangers and honest browsers send.
func TestWhoMayAsk(t *testing.T) {
	s := newServer(t, "log", "")
	now := "/" + testToken + "/now"
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}{
		{name: "an honest browser", path: now, headers: []string{"Sec-Fetch-Site", "none"}, want: 200},
		{name: "its script", path: now, headers: []string{"Sec-Fetch-Site", "same-origin"}, want: 200},
		{name: "by name", path: now, headers: []string{"Host", "localhost:1234"}, want: 200},
		{name: "rebound name", path: now, headers: []string{"Host", "evil.example:7879"}, want: 403},
		{name: "another machine's address", path: now, headers: []string{"Host", "192.168.1.7"}, want: 403},
		{name: "foreign page", path: now, headers: []string{"Origin", "https://evil.example"}, want: 403},
		{name: "page of another port", path: now, headers: []string{"Origin", "http://127.0.0.1:3000"}, want: 403},
		{name: "a frame, an image, a link", path: now, headers: []string{"Sec-Fetch-Site", "cross-site"}, want: 403},
		{name: "no token", path: "/", want: 401},
		{name: "no token, a page", path: "/now", want: 401},
		{name: "wrong token", path: "/tokem/now", want: 401},
		{name: "longer token", path: "/tokens/now", want: 401},
		{name: "the token elsewhere", path: "/now?token=" + testToken, want: 401},
		{name: "the token before dots", path: "/x/../" + testToken + "/now", want: 401},
		{name: "no such page", path: "/" + testToken + "/nope", want: 404},
		{name: "path tricks", path: "/" + testToken + "/static/../../../etc/passwd", want: 404},
		{name: "encoded path tricks", path: "/" + testToken + "/static/%2e%2e%2fui.go", want: 404},
		{name: "doubled slashes", path: "/" + testToken + "//now", want: 404},
		{name: "a record that isn't there", path: "/" + testToken + "/record?ref=../../etc", want: 404},
		{name: "a folder", path: "/" + testToken + "/static/", want: 404},
		{name: "another method", method: "POST", path: now, want: 405},
		{name: "a verb of its own", method: "BREW", path: now, want: 405},
		{name: "a page for POST", path: "/" + testToken + "/playground/fire", want: 405},
		{name: "long address", path: now + "?text=" + strings.Repeat("x", 9<<10), want: 414},
		{name: "foreign form", method: "POST", path: "/" + testToken + "/playground/fire", headers: []string{"Origin", "https://evil.example"}, want: 403},
	} {
		if test.method == "" {
			test.method = http.MethodGet
		}
		got := ask(s, test.method, test.path, test.body, test.headers...)
		if got.StatusCode != test.want {
			t.Errorf("%s: status %d, want %d", test.name, got.StatusCode, test.want)
		}
		if got.Header.Get("Content-Security-Policy") != contentSecurityPolicy || got.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: the headers are %v", test.name, got.Header)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		known := strings.HasPrefix(test.path, "/"+testToken+"/") && (test.want == 404 || test.want == 405) // who may look finds the way back
		if test.want >= 400 && strings.Contains(string(body), testToken+"/") != known {
			t.Errorf("%s: the refusal tells the token: %v", test.name, !known)
		}
	}
}

// The link that is given to the browser's command line is good for one time.
func TestOpenOnce(t *testing.T) {
	s := newServer(t, "log", "")
	path := s.OpenOnce()
	if got := ask(s, http.MethodGet, path, "", "Host", "evil.example"); got.StatusCode != 403 {
		t.Errorf("a stranger's host: status %d", got.StatusCode)
	}
	if got := ask(s, http.MethodGet, path, ""); got.StatusCode != 303 || got.Header.Get("Location") != "/"+testToken+"/now" {
		t.Errorf("the first time: status %d, to %q", got.StatusCode, got.Header.Get("Location"))
	}
	if got := ask(s, http.MethodGet, path, ""); got.StatusCode != 401 {
		t.Errorf("the second time: status %d", got.StatusCode)
	}
}
