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
			s.budget.stores(L, slotBytes)
			t.RawSetInt(end, v)
		}
	case 3:
		switch pos := a.integer(2); {
		case pos >= end:
			s.budget.spend(L, tableWork)
			s.store(L, t, lua.LNumber(pos), L.Get(3))
		case pos >= 1:
			s.budget.spend(L, moveWork(end-pos))
			s.budget.stores(L, slotBytes)
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

// tableSort is sort(t [, less]). It sorts a copy, so that an order function that
// changes the table, or fails, can't leave it half sorted; and it merges, so that one
// that contradicts itself gives some order, after no more comparisons than any other.
// Equal elements keep their order.
func tableSort(L *lua.LState) int {
	a := arguments{L, "sort"}
	t := a.tableToWrite()
	o := order{L: L}
	if a.has(2) {
		var ok bool
		if o.function, ok = L.Get(2).(*lua.LFunction); !ok {
			a.wrongType(2, "function")
		}
	}
	n := Length(L, t)
	if n < 2 {
		return 0
	}
	Spend(L, n)
	Allocate(L, 2*16*n)
	values := make([]lua.LValue, 2*n)
	values, spare := values[:n], values[n:]
	for i := range values {
		values[i] = t.RawGetInt(i + 1)
	}
	o.sort(values, spare)
	o.settle()
	for i, v := range values {
		t.RawSetInt(i+1, v)
	}
	return 0
}

// order compares, and charges for it.
type order struct {
	L        *lua.LState
	function *lua.LFunction // nil: by <
	owed     int            // work that isn't charged yet
}

// short is how long a run is that is sorted by inserting.
const short = 8

// sort sorts v; spare is as long.
func (o *order) sort(v, spare []lua.LValue) {
	if len(v) <= short {
		o.insertionSort(v)
		return
	}
	half := len(v) / 2
	o.sort(v[:half], spare[:half])
	o.sort(v[half:], spare[half:])
	if !o.less(v[half], v[half-1]) {
		return // in order already
	}
	left, right := spare[:copy(spare, v[:half])], v[half:]
	for i := 0; len(left) > 0; i++ {
		if len(right) > 0 && o.less(right[0], left[0]) {
			v[i], right = right[0], right[1:]
		} else {
			v[i], left = left[0], left[1:]
		}
	}
}

func (o *order) insertionSort(v []lua.LValue) {
	for i := 1; i < len(v); i++ {
		x, at := v[i], i
		for ; at > 0 && o.less(x, v[at-1]); at-- {
			v[at] = v[at-1]
		}
		v[at] = x
	}
}

// less charges for a comparison and makes it. No VM instruction need run for one:
// the function can be one of ours.
func (o *order) less(a, b lua.LValue) bool {
	if o.owed++; o.owed >= 256 {
		o.settle()
	}
	if o.function == nil {
		return o.lessThan(a, b)
	}
	o.owed += 8
	o.L.Push(o.function)
	o.L.Push(a)
	o.L.Push(b)
	o.L.Call(2, 1)
	less := lua.LVAsBool(o.L.Get(-1))
	o.L.Pop(1)
	return less
}

func (o *order) settle() {
	Spend(o.L, o.owed)
	o.owed = 0
}

// lessThan is a < b as the VM has it, in Lua's words where there is no such thing.
func (o *order) lessThan(a, b lua.LValue) bool {
	switch x := a.(type) {
	case lua.LNumber:
		if y, ok := b.(lua.LNumber); ok {
			return x < y
		}
	case lua.LString:
		if y, ok := b.(lua.LString); ok {
			o.owed += min(len(x), len(y)) / 16
			return x < y
		}
	}
	if a.Type() != b.Type() {
		o.L.RaiseError("attempt to compare %s with %s", typeName(a), typeName(b))
	}
	if f := o.L.GetMetaField(a, "__lt"); f == lua.LNil || f != o.L.GetMetaField(b, "__lt") {
		o.L.RaiseError("attempt to compare two %s values", typeName(a))
	}
	o.owed += 8
	return o.L.LessThan(a, b)
}
