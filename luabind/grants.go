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

// Withheld is what a script's file grants it and it hasn't got.
type Withheld struct {
	Grants hooks.Grants
	Why    string // a sentence without its full stop
}

// WithheldOf is what is withheld from the script of a state.
func WithheldOf(L *lua.LState) Withheld {
	if s := stateOf(L); s != nil {
		return s.env.Withheld
	}
	return Withheld{}
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

// ServicesOf is what the [Environment] of a script has for the modules that need more of
// the engine than a state; a module knows by the type whether it is for it.
func ServicesOf(L *lua.LState) any {
	if s := stateOf(L); s != nil {
		return s.env.Services
	}
	return nil
}

// EventOf is the event of the run under way, nil while the script loads. A module must
// not change it, and a call that outlasts its run must not read it.
func EventOf(L *lua.LState) *hooks.Context {
	if s := stateOf(L); s != nil {
		return s.event
	}
	return nil
}
