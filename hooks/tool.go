package hooks

import (
	"time"

	"github.com/luahook/luahook/internal/spelling"
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
// Values in Input and Output are those of encoding/json, whole numbers as int64; others are
// made that once the call is complete, see [PlainValue].
type ToolCall struct {
	ID       string
	Name     string         // canonical where we know the tool (bash, read, write, edit, search, web, agent, mcp__server__tool), else the host's own
	HostName string         // as the host wrote it
	Kind     Kind           // inferred from the name where the host doesn't say; a known shell, also one of an MCP server, can't be said to be something else
	Command  string         // the shell text of a shell tool
	Paths    []string       // the files it names, as written
	Input    map[string]any // the whole argument object
	Output   any            // what the tool answered: text, or the host's object
	Outcome  Outcome        // of a call that is over
	Duration time.Duration  // JSON: duration_ms
	Place    Place          // where it takes place, which is the engine's word; not in JSON
}

// complete makes done a copy with name, kind, input, command and paths filled in, and what is
// in it made plain. The memory of done's paths is used again.
func (t *ToolCall) complete(done *ToolCall, p *plainer) error {
	buf := done.Paths[:0]
	*done = *t
	if t.Input != nil {
		plain, fresh, bad := p.object(t.Input, 0)
		if bad != nil {
			return bad.of("tool_call.input")
		}
		if fresh {
			done.Input, _ = plain.(map[string]any)
		}
	}
	if t.Output != nil {
		plain, fresh, bad := p.value(t.Output, 0)
		if bad != nil {
			return bad.of("tool_call.output")
		}
		if fresh {
			done.Output = plain
		}
	}
	if done.HostName == "" {
		done.HostName = t.Name
	}
	if done.Name == "" {
		done.Name = done.HostName
	}
	if done.Name == "" {
		if t.Command == "" {
			return fieldError("tool_call.name", "missing")
		}
		done.Name, done.HostName = "bash", "bash" // shell text and no name: a shell
	}
	canonical, kind := CanonicalTool(done.Name)
	if done.HostName != done.Name {
		name, host := CanonicalTool(done.HostName)
		if host == KindShell && kind != KindShell && kind != KindOther {
			return fieldError("tool_call.name", "is %q, but %s is a shell tool", done.Name, done.HostName)
		}
		if kind == KindOther && host != KindOther {
			canonical, kind = name, host
		}
	}
	if kind == KindMCP && runsCommands(canonical) && (t.Command != "" || looksLikeShell(done.Input)) {
		kind = KindShell
		if done.Kind == KindMCP {
			done.Kind = ""
		}
	}
	switch {
	case done.Kind == "":
		done.Name, done.Kind = canonical, kind
		if kind == KindOther && (t.Command != "" || looksLikeShell(done.Input)) {
			done.Kind = KindShell // only shell tools have shell text
		}
	case !done.Kind.valid():
		return fieldError("tool_call.kind", "unknown kind %q%s", string(done.Kind), spelling.DidYouMean(string(done.Kind), kinds))
	case done.Kind == kind:
		done.Name = canonical
	case kind == KindShell: // a shell under another name would pass by the guards of shells
		return fieldError("tool_call.kind", "is %q, but %s is a shell tool; leave it out", done.Kind, done.HostName)
	}
	if done.Outcome != "" && !done.Outcome.valid() {
		return fieldError("tool_call.outcome", "unknown outcome %q%s", string(done.Outcome), spelling.DidYouMean(string(done.Outcome), outcomes))
	}
	if t.Input == nil {
		if t.Command == "" {
			return nil
		}
		done.Input = map[string]any{"command": t.Command}
	}
	return done.derive(buf)
}

// derive sets Command and Paths from Input. Paths stand in buf where it is long enough.
func (t *ToolCall) derive(buf []string) error {
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
	t.Paths = union(pathsOf(buf, t.Kind, t.Input), t.Paths)
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

var toolKeys = []string{"id", "name", "host_name", "kind", "command", "paths", "files", "input", "output", "outcome", "duration_ms"}

// Keys lists the fields that [ToolCall.Value] knows.
func (t *ToolCall) Keys() []string { return toolKeys }

// Text is the field where it is a text; see [Context.Text].
func (t *ToolCall) Text(name string) (text string, present bool) {
	switch name {
	case "command":
		return t.Command, t.Command != "" || t.Kind == KindShell
	case "name":
		text = t.Name
	case "kind":
		text = string(t.Kind)
	case "id":
		text = t.ID
	case "host_name":
		text = t.HostName
	case "outcome":
		text = string(t.Outcome)
	}
	return text, text != ""
}

// Value is the field of that JSON name; see [Context.Value].
func (t *ToolCall) Value(name string) (value any, known bool) {
	switch name {
	case "command":
		if t.Kind == KindShell {
			return t.Command, true // "" where it has none, so that a guard can look at it
		}
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
		return anyList(t.Paths), true
	case "files":
		return anyList(t.Files()), true
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

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i, s := range texts {
		list[i] = s
	}
	return list
}
