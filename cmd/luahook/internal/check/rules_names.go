package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// These rules are about names, and what a script keeps under them.

// isDefined reports whether a global is there: every script finds it, or this one or a library of its folder assigns it.
func (f *file) isDefined(name string) bool {
	_, ours := globals()[name]
	return ours || f.assigned[name] || f.context.Globals[name]
}

func (f *file) unknownGlobals() {
	reported := map[string]bool{}
	for _, u := range f.globals {
		name := u.expr.Value
		if _, hint := luabind.Instead(name); f.isDefined(name) || hint {
			continue
		}
		level, text := Warning, "there is no global "+name+": it is nil"
		switch parent := f.parents[u.expr].(type) {
		case *ast.FuncCallExpr:
			if parent.Func == ast.Expr(u.expr) || parent.Receiver == ast.Expr(u.expr) {
				level, text = Error, "there is no global "+name
			}
		case *ast.AttrGetExpr:
			if parent.Object == ast.Expr(u.expr) {
				level, text = Error, "there is no global "+name
			}
		case *ast.IfStmt, *ast.LogicalOpExpr, *ast.UnaryNotOpExpr, *ast.RelationalOpExpr:
			if f.nearest(u.expr) == "" { // it asks whether there is one
				continue
			}
		}
		if reported[name] && level == Warning {
			continue
		}
		reported[name] = true
		if name == "ev" && f.hasNoParameter(u.fn) {
			f.report("unknown-global", level, u.expr, "this function takes no ev: write function(ev)")
			continue
		}
		f.report("unknown-global", level, u.expr, text+f.nearest(u.expr))
	}
}

// hasNoParameter reports whether a function is a hook that takes nothing, or stands in one.
func (f *file) hasNoParameter(fn *function) bool {
	for ; fn != nil && fn.expr != nil; fn = fn.outer {
		if slices.ContainsFunc(f.flow.hooks, func(h *hook) bool { return h.fn == fn && len(fn.params) == 0 }) {
			return true
		}
	}
	return false
}

// nearest is the name that may be meant by one that isn't there.
func (f *file) nearest(e *ast.IdentExpr) string {
	if e.Value == "ev" {
		return luabind.NoEvent
	}
	if len(e.Value) < 3 || f.guesses > maxGuesses {
		return ""
	}
	var known []string
	for name := range globals() {
		known = append(known, name)
	}
	for name := range f.assigned {
		if name != e.Value {
			known = append(known, name)
		}
	}
	for _, v := range f.locals {
		known = append(known, v.name)
	}
	for _, v := range f.locals {
		if v.name == e.Value {
			return fmt.Sprintf("; the local of line %d isn't seen here", v.at.line)
		}
	}
	return f.guess(e.Value, known)
}

// maxGuesses is how many names of a script are looked for among all others: each takes as long as there are names.
const maxGuesses = 50

// guess is what may be meant by a name, as long as not too many are asked for.
func (f *file) guess(name string, known []string) string {
	if f.guesses++; f.guesses > maxGuesses {
		return ""
	}
	return suggestion(name, known)
}

func (f *file) notInSandbox() {
	for _, u := range f.globals {
		name := u.expr.Value
		text, hint := luabind.Instead(name)
		if !hint || f.isDefined(name) || f.asked(u.expr) {
			continue
		}
		what := name
		if parent, ok := f.parents[u.expr].(*ast.AttrGetExpr); ok && parent.Object == ast.Expr(u.expr) {
			if key, isText := parent.Key.(*ast.StringExpr); isText {
				what += "." + key.Value
			}
		}
		if text != "" {
			text = ": " + text
		}
		f.report("not-in-sandbox", Error, u.expr, what+" isn't in the sandbox"+text)
	}
}

