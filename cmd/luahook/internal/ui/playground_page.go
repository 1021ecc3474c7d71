package ui

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/hooks"
)

// writePlayground writes the page: a form that goes to the server with each button, and what has come of the last one.
func (s *Server) writePlayground(w http.ResponseWriter, _ *http.Request, v *logindex.View, d *draft, answer, outcome Node) error {
	return s.write(w, page{in: "playground", title: "Playground", body: Group(
		El("div", Class("head"), El("h1", Text("Playground")),
			El("p", Class("state"), Text("Fire an event at your hooks, edited or not. They judge and do nothing else, and nothing is saved."))),
		El("form", Class("play"), Attr("id", "play"), Attr("method", "post"), Attr("action", s.path("playground/fire")+"#answer"), Attr("autocomplete", "off"),
			El("div", Class("beside"), eventSection(d), hookSection(d)),
			answerPart(answer),
			s.pastSection(v, d, outcome),
		))})
}

// button is one that says by its value what is to be done.
func button(value, text, class string) Node {
	return El("button", Attr("name", "fill"), Attr("value", value), If(class != "", Class(class)), Text(text))
}

// choice is a select. Values are shown as they are, but for those that words has.
func choice(id, label, value string, options []string, words map[string]string) Node {
	if value != "" && !slices.Contains(options, value) {
		options = append([]string{value}, options...)
	}
	return El("div", Class("field"), El("label", Attr("for", id), Text(label)),
		El("select", Attr("id", id), Attr("name", id), Each(options, func(o string) Node {
			return El("option", Attr("value", o), Has("selected", o == value), Text(shortened(cmp.Or(words[o], o, "all"), 80)))
		})))
}

func eventSection(d *draft) Node {
	var names, events []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	for _, info := range hooks.Events() {
		events = append(events, string(info.Name))
	}
	return El("section", El("h2", Text("Event")),
		El("div", Class("fields"),
			choice("tool", "Tool", d.tool, names, nil),
			El("div", Class("field wide"), El("label", Attr("for", "about"), Text("Command, or file")),
				El("input", Attr("id", "about"), Attr("name", "about"), Class("code"), Attr("value", d.about), Attr("spellcheck", "false"), Attr("autocapitalize", "off"))),
			button("call", "Fire this call", "")),
		El("div", Class("fields"), choice("sample", "Sample of", d.sample, events, nil), button("sample", "Fire the sample", "")),
		eventField(d),
		If(d.note != "", El("p", Class("problem"), Text(d.note))),
		El("p", Class("buttons"), button("", "Fire", "primary"), El("span", Class("faint"), Text("what stands in the field"), El("span", Class("keys"), Text("; Ctrl+Enter does it, too")))))
}

// eventField is where the event stands that is fired.
func eventField(d *draft) Node {
	return El("div", Attr("id", "event-part"), El("label", Attr("for", "event"), Text("The event that is fired, as JSON")),
		El("textarea", Attr("id", "event"), Attr("name", "event"), Attr("rows", "15"), Attr("spellcheck", "false"), Attr("autocapitalize", "off"), Verbatim("\n"+d.event)))
}

func hookSection(d *draft) Node {
	keys, words := []string{}, map[string]string{}
	for _, f := range d.files {
		keys = append(keys, f.key)
		words[f.key] = f.scope + ": " + f.name
		if f.fresh {
			words[f.key] += " (new)"
		}
	}
	return El("section", El("h2", Text("Hooks")),
		El("div", Class("fields"), choice("file", "File", d.file.key, keys, words), button("file", "Edit this file", "")),
		hookPart(d),
		El("p", Class("faint"), Text("One file at a time; the others, the built-ins and hooks.yaml stay as they are. What is edited here counts as trusted, and has no capabilities.")))
}

// hookPart is the file that is edited.
func hookPart(d *draft) Node {
	if d.file.key == "" {
		return El("div", Attr("id", "hook"), El("p", Text("There is no file to edit.")))
	}
	state := "as it is in force"
	if d.edited() != nil {
		state = "edited here, not saved"
	}
	sum := sha256.Sum256([]byte(d.file.text))
	own := d.file.text
	if d.file.fresh {
		own = freshText
	}
	return El("div", Attr("id", "hook"),
		El("input", Attr("type", "hidden"), Attr("name", "of"), Attr("value", d.file.key)),
		El("label", Attr("for", "text"), Text(d.file.name)),
		El("textarea", Attr("id", "text"), Attr("name", "text"), Attr("rows", "19"), Attr("wrap", "off"), Attr("spellcheck", "false"), Attr("autocapitalize", "off"),
			Attr("data-file", d.file.key), Attr("data-sum", hex.EncodeToString(sum[:6])), Has("data-edited", d.text != own), Verbatim("\n"+d.text)),
		El("p", Class("buttons"), button("again", "Start again", ""), El("span", Class("faint"), Attr("id", "text-state"), Attr("role", "status"), Text(state))))
}

