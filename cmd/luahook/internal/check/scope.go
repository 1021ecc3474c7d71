package check

import (
	"github.com/yuin/gopher-lua/ast"
)

// variable is a local of a script.
type variable struct {
	name   string
	fn     *function // that declares it
	at     place
	param  bool
	loop   bool     // of a for
	over   ast.Expr // what ipairs or pairs is given in the for whose second variable this is
	init   ast.Expr
	writes []write // beside its declaration
	reads  []*ast.IdentExpr
}

// value is what a variable holds from its declaration to its end; nil: it isn't known.
func (v *variable) value() ast.Expr {
	switch {
	case v.param || v.loop:
		return nil
	case len(v.writes) == 0:
		return v.init
	case len(v.writes) == 1 && v.init == nil: // declared ahead of a function that calls another
		if f, ok := v.writes[0].value.(*ast.FunctionExpr); ok {
			return f
		}
	}
	return nil
}

// function is a function of a script, or the script itself.
type function struct {
	expr    *ast.FunctionExpr // nil: the script
	outer   *function
	params  []*variable
	returns []*ast.ReturnStmt
	inner   []*function
}

// write is an assignment to a variable, a global or a field.
type write struct {
	target ast.Expr
	value  ast.Expr // nil: it isn't known
	fn     *function
	tests  []ast.Expr // the conditions that it stands under, in its function
	def    bool       // function NAME() ... end
}

// use is an expression and the function that it stands in.
type use[T ast.Expr] struct {
	expr T
	fn   *function
}

// call is a call, and whether it stands as a statement.
type call struct {
	*ast.FuncCallExpr
	fn        *function
	statement bool
}

// tree is what a walk of a script finds: its variables, and where everything stands.
type tree struct {
	script    *function
	functions map[*ast.FunctionExpr]*function
	variables map[*ast.IdentExpr]*variable // nil for a global
	locals    []*variable
	writes    []write
	calls     []call
	globals   []use[*ast.IdentExpr] // that are read
	fields    []use[*ast.AttrGetExpr]
	relations []use[*ast.RelationalOpExpr]
	parents   map[ast.Expr]any // the expression or statement around
	places    map[any]place    // of names, texts, and by call of the names of methods
	stored    map[*ast.AttrGetExpr]bool

	words *words
	fn    *function
	block *block
	tests []ast.Expr
}

type block struct {
	outer *block
	names map[string]*variable
}

// walk reads a script.
func walk(text string, chunk []ast.Stmt) *tree {
	t := &tree{
		functions: map[*ast.FunctionExpr]*function{}, variables: map[*ast.IdentExpr]*variable{}, parents: map[ast.Expr]any{},
		places: map[any]place{}, stored: map[*ast.AttrGetExpr]bool{}, words: scanWords(text),
	}
	t.script = &function{}
	t.fn = t.script
	t.body(chunk)
	return t
}

func (t *tree) body(stmts []ast.Stmt) {
	t.block = &block{outer: t.block, names: map[string]*variable{}}
	for _, s := range stmts {
		t.statement(s)
	}
	t.block = t.block.outer
}

// under walks statements under a condition.
func (t *tree) under(test ast.Expr, stmts []ast.Stmt) {
	t.tests = append(t.tests, test)
	t.body(stmts)
	t.tests = t.tests[:len(t.tests)-1]
}

func (t *tree) declare(name string, line int) *variable {
	v := &variable{name: name, fn: t.fn, at: t.words.take(name, line)}
	t.locals = append(t.locals, v)
	return v
}

func (t *tree) show(v *variable) { t.block.names[v.name] = v }

func (t *tree) find(name string) *variable {
	for b := t.block; b != nil; b = b.outer {
		if v := b.names[name]; v != nil {
			return v
		}
	}
	return nil
}

