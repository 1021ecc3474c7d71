package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// fileTrusted pins a project as it is; root is its real path.
func fileTrusted(t testing.TB, store, root string) {
	t.Helper()
	s, err := engine.SurveyProject(engine.Project{Root: root}, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Trust(false); err != nil {
		t.Fatal(err)
	}
}

// realTree is tree, by its real path, with a place for what is trusted.
func realTree(t testing.TB, files string) (root, store string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(tree(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return root, filepath.Join(t.TempDir(), "trust.json")
}

// lostBy is how every message tells that trust was lost by a difference.
func lostBy(difference string) string {
	return "trust was lost: " + difference + ` since the project was trusted; the user alone can look at what it holds now and trust it again, with "luahook trust"`
}

// Whoever meets with lost trust is told so, by which file, and how it is given again.
func TestLostTrustIsToldWhereItMatters(t *testing.T) {
	root, store := realTree(t, `
-- .hooks/hooks.yaml --
hooks:
  grant: {fs.read: true, env: [CI], exec: [make], http: [example.com]}
  pre_tool_call:
    - {name: cmd, command: "sh .hooks/check.sh", match: cmd, on_failure: block}
    - {name: git, script: tools/git.lua, match: git, grant: {git: true}}
-- .hooks/check.sh --
exit 0
-- tools/git.lua --
on("pre_tool_call", function() return git.branch() end)
-- .hooks/a.lua --
on("pre_tool_call", {match="allow"}, function() return allow("fine") end)
on("pre_tool_call", {match="fs"}, function() return context(fs.read("x") or "") end)
on("pre_tool_call", {match="env"}, function() return context(env.get("CI") or "") end)
on("pre_tool_call", {match="exec"}, function() return exec.run("make") end)
on("pre_tool_call", {match="http"}, function() return http.get("https://example.com/") end)
on("pre_tool_call", {match="write"}, function() return fs.write("x", "y") end)
on("pre_tool_call", {match="shared"}, function() return store.shared("x").get("y") end)
-- .hooks/lib/x.lua --
return 1
`)
	fire := func(tool string) (*hooks.Result, string) {
		e := newEngine(t, engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}))
		equal(t, "problems", problems(e), "")
		r := fire(t, e, &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: tool}})
		return r, r.Reason + "\n" + strings.Join(r.Warnings, "\n")
	}
	_, text := fire("fs")
	contains(t, text, `fs.read: not granted, though hooks.yaml grants it: the project isn't trusted; the user alone can look at it and trust it, with "luahook trust"`)
	fileTrusted(t, store, root)
	if r, text := fire("allow"); r.Decision != hooks.Allow || strings.TrimSpace(text) != "fine" {
		t.Errorf("trusted: %s", text)
	}
	write(t, root, "-- .hooks/lib/x.lua --\nreturn 2\n")
	because := lostBy(".hooks/lib/x.lua has changed")
	for tool, want := range map[string]string{
		"allow":  "its allow was dropped: " + because,
		"fs":     "fs.read: not granted, though hooks.yaml grants it: " + because,
		"env":    "env.get: not granted, though hooks.yaml grants it: " + because,
		"exec":   "exec.run: not granted, though hooks.yaml grants it: " + because,
		"http":   "http.get: not granted, though hooks.yaml grants it: " + because,
		"git":    "git.branch: not granted, though hooks.yaml grants it: " + because,
		"write":  `fs.write: not granted; give this script "grant: {fs.write: true}"`,
		"cmd":    "hook cmd failed at .hooks/hooks.yaml:5: " + because + ". It is a guard (on_failure: block), so nothing goes on without it.",
		"none":   because,
		"shared": because,
	} {
		r, text := fire(tool)
		contains(t, text, want)
		contains(t, strings.Join(r.Warnings, "\n"), because)
	}
}

