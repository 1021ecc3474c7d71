package uitest

import (
	"net/url"
	"strings"
	"testing"
)

// filters are the fields of the form over the list of records, each with something that is in the fixture.
var filters = []struct {
	field, name string // as it is labelled, and called in the address
	choice      bool   // from a list
	value       string
	text        string // of the choice; "": the value
	has, hasnt  string // what the records have then
}{
	{"Text", "text", false, "FIX/ROUNDING", "", "git push --force-with-lease origin fix/rounding", "terraform"},
	{"Decision", "decision", true, "deny", "", "git clean -fdx", "go vet"},
	{"Decision", "decision", true, "ask", "", "terraform", "git clean"},
	{"Decision", "decision", true, "none", "no objection", "session_start", "git clean"},
	{"Decision", "decision", true, "failed", "a hook failed", "go test -cover ./cart", "git clean"},
	{"Event", "event", true, "subagent_stop", "", "subagent_stop", "pre_tool_call bash"},
	{"Tool", "tool", true, "mcp__orders__refund", "", "12900", "git "},
	{"Hook", "hook", true, "pnpm", "", "pnpm", "session_start"},
	{"Agent", "host", true, "gemini", "", "gemini", "codex"},
	{"Session", "session", false, "ticket-8867", "", "charged twice", "claude"},
}

// TestFilters fills in the form, field by field.
func TestFilters(t *testing.T) {
	s := serve(t, "log")
	for _, f := range filters {
		t.Run(f.name+"="+f.value, func(t *testing.T) {
			p := open(t, s).visit("now")
			text := f.value
			if f.text != "" {
				text = f.text
			}
			p.follow("the filter", func() {
				switch {
				case f.choice:
					p.the("combobox", f.field).choose(text) // which is sent at once
				default:
					role := "textbox"
					if f.name == "text" {
						role = "searchbox"
					}
					p.the(role, f.field).write(f.value)
					p.press("\r")
				}
			})
			at, err := url.Parse(ask[string](p, "location.href"))
			if err != nil {
				t.Fatal(err)
			}
			if q := at.Query(); q.Get(f.name) != f.value || len(q) != 1 {
				t.Errorf("the address has %q, want %s=%s alone", at.RawQuery, f.name, f.value)
			}
			list := ask[string](p, `document.querySelector("main ol").innerText`)
			if !strings.Contains(list, f.has) || f.hasnt != "" && strings.Contains(list, f.hasnt) {
				t.Errorf("the list has %q: %v; it has %q: %v; want the first alone\n%.1500s", f.has, strings.Contains(list, f.has), f.hasnt, strings.Contains(list, f.hasnt), list)
			}
			p.follow("Clear", p.the("link", "Clear").click)
			if at := ask[string](p, "location.search"); at != "" {
				t.Errorf("after Clear, the filter is %q", at)
			}
		})
	}
}

// TestFiltersTogether keeps each of several filters.
func TestFiltersTogether(t *testing.T) {
	p := open(t, serve(t, "log")).visit("now")
	p.follow("the first filter", func() { p.the("combobox", "Agent").choose("claude") })
	p.follow("the second filter", func() { p.the("combobox", "Decision").choose("deny") })
	if q := ask[string](p, "location.search"); !strings.Contains(q, "host=claude") || !strings.Contains(q, "decision=deny") {
		t.Errorf("the address has %q, want both filters", q)
	}
	list := ask[string](p, `document.querySelector("main ol").innerText`)
	if strings.Contains(list, "git clean -fdx") || !strings.Contains(list, "git reset --hard") {
		t.Errorf("want what claude was denied:\n%.1500s", list)
	}
	p.visit("now?text=there+is+no+such+text")
	p.shows("No record passes")
}

// TestOlder loads older records as a reader scrolls, to the end, and each once.
func TestOlder(t *testing.T) {
	p := open(t, serve(t, "log")).visit("now")
	rows := `[...document.querySelectorAll("main ol a")].map(a => a.href).filter(h => new URL(h).pathname.includes("/record"))`
	first := len(ask[[]string](p, rows))
	if first >= 352 {
		t.Fatalf("%d records at once, want a part of them", first)
	}
	p.eventually("all records", `(window.scrollTo(0, document.body.scrollHeight), `+rows+`.length >= 352)`)
	seen := map[string]bool{}
	for _, href := range ask[[]string](p, rows) {
		if seen[href] {
			t.Errorf("%s is there twice", href)
		}
		seen[href] = true
	}
	if len(seen) != 352 {
		t.Errorf("%d records, want 352", len(seen))
	}
	days := ask[[]string](p, `[...document.querySelectorAll("main ol h2")].map(h => h.innerText)`)
	if len(days) != 3 {
		t.Errorf("days %q, want three", days)
	}
	p.shows("git push --force origin fix/rounding")
	if n := len(p.all("link", "Older records")); n > 0 {
		t.Error("there is a link to older records, and there are none")
	}
}
