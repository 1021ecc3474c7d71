package compile

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Bounds of a parsed script.
const (
	maxTreeDepth    = 500
	maxCompileWork  = 30_000_000 // comparisons that the compiler will make, about; of strings, each is two
	maxUpvalues     = 100        // locals of outer functions that a function uses; guards come on top
	maxTargets      = 60         // of an assignment
	maxOperands     = 150        // of one a .. b .. c
	maxItems        = 25_000     // of a table constructor; gopher-lua misplaces those after 25,550
	maxInstructions = 100_000    // of a function; jumps reach a little farther
)

// measure reports whether compiling a script would take too long or come out wrong. The
// compiler looks each constant up in a list, each name in the lists of all locals in
// sight, and folds constants anew at every level of an expression. What that adds up
// to is estimated here. called is what the script calls by global names, names knows the
// variables that are given an event's name.
func measure(chunk []ast.Stmt) (called *calledNames, names *eventNames, x *excess) {
	m := &measurer{declared: map[string][]*scope{}, called: calledNames{assigned: map[string]bool{}, mentioned: map[string]bool{}}}
	defer func() {
		if r := recover(); r != nil {
			stop, ok := r.(*excess)
			if !ok {
				panic(r)
			}
			x = stop
		}
	}()
	m.enter(1)
	m.stmts(chunk)
	m.leave()
	return &m.called, &m.names, nil
}

// scope is a function while it is measured.
type scope struct {
	parent    *scope
	constants map[any]int // to their place in the list
	unnamed   int         // constants that folding makes
	upvalues  map[string]bool
}

type measurer struct {
	function *scope
	declared map[string][]*scope // of the locals in sight, by name: the functions that declare them
	locals   []string            // in sight
	blocks   int                 // open
	depth    int
	line     int
	work     int
	called   calledNames
	names    eventNames
}

// stop ends the measuring.
func (m *measurer) stop(format string, args ...any) {
	panic(&excess{m.line, fmt.Sprintf(format, args...)})
}

func (m *measurer) spend(work int) {
	if m.work += work; m.work > maxCompileWork {
		m.stop("the script is too complex to be compiled: too many constants or locals in one function, or too long expressions; split it into functions or files")
	}
}

// at goes down one level in the tree; the caller goes up again.
func (m *measurer) at(node ast.PositionHolder) {
	if line := node.Line(); line > 0 {
		m.line = line
	}
	if m.depth++; m.depth > maxTreeDepth {
		m.stop("expressions and blocks are nested deeper than %d levels; use a table instead of a long chain", maxTreeDepth)
	}
}

func (m *measurer) enter(line int) {
	m.line = max(line, m.line)
	m.function = &scope{parent: m.function, constants: map[any]int{}, upvalues: map[string]bool{}}
	m.blocks++
}

func (m *measurer) leave() {
	f := m.function
	m.function = f.parent
	m.blocks--
	if f.parent != nil { // each is looked up outside
		m.spend(len(f.upvalues) * (len(m.locals) + m.blocks + len(f.parent.upvalues)))
	}
}

// block measures statements in a block of their own.
func (m *measurer) block(stmts []ast.Stmt, names ...string) {
	mark := len(m.locals)
	m.blocks++
	m.declare(names...)
	m.stmts(stmts)
	m.hide(mark)
}

func (m *measurer) hide(mark int) {
	m.blocks--
	for _, name := range m.locals[mark:] {
		in := m.declared[name]
		m.declared[name] = in[:len(in)-1]
	}
	m.locals = m.locals[:mark]
}

func (m *measurer) declare(names ...string) {
	for _, name := range names {
		m.declared[name] = append(m.declared[name], m.function)
	}
	m.locals = append(m.locals, names...)
}

// constant is one use of a constant; length is that of a string.
func (m *measurer) constant(key any, length int) {
	f := m.function
	place, ok := f.constants[key]
	if !ok {
		place = len(f.constants) + f.unnamed
		f.constants[key] = place
	}
	cost := 1
	if length > 0 {
		cost = 2 + length/64
	}
	m.spend((1 + place) * cost)
}

