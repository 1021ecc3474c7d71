package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// These rules are about what a hook reads of its event.

func (f *file) unknownFields() {
	for _, u := range f.fields {
		key, isText := u.expr.Key.(*ast.StringExpr)
		path, ok := f.record(u.expr.Object)
		if !isText || !ok || f.stored[u.expr] {
			continue
		}
		if text := unknownField(path, key.Value, f.told[u.fn].events); text != "" {
			f.report("unknown-field", Error, key, text)
		}
		if path == "ev.tool_call.input" {
			f.inputKey(Warning, key, f.told[u.fn].kinds)
		}
	}
	for _, c := range f.calls { // ev:find(...)
		if c.Func != nil {
			continue
		}
		if path, ok := f.record(c.Receiver); ok && (path == "ev" || records[path] != nil) {
			f.report("unknown-field", Error, c.FuncCallExpr, fmt.Sprintf("%s has no methods, so no %q", path, c.Method))
		}
	}
}

// inputKey reports a key that no tool of these kinds takes, if it looks like one that they do: hosts have keys of their own.
func (f *file) inputKey(level Level, key *ast.StringExpr, kinds map[string]bool) {
	if len(kinds) == 0 {
		return
	}
	var known, tools []string
	for kind := range kinds {
		keys := hooks.InputKeys(hooks.Kind(kind))
		if keys == nil {
			return
		}
		known, tools = append(known, keys...), append(tools, kind)
	}
	if slices.Contains(known, spelling.Fold(key.Value)) {
		return
	}
	if level == Warning && spelling.Nearest(key.Value, known) == "" {
		return
	}
	slices.Sort(tools)
	f.report("unknown-key", level, key, fmt.Sprintf("the input of a %s tool has no %q%s", strings.Join(tools, " or "), key.Value, suggestion(key.Value, known)))
}

