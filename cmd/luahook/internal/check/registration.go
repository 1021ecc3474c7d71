package check

import (
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/yuin/gopher-lua/ast"
)

// What a call of on says: which events, which match, which function.

// hookOf reads a call of on.
func (f *flow) hookOf(c call) *hook {
	h := &hook{call: c}
	if len(c.Args) == 0 {
		return h
	}
	for _, e := range f.eventTexts(c.Args[0]) {
		if e.Value == "*" {
			for _, info := range hooks.Events() {
				h.events = append(h.events, info.Name)
			}
		} else if event, err := hooks.ParseEvent(e.Value); err == nil {
			h.events = append(h.events, event)
		}
	}
	last := c.Args[len(c.Args)-1]
	if len(c.Args) > 1 {
		h.fn = f.functionOf(last)
	}
	h.told = told{events: h.events}
	if len(c.Args) > 2 {
		h.options = f.table(c.Args[1])
		h.told.shell = h.options == nil // nobody knows
	}
	if h.options == nil {
		return h
	}
	for _, field := range h.options.Fields {
		key := keyOf(field)
		switch {
		case key == nil:
		case key.Value == "name":
			h.name = f.literal(field.Value)
		case key.Value == "match":
			f.readMatch(h, field.Value)
		}
	}
	return h
}

// eventTexts are the names of events that on is given, as far as they are written out.
func (f *flow) eventTexts(e ast.Expr) (texts []*ast.StringExpr) {
	if s := f.literal(e); s != nil {
		return []*ast.StringExpr{s}
	}
	if t := f.table(e); t != nil {
		for _, field := range t.Fields {
			if s := f.literal(field.Value); s != nil {
				texts = append(texts, s)
			}
		}
	}
	return texts
}

// readMatch finds out which tools a match lets through.
func (f *flow) readMatch(h *hook, e ast.Expr) {
	fields := map[string]string{}
	h.told.shell = true // perhaps, where it can't be read
	switch t := f.table(e); {
	case f.literal(e) != nil:
		text := f.text(e)
		fields["tool"] = text
		h.matcher, _ = hooks.ParseMatcher(text)
		if h.matcher == nil {
			h.told.shell = text != "" && text != "*"
			return
		}
	case t != nil:
		all := map[string]string{}
		for _, field := range t.Fields {
			key, value := keyOf(field), f.literal(field.Value)
			if key == nil || value == nil {
				return
			}
			all[key.Value] = value.Value
			switch strings.TrimPrefix(key.Value, "tool_call.") {
			case "command":
				fields["command"] = value.Value
			case "tool", "tool_name", "name":
				fields["tool"] = value.Value
			case "kind":
				fields["kind"] = value.Value
			}
		}
		var err error
		if h.matcher, err = hooks.MatchFields(all); err != nil {
			return
		}
	default:
		return
	}
	if _, says := fields["command"]; says {
		delete(fields, "command")
		h.told.kinds = map[string]bool{string(hooks.KindShell): true}
		if len(fields) == 0 {
			return
		}
	}
	if len(fields) == 0 {
		h.told.shell = false
		return
	}
	m, err := hooks.MatchFields(fields)
	if err != nil || strings.ContainsAny(fields["tool"]+fields["kind"], "/") {
		return
	}
	kinds, shell := map[string]bool{}, true
	matches := func(name string, kind hooks.Kind) bool {
		return m.Matches(&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: name, HostName: name, Kind: kind}})
	}
	for _, tool := range hooks.Tools() {
		if matches(tool.Name, tool.Kind) {
			kinds[string(tool.Kind)] = true
			shell = shell && tool.Kind == hooks.KindShell
		}
	}
	h.told.shell = shell
	if len(kinds) > 0 && !matches("mcp__x__y", hooks.KindMCP) && !matches("x", hooks.KindOther) && !f.namesOthers(fields["tool"]) {
		h.told.kinds = kinds
	}
}

// namesOthers reports whether a list of tools has one that hooks don't know, or a pattern.
func (f *flow) namesOthers(list string) bool {
	if list == "" {
		return false
	}
	for name := range strings.SplitSeq(list, "|") {
		if _, kind := hooks.CanonicalTool(name); kind == hooks.KindOther || kind == hooks.KindMCP || strings.ContainsAny(name, "*?[{") {
			return true
		}
	}
	return false
}
