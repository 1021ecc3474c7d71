package ui

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
)

// pastQuery says which recorded decisions are fired at edited hooks: the last ones that pass a filter.
type pastQuery struct {
	last                           int
	event, hook, session, decision string
	span                           string // one of ranges; "": all
	project                        string // in which they were recorded, as the log has it
}

// Bounds of what would have been.
const (
	pastDefault    = 1000
	maxDifferences = 200     // differences
	maxFaceted     = 100_000 // records that are looked at for what there is to choose from
	maxChoices     = 100     // of one select
)

var pastNumbers = []int{100, 1000, 10_000}

// pastOf is what a form says.
func pastOf(form url.Values) (pastQuery, error) {
	q := pastQuery{
		last: pastDefault, event: form.Get("past_event"), hook: form.Get("past_hook"), session: form.Get("past_session"),
		decision: form.Get("past_decision"), span: form.Get("past_span"), project: form.Get("past_project"),
	}
	if text := form.Get("past_last"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || !slices.Contains(pastNumbers, n) {
			return q, refuse(http.StatusBadRequest, "The number of decisions is one of 100, 1,000 and 10,000.")
		}
		q.last = n
	}
	if _, err := rangeNamed(q.span); err != nil {
		return q, err
	}
	if q.decision != "" && !slices.Contains(filterDecisions, q.decision) {
		return q, refuse(http.StatusBadRequest, "There is no such decision.")
	}
	return q, nil
}

// pastProject is the project whose decisions are fired unless somebody says another: this one, or where the log has
// none of it, the one that it has most of.
func (s *Server) pastProject(v *logindex.View) string {
	choices := s.pastChoices(v)["project"]
	if slices.Contains(choices, s.Hooks.Root) || len(choices) == 0 {
		return s.Hooks.Root
	}
	return choices[0]
}

// pastChoices are names that there are to choose from, of the newest records, those that most of these have first.
func (s *Server) pastChoices(v *logindex.View) map[string][]string {
	count := map[string]map[logindex.ID]int{"event": {}, "hook": {}, "session": {}, "project": {}}
	for i := v.Len() - 1; i >= max(0, v.Len()-maxFaceted); i-- {
		row := v.Row(i)
		if row.Kind != logindex.KindDecision {
			continue
		}
		count["event"][row.Event]++
		count["session"][row.Session]++
		count["project"][row.Project]++
		for _, run := range row.Runs {
			count["hook"][run.Hook]++
		}
	}
	choices := map[string][]string{}
	for name, ids := range count {
		delete(ids, 0)
		list := make([]logindex.ID, 0, len(ids))
		for id := range ids {
			list = append(list, id)
		}
		slices.SortFunc(list, func(a, b logindex.ID) int { return cmp.Or(ids[b]-ids[a], cmp.Compare(v.Name(a), v.Name(b))) })
		for _, id := range list[:min(len(list), maxChoices)] {
			choices[name] = append(choices[name], v.Name(id))
		}
	}
	return choices
}

// rowsOf are the numbers of the records that a query selects, the newest first.
func (s *Server) rowsOf(ctx context.Context, v *logindex.View, q pastQuery) (rows []int, err error) {
	find := logindex.Query{Kind: string(audit.KindDecision), Event: q.event, Hook: q.hook, Session: q.session, Decision: q.decision}
	if q.decision == "failed" {
		find.Decision, find.Failed = "", true
	}
	if r, err := rangeNamed(q.span); err == nil && r.length > 0 && v.Len() > 0 {
		find.Since = time.UnixMilli(newest(v)).Add(-r.length)
	}
	own := q.project == s.Hooks.Root
	if !own {
		find.Project = q.project
	}
	project, _ := v.ID(s.Hooks.Root)
	for from := v.Len(); len(rows) < q.last; {
		found, err := v.Search(ctx, find, from, q.last)
		if err != nil {
			return nil, err
		}
		for _, i := range found.Rows {
			if of := v.Row(i).Project; len(rows) < q.last && (!own || of == 0 || of == project) {
				rows = append(rows, i)
			}
		}
		if !found.More || found.Next <= 0 {
			break
		}
		from = found.Next
	}
	return rows, nil
}

// cause is why a decision differs from the recorded one.
type cause int

const (
	byEdit cause = iota // the hooks in force decide in another way than the edited ones
	unsure              // whether they do isn't known
	before              // they decide in the same way
	causes
)

// pastDifference is a decision that differs from the recorded one, and others like it.
type pastDifference struct {
	replay.Difference
	ref     logindex.Ref
	count   int
	without *replay.Verdict // of the hooks in force; nil: it isn't known
}

