package compile

import (
	"slices"
	"strconv"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// The guards, by the names of the upvalues that hold them.
const (
	ConcatGuard    = "(concat)"    // (a, b, ...) a .. b .. ...
	StoreGuard     = "(store)"     // (t, k, v) t[k] = v
	StoresGuard    = "(stores)"    // (t1, k1, t2, k2, ..., v1, v2, ...) t1[k1], t2[k2] = v1, v2
	KeyGuard       = "(key)"       // (k) the k of {[k] = v}
	ValuesGuard    = "(values)"    // (...) the ... of {...}
	ArgGuard       = "(arg)"       // (...) the table arg of a function that takes ...
	ArgumentsGuard = "(arguments)" // () the main chunk's own ...
	EventGuard     = "(event)"     // (a, b) a == b, where one is the name of an event
	LookupGuard    = "(lookup)"    // (t, k) t[k], where k is the name of an event
	DroppedGuard   = "(dropped)"   // (...) values that nothing takes
	FindGuard      = "(find)"      // (s, part) string.find(s, part, 1, true), true or nil
	HasGuard       = "(has)"       // (s, part) s:find(part, 1, true), true or nil for a text
	FirstGuard     = "(first)"     // (list, s [, key, plain]) the first i whose list[i], or list[i][key], may be in s
	IpairsGuard    = "(ipairs)"    // likewise, ipairs(list) from there on
)

var guardNames = [...]string{ConcatGuard, StoreGuard, StoresGuard, KeyGuard, ValuesGuard, ArgGuard, ArgumentsGuard, EventGuard, LookupGuard, DroppedGuard, FindGuard, HasGuard, FirstGuard, IpairsGuard}

// rewriter changes the parsed script, in place, so that what the VM would do in one
// instruction without a limit is done by a call of a guard: joining strings, storing
// under computed keys, filling tables from many values. Guards are upvalues whose
// names no script can write, so no script can name, shadow or unset them.
//
// It also takes the compiler around what it translates wrongly: see assignment, table, folded,
// ownName, landing and closing.
type rewriter struct {
	function  *functionUse // nil in the main chunk
	jumps     bool         // goto in the main chunk
	called    *calledNames
	bound     map[*ast.FuncCallExpr]string
	functions []string // the names of the upvalues in bound
	closures  int      // functions that were rewritten so far
	breaks    int      // of the loop that is being rewritten, so far
	exits     []exit
	names     *eventNames
}

// functionUse is what a function's body mentions.
type functionUse struct {
	dots  bool // "...", in the function itself
	jumps bool // goto, in the function itself
	arg   bool // the name arg, in it or in a function within
}

// rewrite wraps a chunk into one that declares the guards and returns the script as a
// function; the compiled script is the only function that the compiled chunk has.
func (r *rewriter) rewrite(chunk []ast.Stmt) []ast.Stmt {
	chunk = r.block(chunk)
	if r.jumps {
		r.findExits(chunk, 0, nil)
	}
	script := &ast.FunctionExpr{ParList: &ast.ParList{}, Stmts: chunk}
	script.SetLine(1)
	script.SetLastLine(1)
	if n := len(chunk); n > 0 {
		script.SetLastLine(max(chunk[n-1].Line(), chunk[n-1].LastLine()) + 1)
	}
	return []ast.Stmt{
		&ast.LocalAssignStmt{Names: slices.Concat(guardNames[:], r.functions)},
		&ast.ReturnStmt{Exprs: []ast.Expr{script}},
	}
}

func (r *rewriter) block(stmts []ast.Stmt) []ast.Stmt {
	list := make([]ast.Stmt, 0, len(stmts))
	for i, st := range stmts {
		st = r.statement(st)
		if i > 0 && isLabel(stmts[i-1]) && jumps(st) {
			list = append(list, noOperation(st.Line()))
		}
		list = append(list, st)
	}
	return list
}

func (r *rewriter) statement(st ast.Stmt) ast.Stmt {
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, target := range st.Lhs {
			r.target(target)
		}
		for i, value := range st.Rhs {
			if _, ok := st.Lhs[min(i, len(st.Lhs)-1)].(*ast.IdentExpr); ok {
				st.Rhs[i] = r.compared(value)
			} else {
				st.Rhs[i] = r.expression(value)
			}
		}
		return assignment(st)
	case *ast.LocalAssignStmt:
		unused := r.unused(st)
		for i, value := range st.Exprs {
			st.Exprs[i] = r.compared(value)
		}
		ownName(st)
		if unused {
			st.Exprs = []ast.Expr{guardCall(st.Line(), DroppedGuard, st.Exprs...)}
		}
	case *ast.FuncCallStmt:
		keeps := r.givesNoAnswer(st.Expr.(*ast.FuncCallExpr))
		if st.Expr = r.expression(st.Expr); !keeps {
			st.Expr = guardCall(st.Line(), DroppedGuard, st.Expr)
		}
	case *ast.DoBlockStmt:
		st.Stmts = r.block(st.Stmts)
	case *ast.WhileStmt:
		return r.loop(st, func() {
			st.Condition = r.condition(st.Condition)
			st.Stmts = r.block(st.Stmts)
			if isLiteral(st.Condition) {
				st.Stmts = landing(st.Stmts)
			}
		})
	case *ast.RepeatStmt:
		return r.loop(st, func() {
			st.Stmts = landing(r.block(st.Stmts))
			st.Condition = r.condition(st.Condition)
		})
	case *ast.IfStmt:
		st.Condition = r.condition(st.Condition)
		st.Then = r.block(st.Then)
		st.Else = r.block(st.Else)
	case *ast.NumberForStmt:
		if s := r.searches(st); s != nil {
			st.Init = s.beginning(st.Line(), FirstGuard, temporary(s.list, st.Line()))
		} else {
			st.Init = r.expression(st.Init)
		}
		st.Limit = r.expression(st.Limit)
		if st.Step != nil {
			st.Step = r.expression(st.Step)
		}
		return r.loop(st, func() { st.Stmts = r.block(st.Stmts) })
	case *ast.GenericForStmt:
		if s := r.searches(st); s != nil {
			st.Exprs[0] = s.beginning(s.ipairs.Line(), IpairsGuard, r.expression(s.ipairs.Args[0]))
		} else {
			r.expressions(st.Exprs)
		}
		iterator := heldIterator(st)
		loop := r.loop(st, func() { st.Stmts = landing(r.block(st.Stmts)) })
		if iterator != nil {
			return block(st.Line(), iterator, loop)
		}
		return loop
	case *ast.FuncDefStmt:
		for _, name := range []ast.Expr{st.Name.Func, st.Name.Receiver} {
			if name != nil {
				r.target(name) // a chain of names stays one
			}
		}
		if st.Name.Func == nil {
			r.body(st.Func, "self")
		} else {
			r.body(st.Func)
		}
	case *ast.BreakStmt:
		r.breaks++
	case *ast.GotoStmt:
		r.mark(st, st.Line())
	case *ast.ReturnStmt:
		r.expressions(st.Exprs)
	}
	return st
}

