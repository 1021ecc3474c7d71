package luahook_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const comingFrom = "docs/coming-from.md"

// section returns what the page has under a heading, up to the next one.
func section(t *testing.T, heading string) string {
	t.Helper()
	page, err := os.ReadFile(comingFrom)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no section %q", comingFrom, heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// block returns the section's code in a language.
func block(t *testing.T, heading, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(section(t, heading), "```"+language+"\n")
	code, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("%s: %s has no code in %s", comingFrom, heading, language)
	}
	return code
}

// The tables have all events of the other systems, and what hooks.ParseEvent makes of them.
func TestComingFromNamesEvents(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([\w-]+) \| ([a-z_]+) \|`)
	for heading, names := range map[string]string{
		"Claude Code": "PreToolUse PostToolUse PostToolUseFailure PermissionRequest UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification",
		"Codex":       "PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart SessionEnd UserPromptSubmit SubagentStart SubagentStop Stop Interrupt",
		"loom":        "pre-prompt pre-tool-call post-tool-call post-response on-error on-claim pre-close on-block",
		"PraisonAI": `on_init on_shutdown before_tool after_tool before_tool_definitions before_agent after_agent session_start session_end session_persist_failed
			before_llm after_llm model_fallback prompt_prefix_invalidated on_error on_retry before_message after_message message_received message_sending message_sent
			message_undelivered gateway_start gateway_stop before_compaction after_compaction tool_result_persist on_permission_ask on_config on_auth schedule_add
			schedule_remove schedule_trigger cli_backend_execute job_completed kanban_task_created kanban_task_claimed kanban_task_moved kanban_task_done
			kanban_task_blocked kanban_task_failed user_prompt_submit notification subagent_stop setup`,
		"OpenProse":            "on_run_start on_run_end on_session_start on_session_end on_error on_parallel_join",
		"The Go package hooks": "SessionStart PrePrompt PostResponse PreToolUse PostToolUse ContextCompact SessionEnd",
	} {
		missing := map[string]bool{}
		for _, name := range strings.Fields(names) {
			missing[name] = true
		}
		for _, cells := range row.FindAllStringSubmatch(section(t, heading), -1) {
			theirs, want := cells[1], cells[2]
			if theirs == "theirs" {
				continue
			}
			if !missing[theirs] {
				t.Errorf("%s: %s is no event of it, or stands twice", heading, theirs)
			}
			delete(missing, theirs)
			switch got, err := hooks.ParseEvent(theirs); {
			case want == "none" && err == nil:
				t.Errorf("%s: %s is said to have no event here, and is %s", heading, theirs, got)
			case want == "none":
				if _, err := hooks.ParseEvent("praisonai." + theirs); err != nil {
					t.Errorf("%s: %s can't have a name of its own: %v", heading, theirs, err)
				}
			case err != nil || string(got) != want:
				t.Errorf("%s: %s is said to be %s, and is %s, %v", heading, theirs, want, got, err)
			}
		}
		for name := range missing {
			t.Errorf("%s: %s is missing", heading, name)
		}
	}
}

// The Lua examples that judge no command lines.
func TestComingFromExamples(t *testing.T) {
	write := func(tool, path string) hooks.Context {
		return hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: tool, Input: map[string]any{"file_path": path}}}
	}
	for _, c := range []struct {
		heading string
		event   hooks.Context
		want    hooks.Result
	}{
		{"Codex", hooks.Context{Event: hooks.Stop}, hooks.Result{Decision: hooks.Deny, Reason: "run the tests before you stop"}},
		{"Codex", hooks.Context{Event: hooks.Stop, LoopCount: 1}, hooks.Result{}},
		{"PraisonAI", write("write_file", "shop/.env"), hooks.Result{Decision: hooks.Deny, Reason: "agents don't write .env files"}},
		{"PraisonAI", write("Edit", "prod.env"), hooks.Result{Decision: hooks.Deny, Reason: "agents don't write .env files"}},
		{"PraisonAI", write("Write", "shop/env.go"), hooks.Result{}},
		{"PraisonAI", write("Read", "shop/.env"), hooks.Result{}},
		{"OpenProse", hooks.Context{Event: hooks.SessionStart, Prompt: "review it", AgentName: "critic"}, hooks.Result{SystemMessage: "critic starts: review it"}},
		{"OpenProse", hooks.Context{Event: hooks.SessionStart, AgentName: "critic"}, hooks.Result{SystemMessage: "critic starts: no prompt"}},
		{"OpenProse", hooks.Context{Event: hooks.SessionStart}, hooks.Result{}},
		{"The Go package hooks", hooks.Context{Event: hooks.PreCompact}, hooks.Result{NewContext: "keep the list of open questions"}},
	} {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("example.lua", block(t, c.heading, "lua")))
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Fire(context.Background(), &c.event)
		if err != nil {
			t.Fatal(err)
		}
		if r.Decision != c.want.Decision || r.Reason != c.want.Reason || r.SystemMessage != c.want.SystemMessage || r.NewContext != c.want.NewContext {
			t.Errorf("%s, %s: %+v", c.heading, c.event.Event, r)
		}
		for _, run := range r.Summary().Runs {
			if run.Error != nil {
				t.Errorf("%s: %+v", c.heading, run.Error)
			}
		}
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// need skips a test that runs others' scripts where a program for it is missing.
func need(t *testing.T, programs ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for Unix")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
}

// theirs runs a script of the page as its own system would: with JSON on standard input.
func theirs(t *testing.T, script, input string) (stdout string, status int) {
	t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The scripts of the others do what the page says of them.
func TestComingFromTheirScripts(t *testing.T) {
	need(t, "bash", "jq")
	for command, want := range map[string]int{
		"git push --force": 2, "git push origin main": 0,
		"git push -f origin main": 0, "cd shop && git push origin +main": 0, // the holes
		`git commit -m "never git push --force"`: 2, // the false alarm
	} {
		input, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": command}})
		if err != nil {
			t.Fatal(err)
		}
		if _, status := theirs(t, block(t, "Claude Code", "bash"), string(input)); status != want {
			t.Errorf("%s: exit status %d, want %d", command, status, want)
		}
	}
	for input, want := range map[string]string{
		`{"hook_event_name":"Stop","stop_hook_active":false}`: `{"decision": "block", "reason": "run the tests before you stop"}` + "\n",
		`{"hook_event_name":"Stop","stop_hook_active":true}`:  "",
	} {
		if out, status := theirs(t, block(t, "Codex", "bash"), input); out != want || status != 0 {
			t.Errorf("%s: %q, %d", input, out, status)
		}
	}
}

// A project of loom's works here: its hooks.yaml, its script and its built-ins.
func TestComingFromLoomAsItIs(t *testing.T) {
	need(t, "bash", "jq")
	root := t.TempDir()
	for name, text := range map[string]string{".hooks/hooks.yaml": block(t, "loom", "yaml"), "hooks/validate.sh": block(t, "loom", "bash")} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"safety-guard", "context-injector", "output-truncator", "followup-creator", "error-logger", "test-verifier"} {
		if !slices.Contains(builtins.Names(), name) {
			t.Errorf("there is no built-in %s", name)
		}
	}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	if list := e.LoadErrors(); len(list) > 0 {
		t.Fatal(list)
	}
	for command, want := range map[string]hooks.Decision{"psql -h production.example.com": hooks.Deny, "psql -h staging.example.com": hooks.NoOpinion} {
		r, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.PreToolCall, CWD: root, ToolCall: &hooks.ToolCall{Name: "bash", Command: command}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Decision != want || len(r.Summary().Runs) != 1 || r.Summary().Runs[0].Error != nil {
			t.Errorf("%s: %s (%s) %+v", command, r.Decision, r.Reason, r.Summary().Runs)
		}
	}
}

// PraisonAI's function says what the Lua one says. The package itself isn't needed: all that it
// does here is to call the function.
func TestComingFromPraisonAI(t *testing.T) {
	need(t, "python3")
	script := `
import sys, types
hooks = types.ModuleType("praisonaiagents.hooks")
registered = []
hooks.add_hook = lambda event: registered.append
sys.modules["praisonaiagents"], sys.modules["praisonaiagents.hooks"] = types.ModuleType("praisonaiagents"), hooks
` + block(t, "PraisonAI", "python") + `
for name, path in (("write_file", "shop/.env"), ("write_file", "shop/env.go"), ("read_file", "shop/.env")):
    print(registered[0](types.SimpleNamespace(tool_name=name, tool_input={"path": path})))
`
	out, err := exec.Command("python3", "-c", script).CombinedOutput()
	if want := "agents don't write .env files\nNone\nNone\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}
