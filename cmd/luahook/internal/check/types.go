package check

import (
	"slices"
	"strings"
	"sync"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/luabind/lib"
)

// Types are spelled as in signatures of modules: "ShellCommand[]", "GitCommand?"; "" is one that isn't known.

// types are the types of [lib.Types], by name.
var types = sync.OnceValue(func() map[string]lib.Type {
	byName := map[string]lib.Type{}
	for _, t := range lib.Types() {
		if len(t.Fields) > 0 {
			byName[t.Name] = t
		}
	}
	return byName
})

// results are what functions of modules return first, by name.
var results = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for _, m := range lib.Modules() {
		for _, f := range m.Functions {
			byName[m.Name+"."+f.Name] = result(strings.TrimPrefix(f.Signature, m.Name+"."+f.Name))
		}
	}
	return byName
})

// result is the type of the first result of a function, "(s: string): string[]|nil, string?".
func result(signature string) string {
	depth := 0
	for i, r := range signature {
		switch r {
		case '(', '{', '<':
			depth++
		case ')', '}', '>':
			depth--
		}
		if depth > 0 || r != ')' {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(signature[i+1:], ": "), ", ")
		if known, isOr := strings.CutSuffix(first, "|nil"); isOr {
			first = known + "?"
		}
		if strings.ContainsAny(first, "|{<. ") {
			return ""
		}
		return first
	}
	return ""
}

// listsOfEvents are the parts of events that are lists, and textsOfEvents those that are texts.
var (
	listsOfEvents = []string{"ev.tool_call.paths", "ev.tool_call.files"}
	textsOfEvents = []string{"ev.tool_call.command", "ev.tool_call.name", "ev.prompt", "ev.response"}
)

// member is a field or method of a type; nil: it has none of that name.
func member(of, name string) *lib.TypeField {
	for _, f := range types()[of].Fields {
		if f.Name == name {
			return &f
		}
	}
	return nil
}

func isMethod(f *lib.TypeField) bool { return strings.HasPrefix(f.Type, "(") }

// typeOf is the type of an expression, with a ? where it may be nil.
func (f *flow) typeOf(e ast.Expr) string { return f.typeWithin(e, 12) }

// typeName is the type of an expression that is one of [lib.Types]; "" for all others.
func (f *flow) typeName(e ast.Expr) string {
	name := strings.TrimSuffix(f.typeOf(e), "?")
	if _, ok := types()[name]; !ok {
		return ""
	}
	return name
}

func (f *flow) isList(e ast.Expr) bool {
	return strings.HasSuffix(strings.TrimSuffix(f.typeOf(e), "?"), "[]")
}

func (f *flow) typeWithin(e ast.Expr, depth int) string {
	if depth == 0 {
		return ""
	}
	if path, ok := f.record(e); ok {
		switch {
		case slices.Contains(listsOfEvents, path):
			return "string[]"
		case slices.Contains(textsOfEvents, path):
			return "string?"
		}
		return ""
	}
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := f.variables[e]
		if v == nil || len(v.writes) > 0 {
			return ""
		}
		known, done := f.types[v]
		if !done {
			f.types[v] = "" // of one that depends on itself nothing is known
			known = f.typeOfVariable(v, depth-1)
			f.types[v] = known
		}
		return known
	case *ast.AttrGetExpr:
		object := strings.TrimSuffix(f.typeWithin(e.Object, depth-1), "?")
		key, isText := e.Key.(*ast.StringExpr)
		if element, isList := strings.CutSuffix(object, "[]"); isList && !isText {
			return element
		}
		if !isText || f.stores[key.Value] {
			return ""
		}
		if m := member(object, key.Value); m != nil && !isMethod(m) {
			return m.Type
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			return results()[f.memberName(e.Func)]
		}
		object := strings.TrimSuffix(f.typeWithin(e.Receiver, depth-1), "?")
		if m := member(object, e.Method); m != nil && isMethod(m) {
			return result(m.Type)
		}
	case *ast.StringExpr:
		return "string"
	case *ast.LogicalOpExpr:
		left := strings.TrimSuffix(f.typeWithin(e.Lhs, depth-1), "?")
		if table, isTable := e.Rhs.(*ast.TableExpr); e.Operator == "or" && isTable && len(table.Fields) == 0 && strings.HasSuffix(left, "[]") {
			return left
		}
		if right := f.typeWithin(e.Rhs, depth-1); e.Operator == "and" && right != "" {
			return strings.TrimSuffix(right, "?") + "?"
		} else if e.Operator == "or" && strings.TrimSuffix(right, "?") == left {
			return right
		}
	}
	return ""
}

func (f *flow) typeOfVariable(v *variable, depth int) string {
	switch {
	case v.param:
		return f.typeOfParameter(v, depth)
	case v.over != nil && !f.assigned["ipairs"] && !f.assigned["pairs"]:
		element, isList := strings.CutSuffix(strings.TrimSuffix(f.typeWithin(v.over, depth), "?"), "[]")
		if isList {
			return element
		}
	case !v.loop && v.init != nil:
		return f.typeWithin(v.init, depth)
	}
	return ""
}

// typeOfParameter is what all calls of a local function give it, if nothing else is done with that than to call it.
func (f *flow) typeOfParameter(p *variable, depth int) string {
	at := slices.Index(p.fn.params, p)
	if p.fn.expr == nil || at < 0 || f.holders[p.fn.expr] == nil {
		return ""
	}
	found := ""
	for _, read := range f.holders[p.fn.expr].reads {
		c, isCall := f.parents[read].(*ast.FuncCallExpr)
		if !isCall || c.Func != ast.Expr(read) || at >= len(c.Args) {
			return ""
		}
		given := f.typeWithin(c.Args[at], depth)
		if given == "" || found != "" && given != found {
			return ""
		}
		found = given
	}
	return strings.TrimSuffix(found, "?") // the caller may have asked
}
