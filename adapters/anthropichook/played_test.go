package anthropichook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/engine/adaptertest"
)

// object is a JSON object.
type object = map[string]any

// played is a server that answers in the model's place.
type played struct {
	server *httptest.Server
	answer func(r request) reply

	mu       sync.Mutex
	requests []request
}

// request is a request that the server has got.
type request struct {
	number int // from 1
	text   string
	header http.Header
	body   struct {
		System   any              `json:"system"`
		Messages []requestMessage `json:"messages"`
		Stream   bool             `json:"stream"`
	}
}

type requestMessage struct {
	Role    string   `json:"role"`
	Content []object `json:"content"`
}

// reply is what the server answers: blocks, or an error.
type reply struct {
	content []any
	status  int
	message string
	more    string // lines of its stream that come after the message's, or its end
}

// newPlayed starts the server. Close ends it.
func newPlayed(answer func(r request) reply) *played {
	p := &played{answer: answer}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	return p
}

// client is a client of the server's, with options before its own.
func (p *played) client(o ...option.RequestOption) *anthropic.Client {
	c := anthropic.NewClient(append(o, option.WithoutEnvironmentDefaults(), option.WithAPIKey("none"), option.WithBaseURL(p.server.URL))...)
	return &c
}

func (p *played) serve(w http.ResponseWriter, req *http.Request) {
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		panic(err)
	}
	r := request{text: string(raw), header: req.Header}
	if err := json.Unmarshal(raw, &r.body); err != nil {
		panic(err)
	}
	p.mu.Lock()
	p.requests = append(p.requests, r)
	r.number = len(p.requests)
	p.mu.Unlock()
	a := p.answer(r)
	if a.status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After-Ms", "1")
		w.WriteHeader(a.status)
		_ = json.NewEncoder(w).Encode(object{"type": "error", "error": object{"type": "played_error", "message": a.message}})
		return
	}
	stop := "end_turn"
	for _, b := range a.content {
		if b.(object)["type"] == "tool_use" {
			stop = "tool_use"
		}
	}
	message := object{
		"id": "msg_played", "type": "message", "role": "assistant", "model": adaptertest.Model, "content": a.content, "stop_reason": stop,
		"usage": object{"input_tokens": adaptertest.UsageInput, "output_tokens": adaptertest.UsageOutput, "cache_read_input_tokens": 3},
	}
	if !r.body.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range streamOf(message) {
		data, _ := json.Marshal(event)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], data)
		w.(http.Flusher).Flush()
	}
	_, _ = io.WriteString(w, a.more)
}

// streamOf are the events of a message that is streamed.
func streamOf(message object) (events []object) {
	content, stop := message["content"].([]any), message["stop_reason"]
	message["content"], message["stop_reason"] = []any{}, nil
	events = append(events, object{"type": "message_start", "message": message})
	for i, b := range content {
		block := b.(object)
		delta := object{"type": "text_delta", "text": block["text"]}
		if block["type"] == "tool_use" {
			input, _ := json.Marshal(block["input"])
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
			block = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
		} else {
			block = object{"type": "text", "text": ""}
		}
		events = append(events,
			object{"type": "content_block_start", "index": i, "content_block": block},
			object{"type": "content_block_delta", "index": i, "delta": delta},
			object{"type": "content_block_stop", "index": i})
	}
	return append(events,
		object{"type": "message_delta", "delta": object{"stop_reason": stop}, "usage": object{"output_tokens": adaptertest.UsageOutput}},
		object{"type": "message_stop"})
}

// texts are the requests as they came.
func (p *played) texts() (list []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		list = append(list, r.text)
	}
	return list
}

// answers are what the model was given for its tool calls, by their ids: all blocks as one text.
func (p *played) answers() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]string{}
	for _, r := range p.requests {
		for id, b := range r.results() {
			all[id] = b.text
		}
	}
	return all
}

// result is what a request answers to a tool call.
type result struct {
	text    string
	isError bool
	kinds   []string // of its blocks
}

func (r request) results() map[string]result {
	all := map[string]result{}
	for _, m := range r.body.Messages {
		for _, b := range m.Content {
			if b["type"] != "tool_result" {
				continue
			}
			var one result
			one.isError, _ = b["is_error"].(bool)
			content, _ := b["content"].([]any)
			for _, c := range content {
				block := c.(object)
				one.kinds = append(one.kinds, fmt.Sprint(block["type"]))
				if text, ok := block["text"].(string); ok {
					one.text += text + "\n"
				} else {
					raw, _ := json.Marshal(block)
					one.text += string(raw) + "\n"
				}
			}
			one.text = strings.TrimSuffix(one.text, "\n")
			all[b["tool_use_id"].(string)] = one
		}
	}
	return all
}

// text is a block of the model's answer, use a call of a tool.
func text(s string) any { return object{"type": "text", "text": s} }

func use(id, tool string, input object) any {
	return object{"type": "tool_use", "id": id, "name": tool, "input": input}
}

// says has the model call tools first, and then say a text.
func says(last string, calls ...any) func(r request) reply {
	return func(r request) reply {
		if len(r.results()) == 0 && len(calls) > 0 {
			return reply{content: calls}
		}
		return reply{content: []any{text(last)}}
	}
}

func params(prompt string) anthropic.BetaToolRunnerParams {
	return anthropic.BetaToolRunnerParams{BetaMessageNewParams: anthropic.BetaMessageNewParams{
		Model: adaptertest.Model, MaxTokens: 100,
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(prompt))},
	}}
}
