package check

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// These rules are about the calls of on. What they find the engine refuses as well, one at a time.

func (f *file) unknownEvents() {
	for _, h := range f.hooks {
		if len(h.call.Args) == 0 {
			continue
		}
		seen := map[hooks.Event]bool{}
		for _, e := range f.eventTexts(h.call.Args[0]) {
			event, err := hooks.ParseEvent(e.Value)
			switch {
			case e.Value == "*" && f.literal(h.call.Args[0]) != nil:
			case err != nil:
				f.report("unknown-event", Error, e, err.Error())
			case seen[event]:
				f.report("unknown-event", Error, e, fmt.Sprintf("the list of events has %s twice", event))
			}
			seen[event] = true
		}
	}
}

func (f *file) options() {
	for _, h := range f.hooks {
		if h.options == nil {
			continue
		}
		for _, field := range h.options.Fields {
			key := keyOf(field)
			if key == nil {
				continue
			}
			if !slices.Contains(luabind.OptionNames(), key.Value) {
				f.report("unknown-option", Error, key, fmt.Sprintf("on has no option %q%s", key.Value, suggestion(key.Value, luabind.OptionNames())))
				continue
			}
			if err := f.wrongOption(key.Value, field.Value); err != nil {
				f.report("unknown-option", Error, f.valueOr(field.Value, key), err.Error())
			}
		}
	}
}

// longTimeouts finds timeouts that the limits cut short.
func (f *file) longTimeouts() {
	for _, h := range f.hooks {
		if h.options == nil || f.context.MaxTimeout == 0 {
			continue
		}
		for _, field := range h.options.Fields {
			key, text := keyOf(field), f.literal(field.Value)
			if key == nil || key.Value != "timeout" || text == nil {
				continue
			}
			wanted, err := hooks.ParseTimeout(text.Value)
			if err != nil || wanted <= f.context.MaxTimeout {
				continue
			}
			limit := "limits.timeout of " + f.context.MaxFrom
			if f.context.MaxFrom == "" {
				limit = "limits.timeout, which hooks.yaml doesn't set,"
			}
			f.report("long-timeout", Warning, f.valueOr(text, key), fmt.Sprintf("%s gives a run %s, so this hook ends then: say limits: {timeout: %s} under hooks: in hooks.yaml", limit, f.context.MaxTimeout, wanted))
		}
	}
}

// valueOr is the expression that a problem of a field is shown at: its value, if that has a place of its own.
func (f *file) valueOr(value, key ast.Expr) ast.Expr {
	if _, ok := f.places[value]; ok {
		return value
	}
	return key
}

// wrongOption says what is wrong with the value of an option, as far as it is written out.
func (f *file) wrongOption(name string, e ast.Expr) error {
	text := f.literal(e)
	if text == nil {
		switch e.(type) {
		case *ast.NumberExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.TableExpr, *ast.FunctionExpr:
			want := map[string]string{"timeout": `a text like "200ms"`, "name": "a text", "on_failure": "block, warn or ignore", "mode": "sync, parallel or async"}[name]
			if want != "" {
				return fmt.Errorf("%s wants %s", name, want)
			}
		}
		switch e.(type) {
		case *ast.NumberExpr:
			if name == "once" || name == "always" || name == "enabled" {
				return fmt.Errorf("%s wants true or false", name)
			}
		}
		return nil
	}
	var err error
	switch name {
	case "timeout":
		_, err = hooks.ParseTimeout(text.Value)
	case "on_failure":
		_, err = hooks.ParsePolicy(text.Value)
	case "mode":
		_, err = hooks.ParseMode(text.Value)
	case "name":
		if strings.TrimSpace(text.Value) == "" {
			err = fmt.Errorf("name is empty")
		}
	case "priority":
		err = fmt.Errorf("priority wants a whole number, got a text")
	case "once", "always", "enabled":
		err = fmt.Errorf("%s wants true or false, got a text", name)
	}
	return err
}

// match is the match of a hook, where it has one.
func (h *hook) match() *ast.Field {
	if h.options == nil {
		return nil
	}
	for _, field := range h.options.Fields {
		if key := keyOf(field); key != nil && key.Value == "match" {
			return field
		}
	}
	return nil
}

func (f *file) matches() {
	for _, h := range f.hooks {
		field := h.match()
		if field == nil {
			continue
		}
		if text := f.literal(field.Value); text != nil {
			m, err := hooks.ParseMatcher(text.Value)
			if err == nil {
				err = unfit(h, m)
			}
			if err != nil {
				f.report("bad-match", Error, text, err.Error())
			}
			continue
		}
		table := f.table(field.Value)
		if table == nil {
			continue
		}
		for _, part := range table.Fields {
			key, value := keyOf(part), f.literal(part.Value)
			switch {
			case key == nil && value != nil, key != nil && isConstant(part.Value) && value == nil:
				f.report("bad-match", Error, f.valueOr(part.Value, keyOf(field)), `match wants fields with a pattern each, like {kind="shell"}; for several names write "a|b"`)
			case key != nil && value != nil:
				m, err := hooks.MatchFields(map[string]string{key.Value: value.Value})
				at := ast.Expr(value)
				if err == nil {
					if err = unfit(h, m); err != nil && strings.Contains(err.Error(), "no field") {
						at = key
					}
				}
				if err != nil {
					f.report("bad-match", Error, at, err.Error())
				}
			}
		}
	}
}

