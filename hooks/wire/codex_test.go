package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/luahook/luahook/hooks"
)

// recordedCodex reads an event that Codex 0.169.0 has sent.
func recordedCodex(t *testing.T, name string) *Call {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "codex", "recorded", name))
	if err != nil {
		t.Fatal(err)
	}
	call, err := codex.Decode(data, "")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if who := Detect(data, func(string) string { return "" }); who != &codex {
		t.Errorf("%s isn't taken for Codex's", name)
	}
	return call
}

// TestCodexRecordedEvents: the contexts hold what differs from one event to the next.
func TestCodexRecordedEvents(t *testing.T) {
	wants := map[string]string{
		"01-SessionStart.json":     `{"event":"session_start","source":"startup"}`,
		"02-UserPromptSubmit.json": `{"event":"pre_prompt","prompt":"please run it"}`,
		"03-PreToolUse.json": `{"event":"pre_tool_call",
			"tool_call":{"name":"bash","kind":"shell","command":"touch /home/dev/marker && echo hi"}}`,
		"04-PostToolUse.json": `{"event":"post_tool_call",
			"tool_call":{"name":"bash","kind":"shell","command":"touch /home/dev/marker && echo hi","outcome":"ok","output":"hi\n"}}`,
		"05-Stop.json":       `{"event":"stop","response":"done"}`,
		"06-SessionEnd.json": `{"event":"session_end","reason":"other"}`,
		"07-PermissionRequest.json": `{"event":"permission_request",
			"tool_call":{"name":"bash","kind":"shell","command":"touch /home/dev/marker && echo hi"}}`,
		"08-PreCompact.json":             `{"event":"pre_compact","trigger":"auto"}`,
		"09-PostCompact.json":            `{"event":"post_compact","trigger":"auto"}`,
		"10-SessionStart-compact.json":   `{"event":"session_start","source":"compact"}`,
		"11-SessionStart-resume.json":    `{"event":"session_start","source":"resume"}`,
		"12-SubagentStart.json":          `{"event":"subagent_start","agent_depth":1,"agent_name":"default"}`,
		"13-SubagentStop.json":           `{"event":"subagent_stop","agent_depth":1,"agent_name":"default","response":"sub done"}`,
		"14-PreToolUse-spawn_agent.json": `{"event":"pre_tool_call","tool_call":{"name":"agent","kind":"agent"}}`,
		"15-PreToolUse-in-subagent.json": `{"event":"pre_tool_call","agent_depth":1,"agent_name":"default",
			"tool_call":{"name":"bash","kind":"shell","command":"echo in-sub"}}`,
		"16-Interrupt.json":        `{"event":"interrupt"}`,
		"17-PreModelRequest.json":  `{"event":"pre_model_call"}`,
		"18-PostModelRequest.json": `{"event":"post_model_call"}`,
		"19-PreToolUse-mcp.json":   `{"event":"pre_tool_call","tool_call":{"name":"mcp__demo__greet","kind":"mcp"}}`,
		"20-PostToolUse-mcp.json": `{"event":"post_tool_call","tool_call":{"name":"mcp__demo__greet","kind":"mcp","outcome":"ok",
			"output":{"content":[{"type":"text","text":"hello {'name': 'marker'}"}]}}}`,
		"21-PreToolUse-apply_patch.json": `{"event":"pre_tool_call","tool_call":{"name":"edit","kind":"edit","paths":["marker-p.txt"]}}`,
		"22-PostToolUse-apply_patch.json": `{"event":"post_tool_call",
			"tool_call":{"name":"edit","kind":"edit","paths":["marker-p.txt"],"outcome":"ok",
			"output":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA marker-p.txt\n"}}`,
		"23-PreToolUse-apply_patch-by-shell.json": `{"event":"pre_tool_call","tool_call":{"name":"bash","kind":"shell",
			"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: marker-p.txt\n+hello\n*** End Patch\nEOF\n"}}`,
		"24-PreToolUse-code-mode.json": `{"event":"pre_tool_call",
			"tool_call":{"name":"bash","kind":"shell","command":"touch /home/dev/marker && echo hi"}}`,
		"25-PostToolUse-code-mode.json": `{"event":"post_tool_call",
			"tool_call":{"name":"bash","kind":"shell","command":"touch /home/dev/marker && echo hi","outcome":"ok","output":"hi\n"}}`,
		"26-Stop-active.json":        `{"event":"stop","loop_count":1,"response":"done again"}`,
		"27-PreToolUse-other-a.json": `{"event":"pre_tool_call","tool_call":{"name":"view_image","kind":"other","paths":["/tmp/x.png"]}}`,
		"28-PreToolUse-other-b.json": `{"event":"pre_tool_call","tool_call":{"name":"get_goal","kind":"other"}}`,
		"29-PostToolUse-other.json": `{"event":"post_tool_call","tool_call":{"name":"get_goal","kind":"other","outcome":"ok",
			"output":{"goal":null,"remainingTokens":null,"completionBudgetReport":null}}}`,
		"30-PostModelRequest-failed.json": `{"event":"post_model_call","error":{"message":"{\"error\": {\"message\": \"fake\"}}"}}`,
		"31-PostToolUse-after-write_stdin.json": `{"event":"post_tool_call","tool_call":{"name":"bash","kind":"shell","command":"bash",
			"outcome":"ok","output":"exit\r\n\u001b[?2004l\rexit\r\n"}}`,
	}
	files, err := filepath.Glob("testdata/codex/recorded/*.json")
	if err != nil || len(files) != len(wants) {
		t.Fatalf("%d recorded events for %d contexts, %v", len(files), len(wants), err)
	}
	for name, want := range wants {
		c := recordedCodex(t, name).Context
		var got map[string]any
		if err := json.Unmarshal([]byte(shown(t, c)), &got); err != nil {
			t.Fatal(err)
		}
		transcript, _ := c.Metadata["transcript_path"].(string)
		if c.SessionID == "" || c.CWD != "/home/dev/project" || !strings.Contains(transcript, "rollout-") ||
			c.Model == "" && c.Event != hooks.SessionEnd {
			t.Errorf("%s: %s", name, shown(t, c))
		}
		for _, key := range []string{"session_id", "cwd", "model", "agent_id", "metadata"} {
			delete(got, key)
		}
		if call, ok := got["tool_call"].(map[string]any); ok {
			if c.Event != hooks.PermissionRequest && call["id"] == "" {
				t.Errorf("%s: no id", name)
			}
			for _, key := range []string{"id", "host_name", "input", "files"} {
				delete(call, key)
			}
		}
		equalJSON(t, name, []byte(shown(t, got)), []byte(want))
	}
}