// answerPart is where the answer stands, so that a screen reader tells of it when it comes.
func answerPart(answer Node) Node {
	return El("div", Attr("id", "answer"), Attr("aria-live", "polite"), answer)
}

// pastPart is the same of what would have been.
func pastPart(outcome Node) Node {
	return El("div", Attr("id", "past"), Attr("aria-live", "polite"), outcome)
}

// pastSection is where recorded decisions are chosen, and what has come of them.
func (s *Server) pastSection(v *logindex.View, d *draft, outcome Node) Node {
	choices := s.pastChoices(v)
	all := func(name string) []string { return append([]string{""}, choices[name]...) }
	projects := choices["project"]
	if !slices.Contains(projects, s.Hooks.Root) {
		projects = append([]string{s.Hooks.Root}, projects...)
	}
	numbers, names, lasts := []string{}, []string{}, map[string]string{}
	for _, n := range pastNumbers {
		numbers = append(numbers, fmt.Sprint(n))
		lasts[fmt.Sprint(n)] = grouped(n)
	}
	for _, r := range ranges {
		names = append(names, r.name)
	}
	return El("section", Attr("id", "what-would-have-been"), El("h2", Text("What would have been")),
		El("p", Text("The recorded decisions, made again by the hooks as they stand above. Only those that differ are listed.")),
		El("div", Class("fields"),
			choice("past_last", "The last", fmt.Sprint(d.past.last), numbers, lasts),
			choice("past_event", "Event", d.past.event, all("event"), nil),
			choice("past_hook", "Hook", d.past.hook, all("hook"), nil),
			choice("past_decision", "Decision", d.past.decision, append([]string{""}, filterDecisions...), map[string]string{"none": "no objection", "failed": "a hook failed"}),
			choice("past_session", "Session", d.past.session, all("session"), nil),
			choice("past_span", "Range", cmp.Or(d.past.span, "all"), names, nil),
			choice("past_project", "Recorded in", d.past.project, projects, map[string]string{s.Hooks.Root: cmp.Or(s.Hooks.Root, "this project")}),
			El("button", Attr("id", "compare"), Attr("formaction", s.path("playground/replay")+"#past"), Text("Compare")),
			El("span", Attr("id", "past-progress"), Attr("role", "status"))),
		pastPart(outcome))
}

// causeText says what a list of differences has in common.
func causeText(why cause, edited bool) string {
	switch {
	case why == byEdit:
		return "By the edit: the hooks in force decide in another way"
	case why == unsure:
		return "By the edit or not: what the hooks in force decide isn't known"
	case edited:
		return "Not by the edit: the hooks in force differ from the record in the same way"
	}
	return "The hooks in force differ from the record"
}

