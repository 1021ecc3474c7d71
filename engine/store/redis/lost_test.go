package redis_test

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/storetest"
)

// A change whose answer gets lost is reported as failed, and not made a second time.
func TestLostAnswer(t *testing.T) {
	server := storetest.StartRedis(t)
	direct := open(t, server.URL)
	defer direct.Close()
	if _, err := direct.Incr(t.Context(), home, "n", 1, store.Keep); err != nil { // the server knows the script now
		t.Fatal(err)
	}
	s := open(t, "redis://"+losing(t, strings.TrimPrefix(server.URL, "redis://")))
	defer s.Close()
	for i := 2; i < 5; i++ {
		var unavailable *store.UnavailableError
		if _, err := s.Incr(t.Context(), home, "n", 1, store.Keep); !errors.As(err, &unavailable) {
			t.Errorf("Incr: %v, want that it isn't known", err)
		}
		if n, err := direct.Incr(t.Context(), home, "n", 0, store.Keep); n != float64(i) || err != nil {
			t.Errorf("n = %v, %v, want %d", n, err, i)
		}
	}
}

// losing is the address of a proxy that passes everything to a server, and returns its answers except those to
// scripts: these it lets run, and hangs up.
func losing(t *testing.T, server string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go pass(client, server)
		}
	}()
	return l.Addr().String()
}

func pass(client net.Conn, server string) {
	defer client.Close()
	far, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer far.Close()
	asked, said := make([]byte, 1<<16), make([]byte, 1<<16)
	for { // one question, one answer: each fits in a packet
		n, err := client.Read(asked)
		if err != nil {
			return
		}
		if _, err := far.Write(asked[:n]); err != nil {
			return
		}
		m, err := far.Read(said)
		if err != nil || bytes.Contains(bytes.ToLower(asked[:n]), []byte("evalsha")) {
			return
		}
		if _, err := client.Write(said[:m]); err != nil {
			return
		}
	}
}
