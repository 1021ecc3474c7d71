package compile

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of library functions by name, string.find(...) or deny(...), are the commonest
// thing that hooks do, and each would look up three tables: the globals, what stands
// behind them, and the library. Where it is certain that the name means the library's,
// the function is an upvalue of the script instead, like the guards. It is certain where
// neither the script nor a library that it may require assigns to a global of that name
// or mentions _G. Everywhere else the script is compiled as it stands.

// calledNames are what a script calls by global names, and which it assigns.
type calledNames struct {
	calls     []*ast.FuncCallExpr
	searches  map[ast.Stmt]*search // loops
	assigned  map[string]bool      // globals
	mentioned map[string]bool      // locals
	all       bool                 // it may assign any: it mentions _G
}

// maxBound is how many functions of libraries a script may have as upvalues.
const maxBound = 60

// boundPrefix begins the name of such an upvalue, "(=string.find)".
const boundPrefix = "(="

// bind picks the calls that are made by upvalues, and gives the name of each.
func (c *calledNames) bind() (bound map[*ast.FuncCallExpr]string, names []string) {
	if c.all { // it would be compiled again as it stands
		return nil, nil
	}
	bound = map[*ast.FuncCallExpr]string{}
	seen := map[string]bool{}
	for _, call := range c.calls {
		root, name := calledName(call)
		if c.assigned[root] || (root == name && !isOwnFunction(name)) {
			continue
		}
		if !seen[name] {
			if len(names) == maxBound {
				continue
			}
			seen[name] = true
			names = append(names, boundPrefix+name+")")
		}
		bound[call] = boundPrefix + name + ")"
	}
	return bound, names
}

// maxCalledName is how many bytes the name of a function that is bound may have.
const maxCalledName = 100

// calledName is what a call calls, "string.find", and the global that it begins with;
// "" where it is anything else than a name, or a name and a field.
func calledName(call *ast.FuncCallExpr) (root, name string) {
	switch f := call.Func.(type) {
	case *ast.IdentExpr:
		return f.Value, f.Value
	case *ast.AttrGetExpr:
		object, ok1 := f.Object.(*ast.IdentExpr)
		key, ok2 := f.Key.(*ast.StringExpr)
		if ok1 && ok2 && len(object.Value)+len(key.Value) < maxCalledName {
			return object.Value, object.Value + "." + key.Value
		}
	}
	return "", ""
}

// isOwnFunction reports whether a name is that of a function which every script has. Others
// may be a script's own, that a library has defined.
func isOwnFunction(name string) bool {
	switch name {
	case "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset", "select", "tonumber", "tostring", "type", "unpack", "xpcall",
		"getmetatable", "setmetatable", "on", "print", "require":
		return true
	}
	return IsAnswer(name)
}

// IsAnswer reports whether a name is that of a global function that makes an answer.
func IsAnswer(name string) bool {
	switch name {
	case "deny", "ask", "allow", "modify", "replace", "output", "respond", "context", "halt", "message":
		return true
	}
	return false
}

// renameCalls gives the calls of bound functions in a compiled function the names that
// messages show: that of the function alone, as for any other call.
func renameCalls(p *lua.FunctionProto) {
	for i, call := range p.DbgCalls {
		if name, ok := BoundName(call.Name); ok {
			p.DbgCalls[i].Name = name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	for _, f := range p.FunctionPrototypes {
		renameCalls(f)
	}
}

// BoundName is the function of a library that an upvalue of that name holds, "string.find";
// not ok where it holds a guard.
func BoundName(upvalue string) (name string, ok bool) {
	name, ok = strings.CutPrefix(upvalue, boundPrefix)
	return strings.TrimSuffix(name, ")"), ok
}

// StandsFor is the function of a library whose place an upvalue of that name takes: as [BoundName]
// has it, or a guard that does the same.
func StandsFor(upvalue string) (name string, ok bool) {
	switch upvalue {
	case FindGuard:
		return "string.find", true
	case IpairsGuard:
		return "ipairs", true
	}
	return BoundName(upvalue)
}

// AnswerIn is the name of the first answer that a compiled function, or one in it, uses as a
// global which the script hasn't made its own; "" where there is none. isOwn reports whether
// the script has; spend is charged for the work before it is done.
func AnswerIn(p *lua.FunctionProto, isOwn func(name string) bool, spend func(work int)) string {
	spend(1 + len(p.Code)/16)
	for _, upvalue := range p.DbgUpvalues {
		if name, ok := BoundName(upvalue); ok && IsAnswer(name) {
			return name
		}
	}
	for _, code := range p.Code {
		if int(code>>opShift) != lua.OP_GETGLOBAL {
			continue
		}
		name, ok := p.Constants[code&opBxMask].(lua.LString)
		if ok && IsAnswer(string(name)) && !isOwn(string(name)) {
			return string(name)
		}
	}
	for _, inner := range p.FunctionPrototypes {
		if name := AnswerIn(inner, isOwn, spend); name != "" {
			return name
		}
	}
	return ""
}

// A guard that forgot a return, deny("no") by itself, must not approve. Nothing takes what a call
// that stands as a statement gives, nor what goes into a variable that nothing mentions. Such
// values go through [DroppedGuard], which looks for answers among them. An answer that the script
// keeps, in a variable or a table, may be returned later or not.

// givesNoAnswer reports whether a call is of a library's function, as bind is sure of, and
// gives no answer.
func (r *rewriter) givesNoAnswer(call *ast.FuncCallExpr) bool {
	bound, ok := r.bound[call]
	if !ok {
		return false
	}
	switch name, _ := BoundName(bound); name {
	case "assert", "pcall", "xpcall", "select", "unpack", "rawget", "coroutine.resume":
		return false
	default:
		return !IsAnswer(name)
	}
}

// unused reports whether a declaration calls something for variables that nothing mentions.
func (r *rewriter) unused(st *ast.LocalAssignStmt) bool {
	for _, name := range st.Names {
		if r.called.mentioned[name] {
			return false
		}
	}
	for _, e := range st.Exprs {
		switch e.(type) {
		case *ast.FuncCallExpr, *ast.LogicalOpExpr:
			return true
		}
	}
	return false
}
