package ui

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// record shows one record: what was to be done, what each hook said, and how that comes to the decision.
func (s *Server) record(w http.ResponseWriter, r *http.Request) error {
	v := s.Index.View()
	ref := logindex.Ref(r.URL.Query().Get("ref"))
	at, ok := v.Find(ref)
	if !ok {
		return refuse(http.StatusNotFound, "This record isn't in the log, or not any more.")
	}
	e, err := v.Read(at)
	if err != nil {
		return err
	}
	event, _, _ := replay.EventOf(&e.Record) // as far as the log has it
	if event != nil {
		if whole, err := event.Complete(); err == nil {
			event = whole
		}
	}
	title := cmp.Or(string(e.Event), "record")
	if e.Kind != audit.KindDecision {
		title += ", " + string(e.Kind)
	}
	part := r.URL.Query().Get("part") == "body" // which the page's script shows beside a session
	heading := El("h1", Text(title))
	if part {
		heading = El("h2", Class("title"), El("a", Attr("href", s.path("record", "ref", string(ref))), Text(title)))
	}
	body := Group(
		El("div", Class("head"), heading, badge(outcome(&e.Record)), If(!part, s.neighbours(v, at, &e.Record))),
		s.facts(&e.Record),
		If(e.Reason != "" || e.StopReason != "", El("blockquote", Class("reason "+markOf(outcome(&e.Record)).class), Text(cmp.Or(e.Reason, e.StopReason)))),
		commandSection(event),
		inputSection(&e.Record),
		mergeSection(&e.Record),
		s.todaySection(r.Context(), &e.Record),
		If(e.Kind == audit.KindDecision, El("p", El("a", Attr("href", s.path("playground", "ref", string(ref))), Text("Try this event in the playground")))),
		noteSection(&e.Record),
		restSection(&e),
	)
	if part {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(body.String())) // an error: nobody reads it any more
		return nil
	}
	return s.write(w, page{in: "now", title: title, body: body})
}

// neighbours lead to the records before and after one in its session.
func (s *Server) neighbours(v *logindex.View, at int, r *audit.Record) Node {
	if r.Session == "" {
		return Node{}
	}
	link := func(i int, rel, text string) Node {
		return El("a", Attr("rel", rel), Attr("href", s.path("record", "ref", string(v.Ref(i)))), Text(text))
	}
	session := v.Row(at).Session
	var links []Node
	for i := at - 1; i >= 0 && i > at-maxAway; i-- {
		if v.Row(i).Session == session {
			links = append(links, link(i, "prev", "← before"))
			break
		}
	}
	links = append(links, El("a", Attr("href", s.path("session", "id", nameOf(r.Session), "at", string(v.Ref(at)))+"#"+anchor(v.Ref(at))), Text("the session")))
	for i := at + 1; i < v.Len() && i < at+maxAway; i++ {
		if v.Row(i).Session == session {
			links = append(links, link(i, "next", "after →"))
			break
		}
	}
	return El("p", Class("neighbours"), Each(links, func(n Node) Node { return Group(n, Text(" ")) }))
}

// maxAway is how many records are looked through for the next one of a session.
const maxAway = 100_000

// anchor is the id of a record in a page.
func anchor(ref logindex.Ref) string { return "r-" + string(ref) }

// facts are who, when, where and how long.
func (s *Server) facts(r *audit.Record) Node {
	filtered := func(name, value string) Node {
		if value == "" {
			return Node{}
		}
		return El("a", Attr("href", s.path("now", name, nameOf(value))), Text(shortened(value, maxShown)))
	}
	facts := []struct {
		name  string
		value Node
	}{
		{"when", Group(clock(r.Time), Text(" "+day(r.Time)))},
		{"agent", filtered("host", r.Host)},
		{"sub-agent", filtered("agent", r.Agent)},
		{"session", filtered("session", r.Session)},
		{"turn", Text(r.Turn)},
		{"issue", Text(r.Issue)},
		{"tool", filtered("tool", r.Tool)},
		{"call", Text(r.CallID)},
		{"project", Text(r.Project)},
		{"folder", If(r.CWD != r.Project, Text(r.CWD))},
		{"took", Text(shortTime(time.Duration(r.DurationUS) * time.Microsecond))},
		{"generation", If(r.Generation > 0, Text(fmt.Sprint(r.Generation)))},
		{"luahook", Text(r.Luahook)},
	}
	var list []Node
	for _, f := range facts {
		if f.value.String() != "" {
			list = append(list, El("div", El("dt", Text(f.name)), El("dd", f.value)))
		}
	}
	return El("dl", Class("facts"), Group(list...))
}

