package serve

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
)

// A server that denies each tool call because a file of hooks can't be used says so; one whose last good hooks stay in
// force is ready.
func TestReadyWhileHooksCanBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "a.lua"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asked := func(s *Server, token string) (status int, text string) {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/readyz", nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	open := func() *engine.Engine {
		t.Helper()
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithHooksDir(dir, filepath.Dir(dir)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close(t.Context()) })
		return e
	}

	write("on(")
	e := open()
	s := newServer(t, e, nil)
	if status, text := asked(s, ""); status != 503 || strings.Count(text, "\n") != 1 || !strings.Contains(text, "a.lua:1") {
		t.Errorf("with a file that doesn't load: %d %q", status, text)
	}
	guarded := newServer(t, e, func(o *Options) { o.Token = "secret" })
	if status, text := asked(guarded, ""); status != 503 || strings.Contains(text, "a.lua") {
		t.Errorf("without the token: %d %q", status, text)
	}
	if status, text := asked(guarded, "secret"); status != 503 || !strings.Contains(text, "a.lua:1") {
		t.Errorf("with the token: %d %q", status, text)
	}

	write(noRm)
	if err := e.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, text := asked(s, ""); status != 200 || text != "ready\n" {
		t.Errorf("once it is fixed: %d %q", status, text)
	}
	write("on(")
	if err := e.Reload(t.Context()); err == nil {
		t.Fatal("a file that doesn't load is no error of Reload")
	}
	if status, text := asked(s, ""); status != 200 || text != "ready\n" {
		t.Errorf("while the last good hooks are in force: %d %q", status, text)
	}

	if err := os.WriteFile(filepath.Join(dir, "hooks.yaml"), []byte("hooks: {on_failure: warn}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, text := asked(newServer(t, open(), nil), ""); status != 200 {
		t.Errorf("with a file whose failure denies nothing: %d %q", status, text)
	}
}
