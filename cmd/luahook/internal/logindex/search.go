package logindex

import (
	"context"
	"fmt"
	"time"

	"github.com/luahook/luahook/engine/audit"
)

// Query selects records. A zero field selects all. Names are compared as they stand in the log, cut at 1 KiB.
type Query struct {
	Session, Agent, Event, Tool, Host, Project string

	Hook     string // of one of the runs, or of the note
	Rule     string // as Row.Rule
	Decision string // allow, ask or deny; [audit.NoDecision]: the event's hooks had no opinion
	Kind     string
	Failed   bool // a run has failed
	Since    time.Time
	Until    time.Time // the first moment that doesn't count any more
	First    int       // rows below this one are not looked at
	Text     string    // in a text of the record, not in a name of a key; letters of ASCII in either case
}

// Page is a part of what a search finds.
type Page struct {
	Rows     []int // the newest first
	Next     int   // where the search goes on: its from
	More     bool  // there may be further matches below Next
	Searched int   // how many rows were looked at
}

// patience is how long a search by text goes on.
const patience = time.Second

// Search finds up to limit records, the newest first, below row number from; Len is the end of all. A search by text
// ends after about a second with what it has, so that the user can have it go on. Search fails if ctx ends, or if a file
// can't be read, as after it has left the log.
func (v *View) Search(ctx context.Context, q Query, from, limit int) (Page, error) {
	from = min(max(from, 0), v.len)
	p := &Page{Next: from}
	m, possible := v.matcher(q)
	if !possible {
		return Page{Searched: from}, nil
	}
	var text *textSearch
	if q.Text != "" {
		text = newTextSearch(q.Text)
	}
	end := time.Now().Add(patience)
	for p.Next > q.First && len(p.Rows) < limit {
		if err := ctx.Err(); err != nil {
			return Page{}, err
		}
		if text != nil && p.Searched > 0 && time.Now().After(end) {
			break
		}
		s, row := v.at(p.Next - 1)
		first := p.Next - 1 - row // number of the segment's first row
		lowest := 0               // row of the segment to go down to
		var has []bool            // by text, from lowest on
		if text != nil {
			var err error
			if lowest, has, err = text.group(s, row, m); err != nil {
				return Page{}, fmt.Errorf("%s: %w", s.file.Name(), audit.Cause(err))
			}
		}
		for ; row >= max(lowest, q.First-first) && len(p.Rows) < limit; row-- {
			if m.matches(s, row) && (text == nil || has[row-lowest] && text.in(s, row)) {
				p.Rows = append(p.Rows, first+row)
			}
			p.Next = first + row
			p.Searched++
		}
	}
	p.More = p.Next > q.First
	return *p, nil
}

// matcher holds rows against the columns of a query. The slices say of each number whether it passes; nil: all do.
type matcher struct {
	who, what, run []bool
	whatHook       []bool // of notes by the hook
	rule           ID
	byRule         bool
	kind           Kind
	decision       Decision
	byKind         bool
	byDecision     bool
	flags          Flags
	since, until   int64
}

// matcher prepares a query; possible is false if no row can match.
func (v *View) matcher(q Query) (m *matcher, possible bool) {
	m = &matcher{since: -1 << 63, until: 1<<63 - 1}
	possible = true
	id := func(name string) ID {
		k, ok := v.ID(name)
		possible = possible && ok
		return k
	}
	session, agent, host, project := id(q.Session), id(q.Agent), id(q.Host), id(q.Project)
	event, tool, hook, rule := id(q.Event), id(q.Tool), id(q.Hook), id(q.Rule)
	if q.Kind != "" {
		m.byKind, m.kind = true, kindOf(q.Kind)
		possible = possible && m.kind != KindOther
	}
	switch q.Decision {
	case "":
	case audit.NoDecision:
		m.byDecision, m.decision = true, NoOpinion
		possible = possible && (m.kind == KindDecision || !m.byKind)
		m.byKind, m.kind = true, KindDecision
	default:
		m.byDecision, m.decision = true, decisionOf(q.Decision)
		possible = possible && m.decision != DecisionOther
	}
	if !possible {
		return nil, false
	}
	if q.Failed {
		m.flags = Failed
	}
	if !q.Since.IsZero() {
		m.since = ceilMilli(q.Since)
	}
	if !q.Until.IsZero() {
		m.until = ceilMilli(q.Until)
	}
	m.byRule, m.rule = rule != 0, rule
	if session|agent|host|project != 0 {
		m.who = passing(v.lists.whos, func(w who) bool {
			return is(w.session, session) && is(w.agent, agent) && is(w.host, host) && is(w.project, project)
		})
	}
	if event|tool != 0 {
		m.what = passing(v.lists.whats, func(w what) bool { return is(w.event, event) && is(w.tool, tool) })
	}
	if hook != 0 {
		m.whatHook = passing(v.lists.whats, func(w what) bool { return w.hook == hook })
		m.run = passing(v.lists.runs, func(r runKind) bool { return r.hook == hook })
	}
	return m, true
}

func is(id, wanted ID) bool { return wanted == 0 || id == wanted }

// ceilMilli is the first millisecond that isn't before a time. Times of records are whole milliseconds.
func ceilMilli(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

func passing[T any](list []T, passes func(T) bool) []bool {
	out := make([]bool, len(list))
	for i, v := range list {
		out[i] = passes(v)
	}
	return out
}

func (m *matcher) matches(s *segment, i int) bool {
	switch {
	case m.who != nil && !m.who[s.who[i]],
		m.what != nil && !m.what[s.what[i]],
		m.byRule && ID(s.rule[i]) != m.rule,
		m.byKind && s.kind(i) != m.kind,
		m.byDecision && s.decision(i) != m.decision,
		s.flags[i]&m.flags != m.flags,
		s.time[i] < m.since || s.time[i] >= m.until:
		return false
	case m.run == nil || m.whatHook[s.what[i]]:
		return true
	}
	for from, to := s.runsOf(i); from < to; from++ {
		if m.run[s.runKind[from]] {
			return true
		}
	}
	return false
}
