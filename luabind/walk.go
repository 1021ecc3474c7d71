package luabind

import (
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// walkMark is the key by which a metatable's walker is known.
const walkMark = "\x00walk"

// OnWalk has fill called before a table with this metatable is walked: by pairs, by
// next from its beginning, and where it leaves Lua ([FromLua], so json, log and answers
// too). It is for tables that make their fields only when they are asked for: fill sets
// those that should be seen. It may raise errors, and is called each time. Scripts must
// not be able to get hold of the metatable.
func OnWalk(meta *lua.LTable, fill func(L *lua.LState, t *lua.LTable)) {
	meta.RawSetString(walkMark, &lua.LUserData{Value: walker(fill)})
}

type walker func(L *lua.LState, t *lua.LTable)

// beforeWalk calls what [OnWalk] has set for the table.
func beforeWalk(L *lua.LState, t *lua.LTable) {
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return
	}
	if u, ok := meta.RawGetString(walkMark).(*lua.LUserData); ok {
		if fill, ok := u.Value.(walker); ok {
			fill(L, t)
		}
	}
}

// Length is #t without metamethods. gopher-lua looks for it from behind all slots that
// the list has ever had, and it may have a million that are nil by now: this charges for
// those that it goes over.
func Length(L *lua.LState, t *lua.LTable) int {
	n := partLength(t, listPart)
	for walked := 1; n > 0 && t.RawGetInt(n) == lua.LNil; walked++ {
		if walked%(64*slotsPerUnit) == 0 {
			Spend(L, 64)
		}
		n--
	}
	return n
}

// Each calls do for everything in t, in no order, raw. It charges for the walk, which
// also leads over what t no longer has, and for each call.
func Each(L *lua.LState, t *lua.LTable, do func(key, value lua.LValue)) {
	ChargeWalk(L, t)
	t.ForEach(func(key, value lua.LValue) {
		Spend(L, 1)
		do(key, value)
	})
}

// First is what next gives first, raw; nil where t is empty. It charges for all of the
// walk, as [lua.LTable.Next] goes on from there.
func First(L *lua.LState, t *lua.LTable) (key, value lua.LValue) {
	ChargeWalk(L, t)
	return t.Next(lua.LNil)
}

// ChargeWalk charges for one walk over t, without what is done at each key.
func ChargeWalk(L *lua.LState, t *lua.LTable) { Spend(L, walkWork(t)) }

// slotsPerUnit is how many slots of a list are looked at in the time of an instruction.
const slotsPerUnit = 8

// walkWork is what going over a table takes, without what is done at each key.
func walkWork(t *lua.LTable) int {
	return 1 + partLength(t, listPart)/slotsPerUnit + partLength(t, keyPart)
}

// The parts of a table that gopher-lua doesn't show. A slot or a key whose value was set
// to nil stays in it.
var (
	listPart = tablePart("array")
	keyPart  = tablePart("keys")
)

func tablePart(name string) int {
	f, ok := reflect.TypeFor[lua.LTable]().FieldByName(name)
	if !ok {
		panic("luabind: the tables of gopher-lua have no " + name)
	}
	return f.Index[0]
}

func partLength(t *lua.LTable, part int) int { return reflect.ValueOf(t).Elem().Field(part).Len() }

// element is t[i], raw.
func element(t *lua.LTable, i int) lua.LValue {
	if i >= 1 && i < lua.MaxArrayIndex {
		return t.RawGetInt(i)
	}
	return t.RawGet(lua.LNumber(i))
}

// listIndex is a key of the list part of a table.
func listIndex(key lua.LValue) (i int, ok bool) {
	n, ok := key.(lua.LNumber)
	if !ok || !(n >= 1 && n < lua.LNumber(lua.MaxArrayIndex)) {
		return 0, false
	}
	i = int(n)
	return i, lua.LNumber(i) == n
}
