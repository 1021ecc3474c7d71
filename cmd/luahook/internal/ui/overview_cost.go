package ui

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// costRow is a row with what its session had used so far.
type costRow struct {
	row                    int
	session, project, host logindex.ID
	time                   int64
	logindex.Cost
	passes bool
}

// Bounds of what one session can have used: what is more is a mistake, or was made up.
const (
	mostUSD    = 1e9
	mostTokens = 1e12
)

func bounded(c logindex.Cost) logindex.Cost {
	if math.IsNaN(c.USD) {
		c.USD = 0
	}
	return logindex.Cost{USD: min(max(c.USD, 0), mostUSD), Tokens: min(max(c.Tokens, 0), mostTokens)}
}

// sessionCost is what a session has used in the rows that pass.
type sessionCost struct {
	session, host logindex.ID
	logindex.Cost
	seen logindex.Cost // the highest total so far
	last int           // row with the totals after the last row that passes
	base int           // row with those before the first one that passes; -1: none
	any  bool          // a row has passed
}

// costs are what sessions have used, the most expensive first.
type costs struct {
	logindex.Cost
	sessions []*sessionCost
	spent    []spent
}

// spent is what was used between two records.
type spent struct {
	time int64
	logindex.Cost
}

// costsOf makes what was used of the running totals of sessions. Rows are in the order of the log. A total that is lower
// than an earlier one was written late, by another process, and changes nothing; but where a session has no name, it
// is that of the next one. What was used before the log begins counts with the session's first record.
func costsOf(rows []costRow) *costs {
	type key struct{ session, project logindex.ID }
	current := map[key]*sessionCost{}
	c := &costs{}
	for i := range rows {
		r := &rows[i]
		k := key{session: r.session}
		if r.session == 0 {
			k.project = r.project
		}
		s := current[k]
		if s == nil || r.session == 0 && r.Tokens < s.seen.Tokens {
			s = &sessionCost{session: r.session, base: -1}
			current[k] = s
		}
		used := logindex.Cost{USD: max(r.USD-s.seen.USD, 0), Tokens: max(r.Tokens-s.seen.Tokens, 0)}
		s.seen = logindex.Cost{USD: s.seen.USD + used.USD, Tokens: s.seen.Tokens + used.Tokens}
		if !r.passes {
			if !s.any {
				s.base = r.row
			}
			continue
		}
		if !s.any {
			s.any = true
			c.sessions = append(c.sessions, s)
		}
		s.last, s.host = r.row, cmp.Or(r.host, s.host)
		s.USD += used.USD
		s.Tokens += used.Tokens
		c.USD += used.USD
		c.Tokens += used.Tokens
		if used != (logindex.Cost{}) {
			c.spent = append(c.spent, spent{r.time, used})
		}
	}
	slices.SortStableFunc(c.sessions, func(a, b *sessionCost) int {
		return cmp.Or(cmp.Compare(b.USD, a.USD), cmp.Compare(b.Tokens, a.Tokens))
	})
	return c
}

// modelCost is what a model has used.
type modelCost struct {
	name  string
	calls int64
	logindex.Cost
}

// maxModelSessions is of how many sessions records are read to tell what each model has used.
const maxModelSessions = 100

// modelsOf is what the models of the most expensive sessions have used, the most expensive first.
func modelsOf(v *logindex.View, sessions []*sessionCost) ([]modelCost, error) {
	byName := map[string]*modelCost{}
	for _, s := range sessions[:min(len(sessions), maxModelSessions)] {
		after, err := modelsAt(v, s.last)
		if err != nil {
			return nil, err
		}
		before := map[string]modelCost{}
		if s.base >= 0 {
			if before, err = modelsAt(v, s.base); err != nil {
				return nil, err
			}
		}
		for name, m := range after {
			was := before[name]
			to := byName[name]
			if to == nil {
				to = &modelCost{name: name}
				byName[name] = to
			}
			to.calls += max(m.calls-was.calls, 0)
			to.USD += max(m.USD-was.USD, 0)
			to.Tokens += max(m.Tokens-was.Tokens, 0)
		}
	}
	var models []modelCost
	for _, m := range byName {
		if m.calls > 0 || m.Cost != (logindex.Cost{}) {
			models = append(models, *m)
		}
	}
	slices.SortFunc(models, func(a, b modelCost) int {
		return cmp.Or(cmp.Compare(b.USD, a.USD), cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.name, b.name))
	})
	return models, nil
}

// modelsAt are the totals of a session's models at a record.
func modelsAt(v *logindex.View, row int) (map[string]modelCost, error) {
	e, err := v.Read(row)
	if err != nil {
		return nil, err
	}
	cost, _ := e.Data["cost"].(map[string]any)
	named, _ := cost["models"].(map[string]any)
	models := map[string]modelCost{}
	for name, value := range named {
		m, _ := value.(map[string]any)
		usd, _ := m["usd"].(json.Number)
		tokens, _ := m["tokens"].(json.Number)
		calls, _ := m["calls"].(json.Number)
		dollars, _ := usd.Float64() // what is no number is 0
		count, _ := tokens.Int64()
		called, _ := calls.Int64()
		models[name] = modelCost{calls: min(max(called, 0), mostTokens), Cost: bounded(logindex.Cost{USD: dollars, Tokens: count})}
	}
	return models, nil
}
