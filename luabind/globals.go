package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openGlobals puts the words of hooks and our versions of base functions into the
// table that stands behind the globals.
func (s *State) openGlobals(base *lua.LTable) {
	for _, f := range Globals {
		base.RawSetString(f.Name, s.L.NewFunction(f.Go))
	}
	next := s.L.NewFunction(s.next)
	base.RawSetString("next", next)
	base.RawSetString("pairs", s.L.NewFunction(func(L *lua.LState) int {
		s.iterable(L) // refuses what can't be walked
		L.Push(next)
		L.Push(L.Get(1)) // never the table behind it, which could be written to
		L.Push(lua.LNil)
		return 3
	}))
	base.RawSetString("rawget", s.L.NewFunction(func(L *lua.LState) int {
		L.Push(s.open(L.CheckTable(1)).RawGet(L.CheckAny(2)))
		return 1
	}))
	base.RawSetString("rawset", s.L.NewFunction(func(L *lua.LState) int {
		t := L.CheckTable(1)
		s.refuseFrozen(L, t, L.CheckAny(2))
		key := L.CheckAny(2)
		if key == lua.LNil {
			L.ArgError(2, "the key is nil")
		}
		t.RawSet(key, L.CheckAny(3))
		L.Push(t)
		return 1
	}))
	base.RawSetString("setmetatable", s.L.NewFunction(func(L *lua.LState) int {
		t := L.CheckTable(1)
		L.CheckTypes(2, lua.LTNil, lua.LTTable)
		if meta, ok := t.Metatable.(*lua.LTable); ok && meta.RawGetString("__metatable") != lua.LNil {
			L.RaiseError("cannot change a protected metatable")
		}
		t.Metatable = L.Get(2)
		L.Push(t)
		return 1
	}))
}

// iterable is the table that pairs and next walk for their first argument: what a
// read-only table shows, and the present fields of an event.
func (s *State) iterable(L *lua.LState) *lua.LTable {
	if u, ok := L.Get(1).(*lua.LUserData); ok {
		if v, ok := u.Value.(*recordView); ok {
			return v.table(L)
		}
	}
	return s.open(L.CheckTable(1))
}

func (s *State) next(L *lua.LState) int {
	t := s.iterable(L)
	k, v := t.Next(L.Get(2))
	if k == lua.LNil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(k)
	L.Push(v)
	return 2
}

// print writes to the hook log, at info; its arguments are joined by tabs.
func print(L *lua.LState) int {
	words := make([]string, L.GetTop())
	for i := range words {
		words[i] = L.ToStringMeta(L.Get(i + 1)).String()
	}
	LogLine(L, "info", strings.Join(words, "\t"))
	return 0
}
