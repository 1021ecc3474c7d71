package ui

import (
	"cmp"
	"fmt"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// mark is how a decision or a state is shown: a sign and a word, so that no colour alone tells them apart, and the class
// of its colours in ui.css.
type mark struct{ class, sign, word string }

// markOf is the mark of a decision or a state.
func markOf(name string) mark {
	switch name {
	case "deny":
		return mark{"deny", "✕", "deny"}
	case "ask":
		return mark{"ask", "?", "ask"}
	case "allow":
		return mark{"allow", "✓", "allow"}
	case "", "completed":
		return mark{"none", "–", "no objection"}
	case "failed":
		return mark{"failed", "!", "failed"}
	case "note":
		return mark{"note", "i", "note"}
	case "run":
		return mark{"note", "↻", "async"}
	case "blocked":
		return mark{"deny", "✕", "denied"}
	case "asked":
		return mark{"ask", "?", "asked"}
	case "allowed":
		return mark{"allow", "✓", "allowed"}
	case "queued":
		return mark{"note", "↻", "queued"}
	case "skipped":
		return mark{"none", "·", "not run"}
	case "rewrote":
		return mark{"note", "✎", "rewritten"}
	case "halted":
		return mark{"deny", "■", "halted"}
	case "uncounted":
		return mark{"failed", "~", "uncounted"}
	case "trusted", "folder":
		return mark{"allow", "✓", "trusted"}
	case "untrusted":
		return mark{"ask", "!", "not trusted"}
	case "changed":
		return mark{"ask", "!", "changed"}
	case "limited":
		return mark{"ask", "!", "limited"}
	}
	return mark{"none unknown", "·", shortened(name, maxWordShown)}
}

// badge shows a decision or a state.
func badge(name string) Node {
	m := markOf(name)
	return El("span", Class("badge "+m.class), El("span", Attr("aria-hidden", "true"), Text(m.sign+" ")), Text(m.word))
}

// outcome is the name in marks of what a record says.
func outcome(r *audit.Record) string {
	switch {
	case r.Kind == audit.KindNote:
		return "note"
	case r.Kind == audit.KindRun:
		return "run"
	case r.Decision == "" && anyFailed(r):
		return "failed"
	}
	return r.Decision
}

func anyFailed(r *audit.Record) bool {
	for i := range r.Runs {
		if r.Runs[i].Status == string(hooks.StatusFailed) {
			return true
		}
	}
	return false
}

// row shows a record in a list, on two lines.
func (s *Server) row(ref logindex.Ref, r *audit.Record) Node {
	what := show.Asked(r)
	switch r.Kind {
	case audit.KindNote:
		what = cmp.Or(r.Text, r.Note)
	case audit.KindRun:
		what = show.Async(r)
	}
	return El("li", Class("row "+markOf(outcome(r)).class), Attr("data-ref", string(ref)),
		El("span", Class("when"), clock(r.Time)),
		badge(outcome(r)),
		El("a", Class("what"), Attr("href", s.path("record", "ref", string(ref))),
			El("span", Class("event"), Text(shortened(cmp.Or(string(r.Event), "no event"), maxShown))), Text(" "),
			El("code", Text(shortened(what, maxShown)))),
		El("span", Class("why"), Text(shortened(show.Decider(r), maxShown))),
		El("span", Class("who"), s.who(r)),
		El("span", Class("took"), Text(shortTime(time.Duration(r.DurationUS)*time.Microsecond))),
	)
}

// maxWordShown is how many bytes a badge has at most.
const maxWordShown = 40

// nameOf is as much of a name as the index has.
func nameOf(name string) string { return name[:min(len(name), 1<<10)] }

// maxShown is how many bytes of a text stand in a list; the record has it whole.
const maxShown = 300

// who is the agent and the session of a record, each a link to its own.
func (s *Server) who(r *audit.Record) Node {
	return Group(
		If(r.Host != "", El("a", Attr("href", s.path("now", "host", nameOf(r.Host))), Text(shortID(r.Host)))),
		If(r.Agent != "", Group(Text(" "), El("a", Attr("href", s.path("now", "agent", nameOf(r.Agent))), Text(shortID(r.Agent))))),
		If(r.Session != "", Group(Text(" "), El("a", Attr("href", s.path("session", "id", nameOf(r.Session))), El("span", Class("hidden"), Text("session ")), Text(shortID(r.Session))))),
	)
}

// shortID is as much of an id as tells it from others on one page.
func shortID(id string) string {
	text := []rune(id)
	if len(text) > 14 {
		return string(text[:6]) + "…" + string(text[len(text)-5:])
	}
	return id
}

// clock is a time of day on this machine, for machines with the date.
func clock(t time.Time) Node {
	return El("time", Attr("datetime", stamp(t)), Attr("title", t.Local().Format("Monday, 2 January 2006, 15:04:05.000")), Text(t.Local().Format(time.TimeOnly)))
}

// stamp is a time as machines read it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// day is the date of a time on this machine.
func day(t time.Time) string { return t.Local().Format("Monday, 2 January 2006") }

// shortTime is a duration with three digits or so; nothing for none.
func shortTime(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// someTime is a duration, also where it is too short to be measured.
func someTime(d time.Duration) string { return cmp.Or(shortTime(d), "0 µs") }