// pastNode shows what would have been.
func (s *Server) pastNode(d *draft, p *past) Node {
	if len(p.faults) > 0 {
		return Group(El("p", Class("problem"), Text("Nothing was compared: files of hooks can't be used, so each event would be denied.")), faultsNode(d, p.faults))
	}
	m := p.summary
	head := fmt.Sprintf("%s of %s differ", grouped(m.Differ.Decision), plural(m.Compared, "decision"))
	if m.Compared == 1 {
		head = fmt.Sprintf("%d of 1 decision differs", m.Differ.Decision)
	}
	if m.Compared == 0 {
		head = "No decision could be compared"
	}
	var notes []string
	note := func(is bool, format string, values ...any) {
		if is {
			notes = append(notes, fmt.Sprintf(format, values...))
		}
	}
	note(p.found == 0, "The log has no such decision. Choose less, or another project.")
	note(m.Differ.Reason == 1, "1 more differs in the reason alone.")
	note(m.Differ.Reason > 1, "%s more differ in the reason alone.", grouped(m.Differ.Reason))
	note(m.Differ.Rewrite > 0, "The input is rewritten in another way in %s.", plural(m.Differ.Rewrite, "record"))
	note(p.edited && p.problem == "", "By the edit: %s.", plural(p.records[byEdit], "record"))
	note(p.again > 0, "Decided as recorded with the edit, and otherwise without it: %s.", plural(p.again, "record"))
	note(p.problem != "", "What the hooks in force would decide isn't known: %s", shortened(p.problem, maxText))
	note(p.truncated, "The time of %s was over before the newest %s.", pastTime, plural(p.found-p.fired, "record"))
	note(d.past.project != s.Hooks.Root, "They were recorded in %s, and are judged as if that were %s.", d.past.project, s.Hooks.Root)
	note(m.Now.P50US > 0, "Time of an event: p50 %s, was %s; p99 %s, was %s.", us(m.Now.P50US), us(m.Was.P50US), us(m.Now.P99US), us(m.Was.P99US))
	note(true, "It took %s.", cmp.Or(shortTime(p.took), "no time"))
	var missed []Node
	for _, l := range m.Left {
		text := fmt.Sprintf("%s: %s", plural(l.Records, "event"), l.Text)
		if len(l.What) > 0 {
			text += " (" + shortened(strings.Join(l.What, ", "), 300) + ")"
		}
		switch {
		case l.Why == replay.Effect:
			text += "; luahook replay --run-commands, in a terminal, does it"
		case l.Remedy != "":
			text += "; " + l.Remedy
		}
		missed = append(missed, El("li", Text(text)))
	}
	class := "allow"
	if m.Differ.Decision > 0 {
		class = "deny"
	} else if m.Compared == 0 {
		class = "none"
	}
	lists := make([]Node, 0, causes)
	listed := 0
	for why := range causes {
		shown := p.listed[why][:min(len(p.listed[why]), maxDifferences-listed)]
		listed += len(shown)
		if p.records[why] == 0 {
			continue
		}
		rest := p.records[why]
		for _, one := range shown {
			rest -= one.count
		}
		lists = append(lists, El("h3", Text(fmt.Sprintf("%s (%s)", causeText(why, p.edited), plural(p.records[why], "record")))),
			El("ol", Class("differences"), Each(shown, s.differenceNode)),
			If(rest > 0, El("p", Class("faint"), Text(plural(rest, "more record")+" with such differences, not listed."))))
	}
	return Group(
		El("div", Class("answer "+class), El("p", El("strong", Text(head+"."))), El("p", Text(strings.Join(notes, " ")))),
		If(len(missed) > 0, Group(El("h3", Text("Not compared")), El("ul", Group(missed...)))),
		Group(lists...))
}

// us is a time in microseconds, for people.
func us(n int64) string { return cmp.Or(shortTime(time.Duration(n)*time.Microsecond), "0") }

// differenceNode shows a decision that differs from the recorded one.
func (s *Server) differenceNode(d *pastDifference) Node {
	verdict := func(name string, v *replay.Verdict) Node {
		text := v.By
		if v.Reason != "" {
			text = strings.TrimLeft(text+": "+shortened(v.Reason, 500), ": ")
		}
		if v.Halt {
			text += " The turn ends."
		}
		return El("p", El("span", Class("kind"), Text(name)), Text(" "), badge(v.Decision), Text(" "+text))
	}
	var rows []Node
	if slices.Contains(d.Changed, "decision") || slices.Contains(d.Changed, "reason") {
		rows = append(rows, verdict("was", &d.Was), verdict("is now", &d.Now))
	}
	if v := d.without; v != nil && (v.Decision != d.Was.Decision || v.By != d.Was.By || v.Reason != d.Was.Reason || v.Halt != d.Was.Halt) {
		rows = append(rows, verdict("without the edit", v))
	}
	if slices.Contains(d.Changed, "rewrite") {
		text, changes := d.Rewrite()
		rows = append(rows, El("p", Text("It "+text+".")))
		for i, c := range changes {
			if i == 10 {
				rows = append(rows, El("p", Text(plural(len(changes)-i, "more key"))))
				break
			}
			name := shortened(c.Name, 80)
			rows = append(rows, If(c.Had, El("p", El("span", Class("kind"), Text("was "+name)), Text(" "), El("code", Text(c.Was)))),
				If(c.Has, El("p", El("span", Class("kind"), Text("is now "+name)), Text(" "), El("code", Text(c.Now)))))
		}
	}
	return El("li",
		El("div", Class("difference"),
			El("a", Class("what"), Attr("href", s.path("record", "ref", string(d.ref))), El("span", Class("event"), Text(string(d.Event))), Text(" "), El("code", Text(d.Asked))),
			El("span", Class("faint"), Text(d.Time.Local().Format(time.DateTime)), If(d.count > 1, Text(fmt.Sprintf(", and %s alike", plural(d.count-1, "more record")))))),
		Group(rows...))
}
