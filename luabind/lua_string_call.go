package luabind

import (
	"strings"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// stringCall is one call of a function of the string library.
type stringCall struct{ arguments }

func stringCallOf(L *lua.LState, function string) stringCall {
	return stringCall{arguments{L, function}}
}

// text is a string argument; a number counts as its text.
func (c stringCall) text(n int) string {
	v := c.Get(n)
	if s, ok := v.(lua.LString); ok {
		return string(s)
	}
	s, ok := plainText(v)
	if !ok {
		c.wrongType(n, "string")
	}
	return s
}

// plainText is a string or a number as text.
func plainText(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(v), true
	case *lua.LUserData:
		if w, ok := v.Value.(wholeNumber); ok {
			return w.text.String(), true
		}
	}
	return "", false
}

// number is a number argument; a numeral counts as one.
func (c stringCall) number(n int) float64 {
	v := c.Get(n)
	if f, ok := v.(lua.LNumber); ok {
		return float64(f)
	}
	if s, ok := plainText(v); ok {
		c.charge(len(s))
		if f, ok := parseNumber(s); ok {
			return float64(f)
		}
	}
	c.wrongType(n, "number")
	return 0
}

// positionOr is an argument that is a position in s, counted from its end where it is
// negative. The result is from 0, which is before the first byte, to beyond the end.
func (c stringCall) positionOr(n, absent int, s string) int {
	if !c.has(n) {
		return absent
	}
	return position(c.integer(n), s)
}

func position(i int, s string) int {
	if i < 0 {
		return max(0, len(s)+1+i)
	}
	return i
}

func (c stringCall) giveText(s string) int { return c.give(textValue(s)) }

// giveSubject returns argument 1, which is s, as it came.
func (c stringCall) giveSubject(s string) int {
	if v := c.Get(1); v.Type() == lua.LTString {
		return c.give(v)
	}
	return c.giveText(s)
}

// The values that scripts get most often, each kept once it was given, so that it
// needn't be allocated again. They are shared by all states.
var (
	smallNumbers [1024]atomic.Pointer[lua.LValue]
	shortTexts   [256]atomic.Pointer[lua.LValue]

	emptyText lua.LValue = lua.LString("")
)

// numberValue is i as Lua has it.
func numberValue(i int) lua.LValue {
	if i < 0 || i >= len(smallNumbers) {
		return lua.LNumber(i)
	}
	if kept := smallNumbers[i].Load(); kept != nil {
		return *kept
	}
	v := lua.LValue(lua.LNumber(i))
	smallNumbers[i].Store(&v)
	return v
}

// textValue is s as Lua has it.
func textValue(s string) lua.LValue {
	switch len(s) {
	case 0:
		return emptyText
	case 1:
		if kept := shortTexts[s[0]].Load(); kept != nil {
			return *kept
		}
		v := lua.LValue(lua.LString(strings.Clone(s))) // which may be a part of a long text
		shortTexts[s[0]].Store(&v)
		return v
	}
	return lua.LString(s)
}
