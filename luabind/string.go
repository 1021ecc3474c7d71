package luabind

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// maxBytes is how many results string.byte may have, as in Lua.
const maxBytes = 8000

func stringByte(L *lua.LState) int {
	c := arguments{L, "byte"}
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
	c := arguments{L, "char"}
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
	L.Push(numberValue(len(arguments{L, "len"}.text(1))))
	return 1
}

func stringSub(L *lua.LState) int {
	c := arguments{L, "sub"}
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

func stringUpper(L *lua.LState) int { return arguments{L, "upper"}.otherCase('a', 'z') }

func stringLower(L *lua.LState) int { return arguments{L, "lower"}.otherCase('A', 'Z') }

// otherCase changes the case of the letters from first to last.
func (c arguments) otherCase(first, last byte) int {
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
	c := arguments{L, "reverse"}
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
	c := arguments{L, "rep"}
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

// text is a string argument; a number counts as its text.
func (c arguments) text(n int) string {
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

// number is a number argument; a numeral counts as one.
func (c arguments) number(n int) float64 {
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
func (c arguments) positionOr(n, absent int, s string) int {
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

func (c arguments) giveText(s string) int { return c.give(textValue(s)) }

// giveSubject returns argument 1, which is s, as it came.
func (c arguments) giveSubject(s string) int {
	if v := c.Get(1); v.Type() == lua.LTString {
		return c.give(v)
	}
	return c.giveText(s)
}

// output is a string that is being built: it charges for room before it makes it.
type output struct {
	L    *lua.LState
	text strings.Builder
}

// reserve makes room for n more bytes.
func (o *output) reserve(n int) {
	room := o.text.Cap()
	if room-o.text.Len() >= n {
		return
	}
	size := max(o.text.Len()+n, 2*room)
	Allocate(o.L, size-room)
	Spend(o.L, o.text.Len()/16)
	written := o.text.String()
	o.text.Reset()
	o.text.Grow(size)
	o.text.WriteString(written)
}

func (o *output) write(s string) {
	Spend(o.L, len(s)/16)
	o.reserve(len(s))
	o.text.WriteString(s)
}

func (o *output) writeBytes(b []byte) {
	o.reserve(len(b))
	o.text.Write(b)
}

func (o *output) writeByte(b byte) {
	o.reserve(1)
	o.text.WriteByte(b)
}

// What pads: no field is wider than two digits say.
var (
	spaces = strings.Repeat(" ", 99)
	zeros  = strings.Repeat("0", 99)
)

// pad writes the first n bytes of padding; none where n is negative.
func (o *output) pad(padding string, n int) {
	if n > 0 {
		o.write(padding[:n])
	}
}