// isConstant reports whether an expression is a value that is written out, and no text.
func isConstant(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NumberExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.TableExpr, *ast.FunctionExpr:
		return true
	}
	return false
}

// unfit says why a match fits an event of the hook's never; of "*" all have to be unfit.
func unfit(h *hook, m *hooks.Matcher) error {
	var first error
	fits := 0
	for _, e := range h.events {
		if err := m.Check(hooks.Lookup(e)); err == nil {
			fits++
		} else if first == nil {
			first = err
		}
	}
	if fits > 0 && len(h.events) == len(hooks.Events()) {
		return nil
	}
	return first
}

func (f *file) neverMatches() {
	for _, h := range f.hooks {
		if field := h.match(); field != nil {
			if why := h.matcher.Never(); why != "" {
				f.report("never-matches", Warning, f.valueOr(field.Value, keyOf(field)), "no event fits this match: "+why)
			}
		}
	}
}

// hostNames finds matches that name a tool as some agents do: in others the hook never runs.
func (f *file) hostNames() {
	for _, h := range f.hooks {
		if text := f.tools(h); text != nil {
			if tool, kind, name := hostName(text.Value); name != "" {
				f.report("host-name", Warning, text, fmt.Sprintf("only some agents call this tool %s: match %q, which fits what every agent calls it, or {kind=%q}", name, tool, kind))
			}
		}
	}
}

// hostName is the first name in a pattern for tools that only some agents have for a tool, and what hooks call that; "" if there
// is none.
func hostName(pattern string) (tool string, kind hooks.Kind, name string) {
	names := strings.Split(pattern, "|")
	for _, name := range names {
		tool, kind := hooks.CanonicalTool(name)
		isHost := kind != hooks.KindOther && kind != hooks.KindMCP && !strings.EqualFold(tool, name)
		if isHost && !slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(other, tool) }) {
			return tool, kind, name
		}
	}
	return "", "", ""
}

// tools is the pattern for the names of tools that a hook of tool calls has; nil where it has none, or it isn't written out.
func (f *file) tools(h *hook) *ast.StringExpr {
	field := h.match()
	if field == nil || !slices.ContainsFunc(h.events, isToolEvent) {
		return nil
	}
	table := f.table(field.Value)
	if table == nil {
		return f.literal(field.Value)
	}
	for _, part := range table.Fields {
		if key := keyOf(part); key != nil && slices.Contains([]string{"tool", "tool_name", "tool_call.name"}, key.Value) {
			return f.literal(part.Value)
		}
	}
	return nil
}

// unlikelyTools finds matches for tools that no tool has the name of: "*.env", "Bsh".
func (f *file) unlikelyTools() {
	for _, h := range f.hooks {
		if text := f.tools(h); text != nil {
			if why := unlikelyTool(text.Value, "match = {file = %q}"); why != "" {
				f.report("unlikely-tool", Warning, text, why)
			}
		}
	}
}

// unlikelyTool says why no tool may have a name that a pattern for tools is about; "" if one may. ofFile is how a file is matched
// where the pattern stands.
func unlikelyTool(pattern, ofFile string) string {
	if strings.HasPrefix(pattern, "/") && strings.HasSuffix(pattern, "/") {
		return "" // a regular expression
	}
	for name := range strings.SplitSeq(pattern, "|") {
		name = strings.TrimSpace(name)
		if _, kind := hooks.CanonicalTool(name); kind != hooks.KindOther || matchesTool(name) {
			continue
		}
		if strings.ContainsAny(name, "./\\") {
			return fmt.Sprintf("this matches the name of a tool, and no tool that hooks know is called %s; for files say "+ofFile, name, name)
		}
		if len(name) < 3 || strings.ContainsAny(name, "*?[{") {
			continue
		}
		if near := spelling.Near(name, likelyTools()); near != "" && spelling.Fold(name) != spelling.Fold(near)+"s" {
			return fmt.Sprintf("no tool that hooks know is called %s; did you mean %q?", name, near)
		}
	}
	return ""
}

// likelyTools are the names of tools that others are compared with. A short name that some agent has is near to too many that
// are meant.
var likelyTools = sync.OnceValue(func() (names []string) {
	for _, tool := range hooks.Tools() {
		names = append(names, tool.Name)
		for _, name := range tool.Hosts {
			if len(name) > 8 {
				names = append(names, name)
			}
		}
	}
	return names
})

// matchesTool reports whether a pattern fits some name of a tool that hooks know.
func matchesTool(pattern string) bool {
	m, err := hooks.ParseMatcher(pattern)
	if err != nil || m == nil {
		return true
	}
	return slices.ContainsFunc(hooks.Tools(), func(tool hooks.ToolInfo) bool {
		return slices.ContainsFunc(append(slices.Clip(tool.Hosts), tool.Name), func(name string) bool {
			return m.Matches(&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: tool.Name, HostName: name, Kind: tool.Kind}})
		})
	})
}

// isToolEvent reports whether matches of an event look at the tool.
func isToolEvent(e hooks.Event) bool {
	info := hooks.Lookup(e)
	return info != nil && info.MatchOn == "tool_call"
}
