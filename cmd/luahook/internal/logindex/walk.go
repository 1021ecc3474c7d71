package logindex

import "sort"

// Walk passes the rows from number from up to number to, without it, in order, to take. The row and its runs are valid
// only during the call. It is what [View.Row] is for a few rows, for very many.
func (v *View) Walk(from, to int, take func(i int, r *Row)) {
	from, to = max(from, 0), min(to, v.len)
	var r Row
	var runs []Run
	for k, s := range v.segs {
		start := v.starts[k]
		first, end := max(from-start, 0), min(to-start, s.len())
		if first >= end {
			continue
		}
		costs := sort.Search(len(s.costRow), func(n int) bool { return int(s.costRow[n]) >= first })
		for i := first; i < end; i++ {
			who, what := &v.lists.whos[s.who[i]], &v.lists.whats[s.what[i]]
			runs = runs[:0]
			for at, last := s.runsOf(i); at < last; at++ {
				kind := &v.lists.runs[s.runKind[at]]
				runs = append(runs, Run{
					Hook: kind.hook, Source: kind.source, Scope: kind.scope, Failure: kind.failure, Status: kind.status,
					Decision: kind.decision, Flags: kind.flags, DurationUS: s.runDuration[at], Instructions: s.runInstructions[at],
				})
			}
			r = Row{
				Time: s.time[i], Kind: s.kind(i), Decision: s.decision(i), Flags: s.flags[i],
				Event: what.event, Session: who.session, Agent: who.agent, Host: who.host, Project: who.project,
				Tool: what.tool, Rule: ID(s.rule[i]), Hook: what.hook, Note: what.note, DurationUS: s.duration[i], Runs: runs,
			}
			if costs < len(s.costRow) && int(s.costRow[costs]) == i {
				r.Cost = &s.cost[costs]
				costs++
			}
			take(start+i, &r)
		}
	}
}
