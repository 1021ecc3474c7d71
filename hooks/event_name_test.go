package hooks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// spellings are the names that hosts are promised, written out by hand. Each one is
// also read in other cases and with other separators.
var spellings = map[hooks.Event]string{
	"setup":               "setup Setup on_init",
	"run_start":           "run_start on_run_start",
	"run_end":             "run_end on_run_end",
	"session_start":       "session_start SessionStart on_session_start TaskStart",
	"session_end":         "session_end SessionEnd on_session_end",
	"pre_prompt":          "pre_prompt pre-prompt PrePrompt user_prompt_submit UserPromptSubmit before_prompt beforeSubmitPrompt",
	"post_response":       "post_response post-response PostResponse after_response afterAgentResponse",
	"pre_agent":           "pre_agent before_agent",
	"post_agent":          "post_agent after_agent",
	"pre_model_call":      "pre_model_call before_llm BeforeModel",
	"post_model_call":     "post_model_call after_llm AfterModel",
	"pre_tool_selection":  "pre_tool_selection BeforeToolSelection before_tool_definitions",
	"pre_tool_call":       "pre_tool_call pre-tool-call before_tool PreToolUse pre_tool_use BeforeTool beforeShellExecution pre_run_command",
	"post_tool_call":      "post_tool_call post-tool-call after_tool PostToolUse post_tool_use AfterTool PostToolUseFailure postToolUseFailure",
	"post_tool_batch":     "post_tool_batch PostToolBatch",
	"tool_result_persist": "tool_result_persist TOOL_RESULT_PERSIST",
	"permission_request":  "permission_request PermissionRequest on_permission_ask",
	"permission_denied":   "permission_denied PermissionDenied",
	"stop":                "stop Stop agentStop",
	"stop_failure":        "stop_failure StopFailure",
	"interrupt":           "interrupt Interrupt",
	"subagent_start":      "subagent_start SubagentStart",
	"subagent_stop":       "subagent_stop SubagentStop",
	"pre_compact":         "pre_compact PreCompact PreCompress before_compaction context_compact",
	"post_compact":        "post_compact PostCompact after_compaction",
	"on_error":            "on_error on-error ON_ERROR errorOccurred",
	"on_retry":            "on_retry ON_RETRY",
	"on_claim":            "on_claim on-claim",
	"pre_close":           "pre_close pre-close",
	"on_block":            "on_block on-block",
	"task_created":        "task_created TaskCreated",
	"task_completed":      "task_completed TaskCompleted",
	"parallel_join":       "parallel_join on_parallel_join",
	"notification":        "notification Notification",
	"message_received":    "message_received MESSAGE_RECEIVED",
	"message_sending":     "message_sending MESSAGE_SENDING",
	"message_sent":        "message_sent MESSAGE_SENT",
	"gateway_start":       "gateway_start GATEWAY_START",
	"gateway_stop":        "gateway_stop GATEWAY_STOP",
}

func TestParseEventReadsEverySpelling(t *testing.T) {
	for want, words := range spellings {
		for _, word := range strings.Fields(words) {
			for _, name := range []string{
				word, strings.ToUpper(word), strings.ToLower(word), " " + word + "\n",
				strings.ReplaceAll(word, "_", "-"), strings.ReplaceAll(word, "-", "_"),
				strings.NewReplacer("_", "", "-", "").Replace(word),
			} {
				if got, err := hooks.ParseEvent(name); got != want || err != nil {
					t.Errorf("ParseEvent(%q) = %q, %v; want %q", name, got, err, want)
				}
			}
		}
	}
}

