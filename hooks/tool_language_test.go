package hooks_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestLanguage(t *testing.T) {
	windows := `C:\work`
	for _, c := range []struct {
		tool, shell, dir, want string
	}{
		{"Bash", "", windows, ""},
		{"bash", "", windows, ""},
		{"run_in_terminal", "", windows, ""},
		{"PowerShell", "", "", "powershell"},
		{"pwsh", "", "", "powershell"},
		{"executePwsh", "", "", "powershell"},
		{"write_powershell", "", "", "powershell"},
		{"mcp__win__powershell_run", "", "", "powershell"},
		{"cmd", "", windows, "cmd"},
		{"cmd", "", "/work", ""},
		{"shell", `C:\Program Files\PowerShell\7\pwsh.exe`, "", "powershell"},
		{"shell", "cmd.exe", "", "cmd"},
		{"shell", "/bin/zsh", windows, "bash"},
	} {
		call := &hooks.ToolCall{Name: c.tool, HostName: c.tool, Kind: hooks.KindShell, Place: hooks.Place{Dir: c.dir}}
		if c.shell != "" {
			call.Input = map[string]any{"shell": c.shell}
		}
		if got := call.Language(); got != c.want {
			t.Errorf("%s with %q in %q: %q, want %q", c.tool, c.shell, c.dir, got, c.want)
		}
	}
	if got := (&hooks.ToolCall{HostName: "powershell", Kind: hooks.KindRead}).Language(); got != "" {
		t.Errorf("what isn't a shell's has the language %q", got)
	}
}
