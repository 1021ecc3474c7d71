package luabind

import lua "github.com/yuin/gopher-lua"

// boundCoroutines replaces create and wrap: a new thread would run under a context
// of its own, uncounted.
func (s *State) boundCoroutines(library *lua.LTable) {
	L := s.L
	create, _ := library.RawGetString("create").(*lua.LFunction)
	wrap, _ := library.RawGetString("wrap").(*lua.LFunction)
	library.RawSetString("create", L.NewFunction(func(L *lua.LState) int {
		n := create.GFunction(L)
		if thread, ok := L.Get(-1).(*lua.LState); ok {
			thread.SetContext(&s.budget)
		}
		return n
	}))
	library.RawSetString("wrap", L.NewFunction(func(L *lua.LState) int {
		n := wrap.GFunction(L)
		if f, ok := L.Get(-1).(*lua.LFunction); ok && len(f.Upvalues) > 0 {
			if thread, ok := f.Upvalues[0].Value().(*lua.LState); ok {
				thread.SetContext(&s.budget)
			}
		}
		return n
	}))
}