// Each part of an answer, by a project that is trusted and by one that isn't.
func TestAnswersOfAnUntrustedProject(t *testing.T) {
	call, after := bash("ls"), &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Output: "old"}}
	tests := []struct {
		answer  string
		event   *hooks.Context
		trusted string
		less    string // what is left of it; "": all
		dropped string
	}{
		{`allow("fine")`, call, `{"decision":"allow","block":false,"reason":"fine"}`, `{"decision":"","block":false}`, "allow"},
		{`modify{command="x"}`, call, `{"decision":"","block":false,"modified":true,"input":{"command":"x"}}`, `{"decision":"","block":false}`, "rewritten input"},
		{`replace{command="x"}`, call, `{"decision":"","block":false,"modified":true,"input":{"command":"x"}}`, `{"decision":"","block":false}`, "rewritten input"},
		{`respond("done")`, call, `{"decision":"","block":false,"modified":true,"output":"done"}`, `{"decision":"","block":false}`, "output"},
		{`output("new")`, after, `{"decision":"","block":false,"modified":true,"output":"new"}`, `{"decision":"","block":false}`, "output"},
		{`halt("over")`, call, `{"decision":"deny","block":true,"reason":"over","halt":true,"stop_reason":"over"}`, `{"decision":"deny","block":true,"reason":"over"}`, "halt"},
		{`{suppress_output=true}`, call, `{"decision":"","block":false,"suppress_output":true}`, `{"decision":"","block":false}`, "suppress_output"},
		{`allow("fine"), context("x")`, call, `{"decision":"allow","block":false,"reason":"fine","new_context":"x","contexts":[{"hook":"a","text":"x"}]}`,
			`{"decision":"","block":false,"new_context":"x","contexts":[{"hook":"a","text":"x"}]}`, "allow"},
		{`ask("sure?"), modify{command="x"}`, call, `{"decision":"ask","block":false,"reason":"sure?","modified":true,"input":{"command":"x"}}`, `{"decision":"ask","block":false,"reason":"sure?"}`, "rewritten input"},
		{`deny("no")`, call, `{"decision":"deny","block":true,"reason":"no"}`, "", ""},
		{`ask("sure?")`, call, `{"decision":"ask","block":false,"reason":"sure?"}`, "", ""},
		{`context("x"), message("m"), {data={k=1}}`, call, `{"decision":"","block":false,"new_context":"x","contexts":[{"hook":"a","text":"x"}],"system_message":"m","data":{"k":1}}`, "", ""},
	}
	for _, tt := range tests {
		for _, isTrusted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s on %s, trusted=%t", tt.answer, tt.event.Event, isTrusted), func(t *testing.T) {
				root := tree(t, "-- .hooks/a.lua --\non('"+string(tt.event.Event)+"', function(ev) if not ev.judging then return "+tt.answer+" end end)\n")
				options := []engine.Option{engine.WithProject(engine.Project{Root: root})}
				want, dropped := tt.trusted, ""
				if isTrusted {
					options = append(options, trusted(t, root))
				} else if tt.less != "" {
					want, dropped = tt.less, "its "+tt.dropped+" was dropped: the project isn't trusted"
				}
				r := *fire(t, newEngine(t, options...), tt.event)
				var entries []string
				for _, e := range r.Summary().Runs[0].Entries {
					if e.Kind == hooks.EntryWarning {
						entries = append(entries, e.Text)
					}
				}
				equal(t, "warnings of the run", strings.Join(entries, "\n"), dropped)
				if dropped != "" {
					dropped = "hook a (.hooks/a.lua:1): " + dropped
				}
				equal(t, "warnings", strings.Join(r.Warnings, "\n"), dropped)
				r.Warnings = nil
				r.Summarizer = nil
				equal(t, "result", strings.Replace(asJSON(t, r), `,"summary":null`, "", 1), want)
			})
		}
	}
}