// section is a part of a page with a title of its own.
func section(title string, nodes ...Node) Node {
	return El("section", El("h2", Text(title)), Group(nodes...))
}

// commandSection shows the commands that a command line would run.
func commandSection(event *hooks.Context) Node {
	if event == nil {
		return Node{}
	}
	line := show.Understand(event)
	if line == nil {
		return Node{}
	}
	commands := El("ol", Class("commands"), Each(line.Commands, func(c show.LineCommand) Node {
		return El("li", El("code", Text(c.Text)), If(len(c.Notes()) > 0, El("ul", Class("notes"), Each(c.Notes(), func(n string) Node { return El("li", Text(n)) }))))
	}))
	if len(line.Commands) == 0 {
		commands = El("p", Text("Nothing that runs."))
	}
	return section("Command, as understood",
		El("pre", Class("line"), Text(event.ToolCall.Command)), commands,
		If(line.Error != "", El("p", Class("problem"), Text("It can't be read to its end: "+line.Error))),
		If(line.Error == "" && line.TooComplex, El("p", Class("problem"), Text("It is too long or too deeply nested to be read to its end."))))
}

// inputSection shows what the tool was called with, and what hooks have made of it.
func inputSection(r *audit.Record) Node {
	call, _ := r.Context["tool_call"].(map[string]any)
	given, _ := call["input"].(map[string]any)
	if given == nil && r.Input == nil {
		return Node{}
	}
	before := jsonBlock(indented(given))
	if !r.Modified || r.Input == nil {
		return section("Input", before)
	}
	return section("Input", El("div", Class("beside"),
		El("div", El("h3", Text("As it came")), before),
		El("div", El("h3", Text("As hooks have rewritten it")), jsonBlock(indented(r.Input)))))
}

// mergeSection shows the runs, and how the decision comes of them.
func mergeSection(r *audit.Record) Node {
	if r.Kind == audit.KindNote {
		return Node{}
	}
	steps := mergeSteps(r)
	if len(steps) == 0 {
		return section("Hooks", El("p", Text("No hook ran.")))
	}
	longest := int64(1)
	for _, step := range steps {
		longest = max(longest, step.run.DurationUS)
	}
	list := El("ol", Class("steps"), Each(steps, func(step mergeStep) Node { return stepNode(step, longest) }))
	return section("Hooks, step by step", list,
		El("p", Class("together"), Text("Together: "), badge(r.Decision), If(r.Halt, Text(" and the turn ends")), If(r.Modified, Text(" rewritten"))))
}

// stepNode shows one run: its answer, what it had to say, its cost, and what became of the decision.
func stepNode(step mergeStep, longest int64) Node {
	run := step.run
	cost := shortTime(time.Duration(run.DurationUS) * time.Microsecond)
	if run.Instructions > 0 {
		cost += ", " + grouped(run.Instructions) + " instructions"
	}
	where := []string{run.Scope, run.Source}
	for _, word := range []string{run.Handler, run.Mode} {
		if word != "" && word != "lua" {
			where = append(where, word)
		}
	}
	if run.Judging {
		where = append(where, "judging what was rewritten")
	}
	where = slices.DeleteFunc(where, func(s string) bool { return s == "" })
	return El("li", Class("step "+markOf(step.said).class),
		El("div", Class("step-head"), El("strong", Text(run.Hook)), badge(step.said), If(run.Modified, badge("rewrote")), El("span", Class("faint"), Text(strings.Join(where, ", "))), El("span", Class("took"), Text(cost))),
		bar(run.DurationUS, longest),
		If(run.Error != nil, errorNode(run.Error)),
		Each(run.Entries, entryNode),
		El("p", Class("merge"), Text("so far: "), badge(step.so), Text(" "+step.why)))
}

func errorNode(e *audit.Error) Node {
	if e == nil {
		return Node{}
	}
	kind := e.Kind
	if e.Limit != "" {
		kind += ", " + e.Limit
	}
	return El("p", Class("problem"), Text(kind+": "+e.Message))
}

func entryNode(e hooks.Entry) Node {
	kind := string(e.Kind)
	if e.Kind == hooks.EntryFeedback {
		kind = "reason"
	}
	return El("p", Class("entry"), El("span", Class("kind"), Text(kind)), Text(" "+e.Text))
}

// bar is how long something took beside the longest, as a drawing. What it says stands beside it as a text.
func bar(part, whole int64) Node {
	width := max(1, part*100/max(whole, 1))
	return El("svg", Class("bar"), Attr("viewBox", "0 0 100 4"), Attr("preserveAspectRatio", "none"), Attr("aria-hidden", "true"),
		El("rect", Class("bar-all"), Attr("width", "100"), Attr("height", "4")), El("rect", Class("bar-part"), Attrf("width", "%d", width), Attr("height", "4")))
}

