package ui

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// session shows one session: on a timeline, and the same as a list.
func (s *Server) session(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	id := values.Get("id")
	if id == "" {
		return refuse(http.StatusBadRequest, "The address doesn't say which session: want session?id=ID. The page Sessions lists them.")
	}
	v := s.Index.View()
	list, err := s.sums.of(r.Context(), v)
	if err != nil {
		return err
	}
	sum, ok := list.find(v, id)
	if !ok {
		return refuse(http.StatusNotFound, "No record in the log is of this session, or not any more.")
	}
	from, err := beginOf(v, sum, logindex.Ref(values.Get("from")), logindex.Ref(values.Get("at")))
	if err != nil {
		return err
	}
	p, err := readSession(r.Context(), v, sum, from)
	if err != nil {
		return err
	}
	before, err := promptsBefore(r.Context(), v, sum, from)
	if err != nil {
		return err
	}
	lanes := lanesOf(p.events, v.Name(sum.main))
	items := pairs(p.events)
	measure(items)
	turns := turnsOf(p.events, items, before)
	setAxes(turns, len(p.events))
	return s.write(w, page{in: "sessions", title: "Session " + visible(excerpt(id, maxName)), body: Group(
		El("div", Class("head"), El("h1", Text("Session "), El("code", Text(visible(excerpt(id, maxTitle))))), s.unread(v)),
		s.sessionFacts(v, sum, p),
		s.sessionParts(v, sum, p, from),
		El("div", Class("session"), Attr("id", "session"),
			El("div", Class("drawing"),
				s.draw(turns, lanes, p.events, wideDrawing, "wide"),
				s.draw(turns, lanes, p.events, narrowDrawing, "narrow"),
				timelineKey()),
			Each(turns, func(t *turn) Node { return s.turnList(t, lanes) })),
		s.sessionParts(v, sum, p, from),
	)})
}

// beginOf is the row where a part of a session begins: at a record that the address names, or some way before one
// that has to be on the page.
func beginOf(v *logindex.View, sum *sessionSum, from, at logindex.Ref) (int, error) {
	ref := cmp.Or(from, at)
	if ref == "" {
		return sum.first, nil
	}
	row, ok := v.Find(ref)
	if !ok || v.Row(row).Session != sum.id {
		return 0, refuse(http.StatusNotFound, "The record that the page is to begin with isn't one of this session, or isn't in the log any more.")
	}
	switch {
	case from != "":
		return row, nil
	case sum.records <= pageEvents:
		return sum.first, nil
	}
	return stepBack(v, sum, row, pageEvents/4), nil
}

// stepBack is the row so many records of a session before one.
func stepBack(v *logindex.View, sum *sessionSum, row, records int) int {
	back := row
	for i := row - 1; i >= sum.first && records > 0; i-- {
		if v.Row(i).Session == sum.id {
			back = i
			records--
		}
	}
	return back
}

// promptsBefore is how many prompts a session had before a row.
func promptsBefore(ctx context.Context, v *logindex.View, sum *sessionSum, row int) (n int, err error) {
	prompt, ok := v.ID(string(hooks.PrePrompt))
	if !ok {
		return 0, nil
	}
	for i := sum.first; i < row; i++ {
		if i%10_000 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if r := v.Row(i); r.Session == sum.id && r.Event == prompt && r.Kind == logindex.KindDecision && (r.Agent == 0 || r.Agent == sum.main) {
			n++
		}
	}
	return n, nil
}

// measure tells events how long what they begin took.
func measure(items []*item) {
	for _, it := range items {
		if it.begin != nil && !it.open() {
			it.begin.duration = it.length()
		}
	}
}