// codexCalls are calls of every event, with each kind of tool: what Codex has sent, and what it might send.
func codexCalls(t *testing.T) []*Call {
	t.Helper()
	files, err := filepath.Glob("testdata/codex/recorded/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing recorded", err)
	}
	var calls []*Call
	seen := map[string]bool{}
	for _, file := range files {
		call := recordedCodex(t, filepath.Base(file))
		seen[call.Event.Name] = true
		calls = append(calls, call)
	}
	for _, e := range codex.Events {
		if !seen[e.Name] {
			t.Fatalf("no event %s is recorded", e.Name)
		}
		unreadable, err := codex.Decode([]byte("{"), e.Name)
		if err == nil {
			t.Fatal("broken JSON is read")
		}
		calls = append(calls, unreadable)
	}
	for _, text := range []string{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","workdir":"/w"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"mcp__x__run","tool_input":{"command":"ls"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"shell_of_tomorrow","tool_input":{"command":"ls"}}`,
	} {
		call, err := codex.Decode([]byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	return calls
}

// refusal says why Codex doesn't take an answer as it is meant, by what was seen of 0.169.0; "" if it does. Its
// schemas allow more.
func refusal(event string, out Output) string {
	if out.Exit == 2 {
		if strings.TrimSpace(out.Stderr) == "" {
			return "exit status 2 without a reason"
		}
		if len(out.Stdout) > 0 {
			return "an answer beside exit status 2"
		}
		return ""
	}
	if out.Exit != 0 {
		return "a failed hook"
	}
	if len(out.Stdout) == 0 {
		return ""
	}
	var top map[string]any
	if err := json.Unmarshal(out.Stdout, &top); err != nil || out.Stdout[0] != '{' || len(top) == 0 {
		return "no object in JSON"
	}
	if len(out.Stdout) > 1<<20 {
		return "longer than it reads"
	}
	blank := func(v any) bool {
		text, _ := v.(string)
		return strings.TrimFunc(text, unicode.IsSpace) == ""
	}
	specific, hasSpecific := top["hookSpecificOutput"].(map[string]any)
	decision, hasDecision := top["decision"]
	_, hasReason := top["reason"]
	switch {
	case slices.Contains([]string{"SessionEnd", "PreModelRequest", "PostModelRequest"}, event):
		return "an event without an answer"
	case event == "Interrupt" && len(top) > 1, event == "Interrupt" && top["systemMessage"] == nil:
		return "an interrupt takes a message alone"
	case hasSpecific && specific["hookEventName"] != event:
		return "the event isn't named"
	case hasSpecific && slices.Contains([]string{"Stop", "SubagentStop", "PreCompact", "PostCompact"}, event):
		return "hookSpecificOutput where there is none"
	case top["suppressOutput"] != nil:
		return "suppressOutput"
	case hasDecision && (decision != "block" || blank(top["reason"])), hasReason && !hasDecision:
		return "a block without a reason, or a reason without a block"
	case top["continue"] == true, top["continue"] == nil && top["stopReason"] != nil:
		return "a reason to stop, and no stop"
	case event == "PreToolUse" && (top["continue"] != nil || hasDecision):
		return "continue, or the old form"
	case event == "PostToolUse" && (specific["updatedMCPToolOutput"] != nil || top["continue"] != nil):
		return "what PostToolUse doesn't do"
	}
	if event == "PermissionRequest" && specific != nil {
		d, _ := specific["decision"].(map[string]any)
		if d["behavior"] == "deny" && blank(d["message"]) || d["behavior"] == "allow" && len(d) > 1 || len(d) > 2 ||
			len(top) > 1 && top["systemMessage"] == nil {
			return "a decision that the person is asked about after all"
		}
	}
	if event == "PreToolUse" && specific != nil {
		input, rewrites := specific["updatedInput"].(map[string]any)
		_, isText := input["command"].(string)
		switch d := specific["permissionDecision"]; {
		case d == "deny" && blank(specific["permissionDecisionReason"]), d == "deny" && rewrites:
			return "a denial without a reason or with other arguments"
		case d == "allow" && !rewrites, rewrites && d != "allow", rewrites && !isText:
			return "allow and updatedInput without one another, or without a command"
		case d != nil && d != "deny" && d != "allow", d == nil && specific["permissionDecisionReason"] != nil:
			return "a decision that it doesn't know"
		}
	}
	return ""
}

// TestCodexTakesEveryAnswer: an answer that Codex refuses lets the tool run.
func TestCodexTakesEveryAnswer(t *testing.T) {
	calls := codexCalls(t)
	rapid.Check(t, func(rt *rapid.T) {
		call, r := rapid.SampledFrom(calls).Draw(rt, "call"), anyResult(rt)
		out := call.Encode(r)
		if why := refusal(call.Event.Name, out); why != "" {
			rt.Fatalf("%s: %s: %+v is written %+v", call.Event.Name, why, r, out)
		}
		_, blocked := blocks(call, out)
		if r.Decision == hooks.Deny && call.Event.Can&Deny != 0 && !blocked {
			rt.Fatalf("%s: %+v doesn't block: %+v", call.Event.Name, r, out)
		}
		if call.Event.Name != "PreToolUse" || r.Decision == hooks.Deny || r.Input == nil {
			return
		}
		var sent struct {
			Specific struct {
				UpdatedInput map[string]any
			} `json:"hookSpecificOutput"`
		}
		_ = json.Unmarshal(out.Stdout, &sent)
		command, _ := r.Input["command"].(string)
		if arrives := sent.Specific.UpdatedInput["command"] == strings.ToValidUTF8(command, "\ufffd"); !arrives && !blocked {
			rt.Fatalf("%+v neither changes the command nor blocks: %+v", r, out)
		}
	})
}

func TestCodexAnswersFitTheSchemas(t *testing.T) {
	dir := shared(t, filepath.Join("schemas", "codex-0.169.0"))
	schemas := map[string]*jsonschema.Schema{}
	for _, e := range codex.Events {
		name := kebab(e.Name) + ".command.output.json"
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // nothing is known of an answer, so that there must be none
		}
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
		if schemas[e.Name], err = c.Compile(name); err != nil {
			t.Fatal(err)
		}
	}
	if len(schemas) != len(codex.Events)-3 { // all but SessionEnd and those of model requests
		t.Fatalf("%d schemas", len(schemas))
	}
	calls := codexCalls(t)
	rapid.Check(t, func(rt *rapid.T) {
		call, r := rapid.SampledFrom(calls).Draw(rt, "call"), anyResult(rt)
		out := call.Encode(r)
		if len(out.Stdout) == 0 {
			return
		}
		schema := schemas[call.Event.Name]
		if schema == nil {
			rt.Fatalf("%s: an answer, and no schema: %s", call.Event.Name, out.Stdout)
		}
		answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Stdout))
		if err != nil {
			rt.Fatal(err)
		}
		if err := schema.Validate(answer); err != nil {
			rt.Fatalf("%s: %+v is written %s: %v", call.Event.Name, r, out.Stdout, err)
		}
	})
}

