package compile

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// assignment rewrites an assignment whose expressions are rewritten already: stores
// under computed keys go through a guard. Where the compiler would write a target
// before it has read all values (a, b = b, a; a = (x or y) and a; a = (f(a))), or
// would leave it as it was (a = f() and x, where f gives false), the values go through
// temporaries, as Lua has it.
func assignment(st *ast.AssignStmt) ast.Stmt {
	if len(st.Lhs) == 1 && len(st.Rhs) == 1 {
		return singleAssignment(st)
	}
	allNames, allFields, guard := true, true, false
	for _, target := range st.Lhs {
		field, ok := target.(*ast.AttrGetExpr)
		allNames, allFields = allNames && !ok, allFields && ok
		guard = guard || (ok && isGuarded(field))
	}
	switch {
	case allNames && allLiterals(st.Rhs):
		return st
	case allFields && !guard && len(st.Rhs) <= len(st.Lhs):
		return st
	case allFields && len(st.Rhs) == len(st.Lhs) && len(st.Lhs) <= 20:
		return guardedStores(st)
	}
	return throughTemporaries(st)
}

func singleAssignment(st *ast.AssignStmt) ast.Stmt {
	if field, ok := st.Lhs[0].(*ast.AttrGetExpr); ok {
		if isGuarded(field) {
			return callStatement(guardCall(field.Line(), StoreGuard, field.Object, field.Key, single(st.Rhs[0])))
		}
		return st
	}
	switch value := st.Rhs[0].(type) { // one target takes one value anyway
	case *ast.FuncCallExpr:
		value.AdjustRet = false // f would be put where a is: a = (f(a))
	case *ast.Comma3Expr:
		value.AdjustRet = false // a = (...) would write to the variables after a
	}
	if _, ok := st.Rhs[0].(*ast.LogicalOpExpr); ok {
		return throughTemporaries(st)
	}
	return st
}

// isGuarded reports whether a store to a field needs the guard: under a key that isn't
// known before it runs or is far off. To a field of a literal it does too: the
// compiler would write to a register instead.
func isGuarded(field *ast.AttrGetExpr) bool {
	if isConstant(field.Object) || !isLiteral(field.Key) {
		return true
	}
	_, far := distant(field.Key)
	return far
}

// isConstant reports whether the compiler makes a constant of an expression.
func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StringExpr, *ast.NumberExpr:
		return true
	case *ast.UnaryMinusOpExpr:
		return isConstant(e.Expr)
	case *ast.ArithmeticOpExpr:
		return isConstant(e.Lhs) && isConstant(e.Rhs)
	}
	return false
}

func allLiterals(list []ast.Expr) bool {
	for _, e := range list {
		if !isLiteral(e) {
			return false
		}
	}
	return true
}

// guardedStores makes one call of t[i], u[j] = a, b.
func guardedStores(st *ast.AssignStmt) ast.Stmt {
	args := make([]ast.Expr, 0, 3*len(st.Lhs))
	for _, target := range st.Lhs {
		field := target.(*ast.AttrGetExpr)
		args = append(args, field.Object, field.Key)
	}
	args = append(args, st.Rhs...)
	args[len(args)-1] = single(args[len(args)-1])
	return callStatement(guardCall(st.Lhs[0].Line(), StoresGuard, args...))
}

