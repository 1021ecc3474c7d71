package luabind

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

func (m *measurer) exprs(list []ast.Expr) {
	for _, e := range list {
		m.expr(e)
	}
}

// expr measures an expression. folding is what one attempt to make a constant of it
// costs the compiler.
func (m *measurer) expr(e ast.Expr) (folding int) {
	m.at(e)
	defer func() { m.depth-- }()
	switch e := e.(type) {
	case *ast.StringExpr:
		m.constant(lua.LString(e.Value), len(e.Value))
	case *ast.NumberExpr:
		m.number(e)
		return 16 + len(e.Value)
	case *ast.IdentExpr:
		m.name(e.Value)
	case *ast.Comma3Expr:
		m.guard()
	case *ast.AttrGetExpr:
		m.exprs([]ast.Expr{e.Object, e.Key})
		if m.names.isEvent(e.Key) {
			m.guard()
		}
	case *ast.TableExpr:
		m.table(e)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			m.expr(e.Func)
			if root, _ := calledName(e); root != "" && m.global(root) {
				m.called.call(e)
				m.guard()
			}
		} else {
			m.expr(e.Receiver)
			m.constant(lua.LString(e.Method), len(e.Method))
		}
		m.exprs(e.Args)
	case *ast.LogicalOpExpr:
		m.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.RelationalOpExpr:
		m.exprs([]ast.Expr{e.Lhs, e.Rhs})
		if m.names.comparesEvent(e) {
			m.guard()
		}
	case *ast.StringConcatOpExpr:
		m.guard()
		m.operands(e)
		m.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.ArithmeticOpExpr:
		folding = 4 + m.expr(e.Lhs) + m.expr(e.Rhs)
		m.folds(folding)
		return folding
	case *ast.UnaryMinusOpExpr:
		folding = 4 + m.expr(e.Expr)
		m.folds(folding)
		return folding
	case *ast.UnaryNotOpExpr:
		m.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		m.expr(e.Expr)
	case *ast.FunctionExpr:
		m.body(e)
	}
	return 1
}

// operands bounds how many values are joined at once: each takes a register.
func (m *measurer) operands(e *ast.StringConcatOpExpr) {
	n := 1
	for rest, ok := e, true; ok; rest, ok = rest.Rhs.(*ast.StringConcatOpExpr) {
		if n++; n > maxOperands {
			m.stop("more than %d values are joined by ..; use table.concat", maxOperands)
		}
	}
}

// folds is an attempt to fold, which may make a constant that no other use shares.
func (m *measurer) folds(cost int) {
	f := m.function
	f.unnamed++
	m.spend(cost + len(f.constants) + f.unnamed)
}

func (m *measurer) number(e *ast.NumberExpr) {
	n, ok := literalNumber(e)
	if !ok {
		text := e.Value
		if len(text) > maxToken {
			text = text[:maxToken] + "..."
		}
		m.stop("malformed or too large number near %q", text)
	}
	m.constant(n, 0)
	m.spend(len(e.Value))
}

func (m *measurer) table(t *ast.TableExpr) {
	if len(t.Fields) > maxItems {
		m.stop("a table has more than %s items; split it, or keep the data elsewhere", grouped(maxItems))
	}
	for _, f := range t.Fields {
		if f.Key != nil {
			m.expr(f.Key)
			m.guard()
		}
		m.expr(f.Value)
	}
}

// settle checks a compiled function, and those within it, against what gopher-lua can
// hold, and gives back the room that compiling it took.
func settle(p *lua.FunctionProto, exits []exit) *excess {
	if len(p.Code) > maxInstructions {
		return &excess{p.LineDefined, "a function is too long: it has more than " + grouped(maxInstructions) + " instructions; split it"}
	}
	if len(p.DbgUpvalues) > maxUpvalues+len(guardNames)+maxBound {
		return &excess{p.LineDefined, "a function uses too many locals of the functions around it; put them into a table"}
	}
	p.Code, p.Constants, p.FunctionPrototypes = fit(p.Code), fit(p.Constants), fit(p.FunctionPrototypes)
	p.DbgSourcePositions, p.DbgLocals = fit(p.DbgSourcePositions), fit(p.DbgLocals)
	p.DbgCalls, p.DbgUpvalues = fit(p.DbgCalls), fit(p.DbgUpvalues)
	settleExits(p, exits)
	for _, f := range p.FunctionPrototypes {
		if x := settle(f, exits); x != nil {
			return x
		}
	}
	return nil
}

// fit is a copy that has no room for more; nil where there is nothing.
func fit[T any](list []T) []T { return append([]T(nil), list...) }
