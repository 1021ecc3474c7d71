package luabind

import (
	"slices"
	"sort"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// require gives a module's table, whatever the script has put into the global of
// that name, or runs a library and gives what its chunk returned (true where it
// returned nothing): once in this state where the script requires it as it loads,
// else once in each run.
func require(L *lua.LState) int {
	s, name := stateOf(L), L.CheckString(1)
	if module := s.library(name); module != nil {
		L.Push(module)
		return 1
	}
	if len(name) > maxName {
		L.ArgError(1, "the name is too long")
	}
	if v, ok := s.libraries[name]; ok {
		if v == nil {
			L.RaiseError("require %q: it is being loaded; two libraries require each other", name)
		}
		L.Push(v)
		return 1
	}
	library, ok := s.env.Libraries[name]
	if !ok {
		L.RaiseError("require %q: no such module, and no such file under lib/%s", name, spelling.DidYouMean(name, s.requirable()))
	}
	program, err := library.load()
	if err == nil {
		program, err = s.settled(program)
	}
	if err != nil {
		L.RaiseError("require %q: %s", name, hooks.AsError(err, hooks.KindLoad).Brief())
	}
	s.libraries[name] = nil
	defer func() {
		if s.libraries[name] == nil {
			delete(s.libraries, name)
		}
	}()
	L.Push(s.function(program))
	L.Call(0, 1)
	v := L.Get(-1)
	if v == lua.LNil {
		v = lua.LTrue
	}
	s.libraries[name] = v
	if !s.loading { // its globals go when the run is over, and so must it
		s.lent = append(s.lent, name)
	}
	L.Push(v)
	return 1
}

func (s *State) requirable() []string {
	names := slices.Clone(libraries)
	for _, m := range s.env.Modules {
		names = append(names, m.Name)
	}
	for _, o := range s.env.Objects {
		names = append(names, o.name())
	}
	for name := range s.env.Libraries {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
