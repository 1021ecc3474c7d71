package ui_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"hash/fnv"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

var update = flag.Bool("update", false, "write the logs in testdata anew")

const (
	fixtureLog  = "testdata/log"
	rotatedFile = "decisions-20260504-221502.481733.jsonl" // put away between two days
	shop        = "/home/kim/shop"
)

// step is one event of a played session.
type step struct {
	at    time.Time
	host  string
	event map[string]any
	wants string // the decision; "": none
}

// stage fires events at engines, and reads what they have written.
type stage struct {
	t        *testing.T
	root     string // where /home/kim/shop is played
	dir      string // of the log
	open     func(host string) (e *engine.Engine, closeIt func())
	embedded *engine.Engine // of the program that embeds luahook
	read     int            // records so far
	kept     []audit.Record

	day                                  string  // of the last record that says what models cost
	usd, usdBefore, tokens, tokensBefore float64 // of the real day: so far, and before that day of the play
}

// openStage makes a project and a user's configuration of testdata in a folder of a fixed name, so that the same log
// comes of it each time.
func openStage(t *testing.T) *stage {
	home := filepath.Join(os.TempDir(), "luahook-ui-fixture")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	s := &stage{t: t, root: filepath.Join(home, "shop"), dir: filepath.Join(home, "log")}
	for from, to := range map[string]string{"testdata/project": s.root, "testdata/user": filepath.Join(home, "user")} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(s.root, ".hooks", "format.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	project, err := engine.FindProject(s.root)
	if err != nil {
		t.Fatal(err)
	}
	survey, err := engine.SurveyProject(project, filepath.Join(home, "trust.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := survey.Trust(false); err != nil {
		t.Fatal(err)
	}
	memory := store.NewMemory(0)
	s.open = func(host string) (*engine.Engine, func()) {
		log, err := audit.Open(s.dir, audit.Options{Host: host, Redactor: redact.New(nil)})
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(engine.WithProject(project), engine.WithTrust(filepath.Join(home, "trust.json")), engine.WithUserDir(filepath.Join(home, "user")),
			engine.WithStore(memory), engine.WithAudit(log, engine.RecordDecisions), engine.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Fatal(err)
		}
		return e, func() {
			if err := errors.Join(e.Close(context.Background()), log.Close()); err != nil {
				t.Error(err)
			}
		}
	}
	var closeIt func()
	s.embedded, closeIt = s.open("")
	t.Cleanup(closeIt)
	return s
}

// play fires one event, and keeps its records with the times of the play.
func (s *stage) play(at step) {
	t := s.t
	text, err := json.Marshal(at.event)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(shop), []byte(s.root))
	c, err := hooks.DecodeContext(text, "")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	e := s.embedded
	if at.host != "" { // a process for each event
		var closeIt func()
		e, closeIt = s.open(at.host)
		defer closeIt()
	}
	r, err := e.Fire(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if string(r.Decision) != at.wants {
		t.Errorf("%s at %s is decided as %q, want %q: %s\n%s", c.Event, at.at.Format(time.DateTime), r.Decision, at.wants, r.Reason, text)
	}
	if err := e.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var fresh []audit.Record
	n := 0
	if broken, err := audit.Read(s.dir, audit.Filter{}, func(e audit.Entry) bool {
		if n++; n > s.read {
			fresh = append(fresh, e.Record)
		}
		return true
	}); err != nil || broken > 0 {
		t.Fatalf("%d broken lines, %v", broken, err)
	}
	s.read = n
	for _, r := range fresh {
		s.kept = append(s.kept, s.staged(r, at))
	}
}

var playedTime = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// staged is a record as it would have come of the play.
func (s *stage) staged(r audit.Record, at step) audit.Record {
	text, err := json.Marshal(r)
	if err != nil {
		s.t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(s.root), []byte(shop))
	text = bytes.ReplaceAll(text, []byte(filepath.Dir(s.root)+"/user"), []byte("/home/kim/.config/luahook"))
	text = playedTime.ReplaceAll(text, []byte(at.at.Format("2006-01-02T15:04:05Z")))
	r = audit.Record{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		s.t.Fatal(err)
	}
	r.Time, r.Luahook, r.DurationUS = at.at, "v0.2.0", 0
	slices.Sort(r.Warnings)
	for i := range r.Runs {
		run := &r.Runs[i]
		run.DurationUS = plausible(run, at.at)
		if r.Kind == audit.KindDecision && run.Status != "queued" {
			r.DurationUS += run.DurationUS
		}
	}
	switch r.Kind {
	case audit.KindRun:
		r.DurationUS = r.Runs[0].DurationUS
		r.Time = r.Time.Add(time.Duration(r.DurationUS) * time.Microsecond).Add(2 * time.Millisecond)
	case audit.KindDecision:
		r.DurationUS += 180 + int64(number(at.at.String())%400)
	}
	s.cost(&r)
	return r
}

// plausible is how long a run may have taken, in microseconds.
func plausible(run *audit.Run, at time.Time) int64 {
	chance := int64(number(run.Hook + run.ID + at.String()))
	switch {
	case run.Status == "queued" || run.Status == "skipped":
		return 0
	case run.Handler == "command":
		return 26_000 + chance%9_000
	}
	return min(40+run.Instructions/12+chance%90, 60_000)
}

func number(text string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, text)
	return h.Sum32()
}

// cost makes the day's cost that of the day played: all of them are fired on one.
func (s *stage) cost(r *audit.Record) {
	cost, ok := r.Data["cost"].(map[string]any)
	if !ok {
		return
	}
	usd, tokens := float(cost["day_usd"]), float(cost["day_tokens"])
	if day := r.Time.Format(time.DateOnly); day != s.day {
		s.day, s.usdBefore, s.tokensBefore = day, s.usd, s.tokens
	}
	s.usd, s.tokens = usd, tokens
	cost["day_usd"] = json.Number(jsonText(math.Round((usd-s.usdBefore)*1e6) / 1e6))
	cost["day_tokens"] = json.Number(jsonText(tokens - s.tokensBefore))
}

func float(v any) float64 {
	n, _ := v.(json.Number)
	f, _ := n.Float64()
	return f
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers are JSON
	}
	return string(text)
}

