package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Bounds of a page of a session.
const (
	pageEvents = 1000     // records
	pageBytes  = 32 << 20 // of the log, that are read for it
	maxWhat    = 160      // characters of what an event is about, and of why it was decided so
)

// place is a moment of a session. The clock may have been set back meanwhile: each time begins an epoch.
type place struct {
	epoch int
	ms    int64
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.epoch, q.epoch), cmp.Compare(p.ms, q.ms))
}

// sessionEvent is what the page of a session keeps of a record.
type sessionEvent struct {
	ref      logindex.Ref
	at       place
	kind     audit.Kind
	name     hooks.Event
	agent    string
	agentIs  string // its name or type, where the event says it
	turn     string
	tool     string
	callID   string
	model    string
	outcome  string  // of a tool call that is over
	ownMS    float64 // how long the host says that it took; 0: it doesn't
	hookUS   int64   // how long hooks took
	said     string  // as outcome says it, a name in marks
	failed   bool    // a run has failed
	rewrote  bool
	halted   bool
	what     string // it is about
	brief    string // the same, with paths from the project on
	why      string // it was decided so
	lane     int
	item     *item // that it begins or ends
	duration int64 // of what it begins, in milliseconds; -1: that has no known end
}

// denied says whether what the event was about didn't happen.
func (e *sessionEvent) denied() bool { return e.said == "deny" }

// signs are how hooks stood in the way at the event, as names in marks.
func (e *sessionEvent) signs() (signs []string) {
	if e.said == "deny" || e.said == "ask" {
		signs = append(signs, e.said)
	}
	if e.failed {
		signs = append(signs, "failed")
	}
	if e.rewrote {
		signs = append(signs, "rewrote")
	}
	if e.halted {
		signs = append(signs, "halted")
	}
	return signs
}

// sessionPage is a part of a session, in the order of time.
type sessionPage struct {
	events  []*sessionEvent
	models  []string
	next    int  // the row where the next part begins; -1: there is none
	earlier bool // there is a part before it
}

// readSession reads the records of a session from a row on.
func readSession(ctx context.Context, v *logindex.View, sum *sessionSum, from int) (*sessionPage, error) {
	p := &sessionPage{next: -1, earlier: from > sum.first}
	models := map[string]bool{"": true}
	size := 0
	for i := from; i <= sum.last; i++ {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if v.Row(i).Session != sum.id {
			continue
		}
		if len(p.events) == pageEvents || size > pageBytes {
			p.next = i
			break
		}
		r, err := v.Read(i)
		if err != nil {
			return nil, err
		}
		size += len(r.Line)
		e := eventOf(v.Ref(i), &r.Record)
		if !models[e.model] && len(models) <= maxNamed {
			models[e.model] = true
			p.models = append(p.models, e.model)
		}
		p.events = append(p.events, e)
	}
	inTime(p.events)
	return p, nil
}

// maxNamed is how many models are named.
const maxNamed = 8

// eventOf is what the page keeps of a record.
func eventOf(ref logindex.Ref, r *audit.Record) *sessionEvent {
	call, _ := r.Context["tool_call"].(map[string]any)
	e := &sessionEvent{
		ref: ref, at: place{ms: r.Time.UnixMilli()}, kind: r.Kind, name: r.Event, agent: r.Agent, turn: r.Turn, tool: r.Tool, callID: r.CallID,
		agentIs: textIn(r.Context, "agent_name"), model: excerpt(textIn(r.Context, "model"), maxName), outcome: excerpt(textIn(call, "outcome"), maxName),
		hookUS: max(0, r.DurationUS), said: outcome(r), failed: anyFailed(r), rewrote: r.Modified, halted: r.Halt, duration: -1,
		what: excerpt(about(r), maxWhat), why: excerpt(cmp.Or(show.Decider(r), r.StopReason), maxWhat),
	}
	if e.brief = e.what; len(r.Project) > 1 {
		e.brief = strings.ReplaceAll(e.what, r.Project+"/", "")
	}
	switch r.Event {
	case hooks.PostToolCall:
		e.ownMS = numberIn(call, "duration_ms")
	case hooks.PostModelCall, hooks.PostAgent:
		e.ownMS = 1000 * numberIn(r.Context, "duration")
	}
	return e
}

