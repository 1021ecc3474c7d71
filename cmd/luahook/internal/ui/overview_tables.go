package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/chart"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// How many rows tables have at most; how many there are beyond is said.
const (
	maxRules    = 15
	maxFailures = 20
	maxHooks    = 50
	maxSessions = 10
	maxModels   = 20
)

// left says how many rows a table doesn't have.
func left(n, shown int, thing string) Node {
	return If(n > shown, El("p", Class("faint"), Text(plural(n-shown, "further "+thing)+", with less.")))
}

// objections shows what was denied and asked most.
func (o *overview) objections() Node {
	if o.sum.events[denied]+o.sum.events[asked] == 0 {
		return section("What is denied and asked most", El("p", Text("Nothing was denied or asked.")))
	}
	return section("What is denied and asked most",
		o.objectionTable("Rule", "rule", o.sum.rules, false),
		El("div", Class("tables"),
			o.objectionTable("Hook", "hook", o.sum.hooks, false),
			o.objectionTable("Agent", "host", o.sum.hosts, true),
			o.objectionTable("Sub-agent", "agent", o.sum.agents, true)))
}

// objectionTable has a row for each name that something was denied or asked by, or to if who is set.
func (o *overview) objectionTable(title, field string, counts table[objections], who bool) Node {
	var ids []logindex.ID
	all, most := 0, 0
	for id, n := range counts {
		if n.denied+n.asked > 0 {
			ids = append(ids, logindex.ID(id))
			all += n.denied + n.asked
			most = max(most, n.denied+n.asked)
		}
	}
	if len(ids) == 0 {
		return Node{}
	}
	slices.SortFunc(ids, func(a, b logindex.ID) int {
		return cmp.Or((counts[b].denied+counts[b].asked)-(counts[a].denied+counts[a].asked), cmp.Compare(o.v.Name(a), o.v.Name(b)))
	})
	rows := Each(ids[:min(len(ids), maxRules)], func(id logindex.ID) Node {
		n, name := counts[id], o.v.Name(id)
		shown := El("a", Attr("href", o.now(o.since, o.until, field, name)), Text(label(name)))
		query := func(decision string) []string { return []string{field, name, "decision", decision} }
		deny, ask := o.count(n.denied, query("deny")...), o.count(n.asked, query("ask")...)
		if name == "" { // by which nobody can filter
			none := "no name"
			if field == "agent" {
				none = "the main agent"
			}
			shown, deny, ask = El("span", Class("faint"), Text(none)), Text(grouped(n.denied)), Text(grouped(n.asked))
		}
		return El("tr", El("th", Attr("scope", "row"), shown),
			El("td", Class("drawn"), chart.Bar(int64(most), chart.Share{Class: "deny", Value: int64(n.denied)}, chart.Share{Class: "ask", Value: int64(n.asked)})),
			El("td", Class("number"), deny), El("td", Class("number"), ask), number(share(n.denied+n.asked, all)),
			If(who, number(share(n.denied+n.asked, n.of))))
	})
	columns := []string{title, "", "Denied", "Asked", "Share"}
	if who {
		columns = append(columns, "Of its events")
	}
	return El("div", El("h3", Text("By "+strings.ToLower(title))), tableOf("Denied and asked, by "+strings.ToLower(title), columns, []Node{rows}), left(len(ids), maxRules, strings.ToLower(title)))
}

// maxLabel is how much of a name stands in a table, in bytes.
const maxLabel = 120

// label is a name in a table. One that can't be seen is quoted.
func label(name string) string {
	if name != "" {
		name = visible(name)
	}
	return shortened(name, maxLabel)
}

// failureTable shows which hooks have failed, and at what.
func (o *overview) failureTable() Node {
	const title = "Failures and limits"
	if len(o.sum.failures) == 0 {
		return section(title, El("p", Text("No run of a hook has failed.")))
	}
	var kinds []failureOf
	for k := range o.sum.failures {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b failureOf) int {
		x, y := o.sum.failures[a], o.sum.failures[b]
		return cmp.Or(y.runs-x.runs, y.last-x.last, cmp.Compare(o.v.Name(a.hook), o.v.Name(b.hook)), cmp.Compare(o.v.Name(a.kind), o.v.Name(b.kind)))
	})
	rows := Each(kinds[:min(len(kinds), maxFailures)], func(k failureOf) Node {
		f, name := o.sum.failures[k], o.v.Name(k.hook)
		kind, limit, limited := strings.Cut(cmp.Or(o.v.Name(k.kind), "unknown"), "/")
		if limited {
			kind += ": " + limit
		}
		t := time.UnixMilli(o.v.Row(f.last).Time)
		return El("tr", El("th", Attr("scope", "row"), o.found(cmp.Or(label(name), "no name"), "hook", name, "decision", "failed")),
			El("td", badge("failed"), Text(" "+label(kind))), number(grouped(f.runs)), number(share(f.runs, o.sum.runs.of(k.hook).durations.n)),
			El("td", Class("number"), El("a", Attr("href", o.path("record", "ref", string(o.v.Ref(f.last)))), El("time", Attr("datetime", stamp(t)), Text(t.Local().Format("2 Jan 2006, 15:04:05"))))))
	})
	return section(title, tableOf("Failures, by hook and kind", []string{"Hook", "Kind:", "Runs", "Of its runs", "Last seen"}, []Node{rows}), left(len(kinds), maxFailures, "kind"))
}

