package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// blocks returns the reason of an answer that blocks the call, or that tells the model why what has happened wasn't
// right. ok is whether it does, by what each agent is known to read.
func blocks(c *Call, out Output) (reason string, ok bool) {
	status := func() (string, bool) {
		return strings.TrimSpace(out.Stderr), out.Exit == 2 && len(out.Stdout) == 0
	}
	a := answerOf(out)
	says := func(yes bool, why string) (string, bool) { return why, yes && out.Exit == 0 }
	claudes := func() (string, bool) {
		switch {
		case a.Specific.PermissionDecision == "deny":
			return says(true, a.Specific.PermissionDecisionReason)
		case a.Specific.Decision.Behavior == "deny":
			return says(true, a.Specific.Decision.Message)
		}
		return says(a.Decision == "block", a.Reason)
	}
	if c.guessed && c.Agent.status2 && !c.http { // TestUnreadable says for which agents
		return status()
	}
	feedback := c.Event.Event == hooks.PostToolCall
	switch c.Agent {
	case &windsurf:
		return status()
	case &kiro:
		if feedback {
			return says(true, strings.TrimSpace(string(out.Stdout)))
		}
		return status()
	case &claude, &droid:
		if a.Specific.Action == "decline" {
			return says(true, "declined") // nobody is told why
		}
		if out.Exit != 0 {
			return status()
		}
		return claudes()
	case &codex:
		if why := refusal(c.Event.Name, out); why != "" {
			return "", false
		}
		if out.Exit != 0 {
			return status()
		}
		return claudes()
	case &qwen:
		switch {
		case out.Stderr != "":
			return "", false
		case c.Event.Name == "PostToolUseFailure", c.Event.Name == "PostToolBatch":
			return says(true, a.Specific.AdditionalContext)
		}
		if why, ok := claudes(); ok {
			return why, ok
		}
		return says(a.Continue != nil && !*a.Continue, a.StopReason)
	case &vscode:
		if a.Specific.Decision.text == "block" {
			return says(c.Event.Event == hooks.Stop, a.Specific.Reason)
		}
		return claudes()
	case &gemini:
		if a.Specific.ToolConfig.Mode == "NONE" {
			return says(out.Stderr == "", "no tools") // nobody is told why
		}
		return says(a.Decision == "deny" && out.Stderr == "", a.Reason)
	case &cline:
		if feedback {
			return says(!a.Cancel, a.ContextModification)
		}
		return says(a.Cancel, a.ErrorMessage)
	case &crush:
		return says(a.Decision == "deny", a.Reason)
	case &cursor:
		switch {
		case c.Event.Name == "beforeTabFileRead":
			return says(a.Permission == "deny", "denied") // nobody is told why
		case c.Event.Event == hooks.PrePrompt:
			return says(a.Continue != nil && !*a.Continue, a.UserMessage)
		case c.Event.Event == hooks.Stop, c.Event.Event == hooks.SubagentStop:
			return says(true, a.FollowupMessage)
		case feedback:
			return says(true, a.CursorContext)
		}
		return says(a.Permission == "deny", a.UserMessage)
	case &copilot:
		switch {
		case feedback && out.Exit == 2:
			return strings.TrimSpace(string(out.Stdout)), c.Event.Name == "postToolUseFailure"
		case feedback:
			return says(true, a.AdditionalContext)
		case c.Event.Event == hooks.PermissionRequest:
			return says(a.Behavior == "deny", a.Message)
		case c.Event.Event == hooks.PreToolCall:
			return says(a.PermissionDecision == "deny", a.PermissionDecisionReason)
		}
		return says(a.Decision == "block", a.Reason)
	case &opencode:
		if feedback && c.Context != nil {
			return says(true, asText(a.Output))
		}
		return says(true, a.Deny)
	}
	return "", false
}

// tellsNoReason reports whether an event can be denied, but nobody is told why.
func tellsNoReason(c *Call) bool {
	return c.Event.Name == "beforeTabFileRead" || c.Event.Event == hooks.PreToolSelection
}

// mustBlock fails unless an answer blocks the call, with a reason, and with this one if it isn't "".
func mustBlock(t testing.TB, c *Call, out Output, reason string) {
	t.Helper()
	why, ok := blocks(c, out)
	if !ok || strings.TrimSpace(why) == "" || !tellsNoReason(c) && !strings.Contains(why, reason) {
		t.Fatalf("%s: %s isn't blocked by exit %d, %q, %q", c.Agent.Title, c.Event.Name, out.Exit, out.Stdout, out.Stderr)
	}
}

// written are the fields of answers that block, of all agents.
type written struct {
	Decision, Reason, StopReason, Permission, Behavior, Message     string
	PermissionDecision, PermissionDecisionReason, AdditionalContext string
	ErrorMessage, ContextModification, Deny                         string
	UserMessage                                                     string `json:"user_message"`
	FollowupMessage                                                 string `json:"followup_message"`
	CursorContext                                                   string `json:"additional_context"`
	Continue                                                        *bool
	Cancel                                                          bool
	Output                                                          any
	Specific                                                        struct {
		PermissionDecision, PermissionDecisionReason, AdditionalContext, Action, Reason string

		Decision   decision
		ToolConfig struct{ Mode string }
	} `json:"hookSpecificOutput"`
}

// decision is an object, or the text of VS Code.
type decision struct {
	text              string
	Behavior, Message string
}

func (d *decision) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &d.text) == nil {
		return nil
	}
	type plain decision
	return json.Unmarshal(data, (*plain)(d))
}

// answerOf reads an answer; nothing is in it if it's no JSON.
func answerOf(out Output) (a written) {
	if json.Unmarshal(out.Stdout, &a) != nil {
		return written{}
	}
	return a
}
