package mcphook

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	approvalID  = "luahook_approval" // of the question in a result that asks for input
	statePrefix = "luahook:"         // of a request's state, before a token and the server's own state
	askIDPrefix = "luahook-"         // of the ids of requests of our own
)

// maxWaiting is how many calls may wait for the client to make them again. The oldest is
// forgotten: the client's answer to it counts for nothing then.
const maxWaiting = 1024

// waiting is a call that was given back to the client, which makes it again with what was asked
// for.
type waiting struct {
	digest   [sha256.Size]byte // of the call
	approved bool              // a person has said yes
}

// comingBack is a call that may be made again.
type comingBack struct {
	params   object // without what is ours, for the server
	digest   [sha256.Size]byte
	known    bool // this very call was given back before
	approved bool
	answer   *mcp.ElicitResult // to our question; nil: there is none
}

// comesBack takes what is ours out of a call. A token counts once, and for the call alone that it
// was given for.
func (g *gate) comesBack(params object) comingBack {
	b := comingBack{params: params, digest: digestOfCall(params)}
	state, _ := params.text("requestState")
	if rest, ours := strings.CutPrefix(state, statePrefix); ours {
		token, inner, _ := strings.Cut(rest, ":")
		if b.params = b.params.without("requestState"); inner != "" {
			b.params = b.params.with("requestState", inner)
		}
		g.mu.Lock()
		w, known := g.waiting[token]
		delete(g.waiting, token)
		g.mu.Unlock()
		b.known = known && w.digest == b.digest
		b.approved = b.known && w.approved
	}
	responses, err := parseObject(params.get("inputResponses"))
	if err != nil || responses.get(approvalID) == nil {
		return b
	}
	var answer mcp.ElicitResult
	if b.known && json.Unmarshal(responses.get(approvalID), &answer) == nil {
		b.answer = &answer
	}
	if responses = responses.without(approvalID); len(responses) == 0 {
		b.params = b.params.without("inputResponses")
	} else {
		b.params = b.params.with("inputResponses", responses.encode())
	}
	return b
}

// digestOfCall names a call by its tool and arguments, whatever the order of their keys.
func digestOfCall(params object) [sha256.Size]byte {
	tool, _ := params.text("name")
	arguments, err := hooks.DecodeJSON(params.get("arguments"))
	if err != nil {
		arguments = nil // there are none
	}
	text, err := hooks.EncodeJSON([]any{tool, arguments})
	if err != nil {
		panic(err) // it was JSON
	}
	return sha256.Sum256(text)
}

// giveBack puts a call down as one that the client makes again, and gives its token.
func (g *gate) giveBack(w waiting) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.order) >= maxWaiting {
		delete(g.waiting, g.order[0])
		g.order = g.order[1:]
	}
	token := rand.Text()
	g.waiting[token] = w
	g.order = append(g.order, token)
	return token
}

// keepsWaiting is a result in which the server itself asks for input. Its state says then that
// the call has begun, and whether it was allowed. Content, which it must not have, no hook has
// seen.
func (g *gate) keepsWaiting(b comingBack, result object) object {
	result = result.without("content").without("structuredContent")
	inner, _ := result.text("requestState")
	approved := b.approved || b.answer != nil // else the server had not been asked
	return result.with("requestState", statePrefix+g.giveBack(waiting{b.digest, approved})+":"+inner)
}

// ask has the client ask its user. Since protocol 2026-07-28 nobody sends requests to a client:
// the call is given back, and made again with the answer.
func (g *gate) ask(ctx context.Context, client peer, b comingBack, run *engine.ToolRun) *mcp.CallToolResult {
	switch {
	case b.approved:
		run.Allow()
	case b.answer != nil:
		settle(ctx, run, b.answer, nil)
	case !client.elicits:
	case client.version < sinceInputRequired:
		answer, err := g.elicit(ctx, questionAbout(run))
		settle(ctx, run, answer, err)
	default:
		question := questionAbout(run)
		run.Suspend()
		res := resultOfType("input_required")
		res.InputRequests = mcp.InputRequestMap{approvalID: question}
		res.RequestState = statePrefix + g.giveBack(waiting{digest: b.digest}) + ":"
		return res
	}
	return nil
}

// elicit sends the client a question of our own, and waits for the answer.
func (g *gate) elicit(ctx context.Context, question *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if g.peerVersion() < "2025-11-25" {
		question.Mode = "" // which clients don't know before
	}
	params, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	name := askIDPrefix + rand.Text()
	id, err := jsonrpc.MakeID(name)
	if err != nil {
		return nil, err
	}
	answered := make(chan *jsonrpc.Response, 1)
	g.mu.Lock()
	g.asks[name] = answered
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.asks, name)
		g.mu.Unlock()
	}()
	if err := g.client.Write(ctx, &jsonrpc.Request{ID: id, Method: "elicitation/create", Params: params}); err != nil {
		return nil, fmt.Errorf("the client can't be asked: %w", err)
	}
	select {
	case answer := <-answered:
		if answer.Error != nil {
			return nil, fmt.Errorf("the client didn't ask: %w", answer.Error)
		}
		result := &mcp.ElicitResult{}
		if err := json.Unmarshal(answer.Result, result); err != nil {
			return nil, fmt.Errorf("the client's answer can't be read: %w", err)
		}
		return result, nil
	case <-g.leaving:
		return nil, errLeaving
	case <-ctx.Done():
		told, err := hooks.EncodeJSON(map[string]any{"requestId": name, "reason": "the call was cancelled"})
		if err == nil {
			g.toClient(ctx, &jsonrpc.Request{Method: "notifications/cancelled", Params: told})
		}
		return nil, ctx.Err()
	}
}

func (g *gate) peerVersion() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peer.version
}

// answersAsk takes an answer to a question of our own.
func (g *gate) answersAsk(answer *jsonrpc.Response) bool {
	name, ok := answer.ID.Raw().(string)
	if !ok || !strings.HasPrefix(name, askIDPrefix) {
		return false
	}
	g.mu.Lock()
	answered := g.asks[name]
	delete(g.asks, name)
	g.mu.Unlock()
	if answered != nil {
		answered <- answer
	}
	return true
}
