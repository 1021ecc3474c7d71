package luabind

import lua "github.com/yuin/gopher-lua"

// partBytes is about what one part of a value takes: its place in a table and what
// stands behind an interface, without the bytes of a string.
const partBytes = 32

// TableBytes is about what a table takes that is made for so many items and string
// keys, without the strings and what the items take themselves.
func TableBytes(items, keys int) int {
	n := 112 + 16*items
	switch {
	case keys > 8:
		n += 260 * keys
	case keys > 0:
		n += 600 + 64*keys
	}
	return n
}

// Toll sums up work and bytes and charges for them when there is enough of them, so
// that going through a value of many small parts pays at little cost. Pay must follow
// at the end. Errors are raised as by [Spend] and [Allocate].
type Toll struct {
	L           *lua.LState
	work, bytes int
}

// Enough to be charged.
const (
	chargeEvery = 64      // units of work
	chargeBytes = 4 << 10 // bytes
)

// Add notes work and bytes as [Spend] and [Allocate] take them.
func (t *Toll) Add(work, bytes int) {
	t.work += work
	t.bytes += bytes
	if t.work >= chargeEvery || t.bytes >= chargeBytes {
		t.Pay()
	}
}

// Pay charges for what has been noted.
func (t *Toll) Pay() {
	work, bytes := t.work, t.bytes
	t.work, t.bytes = 0, 0
	if work > 0 {
		Spend(t.L, work)
	}
	AllocateParts(t.L, bytes)
}

// AllocateParts is [Allocate] for a value of many parts, like a table: it is not
// copied as a whole, so it isn't bounded like a single string.
func AllocateParts(L *lua.LState, bytes int) {
	for ; bytes > 0; bytes -= partsBytes {
		Allocate(L, min(bytes, partsBytes))
	}
}

// partsBytes is how much of such a value is charged at a time.
const partsBytes = 64 << 10
