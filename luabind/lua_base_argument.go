package luabind

import lua "github.com/yuin/gopher-lua"

// arguments reads the arguments of a call of one of our library functions, by their
// number from 1, and raises Lua's error over one that is wrong. gopher-lua's own
// checks know the function's name only where it is called by that name.
type arguments struct {
	*lua.LState
	function string
}

// bad raises the error of argument n.
func (a arguments) bad(n int, problem string) {
	a.RaiseError("bad argument #%d to '%s' (%s)", n, a.function, problem)
}

func (a arguments) wrongType(n int, want string) {
	got := "no value"
	if n <= a.GetTop() {
		got = typeName(a.Get(n))
	}
	a.bad(n, want+" expected, got "+got)
}

// any is an argument that must be there, if only as nil.
func (a arguments) any(n int) lua.LValue {
	if n > a.GetTop() {
		a.bad(n, "value expected")
	}
	return a.Get(n)
}

// tableToRead is a table argument; for a read-only one it is what that shows.
func (a arguments) tableToRead(n int) *lua.LTable {
	t, ok := a.Get(n).(*lua.LTable)
	if !ok {
		a.wrongType(n, "table")
	}
	if t.Metatable != lua.LNil { // read-only tables have one
		return stateOf(a.LState).open(t)
	}
	return t
}

// tableToWrite is argument 1 of a function of the table library that changes it.
func (a arguments) tableToWrite() *lua.LTable {
	t, ok := a.Get(1).(*lua.LTable)
	if !ok {
		a.wrongType(1, "table")
	}
	if t.Metatable != lua.LNil {
		stateOf(a.LState).refuseFrozen(a.LState, t, lua.LString("table."+a.function))
	}
	return t
}

// maxInteger bounds the integers that functions take; what lies beyond counts as it.
const maxInteger = 1 << 53

// integer is a number argument without its fraction.
func (a arguments) integer(n int) int {
	var f lua.LNumber
	switch v := a.Get(n).(type) {
	case lua.LNumber:
		f = v
	case lua.LString:
		a.charge(len(v))
		var ok bool
		if f, ok = parseNumber(string(v)); !ok {
			a.wrongType(n, "number")
		}
	default:
		a.wrongType(n, "number")
	}
	switch {
	case f != f, f < -maxInteger:
		return -maxInteger
	case f > maxInteger:
		return maxInteger
	}
	return int(f)
}

// has tells whether argument n is there and not nil.
func (a arguments) has(n int) bool { return a.Get(n) != lua.LNil }

func (a arguments) integerOr(n, absent int) int {
	if !a.has(n) {
		return absent
	}
	return a.integer(n)
}

// textOr is a string argument; a number counts as its text.
func (a arguments) textOr(n int, absent string) string {
	v := a.Get(n)
	if v == lua.LNil {
		return absent
	}
	text, ok := plainText(v)
	if !ok {
		a.wrongType(n, "string")
	}
	return text
}

// charge pays for reading so many bytes.
func (a arguments) charge(bytes int) { Spend(a.LState, 1+bytes/8) }

func (a arguments) give(v lua.LValue) int {
	a.Push(v)
	return 1
}
