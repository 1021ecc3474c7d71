package mcpio

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A server can't have the user's token, or the calls, sent on to another one.
func TestURLIsNotSentOn(t *testing.T) {
	reached := make(chan http.Header, 10)
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.Header }))
	defer thief.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		server := httptest.NewServer(http.RedirectHandler(thief.URL, status))
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		c, err := (&URL{Endpoint: server.URL, Header: http.Header{"Authorization": {"Bearer sesame"}}}).Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		hello, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		if err := c.Write(ctx, hello); err != nil {
			said = err.Error()
		} else if m, err := c.Read(ctx); err != nil {
			said = err.Error()
		} else if answer, ok := m.(*jsonrpc.Response); ok && answer.Error != nil {
			said = answer.Error.Error()
		}
		if !strings.Contains(said, "sends on to "+thief.URL) {
			t.Errorf("%d: the error is %q", status, said)
		}
		cancel()
		_ = c.Close()
		server.Close()
	}
	if len(reached) > 0 {
		t.Errorf("the other server was reached with %v", <-reached)
	}
}

// A server may send on to another path of its own.
func TestURLMayMove(t *testing.T) {
	tokens := make(chan string, 10)
	mux := http.NewServeMux()
	mux.Handle("/old", http.RedirectHandler("/new", http.StatusTemporaryRedirect))
	mux.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) {
		tokens <- r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c, err := (&URL{Endpoint: server.URL + "/old", Header: http.Header{"Authorization": {"Bearer sesame"}}}).Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	hello, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(ctx, hello); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(ctx); err != nil {
		t.Fatal(err)
	}
	if token := <-tokens; token != "Bearer sesame" {
		t.Errorf("the token is %q", token)
	}
}
