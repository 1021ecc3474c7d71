package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// policy is what the servers decide with. Each answer says its version, and what it has counted.
const policy = `local version = %d
on("pre_tool_call", {name="counted", match="bash", on_failure="block"}, function(ev)
  local n = store.session.incr("calls")
  local said = "v=" .. version .. " n=" .. n
  if n %% 5 == 0 then
    local made, why = tasks.create{title = "look at call " .. n, key = ev.session_id .. " " .. math.floor(n / 10)}
    if not made then said = said .. " no task" end
  end
  if ev.tool_call.command:find("forbidden", 1, true) then return deny("no: " .. said) end
  return context(said)
end)
on("pre_tool_call", {name="welcome", match="bash", once=true}, function() return context("welcome") end)
on("stop", {name="goon"}, function() return deny("go on, v=" .. version .. " " .. store.session.incr("stops")) end)
`

// attempt is an event that was fired, and what its client saw.
type attempt struct {
	id        string
	kind      string // call, forbidden, stop, prompt
	began     time.Time
	took      time.Duration
	err       error  // no connection, or one that broke off
	status    int    // of HTTP
	decision  string // of a result
	body      string
	count     int // the number that the hook has counted; 0: it doesn't say one
	version   int // of the policy, likewise
	server    string
	digest    string // of the policy, as the answer's header names it
	welcome   bool
	uncertain bool // luahook has warned that it couldn't read or write what it keeps
}

// lets reports whether the client goes on.
func (a *attempt) lets() bool {
	return a.err == nil && a.status == http.StatusOK && a.decision != "deny"
}

// agent is one session in one phase, which fires one event after the other.
type agent struct {
	session string
	url     string
	client  *http.Client
	done    []attempt
}

func newAgent(session, listen string) *agent {
	return &agent{session: session, url: "http://" + listen + "/v1/fire", client: &http.Client{Transport: &http.Transport{}, Timeout: 20 * time.Second}}
}

var said = regexp.MustCompile(`v=(\d+) n=(\d+)`)

// fire fires an event. It never tries again.
func (a *agent) fire(ctx context.Context, kind, id string, fields map[string]any) *attempt {
	event := map[string]any{"session_id": a.session}
	for k, v := range fields {
		event[k] = v
	}
	if kind == "call" || kind == "forbidden" {
		command := "./run " + id
		if kind == "forbidden" {
			command = "./forbidden " + id
		}
		event["event"], event["tool_call"] = "pre_tool_call", map[string]any{"id": id, "name": "bash", "input": map[string]any{"command": command}}
	}
	one := attempt{id: id, kind: kind}
	text, err := json.Marshal(event)
	if err != nil {
		panic(err) // of texts
	}
	q, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, a.url, bytes.NewReader(text))
	if err != nil {
		panic(err) // of a constant
	}
	q.GetBody = nil // so that net/http doesn't send it again either
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Luahook-Timeout", "10s")
	one.began = time.Now()
	answer, err := a.client.Do(q)
	if err == nil {
		var body []byte
		body, err = io.ReadAll(answer.Body)
		answer.Body.Close()
		one.status, one.server, one.digest = answer.StatusCode, answer.Header.Get("Luahook-Server"), answer.Header.Get("Luahook-Policy")
		one.body = string(body)
		var r struct {
			Decision string
			Warnings []string
		}
		if bad := json.Unmarshal(body, &r); bad != nil && one.status == http.StatusOK && err == nil {
			err = fmt.Errorf("the answer is no result: %w", bad)
		}
		one.decision = r.Decision
		one.uncertain = strings.Contains(strings.Join(r.Warnings, " "), "state can't be used")
		if m := said.FindStringSubmatch(one.body); m != nil {
			one.version, _ = strconv.Atoi(m[1]) // of digits
			one.count, _ = strconv.Atoi(m[2])
		}
		one.welcome = strings.Contains(one.body, `"welcome"`)
	}
	one.took, one.err = time.Since(one.began), err
	a.done = append(a.done, one)
	return &a.done[len(a.done)-1]
}

// run fires events until ctx is done, so many a second: calls, of which every fourth is forbidden, and now and then the
// end of a turn, at which a hook keeps the agent going three times.
func (a *agent) run(ctx context.Context, rate float64) {
	defer a.client.CloseIdleConnections()
	tick := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		id := fmt.Sprint(a.session, "-", i)
		switch {
		case i%16 == 12:
			a.fire(ctx, "prompt", id, map[string]any{"event": "pre_prompt", "prompt": "go"})
			for range 5 {
				a.fire(ctx, "stop", id, map[string]any{"event": "stop"})
			}
		case i%4 == 3:
			a.fire(ctx, "forbidden", id, nil)
		default:
			a.fire(ctx, "call", id, nil)
		}
	}
}

// load has many agents fire while something is done.
func load(ctx context.Context, agents []*agent, rate float64, length time.Duration, do func(context.Context) error) error {
	firing, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	for _, a := range agents {
		work.Go(func() { a.run(firing, rate) })
	}
	failed := pause(ctx, length/6)
	if do != nil && failed == nil {
		began := time.Now()
		failed = do(ctx)
		if took := time.Since(began); failed == nil && took < length/2 {
			failed = pause(ctx, length/2-took)
		}
	}
	if failed == nil {
		failed = pause(ctx, length/3)
	}
	stop()
	work.Wait()
	return failed
}
