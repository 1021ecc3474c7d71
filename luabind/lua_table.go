package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// tableLibrary has our versions of the library's functions. As in Lua 5.1 they ask no
// metamethods, apart from the comparisons of sort.
var tableLibrary = Module{Name: "table", lenient: true, Functions: []Function{
	{Name: "concat", Go: tableConcat},
	{Name: "getn", Go: tableGetN},
	{Name: "insert", Go: tableInsert},
	{Name: "maxn", Go: tableMaxN},
	{Name: "remove", Go: tableRemove},
	{Name: "sort", Go: tableSort},
}}

// What a call is charged beside the elements that it moves.
const tableWork = 4

// moveWork is what moving so many elements by one place is charged.
func moveWork(elements int) int { return tableWork + elements/8 }

// tableInsert is insert(t, [pos,] v).
func tableInsert(L *lua.LState) int {
	a := arguments{L, "insert"}
	s := stateOf(L)
	t := a.tableToWrite()
	end := Length(L, t) + 1
	switch L.GetTop() {
	case 2:
		s.budget.spend(L, tableWork)
		if v := L.Get(2); v != lua.LNil {
			s.budget.allocate(L, slotBytes)
			t.RawSetInt(end, v)
		}
	case 3:
		switch pos := a.integer(2); {
		case pos >= end:
			s.budget.spend(L, tableWork)
			s.store(L, t, lua.LNumber(pos), L.Get(3))
		case pos >= 1:
			s.budget.spend(L, moveWork(end-pos))
			s.budget.allocate(L, slotBytes)
			t.Insert(pos, L.Get(3))
		default:
			s.insertBefore(L, t, pos, end, L.Get(3))
		}
	default:
		L.RaiseError("wrong number of arguments to 'insert'")
	}
	return 0
}

// insertBefore inserts at a place before the first one: Lua moves all up from there.
func (s *State) insertBefore(L *lua.LState, t *lua.LTable, pos, end int, v lua.LValue) {
	s.budget.spend(L, 16*(end-pos))
	for i := end; i > pos; i-- {
		s.shift(L, t, i-1, i)
	}
	s.store(L, t, lua.LNumber(pos), v)
}

// shift is t[to] = t[from].
func (s *State) shift(L *lua.LState, t *lua.LTable, from, to int) {
	v := element(t, from)
	if v != lua.LNil || element(t, to) != lua.LNil {
		s.store(L, t, lua.LNumber(to), v)
	}
}

// tableRemove is remove(t [, pos]).
func tableRemove(L *lua.LState) int {
	a := arguments{L, "remove"}
	t := a.tableToWrite()
	end := Length(L, t)
	pos := a.integerOr(2, end)
	if pos < 1 || pos > end {
		Spend(L, tableWork)
		return a.give(lua.LNil)
	}
	Spend(L, moveWork(end-pos))
	return a.give(t.Remove(pos))
}

func tableGetN(L *lua.LState) int {
	a := arguments{L, "getn"}
	Spend(L, tableWork)
	return a.give(numberValue(Length(L, a.tableToRead(1))))
}

// tableMaxN is the largest number among the keys.
func tableMaxN(L *lua.LState) int {
	a := arguments{L, "maxn"}
	t := a.tableToRead(1)
	largest := lua.LNumber(Length(L, t)) // the list part's
	var from lua.LValue = largest
	if largest == 0 {
		from = lua.LNil
	}
	for k, _ := following(L, t, from); k != lua.LNil; k, _ = t.Next(k) {
		Spend(L, nextWork)
		if n, ok := k.(lua.LNumber); ok && n > largest {
			largest = n
		}
	}
	return a.give(largest)
}

// tableConcat is concat(t [, separator [, first [, last]]]).
func tableConcat(L *lua.LState) int {
	a := arguments{L, "concat"}
	t := a.tableToRead(1)
	separator := a.textOr(2, "")
	first := a.integerOr(3, 1)
	last := 0
	if a.has(4) {
		last = a.integer(4)
	} else {
		last = Length(L, t)
	}
	if first > last {
		return a.give(lua.LString(""))
	}
	size := textSize(L, t, first, last) + len(separator)*(last-first)
	Spend(L, size/16)
	if v, ok := element(t, first).(lua.LString); ok && first == last {
		return a.give(v)
	}
	Allocate(L, size)
	var text strings.Builder
	text.Grow(size)
	var scratch [32]byte
	for i := first; i <= last; i++ {
		switch v := element(t, i).(type) {
		case lua.LString:
			text.WriteString(string(v))
		case lua.LNumber:
			text.Write(appendNumber(scratch[:0], v))
		default:
			s, _ := plainText(v)
			text.WriteString(s)
		}
		if i < last {
			text.WriteString(separator)
		}
	}
	return a.give(lua.LString(text.String()))
}

// textSize is how long the elements are as text, or a little more. It raises an
// error over one that is none.
func textSize(L *lua.LState, t *lua.LTable, first, last int) (size int) {
	const batch = 256
	for i := first; i <= last; i++ {
		if (i-first)%batch == 0 {
			Spend(L, min(batch, last-i+1))
		}
		switch v := element(t, i).(type) {
		case lua.LString:
			size += len(v)
		case lua.LNumber:
			size += maxNumberText
		default:
			s, ok := plainText(v)
			if ok {
				size += len(s)
				break
			}
			L.RaiseError("invalid value (%s) at index %d in table for 'concat'", typeName(v), i)
		}
	}
	return size
}