// target rewrites what is assigned to.
func (r *rewriter) target(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		e.Object = r.expression(e.Object)
		if r.names.isEvent(e.Key) {
			e.Key = r.compared(e.Key)
		} else {
			e.Key = r.key(e.Key, e)
		}
	default:
		r.compared(e)
	}
}

func (r *rewriter) expressions(list []ast.Expr) {
	for i, e := range list {
		list[i] = r.expression(e)
	}
}

func (r *rewriter) expression(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if r.function != nil && e.Value == "arg" {
			r.function.arg = true
		}
		r.names.loose = r.names.loose || r.names.variables[e.Value]
	case *ast.Comma3Expr:
		if r.function == nil { // a function that has no "...": the compiler would add a local arg
			call := guardCall(e.Line(), ArgumentsGuard)
			call.AdjustRet = e.AdjustRet
			return call
		}
		r.function.dots = true
	case *ast.AttrGetExpr:
		e.Object = r.expression(e.Object)
		if r.names.isEvent(e.Key) {
			return r.lookup(e)
		}
		e.Key = r.key(e.Key, e)
		if isEventField(e) {
			canonical := e.Key.(*ast.StringExpr).Value == canonicalField
			r.names.canonical = r.names.canonical || canonical
			r.names.loose = r.names.loose || !canonical
		}
	case *ast.TableExpr:
		r.table(e)
	case *ast.StringExpr:
		r.names.note(&r.names.texts, e)
		r.names.loose = r.names.loose || e.Value == "event" // what is read by that name isn't seen
	case *ast.FuncCallExpr:
		root, called := calledName(e)
		if name, ok := r.bound[e]; ok {
			f := &ast.IdentExpr{Value: name}
			f.SetLine(e.Func.Line())
			e.Func = f
		} else if e.Func != nil {
			e.Func = r.expression(e.Func)
		} else {
			e.Receiver = r.expression(e.Receiver)
		}
		r.arguments(e, root, called)
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
		return folded(e)
	case *ast.RelationalOpExpr:
		if r.names.comparesEvent(e) {
			return r.comparison(e)
		}
		if call, ok := e.Lhs.(*ast.FuncCallExpr); ok && isNil(e.Rhs) && (e.Operator == "==" || e.Operator == "~=") {
			e.Lhs = r.found(call)
			return e
		}
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
	case *ast.StringConcatOpExpr:
		return r.concatenation(e)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		e.Expr = r.expression(e.Expr)
	case *ast.UnaryNotOpExpr:
		e.Expr = r.condition(e.Expr)
		return foldedNot(e)
	case *ast.UnaryLenOpExpr:
		e.Expr = r.expression(e.Expr)
	case *ast.FunctionExpr:
		r.body(e)
	}
	return e
}

