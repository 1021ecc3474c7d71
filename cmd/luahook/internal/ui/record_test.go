package ui

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Each record of the log has a page, with what was decided.
func TestRecords(t *testing.T) {
	s := newServer(t, "log", `on("pre_tool_call", { name = "mine", match = "bash" }, function() return ask("sure?") end)
		on("pre_tool_call", { name = "writes", match = "write" }, function() end)`)
	v := s.Index.View()
	for i := range v.Len() {
		e, err := v.Read(i)
		if err != nil {
			t.Fatal(err)
		}
		page := get(t, s, "record?ref="+string(v.Ref(i)))
		contains(t, page, "The record as it stands in the log", string(e.Event))
		for _, run := range e.Runs {
			if e.Kind != audit.KindNote {
				contains(t, page, run.Hook, run.Source)
			}
		}
		if e.Event == hooks.PreToolCall && e.Tool == "bash" && e.Kind == audit.KindDecision && !e.Cut && !strings.Contains(string(e.Line), "[redacted") {
			contains(t, page, "Command, as understood", "With the hooks in force today", "sure?", "writes", "want ")
		}
		if t.Failed() {
			t.Fatalf("record %d: %s\n%s", i, e.Line, page)
		}
	}
}

// No text of a hostile log becomes an element, an attribute, or an address elsewhere.
func TestHostileLog(t *testing.T) {
	s := newServer(t, "hostile", "")
	pages := []string{"now", "sessions", "overview", "hooks", "playground"}
	v := s.Index.View()
	seen := map[string]bool{}
	for i := range v.Len() {
		pages = append(pages, "record?ref="+string(v.Ref(i)))
		if session := v.Name(v.Row(i).Session); session != "" && !seen[session] {
			seen[session] = true
			pages = append(pages, "session?id="+url.QueryEscape(session), "now?session="+url.QueryEscape(session))
		}
	}
	known := map[string]bool{"script": true, "img": true}
	tags := regexp.MustCompile(`<([a-zA-Z][^\s>/]*)([^>]*)>`)
	for _, path := range pages {
		page := get(t, s, path)
		if len(page) > 8*audit.MaxRecord {
			t.Errorf("%.100s has %d bytes", path, len(page))
		}
		if path == "now" && len(page) > 4<<10*pageRows { // whatever a record holds, a row is short
			t.Errorf("the list has %d bytes", len(page))
		}
		for _, m := range tags.FindAllStringSubmatch(page, -1) {
			name, attributes := m[1], m[2]
			switch {
			case known[name] && !strings.Contains(attributes, ` src="/`+testToken+`/static/`),
				forbidden.MatchString(quoted.ReplaceAllString(attributes, `""`)):
				t.Errorf("%s has %s", path, m[0])
			}
			for _, a := range addresses.FindAllStringSubmatch(attributes, -1) {
				if !strings.HasPrefix(a[1], "/"+testToken+"/") && !strings.HasPrefix(a[1], "#") {
					t.Errorf("%s leads to %s", path, a[1])
				}
			}
		}
		if strings.ContainsAny(tags.ReplaceAllString(page, ""), "\x00\u202e\u200b") {
			t.Errorf("%s has a character that can't be seen", path)
		}
	}
}

var (
	quoted    = regexp.MustCompile(`"[^"]*"`)
	forbidden = regexp.MustCompile(`(?i)(^|\s)(on[a-z]+|style|srcdoc)\s*=`)
	addresses = regexp.MustCompile(`(?:href|src|action|formaction)="([^"]*)"`)
)

func TestMergeSteps(t *testing.T) {
	runs := func(all ...audit.Run) *audit.Record { return &audit.Record{Runs: all} }
	for name, test := range map[string]struct {
		record *audit.Record
		want   []string // the decision after each step, and the rule
	}{
		"strictest": {runs(
			audit.Run{Hook: "a", Status: "completed", Decision: "allow"},
			audit.Run{Hook: "b", Status: "completed"},
			audit.Run{Hook: "c", Status: "completed", Decision: "ask"},
			audit.Run{Hook: "d", Status: "completed", Decision: "allow"},
			audit.Run{Hook: "e", Status: "completed", Decision: "ask"},
			audit.Run{Hook: "f", Status: "blocked", Decision: "deny"},
			audit.Run{Hook: "g", Status: "uncounted"},
		), []string{
			"allow the first answer that decides: allow", "allow no objection leaves", "ask ask is stricter than the allow of a", "ask the ask of c is stricter",
			"ask as c has said already", "deny deny is stricter than the ask of c", "deny its answer doesn't count",
		}},
		"a failure that blocks": {runs(
			audit.Run{Hook: "a", Status: "failed", Entries: []hooks.Entry{{Kind: hooks.EntryError, Text: "went on: its on_failure is warn"}}},
			audit.Run{Hook: "b", Status: "failed", Entries: []hooks.Entry{{Kind: hooks.EntryError, Text: "blocked: its on_failure is block"}}},
		), []string{" it failed, and its on_failure lets", "deny it failed, and that blocks: its on_failure is block"}},
		"others": {runs(
			audit.Run{Hook: "a", Status: "queued", Mode: "async"}, audit.Run{Hook: "b", Status: "skipped"}, audit.Run{Hook: "c", Status: "completed", Modified: true},
		), []string{" it runs in the background", " it didn't run", " it rewrote the event"}},
	} {
		steps := mergeSteps(test.record)
		if len(steps) != len(test.want) {
			t.Fatalf("%s: %d steps", name, len(steps))
		}
		for i, step := range steps {
			if got := step.so + " " + step.why; !strings.HasPrefix(got, test.want[i]) {
				t.Errorf("%s, step %d: %q, want %q", name, i+1, got, test.want[i])
			}
		}
	}
}

// What each record of the log came to is what its steps come to.
func TestStepsReachDecision(t *testing.T) {
	s := newServer(t, "log", "")
	v := s.Index.View()
	decided := 0
	for i := range v.Len() {
		e, err := v.Read(i)
		if err != nil {
			t.Fatal(err)
		}
		steps := mergeSteps(&e.Record)
		if e.Kind != audit.KindDecision || len(steps) == 0 {
			continue
		}
		if so := steps[len(steps)-1].so; so != e.Decision {
			t.Errorf("the steps come to %q: %s", so, e.Line)
		}
		if e.Decision != "" {
			decided++
		}
	}
	if decided == 0 {
		t.Error("no record was decided")
	}
}
