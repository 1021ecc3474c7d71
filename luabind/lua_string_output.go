package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

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
