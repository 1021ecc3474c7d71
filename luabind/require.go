package luabind

import (
	"log/slog"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// require gives a module's table, whatever the script has put into the global of
// that name, or runs a library and gives what its chunk returned (true where it
// returned nothing): once in this state where the script requires it as it loads,
// else once in each run.
func require(L *lua.LState) int {
	s, name := stateOf(L), L.CheckString(1)
	if module, ok := s.base.RawGetString(name).(*lua.LTable); ok && name != "_G" {
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
		L.RaiseError("require %q: no such module, and no such file under lib/%s", name, hooks.DidYouMean(name, s.requirable()))
	}
	if library.Err != nil {
		L.RaiseError("require %q: %s", name, hooks.AsError(library.Err, hooks.KindLoad).Brief())
	}
	s.libraries[name] = nil
	defer func() {
		if s.libraries[name] == nil {
			delete(s.libraries, name)
		}
	}()
	L.Push(s.function(library.Program))
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
	var names []string
	s.base.ForEach(func(k, v lua.LValue) {
		if v.Type() == lua.LTTable && k.String() != "_G" {
			names = append(names, k.String())
		}
	})
	for name := range s.env.Libraries {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// LogLine writes one line to the hook log, with the place it comes from. level is
// debug, info, warn or error.
func LogLine(L *lua.LState, level, text string) {
	if len(text) > 8<<10 {
		text = strings.ToValidUTF8(text[:8<<10], "") + "..."
	}
	var at slog.Level
	if at.UnmarshalText([]byte(level)) != nil {
		at = slog.LevelInfo
	}
	Spend(L, 64+len(text)/16)
	Logger(L).Log(L.Context().(*Budget).parent, at, text, "source", where(L))
}
