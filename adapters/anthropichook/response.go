package anthropichook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

func withSeen(ctx context.Context, key seenKey) context.Context {
	return context.WithValue(ctx, key, true)
}

// observe has the run and the turn told of the answer once it has been read.
func observe(ctx context.Context, res *http.Response, run *adapter.ModelRun, turn *turn) {
	kind := res.Header.Get("Content-Type")
	res.Body = &tee{ReadCloser: res.Body, over: func(got []byte, err error) {
		message, streamErr := decode(got, kind)
		usage := usageOf(message)
		turn.answered(message, usage)
		if err = cmp.Or(err, streamErr); err != nil {
			run.Fail(ctx, err)
			return
		}
		run.End(ctx, adapter.ModelAnswer{Model: string(message.Model), Response: textOf(message), FinishReason: string(message.StopReason), Usage: usage})
	}}
}

// tee keeps the beginning of what is read, and tells once when it is over: at its end, at an
// error, or when the reader gives up.
type tee struct {
	io.ReadCloser
	once sync.Once
	got  bytes.Buffer
	over func(got []byte, err error)
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.got.Write(p[:min(n, hooks.MaxEventBytes-t.got.Len())])
	switch {
	case err == io.EOF:
		t.tell(nil)
	case err != nil:
		t.tell(err)
	}
	return n, err
}

func (t *tee) Close() error {
	err := t.ReadCloser.Close()
	t.tell(nil)
	return err
}

func (t *tee) tell(err error) {
	t.once.Do(func() { t.over(t.got.Bytes(), err) })
}

// decode reads a message as far as it has come. The error is one that came in its stream.
func decode(got []byte, kind string) (*anthropic.BetaMessage, error) {
	m := &anthropic.BetaMessage{}
	if !strings.HasPrefix(kind, "text/event-stream") {
		_ = json.Unmarshal(got, m) // what it is not, the SDK says
		return m, nil
	}
	res := &http.Response{Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(got))}
	stream := ssestream.NewStream[anthropic.BetaRawMessageStreamEventUnion](ssestream.NewDecoder(res), nil)
	for stream.Next() {
		if err := m.Accumulate(stream.Current()); err != nil {
			return m, nil
		}
	}
	return m, stream.Err()
}

// textOf is the text of a message.
func textOf(m *anthropic.BetaMessage) string {
	var text strings.Builder
	for _, b := range m.Content {
		text.WriteString(b.Text)
	}
	return text.String()
}

func usageOf(m *anthropic.BetaMessage) *hooks.Usage {
	u := hooks.Usage{InputTokens: m.Usage.InputTokens, OutputTokens: m.Usage.OutputTokens, CacheTokens: m.Usage.CacheReadInputTokens}
	if u == (hooks.Usage{}) {
		return nil
	}
	return &u
}

// maxErrorBytes is how much of an API error's body is read for its message.
const maxErrorBytes = 64 << 10

// apiError is the error that a response says, whose body stays to be read.
func apiError(res *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBytes)) // as much of it as comes
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(raw), res.Body), res.Body}
	status := fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode))
	kind, message := errorOf(raw)
	if message == "" {
		return errors.New(status)
	}
	return fmt.Errorf("%s: %s: %s", status, kind, message)
}

// classify says what kind of error a response is, and whether the SDK's users try such again.
func classify(info *hooks.ErrorInfo, res *http.Response) {
	switch res.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		info.Kind = "authentication"
	case http.StatusTooManyRequests:
		info.Kind = "rate_limit"
	case 529:
		info.Kind = "overloaded"
	}
	info.IsRetryable = res.StatusCode == http.StatusRequestTimeout || res.StatusCode == http.StatusConflict ||
		res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError
	switch res.Header.Get("X-Should-Retry") {
	case "true":
		info.IsRetryable = true
	case "false":
		info.IsRetryable = false
	}
}

// errorOf reads an error of the API's form.
func errorOf(raw []byte) (kind, message string) {
	var form struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &form) != nil {
		return "", ""
	}
	return form.Error.Type, form.Error.Message
}

// failed is an error in the API's place, which the SDK doesn't try again.
func failed(req *http.Request, message string) *http.Response {
	body, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": message}})
	return response(req, http.StatusBadRequest, "application/json", body)
}

// instead is an answer in the model's place, streamed or not.
func instead(req *http.Request, stream bool, text string) *http.Response {
	usage := map[string]any{"input_tokens": 0, "output_tokens": 0}
	message := map[string]any{
		"id": "msg_luahook", "type": "message", "role": "assistant", "model": "luahook",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	if !stream {
		message["content"], message["stop_reason"] = []any{map[string]any{"type": "text", "text": text}}, "end_turn"
		body, _ := json.Marshal(message)
		return response(req, http.StatusOK, "application/json", body)
	}
	var body bytes.Buffer
	for _, event := range []map[string]any{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text", "text": ""}},
		{"type": "content_block_delta", "index": 0, "delta": map[string]any{"type": "text_delta", "text": text}},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": map[string]any{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 0}},
		{"type": "message_stop"},
	} {
		data, _ := json.Marshal(event)
		fmt.Fprintf(&body, "event: %s\ndata: %s\n\n", event["type"], data)
	}
	return response(req, http.StatusOK, "text/event-stream", body.Bytes())
}

func response(req *http.Request, status int, kind string, body []byte) *http.Response {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	return &http.Response{
		StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}
