package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// words is the command line that an agent calls for an event, program first. It's the same for all events, but for
// agents whose input doesn't tell the event.
func (t *Target) words(event string) []string {
	words := []string{t.Program, "run", "--agent", t.Agent.Name}
	if t.host().namesEvent {
		words = append(words, "--event", event)
	}
	return words
}

// commandLine is a command for sh, or on Windows for cmd.exe.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w, runtime.GOOS == "windows")
	}
	return strings.Join(quoted, " ")
}

// powershellLine is a command for PowerShell, to which a quoted word is only a text without the &.
func powershellLine(words []string) string {
	if plain(words[0]) {
		return strings.Join(words, " ")
	}
	return "& '" + strings.ReplaceAll(words[0], "'", "''") + "' " + strings.Join(words[1:], " ")
}

// plain reports whether a word means itself in every shell.
func plain(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@%,") == ""
}

func quoteWord(word string, windows bool) string {
	switch {
	case windows && plain(strings.ReplaceAll(word, `\`, "")) && !strings.Contains(word, "%"), plain(word):
		return word
	case windows:
		return `"` + word + `"` // a file's name has no quotes there
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// splitLine takes a command line of ours apart; nil if it's more than plain and quoted words.
func splitLine(line string) []string {
	var words []string
	line = strings.TrimPrefix(strings.TrimSpace(line), "& ")
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		var word strings.Builder
		for line != "" && line[0] != ' ' {
			switch c := line[0]; {
			case c == '\'' || c == '"':
				end := strings.IndexByte(line[1:], c)
				if end < 0 {
					return nil
				}
				word.WriteString(line[1 : 1+end])
				line = line[end+2:]
			case strings.HasPrefix(line, `\'`): // any other backslash is part of a Windows path
				word.WriteByte('\'')
				line = line[2:]
			case strings.IndexByte("|&;<>()$`\n\t#", c) >= 0:
				return nil
			default:
				word.WriteByte(c)
				line = line[1:]
			}
		}
		words = append(words, word.String())
	}
	return words
}

// isOurs reports whether a command is luahook's for this agent, whatever the path of the program and further flags.
// A command that luahook is only a part of is the user's.
func (t *Target) isOurs(words []string) bool {
	if len(words) < 2 || words[1] != "run" {
		return false
	}
	base := words[0][strings.LastIndexAny(words[0], `/\`)+1:]
	if strings.TrimSuffix(strings.ToLower(base), ".exe") != "luahook" && base != filepath.Base(t.Program) {
		return false
	}
	for i, w := range words[2:] {
		name, joined := strings.CutPrefix(w, "--agent=")
		if w == "--agent" && i+3 < len(words) {
			name, joined = words[i+3], true
		}
		if joined {
			return slices.Contains([]string{spelling.Fold(t.Agent.Name), "auto"}, spelling.Fold(name))
		}
	}
	return false
}

// Program is the word by which an agent finds this luahook: its name if that's what the name stands for in PATH, else
// its absolute path. executable is the path of the running program.
func Program(executable string, lookPath func(name string) (string, error)) (string, error) {
	self, err := os.Stat(executable)
	if err != nil {
		return "", fmt.Errorf("luahook's own file can't be found: %w", err)
	}
	if strings.HasPrefix(filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(executable)))), "go-build") {
		return "", errors.New("this luahook was started by `go run`, and its file goes away; build it and start that")
	}
	if path, err := lookPath("luahook"); err == nil {
		if named, err := os.Stat(path); err == nil && os.SameFile(self, named) {
			return "luahook", nil
		}
	}
	if !filepath.IsAbs(executable) {
		return "", fmt.Errorf("the path of luahook's own file isn't absolute: %s", executable)
	}
	return executable, nil
}
