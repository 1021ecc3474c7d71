package ui

import (
	"context"
	"slices"
	"sync"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/hooks"
)

// sessionSum is what the index knows of a session.
type sessionSum struct {
	id, host, project logindex.ID
	main              logindex.ID // the agent of its first record; others are its sub-agents
	first, last       int         // rows
	records           int         // of all kinds
	began, latest     int64       // the earliest and the latest time of a record, in milliseconds
	events            int         // that were decided
	calls, results    int         // of tools: those that were to begin, and those that were over
	denied, asked     int
	failed            int // records with a failed run
	agents            int // sub-agents
	ended             bool
	cost              logindex.Cost
	costRow           int         // the last row that says what models cost; -1: none
	agent             logindex.ID // of the last row that was counted
}

// toolCalls is how many calls of tools there were: hosts tell of their beginning, their end, or both.
func (s *sessionSum) toolCalls() int { return max(s.calls, s.results) }

// sessionSums sums up the sessions of the log. It goes on where it was when records have been added, and begins anew
// when the log has changed otherwise. Several goroutines may use it.
type sessionSums struct {
	mu          sync.Mutex
	first, last logindex.Ref // of the rows that are counted
	len         int
	without     int // records that name no session
	sums        map[logindex.ID]*sessionSum
	agents      map[uint64]struct{} // pairs of a session and a sub-agent
	now         *sessionList        // nil: rows were counted since
}

// sessionList is what there was to say of all sessions at one moment. It doesn't change.
type sessionList struct {
	all     []sessionSum // the one with the newest record first
	without int
}

// of sums up the sessions of a view.
func (s *sessionSums) of(ctx context.Context, v *logindex.View) (*sessionList, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.len == 0 || v.Len() < s.len || v.Ref(0) != s.first || v.Ref(s.len-1) != s.last {
		s.len, s.without, s.now = 0, 0, nil
		s.sums, s.agents = map[logindex.ID]*sessionSum{}, map[uint64]struct{}{}
	}
	c := newCounter(v)
	for ; s.len < v.Len(); s.len++ {
		if s.len%10_000 == 0 && ctx.Err() != nil {
			s.len = 0 // what is half done isn't kept
			return nil, ctx.Err()
		}
		s.now = nil
		row := v.Row(s.len)
		s.count(c, s.len, &row)
	}
	if s.len > 0 {
		s.first, s.last = v.Ref(0), v.Ref(s.len-1)
	}
	if s.now == nil {
		s.now = &sessionList{all: make([]sessionSum, 0, len(s.sums)), without: s.without}
		for _, sum := range s.sums {
			s.now.all = append(s.now.all, *sum)
		}
		slices.SortFunc(s.now.all, func(a, b sessionSum) int { return b.last - a.last })
	}
	return s.now, nil
}

// find is the sum of a session by its name.
func (l *sessionList) find(v *logindex.View, name string) (*sessionSum, bool) {
	id, ok := v.ID(name)
	if !ok || id == 0 {
		return nil, false
	}
	i := slices.IndexFunc(l.all, func(s sessionSum) bool { return s.id == id })
	if i < 0 {
		return nil, false
	}
	return &l.all[i], true
}

// counter knows the events that are counted apart.
type counter struct{ pre, post, end logindex.ID }

func newCounter(v *logindex.View) (c counter) {
	c.pre, _ = v.ID(string(hooks.PreToolCall))
	c.post, _ = v.ID(string(hooks.PostToolCall))
	c.end, _ = v.ID(string(hooks.SessionEnd))
	return c
}

// count adds a row.
func (s *sessionSums) count(c counter, i int, row *logindex.Row) {
	if row.Session == 0 {
		s.without++
		return
	}
	sum := s.sums[row.Session]
	if sum == nil {
		sum = &sessionSum{id: row.Session, main: row.Agent, agent: row.Agent, first: i, began: row.Time, latest: row.Time, costRow: -1}
		s.sums[row.Session] = sum
	}
	sum.last = i
	sum.records++
	sum.began, sum.latest = min(sum.began, row.Time), max(sum.latest, row.Time)
	if row.Host != 0 {
		sum.host = row.Host
	}
	if row.Project != 0 {
		sum.project = row.Project
	}
	if row.Agent != sum.agent {
		if sum.agent = row.Agent; row.Agent != 0 && row.Agent != sum.main {
			pair := uint64(row.Session)<<32 | uint64(row.Agent)
			if _, known := s.agents[pair]; !known {
				s.agents[pair] = struct{}{}
				sum.agents++
			}
		}
	}
	if row.Flags&logindex.Failed != 0 {
		sum.failed++
	}
	if row.Cost != nil {
		sum.cost, sum.costRow = *row.Cost, i
	}
	if row.Kind != logindex.KindDecision {
		return
	}
	sum.events++
	sum.ended = row.Event != 0 && row.Event == c.end
	switch {
	case row.Event == 0:
	case row.Event == c.pre:
		sum.calls++
	case row.Event == c.post:
		sum.results++
	}
	switch row.Decision {
	case logindex.Deny:
		sum.denied++
	case logindex.Ask:
		sum.asked++
	}
}
