//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() { scriptCommands["http"] = httpRequest }

// http STATUS METHOD SOCKET PATH [BODY [HEADER: VALUE]...] asks a server on a socket, once it is there, and prints what
// it says; BODY is a file, or "" for none.
func httpRequest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: http status method socket path [body [header: value]...]")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	transport := toSocket(ts.MkAbs(args[2]))
	var body io.Reader
	if len(args) > 4 && args[4] != "" {
		body = strings.NewReader(ts.ReadFile(args[4]))
	}
	r, err := http.NewRequestWithContext(ctx, args[1], "http://luahook"+args[3], body)
	ts.Check(err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 5; i < len(args); i++ {
		name, value, _ := strings.Cut(args[i], ": ")
		r.Header.Set(name, value)
	}
	a, err := transport.RoundTrip(r)
	ts.Check(err)
	defer a.Body.Close()
	_, err = io.Copy(ts.Stdout(), a.Body)
	ts.Check(err)
	if got := fmt.Sprint(a.StatusCode); got != args[0] {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

// toSocket asks a server on a socket, once it is there.
func toSocket(path string) *http.Transport {
	return &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		for {
			c, err := new(net.Dialer).DialContext(ctx, "unix", path)
			if err == nil || ctx.Err() != nil {
				return c, err
			}
			select {
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
			}
		}
	}}
}

// TestServeSignals runs serve in this process, and sends it what a person or a supervisor sends.
func TestServeSignals(t *testing.T) {
	dir, err := os.MkdirTemp("", "lh") // whose path is short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, filepath.Join(dir, name))
	}
	script := filepath.Join(dir, "hooks", "a.lua")
	write := func(word string) {
		t.Helper()
		if err := os.WriteFile(script, []byte(`on("a.b", function() return context("`+word+`") end)`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Dir(script), 0o700); err != nil {
		t.Fatal(err)
	}
	write("first")
	socket := filepath.Join(dir, "s")
	ended := make(chan int, 1)
	var told bytes.Buffer
	go func() {
		ended <- run(context.Background(), []string{"serve", "--listen", "unix:" + socket, "--hooks", filepath.Dir(script), "--no-user", "--no-builtins"}, strings.NewReader(""), &told, &told)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	fire := func() string {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://luahook/v1/fire", strings.NewReader(`{"event":"a.b"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		a, err := toSocket(socket).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	generation := regexp.MustCompile(`"generation":(\d+)`)
	if got := fire(); !strings.Contains(got, `"new_context":"first"`) {
		t.Errorf("got %s", got)
	}
	write("second") // which is noticed
	for !strings.Contains(fire(), `"new_context":"second"`) {
	}
	before := generation.FindString(fire())
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for generation.FindString(fire()) == before {
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case status := <-ended:
		if status != exitOK || !strings.Contains(told.String(), "luahook: ended\n") {
			t.Errorf("exit status %d: %s", status, told.String())
		}
	case <-ctx.Done():
		t.Fatal("it doesn't end")
	}
}
