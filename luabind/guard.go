package luabind

import (
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// function makes the function of a program, with this state's guards and the
// arguments that its main chunk sees as "...". The program must be one that [State.resolve]
// gives.
func (s *State) function(p *compile.Program, args ...lua.LValue) *lua.LFunction {
	f := s.lua.NewFunctionFromProto(p.Proto())
	if s.env.Coverage != nil {
		s.env.Coverage.add(p)
	}
	for i, name := range p.Proto().DbgUpvalues {
		if name == compile.ArgumentsGuard {
			f.Upvalues[i] = s.upvalue(name, func(L *lua.LState) int {
				for _, v := range args {
					L.Push(v)
				}
				return len(args)
			})
			continue
		}
		if name, ok := compile.BoundName(name); ok {
			f.Upvalues[i] = s.libraryFunction(name)
			continue
		}
		f.Upvalues[i] = guards()[name]
	}
	return f
}

// guards are the upvalues that hold guards. All states share them: nothing ever assigns to one.
var guards = sync.OnceValue(func() map[string]*lua.Upvalue {
	ofState := func(f func(s *State, L *lua.LState) int) lua.LGFunction {
		return func(L *lua.LState) int { return f(stateOf(L), L) }
	}
	all := map[string]*lua.Upvalue{}
	for name, f := range map[string]lua.LGFunction{
		compile.ConcatGuard: ofState((*State).concat), compile.StoreGuard: ofState((*State).assign), compile.StoresGuard: ofState((*State).assignMany),
		compile.KeyGuard: ofState((*State).chargeKey), compile.ValuesGuard: ofState((*State).chargeValues), compile.ArgGuard: ofState((*State).argTable),
		compile.DroppedGuard: ofState((*State).drop), compile.EventGuard: sameEvent, compile.LookupGuard: lookup,
		compile.FindGuard: stringHas, compile.HasGuard: has,
		compile.FirstGuard: firstFound, compile.IpairsGuard: pairsFound,
	} {
		all[name] = &lua.Upvalue{}
		all[name].SetValue(sharedFunction(name, f))
	}
	return all
})

func (s *State) upvalue(name string, f lua.LGFunction) *lua.Upvalue {
	u := &lua.Upvalue{}
	u.SetValue(s.lua.NewFunction(guarded(name, f)))
	return u
}

// concat joins its arguments as the operator does: from the right, as many at once as
// are text, else two by their __concat.
func (s *State) concat(L *lua.LState) int {
	n := L.GetTop()
	if n == 2 {
		a, ok1 := L.Get(1).(lua.LString)
		b, ok2 := L.Get(2).(lua.LString)
		if ok1 && ok2 {
			s.chargeJoin(L, len(a)+len(b), max(s.grown(string(a)), s.grown(string(b))))
			L.Push(s.remember(string(a + b)))
			return 1
		}
	}
	right := L.Get(n)
	for i := n - 1; i > 0; {
		if !lua.LVCanConvToString(L.Get(i)) || !lua.LVCanConvToString(right) {
			right = concatPair(L, L.Get(i), right)
			i--
			continue
		}
		first := i
		for first > 1 && lua.LVCanConvToString(L.Get(first-1)) {
			first--
		}
		right = s.join(L, first, i, right)
		i = first - 1
	}
	L.Push(right)
	return 1
}

// join joins the arguments from first to last, and right.
func (s *State) join(L *lua.LState, first, last int, right lua.LValue) lua.LValue {
	var few [8]string
	parts, total, grown := few[:0], 0, 0
	for i := first; i <= last+1; i++ {
		v := right
		if i <= last {
			v = L.Get(i)
		}
		part := textOperand(v)
		parts = append(parts, part)
		total += len(part)
		grown = max(grown, s.grown(part))
	}
	s.chargeJoin(L, total, grown)
	return s.remember(strings.Join(parts, ""))
}

// longJoin is from which length on a joined string is remembered.
const longJoin = 256

// remember keeps a long string that was made by .., as the next one may grow from it.
func (s *State) remember(joined string) lua.LString {
	if len(joined) >= longJoin {
		copy(s.joined[1:], s.joined[:])
		s.joined[0] = joined
	}
	return lua.LString(joined)
}

// grown is the length of an operand that .. has made before, else 0.
func (s *State) grown(operand string) int {
	if len(operand) < longJoin {
		return 0
	}
	for i, joined := range s.joined {
		if len(joined) == len(operand) && joined == operand { // at once where they are the same
			copy(s.joined[1:i+1], s.joined[:i])
			s.joined[0] = joined
			return len(operand)
		}
	}
	return 0
}

// chargeJoin charges for a string of which so much has grown from another.
func (s *State) chargeJoin(L *lua.LState, length, grown int) {
	if grown == 0 {
		s.chargeText(L, length)
		return
	}
	s.budget.spend(L, 1+(length-grown)/16+grown/128) // copying is fast
	s.budget.copies(L, stringBytes+length-grown, grown)
}

func textOperand(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return numberText(v)
	}
	return ""
}

