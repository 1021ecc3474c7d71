package luabind

import "github.com/yuin/gopher-lua/ast"

// The compiler shortens a jump to another jump, and reads the distance of one that
// it has already shortened as the number of a label. So a jump backwards must not
// land on a jump: a loop like
//
//	for _ in pairs(t) do break end
//
// within another would run past the end of its function. Where the body of a loop, or
// what follows a label, begins with a jump, something else is put before it.

// landing is the body of a loop, made to begin with no jump.
func landing(body []ast.Stmt) []ast.Stmt {
	if len(body) == 0 || !jumps(body[0]) {
		return body
	}
	return append([]ast.Stmt{nothing(body[0].Line())}, body...)
}

// landed is a block in which no label stands before a jump.
func landed(block []ast.Stmt) []ast.Stmt {
	for i := len(block) - 1; i > 0; i-- {
		if _, ok := block[i-1].(*ast.LabelStmt); ok && jumps(block[i]) {
			block = append(block[:i:i], append([]ast.Stmt{nothing(block[i].Line())}, block[i:]...)...)
		}
	}
	return block
}

// landingLoop is landing for while, which begins with its condition.
func landingLoop(st *ast.WhileStmt) {
	if _, always := st.Condition.(*ast.TrueExpr); !always && beginsConstant(st.Condition) {
		leave := &ast.BreakStmt{}
		leave.SetLine(st.Line())
		choice := &ast.IfStmt{Condition: st.Condition, Then: st.Stmts, Else: []ast.Stmt{leave}}
		choice.SetLine(st.Line())
		choice.SetLastLine(st.LastLine())
		st.Condition = &ast.TrueExpr{}
		st.Condition.SetLine(st.Line())
		st.Stmts = []ast.Stmt{choice}
	}
	st.Stmts = landing(st.Stmts)
}

// jumps tells whether a statement may begin with a jump.
func jumps(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.BreakStmt, *ast.GotoStmt, *ast.DoBlockStmt, *ast.WhileStmt, *ast.RepeatStmt:
		return true
	case *ast.IfStmt:
		return beginsConstant(st.Condition)
	case *ast.AssignStmt:
		return choosesConstant(st.Lhs...) || choosesConstant(st.Rhs...)
	case *ast.LocalAssignStmt:
		return choosesConstant(st.Exprs...)
	case *ast.ReturnStmt:
		return choosesConstant(st.Exprs...)
	case *ast.FuncCallStmt:
		return choosesConstant(st.Expr)
	case *ast.NumberForStmt:
		return choosesConstant(st.Init, st.Limit, st.Step)
	case *ast.GenericForStmt:
		return choosesConstant(st.Exprs...)
	}
	return false
}

// choosesConstant tells whether an and, or or not over a constant occurs in the
// expressions, for which the compiler makes a jump. It doesn't ask whether that comes
// first.
func choosesConstant(list ...ast.Expr) bool {
	for _, e := range list {
		var parts []ast.Expr
		switch e := e.(type) {
		case *ast.LogicalOpExpr:
			if beginsConstant(e) {
				return true
			}
			parts = []ast.Expr{e.Lhs, e.Rhs}
		case *ast.UnaryNotOpExpr:
			if beginsConstant(e) {
				return true
			}
			parts = []ast.Expr{e.Expr}
		case *ast.UnaryMinusOpExpr:
			parts = []ast.Expr{e.Expr}
		case *ast.UnaryLenOpExpr:
			parts = []ast.Expr{e.Expr}
		case *ast.ArithmeticOpExpr:
			parts = []ast.Expr{e.Lhs, e.Rhs}
		case *ast.RelationalOpExpr:
			if beginsConstant(e.Lhs) {
				return true
			}
			parts = []ast.Expr{e.Lhs, e.Rhs}
		case *ast.AttrGetExpr:
			parts = []ast.Expr{e.Object, e.Key}
		case *ast.FuncCallExpr:
			parts = append([]ast.Expr{e.Func, e.Receiver}, e.Args...)
		case *ast.TableExpr:
			for _, f := range e.Fields {
				parts = append(parts, f.Key, f.Value)
			}
		}
		if choosesConstant(parts...) {
			return true
		}
	}
	return false
}

// beginsConstant tells whether the compiler makes a jump of a condition's beginning.
func beginsConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		return beginsConstant(e.Lhs)
	case *ast.UnaryNotOpExpr:
		return beginsConstant(e.Expr)
	}
	return isLiteral(e)
}

const gotoName = "(goto)"

// gotoLocal takes the first register of a function in which goto occurs, so that
// [closeBeforeGoto] can tell the instructions to mend.
func gotoLocal(line int) ast.Stmt {
	local := &ast.LocalAssignStmt{Names: []string{gotoName}, Exprs: []ast.Expr{&ast.NilExpr{}}}
	local.SetLine(line)
	local.Exprs[0].SetLine(line)
	return local
}

// nothing is a statement that does nothing, in one instruction.
func nothing(line int) ast.Stmt {
	local := &ast.LocalAssignStmt{Names: []string{"(nothing)"}, Exprs: []ast.Expr{&ast.NilExpr{}}}
	local.SetLine(line)
	local.Exprs[0].SetLine(line)
	block := &ast.DoBlockStmt{Stmts: []ast.Stmt{local}}
	block.SetLine(line)
	block.SetLastLine(line)
	return block
}
