package luabind

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// stateOf finds the State from inside a library function; coroutines run under
// their state's budget, so it is found there too.
func stateOf(L *lua.LState) *State {
	if b, ok := L.Context().(*Budget); ok {
		return b.state
	}
	return nil
}

// openSandbox fills the state: the libraries, the modules and the words of hooks stand
// in a hidden table behind the globals, so that a script can shadow them but never
// change or lose them. Each is made when it is first read: there may be a thousand
// states, and each uses a few. Of gopher-lua's own functions only those of math are
// handed on, and two that drive coroutines; whatever loads code, reads files, changes
// environments or reaches the host isn't there.
func (s *State) openSandbox() error {
	s.frozen = map[*lua.LTable]frozen{}
	s.find = s.global // by way of the state: one of the words is require, which looks for others
	s.openGlobals()
	s.hideStringMetatable()
	for _, o := range s.env.Objects {
		if s.global(o.name()) != lua.LNil {
			return fmt.Errorf("host object %q: a module or function has that name", o.name())
		}
		s.base.RawSetString(o.name(), s.hostObject(o))
	}
	s.view = newEventView(s)
	return nil
}

// openGlobals makes the globals and what stands behind them. The VM comes with tables
// that have room for all of its libraries, which we don't open.
func (s *State) openGlobals() {
	globals := s.L.CreateTable(0, 0)
	s.L.G.Global, s.L.Env, s.L.G.Registry = globals, globals, s.L.CreateTable(0, 0)
	s.base = s.L.CreateTable(0, 0)
	s.base.RawSetString("_G", globals)
	// An unknown global is nil, as in Lua; it is noted, to explain the error that
	// may follow.
	s.behind(s.base, func(_ *lua.LState, key lua.LValue) lua.LValue {
		name, ok := key.(lua.LString)
		if !ok {
			return lua.LNil
		}
		v := s.global(string(name))
		if v == lua.LNil && len(name) <= maxName {
			s.view.absent = globalMark + string(name)
		}
		return v
	})
	meta := s.L.CreateTable(0, 2)
	meta.RawSetString("__index", s.base)
	meta.RawSetString("__metatable", lua.LFalse)
	globals.Metatable = meta
}

// global is what every script finds under a name, nil where there is nothing.
func (s *State) global(name string) lua.LValue {
	if v := s.base.RawGetString(name); v != lua.LNil {
		return v
	}
	if t := s.library(name); t != nil {
		return t
	}
	switch name {
	case "_VERSION":
		s.base.RawSetString(name, lua.LString(lua.LuaVersion))
	case "next", "pairs", "ipairs":
		s.openIterators(s.base)
	case "error", "pcall", "xpcall":
		s.openProtection(s.base)
	default:
		for _, words := range [...][]Function{baseFunctions, Globals, s.env.Words} {
			if i := slices.IndexFunc(words, func(f Function) bool { return f.Name == name }); i >= 0 {
				s.base.RawSetString(name, s.L.NewFunction(guarded(name, words[i].Go)))
			}
		}
	}
	return s.base.RawGetString(name)
}

// library is the table of that name that every script finds; nil: there is none.
func (s *State) library(name string) *lua.LTable {
	if t, ok := s.base.RawGetString(name).(*lua.LTable); ok && name != "_G" {
		return t
	}
	t := s.openLibrary(name)
	if t != nil {
		s.base.RawSetString(name, t)
	}
	return t
}

// libraries are those of Lua that scripts have.
var libraries = []string{"coroutine", "math", "string", "table"}

func (s *State) openLibrary(name string) *lua.LTable {
	if i := slices.IndexFunc(s.env.Modules, func(m Module) bool { return m.Name == name }); i >= 0 {
		return s.module(&s.env.Modules[i])
	}
	switch name {
	case "coroutine":
		return s.freeze(frozen{name: name, t: s.openCoroutines()})
	case "math":
		return s.module(mathLibrary())
	case "string":
		return s.showModule(&stringLibrary, s.strings)
	case "table":
		return s.module(&tableLibrary)
	}
	return nil
}

// stock are the functions of a library of gopher-lua. They keep nothing of the state
// that calls them, so that all states have the same.
func stock(open lua.LGFunction) map[string]lua.LGFunction {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 32})
	defer L.Close()
	open(L)
	functions := map[string]lua.LGFunction{}
	library, _ := L.Get(-1).(*lua.LTable)
	library.ForEach(func(k, v lua.LValue) {
		if f, ok := v.(*lua.LFunction); ok {
			functions[k.String()] = f.GFunction
		}
	})
	return functions
}

// hideStringMetatable gives strings a metatable of their own that scripts can't
// get hold of.
func (s *State) hideStringMetatable() {
	s.strings = s.table(&stringLibrary)
	meta := s.L.CreateTable(0, 2)
	meta.RawSetString("__index", s.strings)
	meta.RawSetString("__metatable", lua.LFalse)
	s.L.SetMetatable(lua.LString(""), meta)
}

// hostObject is an object of the embedder as scripts see it: read-only, and strict
// about names.
func (s *State) hostObject(o Object) *lua.LTable {
	t := o.load(s.L)
	s.behind(t, func(L *lua.LState, key lua.LValue) lua.LValue { return refuseUnknown(L, o.name(), key, o.methods()) })
	return s.freeze(frozen{name: o.name(), t: t})
}

// snapshotGlobals remembers the globals that loading has set.
func (s *State) snapshotGlobals() {
	s.globals = map[lua.LValue]lua.LValue{}
	s.L.G.Global.ForEach(func(k, v lua.LValue) { s.globals[k] = v })
}

// restoreGlobals takes back what a run did to the globals. What is visible of one run
// in the next is what the script keeps itself: its locals, and what stands in the
// tables that it made while it loaded.
func (s *State) restoreGlobals() {
	for _, name := range s.lent {
		delete(s.libraries, name)
	}
	s.lent = s.lent[:0]
	if first, _ := s.L.G.Global.Next(lua.LNil); first == lua.LNil && len(s.globals) == 0 {
		return
	}
	var changed []lua.LValue
	seen := 0
	s.L.G.Global.ForEach(func(k, v lua.LValue) {
		old, ok := s.globals[k]
		if ok {
			seen++
		}
		if !ok || old != v {
			changed = append(changed, k)
		}
	})
	for _, k := range changed {
		v, ok := s.globals[k]
		if !ok {
			v = lua.LNil
		}
		s.L.G.Global.RawSet(k, v)
	}
	if seen < len(s.globals) {
		for k, v := range s.globals {
			s.L.G.Global.RawSet(k, v)
		}
	}
}

// where is the file:line of the Lua function that called, without the colon.
func where(L *lua.LState) string {
	return strings.TrimSuffix(strings.TrimSpace(L.Where(1)), ":")
}
