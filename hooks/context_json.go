package hooks

import (
	"math"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/spelling"
)

// MaxEventBytes is the largest event that [DecodeContext] accepts: 16 MiB.
const MaxEventBytes = 16 << 20

// DecodeContext reads an event from JSON. The names are those of [Context] in snake_case; keys that the event
// doesn't know go to Metadata and are never refused. event is used if the JSON has no "event" of its own. The
// result is complete (see [Context.Complete]). Errors are one line and name the field or the byte offset.
func DecodeContext(data []byte, event Event) (*Context, error) {
	if len(data) > MaxEventBytes {
		return nil, &InputError{Offset: MaxEventBytes, Message: "larger than 16 MiB, cut off"}
	}
	v, err := DecodeJSON(data)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, &InputError{Offset: 0, Message: "want a JSON object, got " + typeName(v)}
	}
	c, err := contextFrom(object, event)
	if err != nil {
		return nil, err
	}
	return c.Complete()
}

// contextFrom takes the fields out of object; the rest becomes metadata.
func contextFrom(object map[string]any, event Event) (*Context, error) {
	if event != "" {
		parsed, err := ParseEvent(string(event))
		if err != nil {
			return nil, err
		}
		event = parsed
	}
	r := &fieldReader{object: object}
	c := &Context{Event: event}
	if name := r.text("event"); name != "" && r.err == nil {
		parsed, err := ParseEvent(name)
		if err != nil {
			return nil, err
		}
		c.Event = parsed
	}
	if r.err == nil && c.Event == "" {
		return nil, fieldError("event", "missing; give it as \"event\"")
	}
	c.SessionID, c.RunID, c.IssueID = r.text("session_id"), r.text("run_id"), r.text("issue_id")
	c.AgentID, c.ParentAgentID, c.AgentDepth = r.text("agent_id"), r.text("parent_agent_id"), int(r.integer("agent_depth"))
	c.AgentName = r.text("agent_name")
	c.CWD, c.Model, c.Prompt, c.Response = r.text("cwd"), r.text("model"), r.text("prompt"), r.text("response")
	c.LoopCount = int(r.integer("loop_count"))
	r.record("tool_call", func(r *fieldReader) { c.ToolCall = r.toolCall() })
	r.record("error", func(r *fieldReader) {
		c.Error = &ErrorInfo{Message: r.text("message"), Kind: r.text("kind"), IsRetryable: r.boolean("is_retryable"),
			Hook: r.text("hook"), Source: r.text("source"), Event: Event(r.text("event"))}
	})
	r.record("usage", func(r *fieldReader) {
		c.Usage = &Usage{InputTokens: r.integer("input_tokens"), OutputTokens: r.integer("output_tokens"), CacheTokens: r.integer("cache_tokens"), CostUSD: r.number("cost_usd")}
	})
	r.boolean("judging") // only the engine sets it
	r.text("root")
	r.text("canonical_event")
	if info := Lookup(c.Event); c.AgentName == "" && c.ToolCall == nil && info != nil && info.own("agent_name") != nil {
		if name, ok := object["agent"].(string); ok { // as OpenProse calls it
			c.AgentName = name
			delete(object, "agent")
		}
	}
	metadata := r.object_("metadata")
	if r.err != nil {
		return nil, r.err
	}
	if info := Lookup(c.Event); info != nil {
		for name, v := range object {
			if f := info.own(name); f != nil && commonField(name) == nil {
				if !f.Type.Holds(v) {
					return nil, fieldError(name, "want %s, got %s", f.Type, typeName(v))
				}
				delete(object, name)
				if v == nil {
					continue
				}
				if c.Fields == nil {
					c.Fields = map[string]any{}
				}
				c.Fields[name] = v
			}
		}
	}
	c.Metadata = merged(metadata, object)
	return c, nil
}

// merged returns metadata together with the event's unknown keys.
func merged(metadata, unknown map[string]any) map[string]any {
	if len(unknown) == 0 {
		return metadata
	}
	if metadata == nil {
		return unknown
	}
	for k, v := range metadata {
		unknown[k] = v
	}
	return unknown
}

// fieldReader takes typed fields out of a JSON object and remembers the first that has the wrong type. null
// counts as absent.
type fieldReader struct {
	object map[string]any
	prefix string
	err    error
}

func (r *fieldReader) take(name string, t Type) any {
	v, ok := r.object[name]
	if !ok {
		return nil
	}
	delete(r.object, name)
	if !t.Holds(v) && r.err == nil {
		r.err = fieldError(r.prefix+name, "want %s, got %s", t, typeName(v))
	}
	return v
}

func (r *fieldReader) text(name string) string {
	s, _ := r.take(name, String).(string)
	return s
}

func (r *fieldReader) boolean(name string) bool {
	b, _ := r.take(name, Boolean).(bool)
	return b
}

func (r *fieldReader) integer(name string) int64 {
	i, _ := asInteger(r.take(name, Integer))
	return i
}