func (f *file) eventWrites() {
	for _, w := range f.writes {
		target, ok := w.target.(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		path, ok := f.record(target.Object)
		if !ok || path != "ev" && records[path] == nil {
			continue
		}
		at := ast.Expr(target)
		if key, isText := target.Key.(*ast.StringExpr); isText && f.places[key].line > 0 {
			at = key
		}
		f.report("read-only", Error, at, path+" is read-only; return modify{...} to change the input, output(...) the output")
	}
}

// foreignFields finds ev.tool_call.name in hooks of events that are about no tool. A hook that first looks whether there is
// one knows what it does.
func (f *file) foreignFields() {
	for _, u := range f.fields {
		path, ok := f.record(u.expr.Object)
		field := strings.TrimPrefix(path, "ev.")
		what := f.told[u.fn].events
		if !ok || field != "tool_call" && field != "error" || len(what) == 0 || f.looksFor(path) {
			continue
		}
		own := func(e hooks.Event) bool {
			info := hooks.Lookup(e)
			return info == nil || !hooks.IsKnown(e) || slices.ContainsFunc(info.Fields, func(own hooks.Field) bool { return own.Name == field })
		}
		if slices.ContainsFunc(what, own) {
			continue
		}
		f.report("foreign-field", Warning, u.expr, fmt.Sprintf("%s isn't about a %s, so %s is nil as a rule; look first whether it is there", what[0], strings.ReplaceAll(field, "_", " "), path))
	}
}

// looksFor reports whether the script asks somewhere if a part of the event is there: it stands in a condition by itself.
func (f *file) looksFor(path string) bool {
	looks, known := f.flow.asked[path]
	if !known {
		looks = f.findsTest(path)
		f.flow.asked[path] = looks
	}
	return looks
}

func (f *file) findsTest(path string) bool {
	asks := func(e ast.Expr) bool {
		p, ok := f.record(e)
		return ok && p == path && f.isUsed(e)
	}
	for _, u := range f.fields {
		if asks(u.expr) {
			return true
		}
	}
	for id := range f.variables {
		if f.parents[id] != nil && asks(id) {
			return true
		}
	}
	return false
}

// isUsed reports whether a value itself is used, and not only kept in a local or asked for one of its fields.
func (f *file) isUsed(e ast.Expr) bool {
	switch parent := f.parents[e].(type) {
	case *ast.AttrGetExpr:
		return parent.Object != e
	case *ast.LocalAssignStmt:
		return false
	}
	return true
}

const commandPath = "ev.tool_call.command"

// commandsOfOthers finds commands of tools that may be no shells, where the script doesn't look whether there is one.
func (f *file) commandsOfOthers() {
	if f.looksFor(commandPath) && f.asksForCommand() || f.readsAny("ev.tool_call.kind", "ev.tool_call.name", "ev.tool_call.host_name") {
		return
	}
	for _, u := range f.fields {
		path, ok := f.record(u.expr)
		what := f.told[u.fn]
		if !ok || path != commandPath || what.shell || f.record2(u.expr.Object) == "" {
			continue
		}
		if !slices.ContainsFunc(what.events, isToolEvent) {
			continue
		}
		f.report("no-command", Warning, u.expr.Key, `only shell tools have a command, and this hook runs for others, too: add match = {kind="shell"}`)
	}
}

func (f *file) record2(e ast.Expr) string { path, _ := f.record(e); return path }

// asksForCommand reports whether the command stands where nil is taken into account: in a condition, with or, in a comparison.
func (f *file) asksForCommand() bool {
	asks := func(e ast.Expr) bool {
		if p, ok := f.record(e); !ok || p != commandPath {
			return false
		}
		switch parent := f.parents[e].(type) {
		case *ast.IfStmt, *ast.WhileStmt, *ast.RepeatStmt, *ast.LogicalOpExpr, *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
			return true
		case *ast.FuncCallExpr:
			return f.isGlobal(parent.Func, "type") || f.isGlobal(parent.Func, "tostring") || f.isGlobal(parent.Func, "assert")
		}
		return false
	}
	for _, u := range f.fields {
		if asks(u.expr) {
			return true
		}
	}
	for id := range f.variables {
		if asks(id) {
			return true
		}
	}
	return false
}

// readsAny reports whether the script reads one of these parts of an event.
func (f *file) readsAny(paths ...string) bool {
	return slices.ContainsFunc(f.fields, func(u use[*ast.AttrGetExpr]) bool {
		path, ok := f.record(u.expr)
		return ok && slices.Contains(paths, path)
	})
}

func (f *file) neverEqual() {
	for _, u := range f.relations {
		if u.expr.Operator != "==" && u.expr.Operator != "~=" {
			continue
		}
		for _, sides := range [...][2]ast.Expr{{u.expr.Lhs, u.expr.Rhs}, {u.expr.Rhs, u.expr.Lhs}} {
			path, ok := f.record(sides[0])
			text, isText := sides[1].(*ast.StringExpr)
			if ok && isText {
				if why := neverIs(path, text.Value); why != "" {
					f.report("never-equal", Warning, text, why)
				}
			}
		}
	}
	for _, u := range f.fields { // ({Bash = true})[ev.tool_call.name]
		path, ok := f.record(u.expr.Key)
		if !ok {
			continue
		}
		if table := f.table(u.expr.Object); table != nil {
			for _, field := range table.Fields {
				if key := keyOf(field); key != nil {
					if why := neverIs(path, key.Value); why != "" && path != "ev.event" {
						f.report("never-equal", Warning, key, why)
					}
				}
			}
		}
	}
}

// notEqual finds not ev.tool_call.name == "bash". Of other values than texts and numbers nobody knows that they are never true
// or false.
func (f *file) notEqual() {
	for _, u := range f.relations {
		not, isNot := u.expr.Lhs.(*ast.UnaryNotOpExpr)
		instead := map[string]string{"==": "~=", "~=": "=="}[u.expr.Operator]
		if !isNot || instead == "" {
			continue
		}
		if f.literal(u.expr.Rhs) != nil || isNumber(u.expr.Rhs) || strings.TrimSuffix(f.typeOf(u.expr.Rhs), "?") == "string" {
			f.report("not-equal", Warning, not.Expr, fmt.Sprintf("not binds first, so this compares true or false with a text or number: write a %s b, or not (a %s b)", instead, u.expr.Operator))
		}
	}
}

// neverIs says why a part of an event never has a value.
func neverIs(path, value string) string {
	if value == "" {
		return "" // which asks whether there is one
	}
	switch path {
	case "ev.tool_call.name":
		if name, kind := hooks.CanonicalTool(value); name != value && kind != hooks.KindMCP {
			return fmt.Sprintf("tool_call.name is the canonical name, %q for this tool; what the host calls it is in host_name", name)
		}
	case "ev.tool_call.kind":
		if !slices.Contains(hooks.Kinds(), value) {
			_, kind := hooks.CanonicalTool(value)
			if kind != hooks.KindOther && kind != hooks.KindMCP {
				return fmt.Sprintf("no tool is of kind %q; this one is of kind %q", value, kind)
			}
			return fmt.Sprintf("no tool is of kind %q%s", value, suggestion(value, hooks.Kinds()))
		}
	case "ev.tool_call.outcome":
		if !slices.Contains(hooks.Outcomes(), value) {
			return fmt.Sprintf("no outcome is %q%s (%s)", value, suggestion(value, hooks.Outcomes()), strings.Join(hooks.Outcomes(), ", "))
		}
	case "ev.event", "ev.canonical_event":
		if _, err := hooks.ParseEvent(value); err != nil {
			return err.Error()
		}
	}
	return ""
}
