package luabind

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

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
		return stateOf(a.LState).behindReadOnly(t)
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
		stateOf(a.LState).refuseWrite(a.LState, t, lua.LString("table."+a.function))
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

// has reports whether argument n is there and not nil.
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

// toNumber is tonumber(v [, base]).
func toNumber(L *lua.LState) int {
	a := arguments{L, "tonumber"}
	base := a.integerOr(2, 10)
	if base == 10 {
		switch v := a.any(1).(type) {
		case lua.LNumber:
			return a.give(L.Get(1))
		case lua.LString:
			a.charge(len(v))
			if n, ok := parseNumber(string(v)); ok {
				return a.give(n)
			}
		}
		return a.give(lua.LNil)
	}
	if !a.has(1) {
		a.wrongType(1, "string")
	}
	text := a.textOr(1, "")
	if base < 2 || base > 36 {
		a.bad(2, "base out of range")
	}
	a.charge(len(text))
	if n, ok := parseInteger(text, base); ok {
		return a.give(n)
	}
	return a.give(lua.LNil)
}

// space is what C's isspace takes for such.
const space = " \t\n\v\f\r"

// sign cuts the sign off a numeral.
func sign(text string) (rest string, sign lua.LNumber) {
	switch {
	case strings.HasPrefix(text, "-"):
		return text[1:], -1
	case strings.HasPrefix(text, "+"):
		return text[1:], 1
	}
	return text, 1
}

func isHex(text string) bool {
	return len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x'
}

// parseNumber reads a numeral of Lua: decimal with a fraction and an exponent, or a
// hexadecimal integer, with a sign and space around it. What only C's strtod would
// take (inf, nan, hexadecimal fractions) and what only Go would (1_000) is none.
func parseNumber(text string) (lua.LNumber, bool) {
	text = strings.Trim(text, space)
	digits, by := sign(text)
	if isHex(digits) {
		n, ok := parseDigits(digits[2:], 16)
		return by * n, ok
	}
	if !isDecimal(digits) {
		return 0, false
	}
	n, _ := strconv.ParseFloat(text, 64) // out of range: infinite, as in C
	return lua.LNumber(n), true
}

// isDecimal reports whether text is digits, with a fraction and an exponent perhaps.
func isDecimal(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(rest)
	if after, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(after, "0123456789")
		digits += len(after) - len(rest)
	}
	if digits == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0]|0x20 != 'e' {
		return false
	}
	exponent, _ := sign(rest[1:])
	return exponent != "" && strings.TrimLeft(exponent, "0123456789") == ""
}

// parseInteger reads an integer in a base. Lua 5.1 wraps negative ones around at the
// size of a machine word; here they are negative.
func parseInteger(text string, base int) (lua.LNumber, bool) {
	digits, by := sign(strings.Trim(text, space))
	if base == 16 && isHex(digits) {
		digits = digits[2:]
	}
	n, ok := parseDigits(digits, base)
	return by * n, ok
}

func parseDigits(digits string, base int) (n lua.LNumber, ok bool) {
	for _, c := range []byte(digits) {
		digit := 99
		switch {
		case c >= '0' && c <= '9':
			digit = int(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			digit = int(c|0x20-'a') + 10
		}
		if digit >= base {
			return 0, false
		}
		n = n*lua.LNumber(base) + lua.LNumber(digit)
	}
	return n, digits != ""
}