func (t *tree) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			t.target(e, s)
		}
		t.expressions(s.Rhs, s)
		for i, e := range s.Lhs {
			w := write{target: e, fn: t.fn, tests: append([]ast.Expr(nil), t.tests...)}
			if i < len(s.Rhs) {
				w.value = s.Rhs[i]
			}
			t.note(w)
		}
	case *ast.LocalAssignStmt:
		t.local(s)
	case *ast.FuncCallStmt:
		t.expression(s.Expr, s)
	case *ast.DoBlockStmt:
		t.body(s.Stmts)
	case *ast.WhileStmt:
		t.expression(s.Condition, s)
		t.under(s.Condition, s.Stmts)
	case *ast.RepeatStmt:
		t.block = &block{outer: t.block, names: map[string]*variable{}}
		for _, inner := range s.Stmts {
			t.statement(inner)
		}
		t.expression(s.Condition, s) // which sees the locals of the block
		t.block = t.block.outer
	case *ast.IfStmt:
		t.expression(s.Condition, s)
		t.under(s.Condition, s.Then)
		t.under(s.Condition, s.Else)
	case *ast.NumberForStmt:
		v := t.declare(s.Name, s.Line())
		t.expressions([]ast.Expr{s.Init, s.Limit, s.Step}, s)
		t.loop([]*variable{v}, s.Stmts)
	case *ast.GenericForStmt:
		var vars []*variable
		for _, name := range s.Names {
			vars = append(vars, t.declare(name, s.Line()))
		}
		t.expressions(s.Exprs, s)
		if len(vars) == 2 && len(s.Exprs) == 1 {
			if c, ok := s.Exprs[0].(*ast.FuncCallExpr); ok && len(c.Args) == 1 && (t.isWord(c.Func, "ipairs") || t.isWord(c.Func, "pairs")) {
				vars[1].over = c.Args[0]
			}
		}
		t.loop(vars, s.Stmts)
	case *ast.FuncDefStmt:
		target := s.Name.Func
		if target == nil {
			target = s.Name.Receiver
			t.expression(target, s)
			t.words.take(s.Name.Method, s.Line())
			t.function(s.Func, "self")
			t.note(write{target: &ast.AttrGetExpr{Object: target, Key: &ast.StringExpr{Value: s.Name.Method}}, value: s.Func, fn: t.fn, def: true})
			return
		}
		t.target(target, s)
		t.function(s.Func, "")
		t.parents[s.Func] = s
		t.note(write{target: target, value: s.Func, fn: t.fn, def: true, tests: append([]ast.Expr(nil), t.tests...)})
	case *ast.ReturnStmt:
		t.fn.returns = append(t.fn.returns, s)
		t.expressions(s.Exprs, s)
	}
}

// isWord reports whether an expression is that name, and no local.
func (t *tree) isWord(e ast.Expr, name string) bool {
	id, ok := e.(*ast.IdentExpr)
	return ok && id.Value == name && t.variables[id] == nil
}

func (t *tree) loop(vars []*variable, stmts []ast.Stmt) {
	t.block = &block{outer: t.block, names: map[string]*variable{}}
	for _, v := range vars {
		v.loop = true
		t.show(v)
	}
	t.body(stmts)
	t.block = t.block.outer
}

func (t *tree) local(s *ast.LocalAssignStmt) {
	var vars []*variable
	for _, name := range s.Names {
		vars = append(vars, t.declare(name, s.Line()))
	}
	recursive := false
	if len(s.Exprs) == 1 && len(vars) == 1 {
		_, recursive = s.Exprs[0].(*ast.FunctionExpr)
	}
	if recursive { // in gopher-lua a function sees its own name both ways of declaring it
		t.show(vars[0])
	}
	t.expressions(s.Exprs, s)
	for i, v := range vars {
		if i < len(s.Exprs) {
			v.init = s.Exprs[i]
		}
		if i >= len(s.Exprs)-1 && len(s.Exprs) > 0 && len(vars) > len(s.Exprs) {
			v.loop = i > len(s.Exprs)-1 // one of several values of a call
		}
		t.show(v)
	}
}

// note keeps an assignment.
func (t *tree) note(w write) {
	t.writes = append(t.writes, w)
	if name, ok := w.target.(*ast.IdentExpr); ok {
		if v := t.variables[name]; v != nil {
			v.writes = append(v.writes, w)
		}
	}
}