// lines are the records as lines of a log.
func lines(t *testing.T, records []audit.Record) []byte {
	var all []byte
	for _, r := range records {
		line, err := hooks.EncodeJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, line...), '\n')
	}
	return all
}

// TestFixtureLog holds the log that the pages are tested and shown with to what it is for.
func TestFixtureLog(t *testing.T) {
	if *update {
		writeFixture(t)
	}
	var all []audit.Entry
	broken, err := audit.Read(logFolder(t), audit.Filter{}, func(e audit.Entry) bool {
		all = append(all, e)
		return true
	})
	if err != nil || broken != 0 {
		t.Fatalf("%d broken lines, %v", broken, err)
	}
	if n := len(all); n < 330 || n > 450 {
		t.Errorf("%d records, want some 350", n)
	}
	has := map[string]int{}
	redactor := redact.New(nil)
	for i, e := range all {
		if i > 0 && e.Time.Before(all[i-1].Time) {
			t.Errorf("record %d is older than the one before", i+1)
		}
		if again, err := e.Kept(redactor); err != nil || jsonText(again) != jsonText(e.Record) {
			t.Errorf("record %d isn't as luahook would have written it: %v", i+1, err)
		}
		if _, found := redactor.Text(string(e.Line)); found > 0 {
			t.Errorf("record %d has a secret in it", i+1)
		}
		if bytes.Contains(e.Line, []byte("luahook-ui-fixture")) {
			t.Errorf("record %d tells of the folder that it was made in: %s", i+1, e.Line)
		}
		for _, fact := range facts(&e.Record) {
			has[fact]++
		}
	}
	for _, fact := range []string{
		"day 2026-05-04", "day 2026-05-05", "day 2026-05-06", "host claude", "host codex", "host gemini", "host ",
		"kind decision", "kind note", "kind run", "decision deny", "decision ask", "modified", "halt", "cost", "judging", "failed script", "failed limit/instructions",
		"event session_start", "event session_end", "event pre_prompt", "event post_model_call", "event pre_tool_call", "event post_tool_call", "event subagent_start", "event subagent_stop", "event pre_compact", "event stop", "event on_error",
		"queued", "handler command", "status completed", "status blocked", "entry context", "entry feedback", "entry stop",
	} {
		if has[fact] == 0 {
			t.Errorf("no record with: %s", fact)
		}
	}
	if n := has["hook deploy-eu"]; n > 0 {
		t.Errorf("deploy-eu is the hook that never runs, and has run %d times", n)
	}
	if t.Failed() {
		names := make([]string, 0, len(has))
		for fact, n := range has {
			names = append(names, fact+" × "+jsonText(n))
		}
		slices.Sort(names)
		t.Log(strings.Join(names, "\n"))
	}
}

// facts are what a record shows an example of.
func facts(r *audit.Record) []string {
	list := []string{"day " + r.Time.Format(time.DateOnly), "host " + r.Host, "kind " + string(r.Kind), "event " + string(r.Event), "session " + r.Session, "decision " + r.Decision}
	for name, is := range map[string]bool{"modified": r.Modified, "halt": r.Halt, "cost": r.Data["cost"] != nil, "warning": len(r.Warnings) > 0} {
		if is {
			list = append(list, name)
		}
	}
	for _, run := range r.Runs {
		list = append(list, "hook "+run.Hook, "status "+run.Status, "handler "+run.Handler)
		if run.Judging {
			list = append(list, "judging")
		}
		if run.Status == "queued" {
			list = append(list, "queued")
		}
		if run.Error != nil {
			list = append(list, "failed "+strings.TrimSuffix(run.Error.Kind+"/"+run.Error.Limit, "/"))
		}
		for _, e := range run.Entries {
			list = append(list, "entry "+string(e.Kind))
		}
	}
	return list
}

// logFolder is a copy of the log with the rights that luahook wants.
func logFolder(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(fixtureLog + "/*.jsonl")
	if err != nil || len(files) != 2 {
		t.Fatalf("the log consists of %d files, want 2 (%v); -update writes them", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writeFixture plays the sessions and writes the log that comes of it.
func writeFixture(t *testing.T) {
	s := openStage(t)
	steps := played()
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	for _, at := range steps {
		s.play(at)
	}
	if t.Failed() {
		return
	}
	slices.SortStableFunc(s.kept, func(a, b audit.Record) int { return cmp.Compare(a.Time.UnixMilli(), b.Time.UnixMilli()) })
	for i := range s.kept {
		kept, err := s.kept[i].Kept(redact.New(nil))
		if err != nil {
			t.Fatal(err)
		}
		kept.Time = kept.Time.UTC().Truncate(time.Millisecond)
		s.kept[i] = kept
	}
	later := slices.IndexFunc(s.kept, func(r audit.Record) bool { return r.Time.Format(time.DateOnly) > "2026-05-04" })
	if err := os.MkdirAll(fixtureLog, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, records := range map[string][]audit.Record{rotatedFile: s.kept[:later], "decisions.jsonl": s.kept[later:]} {
		if err := os.WriteFile(filepath.Join(fixtureLog, name), lines(t, records), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
