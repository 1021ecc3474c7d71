// Package fakemodel stands in for a language model: it answers an agent by a script, in the form of three HTTP APIs,
// and keeps what it was asked. OpenAI's responses are in responses.go, its chat completions in chat.go, and Gemini's
// content in gemini.go.
package fakemodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Turn is what the model answers once.
type Turn struct {
	Command string // what it runs with the agent's shell tool; "": it says Text and calls nothing
	Text    string
}

// Tool is the shell tool that an agent offers to a model.
type Tool struct {
	Name  string
	Input func(command string) map[string]any // the arguments that run a command
}

// MaxTurns is how often a model answers in a conversation. Then it fails with a status that agents don't try again,
// so that one which would go on for ever ends.
const MaxTurns = 12

// maxBody is the largest request that is read.
const maxBody = 16 << 20

// Server is a model that listens on loopback. All methods may be called at any time from any goroutine.
type Server struct {
	tool     Tool
	turns    []Turn
	http     *http.Server
	listener net.Listener
	served   chan struct{} // closed when nothing is served any more

	mu       sync.Mutex
	requests []Request
	asked    int // requests of the conversation so far
}

// Request is what an agent has asked.
type Request struct {
	Path string
	Body any // as JSON is decoded; nil where there was none

	// Conversation says that the model may call the agent's shell tool here. Agents also ask for titles and summaries.
	Conversation bool
}

// Start starts a model that answers a conversation by the script, turn by turn, and then with a text that says which
// answer it is. Other requests get a short text. Close ends it.
func Start(tool Tool, turns ...Turn) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("fake model: %w", err)
	}
	s := &Server{tool: tool, turns: turns, listener: listener, served: make(chan struct{})}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve)}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // until Close, which nothing goes wrong before
	}()
	return s, nil
}

// URL is where the server listens, without a slash at the end.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends the server, and the requests that it still answers.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.served
	return err
}

// Requests returns what was asked so far, in order. The slice is the caller's own.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Texts returns all texts in the request, keys not among them, in the order of the keys.
func (r Request) Texts() []string {
	var all []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		}
	}
	walk(r.Body)
	return all
}

// Contains reports whether one of the texts in the request contains text.
func (r Request) Contains(text string) bool {
	return slices.ContainsFunc(r.Texts(), func(t string) bool { return strings.Contains(t, text) })
}

// Since returns the texts of the request that an earlier one doesn't have.
func (r Request) Since(earlier Request) []string {
	known := map[string]bool{}
	for _, text := range earlier.Texts() {
		known[text] = true
	}
	return slices.DeleteFunc(r.Texts(), func(text string) bool { return known[text] })
}

// answer is what the model says to one request.
type answer struct {
	number  int    // of the request among all
	command string // "": text is said
	text    string
	tool    Tool
}

// call is the id of the answer's tool call.
func (a *answer) call() string { return fmt.Sprintf("call_%d", a.number) }

// arguments are those of the tool call as JSON.
func (a *answer) arguments() string { return encode(a.tool.Input(a.command)) }

var errTooOften = errors.New("asked too often")

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var in any
	if len(body) > 0 {
		if err := json.Unmarshal(body, &in); err != nil {
			in = string(body) // a form or something packed, which stays in the log as it is
		}
	}
	fields, _ := in.(map[string]any)
	path := r.URL.Path
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(path, "/responses"):
		s.answer(w, path, in, offersFunction(fields, s.tool.Name), func(a *answer) { writeResponse(w, a) })
	case r.Method == http.MethodPost && strings.HasSuffix(path, "/chat/completions"):
		stream, _ := fields["stream"].(bool)
		s.answer(w, path, in, offersFunction(fields, s.tool.Name), func(a *answer) { writeChat(w, a, stream) })
	case r.Method == http.MethodPost && strings.HasSuffix(path, ":streamGenerateContent"):
		s.answer(w, path, in, offersDeclaration(fields, s.tool.Name), func(a *answer) { writeContent(w, a, true) })
	case r.Method == http.MethodPost && strings.HasSuffix(path, ":generateContent"):
		s.answer(w, path, in, offersDeclaration(fields, s.tool.Name), func(a *answer) { writeContent(w, a, false) })
	case r.Method == http.MethodPost && strings.HasSuffix(path, ":countTokens"):
		s.note(path, in, false)
		writeJSON(w, object{"totalTokens": 10})
	default:
		s.note(path, in, false)
		http.NotFound(w, r)
	}
}

// answer notes a request and writes what the script says.
func (s *Server) answer(w http.ResponseWriter, path string, in any, conversation bool, write func(*answer)) {
	a, err := s.note(path, in, conversation)
	if err != nil {
		http.Error(w, `{"error":{"message":"`+err.Error()+`","code":400}}`, http.StatusBadRequest)
		return
	}
	write(a)
}

// note keeps a request and says what answers it.
func (s *Server) note(path string, in any, conversation bool) (*answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Path: path, Body: in, Conversation: conversation})
	a := &answer{number: len(s.requests), text: "ok", tool: s.tool}
	if !conversation {
		return a, nil
	}
	at := s.asked
	s.asked++
	switch {
	case at >= MaxTurns:
		return nil, errTooOften
	case at < len(s.turns):
		a.command, a.text = s.turns[at].Command, s.turns[at].Text
	default:
		a.text = fmt.Sprintf("That was answer %d.", at+1)
	}
	return a, nil
}

type object map[string]any

// encode writes JSON of values that are nothing but maps, lists, texts, numbers and booleans.
func encode(v any) string {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value of another kind: a mistake in this package
	}
	return string(line)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, encode(v)) // who no longer listens isn't told
}

// writeEvents writes server-sent events: the name, which may be empty, and the data.
func writeEvents(w http.ResponseWriter, events ...[2]string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if e[0] != "" {
			_, _ = fmt.Fprintf(w, "event: %s\n", e[0])
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", e[1])
	}
}

// list returns the objects of a list.
func list(v any) []object {
	var all []object
	elements, _ := v.([]any)
	for _, e := range elements {
		if o, ok := e.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}

// offersFunction reports whether a request to one of OpenAI's APIs offers a tool.
func offersFunction(in map[string]any, name string) bool {
	for _, tool := range list(in["tools"]) {
		if function, ok := tool["function"].(map[string]any); ok { // chat completions
			tool = function
		}
		if tool["name"] == name {
			return true
		}
	}
	return false
}

// offersDeclaration reports whether a request to Gemini's API offers a tool.
func offersDeclaration(in map[string]any, name string) bool {
	for _, tool := range list(in["tools"]) {
		for _, declaration := range list(tool["functionDeclarations"]) {
			if declaration["name"] == name {
				return true
			}
		}
	}
	return false
}
