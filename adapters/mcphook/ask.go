package mcphook

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askPrefix begins the ids of the questions that a result with input requests puts for hooks. An
// id says what was asked about, and that it was this process that asked: what comes back counts
// for nothing else.
const askPrefix = "luahook-ask-"

// askKey is what ids are signed with: a client can answer for its user, but not claim to have been
// asked, because hooks of permission_request hear of a call only once.
var askKey = sync.OnceValue(func() []byte { return []byte(rand.Text()) })

// asked is what a request says of a question that was put before.
type asked struct {
	params mcp.CallToolParamsRaw // without it, for the tool
	id     string                // "": none was put about this call
	answer mcp.InputResponse     // nil: the answer was yes, in an earlier round
}

// askedBefore reads an answer to a question about this call. Where the call had waited for the
// tool itself since, the state that the tool gave carries the yes.
func (s *server) askedBefore(r *mcp.CallToolRequest) asked {
	a := asked{params: *r.Params}
	for id, answer := range r.Params.InputResponses {
		if strings.HasPrefix(id, askPrefix) {
			a.params.InputResponses = maps.Clone(a.params.InputResponses)
			delete(a.params.InputResponses, id)
			if len(a.params.InputResponses) == 0 {
				a.params.InputResponses = nil
			}
			a.id, a.answer = id, answer
			break
		}
	}
	if id, state, ok := strings.Cut(r.Params.RequestState, ":"); ok && strings.HasPrefix(id, askPrefix) {
		a.params.RequestState = state
		if a.id == "" {
			a.id = id
		}
	}
	if input, err := adapter.DecodeInput(r.Params.Arguments); err != nil || !s.signed(a.id, r.Params.Name, input) {
		a.id = ""
	}
	return a
}

// keep has the yes outlast a round in which the tool itself asks something.
func (a asked) keep(res *mcp.CallToolResult) *mcp.CallToolResult {
	if a.id == "" || res == nil || !waits(res, nil) {
		return res
	}
	copied := *res
	copied.RequestState = a.id + ":" + res.RequestState
	return &copied
}

// elicit has the client ask its user. Since protocol 2026-07-28 a server sends no requests of its
// own: the call is suspended, and made again with the answer.
func (s *server) elicit(ctx context.Context, r *mcp.CallToolRequest, before asked, run *engine.ToolRun) *mcp.CallToolResult {
	if !canElicit(r.ClientCapabilities()) {
		return nil
	}
	if r.ProtocolVersion() < sinceInputRequired {
		answer, err := r.Session.Elicit(ctx, questionAbout(run))
		if err == nil {
			err = ctx.Err()
		}
		settle(ctx, run, answer, err)
		return nil
	}
	digest := digestOf(run.Input())
	if before.id != "" && strings.HasPrefix(before.id, askPrefix+digest+"-") {
		answer, ok := before.answer.(*mcp.ElicitResult)
		switch {
		case before.answer == nil:
			run.Allow()
		case ok:
			settle(ctx, run, answer, nil)
		default:
			settle(ctx, run, nil, fmt.Errorf("the client's answer is a %T", before.answer))
		}
		return nil
	}
	input, err := adapter.DecodeInput(r.Params.Arguments)
	if err != nil {
		run.Unanswered(ctx, err)
		return nil
	}
	run.Suspend()
	res := resultOfType("input_required")
	res.InputRequests = mcp.InputRequestMap{s.sign(digest, r.Params.Name, input): questionAbout(run)}
	return res
}

// canElicit reports whether a client can show a form. One that says neither form nor URL means
// forms.
func canElicit(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// settle takes the user's answer.
func settle(ctx context.Context, run *engine.ToolRun, answer *mcp.ElicitResult, err error) {
	switch {
	case err != nil:
		run.Unanswered(ctx, err)
	case answer.Action == "accept":
		run.Allow()
	case answer.Action == "decline":
		run.Refuse(ctx, "")
	default:
		run.Unanswered(ctx, errors.New("the question was dismissed"))
	}
}

// mostShown is how much of an input a question shows, in bytes.
const mostShown = 2000

// questionAbout is what the user is asked: why, and what would run.
func questionAbout(run *engine.ToolRun) *mcp.ElicitParams {
	input := engine.TextOf(run.Input())
	if len(input) > mostShown {
		input = fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(input[:mostShown], ""), len(input))
	}
	return &mcp.ElicitParams{
		Mode:            "form",
		Message:         fmt.Sprintf("%s\n\n%s %s", cmp.Or(run.Reason(), "A hook wants this call to be allowed."), run.Event().ToolCall.HostName, input),
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
}

// digestOf names the input that a person was shown.
func digestOf(input map[string]any) string {
	sum := sha256.Sum256([]byte(engine.TextOf(input)))
	return hex.EncodeToString(sum[:16])
}

// sign is the id of a question about a call: what was shown, and the call as the client made it.
func (s *server) sign(digest, tool string, input map[string]any) string {
	mac := hmac.New(sha256.New, askKey())
	fmt.Fprintf(mac, "%p %q %s %s", s.adapter.Engine(), tool, digest, engine.TextOf(input))
	return askPrefix + digest + "-" + hex.EncodeToString(mac.Sum(nil)[:16])
}

func (s *server) signed(id, tool string, input map[string]any) bool {
	digest, _, ok := strings.Cut(strings.TrimPrefix(id, askPrefix), "-")
	return ok && strings.HasPrefix(id, askPrefix) && hmac.Equal([]byte(id), []byte(s.sign(digest, tool, input)))
}