// throughTemporaries evaluates objects, keys and values from left to right, then
// stores from right to left, as Lua does.
func throughTemporaries(st *ast.AssignStmt) ast.Stmt {
	line := st.Line()
	var names []string
	var exprs []ast.Expr
	keep := func(kind string, i int, e ast.Expr) ast.Expr {
		name := "(" + kind + " " + strconv.Itoa(i+1) + ")"
		names, exprs = append(names, name), append(exprs, e)
		return temporary(name, e.Line())
	}
	targets := make([]ast.Expr, len(st.Lhs))
	for i, target := range st.Lhs {
		targets[i] = target
		if field, ok := target.(*ast.AttrGetExpr); ok {
			f := &ast.AttrGetExpr{Object: keep("object", i, field.Object), Key: field.Key}
			if !isLiteral(field.Key) {
				f.Key = keep("key", i, field.Key)
			}
			f.SetLine(field.Line())
			targets[i] = f
		}
	}
	do := &ast.DoBlockStmt{}
	do.SetLine(line)
	do.SetLastLine(line)
	if len(names) > 0 {
		do.Stmts = append(do.Stmts, localAssignment(line, names, exprs))
	}
	values := make([]string, len(st.Lhs))
	for i := range values {
		values[i] = "(value " + strconv.Itoa(i+1) + ")"
	}
	do.Stmts = append(do.Stmts, localAssignment(line, values, st.Rhs))
	for i := len(targets) - 1; i >= 0; i-- {
		at := targets[i].Line()
		store := &ast.AssignStmt{Lhs: targets[i : i+1], Rhs: []ast.Expr{temporary(values[i], at)}}
		store.SetLine(at)
		do.Stmts = append(do.Stmts, singleAssignment(store))
	}
	return do
}

func temporary(name string, line int) ast.Expr {
	e := &ast.IdentExpr{Value: name}
	e.SetLine(line)
	return e
}

func localAssignment(line int, names []string, exprs []ast.Expr) ast.Stmt {
	st := &ast.LocalAssignStmt{Names: names, Exprs: exprs}
	st.SetLine(line)
	return st
}

func callStatement(call *ast.FuncCallExpr) ast.Stmt {
	st := &ast.FuncCallStmt{Expr: call}
	st.SetLine(call.Line())
	return st
}

// table guards what a constructor computes: keys that aren't constant, and the many
// values that the last item may come to.
//
// It also takes the compiler around three mistakes. It takes a call under a key for
// more items of the list, where it comes last. Having filled the list with 50 items,
// it fills it again at each key that follows. And it puts the values of a last call
// that follows 50 items over them.
func (r *rewriter) table(t *ast.TableExpr) {
	var farthest *ast.Field // with a constant key
	far := 0.0
	for i, f := range t.Fields {
		f.Value = r.expression(f.Value)
		if f.Key == nil {
			if i < len(t.Fields)-1 || !isMulti(f.Value) {
				f.Value = one(f.Value)
			}
			continue
		}
		f.Key, f.Value = r.key(f.Key, t), one(f.Value)
		if !isLiteral(f.Key) {
			f.Key = guardCall(t.Line(), KeyGuard, single(f.Key))
		} else if n, ok := distant(f.Key); ok && n > far {
			far, farthest = n, f
		}
	}
	if farthest != nil { // the others are filled up to on the way
		farthest.Key = guardCall(t.Line(), KeyGuard, farthest.Key)
	}
	t.Fields = ordered(t.Fields)
}

// ordered puts each 50th item of the list behind the keys that follow it, and a last
// one that may come to many values into the hands of a guard.
func ordered(fields []*ast.Field) []*ast.Field {
	list := make([]*ast.Field, 0, len(fields))
	var held *ast.Field
	items := 0
	for _, f := range fields {
		if f.Key == nil {
			switch {
			case isMulti(f.Value) && held != nil:
				f.Value, held = guardCall(f.Value.Line(), ValuesGuard, held.Value, f.Value), nil
			case isMulti(f.Value):
				f.Value = guardCall(f.Value.Line(), ValuesGuard, f.Value)
			case held != nil:
				list, held = append(list, held), nil
			}
			if items++; items%lua.FieldsPerFlush == 0 {
				held = f
				continue
			}
		}
		list = append(list, f)
	}
	if held != nil {
		list = append(list, held)
	}
	return list
}

// one is single, and says so to the compiler also where a guard gives one value.
func one(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.FuncCallExpr); ok {
		call.AdjustRet = true
	}
	return single(e)
}

// Nearby is up to which key a gap in a table is too small to be looked at.
const Nearby = 64

// distant is a constant key under which a store may fill a gap worth a charge.
func distant(key ast.Expr) (float64, bool) {
	e, ok := key.(*ast.NumberExpr)
	if !ok {
		return 0, false
	}
	n, _ := literalNumber(e)
	return n, n > Nearby && n < float64(lua.MaxArrayIndex) && n == float64(int(n))
}
