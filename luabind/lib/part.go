package lib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// part is a kind of table that stands in a command: which fields it has, and which of
// them may be nil.
type part struct {
	what     string
	fields   []string
	optional []string
}

// metaOf is the metatable of such tables in a state. It hangs in the registry, which
// scripts can't reach.
func (c call) metaOf(p part) *lua.LTable {
	meta := c.NewTypeMetatable("luahook." + p.what)
	if meta.RawGetString("__index") == lua.LNil {
		meta.RawSetString("__index", c.NewFunction(p.missing))
		meta.RawSetString("__metatable", lua.LFalse)
	}
	return meta
}

// missing raises the error of a field that such a table never has.
func (p part) missing(L *lua.LState) int {
	key := cut(luabind.RawText(L.Get(2)), 100)
	if !slices.Contains(p.optional, key) {
		L.RaiseError("%s has no field %q%s", p.what, key, luabind.DidYouMean(L, key, p.fields))
	}
	return 0
}

// fill sets the fields of such a table, with the values in the order of the fields; nil sets none.
func (p part) fill(t *lua.LTable, values ...lua.LValue) {
	for i, v := range values {
		if v != lua.LNil {
			t.RawSetString(p.fields[i], v)
		}
	}
}

// textOrNil is a text, and nil where it is empty.
func textOrNil(text string) lua.LValue {
	if text == "" {
		return lua.LNil
	}
	return lua.LString(text)
}

// parts makes a list of such tables, each filled by fill.
func (c call) parts(n int, p part, fill func(i int, t *lua.LTable)) *lua.LTable {
	list := c.list(n)
	if n == 0 {
		return list
	}
	meta := c.metaOf(p)
	for i := range n {
		luabind.Spend(c.LState, 2+2*len(p.fields))
		t := c.object(len(p.fields))
		fill(i, t)
		t.Metatable = meta
		list.Append(t)
	}
	return list
}

// lazy makes such a table whose fields are made when they are first asked for: most scripts
// look at one or two. pairs and JSON find all of them. get is asked for the fields of the part
// alone.
func (c call) lazy(p part, get func(c call, name string) lua.LValue) *lua.LTable {
	c.allocateParts(luabind.TableBytes(0, len(p.fields)))
	meta := c.CreateTable(0, 3)
	meta.RawSetString("__index", c.NewFunction(func(L *lua.LState) int {
		c := call{LState: L, module: c.module, name: c.name}
		t, ok := L.Get(1).(*lua.LTable)
		if !ok {
			return 0
		}
		luabind.Spend(L, 2)
		name := luabind.RawText(L.Get(2))
		if !slices.Contains(p.fields, name) {
			return p.missing(L)
		}
		v := get(c, name)
		if v != lua.LNil {
			keepField(L, t, name, v)
		}
		return c.give(v)
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	luabind.OnWalk(meta, func(L *lua.LState, t *lua.LTable) {
		c := call{LState: L, module: c.module, name: c.name}
		luabind.Spend(L, 2*len(p.fields))
		c.allocateParts(luabind.TableBytes(0, len(p.fields)))
		for _, name := range p.fields {
			if t.RawGetString(name) == lua.LNil {
				if v := get(c, name); v != lua.LNil {
					t.RawSetString(name, v)
				}
			}
		}
	})
	t := c.CreateTable(0, 0)
	t.Metatable = meta
	return t
}

// keepField sets a field of a table that makes its fields when they are asked for. An empty
// one would make room for 32.
func keepField(L *lua.LState, t *lua.LTable, name string, v lua.LValue) {
	if first, _ := t.Next(lua.LNil); first == lua.LNil {
		meta := t.Metatable
		*t = *L.CreateTable(0, 4)
		t.Metatable = meta
	}
	t.RawSetString(name, v)
}
