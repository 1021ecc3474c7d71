package hooks

import (
	"path"
	"strings"
	"time"
)

// Kind says what a tool does, whatever its host calls it.
type Kind string

// The kinds of tools.
const (
	KindShell  Kind = "shell"
	KindRead   Kind = "read"
	KindWrite  Kind = "write"
	KindEdit   Kind = "edit"
	KindSearch Kind = "search"
	KindWeb    Kind = "web"
	KindMCP    Kind = "mcp"
	KindAgent  Kind = "agent"
	KindOther  Kind = "other"
)

var kinds = []string{"shell", "read", "write", "edit", "search", "web", "mcp", "agent", "other"}

// Outcome says how a tool call ended.
type Outcome string

// The outcomes; a panic is an error.
const (
	OutcomeOK      Outcome = "ok"
	OutcomeError   Outcome = "error"
	OutcomeDenied  Outcome = "denied"
	OutcomeTimeout Outcome = "timeout"
)

var outcomes = []string{"ok", "error", "denied", "timeout"}

// ToolCall is one call of a tool. Input is the truth: where it is present,
// Command and Paths are derived from it, and a Command that was given and says
// something else is an error. With Command alone, Input is {command = ...}.
// Values in Input and Output are those of encoding/json, whole numbers as int64.
type ToolCall struct {
	ID       string
	Name     string         // canonical where we know the tool (bash, read, write, edit, search, web, agent, mcp__server__tool), else the host's own
	HostName string         // as the host wrote it
	Kind     Kind           // inferred from the name where the host doesn't say; a known shell can't be said to be something else
	Command  string         // the shell text of a shell tool
	Paths    []string       // the files it names, as written
	Input    map[string]any // the whole argument object
	Output   any            // what the tool answered: text, or the host's object
	Outcome  Outcome        // of a call that is over
	Duration time.Duration  // JSON: duration_ms
}

// complete returns a copy with name, kind, input, command and paths filled in.
func (t *ToolCall) complete() (*ToolCall, error) {
	done := *t
	if done.HostName == "" {
		done.HostName = t.Name
	}
	if done.Name == "" {
		done.Name = done.HostName
	}
	if done.Name == "" {
		if t.Command == "" {
			return nil, fieldError("tool_call.name", "missing")
		}
		done.Name, done.HostName = "bash", "bash" // shell text and no name: a shell
	}
	canonical, kind := CanonicalTool(done.Name)
	if kind == KindOther && done.HostName != done.Name {
		if name, k := CanonicalTool(done.HostName); k != KindOther {
			canonical, kind = name, k
		}
	}
	switch {
	case done.Kind == "":
		done.Name, done.Kind = canonical, kind
		if kind == KindOther && t.Command != "" {
			done.Kind = KindShell // only shell tools have shell text
		}
	case !done.Kind.valid():
		return nil, fieldError("tool_call.kind", "unknown kind %q%s", done.Kind, DidYouMean(string(done.Kind), kinds))
	case done.Kind == kind:
		done.Name = canonical
	case kind == KindShell: // a shell under another name would pass by the guards of shells
		return nil, fieldError("tool_call.kind", "is %q, but %s is a shell tool; leave it out", done.Kind, done.HostName)
	}
	if done.Outcome != "" && !done.Outcome.valid() {
		return nil, fieldError("tool_call.outcome", "unknown outcome %q%s", done.Outcome, DidYouMean(string(done.Outcome), outcomes))
	}
	if t.Input == nil {
		if t.Command == "" {
			return &done, nil
		}
		done.Input = map[string]any{"command": t.Command}
	}
	return &done, done.derive()
}

// derive sets Command and Paths from Input.
func (t *ToolCall) derive() error {
	command, err := commandOf(t.Kind, t.Input)
	if err != nil {
		return err
	}
	if t.Command != "" && t.Kind != KindShell {
		return fieldError("tool_call.command", "only a shell tool has one, and %s is of kind %s; put it into tool_call.input", t.Name, t.Kind)
	}
	if t.Command != "" && command != t.Command {
		return fieldError("tool_call.command", "says something else than tool_call.input; leave it out")
	}
	t.Command = command
	if paths := pathsOf(t.Kind, t.Input); paths != nil {
		t.Paths = paths
	}
	return nil
}