// kebab writes PreToolUse as pre-tool-use.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// TestCodexReadsLongAnswers: an answer of more than 1 MiB isn't read, and the tool runs.
func TestCodexReadsLongAnswers(t *testing.T) {
	long := strings.Repeat("\x01", 2<<20)
	for name, r := range map[string]*hooks.Result{
		"a denial": {
			Decision: hooks.Deny, Reason: long, NewContext: long, SystemMessage: long, Warnings: []string{long}, Halt: true, StopReason: long,
		},
		"a rewrite":                      {Input: map[string]any{"command": long}, NewContext: long, SystemMessage: long},
		"an answer in place of the call": {Output: long},
		"a rewrite of another key":       {Input: map[string]any{"command": "ls", "workdir": long}},
	} {
		for _, event := range []string{"03-PreToolUse.json", "21-PreToolUse-apply_patch.json", "19-PreToolUse-mcp.json"} {
			call := recordedCodex(t, event)
			out := call.Encode(r)
			if _, ok := blocks(call, out); !ok {
				t.Errorf("%s of %s: %s, %d bytes, exit %d", name, event, refusal("PreToolUse", out), len(out.Stdout), out.Exit)
			}
		}
	}
	replaced := recordedCodex(t, "04-PostToolUse.json").Encode(&hooks.Result{Output: long, NewContext: long, SystemMessage: long})
	var answer struct{ Decision, Reason string }
	if err := json.Unmarshal(replaced.Stdout, &answer); err != nil || refusal("PostToolUse", replaced) != "" {
		t.Fatalf("a replaced output: %v, %s, %d bytes", err, refusal("PostToolUse", replaced), len(replaced.Stdout))
	}
	if answer.Decision != "block" || !strings.HasPrefix(answer.Reason, "\x01") || !strings.Contains(answer.Reason, "luahook has cut") {
		t.Errorf("a replaced output: %s, %.200q", answer.Decision, answer.Reason)
	}
}
