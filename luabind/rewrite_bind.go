package luabind

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
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
	assigned  map[string]bool // globals
	mentioned map[string]bool // locals
	all       bool            // it may assign any: it mentions _G
}

// call notes a call of a global function, or of a global table's.
func (c *calledNames) call(e *ast.FuncCallExpr) { c.calls = append(c.calls, e) }

// assign notes an assignment to a global.
func (c *calledNames) assign(name string) {
	if c.assigned == nil {
		c.assigned = map[string]bool{}
	}
	c.assigned[name] = true
}

// mention notes a use of a local.
func (c *calledNames) mention(name string) {
	if c.mentioned == nil {
		c.mentioned = map[string]bool{}
	}
	c.mentioned[name] = true
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
		if c.assigned[root] || (root == name && !ownFunction(name)) {
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

// calledName is what a call calls, "string.find", and the global that it begins with;
// "" where it is anything else than a name, or a name and a field.
func calledName(call *ast.FuncCallExpr) (root, name string) {
	switch f := call.Func.(type) {
	case *ast.IdentExpr:
		return f.Value, f.Value
	case *ast.AttrGetExpr:
		object, ok1 := f.Object.(*ast.IdentExpr)
		key, ok2 := f.Key.(*ast.StringExpr)
		if ok1 && ok2 && len(object.Value)+len(key.Value) < maxName {
			return object.Value, object.Value + "." + key.Value
		}
	}
	return "", ""
}

// ownFunction tells whether a name is that of a function which every script has. Others
// may be a script's own, that a library has defined.
func ownFunction(name string) bool {
	switch name {
	case "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset", "select", "tonumber", "tostring", "type", "unpack", "xpcall",
		"getmetatable", "setmetatable", "on", "print", "require":
		return true
	}
	return answerWords[name]
}

// rename gives the calls of bound functions in a compiled function the names that
// messages show: that of the function alone, as for any other call.
func rename(p *lua.FunctionProto) {
	for i, call := range p.DbgCalls {
		if name, ok := boundName(call.Name); ok {
			p.DbgCalls[i].Name = name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	for _, f := range p.FunctionPrototypes {
		rename(f)
	}
}

// boundName is what an upvalue of that name holds, "string.find".
func boundName(upvalue string) (name string, ok bool) {
	name, ok = strings.CutPrefix(upvalue, boundPrefix)
	return strings.TrimSuffix(name, ")"), ok
}

// named is the upvalue that holds a function of a library, "string.find"; nil where there
// is no such function. Nothing ever assigns to it.
func (s *State) named(name string) *lua.Upvalue {
	if u, ok := s.guards[name]; ok {
		return u
	}
	root, key, dotted := strings.Cut(name, ".")
	v := s.find(root)
	if t, ok := v.(*lua.LTable); ok && dotted {
		v = s.shown(t, key)
	} else if dotted {
		return nil
	}
	if v.Type() != lua.LTFunction {
		return nil
	}
	u := &lua.Upvalue{}
	u.SetValue(v)
	s.guards[name] = u
	return u
}

// settled is the form of a program that means the same in this state as what its author
// wrote: the one with bound functions, or the plain one.
func (s *State) settled(p *Program) (*Program, error) {
	for _, upvalue := range p.proto.DbgUpvalues {
		name, ok := boundName(upvalue)
		if !ok {
			continue
		}
		root, _, _ := strings.Cut(name, ".")
		if s.reassigned(root) || s.named(name) == nil {
			if p.plain == nil {
				return nil, &hooks.Error{Kind: hooks.KindLoad, Source: p.name, Message: fmt.Sprintf("it was compiled to call %s, which isn't there or is somebody else's here", name)}
			}
			return p.plain()
		}
	}
	return p, nil
}

// reassigned tells whether a program of this state may assign to a global of that name.
func (s *State) reassigned(name string) bool {
	may := func(p *Program) bool { return p != nil && (p.called.all || p.called.assigned[name]) }
	if may(s.program) {
		return true
	}
	for _, l := range s.env.Libraries {
		if may(l.Program) { // those that are compiled when they are required are ours, and don't
			return true
		}
	}
	return false
}
