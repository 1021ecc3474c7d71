package mcpio

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxSessions   = 64
	idleTime      = time.Hour // after which a session without a request is ended
	sessionHeader = "Mcp-Session-Id"
)

// Listener offers streamable HTTP: each session is a transport of its own.
type Listener struct {
	// Gate serves one session until it ends or ctx does.
	Gate func(ctx context.Context, client mcp.Transport) error

	mu       sync.Mutex
	ctx      context.Context // of all sessions
	sessions map[string]*httpSession
	work     sync.WaitGroup
}

type httpSession struct {
	transport *mcp.StreamableServerTransport
	cancel    context.CancelFunc
	idle      *time.Timer
	under     int // requests
	connected chan struct{}
	ended     chan struct{}
}

// Connect connects the session, which requests wait for.
func (s *httpSession) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := s.transport.Connect(ctx)
	if err == nil {
		close(s.connected)
	}
	return c, err
}

// Serve answers until ctx is done, and ends all sessions then.
func (l *Listener) Serve(ctx context.Context, on net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	l.ctx, l.sessions = ctx, map[string]*httpSession{}
	server := &http.Server{
		Handler:           http.HandlerFunc(l.handle),
		ReadHeaderTimeout: 10 * time.Second,
	}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() }) // which nobody waits for
	defer stopped()
	err := server.Serve(on)
	cancel()
	l.work.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// handle answers one HTTP request.
func (l *Listener) handle(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		http.Error(w, "this server answers programs of this machine alone", http.StatusForbidden)
		return
	}
	id := r.Header.Get(sessionHeader)
	if id == "" {
		l.begin(w, r)
		return
	}
	l.mu.Lock()
	s := l.sessions[id]
	if s != nil {
		s.under++
		s.idle.Stop()
	}
	l.mu.Unlock()
	if s == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	defer l.leave(s)
	switch r.Method {
	case http.MethodDelete:
		s.cancel()
		<-s.ended
		w.WriteHeader(http.StatusNoContent)
	case http.MethodGet, http.MethodPost:
		r.Body = http.MaxBytesReader(w, r.Body, maxLine)
		s.transport.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "unsupported method", http.StatusMethodNotAllowed)
	}
}

// leave is the end of a request of a session.
func (l *Listener) leave(s *httpSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.under--; s.under == 0 {
		s.idle.Reset(idleTime)
	}
}

// begin starts a session with the request that asks for it.
func (l *Listener) begin(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	var says struct {
		Method string `json:"method"`
	}
	if err != nil || r.Method != http.MethodPost || json.Unmarshal(body, &says) != nil || says.Method != "initialize" {
		http.Error(w, "a session begins with initialize; other requests need its "+sessionHeader, http.StatusBadRequest)
		return
	}
	s, err := l.add()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer l.leave(s)
	select {
	case <-s.connected:
	case <-s.ended:
		http.Error(w, "the server can't be reached", http.StatusBadGateway)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.transport.ServeHTTP(w, r)
}

// add starts a session, which has one request for now.
func (l *Listener) add() (*httpSession, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.sessions) >= maxSessions {
		return nil, fmt.Errorf("%d sessions are under way, and there are no more", maxSessions)
	}
	ctx, cancel := context.WithCancel(l.ctx)
	s := &httpSession{
		transport: &mcp.StreamableServerTransport{SessionID: rand.Text()}, cancel: cancel, under: 1,
		connected: make(chan struct{}), ended: make(chan struct{}),
	}
	s.idle = time.AfterFunc(idleTime, cancel)
	s.idle.Stop()
	l.sessions[s.transport.SessionID] = s
	l.work.Go(func() {
		defer close(s.ended)
		defer cancel()
		_ = l.Gate(ctx, s) // which has told of it
		l.mu.Lock()
		defer l.mu.Unlock()
		s.idle.Stop()
		delete(l.sessions, s.transport.SessionID)
	})
	return s, nil
}

// fromHere reports whether a request was made for this machine by a program, not by a page of some
// other site that a browser shows.
func fromHere(r *http.Request) bool {
	if !isLocal(r.Host) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && isLocal(u.Host)
}

func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