func (r *fieldReader) number(name string) float64 {
	f, _ := asNumber(r.take(name, Number))
	return f
}

func (r *fieldReader) object_(name string) map[string]any {
	m, _ := r.take(name, Object).(map[string]any)
	return m
}

func (r *fieldReader) record(name string, read func(*fieldReader)) {
	m := r.object_(name)
	if m == nil {
		return
	}
	inner := &fieldReader{object: m, prefix: r.prefix + name + "."}
	read(inner)
	if inner.err != nil && r.err == nil {
		r.err = inner.err
	}
	if r.err != nil || len(inner.object) == 0 {
		return
	}
	for key := range inner.object {
		for _, known := range recordKeys(name) {
			if spelling.Fold(key) == spelling.Fold(known) {
				r.err = fieldError(r.prefix+name+"."+key, "is spelled %q here", known)
				return
			}
		}
	}
	// Keys that a record doesn't know are kept as well, under the record's name.
	r.object[name] = inner.object
}

// inputAliases are other systems' names for a tool call's input. They may hold it as JSON text.
var inputAliases = []string{"arguments", "args", "parameters", "params", "tool_input", "toolInput", "toolArgs"}

// toolInput reads the input under its own name or an alias. Two of them are an error, because the host may mean
// either.
func (r *fieldReader) toolInput() map[string]any {
	input, from := r.object_("input"), "input"
	for _, alias := range inputAliases {
		v, ok := r.object[alias]
		if !ok || v == nil {
			continue
		}
		if text, isText := v.(string); isText {
			if decoded, err := DecodeJSON([]byte(text)); err == nil {
				v = decoded
			}
		}
		object, ok := v.(map[string]any)
		switch {
		case r.err != nil:
		case !ok:
			r.err = fieldError(r.prefix+alias, "want an object, got %s", typeName(v))
		case input != nil:
			r.err = fieldError(r.prefix+alias, "is given together with %s; give one of them", from)
		}
		input, from = object, alias
		delete(r.object, alias)
	}
	return input
}

func (r *fieldReader) toolCall() *ToolCall {
	t := &ToolCall{
		ID: r.text("id"), Name: r.text("name"), HostName: r.text("host_name"), Kind: Kind(strings.ToLower(r.text("kind"))),
		Command: r.text("command"), Input: r.toolInput(), Output: r.take("output", Any), Outcome: Outcome(r.text("outcome")), Resumed: r.boolean("resumed"),
	}
	if ms := r.number("duration_ms"); ms > 0 && ms < 9e12 { // 285 years, what a Duration holds
		t.Duration = time.Duration(math.Round(ms*1000)) * time.Microsecond
	}
	r.take("files", List) // derived
	r.take("language", Any)
	list, _ := r.take("paths", List).([]any)
	for _, p := range list {
		s, ok := p.(string)
		if !ok && r.err == nil {
			r.err = fieldError(r.prefix+"paths", "want a list of strings, got %s in it", typeName(p))
		}
		t.Paths = append(t.Paths, s)
	}
	return t
}

// MarshalJSON writes the event with the names that [DecodeContext] reads.
func (c Context) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for name, v := range c.Fields {
		object[name] = v
	}
	for _, f := range commonFields {
		v, _ := c.Value(f.Name)
		if f.Name == "canonical_event" && c.Spelling == "" {
			continue // event says the same
		}
		switch r := v.(type) {
		case nil:
			continue
		case interface {
			Keys() []string
			Value(string) (any, bool)
		}:
			record := map[string]any{}
			for _, key := range r.Keys() {
				if e, _ := r.Value(key); !isZero(e) || (key == "output" && e != nil) {
					record[key] = e
				}
			}
			v = record
		}
		if !isZero(v) || f.Name == "error" || f.Name == "usage" || f.Name == "tool_call" {
			object[f.Name] = v
		}
	}
	return EncodeJSON(object)
}

// UnmarshalJSON is [DecodeContext] for an event that names itself.
func (c *Context) UnmarshalJSON(data []byte) error {
	read, err := DecodeContext(data, "")
	if err != nil {
		return err
	}
	*c = *read
	return nil
}

func isZero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case int64:
		return v == 0
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// Sample returns a small event as JSON, made of the examples in the catalogue, for trying out hooks.
// [DecodeContext] accepts it.
func Sample(info *EventInfo) []byte {
	if info == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString(`{"event":"` + string(info.Name) + `"`)
	for _, f := range commonFields {
		if f.Example != "" {
			b.WriteString(`,"` + f.Name + `":` + f.Example)
		}
	}
	for _, f := range info.Fields {
		if f.Example != "" && (commonField(f.Name) == nil || commonField(f.Name).Example == "") {
			b.WriteString(`,"` + f.Name + `":` + f.Example)
		}
	}
	b.WriteString("}")
	return []byte(b.String())
}
