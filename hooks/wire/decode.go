package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// Call is one call of the hook command: an event, and whose answer is written.
type Call struct {
	Agent   *Agent
	Event   *Event
	Context *hooks.Context // complete; nil where the event can't be used

	http    bool // the answer goes to an http hook
	guessed bool // which event it is nobody has said, or the table doesn't have it: Event is that of a tool call
	wrapped bool // the tool's input is no object as the agent has it, so that it can't be rewritten
}

// ForHTTP is the same call, whose answer goes to a hook of the agent that is an address instead of a command: where
// the agent knows such hooks, it's told as JSON what a command says by its exit status. What it can't be told so is
// still encoded with another status than 0.
func (c *Call) ForHTTP() *Call {
	call := *c
	call.http = true
	return &call
}

// Decode reads an event as the agent has sent it. event is what the command line calls it, for agents that don't say
// it in the JSON; "" where nobody does. Keys that nobody knows go to Metadata. An event that the table doesn't have
// is read as a tool call if it has a tool in it; otherwise it's one of the agent's own ("claude.new_event").
//
// The call is never nil, and can be answered even if there is an error: an [*hooks.InputError] or an
// [*hooks.UnknownEventError].
func (a *Agent) Decode(data []byte, event string) (*Call, error) {
	c := &Call{Agent: a, Event: a.EventNamed(event)}
	if c.Event == nil {
		c.Event, c.guessed = a.unknownEvent(event), true
	}
	if len(data) > hooks.MaxEventBytes {
		return c, &hooks.InputError{Offset: hooks.MaxEventBytes, Message: "larger than 16 MiB, cut off"}
	}
	v, err := hooks.DecodeJSON(data)
	if err != nil {
		return c, err
	}
	in, ok := v.(map[string]any)
	if !ok {
		return c, &hooks.InputError{Offset: 0, Message: "want a JSON object"}
	}
	return c, c.read(in, event)
}

// unnamed is what is wrong with an event of which nobody says what happens.
const unnamed = "missing"

// IsUnnamed reports whether an error of [Agent.Decode] says that neither the JSON nor the caller tells what happens.
// Whoever calls it knows how that is told.
func IsUnnamed(err error) bool {
	var bad *hooks.InputError
	return errors.As(err, &bad) && bad.Field == eventKeys[0] && bad.Message == unnamed
}

// eventKeys are where agents say what happens.
var eventKeys = hooks.AgentKeys("event")

// read makes the context of what was sent.
func (c *Call) read(in object, event string) error {
	name := in.text(eventKeys...)
	if name == "" {
		name = event
	}
	if name == "" {
		return &hooks.InputError{Field: eventKeys[0], Offset: -1, Message: unnamed}
	}
	_, isTool := in.first(toolNameKeys...)
	c.Event, c.guessed = c.Agent.EventNamed(name), false
	switch {
	case c.Event != nil:
	case isTool && !in.has(outputKeys...):
		c.Event, c.guessed = c.Agent.unknownEvent(name), true
	default:
		c.Event = &Event{Name: name, Event: ownEvent(c.Agent, name)}
	}
	own := *c.Event
	c.Event = &own // of this call alone, so that prepare may change it
	if c.Agent.prepare != nil {
		c.Agent.prepare(c.Event, in)
	}
	x, err := c.context(in)
	if err != nil {
		return err
	}
	c.Context, err = x.Complete()
	return err
}

// ownEvent is what an event is called that the catalogue doesn't have.
func ownEvent(a *Agent, name string) hooks.Event {
	if e, known := hooks.KnownEvent(name); known {
		return e
	}
	return hooks.Event(a.Name + "." + spelling.Fold(name))
}

// The keys under which agents give the same things, each in the order in which they count.
var (
	sessionKeys  = hooks.AgentKeys("session_id")
	folderKeys   = hooks.AgentKeys("cwd")
	rootKeys     = hooks.AgentKeys("root")
	modelKeys    = hooks.AgentKeys("model")
	promptKeys   = hooks.AgentKeys("prompt")
	responseKeys = hooks.AgentKeys("response")
	toolNameKeys = hooks.AgentKeys("tool_call.name")
	toolKeys     = hooks.AgentKeys("tool_call.input")
	agentKeys    = append([]string{"agent_name"}, hooks.AgentKeys("agent_name")...)
	callKeys     = hooks.AgentKeys("tool_call.id")
	outputKeys   = hooks.AgentKeys("tool_call.output")
	errorKeys    = hooks.AgentKeys("error")
	durationKeys = hooks.AgentKeys("tool_call.duration_ms")
)

