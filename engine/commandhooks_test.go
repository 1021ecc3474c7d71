package engine_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// commands is a trusted project whose pre_tool_call has these entries.
func commands(t *testing.T, entries, files string, options ...engine.Option) (e *engine.Engine, root string) {
	t.Helper()
	e, root = project(t, "-- .hooks/hooks.yaml --\nhooks:\n  pre_tool_call: ["+entries+"]\n"+files, options...)
	equal(t, "problems", problems(e), "")
	return e, root
}

// What the engine does with what a command says.
func TestCommandHooksAnswer(t *testing.T) {
	tests := []struct{ name, entry, want, log string }{
		{"text is logged", `command: echo hello`, `{"decision":"","block":false}`, "msg=hello hook=echo source=.hooks/hooks.yaml:2"},
		{"text is context", `command: echo hello, inject_output: true`, `{"decision":"","block":false,"new_context":"hello","contexts":[{"hook":"echo","text":"hello"}]}`, ""},
		{"JSON", `command: 'echo "{\"decision\": \"ask\", \"reason\": \"sure?\"}"'`, `{"decision":"ask","block":false,"reason":"sure?"}`, ""},
		{"exit status 2", `command: 'echo no >&2; exit 2'`, `{"decision":"deny","block":true,"reason":"no"}`, ""},
		{"the project's root, and how deep it is", `command: 'echo $(basename "$PWD") $(basename "$LUAHOOK_PROJECT_DIR") $LUAHOOK_DEPTH', inject_output: true`,
			`{"decision":"","block":false,"new_context":"ROOT ROOT 1","contexts":[{"hook":"echo","text":"ROOT ROOT 1"}]}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			e, root := commands(t, "{"+tt.entry+"}", "", engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			r := *fire(t, e, bash("ls"))
			run := r.Summary().Runs[0]
			if run.Command == nil || run.Handler != hooks.HandlerCommand {
				t.Errorf("run: %s", asJSON(t, run))
			}
			r.Summarizer = nil
			equal(t, "result", strings.Replace(asJSON(t, r), `,"summary":null`, "", 1), strings.ReplaceAll(tt.want, "ROOT", filepath.Base(root)))
			contains(t, log.String(), tt.log)
			if tt.log == "" && strings.Contains(log.String(), "hello") {
				t.Errorf("log: %s", log.String())
			}
		})
	}
}

// The run tells what the command wrote and how it ended.
func TestCommandHooksAreRecorded(t *testing.T) {
	e, _ := commands(t, `{name: fails, on_failure: warn, command: 'echo out; echo err >&2; exit 3'}`, "")
	r := fire(t, e, bash("ls"))
	run := r.Summary().Runs[0]
	equal(t, "run", fmt.Sprintf("%s %+v", run.Status, *run.Command), "failed {Stdout:out\n Stderr:err\n ExitCode:3 TimedOut:false}")
	equal(t, "error", fmt.Sprint(run.Error.Kind, " ", run.Error.Message), "command exit status 3; its stderr ends with: err")
	equal(t, "warnings", strings.Join(r.Warnings, "\n"), "hook fails (.hooks/hooks.yaml:2): exit status 3; its stderr ends with: err")

	e, _ = commands(t, `{name: says, command: 'echo "{\"block\": false, \"reason\": \"not mine\"}"'}`, "")
	contains(t, asJSON(t, fire(t, e, bash("ls")).Summary().Runs[0].Entries), `{"kind":"feedback","text":"not mine"}`)
}

// A command judges what a later hook has rewritten, as every guard does.
func TestCommandHooksJudge(t *testing.T) {
	e, _ := commands(t, `{name: guard, match: {command: "evil*"}, priority: 9, command: 'echo "no $TOOL_COMMAND" >&2; exit 2'}`,
		"-- .hooks/a.lua --\non('pre_tool_call', {name='rewrites'}, function(ev) if not ev.judging then return modify{command='evil ls'} end end)\n")
	r := fire(t, e, bash("ls"))
	equal(t, "runs", modes(r), "rewrites/sync=completed guard/sync=blocked*")
	equal(t, "reason", r.Reason, "no evil ls")
}

// A command's time is its own, not that of scripts, and what is left of the event's.
func TestTimeOfCommandHooks(t *testing.T) {
	tests := []struct {
		name, entry string
		option      engine.Option
		failed      bool
		event       bool // by limits.event
	}{
		{"scripts have less", "{command: sleep 0.2}", engine.WithLimits(engine.Limits{Timeout: time.Millisecond}), false, false},
		{"its own", "{command: sleep 20, timeout: 100ms}", engine.WithEventTimeout(time.Hour), true, false},
		{"the event's", "{command: sleep 20}", engine.WithEventTimeout(100 * time.Millisecond), true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := commands(t, tt.entry, "", tt.option)
			run := fire(t, e, bash("ls")).Summary().Runs[0]
			equal(t, "failed", run.Status == hooks.StatusFailed, tt.failed)
			if !tt.failed {
				return
			}
			if run.Error.Limit != hooks.LimitTime || strings.Contains(run.Error.Message, "(limits.event)") != tt.event {
				t.Errorf("run: %s", asJSON(t, run))
			}
		})
	}
}

// What a command hook is called that has no name.
func TestNamesOfCommandHooks(t *testing.T) {
	const files = "-- tools/check.sh --\n-- .hooks/two.sh --\n"
	e, root := project(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{command: sh tools/check.sh x}, {command: '\"tools/check.sh\" x'}, {script: .hooks/two.sh}, {command: tools/check.sh, args: [a]}]}\n"+files)
	for _, name := range []string{"tools/check.sh", ".hooks/two.sh"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "runs", problems(e)+runs(fire(t, e, bash("ls"))), "check.sh check.sh two.sh check.sh")
}

// Where a program is looked for that a relative path names.
func TestPlacesOfCommands(t *testing.T) {
	const yaml = "hooks: {pre_tool_call: [{command: bin/check.sh, inject_output: true}]}\n"
	const args = "hooks: {pre_tool_call: [{command: bin/check.sh, args: [], inject_output: true}]}\n"
	script := func(text string) string { return "#!/bin/sh\necho " + text + "\n" }
	tests := []struct {
		name, files string
		user        bool
		want, fault string
	}{
		{"beside the user's file", "-- a'b c/hooks.yaml --\n" + yaml + "-- a'b c/bin/check.sh --\n" + script("beside"), true, "beside", ""},
		{"with arguments", "-- a'b c/hooks.yaml --\n" + args + "-- a'b c/bin/check.sh --\n" + script("beside"), true, "beside", ""},
		{"the user's is not the project's", "-- a'b c/hooks.yaml --\n" + yaml + "-- bin/check.sh --\n" + script("project"), true, "", "there is no bin/check.sh beside this file; name it by an absolute path"},
		{"beside a named folder's file", "-- a'b c/hooks.yaml --\n" + yaml + "-- a'b c/bin/check.sh --\n" + script("beside") + "-- bin/check.sh --\n" + script("root"), false, "beside", ""},
		{"then at the root", "-- a'b c/hooks.yaml --\n" + yaml + "-- bin/check.sh --\n" + script("root"), false, "root", ""},
		{"a plain name is one of $PATH", "-- a'b c/hooks.yaml --\nhooks: {pre_tool_call: [{command: echo, args: [path], inject_output: true}]}\n-- a'b c/echo --\n" + script("beside"), true, "path", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := tree(t, tt.files)
			for _, name := range []string{"bin/check.sh", "a'b c/bin/check.sh", "a'b c/echo"} {
				if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			options := []engine.Option{engine.WithHooksDir(filepath.Join(root, "a'b c"), root)}
			if tt.user { // whose folder isn't the project's to bring along
				user := filepath.Join(t.TempDir(), "a'b c")
				if err := os.Rename(filepath.Join(root, "a'b c"), user); err != nil {
					t.Fatal(err)
				}
				options = []engine.Option{engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root})}
			}
			e := newEngine(t, options...)
			if tt.fault != "" {
				contains(t, problems(e), tt.fault)
				equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
				return
			}
			equal(t, "context", problems(e)+fire(t, e, bash("ls")).NewContext, tt.want)
		})
	}
}

// In the child of a hook commands don't run, and every result says so.
func TestCommandHooksInTheChildOfAHook(t *testing.T) {
	t.Setenv("LUAHOOK_DEPTH", "2")
	e, root := commands(t, "{name: cmd, command: 'echo x > marker'}, {command: exit, enabled: false}", "")
	r := fire(t, e, bash("ls"))
	equal(t, "runs", modes(r), "cmd/sync=skipped")
	run := r.Summary().Runs[0]
	if run.Error != nil {
		t.Errorf("it is an error: %s", asJSON(t, run))
	}
	equal(t, "the entry", run.Entries[0].Text, "skipped: this process was started by a hook (LUAHOOK_DEPTH=2), where command and async hooks don't run")
	equal(t, "warnings", strings.Join(r.Warnings, "\n"), "a hook has started this process (LUAHOOK_DEPTH=2), so its command hooks (1) don't run")
	if _, err := os.Stat(filepath.Join(root, "marker")); err == nil {
		t.Error("it ran")
	}
	equal(t, "another event", len(fire(t, e, &hooks.Context{Event: hooks.Stop}).Warnings), 1)
	equal(t, "without commands", len(fire(t, lua(t, "on('stop', function() end)"), &hooks.Context{Event: hooks.Stop}).Warnings), 0)

	root = tree(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{command: exit}]}\n")
	r = fire(t, newEngine(t, engine.WithProject(engine.Project{Root: root})), bash("ls"))
	equal(t, "one that would not run anyway", strings.Count(strings.Join(r.Warnings, "\n"), "don't run"), 1)
}
