//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package serve

import (
	"bytes"
	"context"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// shortDir is a folder whose path is short enough for sockets.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func listen(t *testing.T, path string) (net.Listener, error) {
	t.Helper()
	return address(t, "unix:"+path).Listen(t.Context())
}

// left makes a socket that nobody answers on.
func left(t *testing.T, path string) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// Events are answered on a socket that is the user's alone, whatever the umask is, and that is gone afterwards.
func TestSocket(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	path := filepath.Join(shortDir(t), "luahook.sock")
	left(t, path) // by a server that was killed
	l, err := listen(t, path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	r := runOn(t, newServer(t, newEngine(t, noRm), func(o *Options) { o.Address = address(t, "unix:"+path) }), l, "http://luahook")
	c := socketClient(path)
	a, err := postTo(c, r.url+"/v1/fire", bash("rm"))
	if err != nil {
		t.Fatal(err)
	}
	if !decoded(t, a).Block {
		t.Error("rm isn't denied")
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	c.CloseIdleConnections()
	empty(t, filepath.Dir(path))
}

// socketClient is an HTTP client with connections of its own to a socket.
func socketClient(path string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
}

// TestNothingIsLostOnASocket is TestNothingIsLost over a socket.
func TestNothingIsLostOnASocket(t *testing.T) {
	path := filepath.Join(shortDir(t), "luahook.sock")
	l, err := listen(t, path)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, noRm)
	s := newServer(t, e, func(o *Options) { o.Address = address(t, "unix:"+path) })
	losesNothing(t, e, runOn(t, s, l, "http://luahook"), func() *http.Client { return socketClient(path) })
}

// empty checks that nothing is left in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("in the folder there is %v, %v", entries, err)
	}
}

// What isn't a socket that somebody has left behind stays as it is.
func TestSocketsOfOthers(t *testing.T) {
	dir := shortDir(t)
	path := filepath.Join(dir, "s")
	for name, test := range map[string]struct {
		make func() (remove func())
		want string
	}{
		"a file": {func() func() {
			if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			return func() {
				if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, []byte("precious")) {
					t.Errorf("the file has %q, %v", text, err)
				}
				os.Remove(path)
			}
		}, "is no socket"},
		"a folder": {func() func() {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(path) }
		}, "is no socket"},
		"a link to a socket": {func() func() {
			left(t, path+"2")
			if err := os.Symlink(path+"2", path); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(path); os.Remove(path + "2") }
		}, "is no socket"},
		"another server": {func() func() {
			l, err := listen(t, path)
			if err != nil {
				t.Fatal(err)
			}
			return func() { l.Close() }
		}, "somebody answers there already"},
	} {
		remove := test.make()
		l, err := listen(t, path)
		if err == nil {
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		remove()
		empty(t, dir)
	}
	if _, err := listen(t, filepath.Join(dir, strings.Repeat("x", 90))); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("a long path: %v", err)
	}
	if _, err := listen(t, filepath.Join(dir, "nowhere", "s")); err == nil {
		t.Error("there is a socket in a folder that isn't there")
	}
}

// Of several servers that start at once where a socket was left, one gets the name, and it keeps it.
func TestServersThatRace(t *testing.T) {
	dir := shortDir(t)
	path := filepath.Join(dir, "s")
	for range 20 {
		left(t, path)
		var won atomic.Int64
		var all sync.WaitGroup
		listeners := make([]net.Listener, 4)
		for i := range listeners {
			all.Go(func() {
				if l, err := listen(t, path); err == nil {
					won.Add(1)
					listeners[i] = l
				}
			})
		}
		all.Wait()
		if won.Load() == 1 {
			c, err := net.Dial("unix", path)
			if err != nil {
				t.Error(err)
			} else {
				c.Close()
			}
		} else {
			t.Errorf("%d servers listen", won.Load())
		}
		for _, l := range listeners {
			if l != nil {
				l.Close()
			}
		}
		os.Remove(path)
		empty(t, dir)
	}
}

// A server that ends leaves the socket of the one that has taken its place.
func TestSocketOfSuccessor(t *testing.T) {
	path := filepath.Join(shortDir(t), "s")
	first, err := listen(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := listen(t, path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
