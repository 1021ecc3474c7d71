package anthropichook

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Middleware fires pre_model_call and post_model_call, or on_error, for requests of the Messages
// API, for option.WithMiddleware: once for each attempt that the SDK makes. Other requests pass.
//
// A request that hooks deny isn't sent: the reason is the text of an answer in the model's
// place, streamed where the request wants that. A stream passes through as it comes, and
// post_model_call is fired when it is over, or given up by who reads it. Hooks see of an answer
// what its first 16 MiB hold.
//
// A request that hooks can't judge is answered with an error of the API's form where hooks of
// pre_model_call are there: one larger than 16 MiB, one that is no JSON, and one that hooks have
// rewritten after the SDK has signed it. So put the middleware behind those that change requests,
// but before those that make them another service's: before bedrock.WithConfig and
// vertex.WithCredentials.
//
// Of two Middlewares of one engine in one client, the first one counts; so does it before the
// one of [Run].
func Middleware(e *engine.Engine, o ...Option) option.Middleware {
	return (&middleware{adapter: adapter.New(e, o...)}).handle
}

type middleware struct {
	adapter *adapter.Adapter
	ofRun   bool // every request that comes is one of messages
}

// seenKey says in a request's context that a middleware of that engine has it.
type seenKey struct{ engine *engine.Engine }

func (m *middleware) handle(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	ctx := req.Context()
	seen := seenKey{m.adapter.Engine()}
	if ctx.Value(seen) != nil {
		return next(req)
	}
	if req.Method != http.MethodPost || req.Body == nil || !strings.HasSuffix(req.URL.Path, "/v1/messages") {
		if m.ofRun {
			if halted := turnOf(ctx).begin(); halted != nil {
				return failed(req, "luahook: "+halted.Error()), nil
			}
			return m.unseen(req, next, "it has been made one of another service: put option.WithMiddleware(anthropichook.Middleware(engine)) before that service's option into the client")
		}
		return next(req)
	}
	call, err := readRequest(req)
	if err != nil {
		return nil, err
	}
	turn := turnOf(ctx)
	if halted := turn.begin(); halted != nil {
		return instead(req, call.stream, cmp.Or(halted.Reason, "a hook ended the turn")), nil
	}
	if call.unreadable != "" {
		return m.unseen(req, next, call.unreadable)
	}
	run := m.adapter.BeginModel(ctx, call.ModelCall)
	if run.Denied != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return m.denied(req, call, run.Denied), nil
	}
	if run.Input != nil || run.Context != "" {
		if strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-") {
			return failed(req, "luahook: hooks have rewritten this request, and it is signed already: put option.WithMiddleware(anthropichook.Middleware(engine)) into the client's own options"), nil
		}
		body, err := call.rewritten(run)
		if err != nil {
			return failed(req, "luahook: what hooks have made of this request can't be sent: "+err.Error()), nil
		}
		setBody(req, body)
	}
	res, err := next(req.WithContext(withSeen(ctx, seen)))
	switch {
	case err != nil:
		run.Fail(ctx, err)
	case res.StatusCode >= http.StatusBadRequest:
		run.Fail(ctx, apiError(res), func(c *hooks.Context) { classify(c.Error, res) })
	default:
		observe(ctx, res, run, turn)
	}
	return res, err
}

// unseen lets a request pass that hooks can't be told of, where none would be.
func (m *middleware) unseen(req *http.Request, next option.MiddlewareNext, why string) (*http.Response, error) {
	switch e := m.adapter.Engine(); {
	case !m.adapter.FiresModelEvents():
	case e.Listens(hooks.PreModelCall, hooks.ToolCall{}):
		return failed(req, "luahook: hooks can't judge this request: "+why), nil
	default:
		m.adapter.Warn(req.Context(), hooks.PreModelCall, "hooks can't see a request to the model: %s", why)
	}
	return next(req)
}

// denied answers in the model's place.
func (m *middleware) denied(req *http.Request, call *modelCall, err error) *http.Response {
	reason, turn := err.Error(), turnOf(req.Context())
	if denied := (*engine.DeniedError)(nil); errors.As(err, &denied) {
		reason = cmp.Or(denied.Reason, reason) // the API refuses an empty text
		if denied.Halt {
			turn.halt(denied)
		}
	}
	turn.deny()
	return instead(req, call.stream, reason)
}

// modelCall is a request.
type modelCall struct {
	adapter.ModelCall
	raw        []byte
	stream     bool
	unreadable string // why hooks can't be told of it
}

// readRequest reads a request and leaves it as it was. The error is that of its body.
func readRequest(req *http.Request) (*modelCall, error) {
	raw, err := io.ReadAll(io.LimitReader(req.Body, hooks.MaxEventBytes+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > hooks.MaxEventBytes {
		req.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(raw), req.Body), req.Body}
		return &modelCall{unreadable: "it is larger than 16 MiB"}, nil
	}
	_ = req.Body.Close()
	req.Body = io.NopCloser(bytes.NewReader(raw))
	value, err := hooks.DecodeJSON(raw)
	if err != nil {
		return &modelCall{unreadable: err.Error()}, nil
	}
	body, ok := value.(map[string]any)
	if !ok {
		return &modelCall{unreadable: "its body is no JSON object"}, nil
	}
	c := &modelCall{raw: raw, stream: body["stream"] == true}
	c.Model, _ = body["model"].(string)
	c.Messages, _ = body["messages"].([]any)
	c.Tools, _ = body["tools"].([]any)
	c.SystemPrompt = systemPrompt(body["system"])
	c.MaxTokens, _ = body["max_tokens"].(int64)
	switch t := body["temperature"].(type) {
	case float64:
		c.Temperature = &t
	case int64:
		f := float64(t)
		c.Temperature = &f
	}
	if retry, _ := strconv.ParseInt(req.Header.Get("X-Stainless-Retry-Count"), 10, 64); retry > 0 {
		c.Metadata = map[string]any{"retry": retry}
	}
	return c, nil
}

// systemPrompt is the text of a system prompt, which is one or a list of blocks.
func systemPrompt(system any) string {
	if text, ok := system.(string); ok {
		return text
	}
	var texts []string
	list, _ := system.([]any)
	for _, item := range list {
		block, _ := item.(map[string]any)
		if text, ok := block["text"].(string); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

func setBody(req *http.Request, body []byte) {
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(body))
}
