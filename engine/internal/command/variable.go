package command

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// prefix stands before the names of a command's variables.
const prefix = "LUAHOOK_"

// variable is one thing that a command is told in its environment.
type variable struct {
	name   string // without the prefix
	number bool   // written by us: digits alone
	path   bool   // the user's own: may name a program
	value  func(Call) string
}

// variables lists them all. A value that the event doesn't have is empty.
var variables = []variable{
	{name: "EVENT", value: func(c Call) string { return cmp.Or(c.Event.Spelling, string(c.Event.Event)) }},
	{name: "CANONICAL_EVENT", value: func(c Call) string { return string(c.Event.Event) }},
	{name: "HOOK", value: func(c Call) string { return c.Hook }},
	{name: "SESSION_ID", value: func(c Call) string { return c.Event.SessionID }},
	{name: "RUN_ID", value: func(c Call) string { return c.Event.RunID }},
	{name: "AGENT_ID", value: func(c Call) string { return c.Event.AgentID }},
	{name: "CWD", value: func(c Call) string { return c.Event.CWD }},
	{name: "PROJECT_DIR", path: true, value: func(c Call) string { return c.ProjectDir }},
	{name: "DEPTH", number: true, value: func(c Call) string { return strconv.Itoa(c.Depth) }},
	{name: "MODEL", value: func(c Call) string { return c.Event.Model }},
	{name: "JUDGING", number: true, value: func(c Call) string {
		if c.Event.Judging {
			return "1"
		}
		return ""
	}},
	{name: "TOOL_NAME", value: ofTool(func(t *hooks.ToolCall) string { return t.Name })},
	{name: "TOOL_HOST_NAME", value: ofTool(func(t *hooks.ToolCall) string { return t.HostName })},
	{name: "TOOL_KIND", value: ofTool(func(t *hooks.ToolCall) string { return string(t.Kind) })},
	{name: "TOOL_COMMAND", value: ofTool(func(t *hooks.ToolCall) string { return t.Command })},
	{name: "TOOL_PATH", value: ofTool(func(t *hooks.ToolCall) string {
		if len(t.Paths) == 0 {
			return ""
		}
		return t.Paths[0]
	})},
	{name: "TOOL_PATHS", value: ofTool(func(t *hooks.ToolCall) string { return strings.Join(t.Paths, "\n") })},
	{name: "TOOL_ID", value: ofTool(func(t *hooks.ToolCall) string { return t.ID })},
	{name: "TOOL_OUTCOME", value: ofTool(func(t *hooks.ToolCall) string { return string(t.Outcome) })},
}

func ofTool(value func(*hooks.ToolCall) string) func(Call) string {
	return func(c Call) string {
		if c.Event.ToolCall == nil {
			return ""
		}
		return value(c.Event.ToolCall)
	}
}

// Names lists the names of the variables, without the LUAHOOK_ that they have in the
// environment.
func Names() []string {
	var names []string
	for _, v := range variables {
		names = append(names, v.name)
	}
	return names
}

// variableOf is the variable of that name, with or without the prefix.
func variableOf(name string) (v variable, prefixed, ok bool) {
	bare, prefixed := strings.CutPrefix(name, prefix)
	for _, v := range variables {
		if v.name == bare {
			return v, prefixed, true
		}
	}
	return variable{}, false, false
}

// valuesOf is what the variables hold for a call, by name. One that no environment can
// hold as it is fails: a guard that is told half of a command approves the other half.
func valuesOf(call Call) (map[string]string, error) {
	values := make(map[string]string, len(variables))
	for _, v := range variables {
		value := v.value(call)
		switch {
		case strings.IndexByte(value, 0) >= 0:
			return nil, fmt.Errorf("there is a NUL byte in what %s%s would be, which no variable can hold, so it was not run; a Lua hook can be told of such an event", prefix, v.name)
		case len(value) > maxValue:
			return nil, fmt.Errorf("%s%s would be %d bytes long, and no more than %d fit into a variable, so it was not run; a Lua hook can be told of such an event, or put the text into a file first", prefix, v.name, len(value), maxValue)
		}
		values[v.name] = value
	}
	if t := call.Event.ToolCall; t != nil {
		for _, p := range t.Paths {
			if strings.Contains(p, "\n") {
				return nil, fmt.Errorf("there is a line break in the path %q, which %sTOOL_PATHS would show as two paths, so it was not run", p, prefix)
			}
		}
	}
	return values, nil
}

// environment is that of the process with the variables, and without what an outer
// run has set.
func environment(base []string, values map[string]string) []string {
	if base == nil {
		base = os.Environ()
	}
	var env []string
	for _, e := range base {
		name, _, _ := strings.Cut(e, "=")
		if upper := strings.ToUpper(name); !strings.HasPrefix(upper, prefix) || upper == prefix+"MANAGED" {
			env = append(env, e)
		}
	}
	for _, v := range variables {
		env = append(env, prefix+v.name+"="+values[v.name])
	}
	return env
}