func (k Kind) valid() bool    { return contains(kinds, string(k)) }
func (o Outcome) valid() bool { return contains(outcomes, string(o)) }

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// Where hosts keep the shell text, in the order in which we look.
var commandKeys = []string{"command", "cmd", "command_line", "commandLine", "CommandLine", "script", "code"}

// commandOf finds the shell text of a shell tool's input. An array is an argument
// vector: its words are quoted for the shell. Two keys that disagree are an error,
// because the host may run either.
func commandOf(kind Kind, input map[string]any) (string, error) {
	if kind != KindShell {
		return "", nil
	}
	found, from := "", ""
	for _, key := range commandKeys {
		v, ok := input[key]
		if !ok || v == nil {
			continue
		}
		var text string
		switch v := v.(type) {
		case string:
			text = v
		case []any:
			words := make([]string, len(v))
			for i, w := range v {
				s, ok := w.(string)
				if !ok {
					return "", fieldError("tool_call.input."+key, "want text or a list of words, got %s in the list", typeName(w))
				}
				words[i] = s
			}
			text = joinWords(words)
		default:
			return "", fieldError("tool_call.input."+key, "want text or a list of words, got %s", typeName(v))
		}
		if from != "" && text != found {
			return "", fieldError("tool_call.input."+key, "says something else than %s", from)
		}
		found, from = text, key
	}
	return found, nil
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

// Where hosts keep the names of files.
var pathKeys = []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "filename", "file", "dir_path", "directory", "target_directory", "source", "destination", "old_path", "new_path"}
var pathListKeys = []string{"paths", "file_paths", "files", "edits"}

// pathsOf lists the files that a tool's input names; shell text names its files
// only when it is parsed.
func pathsOf(kind Kind, input map[string]any) []string {
	if kind == KindShell || kind == KindWeb || kind == KindAgent {
		return nil
	}
	var paths []string
	add := func(v any) {
		if s, ok := v.(string); ok && s != "" && !strings.ContainsAny(s, "\n\x00") && !contains(paths, s) {
			paths = append(paths, s)
		}
	}
	for _, key := range pathKeys {
		add(input[key])
	}
	for _, key := range pathListKeys {
		list, _ := input[key].([]any)
		for _, e := range list {
			add(e)
			if o, ok := e.(map[string]any); ok {
				for _, k := range pathKeys {
					add(o[k])
				}
			}
		}
	}
	if kind == KindEdit {
		for _, key := range []string{"patch", "input", "diff", "command"} {
			if text, ok := input[key].(string); ok {
				for _, p := range patchedFiles(text) {
					add(p)
				}
			}
		}
	}
	return paths
}

// patchedFiles reads the files that a patch touches: the "*** Update File:" lines
// of apply_patch, and the "---" and "+++" lines of a unified diff.
func patchedFiles(text string) []string {
	var files []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if f, ok := strings.CutPrefix(line, mark); ok {
				files = append(files, strings.TrimSpace(f))
			}
		}
		for _, mark := range [][2]string{{"--- ", "a/"}, {"+++ ", "b/"}} {
			if f, ok := strings.CutPrefix(line, mark[0]); ok {
				f, _, _ = strings.Cut(f, "\t")
				if f = strings.TrimPrefix(f, mark[1]); f != "" && f != "/dev/null" {
					files = append(files, path.Clean(f))
				}
			}
		}
	}
	return files
}

var toolKeys = []string{"id", "name", "host_name", "kind", "command", "paths", "input", "output", "outcome", "duration_ms"}

// Keys lists the fields that [ToolCall.Value] knows.
func (t *ToolCall) Keys() []string { return toolKeys }

// Value is the field of that JSON name; see [Context.Value].
func (t *ToolCall) Value(name string) (value any, known bool) {
	switch name {
	case "command":
		return orNil(t.Command), true
	case "name":
		return orNil(t.Name), true
	case "kind":
		return orNil(string(t.Kind)), true
	case "id":
		return orNil(t.ID), true
	case "host_name":
		return orNil(t.HostName), true
	case "paths":
		list := make([]any, len(t.Paths))
		for i, p := range t.Paths {
			list[i] = p
		}
		return list, true
	case "input":
		if t.Input == nil {
			return map[string]any{}, true
		}
		return t.Input, true
	case "output":
		return t.Output, true
	case "outcome":
		return orNil(string(t.Outcome)), true
	case "duration_ms":
		return milliseconds(t.Duration), true
	}
	return nil, false
}