// about is what the event of a record is about.
func about(r *audit.Record) string {
	c := r.Context
	switch {
	case r.Kind == audit.KindNote:
		return cmp.Or(r.Text, r.Note)
	case r.Kind == audit.KindRun:
		var runs []string
		for i := range r.Runs[:min(len(r.Runs), maxNamed)] {
			runs = append(runs, r.Runs[i].Hook+" "+r.Runs[i].Status)
		}
		return strings.Join(runs, ", ")
	case r.Tool != "":
		return show.Asked(r)
	}
	switch r.Event {
	case hooks.PrePrompt:
		return textOrSize(c, "prompt")
	case hooks.Stop, hooks.PostResponse:
		return textOrSize(c, "response")
	case hooks.PreModelCall, hooks.PostModelCall:
		usage, _ := c["usage"].(map[string]any)
		return joined(textIn(c, "model"), amountIn(usage, "input_tokens", "in"), amountIn(usage, "output_tokens", "out"), amountIn(usage, "cache_tokens", "cached"))
	case hooks.PreCompact, hooks.PostCompact:
		return joined(textIn(c, "trigger"), amountIn(c, "token_count", "tokens before"), amountIn(c, "new_token_count", "tokens after"))
	case hooks.SubagentStart, hooks.SubagentStop, hooks.PreAgent, hooks.PostAgent:
		return joined(textIn(c, "agent_name"), r.Agent)
	case hooks.SessionStart:
		return joined(textIn(c, "source"), textIn(c, "model"))
	case hooks.OnError, hooks.StopFailure, hooks.OnRetry:
		failure, _ := c["error"].(map[string]any)
		return joined(textIn(failure, "kind"), textIn(failure, "message"))
	}
	for _, name := range []string{"reason", "type", "title", "program_name", "task_id", "channel"} {
		if text := textIn(c, name); text != "" {
			return text
		}
	}
	return ""
}

func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// textIn is a text of an object; "" where it has none, or only its length and sum.
func textIn(object map[string]any, name string) string {
	text, _ := object[name].(string)
	return text
}

// textOrSize is a text of an object, or how long it was.
func textOrSize(object map[string]any, name string) string {
	sum, _ := object[name].(map[string]any)
	if n := numberIn(sum, "bytes"); n > 0 {
		return plural(int(n), "byte")
	}
	return textIn(object, name)
}

// numberIn is a number of an object that isn't negative; 0 where it has none.
func numberIn(object map[string]any, name string) float64 {
	number, _ := object[name].(json.Number)
	n, err := number.Float64()
	if err != nil || !(n > 0) || math.IsInf(n, 0) {
		return 0
	}
	return min(n, 1<<53)
}

func amountIn(object map[string]any, name, thing string) string {
	if n := numberIn(object, name); n > 0 {
		return grouped(int64(n)) + " " + thing
	}
	return ""
}

// setBack is how much earlier than the one before a record must be for the clock to have been set back, in
// milliseconds. Below that it was only written later, as its hooks took their time.
const setBack = 10 * 60 * 1000

// inTime puts events into the order of their times, and says in which epoch each is.
func inTime(events []*sessionEvent) {
	epoch := 0
	latest := int64(math.MinInt64)
	for i, e := range events {
		if i > 0 && e.at.ms < latest-setBack {
			epoch++
			latest = e.at.ms
		}
		latest = max(latest, e.at.ms)
		e.at.epoch = epoch
	}
	slices.SortStableFunc(events, func(a, b *sessionEvent) int { return a.at.compare(b.at) })
}

// title says what the event is, when it was, and how hooks stood in its way.
func (e *sessionEvent) title() string {
	parts := []string{string(e.name)}
	switch e.kind {
	case audit.KindNote:
		parts[0] = "note"
	case audit.KindRun:
		parts[0] = "async run"
	}
	if e.what != "" {
		parts = append(parts, e.what)
	}
	parts = append(parts, timeOfDay(e.at.ms))
	if took := e.took(); took != "" {
		parts = append(parts, took)
	}
	if signs := e.signs(); len(signs) > 0 {
		var words []string
		for _, sign := range signs {
			words = append(words, markOf(sign).word)
		}
		parts = append(parts, strings.TrimSuffix(strings.Join(words, ", ")+": "+e.why, ": "))
	}
	return strings.Join(parts, " · ")
}

// took says how long what the event begins or ends took, and its hooks.
func (e *sessionEvent) took() string {
	var parts []string
	if it := e.item; it != nil {
		parts = append(parts, it.took(e)...)
	}
	switch us := e.hookUS; {
	case us >= 60_000_000:
		parts = append(parts, "hooks "+span(us/1000))
	case us > 0:
		parts = append(parts, "hooks "+shortTime(time.Duration(us)*time.Microsecond))
	}
	return strings.Join(parts, ", ")
}