// body rewrites a function; hidden are the parameters that it doesn't name. For one that takes
// "..." and doesn't use it, gopher-lua would make the table arg at every call; here it is made
// where it is used, by a guard.
func (r *rewriter) body(f *ast.FunctionExpr, hidden ...string) {
	outer := r.function
	use := &functionUse{}
	r.function = use
	r.closures++
	breaks := r.breaks
	f.Stmts = r.block(f.Stmts)
	r.function, r.breaks = outer, breaks
	if outer != nil && use.arg {
		outer.arg = true
	}
	switch {
	case !f.ParList.HasVargs || use.dots:
	case use.arg:
		dots := &ast.Comma3Expr{}
		dots.SetLine(f.Line())
		local := &ast.LocalAssignStmt{Names: []string{"arg"}, Exprs: []ast.Expr{guardCall(f.Line(), ArgGuard, dots)}}
		local.SetLine(f.Line())
		f.Stmts = append([]ast.Stmt{local}, f.Stmts...)
	default:
		f.ParList.HasVargs = false
	}
	if use.jumps {
		first := len(hidden) + len(f.ParList.Names)
		if f.ParList.HasVargs {
			first++ // the compiler has a local arg then
		}
		r.findExits(f.Stmts, first, nil)
	}
}

// folded is a logical expression without a constant to the left, for which the compiler
// would make a jump: see landing.
func folded(e *ast.LogicalOpExpr) ast.Expr {
	switch truth, ok := literalTruth(e.Lhs); {
	case !ok:
		return e
	case truth == (e.Operator == "and"):
		return single(e.Rhs)
	}
	return e.Lhs
}

// foldedNot is not over an expression.
func foldedNot(e *ast.UnaryNotOpExpr) ast.Expr {
	truth, ok := literalTruth(e.Expr)
	if !ok {
		return e
	}
	var value ast.Expr = &ast.TrueExpr{}
	if truth {
		value = &ast.FalseExpr{}
	}
	value.SetLine(e.Line())
	return value
}

func literalTruth(e ast.Expr) (truth, ok bool) {
	switch e.(type) {
	case *ast.FalseExpr, *ast.NilExpr:
		return false, true
	}
	return true, isLiteral(e)
}

// ownName keeps the compiler from taking local f = function() ... end for local function f,
// where the function sees the variable: in Lua it sees what f has meant before.
func ownName(st *ast.LocalAssignStmt) {
	if len(st.Names) == 1 && len(st.Exprs) == 1 && !isLocalFunction(st) {
		if _, ok := st.Exprs[0].(*ast.FunctionExpr); ok {
			none := &ast.NilExpr{}
			none.SetLine(st.Line())
			st.Exprs = append(st.Exprs, none)
		}
	}
}

