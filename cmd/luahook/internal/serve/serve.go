// Package serve answers events over HTTP, on loopback TCP or a Unix socket: for agents that call hooks by a URL, and
// for programs in other languages that fire events of their own.
//
// A request goes through guard.go (who may ask), fire.go (the event and its answer) and refuse.go (what is said
// instead). docs/openapi.yaml describes all of it; a test holds it against the handlers.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Bounds of requests.
const (
	MaxTime = 10 * time.Minute // that hooks have for an event, whatever a request says

	maxAtWork = 64 << 20 // bytes of the events under way together
	leastCost = 64 << 10 // that an event counts for, so that at most 1024 are under way
	bodyTime  = 30 * time.Second
	writeTime = 10 * time.Second
)

// DefaultAddress is where events are answered unless somebody says otherwise.
const DefaultAddress = "127.0.0.1:7878"

// ErrNoToken is the error of serving others than this machine without a token.
var ErrNoToken = errors.New("others than this machine could reach the address, so a token is needed: set LUAHOOK_TOKEN, or name a file with --token-file")

// Options say what a [Server] serves.
type Options struct {
	Engine  *engine.Engine // stays open for as long as requests are answered; its owner closes it
	Address access.Address // that is listened on
	Token   string         // that requests must carry; "": none
	CWD     string         // of events that don't say where they happen
	Version string         // of the program
	Logger  *slog.Logger   // nil: nobody is told anything
}

// Server answers requests as an [http.Handler]. Make one with [New].
type Server struct {
	engine    *engine.Engine
	address   access.Address
	token     access.Token
	needToken bool
	cwd       string
	logger    *slog.Logger
	mux       *http.ServeMux
	room      atomic.Int64 // of maxAtWork that is left
	draining  atomic.Bool
	metrics   *metrics
	told      [causes]atomic.Bool // the log knows that requests are refused for it
}

// New makes a server. The error is [ErrNoToken].
func New(o Options) (*Server, error) {
	if o.Token == "" && !o.Address.Local() {
		return nil, fmt.Errorf("%s: %w", o.Address, ErrNoToken)
	}
	s := &Server{engine: o.Engine, address: o.Address, token: access.NewToken(o.Token), needToken: o.Token != "",
		cwd: o.CWD, logger: o.Logger, mux: http.NewServeMux(), metrics: newMetrics(o.Version)}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.room.Store(maxAtWork)
	for _, r := range routes() {
		s.mux.HandleFunc(r.path, func(w http.ResponseWriter, q *http.Request) { s.handle(w, q, r) })
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		s.handle(w, q, route{answer: func(*Server, http.ResponseWriter, *http.Request) *refusal {
			return &refusal{causePath, http.StatusNotFound, fmt.Errorf("there is nothing at %.100q", q.URL.Path)}
		}})
	})
	return s, nil
}

// route is a path and what is done there.
type route struct {
	method string // "": any
	path   string
	open   bool // needs no token
	agent  bool // is answered as an agent reads it, whatever happens
	answer func(s *Server, w http.ResponseWriter, r *http.Request) *refusal
}

// routes are all paths that there are.
func routes() []route {
	return []route{
		{method: http.MethodPost, path: "/v1/fire", answer: (*Server).fire},
		{method: http.MethodPost, path: "/v1/agents/{agent}", agent: true, answer: (*Server).answerAgent},
		{method: http.MethodGet, path: "/v1/events", answer: (*Server).events},
		{method: http.MethodGet, path: "/healthz", open: true, answer: (*Server).health},
		{method: http.MethodGet, path: "/readyz", open: true, answer: (*Server).ready},
		{method: http.MethodGet, path: "/metrics", answer: (*Server).writeMetrics},
	}
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// handle answers a request at a route, if it may be asked there.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, at route) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if s.draining.Load() {
		w.Header().Set("Connection", "close")
	}
	why := s.check(r, at)
	if why == nil {
		why = s.protected(w, r, at)
	}
	if why != nil {
		s.refuse(w, r, at, why)
	}
}

// protected answers a request. A panic is a refusal: a connection that breaks off reads as consent to many agents.
func (s *Server) protected(w http.ResponseWriter, r *http.Request, at route) (why *refusal) {
	defer func() {
		if p := recover(); p != nil {
			s.logger.Error(fmt.Sprintf("a request failed: panic: %v", p))
			why = &refusal{causeInternal, http.StatusInternalServerError, errors.New("luahook has failed; its log says how")}
		}
	}()
	return at.answer(s, w, r)
}

// events writes the catalogue.
func (s *Server) events(w http.ResponseWriter, _ *http.Request) *refusal {
	list, err := hooks.EncodeJSON(hooks.Events())
	if err != nil {
		return &refusal{causeInternal, http.StatusInternalServerError, err}
	}
	s.write(w, http.StatusOK, "application/json", append(list, '\n'))
	return nil
}

// health says that the process lives.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) *refusal {
	s.write(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
	return nil
}

// ready says whether events should be sent here.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) *refusal {
	status, text := http.StatusServiceUnavailable, ""
	unusable := s.engine.Unusable()
	switch {
	case s.draining.Load():
		text = access.ErrStopping.Error()
	case len(unusable) == 0:
		status, text = http.StatusOK, "ready"
	case s.needToken && !s.token.Carried(r):
		text = "not ready: a file of hooks can't be used, and tool calls are denied until it is fixed; the log says which"
	default:
		text = "not ready, tool calls are denied until this is fixed: " + hooks.AsError(unusable[0], hooks.KindLoad).Brief()
		if more := len(unusable) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more, see the log)", more)
		}
		text = strings.ReplaceAll(text, "\n", " ")
	}
	names(w, s.engine.Policy())
	s.write(w, status, "text/plain; charset=utf-8", []byte(text+"\n"))
	return nil
}

// Reloaded counts a reload that somebody has asked for; err is what [engine.Engine.Reload] says.
func (s *Server) Reloaded(err error) {
	i := 0
	if err != nil {
		i = 1
	}
	s.metrics.reloads[i].Add(1)
}

// names says in an answer which policy it is by. An answer to an event that no policy has judged has neither header.
func names(w http.ResponseWriter, p engine.Policy) {
	if p.Generation == 0 {
		return
	}
	w.Header()["Luahook-Generation"] = []string{strconv.FormatUint(p.Generation, 10)}
	if p.Digest != "" {
		w.Header()["Luahook-Policy"] = []string{p.Digest}
	}
}

// Serve answers the requests that come in on l until ctx is done, and closes l. Then nobody new is let in, who is
// connected gets an answer and is told to leave, and events under way have 10 s to end. The error says what didn't go
// so, or why l doesn't work any more. Call it once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return access.Serve(ctx, l, s, s.logger, func() { s.draining.Store(true) })
}
