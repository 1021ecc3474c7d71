package ui

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/chart"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// overviews are the overviews of one view of the log that were asked for.
type overviews struct {
	mu         sync.Mutex
	view       *logindex.View
	generation uint64 // of the hooks
	bodies     map[string]Node
}

// maxOverviews is how many overviews of one view are kept.
const maxOverviews = 16

// get is an overview that is made when it is first asked for.
func (o *overviews) get(v *logindex.View, generation uint64, key string, make func() (Node, error)) (Node, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.view != v || o.generation != generation || len(o.bodies) >= maxOverviews {
		o.view, o.generation, o.bodies = v, generation, map[string]Node{}
	}
	if body, ok := o.bodies[key]; ok {
		return body, nil
	}
	body, err := make()
	if err == nil {
		o.bodies[key] = body
	}
	return body, err
}

// overview shows what there was most of, what was slow and what it has cost: of all records that pass the filter, up to
// the newest.
func (s *Server) overview(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	for _, name := range []string{"text", "since", "until"} {
		if values.Get(name) != "" {
			return refuse(http.StatusBadRequest, "The overview can't be filtered by %q. Now can.", name)
		}
	}
	asked, err := rangeOf(values)
	if err != nil {
		return err
	}
	v := s.Index.View()
	o := &overview{Server: s, v: v, values: values, asked: asked}
	body, err := s.overviews.get(v, s.Hooks.Engine.Generation(), values.Encode(), func() (Node, error) { return o.body(r.Context()) })
	if err != nil {
		return err
	}
	return s.write(w, page{in: "overview", title: "Overview", body: body})
}

// overview is one overview while it is made.
type overview struct {
	*Server
	v      *logindex.View
	values url.Values
	asked  timeRange

	sum     *sum
	costs   *costs
	buckets *buckets
	since   int64 // and until: of what is looked at, if asked has a length
	until   int64
}

func (o *overview) body(ctx context.Context) (Node, error) {
	head := Group(
		El("div", Class("head"), El("h1", Text("Overview")), o.state(o.v)),
		o.rangeLinks(),
		o.filterForm(o.v, o.values, "overview"))
	if o.v.Len() == 0 {
		return Group(head, El("p", Class("nothing"), Text("There is no record yet. luahook run, the hook command of agents, writes them; so does luahook eval --record."))), nil
	}
	q := queryOf(o.values)
	if o.asked.length > 0 {
		o.buckets = window(o.asked.length, newest(o.v), time.Local)
		o.since, o.until = o.buckets.bounds[0], o.buckets.bounds[o.buckets.len()]
		q.Since, q.Until = time.UnixMilli(o.since), time.UnixMilli(o.until)
	}
	var err error
	if o.sum, err = sumOf(ctx, o.v, q); err != nil {
		return Node{}, err
	}
	if o.buckets == nil && o.sum.first <= o.sum.last {
		o.buckets = bucketsOf(o.sum.first, o.sum.last, time.Local)
	}
	o.costs = costsOf(o.sum.costs)
	if o.sum.records == 0 {
		return Group(head, El("p", Class("nothing"), Text("No record of this time passes the filter."))), nil
	}
	return Group(head, o.figures(), o.decisions(), o.objections(), o.failureTable(), o.hookTimes(), o.spending()), nil
}

// rangeLinks lead to the overviews of other times.
func (o *overview) rangeLinks() Node {
	return rangeLinks(o.asked, func(r timeRange) string { return o.path("overview", append(filters(o.values), "range", r.name)...) }, "up to the newest record")
}

// now is where the records of a time are that are filtered as here, and by further pairs of names and values.
func (o *overview) now(since, until int64, query ...string) string {
	q := filters(o.values)
	if since < until {
		q = append(q, "since", strconv.FormatInt(since, 10), "until", strconv.FormatInt(until, 10))
	}
	return o.path("now", append(q, query...)...)
}

// found leads to the records that a number counts.
func (o *overview) found(text string, query ...string) Node {
	return El("a", Attr("href", o.now(o.since, o.until, query...)), Text(text))
}

// count is a number that leads to what it counts.
func (o *overview) count(n int, query ...string) Node {
	if n == 0 {
		return Text("0")
	}
	return o.found(grouped(n), query...)
}

// figures are the most important numbers.
func (o *overview) figures() Node {
	s := o.sum
	events := s.eventCount()
	figure := func(name string, value Node, more string) Node {
		return El("div", El("dt", Text(name)), El("dd", value, If(more != "", El("small", Text(more)))))
	}
	of := func(n int) string {
		if n == 0 {
			return ""
		}
		return share(n, events)
	}
	list := []Node{
		figure("Events", o.count(events, "kind", "decision"), ""),
		figure("Denied", o.count(s.events[denied], "decision", "deny"), of(s.events[denied])),
		figure("Asked", o.count(s.events[asked], "decision", "ask"), of(s.events[asked])),
		figure("Failures", o.count(s.failed, "decision", "failed"), ""),
		figure("Event time, p50", Text(took(s.durations.percentile(.5))), ""),
		figure("Event time, p99", Text(took(s.durations.percentile(.99))), ""),
	}
	if len(o.costs.sessions) > 0 {
		list = append(list, figure("Tokens", Text(grouped(o.costs.Tokens)), plural(len(o.costs.sessions), "session")), figure("Money", Text(dollars(o.costs.USD)), ""))
	}
	return El("dl", Class("figures"), Group(list...))
}