// heldIterator puts what a for goes over into variables before the loop, where the first of its
// expressions begins with a call within it, as f()(t) and f():g() do: the compiler doesn't see
// then that the register of the inner result is taken. It is nil where there is no need.
func heldIterator(st *ast.GenericForStmt) ast.Stmt {
	first := st.Exprs[0]
	if call, ok := first.(*ast.FuncCallExpr); ok {
		if first = call.Func; first == nil {
			first = call.Receiver
		}
	}
	for {
		switch e := first.(type) {
		case *ast.AttrGetExpr:
			first = e.Object
			continue
		case *ast.IdentExpr, *ast.StringExpr, *ast.FunctionExpr:
			return nil
		}
		break
	}
	line := st.Line()
	names := []string{"(generator)", "(state)", "(control)"}
	local := localAssignment(line, names, st.Exprs)
	st.Exprs = nil
	for _, name := range names {
		st.Exprs = append(st.Exprs, temporary(name, line))
	}
	return local
}

// isLocalFunction reports whether a statement is local function f. The parser makes no other
// difference than that it knows where one ends.
func isLocalFunction(st *ast.LocalAssignStmt) bool { return st.LastLine() > 0 }

// maxFolded is up to how many bytes literals are joined before the script runs.
const maxFolded = 16 << 10

// concatenation makes one call of a .. b .. c, which Lua joins from the right.
func (r *rewriter) concatenation(e *ast.StringConcatOpExpr) ast.Expr {
	var operands []ast.Expr
	var last ast.Expr = e
	for {
		c, ok := last.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		operands = append(operands, r.expression(c.Lhs))
		last = c.Rhs
	}
	operands = append(operands, r.expression(last))
	for len(operands) > 1 { // only from the right: metamethods see the pairs
		n := len(operands)
		a, ok1 := literalText(operands[n-2])
		b, ok2 := literalText(operands[n-1])
		if !ok1 || !ok2 || len(a)+len(b) > maxFolded {
			break
		}
		joined := &ast.StringExpr{Value: a + b}
		joined.SetLine(operands[n-2].Line())
		operands = append(operands[:n-2], joined)
	}
	if len(operands) == 1 {
		return operands[0]
	}
	operands[len(operands)-1] = single(operands[len(operands)-1])
	return guardCall(e.Line(), ConcatGuard, operands...)
}

func literalText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.StringExpr:
		return e.Value, true
	case *ast.NumberExpr:
		n, ok := literalNumber(e)
		return lua.LNumber(n).String(), ok
	}
	return "", false
}

// literalNumber is the number that the compiler makes of a literal.
func literalNumber(e *ast.NumberExpr) (float64, bool) {
	if i, err := strconv.ParseInt(e.Value, 0, 64); err == nil {
		return float64(i), true
	}
	f, err := strconv.ParseFloat(e.Value, 64)
	return f, err == nil
}

// guardCall calls a guard with the arguments, as from that line.
func guardCall(line int, name string, args ...ast.Expr) *ast.FuncCallExpr {
	f := &ast.IdentExpr{Value: name}
	f.SetLine(line)
	call := &ast.FuncCallExpr{Func: f, Args: args}
	call.SetLine(line)
	call.SetLastLine(line)
	return call
}

// isGuardCall reports whether e is a call of a guard that returns one value.
func isGuardCall(e *ast.FuncCallExpr) bool {
	f, ok := e.Func.(*ast.IdentExpr)
	return ok && f.Value == ConcatGuard
}

// single cuts an expression that may come to many values down to one.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if !isGuardCall(e) {
			e.AdjustRet = true
		}
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// isMulti reports whether an expression may come to many values.
func isMulti(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet && !isGuardCall(e)
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}

func isNil(e ast.Expr) bool {
	_, ok := e.(*ast.NilExpr)
	return ok
}

func isLiteral(e ast.Expr) bool {
	switch e.(type) {
	case *ast.StringExpr, *ast.NumberExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr:
		return true
	}
	return false
}
