package luabind

import (
	"fmt"
	"slices"
	"sort"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// openSandbox fills the state: the libraries, the modules and the words of hooks stand
// in a hidden table behind the globals, so that a script can shadow them but never
// change or lose them. Each is made when it is first read: there may be a thousand
// states, and each uses a few. Of gopher-lua's own functions only those of math are
// handed on, and two that drive coroutines; whatever loads code, reads files, changes
// environments or reaches the host isn't there.
func (s *State) openSandbox() error {
	s.readOnly = map[*lua.LTable]readOnlyTable{}
	s.find = s.global // by way of the state: one of the words is require, which looks for others
	s.openGlobals()
	for _, o := range s.env.Objects {
		if s.global(o.name()) != lua.LNil {
			return fmt.Errorf("host object %q: a module or function has that name", o.name())
		}
		s.base.RawSetString(o.name(), s.hostObject(o))
	}
	return nil
}

// fewNames has a table make room as names come; 0 has gopher-lua make room for 32 at the first.
const fewNames = 1

// openGlobals makes the globals and what stands behind them.
func (s *State) openGlobals() {
	s.base = s.lua.CreateTable(0, fewNames)
	s.base.RawSetString("_G", s.globalTable)
	// An unknown global is nil, as in Lua; it is noted, to explain the error that
	// may follow.
	s.onMissing(s.base, func(_ *lua.LState, key lua.LValue) lua.LValue {
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
	meta := s.lua.CreateTable(0, 2)
	meta.RawSetString("__index", s.base)
	meta.RawSetString("__metatable", lua.LFalse)
	s.globalTable.Metatable = meta
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
				s.base.RawSetString(name, s.lua.NewFunction(guarded(name, words[i].Go)))
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
		return s.module(s.env.Modules[i].whole())
	}
	switch name {
	case "coroutine":
		return s.showReadOnly(readOnlyTable{name: name, t: s.openCoroutines()})
	case "math":
		return s.module(mathLibrary())
	case "string":
		return s.showModule(&stringLibrary, stringFunctions())
	case "table":
		return s.module(&tableLibrary)
	}
	return nil
}

// hostObject is an object of the embedder as scripts see it: read-only, and strict
// about names.
func (s *State) hostObject(o Object) *lua.LTable {
	t := o.load(s.lua)
	s.onMissing(t, func(L *lua.LState, key lua.LValue) lua.LValue { return refuseUnknown(L, o.name(), key, o.methods()) })
	return s.showReadOnly(readOnlyTable{name: o.name(), t: t})
}

// snapshotGlobals remembers the globals that loading has set.
func (s *State) snapshotGlobals() {
	s.globals = map[lua.LValue]lua.LValue{}
	s.globalTable.ForEach(func(k, v lua.LValue) { s.globals[k] = v })
}

// restoreGlobals takes back what a run did to the globals. What is visible of one run
// in the next is what the script keeps itself: its locals, and what stands in the
// tables that it made while it loaded.
func (s *State) restoreGlobals() {
	for _, name := range s.requiredInRun {
		delete(s.libraries, name)
	}
	s.requiredInRun = s.requiredInRun[:0]
	if first, _ := s.globalTable.Next(lua.LNil); first == lua.LNil && len(s.globals) == 0 {
		return
	}
	var changed []lua.LValue
	seen := 0
	s.globalTable.ForEach(func(k, v lua.LValue) {
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
		s.globalTable.RawSet(k, v)
	}
	if seen < len(s.globals) {
		for k, v := range s.globals {
			s.globalTable.RawSet(k, v)
		}
	}
}

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
		L.RaiseError("require %q: no such module, and no such file under lib/%s", name, DidYouMean(L, name, s.requirable()))
	}
	program, err := library.load()
	if err == nil {
		program, err = s.resolve(program)
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
		s.requiredInRun = append(s.requiredInRun, name)
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

// stringLibrary has our versions of the library's functions. They take strings for
// bytes, in the C locale, and charge for what they do and build before they do it.
var stringLibrary = Module{Name: "string", lenient: true, Functions: []Function{
	{Name: "byte", Go: stringByte},
	{Name: "char", Go: stringChar},
	{Name: "find", Go: stringFind},
	{Name: "format", Go: stringFormat},
	{Name: "gmatch", Go: stringGmatch},
	{Name: "gsub", Go: stringGsub},
	{Name: "len", Go: stringLen},
	{Name: "lower", Go: stringLower},
	{Name: "match", Go: stringMatch},
	{Name: "rep", Go: stringRep},
	{Name: "reverse", Go: stringReverse},
	{Name: "sub", Go: stringSub},
	{Name: "upper", Go: stringUpper},
}}