func TestGeminisAgentEventsAreReadToTheLetter(t *testing.T) {
	for name, want := range map[string]hooks.Event{
		"BeforeAgent": "pre_prompt", " BeforeAgent ": "pre_prompt",
		"before_agent": "pre_agent", "before-agent": "pre_agent", "BEFORE_AGENT": "pre_agent", "Before_Agent": "pre_agent", "beforeagent": "pre_agent",
		"AfterAgent":  "stop",
		"after_agent": "post_agent", "after-agent": "post_agent", "AFTER_AGENT": "post_agent", "After-Agent": "post_agent", "afteragent": "post_agent",
	} {
		if got, err := hooks.ParseEvent(name); got != want || err != nil {
			t.Errorf("ParseEvent(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestEveryAliasLeadsToItsRow(t *testing.T) {
	for _, info := range hooks.Events() {
		for _, alias := range info.Aliases {
			if got, err := hooks.ParseEvent(alias); got != info.Name || err != nil {
				t.Errorf("ParseEvent(%q) = %q, %v; it stands in the row of %q", alias, got, err, info.Name)
			}
		}
	}
}

func TestParseEventUnknown(t *testing.T) {
	for _, c := range []struct {
		name    string
		nearest hooks.Event
		says    string
	}{
		{"pre.tool.call", "pre_tool_call", `unknown event "pre.tool.call"; did you mean "pre_tool_call"?`},
		{"pre.tool_call", "pre_tool_call", `unknown event "pre.tool_call"; did you mean "pre_tool_call"?`},
		{"pre_tool_cal", "pre_tool_call", `unknown event "pre_tool_cal"; did you mean "pre_tool_call"?`},
		{"PreToolUsse", "pre_tool_call", `did you mean "pre_tool_call"?`},
		{"sesion-start", "session_start", `did you mean "session_start"?`},
		{"on_retyr", "on_retry", `did you mean "on_retry"?`},
		{"zzzzqqqqxxxx", "", `unknown event "zzzzqqqqxxxx"; ` + "`luahook events` lists the known ones"},
		{"", "", "the event has no name; `luahook events` lists them"},
		{"deploy.", "", "unknown event"},
		{".deploy", "", "unknown event"},
		{"deploy requested.now", "", "unknown event"},
		{"a..b", "", "unknown event"},
	} {
		got, err := hooks.ParseEvent(c.name)
		var unknown *hooks.UnknownEventError
		if got != "" || !errors.As(err, &unknown) {
			t.Errorf("ParseEvent(%q) = %q, %v; want an UnknownEventError", c.name, got, err)
			continue
		}
		if unknown.Name != c.name || (c.nearest != "" && unknown.Nearest != c.nearest) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("ParseEvent(%q): %v (nearest %q)", c.name, err, unknown.Nearest)
		}
	}
}

func TestEmbeddersOwnEvents(t *testing.T) {
	for _, name := range []string{"deploy.requested", "Acme.Deploy-2.done", "a.b"} {
		got, err := hooks.ParseEvent(name)
		if string(got) != name || err != nil {
			t.Errorf("ParseEvent(%q) = %q, %v", name, got, err)
		}
		info := hooks.Lookup(got)
		if info == nil || info.Name != got || info.Blocking != hooks.BlockAction || info.OnFailure != hooks.Warn || info.Field("session_id") == nil || info.Field("attempt") != nil {
			t.Errorf("Lookup(%q) = %+v", name, info)
		}
	}
	if info := hooks.Lookup("deploy"); info != nil {
		t.Errorf("Lookup of an unknown name = %+v", info)
	}
	if info := hooks.Lookup("PreToolUse"); info != nil {
		t.Errorf("Lookup takes canonical names only, got %+v", info)
	}
}

// Another system's name must not become an event of the embedder's own, which never happens: the hook would
// silently never run.
func TestNamesOfOtherSystemsAreErrors(t *testing.T) {
	for name, want := range map[string]hooks.Event{
		"HookEvent.BEFORE_TOOL": hooks.PreToolCall, "HookEvent.AFTER_TOOL": hooks.PostToolCall, "HookEvent.STOP": hooks.Stop, "HookEvent.BeforeAgent": hooks.PrePrompt,
		"hooks.PreToolUse": hooks.PreToolCall, "Event.SessionStart": hooks.SessionStart, "event.stop": hooks.Stop, "my.app.pre_tool_call": hooks.PreToolCall,
		"tool.execute.before": hooks.PreToolCall, "tool.execute.after": hooks.PostToolCall, "permission.ask": hooks.PermissionRequest, "session.idle": hooks.Stop,
		"session.created": hooks.SessionStart, "chat.message": hooks.PrePrompt, "experimental.session.compacting": hooks.PreCompact, "pre.tool.call": hooks.PreToolCall,
		"on_tool_start": hooks.PreToolCall, "before_tool_callback": hooks.PreToolCall, "on_llm_end": hooks.PostModelCall, "hooks.json": "", "guard.lua": "",
	} {
		got, err := hooks.ParseEvent(name)
		var unknown *hooks.UnknownEventError
		if got != "" || !errors.As(err, &unknown) || (want != "" && unknown.Nearest != want) {
			t.Errorf("%s: %q, %v; want an error with %q", name, got, err, want)
		}
	}
	for _, name := range []string{"deploy.requested", "deploy.stop", "shop.order.setup", "ci.run"} {
		if got, err := hooks.ParseEvent(name); err != nil || string(got) != name {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// OpenProse uses agent for the name of an agent.
func TestAgentIsReadAsItsName(t *testing.T) {
	c := decode(t, `{"event":"on_session_start","agent":"writer"}`)
	if c.Event != hooks.SessionStart || c.AgentName != "writer" || len(c.Metadata) > 0 {
		t.Errorf("%s %v %v", c.Event, c.Fields, c.Metadata)
	}
}
