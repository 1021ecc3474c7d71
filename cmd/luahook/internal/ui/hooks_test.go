package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/engine"
)

// ran is a record of one run, as a test says it.
type ran struct {
	event, hook, scope, source, status, decision, project string
	modified                                              bool
	took                                                  int // µs
	at                                                    time.Time
	kind                                                  string
}

// logOf writes a log of runs.
func logOf(t *testing.T, runs ...ran) (dir string) {
	t.Helper()
	var lines bytes.Buffer
	for i, r := range runs {
		if r.at.IsZero() {
			r.at = time.Date(2026, 5, 4, 8, 0, i, 0, time.UTC)
		}
		if r.kind == "" {
			r.kind = "decision"
		}
		record := map[string]any{"time": r.at.Format("2006-01-02T15:04:05.000Z"), "v": 1, "kind": r.kind, "event": r.event, "project": r.project}
		if r.hook != "" {
			record["runs"] = []any{map[string]any{
				"hook": r.hook, "scope": r.scope, "source": r.source, "status": r.status, "decision": r.decision, "modified": r.modified, "duration_us": r.took,
			}}
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	dir = t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "decisions.jsonl"), lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// projectServer has the hooks of a project, which is trusted if trusted says so, over a log.
func projectServer(t *testing.T, log string, trusted bool, files map[string]string) (s *Server, root string) {
	t.Helper()
	s = newServer(t, log, "")
	root = filepath.Join(t.TempDir(), "shop")
	for name, text := range files {
		at := filepath.Join(root, ".hooks", name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	trustFile := filepath.Join(t.TempDir(), "trust.json")
	survey := func() ([]*engine.Survey, error) {
		survey, err := engine.SurveyProject(engine.Project{Root: root}, trustFile)
		return []*engine.Survey{survey}, err
	}
	if trusted {
		list, err := survey()
		if err != nil {
			t.Fatal(err)
		}
		if err := list[0].Trust(false); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(engine.WithProject(engine.Project{Root: root}), engine.WithTrust(trustFile), engine.WithoutGrants())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	s.Hooks.Engine, s.Hooks.Root, s.Hooks.Surveys = e, root, survey
	return s, root
}

// seen is the text of a page, without its elements.
func seen(page string) string {
	page = regexp.MustCompile(`<(td|th|p|li|h2|span class="mark")[ >]`).ReplaceAllString(page, "\n$0")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, ""))
}

// rowOf is the part of a page that is about a hook, as text; fields are apart by blanks.
func rowOf(t *testing.T, page, hook string) string {
	t.Helper()
	for _, row := range regexp.MustCompile(`(?s)<tr>.*?</tr>`).FindAllString(page, -1) {
		if strings.Contains(row, "<strong>"+hook+"</strong>") {
			return strings.Join(strings.Fields(seen(row)), " ")
		}
	}
	t.Fatalf("no row for %s", hook)
	return ""
}

// The fixture's hooks are listed in their order with what the log has of them.
func TestHooksInForce(t *testing.T) {
	s := newServer(t, "log", "")
	page := get(t, s, "hooks")
	contains(t, page, "Hooks", "recorded 97 times", "builtin:safety-guard:56", ">safety-guard</strong>", "may use fs.read; git; tasks", "on failure: block",
		"In the log, and not in force here", ">cost-tracker</strong>", "now?decision=deny&amp;event=pre_tool_call&amp;hook=safety-guard")
	guard := rowOf(t, page, "safety-guard")
	for _, text := range []string{"91 runs, safety-guard 8 denied, safety-guard 2 asked", "6 May 2026"} {
		if !strings.Contains(guard, text) {
			t.Errorf("the row of the guard doesn't have %q: %s", text, guard)
		}
	}
	contains(t, seen(page), "its event never came")
	before, after, _ := strings.Cut(page, "In the log, and not in force here")
	if strings.Contains(before, ">cost-tracker<") || strings.Contains(after, ">safety-guard<") {
		t.Error("what is in force, and what isn't, are mixed up")
	}
	contains(t, page, "of hooks of other projects are not among them")
	if strings.Contains(page, "house-rules") {
		t.Error("a hook of another project is said not to be in force any more")
	}
}

// Nothing is counted for a hook that is another's, and what can't be told is said.
func TestHowHooksFared(t *testing.T) {
	files := map[string]string{
		"a.lua": `on("pre_tool_call", { name = "moved" }, function() end)
on("pre_tool_call", { name = "quiet", match = "never" }, function() end)
`,
		"b.lua": `for _, event in ipairs({ "session_end", "stop" }) do on(event, { name = "both" }, function() end) end
on("pre_prompt", { name = "waiting" }, function() end)
`,
		"hooks.yaml": "hooks:\n  stop:\n    - {name: off, command: 'true', enabled: false}\n",
	}
	s, root := projectServer(t, logOf(t, ran{event: "stop"}), true, files)
	run := func(r ran) ran {
		r.project = root
		if r.scope == "" {
			r.scope = "project"
		}
		if r.status == "" {
			r.status = "completed"
		}
		return r
	}
	pre := func(status, decision string, took int) ran {
		return run(ran{event: "pre_tool_call", hook: "moved", source: ".hooks/a.lua:1", status: status, decision: decision, took: took})
	}
	another := pre("blocked", "deny", 9_000_000)
	another.project = "/home/kim/elsewhere"
	otherScope := run(ran{event: "pre_tool_call", hook: "moved", scope: "user", source: ".hooks/a.lua:1"})
	log := logOf(t,
		pre("completed", "", 100), pre("completed", "", 100), pre("completed", "ask", 200), pre("completed", "allow", 300), pre("blocked", "deny", 400), pre("failed", "", 500), pre("uncounted", "deny", 100),
		run(ran{event: "pre_tool_call", hook: "moved", source: ".hooks/a.lua:7", took: 2000, modified: true}), // another line
		another, otherScope,
		run(ran{event: "pre_tool_call", hook: "moved", source: ".hooks/z.lua:1"}), // another file
		run(ran{event: "stop", hook: "both", source: ".hooks/b.lua:1", status: "queued"}),
		run(ran{event: "stop", hook: "both", source: ".hooks/b.lua:1", kind: "run", took: 50}),
		run(ran{event: "stop", hook: "off", source: ".hooks/hooks.yaml:3"}),
		ran{event: "pre_prompt", project: "/home/kim/elsewhere"},
		run(ran{event: "pre_prompt"}),
	)
	s2 := newServer(t, log, "")
	s.Index = s2.Index
	page := get(t, s, "hooks")
	for hook, want := range map[string]string{
		"moved":   "1 of these runs: when it stood in another line. 8 runs, moved 1 denied, moved 1 asked, moved 1 allowed, moved 1 rewrote, moved 1 failed, moved 200 µs 2.0 ms",
		"quiet":   "it never ran; its event came 10 times in this project",
		"waiting": "it never ran; its event came once in this project",
	} {
		if got := rowOf(t, page, hook); !strings.Contains(got, want) {
			t.Errorf("%s: want %q in %s", hook, want, got)
		}
	}
	text := seen(page)
	contains(t, text, "1 run of hooks of other projects are not among them", "The log has 1 run of when it ran.", "enabled is false")
	_, stop, _ := strings.Cut(page, "<h2>stop</h2>")
	if got := rowOf(t, stop, "both"); !strings.Contains(got, "1 runs, both") {
		t.Errorf("an async run counts twice: %s", got)
	}
	rest := strings.Join(strings.Fields(text[strings.Index(text, "not in force here"):]), " ")
	contains(t, rest, "pre_tool_call, user, .hooks/a.lua", "pre_tool_call, project, .hooks/z.lua")
	if strings.Contains(rest, "off") && strings.Contains(rest, ".hooks/hooks.yaml") {
		t.Errorf("a hook that is left out is among those of the log alone: %s", rest)
	}
}

// Two hooks that the log can't tell apart share their numbers, which is said.
func TestHooksOfOneName(t *testing.T) {
	yaml := "hooks:\n  stop:\n    - {script: .hooks/more/n.lua}\n    - {script: .hooks/more/n.lua, with: {a: 1}}\n"
	s, root := projectServer(t, "log", true, map[string]string{"more/n.lua": `on("stop", { name = "twice" }, function() end)`, "hooks.yaml": yaml})
	s.Index = newServer(t, logOf(t, ran{event: "stop", hook: "twice", scope: "project", source: ".hooks/more/n.lua:1", status: "completed", project: root}), "").Index
	contains(t, rowOf(t, get(t, s, "hooks"), "twice"), "The log doesn't tell it from 1 other hook of its name in the same file")
}

func TestRangeOfHooks(t *testing.T) {
	at := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	run := ran{event: "pre_tool_call", hook: "mine", scope: "embedder", source: "guard.lua:1", status: "completed"}
	var runs []ran
	for _, back := range []time.Duration{30 * 24 * time.Hour, 3 * 24 * time.Hour, 2 * time.Hour, 10 * time.Minute, 0} {
		run.at = at.Add(-back)
		runs = append(runs, run)
	}
	s := newServer(t, logOf(t, runs...), `on("pre_tool_call", { name = "mine" }, function() end)`)
	for span, want := range map[string]string{"": " 5 runs", "all": " 5 runs", "week": " 4 runs", "day": " 3 runs", "hour": " 2 runs"} {
		if got := rowOf(t, get(t, s, "hooks?range="+span), "mine"); !strings.Contains(got, want) {
			t.Errorf("range %q: want%s: %s", span, want, got)
		}
	}
	for _, path := range []string{"hooks?range=year", "hooks?range=%00", "hooks/source?range=x"} {
		if r := ask(s, http.MethodGet, "/"+testToken+"/"+path, ""); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
}

// The page says how far the project is trusted, what that means for its hooks, and what to type.
func TestTrustOfHooks(t *testing.T) {
	files := map[string]string{
		"a.lua":      `on("pre_tool_call", { name = "mine" }, function() end)`,
		"hooks.yaml": "hooks:\n  grant:\n    exec: [make]\n  stop:\n    - {name: shell, command: 'true'}\n",
	}
	s, root := projectServer(t, "log", false, files)
	page := get(t, s, "hooks")
	contains(t, seen(page), "not trusted", "luahook trust "+root, "Some hooks may only deny, ask and inform: the project isn't trusted", "limited", "Left out", "asks for exec: make, and hasn't got it")
	contains(t, page, `data-copy`, `href="#trust"`, `id="trust"`)

	s, root = projectServer(t, "log", true, files)
	page = get(t, s, "hooks")
	contains(t, seen(page), "trusted since", "luahook trust --revoke "+root, "may use exec: make")
	if strings.Contains(page, "limited") || strings.Contains(page, "Left out") {
		t.Error("hooks of a trusted project are limited")
	}
	if err := os.WriteFile(filepath.Join(root, ".hooks", "a.lua"), []byte(files["a.lua"]+"\n-- more"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Hooks.Engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	contains(t, seen(get(t, s, "hooks")), "HAS CHANGED since", "changed .hooks/a.lua", "luahook trust "+root)
}

// Names and errors of a stranger's project are texts, and too many of them are left out.
func TestHostileHooks(t *testing.T) {
	const evil = `<script>document.title='owned'</script>"><img src=x onerror=alert(1)>`
	files := map[string]string{
		"a.lua":      fmt.Sprintf("for i = 1, 900 do on('pre_tool_call', { name = %q .. i, match = 'x' }, function() end) end", evil),
		"a2.lua":     "for i = 1, 200 do on('stop', function() end) end",
		"b.lua":      "on('stop', { name = 'long' .. ('x'):rep(3000) }, function() end) -- " + evil,
		"c<img>.lua": "on(" + evil,
	}
	s, root := projectServer(t, "log", false, files)
	hostile := []ran{{event: evil, hook: evil, scope: evil, source: evil + ":3", status: "completed"}, {event: "stop", hook: "", scope: "project", source: "", status: "blocked", project: root, took: -5}}
	for i := range 300 {
		hostile = append(hostile, ran{event: "stop", hook: fmt.Sprint("gone", i), scope: "user", source: "~/x.lua:99999999999999999999", status: "completed"})
	}
	s.Index = newServer(t, logOf(t, hostile...), "").Index
	page := get(t, s, "hooks")
	if len(page) > 4<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, bad := range []string{"<script>doc", "<img src=x", strings.Repeat("x", 1000)} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	contains(t, seen(page), " further hooks left out here", "further hooks left out, which ran less often", "not loaded")
	for _, key := range regexp.MustCompile(`hooks/source\?hook=([0-9a-f]+)`).FindAllStringSubmatch(page, 5) {
		source := get(t, s, "hooks/source?hook="+key[1])
		if strings.Contains(source, "<script>doc") || strings.Contains(source, "<img src=x") {
			t.Error("a source is more than text")
		}
	}
	get(t, newServer(t, "hostile", ""), "hooks")
}

// Percentiles are those of the nearest rank.
func TestPercentiles(t *testing.T) {
	for _, test := range []struct{ runs, p50, p99 int }{{1, 1, 1}, {2, 1, 2}, {3, 2, 3}, {100, 50, 99}, {101, 51, 100}, {1000, 500, 990}} {
		one := &tally{}
		for i := range test.runs {
			one.add(&logindex.Run{Status: logindex.StatusCompleted, DurationUS: uint32(test.runs - i)}, i)
		}
		one.finish()
		if one.p50 != time.Duration(test.p50)*time.Microsecond || one.p99 != time.Duration(test.p99)*time.Microsecond {
			t.Errorf("of %d: %s, %s", test.runs, one.p50, one.p99)
		}
	}
}

// A log with more hooks than can be told apart says so, and nothing is said never to have run.
func TestTooManyHooks(t *testing.T) {
	runs := make([]ran, 0, maxTold+3)
	for i := range maxTold + 2 {
		runs = append(runs, ran{event: "stop", hook: fmt.Sprint("h", i), scope: "user", source: "~/x.lua:1", status: "completed"})
	}
	s := newServer(t, logOf(t, append(runs, ran{event: "pre_tool_call"})...), `on("pre_tool_call", { name = "mine" }, function() end)`)
	page := get(t, s, "hooks")
	contains(t, seen(page), "The log has more than 20,000 hooks. 2 runs of further ones are not counted.")
	contains(t, rowOf(t, page, "mine"), "no run was counted")
	if len(page) > 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// What was counted is counted again where the log has grown, and not otherwise.
func TestCountedOnce(t *testing.T) {
	s := newServer(t, logOf(t, ran{event: "stop"}), "")
	v := s.Index.View()
	one, err := s.fared.count(t.Context(), v, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.fared.count(t.Context(), v, 0, ""); again != one {
		t.Error("the same view is counted twice")
	}
	if other, _ := s.fared.count(t.Context(), v, time.Hour, ""); other == one {
		t.Error("another part of the log has the same counts")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(fared).count(ended, v, 0, ""); err == nil {
		t.Error("counting goes on for nobody")
	}
}
