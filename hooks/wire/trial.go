package wire

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// TrialSession is the session of the events that [Agent.Trial] makes.
const TrialSession = "luahook-trial"

// Trial is an event as the agent would send it before a shell runs a command in a folder, and its name as the
// command line has to give it. With it a hook can be tried without the agent.
func (a *Agent) Trial(command, folder string) (event string, data []byte) {
	row := a.unknownEvent("")
	tool, input := "Bash", map[string]any{"command": command}
	in := map[string]any{"session_id": TrialSession, "cwd": folder, "hook_event_name": row.Name, "tool_use_id": "trial"}
	switch a {
	case &gemini, &qwen:
		tool = "run_shell_command"
	case &crush:
		tool = "bash"
		delete(in, "hook_event_name")
		in["event"] = row.Name
	case &cursor:
		tool = "Shell"
		in = map[string]any{
			"conversation_id": TrialSession, "generation_id": "trial", "hook_event_name": row.Name, "cursor_version": "0",
			"workspace_roots": []any{folder}, "tool_use_id": "trial", "cwd": folder,
		}
	case &droid:
		tool = "Execute"
	case &kiro:
		tool = "execute_bash"
	case &vscode:
		tool = "run_in_terminal"
		in = map[string]any{"sessionId": TrialSession, "hookEventName": row.Name, "cwd": folder, "tool_use_id": "trial"}
	case &copilot:
		return row.Name, encoded(map[string]any{
			"sessionId": TrialSession, "timestamp": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), "cwd": folder,
			"toolName": "bash", "toolArgs": input,
		})
	case &windsurf:
		return row.Name, encoded(map[string]any{
			"agent_action_name": row.Name, "trajectory_id": TrialSession, "execution_id": "trial",
			"tool_info": map[string]any{"command_line": command, "cwd": folder},
		})
	case &cline:
		call := map[string]any{"id": "trial", "name": "run_commands", "input": map[string]any{"commands": []any{command}}}
		return row.Name, encoded(map[string]any{
			"clineVersion": "", "hookName": "tool_call", "taskId": TrialSession, "workspaceRoots": []any{folder}, "tool_call": call,
		})
	case &opencode:
		return row.Name, encoded(map[string]any{
			"cwd": folder, "input": map[string]any{"tool": "bash", "sessionID": TrialSession, "callID": "trial"},
			"output": map[string]any{"args": input},
		})
	}
	in["tool_name"], in["tool_input"] = tool, input
	return row.Name, encoded(in)
}

func encoded(v map[string]any) []byte {
	data, err := hooks.EncodeJSON(v)
	if err != nil {
		panic(err) // texts, numbers and lists of them can always be written
	}
	return data
}