// sessionFacts are the head line: who, where, when, how much.
func (s *Server) sessionFacts(v *logindex.View, sum *sessionSum, p *sessionPage) Node {
	id := v.Name(sum.id)
	end := "no end yet; last record"
	if sum.ended {
		end = "ended"
	}
	counts := []string{plural(sum.events, "event"), plural(sum.toolCalls(), "tool call")}
	if sum.agents > 0 {
		counts = append(counts, plural(sum.agents, "sub-agent"))
	}
	type count struct {
		n          int
		mark, word string
	}
	stopped := Each([]count{{sum.denied, "deny", "denied"}, {sum.asked, "ask", "asked"}, {sum.failed, "failed", "with a failed hook"}}, func(c count) Node {
		return If(c.n > 0, Group(El("a", Class("count "+markOf(c.mark).class), Attr("href", s.path("now", "session", id, "decision", c.mark)),
			El("span", Attr("aria-hidden", "true"), Text(markOf(c.mark).sign+" ")), Text(grouped(c.n)+" "+c.word)), Text(" ")))
	})
	cost := joined(tokens(sum.cost.Tokens), money(sum.cost.USD))
	facts := []struct {
		name  string
		value Node
	}{
		{"agent", If(sum.host != 0, El("a", Attr("href", s.path("now", "host", v.Name(sum.host))), Text(excerpt(v.Name(sum.host), maxName))))},
		{"project", If(sum.project != 0, El("a", Attr("href", s.path("sessions", "project", v.Name(sum.project))), Text(excerpt(v.Name(sum.project), maxTitle))))},
		{"began", dated(sum.began)},
		{end, dated(sum.latest)},
		{"lasted", Text(span(sum.latest - sum.began))},
		{"has", Text(strings.Join(counts, ", "))},
		{"hooks stood in the way", stopped},
		{"used", Text(cost)},
		{"models", Text(modelsUsed(v, sum, p))},
		{"records", El("a", Attr("href", s.path("now", "session", id)), Text(grouped(sum.records)+" in the log"))},
	}
	var list []Node
	for _, f := range facts {
		if f.value.String() != "" {
			list = append(list, El("div", El("dt", Text(f.name)), El("dd", f.value)))
		}
	}
	return El("dl", Class("facts"), Group(list...))
}

func tokens(n int64) string {
	if n <= 0 {
		return ""
	}
	return grouped(n) + " tokens"
}

// modelsUsed are the models that a session used, with what each cost where cost-tracker says it.
func modelsUsed(v *logindex.View, sum *sessionSum, p *sessionPage) string {
	if sum.costRow >= 0 {
		if r, err := v.Read(sum.costRow); err == nil { // otherwise the page's own records say it
			cost, _ := r.Data["cost"].(map[string]any)
			models, _ := cost["models"].(map[string]any)
			var texts []string
			for name, m := range models {
				used, _ := m.(map[string]any)
				text := excerpt(name, maxName)
				if len(models) > 1 {
					text = strings.TrimSuffix(text+" ("+joined(tokens(int64(numberIn(used, "tokens"))), money(numberIn(used, "usd")))+")", " ()")
				}
				texts = append(texts, text)
			}
			if slices.Sort(texts); len(texts) > maxNamed {
				texts = append(texts[:maxNamed], "others")
			}
			if len(texts) > 0 {
				return strings.Join(texts, ", ")
			}
		}
	}
	return strings.Join(p.models, ", ")
}

// sessionParts lead to the parts of a session before and after the one that is shown.
func (s *Server) sessionParts(v *logindex.View, sum *sessionSum, p *sessionPage, from int) Node {
	if p.next < 0 && !p.earlier {
		return Node{}
	}
	id := v.Name(sum.id)
	link := func(row int, rel, text string) Node {
		return El("a", Attr("rel", rel), Attr("href", s.path("session", "id", id, "from", string(v.Ref(row)))), Text(text))
	}
	return El("nav", Class("pages"), Attr("aria-label", "Parts of the session"),
		If(p.earlier, Group(El("a", Attr("href", s.path("session", "id", id)), Text("from the beginning")), link(stepBack(v, sum, from, pageEvents), "prev", "← earlier"))),
		El("span", Textf("%s of its %s records", grouped(len(p.events)), grouped(sum.records))),
		laterParts(v, sum, p, link))
}

func laterParts(v *logindex.View, sum *sessionSum, p *sessionPage, link func(row int, rel, text string) Node) Node {
	if p.next < 0 {
		return Node{}
	}
	return Group(link(p.next, "next", "later →"), link(stepBack(v, sum, sum.last, pageEvents-1), "last", "to the end"))
}