// fieldKeys are what agents call an event's own fields, besides the catalogue's name.
var fieldKeys = func() (list []struct{ field, key string }) {
	for _, field := range []string{"type", "summary", "token_count", "title", "description", "result", "reason"} {
		for _, key := range hooks.AgentKeys(field) {
			list = append(list, struct{ field, key string }{field, key})
		}
	}
	return list
}()

// context takes the fields out of in; the rest becomes metadata.
func (c *Call) context(in object) (*hooks.Context, error) {
	info := hooks.Lookup(c.Event.Event)
	if info == nil {
		return nil, &hooks.UnknownEventError{Name: c.Event.Name}
	}
	x := &hooks.Context{
		Event: c.Event.Event, SessionID: in.text(sessionKeys...), AgentName: in.text(agentKeys...), CWD: in.text(folderKeys...), Model: in.text(modelKeys...),
		AgentID: in.text("agent_id"), ParentAgentID: in.text("parent_agent_id"), Prompt: in.text(promptKeys...),
		Response: in.text(responseKeys...),
	}
	if roots, ok := in.first(rootKeys...); ok && x.CWD == "" {
		if list, _ := roots.([]any); len(list) > 0 {
			x.CWD, _ = list[0].(string)
		}
	}
	if parent, given := in["parent_agent_id"]; x.AgentID != "" && (!given || parent != nil) {
		x.AgentDepth = 1
	}
	if active, _ := in["stop_hook_active"].(bool); active {
		x.LoopCount = 1
	}
	if n, ok := in["loop_count"].(int64); ok {
		x.LoopCount = int(n)
		delete(in, "loop_count")
	}
	var err error
	if x.ToolCall, err = c.toolCall(in, info); err != nil {
		return nil, err
	}
	if info.Field("error") != nil {
		x.Error = failure(in)
	}
	if x.ToolCall != nil && c.Event.Event == hooks.PostToolCall && x.ToolCall.Outcome == "" {
		x.ToolCall.Outcome = outcome(x.Error, strings.HasSuffix(c.Event.Name, "Failure"))
	}
	x.Usage = usage(in)
	x.Fields = fields(in, info)
	x.Metadata = in
	return x, nil
}

// fields takes the event's own fields.
func fields(in object, info *hooks.EventInfo) map[string]any {
	own := map[string]any{}
	take := func(field, key string) {
		f := info.Field(field)
		v, given := in[key]
		if f == nil || !given || v == nil || own[field] != nil || !f.Type.Holds(v) {
			return
		}
		if _, common := new(hooks.Context).Value(field); common {
			return // it's in the context itself
		}
		own[field] = v
		delete(in, key)
	}
	for i := range info.Fields {
		take(info.Fields[i].Name, info.Fields[i].Name)
	}
	for _, alias := range fieldKeys {
		take(alias.field, alias.key)
	}
	return own
}

// toolCall takes the tool call of an event that has one.
func (c *Call) toolCall(in object, info *hooks.EventInfo) (*hooks.ToolCall, error) {
	i := slices.IndexFunc(info.Fields, func(f hooks.Field) bool { return f.Name == "tool_call" })
	if i < 0 {
		return nil, nil
	}
	name := in.text(toolNameKeys...)
	switch {
	case name != "":
	case info.Fields[i].Required:
		return nil, &hooks.InputError{Field: toolNameKeys[0], Offset: -1, Message: "missing"}
	default: // an event of the agent's own, which isn't about a tool
		return nil, nil
	}
	call := &hooks.ToolCall{Name: name, ID: in.text(callKeys...)}
	input, given := in.take(toolKeys...)
	if !given && info.Name == hooks.PreToolCall && needsInput(name) {
		return nil, &hooks.InputError{Field: toolKeys[0], Offset: -1, Message: "missing: nobody can judge " + name + " without its arguments"}
	}
	var err error
	if call.Input, c.wrapped, err = toolInput(name, input); err != nil {
		return nil, err
	}
	if _, kind := hooks.CanonicalTool(name); kind == hooks.KindShell { // one of an MCP server has keys of its own
		call.FolderKeys = c.Agent.shellFolder
	}
	if v, ok := in.take(outputKeys...); ok {
		call.Output = v
	}
	if v, ok := in.take(durationKeys...); ok {
		call.Duration = milliseconds(v)
	}
	return call, nil
}

