package wire

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// A trial is what the agent would send: a shell call with the command, in the folder.
func TestTrial(t *testing.T) {
	for _, a := range Agents() {
		event, data := a.Trial("rm -rf /", "/work/shop")
		for _, name := range []string{event, ""} {
			call, err := a.Decode(data, name)
			if name == "" && (a == &copilot || a == &opencode) { // which don't say it
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", a.Name, err)
				continue
			}
			c := call.Context
			if c.Event != hooks.PreToolCall || c.ToolCall.Kind != hooks.KindShell ||
				!strings.Contains(c.ToolCall.Command, "rm -rf /") || c.CWD != "/work/shop" {
				t.Errorf("%s: %+v %+v", a.Name, c, c.ToolCall)
			}
			if call.Event.Can&Deny == 0 {
				t.Errorf("%s: %s can't be denied", a.Name, call.Event.Name)
			}
		}
	}
}
