package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/luahook/luahook/hooks"
)

// TestEveryEventHasAGolden: all rows of all tables are held against a golden.
func TestEveryEventHasAGolden(t *testing.T) {
	for _, agent := range Agents() {
		seen := map[string]bool{}
		for _, g := range goldensOf(t, agent) {
			seen[g.call(t).Event.Name] = true
		}
		for _, e := range agent.Events {
			if !seen[e.Name] {
				t.Errorf("%s of %s has no golden", e.Name, agent.Title)
			}
		}
	}
}

// mustBeSilent fails unless no opinion is silence: it allows nothing. Cline has a word for it.
func mustBeSilent(t testing.TB, c *Call) {
	t.Helper()
	want := ""
	if c.Agent == &cline {
		want = `{"cancel":false}` + "\n"
	}
	if out := c.Encode(&hooks.Result{}); string(out.Stdout) != want || out.Stderr != "" || out.Exit != 0 || len(out.Lost) > 0 {
		t.Fatalf("%s %s: no opinion is %+v", c.Agent.Title, c.Event.Name, out)
	}
}

// mustBeInForm fails if an answer is JSON that can't be read, or one that the agent is known to refuse, or says anything
// where the agent takes it for an answer.
func mustBeInForm(t testing.TB, c *Call, out Output) {
	t.Helper()
	plain := c.Agent == &kiro || c.Agent == &copilot && out.Exit == 2
	if len(out.Stdout) > 0 && !plain && !json.Valid(out.Stdout) {
		t.Fatalf("%s %s: broken JSON: %q", c.Agent.Title, c.Event.Name, out.Stdout)
	}
	if c.Agent == &codex {
		if why := refusal(c.Event.Name, out); why != "" {
			t.Fatalf("Codex %s: %s: %q", c.Event.Name, why, out.Stdout)
		}
	}
	if c.Agent.Silent && out.Stderr != "" && out.Exit != 2 { // with that status it's a denial's reason
		t.Fatalf("%s %s: %q on standard error, which the agent takes for an answer", c.Agent.Title, c.Event.Name, out.Stderr)
	}
}

func TestNoOpinionIsSilence(t *testing.T) {
	for _, agent := range Agents() {
		for i := range agent.Events {
			mustBeSilent(t, &Call{Agent: agent, Event: &agent.Events[i], Context: &hooks.Context{Event: agent.Events[i].Event}})
		}
	}
}

// TestEveryDenialBlocks: whatever else hooks have said, a denial is one in the agent's own form, with a reason.
func TestEveryDenialBlocks(t *testing.T) {
	for _, agent := range Agents() {
		goldens := goldensOf(t, agent)
		rapid.Check(t, func(rt *rapid.T) {
			call := goldens[rapid.IntRange(0, len(goldens)-1).Draw(rt, "event")].call(t)
			r := anyResult(rt)
			out := call.Encode(r)
			mustBeInForm(t, call, out)
			ends := r.Halt && (call.Event.Event == hooks.Stop || call.Event.Event == hooks.SubagentStop || answerOf(out).Cancel)
			if r.Decision == hooks.Deny && call.Event.Can&Deny != 0 && !ends {
				if why, ok := blocks(call, out); !ok || strings.TrimSpace(why) == "" {
					rt.Fatalf("%s: %s isn't blocked: %+v is written %+v", agent.Title, call.Event.Name, r, out)
				}
			}
		})
	}
}

// TestDetect: the event of every golden is taken for that agent's, in the agent's environment. Some starts and ends of
// sessions of Codex are the same bytes as Claude Code's, and are answered alike.
func TestDetect(t *testing.T) {
	sets := map[*Agent]string{&gemini: "GEMINI_SESSION_ID", &crush: "CRUSH_EVENT"}
	for _, agent := range Agents() {
		for _, g := range goldensOf(t, agent) {
			who := Detect(g.event, func(name string) string {
				switch name {
				case sets[agent], agent.Folder:
					return "set"
				case "CLAUDE_PROJECT_DIR": // others set it as well
					if agent != &kiro {
						return "set"
					}
				}
				return ""
			})
			if who == agent {
				continue
			}
			call := g.call(t)
			if event := call.Event.Event; agent != &codex || who != &claude || event != hooks.SessionStart && event != hooks.SessionEnd {
				t.Errorf("%s %s is taken for %+v's", agent.Name, g.name, who)
				continue
			}
			other := decoded(t, who, string(g.event), g.command)
			rapid.Check(t, func(rt *rapid.T) {
				r := anyResult(rt)
				mine, theirs := call.Encode(r), other.Encode(r)
				if strings.ReplaceAll(string(mine.Stdout), agent.Title, who.Title) != string(theirs.Stdout) || mine.Exit != theirs.Exit {
					rt.Fatalf("%s: %+v is %q as %s's, %q as %s's", g.name, r, mine.Stdout, agent.Name, theirs.Stdout, who.Name)
				}
			})
		}
	}
}