// Legend of the columns.
var outcomeSeries = []struct {
	mark string // in marks
	chart.Series
}{
	denied:    {"deny", chart.Series{Class: "deny"}},
	asked:     {"ask", chart.Series{Class: "ask", Pattern: chart.Slanted}},
	allowed:   {"allow", chart.Series{Class: "allow", Pattern: chart.Level}},
	unopposed: {"", chart.Series{Class: "none"}},
}

// decisions shows what was decided over time.
func (o *overview) decisions() Node {
	if o.buckets == nil {
		return section("Decisions over time", El("p", Text("No record has a time that can be drawn.")))
	}
	counts := make([][outcomes]int, o.buckets.len())
	outside := o.sum.eventCount()
	for _, part := range o.sum.times {
		for _, t := range part {
			if at := o.buckets.of(t / outcomes); at >= 0 {
				counts[at][t%outcomes]++
				outside--
			}
		}
	}
	c := &chart.Columns{Frame: chart.Frame{
		ID: "decisions", Title: "Decisions over time", Ticks: o.buckets.ticks(), Unit: chart.Short,
		Description: fmt.Sprintf("Events for each %s from %s to %s: %d denied, %d asked, %d allowed, %d without an objection. The numbers are in the table below.", o.buckets.widthText(),
			o.buckets.label(0), o.buckets.label(o.buckets.len()-1), o.sum.events[denied], o.sum.events[asked], o.sum.events[allowed], o.sum.events[unopposed]),
	}}
	legend := make([]Node, outcomes)
	for k, series := range outcomeSeries {
		c.Series = append(c.Series, series.Series)
		legend[k] = El("li", chart.Swatch("legend-"+series.Class, series.Series), Text(" "+markOf(series.mark).word))
	}
	var rows []Node
	for i, n := range counts {
		total := 0
		for _, part := range n {
			total += part
		}
		label := o.buckets.label(i)
		link := o.now(o.buckets.bounds[i], o.buckets.bounds[i+1], "kind", "decision")
		c.Columns = append(c.Columns, chart.Column{
			Label: fmt.Sprintf("%s: %d denied, %d asked, %d allowed, %d no objection", label, n[denied], n[asked], n[allowed], n[unopposed]),
			Link:  link, Values: n[:],
		})
		if total > 0 {
			rows = append(rows, El("tr", El("th", Attr("scope", "row"), El("a", Attr("href", link), Text(label))),
				Each(n[:], func(part int) Node { return number(grouped(part)) }), number(grouped(total))))
		}
	}
	return section("Decisions over time",
		El("ul", Class("legend"), Group(legend...), El("li", Text(o.buckets.span()+", "+o.buckets.widthText()+" each"))), c.Node(),
		If(outside > 0, El("p", Class("faint"), Text(plural(outside, "event")+" can't be drawn: the clock was before 2000 or after 2099."))),
		numbersOf("decisions over time", []string{"Time", "Denied", "Asked", "Allowed", "No objection", "Events"}, rows))
}

// numbersOf is a table behind a drawing.
func numbersOf(of string, columns []string, rows []Node) Node {
	return El("details", Class("numbers"), El("summary", Text("Numbers: "+of)), tableOf("Numbers: "+of, columns, rows))
}

// tableOf is a table that scrolls on its own. Names of columns with texts end with a colon, which isn't shown; the
// first column has texts, too.
func tableOf(caption string, columns []string, rows []Node) Node {
	heads := make([]Node, len(columns))
	for i, text := range columns {
		if text == "" { // of drawings
			heads[i] = El("td")
			continue
		}
		text, isText := strings.CutSuffix(text, ":")
		heads[i] = El("th", Attr("scope", "col"), If(i > 0 && !isText, Class("number")), Text(text))
	}
	return El("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", caption),
		El("table", El("caption", Class("hidden"), Text(caption)), El("thead", El("tr", Group(heads...))), El("tbody", Group(rows...))))
}

func number(text string) Node { return El("td", Class("number"), Text(text)) }

// share is a part of a whole in percent.
func share[N int | int64 | uint64](part, whole N) string {
	if whole <= 0 {
		return "–"
	}
	p := float64(part) / float64(whole) * 100
	switch {
	case part > 0 && p < .1:
		return "< 0.1 %"
	case p < 10:
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", p)
}

// took is a number of microseconds as a duration for people.
func took[N uint32 | uint64](us N) string {
	return someTime(time.Duration(us) * time.Microsecond)
}