// needsInput reports whether a tool does nothing without arguments. Where they are missing, the agent has given them
// another name.
func needsInput(tool string) bool {
	switch _, kind := hooks.CanonicalTool(tool); kind {
	case hooks.KindShell, hooks.KindWrite, hooks.KindEdit:
		return true
	}
	return false
}

// mcpTool is the name of an MCP server's tool as hooks know it.
func mcpTool(server, tool string) string { return "mcp__" + server + "__" + tool }

// toolInput makes an object of a tool's arguments, which may be JSON in a text, or anything at all. It returns
// whether they are another thing than that object. A text that is meant to be an object and can't be read is an
// error, because the agent may find something else in it than we do.
func toolInput(tool string, input any) (object map[string]any, wrapped bool, err error) {
	if text, ok := input.(string); ok {
		v, err := hooks.DecodeJSON([]byte(text))
		if object, ok := v.(map[string]any); ok {
			return object, true, nil
		}
		if err != nil && strings.HasPrefix(strings.TrimSpace(text), "{") {
			return nil, false, &hooks.InputError{Field: toolKeys[0], Offset: -1, Message: "looks like JSON in a text, and isn't: " + err.Error()}
		}
		if _, kind := hooks.CanonicalTool(tool); kind == hooks.KindShell {
			if words, ok := v.([]any); ok {
				return map[string]any{"command": words}, true, nil
			}
			return map[string]any{"command": text}, true, nil
		}
	}
	switch input := input.(type) {
	case nil:
		return map[string]any{}, false, nil
	case map[string]any:
		return input, false, nil
	case []any: // of words
		if _, kind := hooks.CanonicalTool(tool); kind == hooks.KindShell {
			return map[string]any{"command": input}, true, nil
		}
	}
	return map[string]any{"input": input}, true, nil
}

// outcome is how a tool call has ended: by the error that came with it, or by the name of the event.
func outcome(e *hooks.ErrorInfo, failure bool) hooks.Outcome {
	switch {
	case e == nil && !failure:
		return hooks.OutcomeOK
	case e != nil && e.Kind == "timeout":
		return hooks.OutcomeTimeout
	case e != nil && slices.Contains([]string{"permission_denied", "denied", "rejected"}, e.Kind):
		return hooks.OutcomeDenied
	}
	return hooks.OutcomeError
}

// failure takes what went wrong: a text, or an object with a message.
func failure(in object) *hooks.ErrorInfo {
	v, ok := in.take(errorKeys...)
	if !ok {
		return nil
	}
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil
		}
		return &hooks.ErrorInfo{Message: v}
	case map[string]any:
		e := object(v)
		info := &hooks.ErrorInfo{Message: e.text("message", "error"), Kind: e.text("name", "type", "kind", "code")}
		if retryable, ok := e["is_retryable"].(bool); ok {
			info.IsRetryable = retryable
			delete(e, "is_retryable")
		}
		if len(e) > 0 { // the rest is metadata
			in[errorKeys[0]] = v
		}
		return info
	}
	return &hooks.ErrorInfo{Message: fmt.Sprint(v)}
}

// usage takes the tokens that were used; nil if nobody says.
func usage(in object) *hooks.Usage {
	counts := in.inner("usage")
	if counts == nil {
		return nil
	}
	count := func(key string) int64 {
		n, ok := counts[key].(int64)
		if ok || counts[key] == nil {
			delete(counts, key)
		}
		return n
	}
	u := &hooks.Usage{InputTokens: count("input_tokens"), OutputTokens: count("output_tokens"), CacheTokens: count("cache_tokens")}
	in.putBack("usage", counts)
	if *u == (hooks.Usage{}) {
		return nil
	}
	return u
}

// milliseconds reads a duration.
func milliseconds(v any) time.Duration {
	switch n := v.(type) {
	case int64:
		if n > 0 && n < 1e12 {
			return time.Duration(n) * time.Millisecond
		}
	case float64:
		if n > 0 && n < 1e12 {
			return time.Duration(n * float64(time.Millisecond))
		}
	}
	return 0
}
