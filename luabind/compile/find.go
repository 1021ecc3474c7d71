package compile

import "github.com/yuin/gopher-lua/ast"

// How Lua says that a text has another in it is string.find(s, part, 1, true), or
// s:find(part, 1, true), and most hooks say it. Where nothing but the truth of the result is
// looked at, a guard takes the place of the function: it needs two arguments less, makes no
// numbers, and doesn't look for the method.

// condition is expression for one of which only the truth is looked at.
func (r *rewriter) condition(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.condition(e.Lhs), r.condition(e.Rhs)
		return folded(e)
	case *ast.FuncCallExpr:
		return r.found(e)
	}
	return r.expression(e)
}

// found is expression for a call of which only the truth is looked at, as that of its result or
// as whether that is nil.
func (r *rewriter) found(e *ast.FuncCallExpr) ast.Expr {
	switch isMethod := e.Func == nil; {
	case isMethod && e.Method == "find" && isPlain(e.Args, 1):
		e.Args = append([]ast.Expr{e.Receiver}, e.Args[0])
		return r.truth(e, HasGuard)
	case !isMethod && r.bound[e] == boundPrefix+"string.find)" && isPlain(e.Args, 2):
		e.Args = e.Args[:2]
		return r.truth(e, FindGuard)
	}
	return r.expression(e)
}

// isPlain reports whether the arguments of find end, after so many, in 1 and true.
func isPlain(args []ast.Expr, n int) bool {
	if len(args) != n+2 {
		return false
	}
	from, isNumber := args[n].(*ast.NumberExpr)
	_, isTrue := args[n+1].(*ast.TrueExpr)
	if !isNumber || !isTrue {
		return false
	}
	first, ok := literalNumber(from)
	return ok && first == 1
}

// truth is a call of a guard with the arguments of a call.
func (r *rewriter) truth(e *ast.FuncCallExpr, guard string) ast.Expr {
	r.expressions(e.Args)
	call := guardCall(e.Line(), guard, e.Args[0], single(e.Args[1]))
	call.AdjustRet = true
	return call
}
