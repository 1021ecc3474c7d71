package hooks

import (
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// Language returns the language of a shell tool's text, as the tool's name or its input says it: "powershell",
// "cmd" for cmd.exe, "bash" for any shell of Unix, and "" where neither does.
func (t *ToolCall) Language() string {
	if t.Kind != KindShell || t.HostName == "Bash" { // mostly
		return ""
	}
	var buf [32]byte
	name := string(toolOfServer(buf[:0], t.HostName))
	if shell, ok := t.Input["shell"].(string); ok && !strings.Contains(name, "bash") {
		if language := languageOf(strings.TrimSuffix(strings.ToLower(shell[strings.LastIndexAny(shell, `/\`)+1:]), ".exe")); language != "" {
			return language
		}
	}
	switch {
	case strings.Contains(name, "powershell") || strings.Contains(name, "pwsh"):
		return "powershell"
	case name == "cmdexe" || name == "commandprompt" || name == "windowscmd" || name == "runcmd" && isDrive(t.Place.Dir):
		return "cmd"
	case name == "cmd" && isDrive(t.Place.Dir): // elsewhere it's a short name for a command
		return "cmd"
	}
	return ""
}

func languageOf(shell string) string {
	switch spelling.Fold(shell) {
	case "powershell", "pwsh", "windowspowershell", "powershellcore":
		return "powershell"
	case "cmd", "commandprompt":
		return "cmd"
	case "bash", "sh", "zsh", "dash", "ksh", "gitbash":
		return "bash"
	}
	return ""
}

// isDrive reports whether a path begins with a drive of Windows.
func isDrive(path string) bool {
	return len(path) > 1 && path[1] == ':' && path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z'
}
