package ui

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// pageSessions is how many sessions stand on one page.
const pageSessions = 50

// sessions lists the sessions of the log that pass the filter, the one with the newest record first.
func (s *Server) sessions(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	number := 1
	if text := values.Get("page"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return refuse(http.StatusBadRequest, "page=%s is no page: want a number from 1.", text)
		}
		number = n
	}
	v := s.Index.View()
	list, err := s.sums.of(r.Context(), v)
	if err != nil {
		return err
	}
	found, err := passingSessions(r.Context(), v, list, values)
	if err != nil {
		return err
	}
	pages := max(1, (len(found)+pageSessions-1)/pageSessions)
	if number > pages {
		return refuse(http.StatusNotFound, "There is no page %d of the sessions: the last one is page %d.", number, pages)
	}
	shown := found[(number-1)*pageSessions : min(number*pageSessions, len(found))]
	text := plural(len(list.all), "session")
	if len(found) != len(list.all) {
		text = fmt.Sprintf("%s of %s", grouped(len(found)), text)
	}
	if list.without > 0 {
		text += fmt.Sprintf("; %s without one", plural(list.without, "record"))
	}
	table := s.sessionTable(v, shown)
	if len(shown) == 0 {
		why := "No session passes this filter."
		if len(list.all) == 0 {
			why = "There is no session yet. Records that name one make it."
		}
		table = El("p", Class("empty"), Text(why))
	}
	return s.write(w, page{in: "sessions", title: "Sessions", body: Group(
		El("div", Class("head"), El("h1", Text("Sessions")), El("p", Class("state"), Text(text)), s.state(v)),
		s.sessionFilter(v, list, values),
		table,
		s.sessionPages(values, number, pages),
	)})
}

// passingSessions are the sessions that an address asks for.
func passingSessions(ctx context.Context, v *logindex.View, list *sessionList, values url.Values) ([]*sessionSum, error) {
	host, hostKnown := v.ID(values.Get("host"))
	project, projectKnown := v.ID(values.Get("project"))
	text := strings.ToLower(values.Get("id"))
	var found []*sessionSum
	for i := range list.all {
		if i%10_000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		sum := &list.all[i]
		switch {
		case values.Get("host") != "" && (!hostKnown || sum.host != host),
			values.Get("project") != "" && (!projectKnown || sum.project != project),
			text != "" && !strings.Contains(strings.ToLower(v.Name(sum.id)), text):
			continue
		}
		found = append(found, sum)
	}
	return found, nil
}

