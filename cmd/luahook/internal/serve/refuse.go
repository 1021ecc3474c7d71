package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

// cause is why a request is refused, as the metrics count it.
type cause int

const (
	causeHost cause = iota
	causeOrigin
	causeToken
	causePath
	causeMethod
	causeContentType
	causeTooLarge
	causeBusy
	causeEvent
	causeAgent
	causeTimeout
	causeGone
	causeStopping
	causeInternal
	causes // how many there are
)

// String is the name of a cause in the metrics.
func (c cause) String() string {
	return [causes]string{"host", "origin", "token", "path", "method", "content_type", "too_large", "busy", "event", "agent",
		"timeout", "gone", "stopping", "internal"}[c]
}

// refusal says why a request isn't answered as it wanted.
type refusal struct {
	cause  cause
	status int
	err    error
}

// deniedBy is a refusal of an event that is known.
type deniedBy struct {
	err    error
	call   *wire.Call    // of an agent; or nil
	result *hooks.Result // what the event gets; nil: what is due to one that can't be judged
	event  hooks.Event
}

func (d *deniedBy) Error() string { return d.err.Error() }
func (d *deniedBy) Unwrap() error { return d.err }

// problem is an error as RFC 9457 has it, and a result at once: who looks at the result alone reads a denial.
type problem struct {
	Title  string        `json:"title"`
	Status int           `json:"status"`
	Detail string        `json:"detail"`
	Result *hooks.Result `json:"-"` // whose members are the problem's; or nil
}

// encode is the problem as JSON, with the members of its result.
func (p problem) encode() ([]byte, error) {
	own, err := hooks.EncodeJSON(p)
	if err != nil || p.Result == nil {
		return own, err
	}
	result, err := hooks.EncodeJSON(p.Result)
	if err != nil {
		return nil, err
	}
	return append(append(own[:len(own)-1], ','), result[1:]...), nil
}

// refuse answers a request that isn't answered as it wanted. Agents read nothing but 200, and take all else for
// consent; so each gets a denial in its own words, and an embedder one in ours.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, at route, why *refusal) {
	s.metrics.refused[why.cause].Add(1)
	text := strings.TrimPrefix(why.err.Error(), "luahook: ")
	if why.cause != causeGone && !s.told[why.cause].Swap(true) {
		s.logger.Warn(fmt.Sprintf("a request was refused (%s): %s; further ones are counted in /metrics", why.cause, text))
	}
	if r.Method == http.MethodPost { // who is still sending doesn't read
		s.discard(w, r)
	}
	switch why.status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", at.method)
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="luahook"`)
	}
	denied := &deniedBy{err: why.err}
	errors.As(why.err, &denied)
	if at.agent && at.method == r.Method && why.status != http.StatusNotImplemented && s.refuseAgent(w, r, text, denied) {
		return
	}
	p := problem{Title: http.StatusText(why.status), Status: why.status, Detail: text, Result: denied.result}
	if p.Result == nil && (at.method == http.MethodPost || r.Method == http.MethodPost) {
		p.Result = engine.Unjudged(denied.event, errors.New(text))
	}
	body, err := p.encode()
	if err != nil { // of a result that holds what the engine never lets in
		p.Result = engine.Unjudged("", err)
		body, _ = p.encode()
	}
	s.write(w, why.status, "application/problem+json", append(body, '\n'))
}

// refuseAgent denies in the words of an agent. It reports whether that can be said.
func (s *Server) refuseAgent(w http.ResponseWriter, r *http.Request, text string, denied *deniedBy) bool {
	call := denied.call
	if call == nil {
		agent := wire.Named(r.PathValue("agent"))
		if agent == nil {
			return false
		}
		call, _ = agent.Decode(nil, r.URL.Query().Get("event")) // which there isn't
	}
	out := call.ForHTTP().Encode(engine.Unjudged(call.Event.Event, errors.New(text)))
	if out.Exit != 0 {
		return false
	}
	s.write(w, http.StatusOK, "application/json", out.Stdout)
	return true
}

// discard reads what is left of a request, no more than an event may be.
func (s *Server) discard(w http.ResponseWriter, r *http.Request) {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(bodyTime)) // an error: this isn't a connection
	_, _ = io.CopyN(io.Discard, r.Body, hooks.MaxEventBytes)
	_ = c.SetReadDeadline(time.Time{})
}

// write writes a whole answer.
func (s *Server) write(w http.ResponseWriter, status int, contentType string, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // an error: this isn't a connection
	if len(body) > 0 {
		w.Header().Set("Content-Type", contentType)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error: nobody reads it any more
}
