package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

// timeoutHeader says how long the sender of an event waits for the answer.
const timeoutHeader = "Luahook-Timeout"

// fire answers an event in luahook's own form.
func (s *Server) fire(w http.ResponseWriter, r *http.Request) *refusal {
	arrived := time.Now()
	data, done, why := s.readEvent(w, r)
	defer done()
	if why != nil {
		return why
	}
	c, err := hooks.DecodeContext(data, "")
	if err != nil {
		return &refusal{causeEvent, http.StatusBadRequest, err}
	}
	within, err := timeout(r, MaxTime)
	if err != nil {
		return &refusal{causeEvent, http.StatusBadRequest, &deniedBy{err: err, event: c.Event}}
	}
	result, delivery, why := s.judge(r.Context(), c, arrived.Add(within))
	names(w, s.engine.PolicyOf(result))
	if why != nil {
		why.err = &deniedBy{err: why.err, result: result}
		return why
	}
	body, err := hooks.EncodeJSON(result)
	if err != nil {
		return &refusal{causeInternal, http.StatusInternalServerError, &deniedBy{err: err, event: c.Event}}
	}
	s.deliver(w, append(body, '\n'), delivery)
	return nil
}

// answerAgent answers an event of an agent in the agent's own form.
func (s *Server) answerAgent(w http.ResponseWriter, r *http.Request) *refusal {
	arrived := time.Now()
	agent := wire.Named(r.PathValue("agent"))
	if agent == nil {
		return &refusal{causeAgent, http.StatusNotFound, fmt.Errorf("unknown agent %.100q; there are %s", r.PathValue("agent"), agentNames())}
	}
	data, done, why := s.readEvent(w, r)
	defer done()
	if why != nil {
		return why
	}
	call, err := agent.Decode(data, r.URL.Query().Get("event"))
	if wire.IsUnnamed(err) {
		err = fmt.Errorf("%w; say what happens with ?event=, as in %s?event=%s", err, r.URL.Path, agent.Events[0].Name)
	}
	if call = call.ForHTTP(); !speaksJSON(call) {
		return &refusal{causeAgent, http.StatusNotImplemented, &deniedBy{err: fmt.Errorf("%s takes the answer to %s only as an exit status with a text, "+
			"which HTTP doesn't have: hook it with `luahook run --agent %s`", agent.Title, call.Event.Name, agent.Name), call: call, event: call.Event.Event}}
	}
	if err != nil {
		return &refusal{causeEvent, http.StatusBadRequest, &deniedBy{err: err, call: call}}
	}
	within, err := timeout(r, call.Event.Deadline())
	if err != nil {
		return &refusal{causeEvent, http.StatusBadRequest, &deniedBy{err: err, call: call}}
	}
	result, delivery, why := s.judge(r.Context(), call.Context, arrived.Add(within))
	names(w, s.engine.PolicyOf(result))
	if why != nil {
		why.err = &deniedBy{err: why.err, call: call}
		return why
	}
	out := call.Encode(result)
	if out.Exit != 0 {
		return &refusal{causeInternal, http.StatusInternalServerError, &deniedBy{err: errors.New(strings.TrimSpace(out.Stderr)), call: call}}
	}
	for _, text := range out.Lost {
		s.logger.Warn(text)
	}
	s.deliver(w, out.Stdout, delivery)
	return nil
}

// speaksJSON reports whether all that could be answered to a call has a form in JSON.
func speaksJSON(c *wire.Call) bool {
	for _, r := range []*hooks.Result{
		{Decision: hooks.Deny, Block: true, Reason: "no"}, {Decision: hooks.Ask, Reason: "well"}, {Decision: hooks.Allow},
		{NewContext: "context", SystemMessage: "message"}, {Halt: true, StopReason: "stop"},
	} {
		if out := c.Encode(r); out.Exit != 0 || (len(out.Stdout) > 0 && out.Stdout[0] != '{') {
			return false
		}
	}
	return true
}

