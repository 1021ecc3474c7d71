package hooks

import (
	"fmt"
	"slices"
	"strings"
)

// Mismatch says why the hook doesn't run for a complete event, for a person: `tool is edit (Write), want "bash"`. It is
// "" where the hook runs.
func (m *Matcher) Mismatch(c *Context) string {
	if m == nil || c == nil {
		return ""
	}
	fields := m.field
	if m.any != nil {
		info := Lookup(c.Event)
		if info == nil || info.MatchOn == "" {
			return fmt.Sprintf("%s has nothing that a name could match", c.Event)
		}
		fields = []fieldPattern{{info.MatchOn, m.any}}
	}
	work := 0
	for _, f := range fields {
		if m.matchField(c, f.key, f.pattern, &work) {
			continue
		}
		name, values, more := shortField(f.key), matchedTexts(c, f.key), ""
		if n := len(values) - maxMatchedTexts; n > 0 {
			values, more = values[:maxMatchedTexts], fmt.Sprintf(" and %d more", n)
		}
		if len(values) == 0 {
			return fmt.Sprintf("there is no %s, want %q", name, f.pattern.text)
		}
		return fmt.Sprintf("%s is %s%s, want %q", name, strings.Join(values, ", "), more, f.pattern.text)
	}
	return ""
}

const (
	maxMatchedTexts = 3   // of the values of a field that Mismatch shows
	maxMatchedText  = 100 // bytes of each
)

// matchedTexts are what the pattern of a field is compared with. Names of tools stand without quotes.
func matchedTexts(c *Context, key string) (texts []string) {
	t := c.ToolCall
	var values []string
	switch {
	case t != nil && (key == "tool_call" || key == "tool_call.name"):
		if t.HostName != t.Name {
			return []string{fmt.Sprintf("%s (%s)", t.Name, t.HostName)}
		}
		return []string{t.Name}
	case t != nil && key == "tool_call.paths":
		values = t.Paths
	case t != nil && key == "tool_call.files":
		values = slices.Concat(t.Paths, t.Files())
	default:
		if key == "tool_call" || key == "tool_call.name" { // on_retry has only the tool's name
			key = "tool_name"
		}
		switch v := fieldValue(c, key).(type) {
		case nil:
		case string:
			values = []string{v}
		default:
			values = []string{fmt.Sprint(v)}
		}
	}
	for _, text := range values {
		if len(text) > maxMatchedText {
			text = strings.ToValidUTF8(text[:maxMatchedText], "") + "…"
		}
		texts = append(texts, fmt.Sprintf("%q", text))
	}
	return texts
}
