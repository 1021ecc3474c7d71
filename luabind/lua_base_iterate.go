package luabind

import lua "github.com/yuin/gopher-lua"

// openIterators makes next, pairs and ipairs. A for loop over pairs calls the very
// function that next is.
func (s *State) openIterators(base *lua.LTable) {
	next := s.L.NewFunction(guarded("next", s.next))
	base.RawSetString("next", next)
	base.RawSetString("pairs", s.L.NewFunction(guarded("pairs", func(L *lua.LState) int {
		s.iterable(arguments{L, "pairs"}) // refuses what can't be walked
		L.Push(next)
		L.Push(L.Get(1)) // never the table behind it, which could be written to
		L.Push(lua.LNil)
		return 3
	})))
	step := s.L.NewFunction(guarded("ipairs", nextElement))
	base.RawSetString("ipairs", s.L.NewFunction(guarded("ipairs", func(L *lua.LState) int {
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
