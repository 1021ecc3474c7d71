package luabind

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// A hook is told its event as it spells it where it registers. A script that compares it
// with another spelling of the same event means that event: compared as texts, the two
// would differ, and a guard would go by what it is there for without a word.

// noteEvent remembers a variable that is given the event's name.
func (r *rewriter) noteEvent(name string, value ast.Expr) {
	if isEventField(value) {
		if r.events == nil {
			r.events = map[string]bool{}
		}
		r.events[name] = true
	}
}

// isEventField tells whether an expression is x.event.
func isEventField(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return false
	}
	key, ok := get.Key.(*ast.StringExpr)
	return ok && key.Value == "event"
}

// comparesEvent tells whether an expression is x.event == "name of an event", or ~=.
func (r *rewriter) comparesEvent(e *ast.RelationalOpExpr) bool {
	if e.Operator != "==" && e.Operator != "~=" {
		return false
	}
	return r.isEvent(e.Lhs) && namesEvent(e.Rhs) || r.isEvent(e.Rhs) && namesEvent(e.Lhs)
}

func (r *rewriter) isEvent(e ast.Expr) bool {
	name, ok := e.(*ast.IdentExpr)
	return isEventField(e) || ok && r.events[name.Value]
}

func namesEvent(e ast.Expr) bool {
	text, ok := e.(*ast.StringExpr)
	if !ok || len(text.Value) > 100 {
		return false
	}
	event, err := hooks.ParseEvent(text.Value)
	return err == nil && hooks.IsKnown(event)
}

// eventComparison has the guard compare.
func eventComparison(e *ast.RelationalOpExpr) ast.Expr {
	same := guardCall(e.Line(), eventGuard, e.Lhs, e.Rhs)
	same.AdjustRet = true
	if e.Operator == "==" {
		return same
	}
	other := &ast.UnaryNotOpExpr{Expr: same}
	other.SetLine(e.Line())
	return other
}

// sameEvent compares two values; two names of the same event are equal.
func sameEvent(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	L.Push(lua.LBool(a == b || sameName(L, a, b)))
	return 1
}

func sameName(L *lua.LState, a, b lua.LValue) bool {
	x, ok1 := a.(lua.LString)
	y, ok2 := b.(lua.LString)
	if !ok1 || !ok2 || len(x) > 100 || len(y) > 100 {
		return false
	}
	Spend(L, 16)
	first, err1 := hooks.ParseEvent(string(x))
	second, err2 := hooks.ParseEvent(string(y))
	return err1 == nil && err2 == nil && first == second
}
