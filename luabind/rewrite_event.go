package luabind

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// A hook is told its event as it spells it where it registers. A script that compares it
// with another spelling of the same event, or looks it up in a table under one, means that
// event: compared as texts, the two would differ, and a guard would go by what it is there
// for without a word. What a script does with an event's name elsewhere is its own:
// see [Program.OtherSpellings].

// given remembers what a variable is given.
func (n *eventNames) given(name string, value ast.Expr) {
	if n.held == nil {
		n.held, n.other = map[string]bool{}, map[string]bool{}
	}
	if n.isEvent(value) {
		n.held[name] = true
	} else {
		n.other[name] = true
	}
}

// givenOther remembers variables that are given anything, parameters say.
func (n *eventNames) givenOther(names []string) {
	for _, name := range names {
		n.given(name, nil)
	}
}

// isEventField tells whether an expression is x.event.
func isEventField(e *ast.AttrGetExpr) bool {
	key, ok := e.Key.(*ast.StringExpr)
	return ok && (key.Value == "event" || key.Value == canonicalField)
}

const canonicalField = "canonical_event"

// isEvent tells whether an expression may come to an event's name: x.event, a variable that
// was given it somewhere, and what a function makes of it, which is in lower case maybe.
// Where it comes to anything else, the guards do what Lua does.
func (n *eventNames) isEvent(e ast.Expr) bool { return n.comesTo(e, nil) }

// surelyEvent leaves out variables whose name is also that of others.
func (n *eventNames) surelyEvent(e ast.Expr) bool { return n.comesTo(e, n.other) }

func (n *eventNames) comesTo(e ast.Expr, but map[string]bool) bool {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return isEventField(e)
	case *ast.IdentExpr:
		return n.held[e.Value] && !but[e.Value]
	case *ast.LogicalOpExpr:
		return n.comesTo(e.Lhs, but) || n.comesTo(e.Rhs, but)
	case *ast.FuncCallExpr:
		return n.comesTo(e.Receiver, but) || slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return n.comesTo(arg, but) })
	}
	return false
}

// comparesEvent tells whether an expression is an event's name == anything, or ~=.
func (n *eventNames) comparesEvent(e *ast.RelationalOpExpr) bool {
	return (e.Operator == "==" || e.Operator == "~=") && (n.isEvent(e.Lhs) || n.isEvent(e.Rhs))
}

// comparison rewrites a == b where one is an event's name: a guard compares, unless the
// other is a literal that names none.
func (r *rewriter) comparison(e *ast.RelationalOpExpr) ast.Expr {
	guard, sure := true, r.names.surelyEvent(e.Lhs) || r.names.surelyEvent(e.Rhs)
	for _, side := range []*ast.Expr{&e.Lhs, &e.Rhs} {
		if isLiteral(*side) {
			text, ok := (*side).(*ast.StringExpr)
			if guard = ok && isEventName(text.Value); !guard && sure {
				r.names.notePart(*side)
			}
			continue
		}
		*side = r.taken(*side)
	}
	if !guard {
		return e
	}
	same := guardCall(e.Line(), eventGuard, e.Lhs, e.Rhs)
	same.AdjustRet = true
	if e.Operator == "==" {
		return same
	}
	other := &ast.UnaryNotOpExpr{Expr: same}
	other.SetLine(e.Line())
	return other
}

// taken rewrites an expression that is taken for an event's name where it stands, if it is one.
func (r *rewriter) taken(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.taken(e.Lhs), r.taken(e.Rhs)
		return folded(e)
	case *ast.IdentExpr, *ast.AttrGetExpr:
		if r.names.isEvent(e) {
			defer func(was bool) { r.names.loose = was }(r.names.loose)
		}
	}
	return r.expression(e)
}

// lookup rewrites t[x.event]. Its object is rewritten already.
func (r *rewriter) lookup(e *ast.AttrGetExpr) ast.Expr {
	r.names.lookups = true
	value := guardCall(e.Line(), lookupGuard, e.Object, r.taken(e.Key))
	value.AdjustRet = true
	return value
}

// sameEvent compares two values; two names of the same event are equal.
func sameEvent(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	same := L.Equal(a, b)
	if !same {
		if first, ok := eventOf(L, a); ok {
			second, ok := eventOf(L, b)
			same = ok && first == second
		}
	}
	L.Push(lua.LBool(same))
	return 1
}

// maxEventName is how many bytes a name of an event has at the most.
const maxEventName = 100

// eventOf is the event that a value names.
func eventOf(L *lua.LState, v lua.LValue) (e hooks.Event, known bool) {
	name, ok := v.(lua.LString)
	if !ok || len(name) > maxEventName {
		return "", false
	}
	Spend(L, 8)
	return hooks.KnownEvent(string(name))
}

func isEventName(text string) bool {
	if len(text) > maxEventName {
		return false
	}
	_, known := hooks.KnownEvent(text)
	return known
}

// lookup is t[k], where k is an event's name as a rule: it finds what t has under that
// name, else what it has under another of the event, else what is behind t.
func lookup(L *lua.LState) int {
	t, name := L.Get(1), L.Get(2)
	event, known := eventOf(L, name)
	for range lua.MaxTableGetLoop {
		table, ok := t.(*lua.LTable)
		if !known || !ok {
			break
		}
		value := table.RawGet(name)
		if value == lua.LNil {
			value = underAnyName(L, table, event)
		}
		if value != lua.LNil {
			L.Push(value)
			return 1
		}
		t = L.GetMetaField(table, "__index")
	}
	L.Push(L.GetTable(L.Get(1), name))
	return 1
}

// underAnyName is what a table has under the first key that names the event.
func underAnyName(L *lua.LState, t *lua.LTable, event hooks.Event) lua.LValue {
	for k, v := First(L, t); k != lua.LNil; k, v = t.Next(k) {
		Spend(L, 1)
		if e, known := eventOf(L, k); known && e == event {
			return v
		}
	}
	return lua.LNil
}
