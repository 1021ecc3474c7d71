package check

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// hook is a call of on, as far as the script shows what it registers.
type hook struct {
	call    call
	events  []hooks.Event
	fn      *function // nil: it isn't seen
	name    *ast.StringExpr
	options *ast.TableExpr
	matcher *hooks.Matcher
	told    told
}

// told is what a function is called for: the events, and for tool calls which tools.
type told struct {
	events []hooks.Event
	shell  bool            // of tool calls only those of shells, or perhaps so
	kinds  map[string]bool // kinds of the tools, all of which are known; nil: they aren't
}

func (a told) with(b told) told {
	for _, e := range b.events {
		if !slices.Contains(a.events, e) {
			a.events = append(slices.Clip(a.events), e)
		}
	}
	a.shell = a.shell && b.shell
	if a.kinds == nil || b.kinds == nil {
		a.kinds = nil
		return a
	}
	kinds := map[string]bool{}
	for k := range a.kinds {
		kinds[k] = true
	}
	for k := range b.kinds {
		kinds[k] = true
	}
	a.kinds = kinds
	return a
}

// binding is the part of an event that a parameter holds.
type binding struct {
	path  string // "ev", "ev.tool_call"; "": nothing that is known
	mixed bool   // it holds other things as well
}

// flow says which functions of a script run for which events, and what of an event its
// variables hold.
type flow struct {
	*tree
	hooks    []*hook
	bindings map[*variable]binding
	told     map[*function]told
	named    map[string][]*ast.FunctionExpr // by global name and by table and name
	assigned map[string]bool                // globals
	called   map[*function]bool             // see onlyCalled
	asked    map[string]bool                // see looksFor
	types    map[*variable]string           // see typeOf
	stores   map[string]bool                // the fields that the script gives some table, perhaps one of a module's
	holders  map[ast.Expr]*variable         // the locals that functions are kept in
}

// follow makes the flow of a script.
func follow(t *tree) *flow {
	f := &flow{tree: t, bindings: map[*variable]binding{}, told: map[*function]told{}, named: map[string][]*ast.FunctionExpr{}, assigned: map[string]bool{}, called: map[*function]bool{}, asked: map[string]bool{}, types: map[*variable]string{}, stores: map[string]bool{}, holders: map[ast.Expr]*variable{}}
	for _, v := range t.locals {
		if fn, ok := v.value().(*ast.FunctionExpr); ok {
			f.holders[fn] = v
		}
	}
	for _, w := range t.writes {
		if target, ok := w.target.(*ast.AttrGetExpr); ok {
			if key, isText := target.Key.(*ast.StringExpr); isText {
				f.stores[key.Value] = true
			}
		}
		if name, ok := w.target.(*ast.IdentExpr); ok && t.variables[name] == nil {
			f.assigned[name.Value] = true
		}
		if key := f.functionKey(w.target); key != "" {
			fn, _ := w.value.(*ast.FunctionExpr) // nil: it is something else, or not only a function
			f.named[key] = append(f.named[key], fn)
		}
	}
	for _, c := range t.calls {
		if f.isGlobal(c.Func, "on") {
			f.hooks = append(f.hooks, f.hookOf(c))
		}
	}
	for _, h := range f.hooks {
		if h.fn == nil {
			continue
		}
		f.tell(h.fn, h.told)
		if len(h.fn.params) > 0 {
			f.bind(h.fn.params[0], "ev", true)
		}
	}
	f.spread()
	return f
}

// functionKey names what a function is stored under, where nothing but an assignment to the same name changes it.
func (f *flow) functionKey(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if f.variables[e] == nil {
			return e.Value
		}
	case *ast.AttrGetExpr:
		object, ok := e.Object.(*ast.IdentExpr)
		key, isText := e.Key.(*ast.StringExpr)
		if ok && isText {
			if v := f.variables[object]; v != nil {
				return v.name + "@" + itoa(v.at.line) + ":" + itoa(v.at.column) + "." + key.Value
			}
		}
	}
	return ""
}

// maxRounds bounds how far an event is followed from function to function.
const maxRounds = 30

// spread follows events into the functions that are called with them. Parameters of functions that nothing is known of yet
// wait at first; in the end they are anything.
func (f *flow) spread() {
	for _, last := range []bool{false, true} {
		for round := 0; ; round++ {
			changed := false
			for _, c := range f.calls {
				changed = f.follow(c, last) || changed
			}
			for fn, what := range f.told {
				for _, inner := range fn.inner {
					changed = f.tell(inner, what) || changed
				}
			}
			if !changed {
				break
			}
			if round == maxRounds {
				f.bindings = map[*variable]binding{} // too deep to say anything
				return
			}
		}
	}
}