// sessionTable shows sessions, one a row.
func (s *Server) sessionTable(v *logindex.View, shown []*sessionSum) Node {
	var columns []Node
	for _, c := range []struct{ name, class string }{
		{"Session", ""}, {"Agent", ""}, {"Denied", "number"}, {"Asked", "number"}, {"Failed", "number"}, {"Began", ""}, {"Lasted", "number"}, {"Events", "number"},
		{"Calls", "number"}, {"Sub-agents", "number"}, {"Tokens", "number"}, {"Cost", "number"}, {"Project", ""},
	} {
		columns = append(columns, El("th", Attr("scope", "col"), If(c.class != "", Class(c.class)), Text(c.name)))
	}
	number := func(n int) Node {
		if n == 0 {
			return El("td", Class("number faint"), Text("–"))
		}
		return El("td", Class("number"), Text(grouped(n)))
	}
	// stopped is how often hooks stood in the way, with a link to the records.
	stopped := func(n int, mark string, id string) Node {
		if n == 0 {
			return El("td", Class("number faint"), Text("–"))
		}
		return El("td", Class("number"), El("a", Class("count "+markOf(mark).class), Attr("href", s.path("now", "session", id, "decision", mark)),
			El("span", Attr("aria-hidden", "true"), Text(markOf(mark).sign+" ")), Text(grouped(n))))
	}
	row := func(sum *sessionSum) Node {
		id, project := v.Name(sum.id), v.Name(sum.project)
		return El("tr",
			El("th", Attr("scope", "row"), El("a", Attr("href", s.path("session", "id", id)), Attr("title", excerpt(id, maxTitle)), Text(visible(shortID(id))))),
			El("td", Text(cmp.Or(excerpt(v.Name(sum.host), maxName), "–"))),
			stopped(sum.denied, "deny", id), stopped(sum.asked, "ask", id), stopped(sum.failed, "failed", id),
			El("td", Class("began"), dated(sum.began)),
			El("td", Class("number"), Text(cmp.Or(span(sum.latest-sum.began), "–"))),
			number(sum.events), number(sum.toolCalls()), number(sum.agents), number(int(sum.cost.Tokens)),
			El("td", Class("number"), Text(cmp.Or(money(sum.cost.USD), "–"))),
			El("td", El("span", Attr("title", excerpt(project, maxTitle)), Text(cmp.Or(excerpt(path.Base("/"+project), maxName), "–")))))
	}
	return El("div", Class("scroll framed"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", "Sessions"),
		El("table", Class("sessions"), El("caption", Class("hidden"), Text("Sessions, the one with the newest record first")),
			El("thead", El("tr", Group(columns...))), El("tbody", Each(shown, row))))
}

// dated is a date and a time on this machine.
func dated(ms int64) Node {
	t := time.UnixMilli(ms)
	text := t.Local().Format("2 Jan 15:04:05")
	if t.Year() != time.Now().Year() {
		text = t.Local().Format("2 Jan 2006 15:04")
	}
	return El("time", Attr("datetime", stamp(t)), Attr("title", t.Local().Format("Monday, 2 January 2006, 15:04:05.000")), Text(text))
}

// span is a time between two moments, in milliseconds; nothing for none. Days are counted, as no duration of Go holds
// what lies between two dates that may stand in a log.
func span(ms int64) string {
	const perDay = 24 * 60 * 60 * 1000
	if ms >= perDay {
		days := plural(int(ms/perDay), "day")
		if hours := ms % perDay / (60 * 60 * 1000); ms < 30*perDay && hours > 0 {
			days += fmt.Sprintf(" %d h", hours)
		}
		return days
	}
	if 0 < ms && ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return shortTime(time.Duration(ms) * time.Millisecond)
}

// money is an amount of US dollars; nothing for none.
func money(usd float64) string {
	if !(usd > 0) {
		return ""
	}
	return dollars(usd)
}

// Bounds of names and titles, in characters.
const (
	maxName  = 40
	maxTitle = 200
)

// excerpt is a text with so many characters at most, on one line.
func excerpt(text string, most int) string {
	if len(text) > 8*most { // so that a long one needn't be looked through
		text = strings.ToValidUTF8(text[:8*most], "")
	}
	n := 0
	for at := range text {
		if n++; n > most {
			text = text[:at] + "…"
			break
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// visible is a text of which something can be seen.
func visible(text string) string {
	if strings.TrimSpace(text) == "" {
		return strconv.Quote(text)
	}
	return text
}

// sessionFilter is where a reader says which sessions to show.
func (s *Server) sessionFilter(v *logindex.View, list *sessionList, values url.Values) Node {
	choice := func(name, label string, of func(*sessionSum) logindex.ID) Node {
		seen := map[logindex.ID]bool{0: true}
		var options []string
		for i := range list.all {
			if id := of(&list.all[i]); !seen[id] && len(options) < maxFacet {
				seen[id] = true
				options = append(options, v.Name(id))
			}
		}
		value := values.Get(name)
		if value != "" && !slices.Contains(options, value) {
			options = append(options, value)
		}
		slices.Sort(options)
		return El("div", Class("field "+name), El("label", Attr("for", "s-"+name), Text(label)),
			El("select", Attr("id", "s-"+name), Attr("name", name), El("option", Attr("value", ""), Text("all")), Each(options, func(o string) Node {
				return El("option", Attr("value", o), Has("selected", o == value), Text(excerpt(o, maxName)))
			})))
	}
	any := values.Get("host") != "" || values.Get("project") != "" || values.Get("id") != ""
	return El("form", Class("filter"), Attr("method", "get"), Attr("action", s.path("sessions")), Attr("role", "search"), Attr("aria-label", "Sessions"),
		El("div", Class("field text"), El("label", Attr("for", "f-text"), Text("Session")),
			El("input", Attr("id", "f-text"), Attr("name", "id"), Attr("type", "search"), Attr("value", values.Get("id")), Attr("autocomplete", "off"))),
		choice("host", "Agent", func(sum *sessionSum) logindex.ID { return sum.host }),
		choice("project", "Project", func(sum *sessionSum) logindex.ID { return sum.project }),
		El("div", Class("field"), El("button", Text("Filter")), If(any, El("a", Class("clear"), Attr("href", s.path("sessions")), Text("Clear")))))
}

// sessionPages lead to the pages before and after one.
func (s *Server) sessionPages(values url.Values, number, pages int) Node {
	if pages == 1 {
		return Node{}
	}
	link := func(n int, rel, text string) Node {
		if n < 1 || n > pages {
			return Node{}
		}
		return El("a", Attr("rel", rel), Attr("href", s.path("sessions", "id", values.Get("id"), "host", values.Get("host"), "project", values.Get("project"), "page", strconv.Itoa(n))), Text(text))
	}
	return El("nav", Class("pages"), Attr("aria-label", "Pages"), link(number-1, "prev", "← newer"),
		El("span", Text(fmt.Sprintf("page %s of %s", grouped(number), grouped(pages)))), link(number+1, "next", "older →"))
}
