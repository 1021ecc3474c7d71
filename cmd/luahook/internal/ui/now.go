package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// Bounds of lists.
const (
	pageRows   = 100 // of a list that somebody looks at
	streamRows = 100 // that are sent at once; of more, the newest, and a link to the others
	streamStep = 300 * time.Millisecond
	keepAlive  = 15 * time.Second
)

// filterFields are what records are filtered by, as they are called in an address, and in a form.
var filterFields = []struct{ name, label string }{
	{"text", "Text"}, {"decision", "Decision"}, {"event", "Event"}, {"tool", "Tool"}, {"hook", "Hook"}, {"host", "Agent"}, {"agent", "Sub-agent"}, {"session", "Session"}, {"rule", "Rule"},
	{"project", "Project"}, {"kind", "Kind"}, {"since", "From"}, {"until", "Until"},
}

// filterDecisions are what may be asked for as a decision. A failure is none, but is looked for in the same place.
var filterDecisions = []string{"deny", "ask", "allow", "none", "failed"}

// queryOf is what an address asks for.
func queryOf(values url.Values) logindex.Query {
	q := logindex.Query{
		Text: values.Get("text"), Event: values.Get("event"), Tool: values.Get("tool"), Hook: values.Get("hook"),
		Host: values.Get("host"), Agent: values.Get("agent"), Session: values.Get("session"), Rule: values.Get("rule"),
		Project: values.Get("project"), Kind: values.Get("kind"),
	}
	q.Since, _ = moment(values, "since") // checkTimes tells errors
	q.Until, _ = moment(values, "until")
	if q.Decision = values.Get("decision"); q.Decision == "failed" {
		q.Decision, q.Failed = "", true
	}
	return q
}

// moment is a time in an address, in milliseconds since 1970 or as RFC 3339 has it; zero where there is none.
func moment(values url.Values, name string) (t time.Time, err error) {
	text := values.Get(name)
	if text == "" {
		return t, nil
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms), nil
	}
	if t, err = time.Parse(time.RFC3339, text); err != nil {
		return time.Time{}, refuse(http.StatusBadRequest, "%s is no time: %q. Want 2026-05-04T08:00:00Z, or milliseconds since 1970.", name, text)
	}
	return t, nil
}

// checkTimes refuses an address whose times can't be read.
func checkTimes(values url.Values) error {
	_, since := moment(values, "since")
	_, until := moment(values, "until")
	return cmp.Or(since, until)
}

// filters are the pairs of an address that filter records.
func filters(values url.Values) (query []string) {
	for _, f := range filterFields {
		query = append(query, f.name, values.Get(f.name))
	}
	return query
}

// now shows the records that pass the filter, the newest first, as they come.
func (s *Server) now(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if err := checkTimes(values); err != nil {
		return err
	}
	v := s.Index.View()
	from := v.Len()
	before := logindex.Ref(values.Get("before"))
	if before != "" {
		at, ok := v.Find(before)
		if !ok {
			return refuse(http.StatusNotFound, "The record that this page begins below isn't in the log any more.")
		}
		from = at
	}
	list, err := s.list(r, v, values, from)
	if err != nil {
		return err
	}
	if values.Get("part") == "list" { // which the page's script adds to what it has
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(list.String())) // an error: nobody reads it any more
		return nil
	}
	live := Group()
	if before == "" {
		newest := ""
		if v.Len() > 0 {
			newest = string(v.Ref(v.Len() - 1))
		}
		live = El("p", Class("live"), Attr("id", "live"), Attr("data-stream", s.path("now/stream", append(filters(values), "after", newest)...)),
			El("span", Attr("role", "status"), Text("")))
	}
	return s.write(w, page{in: "now", title: "Now", body: Group(
		El("div", Class("head"), El("h1", Text("Now")), s.state(v), live),
		s.filterForm(v, values, "now"),
		If(before != "", El("p", El("a", Attr("href", s.path("now", filters(values)...)), Text("Back to the newest")))),
		list,
	)})
}

// state says how much of the log is known.
func (s *Server) state(v *logindex.View) Node {
	text := grouped(v.Len()) + " records"
	if v.Len() == 1 {
		text = "1 record"
	}
	if done, total := v.Progress(); done < total {
		text += fmt.Sprintf(", the newest %d %% of the log so far", done*100/total)
	}
	if n := v.Broken(); n > 0 {
		text += fmt.Sprintf("; %s that are no records", plural(n, "line"))
	}
	return El("p", Class("state"), Attr("id", "state"), Text(text), If(v.Err() != nil, problem(v.Err())))
}

