package wire

import (
	"testing"
)

// TestWindsurfWithoutWhatItIsAbout: what nobody can judge must not look like a call of nothing.
func TestWindsurfWithoutWhatItIsAbout(t *testing.T) {
	for _, text := range []string{
		`{"agent_action_name":"pre_run_command"}`,
		`{"agent_action_name":"pre_run_command","tool_info":{"cwd":"/"}}`,
		`{"agent_action_name":"pre_run_command","tool_info":{"command_line":["rm"]}}`,
		`{"agent_action_name":"pre_read_code","tool_info":{}}`,
		`{"agent_action_name":"pre_write_code","tool_info":[]}`,
		`{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_server_name":"x"}}`,
		`{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_tool_name":"x"}}`,
	} {
		call, err := windsurf.Decode([]byte(text), "")
		if err == nil || call.Event.Can&Deny == 0 {
			t.Errorf("%s is read: %s, %v", text, shown(t, call.Context), err)
		}
	}
}
