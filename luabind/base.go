package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

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

// openIterators makes next, pairs and ipairs. A for loop over pairs calls the very
// function that next is.
func (s *State) openIterators(base *lua.LTable) {
	next := s.lua.NewFunction(guarded("next", s.next))
	base.RawSetString("next", next)
	base.RawSetString("pairs", s.lua.NewFunction(guarded("pairs", func(L *lua.LState) int {
		s.iterable(arguments{L, "pairs"}) // refuses what can't be walked
		L.Push(next)
		L.Push(L.Get(1)) // never the table behind it, which could be written to
		L.Push(lua.LNil)
		return 3
	})))
	step := s.lua.NewFunction(guarded("ipairs", nextElement))
	base.RawSetString("ipairs", s.lua.NewFunction(guarded("ipairs", func(L *lua.LState) int {
		arguments{L, "ipairs"}.tableToRead(1)
		L.Push(step)
		L.Push(L.Get(1))
		L.Push(numberValue(0))
		return 3
	})))
}

// iterable is the table that pairs and next walk for their first argument: what a
// read-only table shows, and the present fields of an event.
func (s *State) iterable(a arguments) *lua.LTable {
	if u, ok := a.Get(1).(*lua.LUserData); ok {
		if v, ok := u.Value.(*recordView); ok {
			return v.table(a.LState)
		}
	}
	return a.tableToRead(1)
}

// nextWork is what next is charged. It is about the work of one step, and enough for
// the clock to be looked at every few steps: gopher-lua keeps the keys that were taken
// out of a table, and a step can lead over all of them.
const nextWork = 8

func (s *State) next(L *lua.LState) int {
	t := s.iterable(arguments{L, "next"})
	s.budget.spend(L, nextWork)
	from := L.Get(2)
	if from == lua.LNil {
		beforeWalk(L, t)
	}
	k, v := following(L, t, from)
	s.budget.spend(L, skipped(t, from, k)/slotsPerUnit)
	L.Push(k)
	if k == lua.LNil {
		return 1
	}
	L.Push(v)
	return 2
}

// skipped is how many slots of the list are nil between two keys that follow one another.
func skipped(t *lua.LTable, from, to lua.LValue) int {
	first, inList := listIndex(from)
	if !inList && from != lua.LNil {
		return 0
	}
	last, inList := listIndex(to)
	if !inList {
		last = partLength(t, listPart)
	}
	return max(0, last-first-1)
}

// following is LTable.Next, but doesn't miss a key where table.remove has made the
// list part shorter than key since that was reached.
func following(L *lua.LState, t *lua.LTable, key lua.LValue) (k, v lua.LValue) {
	k, v = t.Next(key)
	at, inList := listIndex(key)
	if !inList || t.RawGetInt(at) != lua.LNil {
		return k, v
	}
	if _, inList := listIndex(k); inList {
		return k, v
	}
	switch n := Length(L, t); {
	case at <= n:
		return k, v
	case n == 0:
		return t.Next(lua.LNil)
	default:
		return t.Next(lua.LNumber(n))
	}
}

// nextElement is the iterator of ipairs.
func nextElement(L *lua.LState) int {
	a := arguments{L, "ipairs"}
	t := a.tableToRead(1)
	i := a.integer(2) + 1
	v := element(t, i)
	if v == lua.LNil {
		return a.give(lua.LNil)
	}
	L.Push(numberValue(i))
	L.Push(v)
	return 2
}

// toString is tostring. As in Lua 5.1 it returns what __tostring does, whatever that
// is; [State.text] insists on text.
func toString(L *lua.LState) int {
	a := arguments{L, "tostring"}
	v := a.any(1)
	if v.Type() != lua.LTString {
		Spend(L, 4)
		Allocate(L, 32)
	}
	return a.give(shown(L, v))
}

// shown is a value as tostring returns it.
func shown(L *lua.LState, v lua.LValue) lua.LValue {
	switch v.(type) {
	case lua.LString:
		return v
	case *lua.LTable, *lua.LUserData:
		if f := L.GetMetaField(v, "__tostring"); f != lua.LNil {
			L.Push(f)
			L.Push(v)
			L.Call(1, 1)
			text := L.Get(-1)
			L.Pop(1)
			return text
		}
	}
	return lua.LString(RawText(v))
}

// text is a value as text for a library function that prints it, by its __tostring
// where it has one. It raises an error where that returns no text.
func (s *State) text(L *lua.LState, v lua.LValue) string {
	text, ok := shownText(L, v)
	if !ok {
		L.RaiseError("'__tostring' must return a string")
	}
	return text
}

func shownText(L *lua.LState, v lua.LValue) (string, bool) {
	switch v := shown(L, v).(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(v), true
	}
	return "", false
}

// print writes to the hook log, at info; its arguments are joined by tabs.
func print(L *lua.LState) int {
	var line strings.Builder
	for i := range L.GetTop() {
		if i > 0 {
			line.WriteByte('\t')
		}
		word, ok := shownText(L, L.Get(i+1))
		if !ok {
			L.RaiseError("'tostring' must return a string to 'print'")
		}
		if line.Len() <= maxLine {
			line.WriteString(word[:min(len(word), maxLine+1)])
		}
	}
	LogLine(L, "info", line.String())
	return 0
}