// timelineKey says what the shapes of the drawing mean.
func timelineKey() Node {
	swatch := func(text string, nodes ...Node) Node {
		return El("li", El("svg", Class("swatch timeline"), Attr("viewBox", "0 0 26 16"), Attr("width", "26"), Attr("height", "16"), Attr("aria-hidden", "true"), Group(nodes...)), Text(" "+text))
	}
	bar := func(class string, nodes ...Node) Node { return El("g", Class("bar "+class), Group(nodes...)) }
	point := func(e *sessionEvent) Node { return El("g", Class("point "+pointClass(e)), pointShape(e, 13, 8)) }
	return El("ul", Class("key"), Attr("aria-label", "Key to the drawing"),
		swatch("model call", bar("model", rect("solid", 2, 4, 22, barHeight))),
		swatch("tool call", bar("tool", rect("solid", 2, 4, 22, barHeight))),
		swatch("waiting before it ran", bar("tool", rect("hollow", 2.5, 4.5, 21, barHeight-1))),
		swatch("its end isn't known", bar("tool open", rect("hollow", 2.5, 4.5, 15, barHeight-1), El("path", Class("arrow"), Attr("d", "M20 5l4 3.5l-4 3.5")))),
		swatch("compaction", bar("compact", rect("solid", 2, 4, 22, barHeight))),
		swatch("time in hooks", bar("tool", rect("hook-time", 11, 4, 3, barHeight))),
		swatch("tool failed", El("path", Class("bad"), Attr("d", "M10 5l6 6m0 -6l-6 6"))),
		swatch("begins", point(&sessionEvent{kind: audit.KindDecision, name: hooks.PrePrompt})),
		swatch("ends", point(&sessionEvent{kind: audit.KindDecision, name: hooks.Stop})),
		swatch("another event", point(&sessionEvent{kind: audit.KindDecision})),
		swatch("note", point(&sessionEvent{kind: audit.KindNote})),
		swatch("async run", point(&sessionEvent{kind: audit.KindRun})),
		Each([]string{"deny", "ask", "failed", "rewrote", "halted"}, func(name string) Node {
			return swatch(map[string]string{"deny": "denied", "ask": "asked", "failed": "a hook failed", "rewrote": "rewritten", "halted": "turn ended by a hook"}[name],
				El("circle", Class("sign "+markOf(name).class), Attr("cx", "13"), Attr("cy", "8"), Attr("r", "7")), drawnText("sign-text "+markOf(name).class, 13, 11.8, markOf(name).sign))
		}))
}

// turnList lists the events of a turn.
func (s *Server) turnList(t *turn, lanes []*lane) Node {
	title := turnTitle(t, false)
	var facts []string
	if n := t.calls(); n > 0 {
		facts = append(facts, plural(n, "tool call"))
	}
	if t.first().epoch == t.last().epoch {
		if took := span(t.last().ms - t.first().ms); took != "" {
			facts = append(facts, took)
		}
	}
	return El("section", Class("turn"), El("h2", Text(title), Text(" "), El("span", Class("faint"), Text(strings.Join(facts, ", ")))),
		El("ol", Class("rows"), Attr("role", "list"), Each(t.events, func(e *sessionEvent) Node { return s.eventRow(e, lanes[e.lane]) })))
}

// eventRow shows an event in the list.
func (s *Server) eventRow(e *sessionEvent, l *lane) Node {
	class := "row " + markOf(e.said).class
	if e.lane > 0 {
		class += " sub"
	}
	var more []Node
	for _, sign := range e.signs() {
		if sign != e.said {
			more = append(more, badge(sign))
		}
	}
	if e.outcome != "" && e.outcome != "ok" {
		more = append(more, El("span", Class("outcome"), Text("the tool's outcome: "+e.outcome)))
	}
	return El("li", Class(class), Attr("id", anchor(e.ref)),
		El("span", Class("when"), El("time", Attr("datetime", stamp(timeAt(e.at.ms))), Attr("title", day(timeAt(e.at.ms))), Text(timeOfDay(e.at.ms)))),
		badge(e.said),
		El("a", Class("what"), Attr("href", s.path("record", "ref", string(e.ref))),
			If(e.lane > 0, Group(El("span", Class("lane"), Text(l.label())), Text(" "))),
			El("span", Class("event"), Text(excerpt(cmp.Or(string(e.name), "no event"), maxName))), Text(" "), El("code", Text(e.what))),
		El("span", Class("why"), Group(more...), If(len(more) > 0 && e.why != "", Text(" ")), Text(e.why)),
		El("span", Class("took"), Text(e.took())))
}
