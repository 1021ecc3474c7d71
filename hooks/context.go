package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/spelling"
)

// Context is what a hook receives about one event. The engine never changes the Context it is given; hooks get
// copies.
//
// The struct's fields are those that hooks of any event may ask for. A field that belongs to one event alone
// (attempt of on_retry, branches of parallel_join ...) is in Fields, under its name in the catalogue.
type Context struct {
	Event         Event
	SessionID     string
	RunID         string
	IssueID       string
	AgentID       string
	ParentAgentID string
	AgentDepth    int // 0 for the top agent
	AgentName     string
	CWD           string
	Root          string // the project's root, absolute; set by the engine
	Model         string
	Prompt        string
	Response      string
	ToolCall      *ToolCall
	Error         *ErrorInfo
	Usage         *Usage
	LoopCount     int
	Metadata      map[string]any // keys that the catalogue doesn't know
	Fields        map[string]any // the event's own fields
	Judging       bool           // set by the engine in the judging round
	Spelling      string         // the hook's own name for the event; "": as Event. Set by the engine
}

// ErrorInfo is the error of an event. JSON: error {message, kind, is_retryable, hook, source,
// event}.
type ErrorInfo struct {
	Message     string
	Kind        string // the host's word: "network", "timeout", "rate_limit" ...
	IsRetryable bool

	// Hook, Source and Event belong to the failure of a hook (Kind [ErrorOfHook]): its name, file:line, and the
	// event that it was called for.
	Hook   string
	Source string
	Event  Event
}

// ErrorOfHook is the kind of an error that reports a failed hook; the engine fires on_error with it.
const ErrorOfHook = "hook"

// Usage counts tokens and money. JSON: usage {input_tokens, output_tokens,
// cache_tokens, cost_usd}.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
	CacheTokens  int64
	CostUSD      float64
}

var errNoEvent = &InputError{Offset: -1, Message: "there is none (nil)"}

// InputError is the error of an event that can't be used. It names the field, or the byte offset where the text
// stopped being JSON.
type InputError struct {
	Field   string // "tool_call.name"; empty where no field is to blame
	Offset  int64  // byte offset from 0; -1 where it isn't known
	Message string
}

func (e *InputError) Error() string {
	switch {
	case e.Field == "event":
		return "event name: " + e.Message
	case e.Field != "":
		return fmt.Sprintf("event: %s: %s", shortened(e.Field, 300), e.Message)
	case e.Offset >= 0:
		return fmt.Sprintf("event: %s at byte %d", e.Message, e.Offset)
	}
	return "event: " + e.Message
}

func fieldError(field, format string, args ...any) *InputError {
	for i, a := range args { // an argument is user text, as a rule
		if text, ok := a.(string); ok {
			args[i] = shortened(text, 1000)
		}
	}
	return &InputError{Field: field, Offset: -1, Message: fmt.Sprintf(format, args...)}
}

// Complete checks the event and returns a copy with everything that can be derived filled in: the canonical
// event, the tool's canonical name, kind, command, paths and input (see [ToolCall]). Input, Output, Fields and
// Metadata are made plain (see [PlainValue]), with one bound for all of them; values that are plain already are
// shared with c. The error is an [*InputError] or an [*UnknownEventError].
func (c *Context) Complete() (*Context, error) {
	done := new(Context)
	if err := c.CompleteInto(done, Lookup(c.Event)); err != nil {
		return nil, err
	}
	return done, nil
}

// CompleteInto is Complete with memory that the caller provides: it overwrites done, done's tool call and that
// call's list of paths, where done has them. A completed call may share its paths with c, so don't provide those
// of an earlier event. info is what [Lookup] returns for the event.
func (c *Context) CompleteInto(done *Context, info *EventInfo) error {
	if info == nil {
		event, err := ParseEvent(string(c.Event))
		if err != nil {
			return err
		}
		info = Lookup(event)
	}
	call := done.ToolCall
	*done = *c
	done.Event = info.Name
	done.Judging, done.Root, done.Spelling = false, "", "" // only the engine sets these
	var p plainer
	if err := done.makePlain(&p); err != nil {
		return err
	}
	for name, v := range c.Fields {
		f := info.own(name)
		if common := commonField(name); common != nil && info.Field(name) != nil {
			return fieldError(name, "set the field of hooks.Context with that name instead of Fields")
		} else if f == nil || common != nil {
			return fieldError(name, "%s has no field of its own by that name%s", info.Name, spelling.DidYouMean(name, info.FieldNames()))
		}
		switch f.Type {
		case Object, List, Record: // a struct counts as an object
			v = done.Fields[name]
		}
		if !f.Type.Holds(v) {
			return fieldError(name, "want %s, got %s", f.Type, typeName(v))
		}
	}
	if c.ToolCall != nil {
		if call == nil {
			call = new(ToolCall)
		}
		if err := c.ToolCall.complete(call, &p); err != nil {
			return err
		}
		done.ToolCall = call
	}
	for i := range info.Fields {
		if f := &info.Fields[i]; f.Required && done.lacks(f.Name) {
			return missingField(info, f, c.Metadata)
		}
	}
	return nil
}

// lacks reports whether a field is absent. A number or a boolean of the Context itself is never absent.
func (c *Context) lacks(name string) bool {
	if name == "tool_call" {
		return c.ToolCall == nil
	}
	v, _ := c.Value(name)
	return v == nil
}

func missingField(info *EventInfo, f *Field, metadata map[string]any) error {
	want := "it"
	if f.Name == "tool_call" {
		want = `it as {"name": ..., "input": {...}}`
	}
	return fieldError(f.Name, "missing; %s needs %s%s", info.Name, want, foreignHint(metadata))
}