// What can't be read is blocked in the agent's own way, and not by an exit status that it takes for consent.
func TestUnreadableEventsAreBlocked(t *testing.T) {
	const cursorDenies = `{"agent_message":"no","permission":"deny","user_message":"no"}`
	claudeDenies := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`
	for _, c := range []struct {
		agent       *Agent
		event, name string
		want        string
	}{
		{&claude, `{"hook_event_name":"PreToolUse"`, "PreToolUse", claudeDenies},
		{&claude, `{"hook_event_name":"PreToolUse"}`, "", claudeDenies},
		{&cursor, ``, "preToolUse", cursorDenies},
		{&cursor, `[]`, "beforeShellExecution", cursorDenies},
		{&cursor, `{"hook_event_name":"beforeShellExecution","cwd":"/w"}`, "", cursorDenies},
		{&cursor, `{"hook_event_name":"beforeShellExecution","tool_name":"Read","cwd":"/w"}`, "", cursorDenies},
		{&cursor, `{"hook_event_name":"beforeReadFile","content":"x"}`, "", `{"permission":"deny","user_message":"no"}`},
		{&cursor, `{"prompt":`, "beforeSubmitPrompt", `{"continue":false,"user_message":"no"}`},
		{&copilot, `{"sessionId":"p","toolName":"bash","toolArgs":{}}`, "", `{"permissionDecision":"deny","permissionDecisionReason":"no"}`},
		{&copilot, `{"sessionId":"p"}`, "preToolUse", `{"permissionDecision":"deny","permissionDecisionReason":"no"}`},
		{&copilot, `nonsense`, "PermissionRequest", `{"behavior":"deny","message":"no"}`},
		{&vscode, `{"hookEventName":"PreToolUse","tool_input":{}}`, "", claudeDenies},
	} {
		call, err := c.agent.Decode([]byte(c.event), c.name)
		if _, ok := errors.AsType[*hooks.InputError](err); !ok {
			t.Errorf("%s %s: %v", c.agent.Name, c.event, err)
		}
		out := call.Encode(&hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no"})
		if got := strings.TrimSpace(string(out.Stdout)); got != c.want || out.Exit != 0 {
			t.Errorf("%s %s:\n got %s, exit %d\nwant %s", c.agent.Name, c.event, got, out.Exit, c.want)
		}
	}
}

// TestUnreadableEventsAreAnswered: an answer can't look at an event that nobody could read.
func TestUnreadableEventsAreAnswered(t *testing.T) {
	for _, agent := range Agents() {
		for _, e := range agent.Events {
			call, err := agent.Decode([]byte("{"), e.Name)
			if err == nil {
				t.Fatal("broken JSON is read")
			}
			for _, decision := range []hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny} {
				call.Encode(&hooks.Result{
					Decision: decision, Input: map[string]any{"command": "x"}, Output: "x", NewContext: "x", Halt: true, SystemMessage: "x",
				})
			}
		}
	}
}

// TestUnknownEventIsDeniedByStatus: an answer in JSON must name the event, and nobody knows which name would do.
func TestUnknownEventIsDeniedByStatus(t *testing.T) {
	for _, text := range []string{
		`{"hook_event_name":"ToolOfTomorrow","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"`,
		`[]`, ``, `{"tool_name":"Bash"}`,
	} {
		for _, agent := range []*Agent{&claude, &codex, &crush, &cursor, &droid, &qwen, &vscode} {
			call, _ := agent.Decode([]byte(text), "")
			out := call.Encode(&hooks.Result{Decision: hooks.Deny, Reason: "no", NewContext: "see NOTES.md"})
			if out.Exit != 2 || out.Stderr != "no\nsee NOTES.md\n" || len(out.Stdout) > 0 {
				t.Errorf("%s: %s: %+v", agent.Title, text, out)
			}
			if out := call.Encode(&hooks.Result{}); !reflect.DeepEqual(out, silence) {
				t.Errorf("%s: %s: silence is %+v", agent.Title, text, out)
			}
		}
	}
}

// Arguments in a text that one reader takes for one thing and another for something else are refused.
func TestArgumentsThatReadTwoWaysAreRefused(t *testing.T) {
	for _, args := range []string{
		`"{\"command\":\"ls\",\"command\":\"rm -rf /\"}"`, `"{\"command\":\"rm -rf /\"}}"`, `" {\"command\":\"rm -rf /\",}"`,
	} {
		for _, c := range []struct {
			agent       *Agent
			event, name string
		}{
			{&copilot, `{"sessionId":"p","toolName":"bash","toolArgs":` + args + `}`, "preToolUse"},
			{&cursor, `{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":` + args + `}`, ""},
			{&cursor, `{"hook_event_name":"beforeMCPExecution","tool_name":"run_command","tool_input":` + args + `}`, ""},
		} {
			if call, err := c.agent.Decode([]byte(c.event), c.name); err == nil {
				t.Errorf("%s: the guards see %q", c.event, call.Context.ToolCall.Command)
			}
		}
	}
}

// Arguments that are no object don't hide a command.
func TestShellCallsWithoutAnObject(t *testing.T) {
	for input, want := range map[string]string{
		`["rm","-rf","a b"]`: "rm -rf 'a b'", `["rm -rf /"]`: "rm -rf /",
		`"rm -rf /"`: "rm -rf /", `"[\"rm\",\"-rf\",\"/\"]"`: "rm -rf /",
	} {
		c, err := gemini.Decode([]byte(`{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":`+input+`}`), "")
		if err != nil || c.Context.ToolCall.Command != want {
			t.Errorf("%s: %+v, %v", input, c.Context, err)
			continue
		}
		out := c.Encode(&hooks.Result{Input: map[string]any{"command": "true"}})
		if answerOf(out).Decision != "deny" { // it would be merged with no object
			t.Errorf("%s: a rewrite is %s", input, out.Stdout)
		}
	}
	odd := `{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":["rm",{"a":1}]}`
	if _, err := gemini.Decode([]byte(odd), ""); err == nil {
		t.Error("a list of something else is a command")
	}
}

// A failed call isn't one that went well because nothing is said about the error.
func TestFailureWithoutAMessage(t *testing.T) {
	for _, c := range []struct {
		agent       *Agent
		event, name string
	}{
		{&claude, `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"ls"},"error":""}`, ""},
		{&cursor, `{"hook_event_name":"postToolUseFailure","tool_name":"Shell","tool_input":{"command":"ls"}}`, ""},
		{&copilot, `{"sessionId":"p","toolName":"bash","toolArgs":{"command":"ls"},"error":null}`, "postToolUseFailure"},
	} {
		if call := decoded(t, c.agent, c.event, c.name); call.Context.ToolCall.Outcome != hooks.OutcomeError {
			t.Errorf("%s: %q", c.event, call.Context.ToolCall.Outcome)
		}
	}
}

// Other arguments never come with a denial: an agent that reads them first would run them.
func TestDenialCarriesNoArguments(t *testing.T) {
	event := `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"session_id":"s"}`
	input := map[string]any{"command": "true"}
	for _, agent := range []*Agent{&claude, &codex, &cursor, &copilot, &vscode} {
		for _, r := range []*hooks.Result{
			{Decision: hooks.Deny, Reason: "no", Input: input},
			{Decision: hooks.Ask, Reason: "sure?", Input: input},
			{Decision: hooks.Allow, Halt: true, StopReason: "enough", Input: input},
		} {
			out := string(decoded(t, agent, event, "").Encode(r).Stdout)
			asked := r.Decision == hooks.Ask && strings.Contains(out, `"ask"`)
			stopped := strings.Contains(out, `"continue":false`)
			if !asked && !stopped && (strings.Contains(out, "true\"") || !strings.Contains(out, "deny")) {
				t.Errorf("%s, %+v: %s", agent.Name, *r, out)
			}
		}
	}
}

// TestAskAndRewriteIsNeverARewriteAlone: where nobody can be asked, nothing runs, with other arguments neither.
func TestAskAndRewriteIsNeverARewriteAlone(t *testing.T) {
	for _, text := range []struct {
		agent       *Agent
		event, name string
	}{
		{&codex, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`, ""},
		{&crush, `{"event":"PreToolUse","tool_name":"bash","tool_input":{"command":"ls"}}`, ""},
		{&opencode, `{"input":{"tool":"bash"},"output":{"args":{"command":"ls"}}}`, "tool.execute.before"},
	} {
		call, err := text.agent.Decode([]byte(text.event), text.name)
		if err != nil {
			t.Fatal(err)
		}
		out := call.Encode(&hooks.Result{Decision: hooks.Ask, Reason: "sure?", Input: map[string]any{"command": "true"}})
		if got := string(out.Stdout); !strings.Contains(got, "sure?") || !strings.Contains(got, "deny") || strings.Contains(got, `"true"`) {
			t.Errorf("%s: %s", text.agent.Title, got)
		}
	}
}

// What an agent isn't told stands in Lost, and on standard error only where that's no answer.
func TestWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		agent  *Agent
		golden string
		result hooks.Result
		lost   string // "": nothing is
	}{
		{&gemini, "before_tool", hooks.Result{NewContext: "use make"}, "BeforeTool of Gemini CLI takes no context: use make"},
		{&gemini, "before_tool", hooks.Result{Decision: hooks.Deny, Reason: "no", NewContext: "use make"}, ""},
		{&gemini, "before_tool_selection", hooks.Result{Decision: hooks.Deny, Reason: "only talk"},
			"BeforeToolSelection of Gemini CLI takes no reason: only talk"},
		{&gemini, "before_tool_selection", hooks.Result{SystemMessage: "hm"}, "hm"},
		{&gemini, "session_start", hooks.Result{Decision: hooks.Deny, Reason: "no"}, "SessionStart of Gemini CLI can't be denied: no"},
		{&gemini, "session_end", hooks.Result{NewContext: "x"}, "SessionEnd of Gemini CLI takes no context: x"},
		{&gemini, "pre_compress", hooks.Result{Decision: hooks.Deny, Reason: "no"}, "PreCompress of Gemini CLI can't be denied: no"},
		{&gemini, "after_model", hooks.Result{NewContext: "x"}, "AfterModel of Gemini CLI takes no context: x"},
		{&qwen, "pre_tool_use", hooks.Result{NewContext: "use make"}, "PreToolUse of Qwen Code takes no context: use make"},
		{&qwen, "post_tool_use", hooks.Result{Halt: true, StopReason: "enough"}, "PostToolUse of Qwen Code can't end the turn: enough"},
		{&qwen, "post_tool_use_failure", hooks.Result{Output: "x"}, "PostToolUseFailure of Qwen Code can't replace the output of a tool"},
		{&qwen, "post_tool_use_failure", hooks.Result{Decision: hooks.Deny, Reason: "no"}, ""},
		{&qwen, "stop", hooks.Result{NewContext: "x"}, "Stop of Qwen Code takes no context: x"},
		{&qwen, "message_display", hooks.Result{SystemMessage: "hm"}, "hm"},
		{&qwen, "todo_created_written", hooks.Result{Decision: hooks.Deny, Reason: "no"}, "TodoCreated of Qwen Code can't be denied: no"},
		{&cline, "pre_tool_use", hooks.Result{SystemMessage: "watched"}, "watched"},
		{&cline, "task_start", hooks.Result{Decision: hooks.Deny, Reason: "no"}, "TaskStart of Cline can't be denied: no"},
		{&cline, "task_start_extension", hooks.Result{Decision: hooks.Deny, Reason: "no"}, ""},
		{&cline, "task_complete", hooks.Result{Decision: hooks.Deny, Reason: "go on"}, "TaskComplete of Cline can't be denied: go on"},
		{&cline, "post_tool_use", hooks.Result{Output: "x"}, "PostToolUse of Cline can't replace the output of a tool"},
	} {
		out := callOfGolden(t, c.agent, c.golden).Encode(&c.result)
		if got := strings.Join(out.Lost, "\n"); got != c.lost {
			t.Errorf("%s %s: lost %q, want %q", c.agent.Name, c.golden, got, c.lost)
		}
		if onError := out.Stderr != ""; onError != (c.lost != "" && !c.agent.Silent) {
			t.Errorf("%s %s: standard error %q", c.agent.Name, c.golden, out.Stderr)
		}
	}
}

// Texts beyond what the agent takes are shortened with a mark, and not dropped. The agents count as JavaScript does.
func TestLongTextsAreShortened(t *testing.T) {
	long := strings.Repeat("a", 5_000) + strings.Repeat("\U0001F40C", 4_000) + "the end"
	shell := `{"hook_event_name":"%s","tool_name":"Bash","tool_input":{"command":"ls"},"session_id":"s"}`
	for _, c := range []struct {
		agent *Agent
		event string
		r     hooks.Result
	}{
		{&claude, "PreToolUse", hooks.Result{Decision: hooks.Deny, Reason: long}},
		{&claude, "PreToolUse", hooks.Result{NewContext: long}},
		{&claude, "PreToolUse", hooks.Result{SystemMessage: long}},
		{&claude, "PostToolUse", hooks.Result{Halt: true, StopReason: long}},
		{&cursor, "postToolUse", hooks.Result{NewContext: long}},
		{&cursor, "postToolUse", hooks.Result{Decision: hooks.Deny, Reason: strings.Repeat("x", 9_000), NewContext: strings.Repeat("y", 9_000)}},
		{&copilot, "PostToolUse", hooks.Result{Decision: hooks.Deny, Reason: strings.Repeat("x", 9_000), NewContext: strings.Repeat("y", 9_000)}},
	} {
		var written any
		out := decoded(t, c.agent, fmt.Sprintf(shell, c.event), "").Encode(&c.r)
		if err := json.Unmarshal(out.Stdout, &written); err != nil {
			t.Fatal(err)
		}
		longest := ""
		eachText(written, func(text string) {
			if len(text) > len(longest) {
				longest = text
			}
		})
		n := len(utf16.Encode([]rune(longest)))
		if n > 10_000 || n < 9_900 || !strings.Contains(longest, "luahook has cut") || strings.ContainsRune(longest, '�') {
			t.Errorf("%s %s: %d characters, ends %q", c.agent.Name, c.event, n, longest[max(0, len(longest)-80):])
		}
	}
	if exact := strings.Repeat("é", 10_000); shorten(exact, 10_000) != exact {
		t.Error("a text that fits was cut")
	}
}

// Hooks of strangers don't get at the user's terminal, nor make a text look like another one.
func TestTextsAreVisible(t *testing.T) {
	const text = "one\r\ntwo\tsetup\x1b[2J\x1b]0;title\x07 \r\u009b1m \u202egpj.exe\u202c a\u200bb \u2066x\u2069 \U000e0061\u2028 می\u200cخواهم"
	results := []hooks.Result{
		{Decision: hooks.Deny, Reason: text}, {Decision: hooks.Ask, Reason: text}, {Decision: hooks.Allow, Reason: text}, {NewContext: text},
		{SystemMessage: text}, {Warnings: []string{text}}, {Halt: true, StopReason: text}, {Decision: hooks.Deny, Reason: "no", NewContext: text},
		{Input: map[string]any{"command": text}},
	}
	found := 0
	check := func(what, text string) {
		if strings.ContainsAny(text, "\x1b\x07\r\u009b\u202e\u202c\u200b\u2066\u2069\U000e0061\u2028") {
			t.Errorf("%s: %q", what, text)
		}
		if strings.Contains(text, "one\ntwo\tsetup\ufffd[2J") && strings.Contains(text, "می\u200cخواهم") {
			found++
		}
	}
	for _, agent := range Agents() {
		for _, g := range goldensOf(t, agent) {
			for _, r := range results {
				call := g.call(t)
				out := call.Encode(&r)
				what := agent.Name + " " + g.name
				check(what+" stderr", out.Stderr)
				var written map[string]any
				if err := json.Unmarshal(out.Stdout, &written); err != nil {
					check(what+" stdout", string(out.Stdout))
					continue
				}
				if r.Input != nil && !strings.Contains(string(out.Stdout), "\ufffd") { // the arguments themselves stay as they are
					continue
				}
				eachText(written, func(text string) { check(what+" stdout", text) })
			}
		}
	}
	if found < 300 {
		t.Errorf("the text itself was found %d times", found)
	}
}

// A key that the agent doesn't look at names no folder: the command runs where the agent stands.
func TestFoldersOfShells(t *testing.T) {
	for _, c := range []struct{ agent, event, tool, key, want string }{
		{"gemini", "BeforeTool", "run_shell_command", "workdir", ""}, {"gemini", "BeforeTool", "run_shell_command", "dir_path", "/tmp/x"},
		{"gemini", "BeforeTool", "run_shell_command", "directory", "/tmp/x"}, {"gemini", "BeforeTool", "mcp_term_run_command", "cwd", "/tmp/x"},
		{"qwen", "PreToolUse", "run_shell_command", "cwd", ""}, {"qwen", "PreToolUse", "run_shell_command", "directory", "/tmp/x"},
		{"codex", "PreToolUse", "Bash", "cwd", ""}, {"codex", "PreToolUse", "Bash", "workdir", "/tmp/x"},
		{"cursor", "preToolUse", "Shell", "workdir", ""}, {"cursor", "preToolUse", "Shell", "working_directory", "/tmp/x"},
		{"crush", "PreToolUse", "bash", "workdir", ""}, {"crush", "PreToolUse", "bash", "working_dir", "/tmp/x"},
		{"claude", "PreToolUse", "Bash", "cwd", ""}, {"claude", "PreToolUse", "PowerShell", "workdir", ""},
		{"claude", "PreToolUse", "mcp__term__run_command", "cwd", "/tmp/x"},
		{"vscode", "PreToolUse", "run_in_terminal", "cwd", ""},
		{"kiro", "PreToolUse", "execute_bash", "working_dir", "/tmp/x"}, {"droid", "PreToolUse", "Execute", "cwd", "/tmp/x"}, // nobody knows
	} {
		event := fmt.Sprintf(`{"hook_event_name":%q,"event":%q,"tool_name":%q,"tool_input":{"command":"rm -rf *",%q:"/tmp/x"},"session_id":"s","cwd":"/srv/app"}`, c.event, c.event, c.tool, c.key)
		complete, err := decoded(t, Named(c.agent), event, "").Context.Complete()
		if err != nil {
			t.Fatal(err)
		}
		if named, unclear := complete.ToolCall.Folder(); named != c.want || unclear || complete.ToolCall.Kind != hooks.KindShell {
			t.Errorf("%s %s %s: %q, want %q", c.agent, c.tool, c.key, named, c.want)
		}
	}
}

// Where an agent's events have another form.
func TestFoldersOfShellsInOtherForms(t *testing.T) {
	for _, c := range []struct{ agent, event, want string }{
		{"cline", `{"clineVersion":"","hookName":"tool_call","tool_call":{"id":"c","name":"run_commands","input":{"commands":["ls"],"cwd":"/tmp/x"}}}`, ""},
		{"windsurf", `{"agent_action_name":"pre_run_command","tool_info":{"command_line":"ls","cwd":"/tmp/x","dir":"/tmp/y"}}`, "/tmp/x"},
	} {
		complete, err := decoded(t, Named(c.agent), c.event, "").Context.Complete()
		if err != nil {
			t.Fatal(err)
		}
		if named, unclear := complete.ToolCall.Folder(); named != c.want || unclear {
			t.Errorf("%s: %q, %v, want %q", c.agent, named, unclear, c.want)
		}
	}
}

// eachText calls f with all texts in a JSON value.
func eachText(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, e := range v {
			eachText(e, f)
		}
	case map[string]any:
		for _, e := range v {
			eachText(e, f)
		}
	}
}

// An answer that can't be written is a denial, for agents that don't look at the exit status, too.
func TestAnswerThatCannotBeWrittenDenies(t *testing.T) {
	for golden, agent := range map[string]*Agent{"before_tool": &gemini, "pre_tool_use": &cline} {
		c := callOfGolden(t, agent, golden)
		input := c.Context.Input()
		input["timeout"] = math.NaN()
		out := c.Encode(&hooks.Result{Input: input})
		a := answerOf(out)
		if a.Decision != "deny" && !a.Cancel || a.Reason+a.ErrorMessage == "" || out.Exit != 0 {
			t.Errorf("%s: %q, exit %d", agent.Name, out.Stdout, out.Exit)
		}
	}
}

// A copy of an event that says more than its row in the table doesn't change the row.
func TestPrepareLeavesTheTableAlone(t *testing.T) {
	callOfGolden(t, &qwen, "user_prompt_submit_continuation")
	callOfGolden(t, &qwen, "todo_created_written")
	callOfGolden(t, &cline, "task_start")
	if qwen.EventNamed("UserPromptSubmit").Event != hooks.PrePrompt || qwen.EventNamed("TodoCreated").Can&Deny == 0 ||
		cline.EventNamed("TaskStart").Can&Deny == 0 {
		t.Error("an event has changed the table")
	}
}

// TestEncodeLeavesTheResultAlone: results are shared.
func TestEncodeLeavesTheResultAlone(t *testing.T) {
	event := `{"input":{"tool":"demo_greet"},"output":{"content":[{"type":"text","text":"hi"}]}}`
	call, err := opencode.Decode([]byte(event), "tool.execute.after")
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, 1, 2)
	call.Encode(&hooks.Result{Output: list, NewContext: "see NOTES.md"})
	if list[:2][1] != nil {
		t.Errorf("the result has grown: %v", list[:2])
	}
}

// Our own deadline is before the agent's, and leaves most of its time.
func TestDeadlines(t *testing.T) {
	for _, a := range Agents() {
		for i := range a.Events {
			if e := &a.Events[i]; e.Deadline() > e.Wait()-200*time.Millisecond || e.Deadline() < e.Wait()*8/10 {
				t.Errorf("%s %s: %s of %s", a.Name, e.Name, e.Deadline(), e.Wait())
			}
		}
	}
}

// TestUnreadable: what can't be read, and nobody has said which event it is, is refused in a way that blocks whatever it
// was; where the command line says it, as that event is.
func TestUnreadable(t *testing.T) {
	status := Output{Stderr: "no\n", Exit: 2}
	want := map[*Agent]Output{
		&claude: status, &codex: status, &crush: status, &cursor: status, &droid: status, &kiro: status, &qwen: status,
		&vscode: status, &windsurf: status,
		&gemini:   {Stdout: []byte(`{"decision":"deny","reason":"no"}` + "\n")},
		&cline:    {Stdout: []byte(`{"cancel":true,"errorMessage":"no"}` + "\n")},
		&copilot:  {Stdout: []byte(`{"permissionDecision":"deny","permissionDecisionReason":"no"}` + "\n")}, // install names the event
		&opencode: {Stdout: []byte(`{"deny":"no"}` + "\n")},
	}
	no := &hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no"}
	for _, a := range Agents() {
		for _, text := range []string{"", "{", "[]", "{}", `{"hook_event_name":"PreToolUse"` + strings.Repeat(" ", hooks.MaxEventBytes)} {
			call, err := a.Decode([]byte(text), "")
			if err == nil {
				t.Fatalf("%s reads %.50q", a.Title, text)
			}
			got := call.Encode(no)
			if w := want[a]; string(got.Stdout) != string(w.Stdout) || got.Stderr != w.Stderr || got.Exit != w.Exit {
				t.Errorf("%s, %.50q: %q %q %d, want %q %q %d", a.Title, text, got.Stdout, got.Stderr, got.Exit, w.Stdout, w.Stderr, w.Exit)
			}
		}
	}
	for _, c := range []struct {
		agent *Agent
		event string
		want  string
	}{
		{&claude, "UserPromptSubmit", `{"decision":"block","reason":"no"}`},
		{&codex, "UserPromptSubmit", `{"decision":"block","reason":"no"}`},
		{&cursor, "beforeSubmitPrompt", `{"continue":false,"user_message":"no"}`},
		{&copilot, "agentStop", `{"decision":"block","reason":"no"}`},
	} {
		call, _ := c.agent.Decode([]byte("{"), c.event)
		if got := call.Encode(no); strings.TrimSpace(string(got.Stdout)) != c.want || got.Exit != 0 {
			t.Errorf("%s %s: %q %d, want %s", c.agent.Title, c.event, got.Stdout, got.Exit, c.want)
		}
	}
}

// TestLargestEvent: an event may be as long as the agent likes up to a bound, and isn't read beyond it, not even
// looked at to find out whose it is.
func TestLargestEvent(t *testing.T) {
	text := `{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","tool_name":"Bash","tool_input":{"command":"ls"}}`
	largest := []byte(text + strings.Repeat(" ", hooks.MaxEventBytes-len(text)))
	noVariables := func(string) string { return "" }
	if _, err := claude.Decode(largest, ""); err != nil || Detect(largest, noVariables) != &claude {
		t.Errorf("one of %d bytes: %v", len(largest), err)
	}
	larger := append(largest, ' ')
	call, err := claude.Decode(larger, "PreToolUse")
	if _, ok := errors.AsType[*hooks.InputError](err); !ok || call.Context != nil || Detect(larger, noVariables) != nil {
		t.Errorf("one of %d bytes is read: %v", len(larger), err)
	}
}
