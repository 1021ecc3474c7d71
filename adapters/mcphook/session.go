package mcphook

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// grace is what the hooks of session_end have: the session is over, and nobody waits for it.
const grace = 5 * time.Second

// server is what [Server] keeps.
type server struct {
	adapter *adapter.Adapter

	mu   sync.Mutex
	live map[*mcp.ServerSession]*session
}

// session is a session that is under way. A nil one is that of a request without a session.
type session struct {
	id     string // where the transport has none
	begin  sync.Once
	denied error  // what all its requests get
	added  string // by session_start, for the model
	end    func() // fires session_end; nil: it hasn't begun
}

// enter says in ctx who calls, and begins the session with its first request.
func (s *server) enter(ctx context.Context, ss *mcp.ServerSession, method string, req mcp.Request) (context.Context, *session, error) {
	known := engine.CallerFrom(ctx)
	if known.SessionID == "" {
		known.SessionID = ss.ID()
	}
	if known.AgentName == "" {
		known.AgentName = clientName(req)
	}
	ctx = engine.WithCaller(ctx, known)
	if ss.ID() == "" && isHTTP(req) {
		return s.adapter.Context(ctx, nil), nil, nil
	}
	current := s.sessionOf(ss)
	ctx = s.adapter.Context(ctx, func(c *engine.Caller) {
		if c.SessionID == "" {
			c.SessionID = current.id
		}
	})
	if method == methodPing || strings.HasPrefix(method, "notifications/") || method == methodDiscover && isHTTP(req) {
		return ctx, current, nil // which may come before the session, or without one
	}
	current.begin.Do(func() { s.start(context.WithoutCancel(ctx), current, method) })
	return ctx, current, current.denied
}

func (s *server) sessionOf(ss *mcp.ServerSession) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	current := s.live[ss]
	if current == nil {
		current = &session{id: rand.Text()}
		s.live[ss] = current
		go func() { // which ends with the session
			_ = ss.Wait() // how it ended is for those who serve it
			s.mu.Lock()
			delete(s.live, ss)
			s.mu.Unlock()
			if current.end != nil {
				current.end()
			}
		}()
	}
	return current
}

// start fires session_start. The session outlasts ctx's request.
func (s *server) start(ctx context.Context, current *session, method string) {
	started := time.Now()
	added, err := s.adapter.StartSession(ctx, "startup")
	if err != nil {
		current.denied = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
		return
	}
	current.added = added
	if added != "" && method != methodInitialize && method != methodDiscover {
		s.adapter.Warn(ctx, hooks.SessionStart, "the session began with %s, which has no instructions that a hook's context could join", method)
	}
	end := sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(ctx, grace)
		defer cancel()
		s.adapter.EndSession(ctx, "closed", started)
	})
	// A program that closes its engine at its end need not wait for session_end.
	forget := s.adapter.Engine().BeforeClose(func(context.Context) { end() })
	current.end = func() {
		end()
		forget()
	}
}

// instruct adds what hooks of session_start have for the model to the server's instructions.
func (current *session) instruct(res mcp.Result) mcp.Result {
	if current == nil || current.added == "" {
		return res
	}
	switch r := res.(type) {
	case *mcp.InitializeResult:
		copied := *r
		copied.Instructions = joined(r.Instructions, current.added)
		return &copied
	case *mcp.DiscoverResult:
		copied := *r
		copied.Instructions, copied.CacheScope = joined(r.Instructions, current.added), "private"
		return &copied
	}
	return res
}

func joined(text, more string) string {
	if text == "" {
		return more
	}
	return text + "\n\n" + more
}

// isHTTP reports whether a request came over streamable HTTP, where one without a session id has
// a session of the SDK for itself alone.
func isHTTP(req mcp.Request) bool {
	extra := req.GetExtra()
	return extra != nil && extra.Header != nil
}

// clientName is the name of the client that makes a request, as it says.
func clientName(req mcp.Request) string {
	var info *mcp.Implementation
	if params, ok := req.GetParams().(*mcp.InitializeParams); ok && params != nil {
		info = params.ClientInfo
	} else if r, ok := req.(interface{ ClientInfo() *mcp.Implementation }); ok {
		info = r.ClientInfo()
	}
	if info == nil {
		return ""
	}
	return info.Name
}
