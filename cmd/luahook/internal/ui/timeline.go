package ui

import (
	"cmp"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// maxLanes is how many agents have a lane of their own; all others share one.
const maxLanes = 10

// lane is an agent on the timeline: the main one, a sub-agent, or the rest of them.
type lane struct {
	agent  string
	is     string // its name or type
	others int    // more than 0: how many agents it stands for
}

func (l *lane) label() string {
	switch {
	case l.others > 0:
		return "others (" + grouped(l.others) + ")"
	case l.is != "" && l.is != l.agent:
		return excerpt(l.is, maxName) + " " + shortID(l.agent)
	}
	return cmp.Or(strings.TrimSpace(shortID(l.agent)), "main agent")
}

// lanesOf gives each event its lane. The first lane is that of the main agent, and of events that name none.
func lanesOf(events []*sessionEvent, main string) []*lane {
	lanes := []*lane{{agent: main}}
	number := map[string]int{"": 0, main: 0}
	var rest *lane
	for _, e := range events {
		n, known := number[e.agent]
		switch {
		case known:
		case len(lanes) < maxLanes:
			n = len(lanes)
			lanes = append(lanes, &lane{agent: e.agent})
		default:
			if rest == nil {
				rest = &lane{}
				lanes = append(lanes, rest)
			}
			n = maxLanes
			rest.others++
		}
		number[e.agent] = n
		e.lane = n
		if lanes[n].is == "" && n != maxLanes {
			lanes[n].is = e.agentIs
		}
	}
	return lanes
}

// itemKind is what has a length on the timeline.
type itemKind uint8

const (
	toolItem itemKind = iota
	modelItem
	agentItem
	compactItem
	turnItem
)

// item is what has a length on the timeline: from its first event to its last. One of the two may be missing.
type item struct {
	kind       itemKind
	lane       int
	begin, end *sessionEvent
	from, to   place
}

func (it *item) open() bool { return it.end == nil }

// event is the one that stands for the item.
func (it *item) event() *sessionEvent {
	if it.begin != nil {
		return it.begin
	}
	return it.end
}

// length is the time between the first event and the last, in milliseconds; 0 where that can't be said.
func (it *item) length() int64 {
	if it.open() || it.from.epoch != it.to.epoch {
		return 0
	}
	return it.to.ms - it.from.ms
}

// ran is how long it took by itself, as the host says, in milliseconds; -1: it doesn't, or can't be right.
func (it *item) ran() int64 {
	if it.open() || it.end.ownMS <= 0 || it.begin != nil && int64(it.end.ownMS) > it.length() {
		return -1
	}
	return int64(it.end.ownMS)
}

// failed says whether a tool wasn't able to do what it was called for.
func (it *item) failed() bool { return it.end != nil && it.end.outcome != "" && it.end.outcome != "ok" }

// took says how long it took, for its first or last event.
func (it *item) took(e *sessionEvent) (parts []string) {
	if it.open() {
		if it.begin.denied() || it.kind == turnItem {
			return nil
		}
		return []string{"no end"}
	}
	if it.kind == turnItem && e == it.end {
		return nil
	}
	if it.begin == nil && it.end.ownMS <= 0 {
		return nil
	}
	if all := span(it.length()); all != "" {
		parts = append(parts, all)
	} else if it.end.ownMS > 0 && it.end.ownMS < 1 {
		parts = append(parts, shortTime(time.Duration(it.end.ownMS*float64(time.Millisecond))))
	}
	if ran := it.ran(); it.begin != nil && ran >= 0 && it.length()-ran >= noticed {
		parts = append(parts, "of which "+span(it.length()-ran)+" waiting")
	}
	return parts
}

// noticed is from when on a wait is spoken of, in milliseconds.
const noticed = 1000

func timeOfDay(ms int64) string { return time.UnixMilli(ms).Local().Format("15:04:05.000") }

// queue holds items that wait for their end, the oldest first. Some may have found it meanwhile.
type queue []*item

func (q *queue) take() *item {
	for len(*q) > 0 {
		it := (*q)[0]
		*q = (*q)[1:]
		if it.open() {
			return it
		}
	}
	return nil
}

// laneTool is what a call is found by that names no call, or one that isn't known.
type laneTool struct {
	lane int
	tool string
}

// pairing finds what belongs together.
type pairing struct {
	items    []*item
	byCall   map[string]*queue
	byTool   map[laneTool]*queue
	models   map[int]*queue // by lane
	compacts map[int]*queue
	agents   map[int]*item // the last one of a lane
	turn     *item
}

// pairs finds the items of a session's events, which stand in the order of time.
func pairs(events []*sessionEvent) []*item {
	p := &pairing{byCall: map[string]*queue{}, byTool: map[laneTool]*queue{}, models: map[int]*queue{}, compacts: map[int]*queue{}, agents: map[int]*item{}}
	last := map[int]place{}
	for _, e := range events {
		if e.kind == audit.KindDecision {
			p.add(e)
		}
		last[e.lane] = e.at
	}
	for _, it := range p.items {
		if it.kind == agentItem && it.open() {
			it.to = last[it.lane]
		}
	}
	return p.items
}

func (p *pairing) begin(kind itemKind, e *sessionEvent) *item {
	it := &item{kind: kind, lane: e.lane, begin: e, from: e.at, to: e.at}
	e.item = it
	p.items = append(p.items, it)
	return it
}

// end ends an item; nil: one whose beginning isn't known.
func (p *pairing) end(it *item, kind itemKind, e *sessionEvent) {
	if it == nil {
		it = &item{kind: kind, lane: e.lane, from: e.at}
		it.from.ms -= int64(e.ownMS)
		p.items = append(p.items, it)
	}
	it.end, it.to = e, e.at
	e.item = it
}

func queueOf[K comparable](queues map[K]*queue, key K) *queue {
	q := queues[key]
	if q == nil {
		q = &queue{}
		queues[key] = q
	}
	return q
}

func (p *pairing) add(e *sessionEvent) {
	tool := laneTool{e.lane, e.tool}
	switch e.name {
	case hooks.PreToolCall:
		it := p.begin(toolItem, e)
		if e.callID != "" {
			q := queueOf(p.byCall, e.callID)
			*q = append(*q, it)
		}
		if !e.denied() {
			q := queueOf(p.byTool, tool)
			*q = append(*q, it)
		}
	case hooks.PostToolCall, hooks.PermissionDenied:
		var it *item
		if e.callID != "" {
			it = queueOf(p.byCall, e.callID).take()
		}
		if it == nil {
			it = queueOf(p.byTool, tool).takeOther(e.callID)
		}
		if it != nil || e.name == hooks.PostToolCall {
			p.end(it, toolItem, e)
		}
	case hooks.PreModelCall:
		if it := p.begin(modelItem, e); !e.denied() {
			q := queueOf(p.models, e.lane)
			*q = append(*q, it)
		}
	case hooks.PostModelCall:
		p.end(queueOf(p.models, e.lane).take(), modelItem, e)
	case hooks.PreCompact:
		if it := p.begin(compactItem, e); !e.denied() {
			q := queueOf(p.compacts, e.lane)
			*q = append(*q, it)
		}
	case hooks.PostCompact:
		p.end(queueOf(p.compacts, e.lane).take(), compactItem, e)
	case hooks.SubagentStart, hooks.PreAgent:
		if it := p.begin(agentItem, e); !e.denied() {
			p.agents[e.lane] = it
		}
	case hooks.SubagentStop, hooks.PostAgent:
		if it := p.agents[e.lane]; it != nil { // a denied one keeps it going: the last counts
			p.end(it, agentItem, e)
		}
	case hooks.PrePrompt:
		if e.lane == 0 {
			p.turn = p.begin(turnItem, e)
		}
	case hooks.Stop, hooks.StopFailure, hooks.Interrupt:
		if e.lane == 0 && p.turn != nil {
			p.end(p.turn, turnItem, e)
		}
	}
}

// takeOther is take for an end whose call isn't known: it leaves calls that have a name of their own, if the end has
// one, too.
func (q *queue) takeOther(callID string) *item {
	if callID == "" {
		return q.take()
	}
	for i, it := range *q {
		if it.open() && it.begin.callID == "" {
			*q = append((*q)[:i:i], (*q)[i+1:]...)
			return it
		}
		if i == maxPassed {
			break
		}
	}
	return nil
}

// maxPassed bounds how many calls with names of their own are passed over.
const maxPassed = 100

// turn is a part of a session: a prompt and what came of it, or what was before the first one.
type turn struct {
	number int // 0: no prompt was before it
	begun  bool
	alone  bool   // the session has no prompts
	name   string // that the host has given it then
	pause  int64  // since the turn before it, in milliseconds
	events []*sessionEvent
	items  []*item // that are seen in it
	axis   *axis
}

func (t *turn) first() place { return t.events[0].at }
func (t *turn) last() place  { return t.events[len(t.events)-1].at }

// calls is how many calls of tools it has.
func (t *turn) calls() (n int) {
	for _, e := range t.events {
		if e.item != nil && e.item.kind == toolItem && e.item.event() == e {
			n++
		}
	}
	return n
}

// turnsOf divides events at prompts to the main agent, or where there are none, where the host has named another
// turn. before is how many prompts there were already.
func turnsOf(events []*sessionEvent, items []*item, before int) []*turn {
	prompts := false
	for _, e := range events {
		prompts = prompts || beginsTurn(e)
	}
	var turns []*turn
	name := ""
	for i, e := range events {
		next := i == 0
		begins := beginsTurn(e)
		if !prompts && e.lane == 0 && e.turn != "" && e.turn != name {
			next, name = next || name != "", e.turn
		}
		if begins {
			before++
			next = next || turns[len(turns)-1].begun || before > 1 || len(turns[len(turns)-1].events) > maxPrelude
		}
		if next {
			turns = append(turns, &turn{})
		}
		t := turns[len(turns)-1]
		t.number, t.begun = before, t.begun || begins
		t.alone = !prompts && before == 0
		if t.alone {
			t.name = name
		}
		t.events = append(t.events, e)
	}
	for i, t := range turns {
		if i > 0 && t.first().epoch == turns[i-1].last().epoch {
			t.pause = t.first().ms - turns[i-1].last().ms
		}
		for _, it := range items {
			if it.from.compare(t.last()) <= 0 && it.to.compare(t.first()) >= 0 {
				t.items = append(t.items, it)
			}
		}
	}
	return turns
}

// maxPrelude is how many events before the first prompt belong to its turn.
const maxPrelude = 8

func beginsTurn(e *sessionEvent) bool {
	return e.name == hooks.PrePrompt && e.lane == 0 && e.kind == audit.KindDecision
}

func timeAt(ms int64) time.Time { return time.UnixMilli(ms) }
