package wire

import (
	"path"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// Detect returns the agent that an event comes from, by what stands in it and by the environment that getenv reads;
// nil where it can't be told. An agent that has its own form counts before one that is known by a variable only, as
// agents start each other.
func Detect(data []byte, getenv func(string) string) *Agent {
	if len(data) > hooks.MaxEventBytes {
		return nil
	}
	v, err := hooks.DecodeJSON(data)
	if err != nil {
		return nil
	}
	m, _ := v.(map[string]any)
	in := object(m)
	event, _ := in["hook_event_name"].(string)
	permission, _ := in.first("permission_mode", "permissionMode")
	mode, _ := permission.(string)
	transcript, hasTranscript := in["transcript_path"] // null as well
	transcriptFile, _ := transcript.(string)
	happened, _ := in["event"].(map[string]any)
	one := func(word string, words string) bool {
		return word != "" && strings.Contains(" "+words+" ", " "+word+" ")
	}
	switch {
	case in.has("agent_action_name"):
		return &windsurf
	case in.has("clineVersion", "hookName"):
		return &cline
	case in.has("cursor_version"):
		return &cursor
	case one(mode, "off spec auto-low auto-medium auto-high"):
		return &droid
	case in.has("hookEventName"):
		return &vscode
	case in.has("toolArgs", "toolName"), in.has("sessionId") && in.has("timestamp"):
		return &copilot
	case in.has("event") && getenv("CRUSH_EVENT") != "":
		return &crush
	case one(event, "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection PreCompress"):
		return &gemini
	case strings.Contains(event, ".") || in.has("input") && in.has("output") || happened["type"] != nil:
		return &opencode
	case event != "" && in.has("stop_reason"), event != "" && in.has("session_id") && in.has("timestamp") && !hasTranscript:
		return &copilot // under names such as PreToolUse; others with a timestamp send a transcript_path, too
	case one(mode, "auto_edit yolo"):
		return &qwen
	case in.has("turn_id") && in.has("model") && !in.has("prompt_id") && event != "",
		strings.HasPrefix(path.Base(strings.ReplaceAll(transcriptFile, `\`, "/")), "rollout-") && event != "":
		return &codex
	case getenv("GEMINI_SESSION_ID") != "":
		return &gemini
	case getenv("QWEN_PROJECT_DIR") != "":
		return &qwen
	case getenv("FACTORY_PROJECT_DIR") != "":
		return &droid
	case event != "" && strings.ToLower(event[:1]) == event[:1],
		event != "" && in.has("session_id") && !hasTranscript && !in.has("tool_use_id") && getenv("CLAUDE_PROJECT_DIR") == "":
		return &kiro // Claude Code takes its exit status 2 as well, and Kiro no JSON
	case event != "" && in.has("session_id"):
		return &claude
	}
	return nil
}
