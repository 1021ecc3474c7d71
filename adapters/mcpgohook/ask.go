package mcpgohook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// askID names the question among the input requests of a call.
const askID = "luahook_approval"

var errNoAnswer = errors.New("the user gave no answer")

// ask puts a call that asks to the client's user. Clients of protocol version 2026-07-28 and later
// get the question as the call's result, which is returned, and make the call again with the
// answer; the user of an older client is asked while the call waits.
func ask(ctx context.Context, run *engine.ToolRun, r *round, shown string) *mcp.CallToolResult {
	question := mcp.ElicitationParams{
		Message:         questionAbout(run),
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
	if mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
		if r.Shown == shown {
			settle(ctx, run, r.answer, nil)
			return nil
		}
		run.Suspend()
		r.Shown, r.Answers = shown, r.tools
		return server.NewInputRequestBuilder(seal(r)).Elicit(askID, question).ToolResult()
	}
	answer, err := server.ServerFromContext(ctx).RequestElicitation(ctx, mcp.ElicitationRequest{
		Request: mcp.Request{Method: string(mcp.MethodElicitationCreate)}, Params: question,
	})
	settle(ctx, run, answer, err)
	return nil
}

// settle takes the user's answer. What is neither a yes nor a no is none.
func settle(ctx context.Context, run *engine.ToolRun, answer *mcp.ElicitationResult, err error) {
	switch {
	case err != nil:
		run.Unanswered(ctx, err)
	case answer != nil && answer.Action == mcp.ElicitationResponseActionAccept:
		run.Allow()
	case answer != nil && answer.Action == mcp.ElicitationResponseActionDecline:
		run.Refuse(ctx, "")
	default:
		run.Unanswered(ctx, errNoAnswer)
	}
}

// canElicit reports whether the client says that it can put a form to its user. Of a session that
// doesn't say, it is to be tried.
func canElicit(ctx context.Context) bool {
	if server.ServerFromContext(ctx) == nil {
		return false
	}
	var has *mcp.ElicitationCapability
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern && info.ClientCapabilities != nil {
		has = info.ClientCapabilities.Elicitation
	} else if s, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		has = s.GetClientCapabilities().Elicitation
	} else {
		return true
	}
	return has != nil && (has.Form != nil || has.URL == nil)
}

// maxShown bounds how much of an input a person is shown, in bytes.
const maxShown = 2000

// questionAbout is what a person reads: which tool, why, and with what input.
func questionAbout(run *engine.ToolRun) string {
	text := "May the tool " + run.Event().ToolCall.Name + " run?"
	if reason := run.Reason(); reason != "" {
		text += " " + reason
	}
	input := engine.TextOf(run.Input())
	if len(input) > maxShown {
		end := maxShown
		for !utf8.RuneStart(input[end]) {
			end--
		}
		input = fmt.Sprintf("%s ... and %d bytes more", input[:end], len(input)-end)
	}
	return text + "\n\n" + input
}

// round is what a client carries from one round of a call to the next, in the call's request
// state. It is signed: an answer counts for the very call that the question was about, as the person
// saw it, and for a question that this process has asked.
type round struct {
	Call    string             `json:"call"`              // fingerprint of the call as it came in
	ID      string             `json:"id"`                // of the call, for hooks
	Shown   string             `json:"shown,omitempty"`   // fingerprint of what the person was asked about
	Allowed bool               `json:"allowed,omitempty"` // the person has said yes; it is the tool that asks now
	State   string             `json:"state,omitempty"`   // the tool's own
	Answers mcp.InputResponses `json:"answers,omitempty"` // to what the tool has asked, while we ask

	tools  mcp.InputResponses     // to what the tool has asked, of this round
	answer *mcp.ElicitationResult // to what we have asked
}

// asked reports whether a person has been asked about the call before.
func (r *round) asked() bool { return r.Shown != "" }

const statePrefix = "luahook1."

// openRound reads what the client sends back, and leaves the tool in p what is the tool's.
func openRound(p *mcp.CallToolParams, input map[string]any) *round {
	fresh := &round{Call: fingerprint(p.Name, input), ID: rand.Text()}
	fresh.tools = maps.Clone(p.InputResponses)
	delete(fresh.tools, askID)
	r, signed := unseal(p.RequestState)
	if r == nil {
		fresh.State = p.RequestState
		p.InputResponses = fresh.tools
		return fresh
	}
	if len(fresh.tools) == 0 {
		fresh.tools = r.Answers
	}
	p.RequestState, fresh.State = r.State, r.State
	if signed && r.Call == fresh.Call {
		fresh.ID, fresh.Shown, fresh.Allowed = r.ID, r.Shown, r.Allowed
		fresh.answer = server.ElicitationResponse(p.InputResponses, askID)
	}
	p.InputResponses = fresh.tools
	return fresh
}

// keepRound is a result with which the tool asks for input, so that a person who has allowed the
// call isn't asked again.
func keepRound(result *mcp.CallToolResult, r *round) *mcp.CallToolResult {
	if !r.Allowed {
		return result
	}
	kept := *result
	r.State, r.Answers = result.RequestState, nil
	kept.RequestState = seal(r)
	return &kept
}

func seal(r *round) string {
	text, err := json.Marshal(r)
	if err != nil { // which only a client's answers could cause; the call is asked about anew without them
		text, _ = json.Marshal(round{Call: r.Call, ID: r.ID, Shown: r.Shown, State: r.State})
	}
	return statePrefix + base64.RawURLEncoding.EncodeToString(append(sign(text), text...))
}

// unseal gives nil for a state that is not of this package.
func unseal(state string) (r *round, signed bool) {
	encoded, ours := strings.CutPrefix(state, statePrefix)
	sealed, err := base64.RawURLEncoding.DecodeString(encoded)
	if !ours || err != nil || len(sealed) < sha256.Size {
		return nil, false
	}
	signature, text := sealed[:sha256.Size], sealed[sha256.Size:]
	if json.Unmarshal(text, &r) != nil {
		return nil, false
	}
	return r, hmac.Equal(signature, sign(text))
}

// stateKey is what states are signed with: a client answers for its user, but must not say that
// this process has asked when it hasn't.
var stateKey = sync.OnceValue(func() []byte { return []byte(rand.Text()) })

func sign(text []byte) []byte {
	mac := hmac.New(sha256.New, stateKey())
	mac.Write(text)
	return mac.Sum(nil)
}

// fingerprint tells one call from another.
func fingerprint(name string, input map[string]any) string {
	text, err := hooks.EncodeJSON([]any{name, input})
	if err != nil {
		return rand.Text() // it is like no other
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