// makePlain replaces the values that a host has put into the event's own fields and metadata with plain ones, as
// JSON would hold them.
func (c *Context) makePlain(p *plainer) error {
	p.left = MaxValues
	for _, of := range [...]struct {
		name   string
		values *map[string]any
	}{{"metadata", &c.Metadata}, {"", &c.Fields}} {
		if len(*of.values) == 0 {
			continue
		}
		plain, fresh, bad := p.object(*of.values, 0)
		if bad != nil {
			return fieldError(strings.TrimPrefix(of.name+bad.path, "."), "%s", bad.message)
		}
		if fresh {
			*of.values, _ = plain.(map[string]any)
		}
	}
	return nil
}

// foreignHint recognises an event in another system's spelling.
func foreignHint(metadata map[string]any) string {
	for _, key := range []string{"tool_name", "toolName", "tool_input", "toolArgs", "tool_info"} {
		if _, ok := metadata[key]; ok {
			return fmt.Sprintf("; %q is another agent's spelling", key)
		}
	}
	return ""
}

// Value returns the field with that name as a plain value: a string, bool, int64, float64, map[string]any,
// []any, or a pointer to a record ([*ToolCall], [*ErrorInfo], [*Usage]); nil if it is absent. known reports
// whether the event can have such a field at all.
func (c *Context) Value(name string) (value any, known bool) {
	switch name {
	case "event":
		return cmp.Or(c.Spelling, string(c.Event)), true
	case "canonical_event":
		return string(c.Event), true
	case "session_id":
		return orNil(c.SessionID), true
	case "run_id":
		return orNil(c.RunID), true
	case "issue_id":
		return orNil(c.IssueID), true
	case "agent_id":
		return orNil(c.AgentID), true
	case "parent_agent_id":
		return orNil(c.ParentAgentID), true
	case "agent_depth":
		return int64(c.AgentDepth), true
	case "agent_name":
		return orNil(c.AgentName), true
	case "cwd":
		return orNil(c.CWD), true
	case "root":
		return orNil(c.Root), true
	case "model":
		return orNil(c.Model), true
	case "prompt":
		return orNil(c.Prompt), true
	case "response":
		return orNil(c.Response), true
	case "loop_count":
		return int64(c.LoopCount), true
	case "judging":
		return c.Judging, true
	case "tool_call":
		if c.ToolCall == nil {
			return nil, true
		}
		return c.ToolCall, true
	case "error":
		if c.Error == nil {
			return nil, true
		}
		return c.Error, true
	case "usage":
		if c.Usage == nil {
			return nil, true
		}
		return c.Usage, true
	case "metadata":
		if c.Metadata == nil {
			return map[string]any{}, true
		}
		return c.Metadata, true
	}
	if v, ok := c.Fields[name]; ok {
		return v, true
	}
	info := Lookup(c.Event)
	return nil, info != nil && info.own(name) != nil
}

// Text returns the field with that name if it is a string of the Context itself; present is false if it is
// absent or anything else. Unlike Value it makes no interface value.
func (c *Context) Text(name string) (text string, present bool) {
	switch name {
	case "event":
		text = cmp.Or(c.Spelling, string(c.Event))
	case "canonical_event":
		text = string(c.Event)
	case "session_id":
		text = c.SessionID
	case "run_id":
		text = c.RunID
	case "issue_id":
		text = c.IssueID
	case "agent_id":
		text = c.AgentID
	case "parent_agent_id":
		text = c.ParentAgentID
	case "agent_name":
		text = c.AgentName
	case "cwd":
		text = c.CWD
	case "root":
		text = c.Root
	case "model":
		text = c.Model
	case "prompt":
		text = c.Prompt
	case "response":
		text = c.Response
	}
	return text, text != ""
}

// The keys of the records, in display order.
var (
	errorKeys = []string{"message", "kind", "is_retryable", "hook", "source", "event"}
	usageKeys = []string{"input_tokens", "output_tokens", "cache_tokens", "cost_usd"}
)

// Keys returns the names that [ErrorInfo.Value] knows.
func (e *ErrorInfo) Keys() []string { return errorKeys }

// Value returns the field with that JSON name; see [Context.Value].
func (e *ErrorInfo) Value(name string) (value any, known bool) {
	switch name {
	case "message":
		return orNil(e.Message), true
	case "kind":
		return orNil(e.Kind), true
	case "is_retryable":
		return e.IsRetryable, true
	case "hook":
		return orNil(e.Hook), true
	case "source":
		return orNil(e.Source), true
	case "event":
		return orNil(string(e.Event)), true
	}
	return nil, false
}

// Text returns the field if it is a string; see [Context.Text].
func (e *ErrorInfo) Text(name string) (text string, present bool) {
	switch name {
	case "message":
		text = e.Message
	case "kind":
		text = e.Kind
	case "hook":
		text = e.Hook
	case "source":
		text = e.Source
	case "event":
		text = string(e.Event)
	}
	return text, text != ""
}

// Text finds nothing: no field is a string.
func (u *Usage) Text(string) (text string, present bool) { return "", false }

// Keys returns the names that [Usage.Value] knows.
func (u *Usage) Keys() []string { return usageKeys }

// Value returns the field with that JSON name; see [Context.Value].
func (u *Usage) Value(name string) (value any, known bool) {
	switch name {
	case "input_tokens":
		return u.InputTokens, true
	case "output_tokens":
		return u.OutputTokens, true
	case "cache_tokens":
		return u.CacheTokens, true
	case "cost_usd":
		return u.CostUSD, true
	}
	return nil, false
}

// Keys returns the names that [Context.Value] knows for this event.
func (c *Context) Keys() []string {
	if info := Lookup(c.Event); info != nil {
		return info.FieldNames()
	}
	return nil
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// milliseconds returns a duration as JSON shows it.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