// target walks what is assigned to.
func (t *tree) target(e ast.Expr, parent any) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		t.places[e] = t.words.take(e.Value, e.Line())
		t.variables[e] = t.find(e.Value)
		t.parents[e] = parent
	case *ast.AttrGetExpr:
		t.stored[e] = true
		t.expression(e, parent)
	default:
		t.expression(e, parent)
	}
}

func (t *tree) expressions(list []ast.Expr, parent any) {
	for _, e := range list {
		t.expression(e, parent)
	}
}

func (t *tree) expression(e ast.Expr, parent any) {
	if e == nil {
		return
	}
	t.parents[e] = parent
	switch e := e.(type) {
	case *ast.StringExpr:
		t.places[e] = t.words.take(e.Value, e.Line())
	case *ast.IdentExpr:
		t.places[e] = t.words.take(e.Value, e.Line())
		v := t.find(e.Value)
		t.variables[e] = v
		if v == nil {
			t.globals = append(t.globals, use[*ast.IdentExpr]{e, t.fn})
		} else {
			v.reads = append(v.reads, e)
		}
	case *ast.AttrGetExpr:
		t.fields = append(t.fields, use[*ast.AttrGetExpr]{e, t.fn})
		t.expression(e.Object, e)
		t.expression(e.Key, e)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			t.expression(f.Key, e)
			t.expression(f.Value, e)
		}
	case *ast.FuncCallExpr:
		_, statement := parent.(*ast.FuncCallStmt)
		t.calls = append(t.calls, call{e, t.fn, statement})
		if e.Func != nil {
			t.expression(e.Func, e)
		} else {
			t.expression(e.Receiver, e)
			t.places[e] = t.words.take(e.Method, e.Line())
		}
		t.expressions(e.Args, e)
	case *ast.LogicalOpExpr:
		t.expression(e.Lhs, e)
		t.expression(e.Rhs, e)
	case *ast.RelationalOpExpr:
		t.relations = append(t.relations, use[*ast.RelationalOpExpr]{e, t.fn})
		t.expression(e.Lhs, e)
		t.expression(e.Rhs, e)
	case *ast.StringConcatOpExpr:
		t.expression(e.Lhs, e)
		t.expression(e.Rhs, e)
	case *ast.ArithmeticOpExpr:
		t.expression(e.Lhs, e)
		t.expression(e.Rhs, e)
	case *ast.UnaryMinusOpExpr:
		t.expression(e.Expr, e)
	case *ast.UnaryNotOpExpr:
		t.expression(e.Expr, e)
	case *ast.UnaryLenOpExpr:
		t.expression(e.Expr, e)
	case *ast.FunctionExpr:
		t.function(e, "")
	}
}

// function walks a function; self is the parameter that a method has before its others.
func (t *tree) function(e *ast.FunctionExpr, self string) {
	f := &function{expr: e, outer: t.fn}
	t.fn.inner = append(t.fn.inner, f)
	t.functions[e] = f
	tests := t.tests
	t.fn, t.tests, t.block = f, nil, &block{outer: t.block, names: map[string]*variable{}}
	add := func(v *variable) {
		v.param = true
		f.params = append(f.params, v)
		t.show(v)
	}
	if self != "" {
		add(&variable{name: self, fn: f})
	}
	if e.ParList != nil {
		for _, name := range e.ParList.Names {
			add(t.declare(name, e.Line()))
		}
	}
	t.body(e.Stmts)
	t.fn, t.tests, t.block = f.outer, tests, t.block.outer
}

// place is where an expression begins that has a name or a text to show it by.
func (t *tree) place(e ast.Expr) place {
	if p, ok := t.places[e]; ok {
		return p
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return t.place(e.Object)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			return t.place(e.Func)
		}
	case *ast.StringConcatOpExpr:
		return t.place(e.Lhs)
	}
	return place{max(e.Line(), 1), 0} // the first word of the line
}
