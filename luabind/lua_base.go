package luabind

import lua "github.com/yuin/gopher-lua"

// baseFunctions are our versions of functions of that library. Those that need their
// state, and those that protect calls, are made where the state is.
var baseFunctions = []Function{
	{Name: "assert", Go: assert},
	{Name: "getmetatable", Go: getMetatable},
	{Name: "rawequal", Go: rawEqual},
	{Name: "rawget", Go: rawGet},
	{Name: "rawset", Go: rawSet},
	{Name: "select", Go: selectArguments},
	{Name: "setmetatable", Go: setMetatable},
	{Name: "tonumber", Go: toNumber},
	{Name: "tostring", Go: toString},
	{Name: "type", Go: typeOf},
	{Name: "unpack", Go: unpack},
}

// assert returns its arguments, or raises the second as an error. As in Lua 5.1, that
// is a string, to which the place is added.
func assert(L *lua.LState) int {
	a := arguments{L, "assert"}
	if lua.LVAsBool(a.any(1)) {
		return L.GetTop()
	}
	message := a.textOr(2, "assertion failed!")
	Spend(L, len(message)/8)
	Allocate(L, 2*len(message))
	throw(L, placed(L, 1, message))
	return 0
}

func getMetatable(L *lua.LState) int {
	a := arguments{L, "getmetatable"}
	return a.give(L.GetMetatable(a.any(1)))
}

// setMetatable takes tables only: the other types share one metatable each.
func setMetatable(L *lua.LState) int {
	a := arguments{L, "setmetatable"}
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		a.wrongType(1, "table")
	}
	meta := L.Get(2)
	if _, ok := meta.(*lua.LTable); !ok && (meta != lua.LNil || L.GetTop() < 2) {
		a.bad(2, "nil or table expected")
	}
	if old, ok := t.Metatable.(*lua.LTable); ok && old.RawGetString("__metatable") != lua.LNil {
		L.RaiseError("cannot change a protected metatable")
	}
	t.Metatable = meta
	return a.give(t)
}

func rawEqual(L *lua.LState) int {
	a := arguments{L, "rawequal"}
	x, y := a.any(1), a.any(2)
	if s, ok := x.(lua.LString); ok {
		a.charge(len(s))
	}
	return a.give(lua.LBool(x == y))
}

func rawGet(L *lua.LState) int {
	a := arguments{L, "rawget"}
	t := a.tableToRead(1)
	return a.give(t.RawGet(a.any(2)))
}

func rawSet(L *lua.LState) int {
	a := arguments{L, "rawset"}
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		a.wrongType(1, "table")
	}
	stateOf(L).store(L, t, a.any(2), a.any(3))
	return a.give(t)
}

// selectArguments is select: "#" is the number of arguments after it, a number the
// first of those to return, counted from the end where it is negative.
func selectArguments(L *lua.LState) int {
	a := arguments{L, "select"}
	top := L.GetTop()
	if s, ok := L.Get(1).(lua.LString); ok && len(s) > 0 && s[0] == '#' {
		return a.give(numberValue(top - 1))
	}
	n := a.integer(1)
	if n < 0 {
		n += top
	}
	if n < 1 {
		a.bad(1, "index out of range")
	}
	return max(0, top-n)
}

// typeNames are what type returns, made once because each would be an allocation.
var typeNames = func() (names [lua.LTChannel + 1]lua.LValue) {
	for i := range names {
		names[i] = lua.LString(lua.LValueType(i).String())
	}
	return names
}()

func typeOf(L *lua.LState) int {
	a := arguments{L, "type"}
	return a.give(typeNames[a.any(1).Type()])
}

// maxResults is how many values one call may return, as in Lua 5.1.
const maxResults = 8000

func unpack(L *lua.LState) int {
	a := arguments{L, "unpack"}
	t := a.tableToRead(1)
	first := a.integerOr(2, 1)
	last := 0
	if a.has(3) {
		last = a.integer(3)
	} else {
		last = Length(L, t)
	}
	n := last - first + 1
	if n <= 0 {
		return 0
	}
	if n > maxResults {
		L.RaiseError("too many results to unpack")
	}
	Spend(L, 1+n/2)
	for i := first; i <= last; i++ {
		L.Push(element(t, i))
	}
	return n
}

// element is t[i], raw.
func element(t *lua.LTable, i int) lua.LValue {
	if i >= 1 && i < lua.MaxArrayIndex {
		return t.RawGetInt(i)
	}
	return t.RawGet(lua.LNumber(i))
}
