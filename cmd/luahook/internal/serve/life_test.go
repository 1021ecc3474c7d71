package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// running is a server that is at work.
type running struct {
	*Server
	url   string
	end   func() error // ends it, and waits for that
	stop  func()       // has it end
	ended <-chan error
}

// run serves on a free port of loopback.
func run(t *testing.T, s *Server) *running {
	t.Helper()
	l, err := address(t, "127.0.0.1:0").Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return runOn(t, s, l, "http://"+l.Addr().String())
}

// runOn serves on a listener, which clients find at a URL.
func runOn(t *testing.T, s *Server, l net.Listener, url string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l); close(ended) }()
	r := &running{Server: s, url: url, stop: stop, ended: ended}
	r.end = func() error {
		stop()
		return receive(t, "the server's end", ended)
	}
	t.Cleanup(func() { stop(); <-ended })
	return r
}

// client is an HTTP client with connections of its own.
func client(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

func postTo(c *http.Client, url, body string) (*http.Response, error) {
	return c.Post(url, "application/json", strings.NewReader(body))
}

// TestDrain ends a server in the middle of an event: who has begun gets its answer, who is connected is told to leave,
// and nobody new is let in.
func TestDrain(t *testing.T) {
	began, goOn := make(chan bool, 1), make(chan bool)
	e := newEngine(t, noRm)
	_, err := e.RegisterHook("a.b", hooks.Options{Timeout: time.Hour}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		began <- true
		<-goOn
		return &hooks.Result{NewContext: "done"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, newServer(t, e, nil))
	answered := make(chan string, 1)
	go func() {
		a, err := postTo(client(t), r.url+"/v1/fire", `{"event":"a.b"}`)
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- fmt.Sprint(a.StatusCode, text(t, a))
	}()
	receive(t, "the event", began)

	// Somebody is connected, and asks once more.
	c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	reader := bufio.NewReader(c)
	ask := func(request string) *http.Response {
		t.Helper()
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		a, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	ready := "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	if a := ask(ready); a.StatusCode != 200 || text(t, a) != "ready\n" {
		t.Errorf("before the end: %d", a.StatusCode)
	}
	r.stop()
	a := ask(ready)
	for a.StatusCode == 200 { // until the stop has arrived
		text(t, a)
		a = ask(ready)
	}
	if a.StatusCode != 503 || !a.Close {
		t.Errorf("at the end: %d, closes %v", a.StatusCode, a.Close)
	}
	for { // until the listener is closed
		again, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			break
		}
		again.Close()
	}
	close(goOn)
	if got := receive(t, "the answer", answered); !strings.Contains(got, `"new_context":"done"`) {
		t.Errorf("the event under way got %s", got)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// TestNothingIsLost has clients fire without a pause while the server reads its hooks again, and then ends. Each event
// that the server has counted was answered, and nothing was cut off in the middle.
func TestNothingIsLost(t *testing.T) {
	e := newEngine(t, noRm)
	losesNothing(t, e, run(t, newServer(t, e, nil)), func() *http.Client { return client(t) })
}

func losesNothing(t *testing.T, e *engine.Engine, r *running, client func() *http.Client) {
	t.Helper()
	var answers, wrong atomic.Uint64
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			c := client()
			defer c.CloseIdleConnections()
			for {
				a, err := postTo(c, r.url+"/v1/fire", bash("rm"))
				if err != nil {
					var op *net.OpError
					if !errors.As(err, &op) || op.Op != "dial" {
						t.Errorf("an event was lost: %v", err)
					}
					return
				}
				if body := text(t, a); a.StatusCode != 200 || !strings.Contains(body, "no rm in") {
					wrong.Add(1)
				}
				answers.Add(1)
			}
		})
	}
	for answers.Load() < 100 || e.Generation() < 20 {
		if err := e.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	clients.Wait()
	counted := r.metrics.fires[hooks.PreToolCall][3].Load()
	if wrong.Load() != 0 || answers.Load() != counted {
		t.Errorf("%d answers, %d of them wrong; the server has counted %d", answers.Load(), wrong.Load(), counted)
	}
}

// Events that go on and on are denied at the end, and their senders are told. It isn't waited for the whole time here.
func TestCutOff(t *testing.T) {
	e := newEngine(t, noRm)
	began := make(chan bool, 1)
	_, err := e.RegisterHook("a.b", hooks.Options{Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		began <- true
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, e, nil)
	ctx, cut := context.WithCancelCause(context.Background())
	server := &http.Server{Handler: s, BaseContext: func(net.Listener) context.Context { return ctx }}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	defer server.Close()
	answered := make(chan answer, 1)
	go func() {
		a, err := postTo(client(t), "http://"+l.Addr().String()+"/v1/fire", `{"event":"a.b"}`)
		if err != nil {
			t.Error(err)
			close(answered)
			return
		}
		answered <- decoded(t, a)
	}()
	receive(t, "the event", began)
	cut(access.ErrStopping)
	if a := receive(t, "the answer", answered); a.Status != 503 || !a.Block || !strings.Contains(a.Detail, "stopped") {
		t.Errorf("got %+v", a)
	}
}

// A listener that fails ends the server with its error.
func TestListenerFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := newServer(t, newEngine(t, ""), nil).Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// Who sends no request, or half of one, doesn't keep the server from its end.
func TestIdleConnections(t *testing.T) {
	r := run(t, newServer(t, newEngine(t, ""), nil))
	for _, sent := range []string{"", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, sent); err != nil {
			t.Fatal(err)
		}
		if sent == "" {
			continue
		}
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || a.StatusCode != 200 {
			t.Fatal(a, err)
		}
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// Who sends all of an event before it reads gets an answer to one that is too large or refused, too.
func TestAnswerAfterSending(t *testing.T) {
	r := run(t, newServer(t, newEngine(t, ""), nil))
	huge := claudeBash(strings.Repeat("x", hooks.MaxEventBytes-1000))
	for head, body := range map[string]string{
		"Content-Type: text/plain": huge, "Content-Type: application/json\r\nOrigin: null": huge, "Content-Type: application/json": huge + strings.Repeat(" ", 2000),
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := fmt.Fprintf(c, "POST /v1/agents/claude?event=PreToolUse HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %d\r\n\r\n%s", head, len(body), body); err != nil {
			t.Errorf("%s: %v", head, err)
			continue
		}
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Errorf("%s: %v", head, err)
			continue
		}
		if got := decoded(t, a); got.Specific.Decision != "deny" {
			t.Errorf("%s: %+v", head, got)
		}
	}
}

// A second server with the same store shares what hooks remember with the first.
func TestReplicas(t *testing.T) {
	const script = `on("a.b", function() return context("event " .. store.incr("n")) end)`
	var servers []*Server
	shared := store.NewMemory(0)
	for range 2 {
		servers = append(servers, newServer(t, newEngine(t, script, engine.WithStore(shared)), nil))
	}
	for i := range 4 {
		a := post(servers[i%2], "/v1/fire", `{"event":"a.b"}`)
		if body := text(t, a); !strings.Contains(body, fmt.Sprintf(`"event %d"`, i+1)) {
			t.Errorf("event %d: %s", i+1, body)
		}
	}
}