// todaySection says what the hooks in force today make of the event: each that runs, each that doesn't, and why.
func (s *Server) todaySection(ctx context.Context, r *audit.Record) Node {
	if r.Kind != audit.KindDecision {
		return Node{}
	}
	x, note, left, err := s.today.explain(ctx, r)
	switch {
	case err != nil:
		return section("With the hooks in force today", problem(err))
	case left != "":
		return section("With the hooks in force today", El("p", Text("This can't be said: "+left+".")))
	}
	return section("With the hooks in force today", explained(x),
		If(note != "", El("p", Class("faint"), Text("Nothing is done for this page. A hook needed something that has effects ("+note+"), so it may decide in another way."))))
}

// explained shows an explanation: each hook of the event, what has come of it, and what they come to together.
func explained(x *show.Explanation) Node {
	return Group(explainedHooks(x),
		El("p", Class("together"), Text("Together: "), badge(string(x.Result.Decision)), If(x.Result.Reason != "", Text(" "+x.Result.Reason)), If(x.Result.Halt, Text(" The turn ends."))),
		rewrittenInput(x.Result))
}

func rewrittenInput(r *hooks.Result) Node {
	return If(r.Input != nil, El("div", El("h3", Text("Input, rewritten")), jsonBlock(indented(r.Input))))
}

// explainedHooks shows each hook of the event, and what has come of it.
func explainedHooks(x *show.Explanation) Node {
	return Group(
		El("ul", Class("hooks-today"), Each(x.Hooks, func(h show.ExplainedHook) Node {
			if len(h.Runs) == 0 {
				return El("li", Class("none"), badge("skipped"), El("strong", Text(h.Name)), El("span", Class("faint"), Text(fmt.Sprintf("%s, %s", h.Scope, h.Source))), El("span", Class("why"), Text(h.Skipped)))
			}
			return Each(h.Runs, func(run hooks.Run) Node { return explainedRun(h, run) })
		}), Each(x.Left, func(h show.ListedHook) Node {
			return El("li", Class("none"), badge("skipped"), El("strong", Text(h.Name)), El("span", Class("faint"), Text(fmt.Sprintf("%s, %s", h.Scope, h.Source))), El("span", Class("why"), Text("never runs: "+h.Left)))
		})),
		Each(x.Errors, func(text string) Node { return El("pre", Class("problem"), Text("not loaded: "+text)) }),
	)
}

func explainedRun(h show.ExplainedHook, run hooks.Run) Node {
	said := string(run.Status)
	if run.Status == hooks.StatusCompleted {
		said = cmp.Or(map[hooks.Decision]string{hooks.Ask: "asked", hooks.Allow: "allowed"}[run.Decision], said)
	}
	cost := shortTime(time.Duration(run.DurationUS) * time.Microsecond)
	if run.Instructions > 0 {
		cost += ", " + grouped(run.Instructions) + " instructions"
	}
	logged := audit.RunOf(&run)
	return El("li", Class(markOf(said).class), badge(said), El("strong", Text(run.Hook)), If(run.Modified, badge("rewrote")),
		El("span", Class("faint"), Text(fmt.Sprintf("%s, %s", run.Scope, run.Source))), El("span", Class("took"), Text(cost)),
		If(h.Limited != "", El("p", Class("entry"), Text("it may only deny, ask and inform: "+h.Limited))),
		errorNode(logged.Error), Each(run.Entries, entryNode))
}

// noteSection shows what a note says beside its text.
func noteSection(r *audit.Record) Node {
	return Group(
		If(r.Text != "", section("Note of "+r.Hook, El("p", Text(r.Text)))),
		If(len(r.Data) > 0, section("Data", jsonBlock(indented(r.Data)))),
		If(len(r.Warnings) > 0, section("Warnings", El("ul", Each(r.Warnings, func(text string) Node { return El("li", Text(text)) })))))
}

// jsonBlock shows JSON. A long one scrolls, which the keyboard can do as well.
func jsonBlock(text string) Node {
	scrolls := len(text) > 2000 || strings.Count(text, "\n") > 20
	return El("pre", Class("json"), If(scrolls, Attr("tabindex", "0")), If(scrolls, Attr("role", "group")), If(scrolls, Attr("aria-label", "JSON")), Text(text))
}

// restSection has the record as it stands in the log.
func restSection(e *audit.Entry) Node {
	return El("details", El("summary", Text("The record as it stands in the log")), jsonBlock(indentedText(e.Line)),
		If(e.Cut, El("p", Text("Something in it was too long and was cut."))))
}
