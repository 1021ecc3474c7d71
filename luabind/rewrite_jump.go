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

// jumps tells whether a statement may begin with a jump. Expressions don't: see folded.
func jumps(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.BreakStmt, *ast.RepeatStmt:
		return true
	case *ast.DoBlockStmt:
		return len(st.Stmts) == 0 || isLabel(st.Stmts[0]) || jumps(st.Stmts[0])
	case *ast.WhileStmt:
		return isLiteral(st.Condition)
	case *ast.IfStmt:
		return isLiteral(st.Condition)
	}
	return false
}

func isLabel(st ast.Stmt) bool {
	_, ok := st.(*ast.LabelStmt)
	return ok
}

// nothing is a statement that does nothing, in one instruction.
func nothing(line int) ast.Stmt {
	local := &ast.LocalAssignStmt{Names: []string{"(nothing)"}, Exprs: []ast.Expr{&ast.NilExpr{}}}
	local.SetLine(line)
	local.Exprs[0].SetLine(line)
	return block(line, local)
}

func block(line int, stmts ...ast.Stmt) ast.Stmt {
	do := &ast.DoBlockStmt{Stmts: stmts}
	do.SetLine(line)
	do.SetLastLine(line)
	return do
}
