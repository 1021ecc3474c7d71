package hooks

import (
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// typedKeys are the keys for text that a tool types into a shell, folded.
var typedKeys = []string{"input", "chars", "inputtext", "text", "data", "keys", "command"}

// typesIntoShell reports whether a tool types text into a shell that is already running. spelling is folded.
func typesIntoShell(spelling string) bool {
	switch strings.TrimPrefix(spelling, "functions") {
	case "writebash", "writepowershell", "sendtoterminal", "writestdin", "writeshellstdin", "writeprocess", "sendcommandinput",
		"interactwithprocess", "ptywrite", "writetoterminal", "writetoprocess":
		return true
	}
	return false
}

// toolOfServer returns the folded name of a tool, without that of the MCP server that it may have.
func toolOfServer(buf []byte, name string) []byte {
	name = strings.TrimSpace(name)
	name = name[strings.LastIndex(name, "__")+1:]
	name = name[strings.LastIndexAny(name, ".:")+1:]
	return spelling.AppendFolded(buf, name)
}

// shellText returns the shell text of a shell tool's call; "" if it has none.
func (t *ToolCall) shellText() (string, error) {
	if t.Kind != KindShell {
		return "", nil
	}
	var buf [32]byte
	for _, name := range [...]string{t.HostName, t.Name} {
		if name == "bash" || name == "Bash" { // mostly, and it takes time to read names
			continue
		}
		tool := toolOfServer(buf[:0], name)
		if typesIntoShell(string(tool)) {
			return typedText(t.Input)
		}
		if task, ok := t.Input["task"].(map[string]any); ok && string(tool) == "createandruntask" {
			return commandOf(KindShell, task)
		}
	}
	return commandOf(KindShell, t.Input)
}

// typesForServer reports whether an MCP server's tool types text into a shell, by its name and its input.
func typesForServer(name string, input map[string]any) bool {
	return typesIntoShell(string(toolOfServer(nil, name))) && len(keysOf(nil, input, typedKeys)) > 0
}

// typedText returns the text that a tool types into a shell; "" if there is none, or if it can't be known what the
// shell reads. Two keys that disagree are an error, because the host may type either.
func typedText(input map[string]any) (string, error) {
	found, from := "", ""
	for _, key := range keysOf(nil, input, typedKeys) {
		text, ok := input[key].(string)
		if !ok {
			return "", fieldError("tool_call.input."+key, "want text, got %s", typeName(input[key]))
		}
		if from != "" && text != found {
			return "", fieldError("tool_call.input."+key, "differs from %s", from)
		}
		found, from = text, key
	}
	if from == "" {
		return "", nil
	}
	return linesTyped(found), nil
}

// linesTyped returns the lines that a shell reads when a text is typed. Keys are control characters, or words in
// braces as GitHub Copilot has them: {enter}. A key that moves in the line, brings back an old one or completes a word
// leaves nobody knowing what the shell reads: then it's "". Keys that only end a line are line ends.
func linesTyped(text string) string {
	text = strings.NewReplacer("{enter}", "\n", "\r\n", "\n", "\r", "\n", "\x03", "\n", "\x04", "\n", "\x1a", "\n").Replace(text)
	for _, key := range []string{"{up}", "{down}", "{left}", "{right}", "{backspace}"} {
		if strings.Contains(text, key) {
			return ""
		}
	}
	before := '\n'
	for _, r := range text {
		completes := r == '\t' && !strings.ContainsRune("\n\t ", before)
		if completes || r == 0x7f || r < ' ' && r != '\n' && r != '\t' {
			return ""
		}
		before = r
	}
	if text == "" {
		return "\n" // the enter key alone
	}
	return text
}