// hookTimes shows how long hooks take, and how near they come to their limits.
func (o *overview) hookTimes() Node {
	const title = "Time of hooks"
	var ids []logindex.ID
	all := uint64(0)
	for id := range o.sum.runs {
		if r := &o.sum.runs[id]; r.durations.n > 0 {
			ids = append(ids, logindex.ID(id))
			all += r.durations.total
		}
	}
	if len(ids) == 0 {
		return section(title, El("p", Text("No hook ran.")))
	}
	slices.SortFunc(ids, func(a, b logindex.ID) int {
		return cmp.Or(cmp.Compare(o.sum.runs[b].durations.total, o.sum.runs[a].durations.total), cmp.Compare(o.v.Name(a), o.v.Name(b)))
	})
	shown := ids[:min(len(ids), maxHooks)]
	first, last := len(timeSteps), 0
	counts := make([][]int, len(shown))
	for i, id := range shown {
		counts[i] = o.sum.runs[id].durations.histogram()
		for k, n := range counts[i] {
			if n > 0 {
				first, last = min(first, k), max(last, k)
			}
		}
	}
	limits := o.limits()
	rows := make([]Node, len(shown))
	for i, id := range shown {
		r, name := &o.sum.runs[id], o.v.Name(id)
		longest := r.durations.highest
		most := slices.Index(counts[i], slices.Max(counts[i]))
		rows[i] = El("tr", El("th", Attr("scope", "row"), o.found(cmp.Or(label(name), "no name"), "hook", name)),
			number(grouped(r.durations.n)), number(took(r.durations.percentile(.5))), number(took(r.durations.percentile(.99))), number(took(longest)),
			El("td", Class("number"), Text(took(r.durations.total)+" "), El("small", Text(share(r.durations.total, all)))),
			El("td", Class("drawn"), chart.Histogram("Times of "+label(name), fmt.Sprintf("%s of runs took %s, the others up to %s", share(counts[i][most], r.durations.n), between(most), took(longest)), counts[i][first:last+1])),
			used(r.instructions.percentile(.99), limits[name].instructions, grouped(limits[name].instructions)),
			used(r.durations.percentile(.99), limits[name].time.Microseconds(), roundTime(limits[name].time)))
	}
	return section(title,
		tableOf("Time of hooks, those first that take the most", []string{"Hook", "Runs", "p50", "p99", "Longest", "Total", fmt.Sprintf("%s to %s, log:", stepText(first-1), stepText(last)), "Instructions, p99", "Time, p99"}, rows),
		left(len(ids), maxHooks, "hook"),
		El("p", Class("faint"), Text("Of 100 runs, 99 took no longer than p99; of many runs, percentiles are up to 0.4 % too high. Limits are those of the hooks in force today; hooks that aren't have none.")))
}

// near is from where on a limit is nearly used up.
const near = 80 // percent

// used is how much of a limit is used. Text is the limit; one of 0 isn't known.
func used(part uint32, limit int64, text string) Node {
	if limit == 0 || part == 0 {
		return El("td", Class("number"), El("span", Class("faint"), Text("–")))
	}
	percent := Text(share(int64(part), limit))
	if int64(part) >= limit/100*near {
		percent = El("span", Class("badge failed"), El("span", Attr("aria-hidden", "true"), Text("! ")), percent)
	}
	return El("td", Class("number"), percent, Text(" "), El("small", Text("of "+text)))
}

// limit is what a run may use.
type limit struct {
	time         time.Duration // 0: that isn't known
	instructions int64
}

// limits are those of the hooks in force, by name: where there are several of a name, the tighter ones.
func (o *overview) limits() map[string]limit {
	limits := map[string]limit{}
	for _, h := range o.Hooks.Engine.Hooks() {
		l := limits[h.Name]
		for _, t := range []time.Duration{h.Timeout, h.MaxTimeout} {
			if t > 0 && (l.time == 0 || t < l.time) {
				l.time = t
			}
		}
		if n := h.MaxInstructions; n > 0 && (l.instructions == 0 || n < l.instructions) {
			l.instructions = n
		}
		limits[h.Name] = l
	}
	return limits
}

// stepText is the upper bound of a class.
func stepText(i int) string {
	if i < 0 {
		return "0"
	}
	return roundTime(time.Duration(timeSteps[i]) * time.Microsecond)
}

// roundTime is a duration of few digits.
func roundTime(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%v ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%.4v s", d.Seconds())
}

// between are the bounds of a class.
func between(i int) string { return stepText(i-1) + " to " + stepText(i) }
