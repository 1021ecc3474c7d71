package luabind

import lua "github.com/yuin/gopher-lua"

// FunctionOf makes the function of a program in the state that L belongs to.
func FunctionOf(L *lua.LState, p *Program, args ...lua.LValue) *lua.LFunction {
	return stateOf(L).function(p, args...)
}