// follow takes what is known at a call to the function that is called, and reports whether that is news.
func (f *flow) follow(c call, last bool) (changed bool) {
	callee, args := f.functionOf(c.Func), c.Args
	skipped := 0
	switch {
	case c.Func == nil: // a method of the script's own isn't followed
		return false
	case f.isGlobal(c.Func, "pcall"):
		skipped = 1
	case f.isGlobal(c.Func, "xpcall"):
		skipped = 2
	}
	if skipped > 0 && len(args) >= skipped {
		callee, args = f.functionOf(args[0]), args[skipped:]
	}
	if callee == nil {
		return false
	}
	if what, isTold := f.told[c.fn]; isTold {
		changed = f.tell(callee, what)
	}
	for i, p := range callee.params {
		if i >= len(args) {
			break
		}
		path, ok := f.record(args[i])
		if ok || last || !f.waits(args[i]) {
			changed = f.bind(p, path, ok) || changed
		}
	}
	return changed
}

// waits reports whether nothing is known yet of the parameter that an expression begins with.
func (f *flow) waits(e ast.Expr) bool {
	for range 20 {
		switch x := e.(type) {
		case *ast.AttrGetExpr:
			e = x.Object
		case *ast.IdentExpr:
			v := f.variables[x]
			if v == nil {
				return false
			}
			if v.param {
				_, known := f.bindings[v]
				return !known
			}
			if v.value() == nil {
				return false
			}
			e = v.value()
		default:
			return false
		}
	}
	return false
}

// tell adds to what a function is called for, and reports whether that is news.
func (f *flow) tell(fn *function, what told) bool {
	old, known := f.told[fn]
	if !known {
		f.told[fn] = what
		return true
	}
	now := old.with(what)
	f.told[fn] = now
	return len(now.events) != len(old.events) || now.shell != old.shell || len(now.kinds) != len(old.kinds) || (now.kinds == nil) != (old.kinds == nil)
}

// bind says what a parameter holds in one of the calls; ok: a part of an event.
func (f *flow) bind(p *variable, path string, ok bool) bool {
	old, known := f.bindings[p]
	now := binding{path: path, mixed: !ok}
	if known {
		now.mixed = old.mixed || !ok || path != old.path
		now.path = old.path
	}
	f.bindings[p] = now
	return !known || now != old
}

// record is the part of an event that an expression comes to: "ev.tool_call.input".
func (f *flow) record(e ast.Expr) (path string, ok bool) { return f.recordWithin(e, 20) }

func (f *flow) recordWithin(e ast.Expr, depth int) (path string, ok bool) {
	if depth == 0 {
		return "", false
	}
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := f.variables[e]
		if v == nil || len(v.writes) > 0 {
			return "", false
		}
		if v.param {
			b, known := f.bindings[v]
			return b.path, known && !b.mixed && f.onlyCalled(v.fn)
		}
		if v.loop || v.init == nil {
			return "", false
		}
		return f.recordWithin(v.init, depth-1)
	case *ast.AttrGetExpr:
		key, isText := e.Key.(*ast.StringExpr)
		if !isText {
			return "", false
		}
		path, ok = f.recordWithin(e.Object, depth-1)
		return path + "." + key.Value, ok
	case *ast.LogicalOpExpr: // ev.tool_call.input or {}
		if table, isTable := e.Rhs.(*ast.TableExpr); e.Operator == "or" && isTable && len(table.Fields) == 0 {
			return f.recordWithin(e.Lhs, depth-1)
		}
		if e.Operator == "and" {
			return f.recordWithin(e.Rhs, depth-1)
		}
	}
	return "", false
}

// onlyCalled reports whether a function is seen wherever it is called: it is given to on, or by
// name to a call.
func (f *flow) onlyCalled(fn *function) bool {
	only, known := f.called[fn]
	if !known {
		only = f.isOnlyCalled(fn)
		f.called[fn] = only
	}
	return only
}

func (f *flow) isOnlyCalled(fn *function) bool {
	if fn.expr == nil {
		return false
	}
	switch parent := f.parents[fn.expr].(type) {
	case *ast.FuncCallExpr:
		return f.isGlobal(parent.Func, "on") || f.isGlobal(parent.Func, "pcall")
	case *ast.LocalAssignStmt, *ast.FuncDefStmt, *ast.AssignStmt:
	default:
		return false
	}
	for _, v := range f.locals {
		if v.value() != ast.Expr(fn.expr) {
			continue
		}
		for _, read := range v.reads {
			if !f.callsOrRegisters(read) {
				return false
			}
		}
	}
	return true
}

// callsOrRegisters reports whether the name of a function stands where it is called, or given to on.
func (f *flow) callsOrRegisters(name *ast.IdentExpr) bool {
	c, ok := f.parents[name].(*ast.FuncCallExpr)
	return ok && (c.Func == ast.Expr(name) || f.isGlobal(c.Func, "on") || f.isGlobal(c.Func, "pcall"))
}

