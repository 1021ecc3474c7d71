package mcpio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sinceStateless is the first protocol version without a stream for what a server says unasked.
const sinceStateless = "2026-07-28"

// again is how long to wait before such a stream is opened anew.
const again = 3 * time.Second

// URL is a server that is reached by streamable HTTP.
type URL struct {
	Endpoint string
	Header   http.Header // of all requests
}

// Connect makes the connection; nothing is sent yet.
func (u *URL) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &urlConn{url: u, messages: make(chan jsonrpc.Message), failed: make(chan error, 1)}
	c.client = &http.Client{Transport: c, CheckRedirect: staysThere}
	sdk, err := (&mcp.StreamableClientTransport{Endpoint: u.Endpoint, HTTPClient: c.client, DisableStandaloneSSE: true, MaxEventSize: maxLine}).Connect(ctx)
	if err != nil {
		return nil, err
	}
	c.sdk = sdk
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.work.Go(c.pump)
	return c, nil
}

// urlConn is the SDK's connection, with what the SDK does for its own client alone: the header
// with the protocol's version, and the stream for what the server says unasked.
type urlConn struct {
	url      *URL
	client   *http.Client
	sdk      mcp.Connection
	messages chan jsonrpc.Message
	failed   chan error
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup

	mu      sync.Mutex
	hello   jsonrpc.ID // of initialize
	version string     // that the server has chosen
}

func (c *urlConn) SessionID() string { return c.sdk.SessionID() }

// staysThere refuses to be sent on to another server, who would get the headers, the tokens in them
// and the calls.
func staysThere(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	if r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		return fmt.Errorf("%s sends on to %s://%s; name that with --url if you mean it", first.Host, r.URL.Scheme, r.URL.Host)
	}
	if len(via) >= 10 {
		return errors.New("it sends on ten times")
	}
	return nil
}

// RoundTrip sends a request with the headers that all have.
func (c *urlConn) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range c.url.Header {
		r.Header[name] = values
	}
	c.mu.Lock()
	if c.version != "" && r.Header.Get("Mcp-Protocol-Version") == "" {
		r.Header.Set("Mcp-Protocol-Version", c.version)
	}
	c.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// pump takes what comes by the SDK's connection.
func (c *urlConn) pump() {
	for {
		m, err := c.sdk.Read(c.ctx)
		if err != nil {
			c.failed <- err
			return
		}
		if answer, ok := m.(*jsonrpc.Response); ok {
			c.learn(answer)
		}
		c.take(m)
	}
}

func (c *urlConn) take(m jsonrpc.Message) {
	select {
	case c.messages <- m:
	case <-c.ctx.Done():
	}
}

func (c *urlConn) learn(answer *jsonrpc.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hello.IsValid() || answer.ID != c.hello || answer.Error != nil {
		return
	}
	var says struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(answer.Result, &says) == nil {
		c.version = says.Version
	}
}

// Read is the next message.
func (c *urlConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	case err := <-c.failed:
		c.failed <- err
		return nil, err
	case <-c.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. It doesn't wait until a request is answered, which may be as long as the
// server holds the connection: where the request can't be sent, the error is its answer.
func (c *urlConn) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Request)
	if ok && r.IsCall() {
		if r.Method == "initialize" {
			c.mu.Lock()
			c.hello = r.ID
			c.mu.Unlock()
		}
		c.work.Go(func() {
			if err := c.sdk.Write(ctx, m); err != nil && ctx.Err() == nil {
				answer := &jsonrpc.Error{}
				if !errors.As(err, &answer) || answer.Code == -32005 { // which the SDK says of itself
					answer = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
				}
				c.take(&jsonrpc.Response{ID: r.ID, Error: answer})
			}
		})
		return nil
	}
	err := c.sdk.Write(ctx, m)
	if err == nil && ok && r.Method == "notifications/initialized" {
		c.mu.Lock()
		old := c.version < sinceStateless
		c.mu.Unlock()
		if old {
			c.work.Go(c.listen)
		}
	}
	return err
}

// listen takes what the server says unasked, where it offers a stream for that.
func (c *urlConn) listen() {
	last := ""
	for c.ctx.Err() == nil {
		if !c.stream(&last) {
			return
		}
		select {
		case <-time.After(again):
		case <-c.ctx.Done():
		}
	}
}

// stream reads one stream to its end, and reports whether to open it anew. last is the id of its
// last event.
func (c *urlConn) stream(last *string) bool {
	r, err := http.NewRequestWithContext(c.ctx, http.MethodGet, c.url.Endpoint, nil)
	if err != nil {
		return false
	}
	r.Header.Set("Accept", "text/event-stream")
	if id := c.SessionID(); id != "" {
		r.Header.Set("Mcp-Session-Id", id)
	}
	if *last != "" {
		r.Header.Set("Last-Event-ID", *last)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return true
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return false // it offers none
	}
	eachEvent(answer.Body, func(id string, data []byte) {
		if id != "" {
			*last = id
		}
		if m, err := jsonrpc.DecodeMessage(data); err == nil {
			c.take(m)
		}
	})
	return true
}

// eachEvent calls f with the events of a stream that have data.
func eachEvent(body io.Reader, f func(id string, data []byte)) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxLine)
	var id string
	var data []byte
	for lines.Scan() {
		name, value, _ := bytes.Cut(lines.Bytes(), []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(lines.Bytes()) == 0:
			if len(data) > 0 {
				f(id, data)
			}
			id, data = "", nil
		case string(name) == "id":
			id = string(value)
		case string(name) == "data" && len(data)+len(value) <= maxLine:
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, value...)
		}
	}
}

// Close ends the session.
func (c *urlConn) Close() error {
	c.cancel()
	err := c.sdk.Close()
	c.work.Wait()
	return err
}

// ParseHeader reads "NAME: VALUE". A ${VARIABLE} in the value stands for one of the environment.
func ParseHeader(text string, getenv func(string) (string, bool)) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") {
		return "", "", fmt.Errorf("%q is no header; want 'NAME: VALUE'", name)
	}
	var b strings.Builder
	for rest := strings.TrimSpace(value); rest != ""; {
		before, after, found := strings.Cut(rest, "${")
		b.WriteString(before)
		if !found {
			break
		}
		variable, more, closed := strings.Cut(after, "}")
		set, known := getenv(variable)
		if !closed || !known {
			return "", "", fmt.Errorf("the header %s names the variable %q, which isn't set", name, variable)
		}
		b.WriteString(set)
		rest = more
	}
	if strings.ContainsAny(b.String(), "\r\n") {
		return "", "", fmt.Errorf("the value of the header %s has more than one line", name)
	}
	return http.CanonicalHeaderKey(name), b.String(), nil
}