// unread is state where something of the log isn't known.
func (s *Server) unread(v *logindex.View) Node {
	if done, total := v.Progress(); done == total && v.Err() == nil {
		return Node{}
	}
	return s.state(v)
}

// problem shows an error.
func problem(err error) Node {
	if err == nil {
		return Node{}
	}
	return El("strong", Class("problem"), Text(" "+strings.TrimPrefix(err.Error(), "luahook: ")))
}

// list shows the records below a number that pass the filter, by day, and where older ones are.
func (s *Server) list(r *http.Request, v *logindex.View, values url.Values, from int) (Node, error) {
	found, err := v.Search(r.Context(), queryOf(values), from, pageRows)
	if err != nil {
		return Node{}, err
	}
	var rows []Node
	last := ""
	for _, i := range found.Rows {
		row, date, err := s.rowAt(v, i)
		if err != nil {
			return Node{}, err
		}
		if date != last {
			last = date
			rows = append(rows, El("li", Class("day"), El("h2", Text(date))))
		}
		rows = append(rows, row)
	}
	var more Node
	if found.More && found.Next > 0 && found.Next <= v.Len() {
		text := "Older records"
		if len(found.Rows) < pageRows {
			text = "Search on in older records"
		}
		// Below the oldest that was looked at.
		more = El("p", Class("more"), El("a", Attr("rel", "next"), Attr("href", s.path("now", append(filters(values), "before", string(v.Ref(min(found.Next, v.Len()-1))))...)), Text(text)))
	}
	if len(rows) == 0 {
		text := "No record passes this filter."
		switch done, total := v.Progress(); {
		case v.Len() == 0 && done < total:
			text = "The log is being read. Its newest records come first."
		case v.Len() == 0:
			text = "There is no record yet. luahook run, the hook command of agents, writes them; so does luahook eval --record."
		case found.More:
			text = "None so far."
		}
		rows = append(rows, El("li", Class("empty"), Text(text)))
	}
	return Group(El("ol", Class("rows"), Attr("id", "rows"), Attr("role", "list"), Group(rows...)), more), nil
}

// rowAt is the record of a number, in a list, and its date.
func (s *Server) rowAt(v *logindex.View, i int) (row Node, date string, err error) {
	e, err := v.Read(i)
	if err != nil {
		return Node{}, "", err
	}
	return s.row(v.Ref(i), &e.Record), day(e.Time), nil
}

// filterForm is where a reader says which records a view is of.
func (s *Server) filterForm(v *logindex.View, values url.Values, view string) Node {
	known := s.facets(v)
	field := func(name, label string) Node {
		id := "f-" + name
		value := values.Get(name)
		var input Node
		switch name {
		case "text":
			input = El("input", Attr("id", id), Attr("name", name), Attr("type", "search"), Attr("value", value), Attr("autocomplete", "off"))
		case "session", "agent", "rule", "project", "kind", "since", "until":
			if value == "" && name != "session" {
				return Node{}
			}
			input = El("input", Attr("id", id), Attr("name", name), Attr("value", value), Attr("autocomplete", "off"))
		default:
			options := known[name]
			if name == "decision" {
				options = filterDecisions
			}
			if value != "" && !slices.Contains(options, value) {
				options = append([]string{value}, options...)
			}
			input = El("select", Attr("id", id), Attr("name", name), El("option", Attr("value", ""), Text("all")), Each(options, func(o string) Node {
				text := o
				if o == "none" {
					text = "no objection"
				} else if name == "decision" && o == "failed" {
					text = "a hook failed"
				}
				return El("option", Attr("value", o), Has("selected", o == value), Text(text))
			}))
		}
		return El("div", Class("field "+name), El("label", Attr("for", id), Text(label)), input)
	}
	var fields []Node
	any := false
	for _, f := range filterFields {
		if view != "now" && f.name == "text" {
			continue
		}
		fields = append(fields, field(f.name, f.label))
		any = any || values.Get(f.name) != ""
	}
	return El("form", Class("filter"), Attr("method", "get"), Attr("action", s.path(view)), Attr("role", "search"), Attr("aria-label", "Records"),
		If(values.Get("range") != "", El("input", Attr("type", "hidden"), Attr("name", "range"), Attr("value", values.Get("range")))),
		Group(fields...),
		El("div", Class("field"), El("button", Text("Filter")), If(any, El("a", Class("clear"), Attr("href", s.path(view, "range", values.Get("range"))), Text("Clear")))))
}