// name is one use of a name.
func (m *measurer) name(name string) {
	m.spend((len(m.locals) + m.blocks) * (1 + len(name)/64))
	in := m.declared[name]
	if len(in) == 0 {
		m.constant(lua.LString(name), len(name))
		m.called.all = m.called.all || name == "_G"
		return
	}
	m.called.mentioned[name] = true
	for f := m.function; f != in[len(in)-1]; f = f.parent {
		m.spend(len(f.upvalues))
		f.upvalues[name] = true
		if len(f.upvalues) > maxUpvalues {
			m.stop("a function uses more than %d locals of the functions around it; put them into a table", maxUpvalues)
		}
	}
}

// global reports whether a name that was just used is no local's.
func (m *measurer) global(name string) bool { return len(m.declared[name]) == 0 }

// assigned notes the target of an assignment.
func (m *measurer) assigned(target ast.Expr) {
	if name, ok := target.(*ast.IdentExpr); ok && m.global(name.Value) {
		m.called.assigned[name.Value] = true
	}
}

// guard is one use of a guard: a name that is declared outside everything.
func (m *measurer) guard() { m.spend(len(m.locals) + m.blocks + len(m.function.upvalues)) }

func (m *measurer) stmts(list []ast.Stmt) {
	for _, st := range list {
		m.at(st)
		m.stmt(st)
		m.depth--
	}
}

func (m *measurer) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		if len(st.Lhs) > maxTargets {
			m.stop("an assignment has more than %d targets", maxTargets)
		}
		m.exprs(st.Lhs)
		m.exprs(st.Rhs)
		m.guard()
		for i, target := range st.Lhs {
			m.assigned(target)
			if name, ok := target.(*ast.IdentExpr); ok && i < len(st.Rhs) {
				m.names.given(name.Value, st.Rhs[i])
			}
		}
	case *ast.LocalAssignStmt:
		for i, name := range st.Names[:min(len(st.Names), len(st.Exprs))] {
			m.names.given(name, st.Exprs[i])
		}
		if isLocalFunction(st) {
			m.declare(st.Names...)
			m.exprs(st.Exprs)
			return
		}
		m.exprs(st.Exprs)
		m.declare(st.Names...)
	case *ast.FuncCallStmt:
		m.expr(st.Expr)
		m.guard()
	case *ast.DoBlockStmt:
		m.block(st.Stmts)
	case *ast.WhileStmt:
		m.expr(st.Condition)
		m.block(st.Stmts)
	case *ast.RepeatStmt: // the condition sees the block's locals
		mark := len(m.locals)
		m.blocks++
		m.stmts(st.Stmts)
		m.expr(st.Condition)
		m.hide(mark)
	case *ast.IfStmt:
		m.expr(st.Condition)
		m.block(st.Then)
		m.block(st.Else)
	case *ast.NumberForStmt:
		m.noteSearch(st)
		m.exprs([]ast.Expr{st.Init, st.Limit})
		if st.Step != nil {
			m.expr(st.Step)
		}
		m.block(st.Stmts, "(index)", "(limit)", "(step)", st.Name)
	case *ast.GenericForStmt:
		m.noteSearch(st)
		m.exprs(st.Exprs)
		m.block(st.Stmts, append([]string{"(generator)", "(state)", "(control)"}, st.Names...)...)
	case *ast.FuncDefStmt:
		if st.Name.Func != nil {
			m.expr(st.Name.Func)
			m.assigned(st.Name.Func)
			m.body(st.Func)
		} else {
			m.expr(st.Name.Receiver)
			m.constant(lua.LString(st.Name.Method), len(st.Name.Method))
			m.body(st.Func, "self")
		}
	case *ast.ReturnStmt:
		m.exprs(st.Exprs)
	}
}

func (m *measurer) body(f *ast.FunctionExpr, names ...string) {
	m.enter(f.Line())
	if f.ParList.HasVargs {
		names = append(names, "arg")
	}
	m.block(f.Stmts, append(names, f.ParList.Names...)...)
	m.leave()
}
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
				m.called.calls = append(m.called.calls, e)
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
		m.stop("a table has more than 25,000 items; split it, or keep the data elsewhere")
	}
	for _, f := range t.Fields {
		if f.Key != nil {
			m.expr(f.Key)
			m.guard()
		}
		m.expr(f.Value)
	}
}