// asked reports whether an expression stands where only its being there counts, as in unpack or table.unpack.
func (f *file) asked(e ast.Expr) bool {
	for {
		switch parent := f.parents[e].(type) {
		case *ast.LogicalOpExpr:
			return parent.Operator == "and" && parent.Lhs == e || parent.Operator == "or"
		case *ast.IfStmt, *ast.UnaryNotOpExpr:
			return true
		case *ast.AttrGetExpr:
			if parent.Object != e {
				return false
			}
			e = parent
		default:
			return false
		}
	}
}

func (f *file) unknownMembers() {
	for _, u := range f.fields {
		key, isText := u.expr.Key.(*ast.StringExpr)
		if !isText || f.stored[u.expr] {
			continue
		}
		module := f.memberName(u.expr.Object)
		names := globals()[module]
		if module == "" || names == nil || contains(names, key.Value) || f.asked(u.expr) {
			continue
		}
		code, text := "unknown-function", fmt.Sprintf("%s has no %q", module, key.Value)
		if use, hint := luabind.Instead(module + "." + key.Value); hint {
			code, text = "not-in-sandbox", module+"."+key.Value+" isn't in the sandbox: "+use
		} else {
			text += suggestion(key.Value, names)
		}
		f.report(code, Error, key, text)
	}
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

// runs reports whether a function runs for events.
func (f *file) runs(fn *function) bool {
	_, ok := f.flow.told[fn]
	return ok
}

func (f *file) globalWrites() {
	reported := map[string]bool{}
	for _, w := range f.writes {
		name, ok := w.target.(*ast.IdentExpr)
		if !ok || f.variables[name] != nil || !f.runs(w.fn) || w.def || f.isMemo(w) || reported[name.Value] {
			continue
		}
		reported[name.Value] = true
		text := fmt.Sprintf("%s is a global here, which the next event may find or not: write local %s, or keep it in store", name.Value, name.Value)
		var locals []string
		for _, v := range f.locals {
			locals = append(locals, v.name)
		}
		if near := f.guess(name.Value, locals); near != "" && len(name.Value) > 2 {
			text += near
		}
		f.report("global-write", Warning, name, text)
	}
}

// sharedState finds what a hook changes of the file's locals. What is computed once and kept is right.
func (f *file) sharedState() {
	for _, w := range f.writes {
		if v := f.changed(w.target); v != nil && f.runs(w.fn) && !f.isMemo(w) && !w.def {
			f.reportShared(w.target, v)
		}
	}
	for _, c := range f.calls {
		if c.Func == nil || !f.runs(c.fn) || len(c.Args) == 0 {
			continue
		}
		switch f.memberName(c.Func) {
		case "table.insert", "table.remove", "rawset", "table.sort":
			if v := f.held(c.Args[0]); v != nil && f.memberName(c.Func) != "table.sort" {
				f.reportShared(c.Args[0], v)
			}
		}
	}
}

func (f *file) reportShared(e ast.Expr, v *variable) {
	f.report("shared-state", Warning, e, fmt.Sprintf("a hook changes %s, a local of the file: there are several Lua states at once, each with its own, and they come and go; keep it in store", v.name))
}

// changed is the local of the file that an assignment changes, itself or a field of it.
func (f *file) changed(target ast.Expr) *variable {
	if name, ok := target.(*ast.IdentExpr); ok {
		if v := f.variables[name]; v != nil && v.fn == f.script && !v.param {
			return v
		}
		return nil
	}
	if field, ok := target.(*ast.AttrGetExpr); ok {
		return f.held(field.Object)
	}
	return nil
}

// held is the local of the file that holds a table; nil: it is another's, or may be.
func (f *file) held(e ast.Expr) *variable {
	for range 10 {
		switch x := e.(type) {
		case *ast.AttrGetExpr:
			e = x.Object
		case *ast.IdentExpr:
			v := f.variables[x]
			switch {
			case v == nil || v.param || v.loop:
				return nil
			case v.fn == f.script:
				return v
			case v.value() == nil:
				return nil
			}
			switch v.value().(type) {
			case *ast.IdentExpr, *ast.AttrGetExpr: // another name of it
				e = v.value()
			default:
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// isMemo reports whether an assignment keeps what was computed: it stands under a condition that looks whether it is there, or
// is x = x or ..., and the value is no mark that says that something has happened.
func (f *file) isMemo(w write) bool {
	switch value := w.value.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NumberExpr, *ast.NilExpr, *ast.ArithmeticOpExpr, nil:
		return false
	case *ast.LogicalOpExpr:
		if value.Operator == "or" && f.same(value.Lhs, w.target) {
			return true
		}
	}
	for _, test := range w.tests {
		if f.mentions(test, w.target) {
			return true
		}
	}
	if _, isField := w.target.(*ast.AttrGetExpr); isField && f.readBefore(w) {
		return true
	}
	return false
}

// readBefore reports whether the function of an assignment keeps the same field in a local before, which it then looks at:
// local known = cache[key].
func (f *file) readBefore(w write) bool {
	for _, v := range f.locals {
		if v.fn == w.fn && v.init != nil && f.same(v.init, w.target) {
			return true
		}
	}
	for _, r := range w.fn.returns {
		for _, e := range r.Exprs {
			if f.same(e, w.target) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether an expression has another in it.
func (f *file) mentions(e, what ast.Expr) bool {
	if f.same(e, what) {
		return true
	}
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		return f.mentions(e.Expr, what)
	case *ast.LogicalOpExpr:
		return f.mentions(e.Lhs, what) || f.mentions(e.Rhs, what)
	case *ast.RelationalOpExpr:
		return (e.Operator == "==" || e.Operator == "~=") && (f.mentions(e.Lhs, what) || f.mentions(e.Rhs, what))
	}
	return false
}

// same reports whether two expressions name one thing.
func (f *file) same(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.IdentExpr:
		b, ok := b.(*ast.IdentExpr)
		return ok && a.Value == b.Value && f.variables[a] == f.variables[b]
	case *ast.StringExpr:
		b, ok := b.(*ast.StringExpr)
		return ok && a.Value == b.Value
	case *ast.AttrGetExpr:
		b, ok := b.(*ast.AttrGetExpr)
		return ok && f.same(a.Object, b.Object) && f.same(a.Key, b.Key)
	}
	return false
}

func (f *file) notGranted() {
	if f.context.Grants == nil {
		return
	}
	for _, c := range f.calls {
		name := f.memberName(c.Func)
		if c.Func == nil || name == "" || len(c.Args) == 0 && !strings.Contains(name, ".") {
			continue
		}
		if f.underPcall(c) {
			continue
		}
		argument, at := "", ast.Expr(c.FuncCallExpr)
		if len(c.Args) > 0 {
			argument = f.text(c.Args[0])
			if s := f.literal(c.Args[0]); s != nil && (strings.HasPrefix(name, "exec.") || strings.HasPrefix(name, "env.") || strings.HasPrefix(name, "http.")) {
				at = s
			}
			if t := f.table(c.Args[0]); t != nil && name == "http.request" {
				for _, field := range t.Fields {
					if key := keyOf(field); key != nil && key.Value == "url" {
						argument = f.text(field.Value)
					}
				}
			}
		}
		if need := lib.Needs(*f.context.Grants, name, argument); need != "" {
			f.report("not-granted", Warning, at, fmt.Sprintf("%s isn't granted; give this script \"grant: {%s}\" in hooks.yaml", name, need))
		}
	}
}

// underPcall reports whether a call stands in a function that is given to pcall: it expects to fail.
func (f *file) underPcall(c call) bool {
	for fn := c.fn; fn != nil && fn.expr != nil; fn = fn.outer {
		if parent, ok := f.parents[fn.expr].(*ast.FuncCallExpr); ok && (f.isGlobal(parent.Func, "pcall") || f.isGlobal(parent.Func, "xpcall")) {
			return true
		}
	}
	return false
}