// judge fires an event. A refusal comes with the result that the event has all the same.
func (s *Server) judge(ctx context.Context, c *hooks.Context, deadline time.Time) (*hooks.Result, *engine.Delivery, *refusal) {
	if c.CWD == "" {
		c.CWD = s.cwd
	}
	within, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	within, delivery := engine.Delivering(within)
	started := time.Now()
	result, err := s.engine.Fire(within, c)
	_, unusable := errors.AsType[*hooks.InputError](err)
	_, unknown := errors.AsType[*hooks.UnknownEventError](err)
	closed := errors.Is(err, engine.ErrClosed)
	if err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), "luahook: "))
		if !result.Block {
			result = engine.Unjudged(c.Event, err)
		}
	}
	s.metrics.fired(c.Event, result.Decision, time.Since(started))
	switch {
	case err == nil:
		return result, delivery, nil
	case closed, errors.Is(context.Cause(ctx), access.ErrStopping):
		return result, nil, &refusal{causeStopping, http.StatusServiceUnavailable, access.ErrStopping}
	case ctx.Err() != nil:
		return result, nil, &refusal{causeGone, http.StatusServiceUnavailable, errors.New("the client has gone away")}
	case unusable || unknown:
		return result, nil, &refusal{causeEvent, http.StatusBadRequest, err}
	case within.Err() != nil:
		return result, nil, &refusal{causeTimeout, http.StatusGatewayTimeout, errors.New("the time for this event was over before its hooks were done")}
	}
	return result, nil, &refusal{causeInternal, http.StatusInternalServerError, err}
}

// deliver writes an answer, and notes that it is out.
func (s *Server) deliver(w http.ResponseWriter, body []byte, delivery *engine.Delivery) {
	s.write(w, http.StatusOK, "application/json", body)
	if delivery.Owes() && http.NewResponseController(w).Flush() == nil {
		delivery.Done()
	}
}

// timeout is how long hooks have for an event: what the request says, or usual. No more than [MaxTime].
func timeout(r *http.Request, usual time.Duration) (time.Duration, error) {
	text := r.Header.Get(timeoutHeader)
	if text == "" {
		return min(usual, MaxTime), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > MaxTime {
		return 0, fmt.Errorf("%s is %.40q, want a time such as 500ms or 20s, 10m at most", timeoutHeader, text)
	}
	return d, nil
}

// readEvent reads the body of a request, if there is room for one more event. done gives the room back; it must be
// called in any case.
func (s *Server) readEvent(w http.ResponseWriter, r *http.Request) (data []byte, done func(), why *refusal) {
	taken := int64(0)
	take := func(n int64) bool {
		if s.room.Add(-n) < 0 {
			s.room.Add(n)
			return false
		}
		taken += n
		return true
	}
	s.metrics.atWork.Add(1)
	done = func() {
		s.metrics.atWork.Add(-1)
		s.room.Add(taken)
	}
	switch {
	case r.ContentLength > hooks.MaxEventBytes:
		return nil, done, tooLarge()
	case !take(max(r.ContentLength, leastCost)):
		return nil, done, busy()
	}
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(bodyTime)) // an error: this isn't a connection
	var body bytes.Buffer
	var err error
	if r.ContentLength >= 0 {
		data = make([]byte, r.ContentLength)
		_, err = io.ReadFull(r.Body, data)
	} else if _, err = io.CopyN(&body, r.Body, leastCost); err == nil { // there is more, nobody knows how much
		if !take(hooks.MaxEventBytes) {
			return nil, done, busy()
		}
		_, err = io.CopyN(&body, r.Body, hooks.MaxEventBytes+1-leastCost)
	}
	_ = c.SetReadDeadline(time.Time{}) // or its end would pass for that of the client
	switch {
	case body.Len() > hooks.MaxEventBytes:
		return nil, done, tooLarge()
	case err != nil && (err != io.EOF || r.ContentLength >= 0):
		return nil, done, &refusal{causeEvent, http.StatusBadRequest, fmt.Errorf("the event has not come to its end: %w", err)}
	case data == nil:
		data = body.Bytes()
	}
	return data, done, nil
}

func tooLarge() *refusal {
	return &refusal{causeTooLarge, http.StatusRequestEntityTooLarge, fmt.Errorf("the event is larger than %d MiB", hooks.MaxEventBytes>>20)}
}

func busy() *refusal {
	return &refusal{causeBusy, http.StatusServiceUnavailable, errors.New("too many events are under way; try again")}
}

// agentNames lists the agents, for a message.
func agentNames() string {
	var names []string
	for _, a := range wire.Agents() {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}