// functionOf is the function that an expression certainly comes to; nil: it isn't known.
func (f *flow) functionOf(e ast.Expr) *function {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return f.functions[e]
	case *ast.IdentExpr:
		if v := f.variables[e]; v != nil {
			switch value := v.value().(type) {
			case *ast.FunctionExpr:
				return f.functions[value]
			case *ast.IdentExpr: // another name of it
				if inner := f.variables[value]; inner != nil {
					if fn, ok := inner.value().(*ast.FunctionExpr); ok {
						return f.functions[fn]
					}
				}
			}
			return nil
		}
	}
	if key := f.functionKey(e); key != "" {
		if list := f.named[key]; len(list) == 1 && list[0] != nil {
			return f.functions[list[0]]
		}
	}
	return nil
}

// isGlobal reports whether an expression is a word of hooks by that name, which the script hasn't made its own.
func (f *flow) isGlobal(e ast.Expr, name string) bool {
	id, ok := e.(*ast.IdentExpr)
	return ok && id.Value == name && f.variables[id] == nil && !f.assigned[name]
}

// memberName is the function of a module that is called, "exec.run", also by a local of its name or of the module's; "" if it
// isn't one.
func (f *flow) memberName(e ast.Expr) string { return f.memberWithin(e, 5) }

func (f *flow) memberWithin(e ast.Expr, depth int) string {
	if depth == 0 {
		return ""
	}
	switch e := e.(type) {
	case *ast.IdentExpr:
		if v := f.variables[e]; v != nil {
			if v.value() == nil {
				return ""
			}
			return f.memberWithin(v.value(), depth-1)
		}
		if f.assigned[e.Value] {
			return ""
		}
		return e.Value
	case *ast.AttrGetExpr:
		key, ok := e.Key.(*ast.StringExpr)
		object := f.memberWithin(e.Object, depth-1)
		if !ok || object == "" {
			return ""
		}
		return object + "." + key.Value
	case *ast.FuncCallExpr: // require("exec")
		if f.isGlobal(e.Func, "require") && len(e.Args) == 1 {
			name := f.text(e.Args[0])
			if _, isModule := modules()[name]; isModule {
				return name
			}
		}
	}
	return ""
}

// literal is the text that an expression certainly comes to, nil where it isn't known.
func (f *flow) literal(e ast.Expr) *ast.StringExpr {
	for range 5 {
		switch x := e.(type) {
		case *ast.StringExpr:
			return x
		case *ast.IdentExpr:
			v := f.variables[x]
			if v == nil || v.value() == nil {
				return nil
			}
			e = v.value()
		default:
			return nil
		}
	}
	return nil
}

func (f *flow) text(e ast.Expr) string {
	if s := f.literal(e); s != nil {
		return s.Value
	}
	return ""
}

// table is the table that an expression is, as it was written; nil where it isn't known. One that a variable holds may have
// been changed since.
func (f *flow) table(e ast.Expr) *ast.TableExpr {
	switch x := e.(type) {
	case *ast.TableExpr:
		return x
	case *ast.IdentExpr:
		v := f.variables[x]
		if v == nil || f.changes(v) {
			return nil
		}
		t, _ := v.value().(*ast.TableExpr)
		return t
	}
	return nil
}

// changes reports whether the table that a variable holds gets other fields by it.
func (f *flow) changes(v *variable) bool {
	for _, read := range v.reads {
		switch parent := f.parents[read].(type) {
		case *ast.AttrGetExpr:
			if f.stored[parent] {
				return true
			}
		case *ast.FuncCallExpr:
			if !f.isGlobal(parent.Func, "on") && f.answer(parent) == "" {
				return true
			}
		case *ast.TableExpr: // { match = WHICH } of on
			if c, ok := f.parents[parent].(*ast.FuncCallExpr); !ok || !f.isGlobal(c.Func, "on") {
				return true
			}
		case *ast.ReturnStmt, *ast.RelationalOpExpr, *ast.UnaryLenOpExpr:
		default:
			return true
		}
	}
	return false
}

// keyOf is the name of a field of a table that is written out; nil for one of a list, or that is computed.
func keyOf(field *ast.Field) *ast.StringExpr {
	key, _ := field.Key.(*ast.StringExpr)
	return key
}

// answer is the word of an answer that a call makes, "deny"; "" if it makes none.
func (f *flow) answer(c *ast.FuncCallExpr) string {
	id, ok := c.Func.(*ast.IdentExpr)
	if !ok {
		return ""
	}
	v := f.variables[id]
	if v != nil {
		if v.value() == nil {
			return ""
		}
		if id, ok = v.value().(*ast.IdentExpr); !ok || f.variables[id] != nil {
			return ""
		}
	}
	if isAnswer(id.Value) && !f.assigned[id.Value] {
		return id.Value
	}
	return ""
}
