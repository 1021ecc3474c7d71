package compile

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Most guards go through a list and look for each of its texts in a command:
//
//	for i = 1, #list do if string.find(s, list[i], 1, true) then ... end end
//	for _, item in ipairs(list) do if s:match(item.pattern) then ... end end
//
// and most calls have none of them. Such a loop begins with the first item whose text is found: a
// guard looks for it. Where anything isn't as usual, an item no text or a pattern malformed, it begins
// with that.

// search is a loop that does nothing but for items whose text is found.
type search struct {
	find    *ast.FuncCallExpr // the call of find or match
	ipairs  *ast.FuncCallExpr // what the loop goes over; nil where it counts
	list    string            // a variable that is declared outside the loop, where it counts
	subject string            // likewise
	key     string            // of the items, where their texts are; "" where they are texts
	plain   bool              // the texts are no patterns
}

// noteSearch notes a loop that is a search. The loop's own variables aren't declared yet.
func (m *measurer) noteSearch(st ast.Stmt) {
	s := searchOf(st)
	if s == nil || m.global(s.subject) || s.ipairs == nil && m.global(s.list) {
		return
	}
	if m.called.searches == nil {
		m.called.searches = map[ast.Stmt]*search{}
	}
	m.called.searches[st] = s
	m.guard()
	m.guard()
}

// searchOf is what a loop searches, by its form alone; nil where it doesn't.
func searchOf(st ast.Stmt) *search {
	switch st := st.(type) {
	case *ast.NumberForStmt:
		length, ok := st.Limit.(*ast.UnaryLenOpExpr)
		if !ok || !isOne(st.Init) || st.Step != nil && !isOne(st.Step) {
			return nil
		}
		list, ok := length.Expr.(*ast.IdentExpr)
		if !ok || list.Value == st.Name {
			return nil
		}
		s := searchIn(st.Stmts, func(e ast.Expr) bool {
			item, ok := e.(*ast.AttrGetExpr)
			return ok && isNamed(item.Object, list.Value) && isNamed(item.Key, st.Name)
		}, st.Name)
		if s != nil {
			s.list = list.Value
		}
		return s
	case *ast.GenericForStmt:
		if len(st.Exprs) != 1 || len(st.Names) != 2 {
			return nil
		}
		call, ok := st.Exprs[0].(*ast.FuncCallExpr)
		if !ok || len(call.Args) != 1 || isMulti(call.Args[0]) {
			return nil
		}
		if _, name := calledName(call); name != "ipairs" {
			return nil
		}
		s := searchIn(st.Stmts, func(e ast.Expr) bool { return isNamed(e, st.Names[1]) }, st.Names...)
		if s != nil {
			s.ipairs = call
		}
		return s
	}
	return nil
}

// searchIn is what the body of a loop searches. isItem reports whether an expression is the item of
// the list, own are the loop's variables.
func searchIn(body []ast.Stmt, isItem func(ast.Expr) bool, own ...string) *search {
	if len(body) == 2 { // local item = list[i]
		local, ok := body[0].(*ast.LocalAssignStmt)
		if !ok || len(local.Names) != 1 || len(local.Exprs) != 1 || !isItem(local.Exprs[0]) {
			return nil
		}
		name := local.Names[0]
		isItem = func(e ast.Expr) bool { return isNamed(e, name) }
		own = append(own, name)
		body = body[1:]
	}
	if len(body) != 1 {
		return nil
	}
	branch, ok := body[0].(*ast.IfStmt)
	if !ok || len(branch.Else) > 0 {
		return nil
	}
	s := findIn(branch.Condition, isItem)
	if s == nil || slices.Contains(own, s.subject) {
		return nil
	}
	return s
}

// findIn is the search that a condition begins with, and isn't true without.
func findIn(condition ast.Expr, isItem func(ast.Expr) bool) *search {
	switch e := condition.(type) {
	case *ast.LogicalOpExpr:
		if e.Operator == "and" {
			return findIn(e.Lhs, isItem)
		}
	case *ast.RelationalOpExpr:
		if e.Operator == "~=" && isNil(e.Rhs) {
			return findIn(e.Lhs, isItem)
		}
	case *ast.FuncCallExpr:
		_, name := calledName(e)
		args := e.Args
		if e.Func == nil {
			name = "string." + e.Method
			args = append([]ast.Expr{e.Receiver}, args...)
		}
		s := &search{find: e, plain: name == "string.find" && isPlain(args, 2)}
		if !s.plain && (len(args) != 2 || name != "string.find" && name != "string.match") {
			return nil
		}
		subject, ok := args[0].(*ast.IdentExpr)
		if !ok {
			return nil
		}
		s.subject = subject.Value
		part := args[1]
		if field, ok := part.(*ast.AttrGetExpr); ok && !isItem(part) {
			key, ok := field.Key.(*ast.StringExpr)
			if !ok || key.Value == "" {
				return nil
			}
			part, s.key = field.Object, key.Value
		}
		if isItem(part) {
			return s
		}
	}
	return nil
}

func isNamed(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.IdentExpr)
	return ok && ident.Value == name
}

func isOne(e ast.Expr) bool {
	number, ok := e.(*ast.NumberExpr)
	if !ok {
		return false
	}
	n, ok := literalNumber(number)
	return ok && n == 1
}

// searches is what a loop searches, where its functions are certain to be the library's.
func (r *rewriter) searches(st ast.Stmt) *search {
	s := r.called.searches[st]
	if s == nil || s.find.Func != nil && r.bound[s.find] == "" || s.ipairs != nil && r.bound[s.ipairs] == "" {
		return nil
	}
	return s
}

// beginning is a call of the guard that finds where a search begins.
func (s *search) beginning(line int, guard string, list ast.Expr) ast.Expr {
	args := []ast.Expr{list, temporary(s.subject, line)}
	if s.key != "" || !s.plain {
		key, isPlain := ast.Expr(&ast.StringExpr{Value: s.key}), ast.Expr(&ast.FalseExpr{})
		if s.plain {
			isPlain = &ast.TrueExpr{}
		}
		key.SetLine(line)
		isPlain.SetLine(line)
		args = append(args, key, isPlain)
	}
	return guardCall(line, guard, args...)
}
