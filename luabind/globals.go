package luabind

import lua "github.com/yuin/gopher-lua"

// openGlobals puts the words of hooks into the table that stands behind the globals.
func (s *State) openGlobals(base *lua.LTable) {
	for _, f := range Globals {
		base.RawSetString(f.Name, s.L.NewFunction(guarded(f.Name, f.Go)))
	}
	for _, f := range s.env.Words {
		base.RawSetString(f.Name, s.L.NewFunction(guarded(f.Name, f.Go)))
	}
	s.openIterators(base)
}
