package mcpgohook

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// grace is what the hooks of session_end have: the session is over, and nobody waits for it.
const grace = 5 * time.Second

// session is one that the server has registered. It is forgotten when the server forgets it.
type session struct {
	judged  chan struct{}          // closed when the hooks of session_start have answered
	denied  error                  // by them; every request of the session is refused with it
	end     func()                 // fires session_end; nil: the session was denied
	context atomic.Pointer[string] // what hooks add for the model; nil: nothing, or it has been given
}

// installSessions has the server tell of its sessions.
func (g *gate) installSessions(h *server.Hooks) {
	h.AddOnRegisterSession(func(ctx context.Context, s server.ClientSession) {
		known := &session{judged: make(chan struct{})}
		g.sessions.Store(s.SessionID(), known)
		defer close(known.judged)
		ctx, started := g.caller(context.WithoutCancel(ctx), s), time.Now()
		added, err := g.StartSession(ctx, "startup")
		if err != nil {
			known.denied = err
			return
		}
		if added != "" {
			known.context.Store(&added)
		}
		end := sync.OnceFunc(func() {
			ctx, cancel := context.WithTimeout(ctx, grace)
			defer cancel()
			g.EndSession(g.caller(ctx, s), "closed", started) // by now the client has said its name
		})
		// A program that closes its engine at its end need not wait for session_end.
		forget := g.Engine().BeforeClose(func(context.Context) { end() })
		known.end = func() {
			end()
			forget()
		}
	})
	h.AddOnUnregisterSession(func(_ context.Context, s server.ClientSession) {
		if known, ok := g.sessions.LoadAndDelete(s.SessionID()); ok {
			known := known.(*session)
			if <-known.judged; known.end != nil {
				known.end()
			}
		}
	})
	h.AddOnRequestInitialization(func(ctx context.Context, _, _ any) error {
		known := g.session(ctx)
		if known == nil {
			return nil
		}
		select {
		case <-known.judged:
			return known.denied
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	h.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, result *mcp.InitializeResult) {
		added := g.takeSessionContext(ctx)
		if result.Instructions != "" && added != "" {
			result.Instructions += "\n\n"
		}
		result.Instructions += added
	})
}

// session is the one of a request; nil where the server has registered none.
func (g *gate) session(ctx context.Context) *session {
	if s := server.ClientSessionFromContext(ctx); s != nil {
		if known, ok := g.sessions.Load(s.SessionID()); ok {
			return known.(*session)
		}
	}
	return nil
}

// takeSessionContext is what the hooks of session_start have for the model, once.
func (g *gate) takeSessionContext(ctx context.Context) string {
	if known := g.session(ctx); known != nil {
		if added := known.context.Swap(nil); added != nil {
			return *added
		}
	}
	return ""
}

// addSessionContext gives it with a tool's result, where the session was begun after the client
// had read the instructions.
func (g *gate) addSessionContext(ctx context.Context, result *mcp.CallToolResult) *mcp.CallToolResult {
	if result == nil || result.NeedsInput() {
		return result
	}
	if added := g.takeSessionContext(ctx); added != "" {
		return withNotes(result, "[hook] "+added)
	}
	return result
}
