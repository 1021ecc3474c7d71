package luabind

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
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
// change or lose them. Of gopher-lua's own functions only those of math are handed
// on, and two that drive coroutines; whatever loads code, reads files, changes
// environments or reaches the host isn't there.
func (s *State) openSandbox() error {
	s.frozen = map[*lua.LTable]frozen{}
	s.makeMetatables()
	base := s.library(baseFunctions)
	base.RawSetString("_VERSION", lua.LString(lua.LuaVersion))
	strings := s.library(stringFunctions)
	s.hideStringMetatable(strings)
	for name, t := range map[string]*lua.LTable{
		"string": strings, "table": s.library(tableFunctions), "math": s.openMath(), "coroutine": s.openCoroutines(),
	} {
		base.RawSetString(name, s.freeze(name, t))
	}
	s.openGlobals(base)
	s.openProtection(base)
	for _, m := range s.env.Modules {
		base.RawSetString(m.Name, s.module(m))
	}
	for _, o := range s.env.Objects {
		if base.RawGetString(o.name()) != lua.LNil || o.name() == "_G" {
			return fmt.Errorf("host object %q: a module or function has that name", o.name())
		}
		base.RawSetString(o.name(), s.freeze(o.name(), s.strict(o.name(), o.load(s.L))))
	}
	s.view = newEventView(s)
	s.replaceGlobals(base)
	return nil
}

// library makes a table of functions.
func (s *State) library(functions []Function) *lua.LTable {
	t := s.L.CreateTable(0, len(functions))
	for _, f := range functions {
		t.RawSetString(f.Name, s.L.NewFunction(guarded(f.Name, f.Go)))
	}
	return t
}

// stock opens a library of gopher-lua and gives its table.
func (s *State) stock(open lua.LGFunction) *lua.LTable {
	open(s.L)
	t, _ := s.L.Get(-1).(*lua.LTable)
	s.L.SetTop(0)
	return t
}

// replaceGlobals empties the globals and puts base behind them.
func (s *State) replaceGlobals(base *lua.LTable) {
	s.base = base
	// An unknown global is nil, as in Lua; it is noted, to explain the error that
	// may follow.
	unknown := s.L.NewTable()
	unknown.RawSetString("__index", s.L.NewFunction(func(L *lua.LState) int {
		if name, ok := L.Get(2).(lua.LString); ok && len(name) <= maxName {
			s.view.absent = globalMark + string(name)
		}
		return 0
	}))
	base.Metatable = unknown
	globals := s.L.G.Global
	var names []lua.LValue
	globals.ForEach(func(k, _ lua.LValue) { names = append(names, k) })
	for _, k := range names {
		globals.RawSet(k, lua.LNil)
	}
	base.RawSetString("_G", globals)
	meta := s.L.NewTable()
	meta.RawSetString("__index", base)
	meta.RawSetString("__metatable", lua.LFalse)
	globals.Metatable = meta
}

// hideStringMetatable gives strings a metatable of their own that scripts can't
// get hold of.
func (s *State) hideStringMetatable(library *lua.LTable) {
	meta := s.L.NewTable()
	meta.RawSetString("__index", library)
	meta.RawSetString("__metatable", lua.LFalse)
	s.L.SetMetatable(lua.LString(""), meta)
}

// frozen is a library's table as a script must not change it.
type frozen struct {
	name string
	t    *lua.LTable
}

// strict makes it an error to read what a module doesn't have: a typo in a guard must
// not read as nil.
func (s *State) strict(name string, t *lua.LTable) *lua.LTable {
	meta := s.L.NewTable()
	meta.RawSetString("__index", s.L.NewFunction(func(L *lua.LState) int {
		var known []string
		t.ForEach(func(k, _ lua.LValue) { known = append(known, k.String()) })
		key := shorten(RawText(L.Get(2)), maxName)
		L.RaiseError("%s has no %q%s", name, key, hooks.DidYouMean(key, known))
		return 0
	}))
	t.Metatable = meta
	return t
}

// freeze returns a table that reads as t and can't be written to.
func (s *State) freeze(name string, t *lua.LTable) *lua.LTable {
	proxy := s.L.NewTable()
	meta := s.L.NewTable()
	meta.RawSetString("__index", t)
	meta.RawSetString("__newindex", s.L.NewFunction(func(L *lua.LState) int {
		s.refuseFrozen(L, proxy, L.Get(2))
		return 0
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	proxy.Metatable = meta
	s.frozen[proxy] = frozen{name, t}
	return proxy
}

// open returns the table behind a frozen one, and any other table itself.
func (s *State) open(t *lua.LTable) *lua.LTable {
	if f, ok := s.frozen[t]; ok {
		return f.t
	}
	return t
}

// refuseFrozen raises an error where t is frozen; key is what was to be written.
func (s *State) refuseFrozen(L *lua.LState, t *lua.LTable, key lua.LValue) {
	if f, ok := s.frozen[t]; ok {
		L.RaiseError("%s is read-only (%s); keep what is yours in a local", f.name, shorten(RawText(key), maxName))
	}
}

// makeMetatables makes the metatables of the values that cross.
func (s *State) makeMetatables() {
	protected := func(name string) *lua.LTable {
		meta := s.L.NewTable()
		meta.RawSetString("__metatable", lua.LString(name))
		return meta
	}
	s.listMeta = protected("list")
	s.listMeta.RawSetString(listMark, lua.LTrue)
	s.numberMeta = protected("number")
	text := s.L.NewFunction(func(L *lua.LState) int {
		u, _ := L.CheckUserData(1).Value.(wholeNumber)
		L.Push(lua.LString(u.text))
		return 1
	})
	s.numberMeta.RawSetString("__tostring", text)
	s.numberMeta.RawSetString("__eq", s.L.NewFunction(func(L *lua.LState) int {
		a, _ := L.CheckUserData(1).Value.(wholeNumber)
		b, _ := L.CheckUserData(2).Value.(wholeNumber)
		L.Push(lua.LBool(a == b))
		return 1
	}))
	s.numberMeta.RawSetString("__concat", s.L.NewFunction(func(L *lua.LState) int {
		var text string
		for i := 1; i <= 2; i++ {
			v := L.Get(i)
			if u, ok := v.(*lua.LUserData); ok {
				if n, ok := u.Value.(wholeNumber); ok {
					v = lua.LString(n.text)
				}
			}
			if !lua.LVCanConvToString(v) {
				L.RaiseError("attempt to concatenate a %s", typeName(v))
			}
			text += v.String()
		}
		L.Push(lua.LString(text))
		return 1
	}))
	nullMeta := protected("null")
	nullMeta.RawSetString("__tostring", s.L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString("null"))
		return 1
	}))
	s.null = &lua.LUserData{Value: null{}, Metatable: nullMeta}
	s.answerMeta = protected("answer")
	s.answerMeta.RawSetString("__tostring", s.L.NewFunction(func(L *lua.LState) int {
		a, _ := L.CheckUserData(1).Value.(*answer)
		L.Push(lua.LString(a.String()))
		return 1
	}))
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
