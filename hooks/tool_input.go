package hooks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// The keys for shell text and for its arguments, folded.
var (
	commandKeys  = []string{"command", "cmd", "commandline", "script", "code", "commands", "shellcommand"}
	shellKeys    = []string{"command", "cmd", "commandline", "commands"} // those that only shell tools have
	listKeys     = []string{"commands"}                                  // those with several commands
	argumentKeys = []string{"args", "arguments", "argv"}
)

// keysOf lists the keys of input whose folded form is one of names, in the order of names. The list uses buf if
// it is long enough.
func keysOf(buf []string, input map[string]any, names []string) []string {
	keys := buf[:0]
	for key, v := range input {
		if rank(names, key) >= 0 && v != nil {
			keys = append(keys, key)
		}
	}
	if len(keys) > 1 {
		slices.SortFunc(keys, func(a, b string) int {
			return cmp.Or(rank(names, a)-rank(names, b), strings.Compare(a, b))
		})
	}
	return keys
}

// rank returns the index of the folded key among the names; -1 if it is none of them.
func rank(names []string, key string) int {
	var buf [32]byte // enough for a name
	folded := spelling.AppendFolded(buf[:0], key)
	for i, name := range names {
		if name == string(folded) {
			return i
		}
	}
	return -1
}

// commandOf returns the shell text of a shell tool's input. A list is an argument vector: its words are quoted
// for the shell, but a single word is text. For a list of commands see [commandsOf]. Two keys that disagree are an
// error, because the host may run either.
func commandOf(kind Kind, input map[string]any) (string, error) {
	if kind != KindShell {
		return "", nil
	}
	if text, ok := input["command"].(string); ok && saysOnly("command", input) {
		return text, nil // as nearly every host writes it
	}
	found, from := "", ""
	var buf [4]string
	for _, key := range keysOf(buf[:], input, commandKeys) {
		text, ok := input[key].(string)
		if !ok && rank(listKeys, key) >= 0 {
			var err error
			if text, err = commandsOf(key, input[key]); err != nil {
				return "", err
			}
		} else if !ok {
			words, err := wordsOf(key, input[key])
			if err != nil {
				return "", err
			}
			if text = joinWords(words); len(words) == 1 {
				text = words[0]
			}
		}
		if from != "" && text != found {
			return "", fieldError("tool_call.input."+key, "differs from %s", from)
		}
		found, from = text, key
	}
	if from == "" {
		return "", nil
	}
	for _, key := range keysOf(buf[:], input, argumentKeys) {
		words, err := wordsOf(key, input[key])
		if err != nil {
			return "", err
		}
		found = strings.TrimSpace(found + " " + joinWords(words))
	}
	return found, nil
}

// commandsOf returns the shell text of a list of commands: texts, argument vectors, and objects like the input of
// a shell tool. The host runs each in a shell of its own. So several are several shells, a line each: in one text a
// here-document of the first could hide the second, and a cd would count for all.
func commandsOf(key string, v any) (string, error) {
	list := []any{v}
	switch v := v.(type) {
	case []any:
		list = v
	case []string:
		list = anyList(v)
	}
	var lines []string
	for _, v := range list {
		line, err := "", error(nil)
		switch v := v.(type) {
		case string:
			line = v
		case map[string]any:
			if len(keysOf(nil, v, listKeys)) == 0 {
				line, err = commandOf(KindShell, v)
			}
			if line == "" && err == nil {
				err = fieldError("tool_call.input."+key, "want a command in each entry")
			}
		default:
			var words []string
			words, err = wordsOf(key, v)
			line = joinWords(words)
		}
		if err != nil {
			return "", err
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 1 {
		for i, line := range lines {
			lines[i] = "bash -c " + joinWords([]string{line})
		}
	}
	return strings.Join(lines, "\n"), nil
}

// saysOnly reports whether no other key of the input has shell text or arguments.
func saysOnly(key string, input map[string]any) bool {
	if len(input) == 1 {
		return true
	}
	for other := range input {
		if other == key {
			continue
		}
		if rank(commandKeys, other) >= 0 || rank(argumentKeys, other) >= 0 {
			return false
		}
	}
	return true
}

// wordsOf reads an argument vector.
func wordsOf(key string, v any) ([]string, error) {
	switch v := v.(type) {
	case []string:
		return v, nil
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			s, ok := w.(string)
			if !ok {
				return nil, fieldError("tool_call.input."+key, "want text or a list of words, got %s in the list", typeName(w))
			}
			words[i] = s
		}
		return words, nil
	case string:
		if slices.Contains(argumentKeys, spelling.Fold(key)) {
			return []string{v}, nil
		}
	}
	return nil, fieldError("tool_call.input."+key, "want text or a list of words, got %s", typeName(v))
}

// looksLikeShell reports whether the input of an unknown tool has shell text: a guard should look at too much
// rather than skip a tool because of its name.
func looksLikeShell(input map[string]any) bool {
	for _, key := range keysOf(nil, input, shellKeys) {
		if rank(listKeys, key) >= 0 { // which other tools have as well
			if text, err := commandsOf(key, input[key]); err == nil && text != "" {
				return true
			}
			continue
		}
		switch input[key].(type) {
		case string, []any, []string:
			return true
		}
	}
	return false
}

// hasArguments reports whether shell text has more than one word, or arguments beside it. One word is often the
// name of what a tool shall do, such as view.
func hasArguments(input map[string]any) bool {
	for _, key := range keysOf(nil, input, argumentKeys) {
		if words, err := wordsOf(key, input[key]); err == nil && len(words) > 0 {
			return true
		}
	}
	for _, key := range keysOf(nil, input, shellKeys) {
		if text, err := commandsOf(key, input[key]); err == nil && strings.ContainsAny(strings.TrimSpace(text), " \t\n;|&") {
			return true
		}
	}
	return false
}

// joinWords writes an argument vector as shell text.
func joinWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%=") == "" {
			quoted[i] = w
			continue
		}
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
