package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// journal fires events at a script's hooks, and gives their records.
func journal(t *testing.T, script string, events ...*hooks.Context) []audit.Record {
	t.Helper()
	l, err := audit.Open(t.TempDir(), audit.Options{Redactor: redact.New(nil)})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("a.lua", script), engine.WithAudit(l, engine.RecordDecisions), engine.WithStore(store.NewMemory(0)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range events {
		if _, err := e.Fire(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(e.Close(context.Background()), l.Close()); err != nil {
		t.Fatal(err)
	}
	var list []audit.Record
	if broken, err := audit.Read(l.Dir(), audit.Filter{}, func(e audit.Entry) bool { list = append(list, e.Record); return true }); err != nil || broken > 0 {
		t.Fatal(broken, err)
	}
	return list
}

// judge is that of a script's hooks.
func judge(t testing.TB, script string) *replay.Judge {
	t.Helper()
	j := &replay.Judge{Refusals: &replay.Refusals{}, Listens: map[hooks.Event]bool{}, Redactor: redact.New(nil)}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("a.lua", script), engine.WithStore(store.NewMemory(0)), engine.WithTasks(replay.NoTasks{}),
		engine.WithGrants(hooks.Grants{Exec: []string{"true"}}), engine.WithReplay(engine.Replay{Refused: j.Refusals.Add}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	for _, h := range e.Hooks() {
		j.Listens[h.Event] = true
	}
	j.Engine = e
	return j
}

func bash(command string) *hooks.Context {
	return &hooks.Context{Event: hooks.PreToolCall, SessionID: "s", ToolCall: &hooks.ToolCall{Name: "bash", Command: command}}
}

// outcome is what becomes of one record, in words.
func outcome(o replay.Outcome) string {
	if o.Left != "" {
		return strings.TrimSpace(string(o.Left) + " " + o.What)
	}
	return strings.TrimSpace(fmt.Sprint(o.Difference("").Changed))
}

func TestJudge(t *testing.T) {
	const guard = `on("pre_tool_call", { name = "guard" }, function(ev) if ev.tool_call.command:find("push") then return deny("no") end end)`
	output := bash("make")
	output.Event, output.ToolCall.Output = hooks.PostToolCall, "done"
	prompt := &hooks.Context{Event: hooks.PrePrompt, Prompt: "hello"}
	added := bash("git push")
	added.Metadata = map[string]any{"mode": "plan"}
	tests := map[string]struct {
		then, now string
		event     *hooks.Context
		want      string
	}{
		"nothing changes":            {guard, guard, bash("git push"), "[]"},
		"another decision":           {guard, `on("pre_tool_call", function() return ask("sure?") end)`, bash("git push"), "[decision]"},
		"no hook any more":           {guard, ``, bash("git push"), "[decision]"},
		"another reason":             {guard, `on("pre_tool_call", function() return deny("never") end)`, bash("git push"), "[reason]"},
		"the turn ends":              {guard, `on("pre_tool_call", function() return halt("no") end)`, bash("git push"), "[decision]"},
		"a rewrite":                  {guard, `on("pre_tool_call", function() return modify({ command = "true" }) end)`, bash("ls"), "[rewrite]"},
		"no rewrite":                 {`on("pre_tool_call", function() return modify({ command = "true" }) end)`, guard, bash("ls"), "[rewrite]"},
		"another rewrite":            {`on("pre_tool_call", function() return modify({ command = "true" }) end)`, `on("pre_tool_call", function() return modify({ command = "false" }) end)`, bash("ls"), "[rewrite]"},
		"the same rewrite":           {`on("pre_tool_call", function() return modify({ command = "x --password hunter2" }) end)`, `on("pre_tool_call", function() return modify({ command = "x --password hunter3" }) end)`, bash("ls"), "[]"},
		"a secret in the input":      {guard, guard, bash("mysql --password hunter2"), "secret input.command"},
		"a secret nobody looks at":   {guard, ``, bash("mysql --password hunter2"), "[]"},
		"a long input":               {guard, guard, bash("echo " + strings.Repeat("x", 200<<10)), "cut input.command"},
		"a long reason is no matter": {`on("pre_tool_call", function() return context(("x"):rep(9000)) end)`, guard, bash("ls"), "[]"},
		"an output":                  {``, `on("post_tool_call", function() end)`, output, "text output"},
		"an output nobody looks at":  {guard, guard, output, "[]"},
		"a prompt":                   {``, `on("pre_prompt", function() end)`, prompt, "text prompt"},
		"what the agent has added":   {guard, guard, added, "[]"},
		"a program":                  {guard, `on("pre_tool_call", function() local r = exec.run("true") return r and deny("x") end)`, bash("ls"), "effect exec.run"},
		"a program, caught":          {guard, `on("pre_tool_call", function() pcall(function() local r = exec.run("true") return r end) end)`, bash("ls"), "effect exec.run"},
		"a program nobody waits for": {guard, `on("pre_tool_call", function() exec.run("true") end)`, bash("ls"), "[]"},
		"a hook that fails":          {``, `on("pre_tool_call", { on_failure = "block" }, function() error("x") end)`, bash("ls"), "[decision]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o, err := judge(t, test.now).Judge(context.Background(), journal(t, test.then, test.event)[0])
			if got := outcome(o); err != nil || got != test.want {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// Records that another version, or nobody, has written.
func TestStrangeRecords(t *testing.T) {
	j := judge(t, `on("pre_tool_call", function() return deny("x") end)`)
	good := journal(t, ``, bash("ls"))[0]
	for want, change := range map[string]func(r *audit.Record){
		"unknown pre_dream":                   func(r *audit.Record) { r.Event = "pre_dream" },
		"unknown a record of a newer version": func(r *audit.Record) { r.V = 2 },
		"unreadable it has no context":        func(r *audit.Record) { r.Context = nil },
		"cut":                                 func(r *audit.Record) { r.Context, r.Cut = nil, true },
		"unreadable event: tool_call: want object, got string": func(r *audit.Record) { r.Context["tool_call"] = "x" },
		"[decision]": func(r *audit.Record) { // the agent's own input that looks like the log's
			r.Context["tool_call"] = map[string]any{"name": "mcp", "input": map[string]any{"x": map[string]any{"bytes": json.Number("1"), "sha256": strings.Repeat("0", 64)}}}
		},
	} {
		r := good
		r.Context = map[string]any{}
		for k, v := range good.Context {
			r.Context[k] = v
		}
		change(&r)
		if o, err := j.Judge(context.Background(), r); err != nil || outcome(o) != want {
			t.Errorf("%q, %v, want %q", outcome(o), err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := j.Judge(ctx, good); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// Every event of the catalogue, recorded whole, is replayed as it was.
func TestRealEvents(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/events/*.json")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := hooks.DecodeContext(text, "")
		if err != nil {
			t.Fatal(file, err)
		}
		decided := &hooks.Result{}
		decided.Summarizer = &hooks.RunSummary{Event: c.Event}
		r, err := audit.Decided(c, decided, true).Kept(redact.New(nil))
		if err != nil {
			t.Fatal(file, err)
		}
		got, left, what := replay.EventOf(&r)
		if left != "" {
			t.Errorf("%s: %s %s", file, left, what)
			continue
		}
		one, err1 := c.MarshalJSON()
		other, err2 := got.MarshalJSON()
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s: %v\n%s\n%s", file, err, one, other)
		}
	}
}

// Hooks that count do so in the order of the log, over its sessions.
func TestRunKeepsTheOrder(t *testing.T) {
	const count = `on("pre_tool_call", function(ev) if store.session.incr("n") > %d then return deny("enough") end end)`
	var events []*hooks.Context
	for i := range 30 {
		c := bash("ls")
		c.SessionID = fmt.Sprint(i % 3)
		events = append(events, c)
	}
	list := journal(t, fmt.Sprintf(count, 8), events...)
	list = append(list, audit.Record{V: 1, Kind: audit.KindNote, Event: hooks.PreToolCall}, audit.Record{V: 1, Kind: audit.KindDecision, Event: hooks.Stop, Project: "/else"})
	j := judge(t, fmt.Sprintf(count, 6))
	differ := []int{}
	at := 0
	s, err := replay.Run(context.Background(), func(yield func(audit.Entry) bool) (int, error) {
		for _, r := range list {
			if !yield(audit.Entry{Record: r}) {
				break
			}
		}
		return 2, nil
	}, func(r *audit.Record) (*replay.Judge, replay.Left, error) {
		if r.Project != "" {
			return nil, replay.OtherProject, nil
		}
		return j, "", nil
	}, func(o *replay.Outcome) bool {
		if o.Decision {
			differ = append(differ, at)
		}
		at++
		return true
	})
	if err != nil || s.Records != 31 || s.Compared != 30 || s.Differ.Decision != 6 || s.Broken != 2 || len(s.Left) != 1 || s.Left[0].Records != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if want := []int{18, 19, 20, 21, 22, 23}; !slices.Equal(differ, want) {
		t.Errorf("%v differ, want %v", differ, want)
	}
}

func TestMoved(t *testing.T) {
	r := audit.Record{Project: "/a/shop", CWD: "/a/shop/sub", Context: map[string]any{
		"tool_call": map[string]any{"input": map[string]any{"command": "cat /a/shop/x /a/shopping '/a/shop' /a/shop.old", "list": []any{"/a/shop", int64(1)}}},
	}}
	got := replay.Moved(r, "/a/shop", "/b")
	want := audit.Record{Project: "/b", CWD: "/b/sub", Context: map[string]any{
		"tool_call": map[string]any{"input": map[string]any{"command": "cat /b/x /a/shopping '/b' /a/shop.old", "list": []any{"/b", int64(1)}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Hooks' texts can't act on a terminal.
func TestTextsOfStrangers(t *testing.T) {
	d := replay.Difference{
		Time: time.Now(), Event: "pre_tool_call\x1b[2J", Asked: "bash: \x1b]0;x\a\n  was    allow", Changed: []string{"decision", "rewrite"},
		Was: replay.Verdict{Decision: "\x1b[31mdeny", By: "a\nb", Reason: "\u202ex", Modified: true, Input: map[string]any{"k\x1b": "\x1b"}}, Now: replay.Verdict{Modified: true, Halt: true, StopReason: "\x9b"},
	}
	text := d.Text(false)
	if strings.ContainsAny(text, "\x1b\a\u202e\u009b") || strings.Count(text, "\n") != 5 {
		t.Errorf("%q", text)
	}
	var b bytes.Buffer
	if err := terminal.WriteJSON(&b, d); err != nil || strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("%q, %v", b.String(), err)
	}
	var again replay.Difference
	if err := json.Unmarshal(b.Bytes(), &again); err != nil || again.Was.Reason != d.Was.Reason {
		t.Errorf("%+v, %v", again, err)
	}
}

// A log of ten thousand records is replayed, each of them.
func TestLargeLog(t *testing.T) {
	const guard = `on("pre_tool_call", function(ev) if shell.parse(ev.tool_call.command).commands[1].name == "git" then return deny("no") end end)`
	records := journal(t, guard, bash("git push"), bash("ls"))
	n := 10_000
	j := judge(t, strings.ReplaceAll(guard, "deny", "ask"))
	s, err := replay.Run(context.Background(), func(yield func(audit.Entry) bool) (int, error) {
		for i := range n {
			if !yield(audit.Entry{Record: records[i%2]}) {
				break
			}
		}
		return 0, nil
	}, func(*audit.Record) (*replay.Judge, replay.Left, error) { return j, "", nil }, func(*replay.Outcome) bool { return true })
	if err != nil || s.Compared != n || s.Differ.Decision != n/2 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBench(t *testing.T) {
	m := replay.NewMeter()
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithObserver(m), engine.WithStore(store.NewMemory(0)), engine.WithReplay(engine.Replay{}), engine.WithScript("a.lua", `
		on("pre_tool_call", { name = "cheap" }, function(ev) end)
		on("pre_tool_call", { name = "dear" }, function(ev) local t = {} for i = 1, 300 do t[i] = { i } end end)
		on("pre_tool_call", { name = "once", once = true }, function(ev) end)
		on("pre_tool_call", { name = "fails", on_failure = "warn" }, function(ev) error("x") end)
		on("pre_tool_call", { name = "other", match = "read" }, function(ev) end)`))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	costs, err := replay.Bench(context.Background(), e, m, e.Hooks(), []*hooks.Context{bash("ls"), bash("cat x")}, nil)
	if err != nil || len(costs) != 5 {
		t.Fatal(costs, err)
	}
	by := map[string]*replay.Cost{}
	for _, c := range costs {
		by[c.Hook] = c
	}
	for name, c := range by {
		if c.P50NS > c.P99NS || (c.Runs == 0) != (c.NotRun != "") || (c.Runs == 0) != (name == "other") {
			t.Errorf("%+v", c)
		}
	}
	if c := by["once"]; 2*c.Runs != by["cheap"].Runs {
		t.Errorf("once per session: %+v, %+v", c, by["cheap"])
	}
	if c := by["dear"]; c.Instructions < 900 || c.Allocations < 300 || c.Bytes < 300*16 {
		t.Errorf("%+v", c)
	}
	if c := by["fails"]; c.Failed != c.Runs || c.Error != "x" {
		t.Errorf("%+v", c)
	}
	if over := replay.Hold(costs, time.Nanosecond); over != 4 || by["other"].OverBudget {
		t.Errorf("%d over the least budget", over)
	}
	if over := replay.Hold(costs, time.Hour); over != 0 {
		t.Errorf("%d over the largest budget", over)
	}
	var b bytes.Buffer
	if err := replay.WriteCosts(&b, costs); err != nil || strings.Count(b.String(), "a.lua:") != 6 {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// Whatever a record holds, it is judged or left out, and its texts move without harm.
func FuzzJudge(f *testing.F) {
	for _, text := range []string{
		`{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"ls [redacted: x]"}}}`, `{"event":"stop","prompt":{"bytes":1,"sha256":"0000000000000000000000000000000000000000000000000000000000000000"}}`,
		`{"tool_call":[1,{"a":null}]}`, `{"metadata":{"a":{"bytes":1}},"x":1e99}`,
	} {
		f.Add("pre_tool_call", text)
	}
	j := judge(f, `on("pre_tool_call", { on_failure = "warn" }, function(ev) return ev.tool_call.command == "x" and deny("x") end)`)
	f.Fuzz(func(t *testing.T, event, text string) {
		r := audit.Record{V: 1, Kind: audit.KindDecision, Event: hooks.Event(event), Project: "/a"}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&r.Context) != nil {
			return
		}
		before, _ := json.Marshal(r.Context)
		o, err := j.Judge(context.Background(), replay.Moved(r, "/a", "/b"))
		if err != nil || o.Left != "" && o.Differs() {
			t.Errorf("%+v, %v", o, err)
		}
		if _, err := j.Judge(context.Background(), r); err != nil {
			t.Error(err)
		}
		if after, _ := json.Marshal(r.Context); !bytes.Equal(before, after) {
			t.Errorf("the record has changed: %s, %s", before, after)
		}
	})
}
