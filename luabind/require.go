package luabind

import (
	"log/slog"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// require gives a module's table, or runs a library once in this state and gives
// what its chunk returned (true where it returned nothing).
func require(L *lua.LState) int {
	s, name := stateOf(L), L.CheckString(1)
	for _, m := range s.env.Modules {
		if m.Name == name {
			L.Push(L.GetField(s.L.G.Global, name))
			return 1
		}
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
		L.RaiseError("require %q: %s", name, library.Err)
	}
	s.libraries[name] = nil
	defer func() {
		if s.libraries[name] == nil {
			delete(s.libraries, name)
		}
	}()
	L.Push(L.NewFunctionFromProto(library.Program.proto))
	L.Call(0, 1)
	v := L.Get(-1)
	if v == lua.LNil {
		v = lua.LTrue
		L.Pop(1)
		L.Push(v)
	}
	s.libraries[name] = v
	return 1
}

func (s *State) requirable() []string {
	var names []string
	for _, m := range s.env.Modules {
		names = append(names, m.Name)
	}
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
	ctx, cancel := Context(L)
	defer cancel()
	Logger(L).Log(ctx, at, text, "source", where(L))
}
