package luabind

import (
	lua "github.com/yuin/gopher-lua"
)

// readOnlyTable is a library's table as a script must not change it.
type readOnlyTable struct {
	name string
	t    *lua.LTable                  // what it shows
	all  func() *lua.LTable           // makes t with all that belongs there; nil: t is complete
	find func(name string) lua.LValue // makes what belongs there under a name; nil: it is in t
}

// libraryMember is what a library has under a name, nil where it has nothing.
func (s *State) libraryMember(library *lua.LTable, name string) lua.LValue {
	f, ok := s.readOnly[library]
	switch {
	case !ok:
		return lua.LNil
	case f.find != nil:
		return f.find(name)
	}
	return f.t.RawGetString(name)
}

// showReadOnly returns a table that reads as f.t and can't be written to.
func (s *State) showReadOnly(f readOnlyTable) *lua.LTable {
	proxy := s.lua.CreateTable(0, 0)
	meta := s.lua.CreateTable(0, 3)
	meta.RawSetString("__index", f.t)
	meta.RawSetString("__newindex", s.lua.NewFunction(func(L *lua.LState) int {
		s.refuseWrite(L, proxy, L.Get(2))
		return 0
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	proxy.Metatable = meta
	s.readOnly[proxy] = f
	return proxy
}

// behindReadOnly returns the table behind a read-only one, and any other table itself.
func (s *State) behindReadOnly(t *lua.LTable) *lua.LTable {
	f, ok := s.readOnly[t]
	switch {
	case !ok:
		return t
	case f.all != nil:
		f.t, f.all = f.all(), nil
		s.readOnly[t] = f
	}
	return f.t
}

// refuseWrite raises an error where t is read-only; key is what was to be written.
func (s *State) refuseWrite(L *lua.LState, t *lua.LTable, key lua.LValue) {
	if f, ok := s.readOnly[t]; ok {
		L.RaiseError("%s is read-only (%s); keep what is yours in a local", f.name, shorten(RawText(key), maxName))
	}
}

// onMissing lets find say what is read of t under a key that t doesn't have.
func (s *State) onMissing(t *lua.LTable, find func(L *lua.LState, key lua.LValue) lua.LValue) {
	meta := s.lua.CreateTable(0, 1)
	meta.RawSetString("__index", s.lua.NewFunction(func(L *lua.LState) int {
		L.Push(find(L, L.Get(2)))
		return 1
	}))
	t.Metatable = meta
}

// refuseUnknown raises an error over what a module doesn't have: a typo in a guard must
// not read as nil.
func refuseUnknown(L *lua.LState, name string, key lua.LValue, known []string) lua.LValue {
	wanted := shorten(RawText(key), maxName)
	L.RaiseError("%s has no %q%s", name, wanted, DidYouMean(L, wanted, known))
	return lua.LNil
}