// chargeText charges for a string of so many bytes, before it is built.
func (s *State) chargeText(L *lua.LState, length int) {
	s.budget.spend(L, 1+length/16)
	s.budget.allocate(L, stringBytes+length)
}

func concatPair(L *lua.LState, a, b lua.LValue) lua.LValue {
	f := L.GetMetaField(a, "__concat")
	if f == lua.LNil {
		f = L.GetMetaField(b, "__concat")
	}
	if f.Type() != lua.LTFunction {
		L.RaiseError("cannot perform concat operation between %s and %s", a.Type(), b.Type())
	}
	L.Push(f)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// assign is t[k] = v.
func (s *State) assign(L *lua.LState) int {
	s.settable(L, L.Get(1), L.Get(2), L.Get(3))
	return 0
}

// assignMany stores from right to left.
func (s *State) assignMany(L *lua.LState) int {
	n := L.GetTop() / 3
	for i := n; i > 0; i-- {
		s.settable(L, L.Get(2*i-1), L.Get(2*i), L.Get(2*n+i))
	}
	return 0
}

// settable stores with metamethods, as Lua's manual has it in 2.8, and charges for
// what is stored raw.
func (s *State) settable(L *lua.LState, target, key, value lua.LValue) {
	for range lua.MaxTableGetLoop {
		t, ok := target.(*lua.LTable)
		if ok && (t.Metatable == lua.LNil || t.RawGet(key) != lua.LNil) {
			s.setRaw(L, t, key, value)
			return
		}
		f := L.GetMetaField(target, "__newindex")
		switch {
		case f == lua.LNil && ok:
			s.setRaw(L, t, key, value)
			return
		case f == lua.LNil:
			text := RawText(key)
			if len(text) > 80 {
				text = strings.ToValidUTF8(text[:80], "") + "..."
			}
			L.RaiseError("attempt to index a non-table object(%s) with key '%s'", target.Type(), text)
		case f.Type() == lua.LTFunction:
			L.Push(f)
			L.Push(target)
			L.Push(key)
			L.Push(value)
			L.Call(3, 0)
			return
		}
		target = f
	}
	L.RaiseError("too many recursions in settable")
}

func (s *State) setRaw(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	switch k := key.(type) {
	case *lua.LNilType:
		L.RaiseError("table index is nil")
	case lua.LNumber:
		if k != k {
			L.RaiseError("table index is NaN")
		}
	}
	if value == lua.LNil && t.RawGet(key) == lua.LNil {
		return // the VM would make room for it
	}
	s.chargeStore(L, t, key)
	t.RawSet(key, value)
}

// chargeKey charges for a key of a table that is being made and returns it.
func (s *State) chargeKey(L *lua.LState) int {
	switch k := L.Get(1).(type) {
	case lua.LNumber:
		if k > compile.Nearby && k < lua.LNumber(lua.MaxArrayIndex) && k == lua.LNumber(int(k)) {
			s.budget.stores(L, int(k)*gapBytes)
			s.budget.spend(L, int(k))
		}
	case lua.LString:
		s.budget.spend(L, 1+len(k)/16)
	}
	s.budget.stores(L, hashBytes)
	L.SetTop(1)
	return 1
}

// chargeValues charges for a table of its arguments and returns them.
func (s *State) chargeValues(L *lua.LState) int {
	n := L.GetTop()
	s.budget.spend(L, 1+n/8)
	s.budget.allocate(L, n*slotBytes)
	return n
}

// argTable makes the table arg.
func (s *State) argTable(L *lua.LState) int {
	n := L.GetTop()
	s.budget.spend(L, 1+n/8)
	s.budget.allocate(L, hashBytes+n*slotBytes)
	t := L.CreateTable(n, 1)
	for i := 1; i <= n; i++ {
		t.RawSetInt(i, L.Get(i))
	}
	t.RawSetString("n", lua.LNumber(n))
	L.Push(t)
	return 1
}

// libraryFunction is the upvalue that holds a function of a library, "string.find"; nil where there
// is no such function. Nothing ever assigns to it.
func (s *State) libraryFunction(name string) *lua.Upvalue {
	if u, ok := s.bound[name]; ok {
		return u
	}
	root, key, dotted := strings.Cut(name, ".")
	v := s.find(root)
	if t, ok := v.(*lua.LTable); ok && dotted {
		v = s.libraryMember(t, key)
	} else if dotted {
		return nil
	}
	if v.Type() != lua.LTFunction {
		return nil
	}
	u := &lua.Upvalue{}
	u.SetValue(v)
	s.bound[name] = u
	return u
}

// resolve gives the form of a program that means the same in this state as what its author
// wrote: the one with bound functions, or the plain one.
func (s *State) resolve(p *compile.Program) (*compile.Program, error) {
	for _, upvalue := range p.Proto().DbgUpvalues {
		name, ok := compile.StandsFor(upvalue)
		if !ok {
			continue
		}
		root, _, _ := strings.Cut(name, ".")
		if s.reassigned(root) || s.libraryFunction(name) == nil {
			return p.Plain(name)
		}
	}
	return p, nil
}

// reassigned reports whether a program of this state may assign to a global of that name.
func (s *State) reassigned(name string) bool {
	if s.program.MayAssign(name) {
		return true
	}
	for _, l := range s.env.Libraries {
		if l.Program != nil && l.Program.MayAssign(name) { // those that are compiled when they are required are ours, and don't
			return true
		}
	}
	return false
}

// sameEvent compares two values; two names of the same event are equal.
func sameEvent(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	same := L.Equal(a, b)
	if !same {
		if first, ok := eventOf(L, a); ok {
			second, ok := eventOf(L, b)
			same = ok && first == second
		}
	}
	L.Push(lua.LBool(same))
	return 1
}

// eventOf is the event that a value names.
func eventOf(L *lua.LState, v lua.LValue) (e hooks.Event, known bool) {
	name, ok := v.(lua.LString)
	if !ok || len(name) > compile.MaxEventName {
		return "", false
	}
	Spend(L, 8)
	return hooks.KnownEvent(string(name))
}

// lookup is t[k], where k is an event's name as a rule: it finds what t has under that
// name, else what it has under another of the event, else what is behind t.
func lookup(L *lua.LState) int {
	t, name := L.Get(1), L.Get(2)
	event, known := eventOf(L, name)
	for range lua.MaxTableGetLoop {
		table, ok := t.(*lua.LTable)
		if !known || !ok {
			break
		}
		value := table.RawGet(name)
		if value == lua.LNil {
			value = underAnyName(L, table, event)
		}
		if value != lua.LNil {
			L.Push(value)
			return 1
		}
		t = L.GetMetaField(table, "__index")
	}
	L.Push(L.GetTable(L.Get(1), name))
	return 1
}

// underAnyName is what a table has under the first key that names the event.
func underAnyName(L *lua.LState, t *lua.LTable, event hooks.Event) lua.LValue {
	for k, v := First(L, t); k != lua.LNil; k, v = t.Next(k) {
		Spend(L, 1)
		if e, known := eventOf(L, k); known && e == event {
			return v
		}
	}
	return lua.LNil
}

// What a store is charged where it may make a table grow: about what gopher-lua
// allocates for it, with the copies that growing makes.
const (
	slotBytes = 32 // the next slot of a table's list part
	gapBytes  = 40 // each slot of a gap, which the list part is filled up over
	hashBytes = 96 // a key of the hash part, which stays there when its value goes
)

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
		if i > compile.Nearby && t.RawGetInt(i-1) == lua.LNil && t.RawGetInt(i+1) == lua.LNil {
			s.chargeGap(L, t, i)
		}
		s.budget.stores(L, slotBytes)
		return
	}
	if k, ok := key.(lua.LString); ok && len(k) > 1024 { // it is hashed
		s.budget.spend(L, len(k)/16)
	}
	if t.RawGet(key) == lua.LNil {
		s.budget.stores(L, hashBytes)
	}
}

// chargeGap charges for filling t up to key.
func (s *State) chargeGap(L *lua.LState, t *lua.LTable, key int) {
	gap := key - s.filledTo[t]
	if gap <= 0 {
		return
	}
	s.budget.stores(L, gap*gapBytes)
	s.budget.spend(L, gap)
	if s.filledTo == nil {
		s.filledTo = map[*lua.LTable]int{}
	}
	s.filledTo[t] = key // a table more in the map has paid for more than its entry
}

// store is the raw store of a library function: as the VM's, charged, and refused where
// t is read-only.
func (s *State) store(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	if t.Metatable != lua.LNil { // read-only tables have one
		s.refuseWrite(L, t, key)
	}
	s.setRaw(L, t, key, value)
}
