package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/compile"
)

// FunctionOf makes the function of a program in the state that L belongs to.
func FunctionOf(L *lua.LState, p *compile.Program, args ...lua.LValue) *lua.LFunction {
	return stateOf(L).function(p, args...)
}

// YieldSource and YieldCode are yield and its compiled form.
const YieldSource = yieldSource

func YieldCode() string { return yieldCode }
