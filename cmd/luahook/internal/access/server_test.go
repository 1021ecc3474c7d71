package access

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestConnectedAreAnswered ends a server before it has accepted anybody: who had connected gets an answer all the
// same, and nobody can connect afterwards.
func TestConnectedAreAnswered(t *testing.T) {
	dir, err := os.MkdirTemp("", "lh") // t.TempDir's paths are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	addresses := []string{"127.0.0.1:0", "unix:" + filepath.Join(dir, "s")}
	if runtime.GOOS == "windows" {
		addresses = addresses[:1]
	}
	for _, text := range addresses {
		address, err := ParseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		l, err := address.Listen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		connect := func() (net.Conn, error) { return net.Dial(l.Addr().Network(), l.Addr().String()) }
		if address.network == "unix" {
			connect = func() (net.Conn, error) { return net.Dial("unix", address.path) }
		}
		var connected []net.Conn
		for range 20 {
			c, err := connect()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			connected = append(connected, c)
		}
		answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "an answer") })
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := Serve(ctx, l, answer, slog.New(slog.DiscardHandler), func() {}); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		for _, c := range connected {
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s: %v", address, err)
				break
			}
			if body, err := io.ReadAll(a.Body); err != nil || string(body) != "an answer" {
				t.Errorf("%s: %q, %v", address, body, err)
			}
		}
		if c, err := connect(); err == nil {
			c.Close()
			t.Errorf("%s: somebody could connect after the end", address)
		}
	}
}
