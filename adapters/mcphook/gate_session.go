package mcphook

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// peer is what is known of the client.
type peer struct {
	name    string
	version string // of the protocol
	elicits bool   // it can show its user a form
}

// peerOf is what a request says of its client, and whether it says something.
func peerOf(m *jsonrpc.Request) (peer, bool) {
	type capabilities struct {
		Elicitation *struct {
			Form *struct{} `json:"form"`
			URL  *struct{} `json:"url"`
		} `json:"elicitation"`
	}
	type info struct {
		Name string `json:"name"`
	}
	var says struct {
		Version      string       `json:"protocolVersion"`
		Capabilities capabilities `json:"capabilities"`
		Info         info         `json:"clientInfo"`
		Meta         struct {
			Version      string       `json:"io.modelcontextprotocol/protocolVersion"`
			Capabilities capabilities `json:"io.modelcontextprotocol/clientCapabilities"`
			Info         info         `json:"io.modelcontextprotocol/clientInfo"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &says) != nil {
		return peer{}, false
	}
	if says.Meta.Version != "" {
		says.Version, says.Capabilities, says.Info = says.Meta.Version, says.Meta.Capabilities, says.Meta.Info
	} else if m.Method != methodInitialize {
		return peer{}, false
	}
	e := says.Capabilities.Elicitation
	return peer{name: says.Info.Name, version: says.Version, elicits: e != nil && (e.Form != nil || e.URL == nil)}, true
}

// peerFor is the client as a request says, or as it was introduced.
func (g *gate) peerFor(m *jsonrpc.Request) peer {
	if p, ok := peerOf(m); ok {
		return p
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peer
}

// context says in ctx who calls.
func (g *gate) context(ctx context.Context) context.Context {
	g.mu.Lock()
	name := g.peer.name
	g.mu.Unlock()
	return g.adapter.Context(ctx, func(c *engine.Caller) {
		if c.SessionID == "" {
			c.SessionID = g.session
		}
		if name != "" {
			c.AgentName = name
		}
	})
}

// startSession fires session_start.
func (g *gate) startSession(ctx context.Context, m *jsonrpc.Request) {
	g.mu.Lock()
	g.peer, _ = peerOf(m) // which the first request of a session says
	g.mu.Unlock()
	g.added, g.denied = g.adapter.StartSession(g.context(ctx), "startup")
	g.begun = g.denied == nil
}

// endSession fires session_end. err is how the connection has ended, closing what closing it came
// to.
func (g *gate) endSession(err, closing error) {
	ctx := g.context(context.Background())
	if closing != nil && err == nil {
		g.warn(ctx, "the connection was not closed in order: %v", closing)
	}
	if !g.begun {
		return
	}
	reason := "the client has ended the connection"
	if err != nil {
		reason = strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	g.adapter.EndSession(ctx, reason, g.started)
}

// learn takes up what the server says of itself, and tells the client's model what hooks of
// session_start have added.
func (g *gate) learn(r *request, answer *jsonrpc.Response) *jsonrpc.Response {
	if r.method != methodInitialize && r.method != methodDiscover || answer.Error != nil {
		return answer
	}
	type info struct {
		Name string `json:"name"`
	}
	var says struct {
		Version string `json:"protocolVersion"`
		Info    info   `json:"serverInfo"`
		Meta    struct {
			Info info `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
		Instructions string `json:"instructions"`
	}
	if json.Unmarshal(answer.Result, &says) != nil {
		return answer
	}
	g.mu.Lock()
	if says.Version != "" {
		g.peer.version = says.Version
	}
	g.named = plainName(says.Info.Name)
	if g.named == "" {
		g.named = plainName(says.Meta.Info.Name)
	}
	g.mu.Unlock()
	if g.added == "" {
		return answer
	}
	result, err := parseObject(answer.Result)
	if err != nil {
		return answer
	}
	return &jsonrpc.Response{ID: answer.ID, Result: result.with("instructions", joined(says.Instructions, g.added)).encode()}
}

// toolName is a tool as hooks see it.
func (g *gate) toolName(tool string) string {
	name := g.fixedName
	if name == "" {
		g.mu.Lock()
		name = g.named
		g.mu.Unlock()
	}
	if name == "" {
		name = "server"
	}
	return "mcp__" + name + "__" + tool
}

// plainName is the name of a server as agents write it in the names of its tools.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// cancelledID is the id of the request that a notification cancels.
func cancelledID(m *jsonrpc.Request) (jsonrpc.ID, error) {
	var says struct {
		ID any `json:"requestId"`
	}
	if err := json.Unmarshal(m.Params, &says); err != nil {
		return jsonrpc.ID{}, err
	}
	if says.ID == nil {
		return jsonrpc.ID{}, errors.New("it names no request")
	}
	return jsonrpc.MakeID(says.ID)
}
