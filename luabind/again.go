package luabind

import lua "github.com/yuin/gopher-lua"

// AgainKey is the key under which the context of a run has what it is for where the hook
// ran in the same event before and judges what was rewritten since. Such a run decides, and
// does nothing else: what it would do beside that was done by the run before.
type AgainKey struct{}

// AgainOf is what the context has under [AgainKey]; nil: the run is the hook's first.
func AgainOf(L *lua.LState) any {
	if event := EventOf(L); event == nil || !event.Judging {
		return nil
	}
	return ValueOf(L, AgainKey{})
}

// ValueOf is what the context of the run under way has under a key.
func ValueOf(L *lua.LState, key any) any {
	if b, ok := L.Context().(*Budget); ok {
		return b.parent.Value(key)
	}
	return nil
}

// HookOf is the number of the registration whose run is under way.
func HookOf(L *lua.LState) int {
	if s := stateOf(L); s != nil {
		return s.hook
	}
	return 0
}
