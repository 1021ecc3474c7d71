package luabind

import lua "github.com/yuin/gopher-lua"

// What a store is charged where it may make a table grow: about what gopher-lua
// allocates for it, with the copies that growing makes.
const (
	slotBytes = 32 // the next slot of a table's list part
	gapBytes  = 40 // each slot of a gap, which the list part is filled up over
	hashBytes = 96 // a key of the hash part, which stays there when its value goes
)

// nearby is up to which key a gap is too small to be looked at.
const nearby = 64

// chargeStore charges for a raw store of key into t, before it is done. What
// replaces a value that is there is free. gopher-lua keeps whole numbers below
// [lua.MaxArrayIndex] in a slice that it fills up to the key, so that one far key
// alone can take a gigabyte; a gap is charged once in a run, however many keys are
// scattered over it.
func (s *State) chargeStore(L *lua.LState, t *lua.LTable, key lua.LValue) {
	if i, ok := listIndex(key); ok {
		if t.RawGetInt(i) != lua.LNil {
			return
		}
		if i > nearby && t.RawGetInt(i-1) == lua.LNil && t.RawGetInt(i+1) == lua.LNil {
			s.chargeGap(L, t, i)
		}
		s.budget.allocate(L, slotBytes)
		return
	}
	if k, ok := key.(lua.LString); ok && len(k) > 1024 { // it is hashed
		s.budget.spend(L, len(k)/16)
	}
	if t.RawGet(key) == lua.LNil {
		s.budget.allocate(L, hashBytes)
	}
}

// listIndex is a key that belongs into the list part of a table.
func listIndex(key lua.LValue) (i int, ok bool) {
	n, ok := key.(lua.LNumber)
	if !ok || !(n >= 1 && n < lua.LNumber(lua.MaxArrayIndex)) {
		return 0, false
	}
	i = int(n)
	return i, lua.LNumber(i) == n
}

// chargeGap charges for filling t up to key.
func (s *State) chargeGap(L *lua.LState, t *lua.LTable, key int) {
	gap := key - s.reach[t]
	if gap <= 0 {
		return
	}
	s.budget.allocate(L, gap*gapBytes)
	s.budget.spend(L, gap)
	if s.reach == nil {
		s.reach = map[*lua.LTable]int{}
	}
	s.reach[t] = key // a table more in the map has paid for more than its entry
}

// forgetReach makes a run begin without tables of the one before.
func (s *State) forgetReach() { clear(s.reach) }

// store is the raw store of a library function: as the VM's, charged, and refused where
// t is read-only.
func (s *State) store(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	if t.Metatable != lua.LNil { // read-only tables have one
		s.refuseFrozen(L, t, key)
	}
	s.setRaw(L, t, key, value)
}