// facets are the names that there are to filter by, for each of the selects.
func (s *Server) facets(v *logindex.View) map[string][]string {
	var events, tools, hooks, hosts table[bool]
	v.Walk(0, v.Len(), func(_ int, r *logindex.Row) {
		*events.at(r.Event), *tools.at(r.Tool), *hosts.at(r.Host) = true, true, true
		for k := range r.Runs {
			*hooks.at(r.Runs[k].Hook) = true
		}
	})
	names := map[string][]string{}
	for name, ids := range map[string]table[bool]{"event": events, "tool": tools, "hook": hooks, "host": hosts} {
		for id, is := range ids {
			if is && id != 0 && len(names[name]) < maxFacet {
				names[name] = append(names[name], v.Name(logindex.ID(id)))
			}
		}
		slices.Sort(names[name])
	}
	return names
}

// maxFacet is how many names a select has; what it hasn't can be said in the address.
const maxFacet = 500

// update is what the page's script is told of new records.
type update struct {
	HTML    string `json:"html"`    // rows, the newest first, and where those are that there is no room for
	Passed  int    `json:"passed"`  // how many have come that pass the filter
	Records int    `json:"records"` // in the whole log
	State   string `json:"state"`   // of the log, as HTML
}

// stream tells the page's script of the records that come, as server-sent events. Each has the newest record as its
// id, from which a browser that has lost the connection goes on.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if err := checkTimes(values); err != nil {
		return err
	}
	q := queryOf(values)
	after := logindex.Ref(cmp.Or(r.Header.Get("Last-Event-ID"), values.Get("after")))
	w.Header().Set("Content-Type", "text/event-stream")
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // an error: this isn't a connection
	send := func(text string) bool {
		_ = c.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := w.Write([]byte(text))
		return err == nil && c.Flush() == nil
	}
	if !send("retry: 1000\n\n") {
		return nil
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	step := time.NewTimer(0)
	defer step.Stop()
	told, known := "", 0 // the state that the page has, and how much of the log it is of
	for {
		v := s.Index.View()
		first := 0
		if after != "" {
			at, ok := v.Find(after)
			if !ok { // it was purged, or put away for good
				send("event: reset\ndata: \n\n")
				return nil
			}
			first = at + 1
		}
		state := s.state(v).String()
		if v.Len() > first || state != told && v.Len() != known {
			u, err := s.updateOf(r, v, q, first)
			if err != nil {
				return err
			}
			u.State, told, known = state, state, v.Len()
			text, err := json.Marshal(u)
			if err != nil {
				return err
			}
			id := ""
			if v.Len() > 0 {
				after = v.Ref(v.Len() - 1)
				id = "id: " + string(after) + "\n"
			}
			if !send(id + "event: records\ndata: " + string(text) + "\n\n") {
				return nil
			}
		}
		step.Reset(streamStep)
		select {
		case <-r.Context().Done():
			return nil
		case <-s.ended.Done():
			return nil
		case <-step.C:
		}
		for waiting := true; waiting; {
			select {
			case <-v.Newer():
				waiting = false
			case <-alive.C:
				if !send(": \n\n") {
					return nil
				}
			case <-r.Context().Done():
				return nil
			case <-s.ended.Done():
				return nil
			}
		}
	}
}

// updateOf is what is told of the records from a number on.
func (s *Server) updateOf(r *http.Request, v *logindex.View, q logindex.Query, first int) (*update, error) {
	u := &update{Records: v.Len()}
	q.First = first
	var html strings.Builder
	shown, last := 0, 0
	for from := v.Len(); ; {
		found, err := v.Search(r.Context(), q, from, 10*streamRows)
		if err != nil {
			return nil, err
		}
		u.Passed += len(found.Rows)
		for _, i := range found.Rows[:min(len(found.Rows), streamRows-shown)] {
			row, _, err := s.rowAt(v, i)
			if err != nil {
				return nil, err
			}
			shown, last = shown+1, i
			html.WriteString(row.String())
		}
		if !found.More || found.Next <= first {
			break
		}
		from = found.Next
	}
	if more := u.Passed - shown; more > 0 {
		address := s.path("now", append(filters(r.URL.Query()), "before", string(v.Ref(last)))...)
		html.WriteString(El("li", Class("empty"), El("a", Attr("href", address), Text(plural(more, "more record")+" at this moment"))).String())
	}
	u.HTML = html.String()
	return u, nil
}
