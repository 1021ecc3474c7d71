package luabind

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// stringLibrary has our versions of the library's functions. They take strings for
// bytes, in the C locale, and charge for what they do and build before they do it.
var stringLibrary = Module{Name: "string", lenient: true, Functions: []Function{
	{Name: "byte", Go: stringByte},
	{Name: "char", Go: stringChar},
	{Name: "find", Go: stringFind},
	{Name: "format", Go: stringFormat},
	{Name: "gmatch", Go: stringGmatch},
	{Name: "gsub", Go: stringGsub},
	{Name: "len", Go: stringLen},
	{Name: "lower", Go: stringLower},
	{Name: "match", Go: stringMatch},
	{Name: "rep", Go: stringRep},
	{Name: "reverse", Go: stringReverse},
	{Name: "sub", Go: stringSub},
	{Name: "upper", Go: stringUpper},
}}

// maxBytes is how many results string.byte may have, as in Lua.
const maxBytes = 8000

func stringByte(L *lua.LState) int {
	c := stringCallOf(L, "byte")
	s := c.text(1)
	first := c.positionOr(2, 1, s)
	last := min(c.positionOr(3, first, s), len(s))
	first = max(first, 1)
	n := last - first + 1
	if n <= 0 {
		return 0
	}
	if n > maxBytes {
		L.RaiseError("string slice too long (%d bytes; at most %d at a time)", n, maxBytes)
	}
	Spend(L, n/2)
	for _, b := range []byte(s[first-1 : last]) {
		L.Push(numberValue(int(b)))
	}
	return n
}

func stringChar(L *lua.LState) int {
	c := stringCallOf(L, "char")
	n := L.GetTop()
	Spend(L, n)
	Allocate(L, n)
	var short [64]byte
	out := short[:0]
	for i := 1; i <= n; i++ {
		v := c.integer(i)
		if v < 0 || v > 255 {
			c.bad(i, "invalid value")
		}
		out = append(out, byte(v))
	}
	return c.giveText(string(out))
}

func stringLen(L *lua.LState) int {
	L.Push(numberValue(len(stringCallOf(L, "len").text(1))))
	return 1
}

func stringSub(L *lua.LState) int {
	c := stringCallOf(L, "sub")
	s := c.text(1)
	first := max(position(c.integer(2), s), 1)
	last := min(c.positionOr(3, len(s), s), len(s))
	switch {
	case first > last:
		return c.giveText("")
	case first == 1 && last == len(s):
		return c.giveSubject(s)
	}
	return c.giveText(s[first-1 : last])
}

func stringUpper(L *lua.LState) int { return stringCallOf(L, "upper").otherCase('a', 'z') }

func stringLower(L *lua.LState) int { return stringCallOf(L, "lower").otherCase('A', 'Z') }

// otherCase changes the case of the letters from first to last.
func (c stringCall) otherCase(first, last byte) int {
	s := c.text(1)
	Spend(c.LState, len(s)/8)
	i := 0
	for i < len(s) && (s[i] < first || s[i] > last) {
		i++
	}
	if i == len(s) {
		return c.giveSubject(s)
	}
	Allocate(c.LState, len(s))
	var out strings.Builder
	out.Grow(len(s))
	out.WriteString(s[:i])
	for i < len(s) {
		var piece [64]byte
		n := copy(piece[:], s[i:])
		for j, b := range piece[:n] {
			if b >= first && b <= last {
				piece[j] = b ^ 'a' ^ 'A'
			}
		}
		out.Write(piece[:n])
		i += n
	}
	return c.giveText(out.String())
}

func stringReverse(L *lua.LState) int {
	c := stringCallOf(L, "reverse")
	s := c.text(1)
	Spend(L, len(s)/8)
	Allocate(L, len(s))
	var out strings.Builder
	out.Grow(len(s))
	for i := len(s) - 1; i >= 0; i-- {
		out.WriteByte(s[i])
	}
	return c.giveText(out.String())
}

func stringRep(L *lua.LState) int {
	c := stringCallOf(L, "rep")
	s, n := c.text(1), c.number(2)
	bytes := math.Trunc(n) * float64(len(s)) // in floating point, which doesn't wrap around
	switch {
	case !(bytes > 0):
		return c.giveText("")
	case bytes >= math.MaxInt:
		Allocate(L, math.MaxInt) // raises the error
	}
	Allocate(L, int(bytes))
	Spend(L, int(bytes)/16)
	return c.giveText(strings.Repeat(s, int(n)))
}
