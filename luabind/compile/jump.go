package compile

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Where a block is left, the variables that closures hold have to be closed: else they
// stay in their registers, and the closure sees what is put there next. The compiler
// does so at the end of a block; at a break not for the blocks within the loop; at a
// goto for all variables of the function, also those that live on where it goes: a
// counter that a closure changes would stand still. So the instruction of each goto is
// told here which variables to close, and a loop that may be left by break with
// closures made is followed by such an instruction.

// exit is one goto of a rewritten script.
type exit struct {
	line  int // in the source
	alive int // how many variables are in scope where it leads; they have the first registers of the function
}

// The parts of an instruction, as gopher-lua encodes it.
const (
	opShift, opAShift, opAMask, opBxMask = 26, 18, 0xff, 1<<18 - 1
)

// mark gives a goto its number, in place of its line: by that its instructions are found.
func (r *rewriter) mark(st *ast.GotoStmt, line int) {
	r.exits = append(r.exits, exit{line: line})
	st.SetLine(-len(r.exits))
	st.SetLastLine(line)
	if r.function != nil {
		r.function.jumps = true
	} else {
		r.jumps = true
	}
}

// loop rewrites a loop by rewrite.
func (r *rewriter) loop(st ast.Stmt, rewrite func()) ast.Stmt {
	closures, breaks := r.closures, r.breaks
	r.breaks = 0
	rewrite()
	left := r.breaks > 0 && r.closures > closures
	r.breaks = breaks
	if left {
		line := max(st.Line(), st.LastLine())
		return block(line, append([]ast.Stmt{st}, r.closing(line)...)...)
	}
	return st
}

// closing closes what isn't in scope any more: a goto to what follows.
func (r *rewriter) closing(line int) []ast.Stmt {
	const name = "(close)"
	jump, label := &ast.GotoStmt{Label: name}, &ast.LabelStmt{Name: name}
	r.mark(jump, line)
	label.SetLine(line)
	return []ast.Stmt{jump, label}
}

// labels are those that a block declares, by name, with the number of variables that are
// in scope there.
type labels struct {
	outer *labels
	alive map[string]int
}

func (l *labels) find(name string) int {
	for ; l != nil; l = l.outer {
		if n, ok := l.alive[name]; ok {
			return n
		}
	}
	return 0 // the compiler will say so
}

// findExits finds how many variables are in scope where the gotos of rewritten statements
// lead; alive is how many are before them.
func (r *rewriter) findExits(stmts []ast.Stmt, alive int, outer *labels) {
	seen := outer
	n := alive
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.LocalAssignStmt:
			n += len(st.Names)
		case *ast.LabelStmt:
			if seen == outer {
				seen = &labels{outer: outer, alive: map[string]int{}}
			}
			seen.alive[st.Name] = n
		}
	}
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.LocalAssignStmt:
			alive += len(st.Names)
		case *ast.GotoStmt:
			r.exits[-st.Line()-1].alive = seen.find(st.Label)
		case *ast.DoBlockStmt:
			r.findExits(st.Stmts, alive, seen)
		case *ast.WhileStmt:
			r.findExits(st.Stmts, alive, seen)
		case *ast.RepeatStmt:
			r.findExits(st.Stmts, alive, seen)
		case *ast.IfStmt:
			r.findExits(st.Then, alive, seen)
			r.findExits(st.Else, alive, seen)
		case *ast.NumberForStmt:
			r.findExits(st.Stmts, alive+4, seen) // index, limit and step have registers, too
		case *ast.GenericForStmt:
			r.findExits(st.Stmts, alive+3+len(st.Names), seen)
		}
	}
}

// settleExits lets each goto of a compiled function close what is out of scope where it
// leads.
func settleExits(p *lua.FunctionProto, exits []exit) {
	for pc, line := range p.DbgSourcePositions {
		if line >= 0 {
			continue
		}
		to := exits[-line-1]
		p.DbgSourcePositions[pc] = to.line
		if int(p.Code[pc]>>opShift) == lua.OP_CLOSE {
			p.Code[pc] = p.Code[pc]&^(opAMask<<opAShift) | uint32(to.alive)<<opAShift
		}
	}
}

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
	return append([]ast.Stmt{noOperation(body[0].Line())}, body...)
}

// jumps reports whether a statement may begin with a jump. Expressions don't: see folded.
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

// noOperation is a statement that does noOperation, in one instruction.
func noOperation(line int) ast.Stmt {
	local := &ast.LocalAssignStmt{Names: []string{"(noOperation)"}, Exprs: []ast.Expr{&ast.NilExpr{}}}
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
