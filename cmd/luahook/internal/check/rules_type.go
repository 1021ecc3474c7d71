package check

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// These rules are about what functions of modules return: commands of a shell, statements, compiled patterns.

// unknownParts finds fields and methods that a type hasn't.
func (f *file) unknownParts() {
	called := map[ast.Expr]*ast.FuncCallExpr{}
	for _, c := range f.calls {
		if c.Func != nil {
			called[c.Func] = c.FuncCallExpr
			continue
		}
		what := f.typeName(c.Receiver)
		m := member(what, c.Method)
		switch {
		case f.underPcall(c) || f.stores[c.Method]:
		case what == "" && f.isList(c.Receiver):
			f.report("unknown-member", Error, c.FuncCallExpr, fmt.Sprintf("a list has no methods, so no %q; look at each of it: for _, x in ipairs(...) do", c.Method))
		case what == "":
		case m == nil:
			f.report("unknown-member", Error, c.FuncCallExpr, fmt.Sprintf("%s has no method %q%s", what, c.Method, suggestion(c.Method, members(what, true))))
		case !isMethod(m):
			f.report("unknown-member", Error, c.FuncCallExpr, fmt.Sprintf("%s of %s is a field, no method: write .%s", c.Method, what, c.Method))
		}
	}
	for _, u := range f.fields {
		what := f.typeName(u.expr.Object)
		key, isText := u.expr.Key.(*ast.StringExpr)
		if what == "" || !isText || f.stored[u.expr] || f.stores[key.Value] || f.pcalls(u.fn) {
			continue
		}
		m, c := member(what, key.Value), called[u.expr]
		switch {
		case m == nil:
			f.report("unknown-member", Error, key, fmt.Sprintf("%s has no field %q%s", what, key.Value, suggestion(key.Value, members(what, c != nil))))
		case isMethod(m) && c != nil && (len(c.Args) == 0 || f.typeName(c.Args[0]) != what):
			f.report("unknown-member", Error, key, fmt.Sprintf("%s of %s is a method: call it with a colon, :%s(...)", key.Value, what, key.Value))
		case !isMethod(m) && c != nil:
			f.report("unknown-member", Error, key, fmt.Sprintf("%s of %s is a field, no function: write it without the ()", key.Value, what))
		}
	}
}

// members are the names of a type's fields, and of its methods.
func members(of string, methods bool) (names []string) {
	for _, m := range types()[of].Fields {
		if methods || !isMethod(&m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// pcalls reports whether a function is given to pcall, or stands in one.
func (f *file) pcalls(fn *function) bool { return f.underPcall(call{fn: fn}) }

// notLists finds loops over what is no list, and lists that are used as a text or as if they began at 0.
func (f *file) notLists() {
	for _, c := range f.calls {
		ipairs, pairs := f.isGlobal(c.Func, "ipairs"), f.isGlobal(c.Func, "pairs")
		if (ipairs || pairs) && len(c.Args) > 0 {
			if what := f.typeName(c.Args[0]); what != "" && (ipairs || what == "ShellLine") {
				f.report("not-a-list", Error, c.Args[0], noList(what))
			}
		}
	}
	for e := range f.parents {
		if l, ok := e.(*ast.UnaryLenOpExpr); ok {
			if what := f.typeName(l.Expr); what != "" {
				f.report("not-a-list", Error, l.Expr, noList(what))
			}
		}
	}
	for _, u := range f.fields {
		number, ok := u.expr.Key.(*ast.NumberExpr)
		if !ok || f.stored[u.expr] {
			continue
		}
		if what := f.typeName(u.expr.Object); what != "" {
			f.report("not-a-list", Error, u.expr, noList(what))
		} else if number.Value == "0" && f.isList(u.expr.Object) {
			f.report("not-a-list", Warning, u.expr, "lists of Lua begin at [1], so [0] is always nil")
		}
	}
	for _, u := range f.relations {
		if u.expr.Operator != "==" && u.expr.Operator != "~=" {
			continue
		}
		for _, sides := range [...][2]ast.Expr{{u.expr.Lhs, u.expr.Rhs}, {u.expr.Rhs, u.expr.Lhs}} {
			if f.literal(sides[1]) != nil && f.isList(sides[0]) {
				f.report("not-a-list", Warning, sides[0], "a list never equals a text: look at each of it, or at table.concat(list, \" \")")
			}
		}
	}
}

func noList(what string) string {
	text := what + " is no list"
	for _, m := range types()[what].Fields {
		if what == "ShellLine" && strings.HasSuffix(m.Type, "[]") {
			text += fmt.Sprintf(": what it holds is in .%s", m.Name)
		}
	}
	return text
}

// perhapsNil finds cmd.git.pushes, where the function never asks whether the command is one of git.
func (f *file) perhapsNil() {
	asks := map[*function]bool{}
	for _, u := range f.fields {
		key, isText := u.expr.Key.(*ast.StringExpr)
		field := f.gitOf(u.expr.Object)
		if !isText || field == nil || f.pcalls(u.fn) {
			continue
		}
		outer := u.fn
		for outer.outer != nil && outer.outer.expr != nil {
			outer = outer.outer
		}
		if _, known := asks[outer]; !known && len(asks) < maxGuesses {
			asks[outer] = f.asksForGit(outer)
		}
		if asks, known := asks[outer]; asks || !known {
			continue
		}
		f.report("perhaps-nil", Warning, field, fmt.Sprintf("git is nil for other commands, and then this fails: ask first, as in cmd.git and cmd.git.%s", key.Value))
	}
}

// gitOf is the word git of the cmd.git that an expression comes to; nil: it is something else, or its function is given the command.
func (f *file) gitOf(e ast.Expr) *ast.StringExpr {
	for range 5 {
		switch x := e.(type) {
		case *ast.IdentExpr:
			v := f.variables[x]
			if v == nil || v.value() == nil {
				return nil
			}
			e = v.value()
		case *ast.AttrGetExpr:
			key, isText := x.Key.(*ast.StringExpr)
			if !isText {
				return nil
			}
			if id, isName := x.Object.(*ast.IdentExpr); isName && f.variables[id] != nil && f.variables[id].param {
				return nil // the caller may have asked
			}
			if m := member(f.typeName(x.Object), key.Value); m != nil && m.Type == "GitCommand?" {
				return key
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// asksForGit reports whether the script names git, or a function, or one in it, looks whether there is a cmd.git, or
// hands the command to another that may.
func (f *file) asksForGit(fn *function) bool {
	within := func(inner *function) bool {
		for inner != nil && inner != fn {
			inner = inner.outer
		}
		return inner == fn
	}
	for e, parent := range f.parents {
		if _, isKey := parent.(*ast.AttrGetExpr); !isKey && isText(e, "git") {
			return true
		}
	}
	for _, c := range f.calls {
		if _, isModules := results()[f.memberName(c.Func)]; isModules || !within(c.fn) {
			continue
		}
		for _, arg := range c.Args {
			if f.typeName(arg) == "ShellCommand" {
				return true
			}
		}
	}
	for _, u := range f.fields {
		if isText(u.expr.Key, "git") && within(u.fn) && f.isUsed(u.expr) {
			return true
		}
	}
	for _, v := range f.locals {
		for _, read := range v.reads {
			if within(v.fn) && f.isUsed(read) && f.gitOf(read) != nil {
				return true
			}
		}
	}
	return false
}

func isText(e ast.Expr, text string) bool {
	s, ok := e.(*ast.StringExpr)
	return ok && s.Value == text
}