// What a built-in of such a project tells of its rewrite isn't said where that was dropped.
func TestDroppedRewriteOfABuiltin(t *testing.T) {
	root := tree(t, "-- .hooks/hooks.yaml --\nhooks:\n  message_sending: [{builtin: secret-redactor}]\n  post_tool_call: [{builtin: secret-redactor}]\n")
	with := func(options ...engine.Option) *engine.Engine {
		e, err := engine.New(append(options, engine.WithProject(engine.Project{Root: root}))...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close(context.Background()) })
		return e
	}
	const secret = "token ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	for _, event := range []*hooks.Context{
		{Event: hooks.MessageSending, Fields: map[string]any{"message": secret}},
		{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Output: secret}},
	} {
		r := fire(t, with(trusted(t, root)), event)
		if !r.Modified || r.SystemMessage == "" || r.Data["redacted"] == nil {
			t.Fatalf("%s, trusted: %+v", event.Event, r)
		}
		r = fire(t, with(), event)
		if r.Modified || r.SystemMessage != "" || r.Data["redacted"] != nil {
			t.Errorf("%s: the secret is still there, and this is said: %q %v", event.Event, r.SystemMessage, r.Data)
		}
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "was dropped: the project isn't trusted") {
			t.Errorf("%s: warnings %q", event.Event, r.Warnings)
		}
	}
}

// A script that was trusted and has changed says no more than one that never was; the
// others beside it keep their word.
func TestAnswersOfAChangedScript(t *testing.T) {
	const script = "on('pre_tool_call', {name='NAME'}, function() return context('NAME'), {suppress_output=true} end)\n"
	root, store := realTree(t, "-- .hooks/a.lua --\n"+strings.ReplaceAll(script, "NAME", "a")+"-- .hooks/b.lua --\n"+strings.ReplaceAll(script, "NAME", "b"))
	fileTrusted(t, store, root)
	options := []engine.Option{engine.WithTrust(store), engine.WithProject(engine.Project{Root: root})}
	equal(t, "as trusted", len(fire(t, newEngine(t, options...), bash("ls")).Warnings), 0)
	write(t, root, "-- .hooks/b.lua --\n"+strings.ReplaceAll(script, "NAME", "b")+"\n")
	r := fire(t, newEngine(t, options...), bash("ls"))
	equal(t, "runs", runs(r), "a b")
	equal(t, "of the one that has not changed", r.SuppressOutput, true)
	if d := cmp.Diff([]string{lostBy(".hooks/b.lua has changed"), "hook b (.hooks/b.lua:1): its suppress_output was dropped: " + lostBy(".hooks/b.lua has changed")}, r.Warnings); d != "" {
		t.Error(d)
	}
}

