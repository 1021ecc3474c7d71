package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// GrantsOf is what the script of a state may reach outside of its sandbox: nothing,
// unless its [Environment] says so. A module asks for each call, on the state's
// goroutine.
func GrantsOf(L *lua.LState) hooks.Grants {
	if s := stateOf(L); s != nil {
		return s.env.Grants
	}
	return hooks.Grants{}
}

// RootOf is the project's root, an absolute path, or "" where there is no project.
func RootOf(L *lua.LState) string {
	if s := stateOf(L); s != nil {
		return s.env.Root
	}
	return ""
}

// DepthOf is what the programs that a script starts get as LUAHOOK_DEPTH.
func DepthOf(L *lua.LState) int {
	if s := stateOf(L); s != nil {
		return s.env.Depth
	}
	return 0
}