// past is what came of firing recorded decisions at edited hooks.
type past struct {
	query     pastQuery
	edited    bool
	faults    []fault // of files that can't be used: nothing was fired
	problem   string  // why the hooks in force couldn't be asked
	summary   *replay.Summary
	found     int // records
	fired     int
	listed    [causes][]*pastDifference
	unlisted  [causes]int // differences that aren't among them and aren't alike to one
	records   [causes]int
	again     int // records that the hooks in force decide otherwise, and the edited ones as it is recorded
	took      time.Duration
	truncated bool // the time was over
}

// judgePast fires recorded events at the hooks with a draft's text, and at those in force.
func (s *Server) judgePast(ctx context.Context, d *draft) (*past, error) {
	p := &past{query: d.past, edited: d.edited() != nil}
	started := time.Now()
	e, judge, err := s.Hooks.Rehearse(Rehearsal{Edited: d.edited()})
	if err != nil {
		return nil, err
	}
	defer closeSoon(ctx, e)
	if len(e.LoadErrors()) > 0 {
		p.faults = faultsOf(e, &show.Explanation{})
		return p, nil
	}
	var inForce *replay.Judge
	if p.edited {
		var other *engine.Engine
		if other, inForce, err = s.Hooks.Rehearse(Rehearsal{}); err != nil {
			return nil, err
		}
		defer closeSoon(ctx, other)
		if bad := other.LoadErrors(); len(bad) > 0 {
			p.problem, inForce = strings.TrimPrefix(bad[0].Error(), "luahook: "), nil
		}
	}
	v := s.Index.View()
	rows, err := s.rowsOf(ctx, v, d.past)
	if err != nil {
		return nil, err
	}
	p.found = len(rows)
	now, seen := 0, map[[sha256.Size]byte]*pastDifference{}
	var unread error
	records := func(yield func(audit.Entry) bool) (int, error) {
		for _, i := range slices.Backward(rows) { // in their order
			entry, err := v.Read(i)
			if err != nil {
				return 0, err
			}
			if d.past.project != s.Hooks.Root {
				entry.Record = replay.Moved(entry.Record, d.past.project, s.Hooks.Root)
			}
			if now = i; !yield(entry) {
				break
			}
		}
		return 0, nil
	}
	p.summary, err = replay.Run(ctx, records, func(*audit.Record) (*replay.Judge, replay.Left, error) { return judge, "", nil }, func(o *replay.Outcome) bool {
		p.fired++
		var other *replay.Outcome
		if inForce != nil {
			out, err := inForce.Judge(ctx, o.Was)
			if err != nil {
				unread = err
				return false
			}
			other = &out
		}
		p.add(seen, v.Ref(now), o, other)
		return true
	})
	err = cmp.Or(err, unread)
	p.took = time.Since(started)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.truncated = true
		return p, nil
	}
	return p, err
}

// add takes an outcome down; other is that of the hooks in force, nil where they are the same or weren't asked.
func (p *past) add(seen map[[sha256.Size]byte]*pastDifference, ref logindex.Ref, o, other *replay.Outcome) {
	if !o.Differs() {
		if o.Left == "" && other != nil && other.Left == "" && other.Differs() {
			p.again++
		}
		return
	}
	d := &pastDifference{Difference: o.Difference(show.Asked(&o.Was)), ref: ref, count: 1}
	why := before
	switch {
	case other == nil && p.edited, other != nil && other.Left != "":
		why = unsure
	case other != nil:
		if o := replay.Compare(other.Now, o.Now); o.Differs() {
			why = byEdit
		}
		verdict := other.Difference("").Now
		d.without = &verdict
	}
	p.records[why]++
	same := d.Difference
	same.Time = time.Time{}
	key := sha256.Sum256([]byte(strconv.Itoa(int(why)) + same.Text(false)))
	if alike := seen[key]; alike != nil {
		alike.count++
		return
	}
	if len(p.listed[why]) == maxDifferences {
		p.unlisted[why]++
		return
	}
	seen[key] = d
	p.listed[why] = append(p.listed[why], d)
}

// playgroundReplay says what would have been: recorded decisions are made again by the hooks as they are edited.
func (s *Server) playgroundReplay(w http.ResponseWriter, r *http.Request) error {
	d, err := s.postedDraft(r)
	if err != nil {
		return err
	}
	var p *past
	if err := s.inTurn(w, r, pastTime, func(ctx context.Context) (err error) {
		p, err = s.judgePast(ctx, d)
		return err
	}); err != nil {
		return err
	}
	outcome := s.pastNode(d, p)
	if r.PostForm.Get("part") == "answer" {
		return writePart(w, pastPart(outcome))
	}
	return s.writePlayground(w, r, s.Index.View(), d, Node{}, outcome)
}
