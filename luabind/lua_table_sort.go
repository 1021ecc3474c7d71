package luabind

import lua "github.com/yuin/gopher-lua"

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