// A command hook of a project by what was trusted: one that never was is skipped, whatever
// its mode and policy; one that has changed fails by its policy.
func TestCommandHooksOfAProject(t *testing.T) {
	again := lostBy(".hooks/data was added")
	const untold = `this project isn't trusted, so its command hooks (1) don't run: see what they do with "luahook trust"`
	const skipped = "skipped: the project isn't trusted"
	changed := again
	tests := []struct {
		name, entry string // keys of the entry beside its command
		standing    string // never, trusted, changed
		status      hooks.Status
		told        string // message of the run's error
		blocks      bool
		warning     string
	}{
		{"never", "", "never", hooks.StatusSkipped, skipped, false, untold},
		{"never, on_failure: block", ", on_failure: block", "never", hooks.StatusSkipped, skipped, false, untold},
		{"never, parallel", ", mode: parallel", "never", hooks.StatusSkipped, skipped, false, untold},
		{"never, async", ", mode: async", "never", hooks.StatusSkipped, skipped, false, untold},
		{"trusted", "", "trusted", hooks.StatusCompleted, "", false, ""},
		{"trusted, async", ", mode: async", "trusted", hooks.StatusQueued, "", false, ""},
		{"changed", "", "changed", hooks.StatusFailed, changed, true, again},
		{"changed, parallel", ", mode: parallel", "changed", hooks.StatusFailed, changed, true, again},
		{"changed, on_failure: warn", ", on_failure: warn", "changed", hooks.StatusFailed, changed, false, again + "\nhook cmd (.hooks/hooks.yaml:1): " + changed},
		{"changed, on_failure: ignore", ", on_failure: ignore", "changed", hooks.StatusFailed, changed, false, again},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, store := realTree(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{name: cmd, command: 'echo x > marker'"+tt.entry+"}, {command: exit, enabled: false}]}\n")
			if tt.standing != "never" {
				fileTrusted(t, store, root)
			}
			if tt.standing == "changed" {
				write(t, root, "-- .hooks/data --\n")
			}
			watch := &watcher{}
			e, err := engine.New(engine.WithoutBuiltins(), engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}), engine.WithObserver(watch))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "problems", problems(e), "")
			r := fire(t, e, bash("ls"))
			if err := e.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			equal(t, "runs", runs(r), "cmd")
			run := r.Summary().Runs[0]
			equal(t, "status", run.Status, tt.status)
			if tt.told == "" && run.Error != nil || tt.told != "" && (run.Error == nil || run.Error.Kind != hooks.KindTrust || run.Error.Message != tt.told) {
				t.Errorf("error: %s", asJSON(t, run))
			}
			equal(t, "blocked", r.Block, tt.blocks)
			if tt.blocks {
				contains(t, r.Reason, "hook cmd failed at .hooks/hooks.yaml:1: "+tt.told, "on_failure: block")
			} else {
				equal(t, "decision", r.Decision, hooks.NoOpinion)
			}
			equal(t, "warnings", strings.Join(r.Warnings, "\n"), tt.warning)
			_, err = os.Stat(filepath.Join(root, "marker"))
			equal(t, "it ran", err == nil, tt.standing == "trusted")
			if tt.status == hooks.StatusSkipped {
				equal(t, "the entry", asJSON(t, run.Entries), asJSON(t, []hooks.Entry{{Kind: hooks.EntryWarning, Text: skipped}}))
			}
			failures := map[hooks.ErrorKind]uint64{}
			if tt.standing == "changed" {
				failures[hooks.KindTrust] = 1
			}
			if d := cmp.Diff(failures, e.Counters().Failures); d != "" {
				t.Error(d)
			}
		})
	}
}

// What a command runs is looked at right before each run, without a reload.
func TestCommandThatChangesWhileTheEngineLives(t *testing.T) {
	root, store := realTree(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{name: cmd, command: sh tools/check.sh, inject_output: true}]}\n-- tools/check.sh --\necho as trusted\n")
	fileTrusted(t, store, root)
	e := newEngine(t, engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}))
	equal(t, "context", fire(t, e, bash("ls")).NewContext, "as trusted")
	write(t, root, "-- tools/check.sh --\necho something else\n")
	r := fire(t, e, bash("ls"))
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindTrust)
	contains(t, r.Reason, "tools/check.sh, which it names, has changed since the project was trusted")
	write(t, root, "-- tools/check.sh --\necho as trusted\n")
	equal(t, "as it was", fire(t, e, bash("ls")).NewContext, "as trusted")
}

// Pins that can't be read trust nothing, and every result says so.
func TestPinsThatCantBeRead(t *testing.T) {
	root, store := realTree(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{name: cmd, command: 'echo x > marker'}]}\n")
	pin(t, store, root)
	write(t, filepath.Dir(store), "-- trust.json --\n{\n")
	r := fire(t, newEngine(t, engine.WithTrust(store), engine.WithProject(engine.Project{Root: root})), bash("ls"))
	equal(t, "status", r.Summary().Runs[0].Status, hooks.StatusSkipped)
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	contains(t, strings.Join(r.Warnings, "\n"), "nothing of this project is trusted: ", "command hooks (1) don't run")
}
