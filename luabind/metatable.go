package luabind

import lua "github.com/yuin/gopher-lua"

// metatables are those of the values that cross, each made with the first such value.
// Scripts can't get hold of them.
type metatables struct {
	list, number, answer *lua.LTable
	null                 *lua.LUserData
}

// hidden makes a metatable in whose place scripts see a name.
func (s *State) hidden(name string) *lua.LTable {
	meta := s.L.CreateTable(0, 4)
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

func (s *State) listMeta() *lua.LTable {
	if s.metatables.list == nil {
		s.metatables.list = s.hidden("list")
		s.metatables.list.RawSetString(listMark, lua.LTrue)
	}
	return s.metatables.list
}

func (s *State) answerMeta() *lua.LTable {
	if s.metatables.answer == nil {
		s.metatables.answer = s.hidden("answer")
		s.metatables.answer.RawSetString("__tostring", s.L.NewFunction(func(L *lua.LState) int {
			a, _ := L.CheckUserData(1).Value.(*answer)
			s.chargeText(L, 4*min(len(a.text), maxShownAnswer)) // quoted, a byte can take four
			L.Push(lua.LString(a.String()))
			return 1
		}))
	}
	return s.metatables.answer
}

// null is the one null of this state.
func (s *State) null() *lua.LUserData {
	if s.metatables.null == nil {
		meta := s.hidden("null")
		meta.RawSetString("__tostring", s.L.NewFunction(func(L *lua.LState) int {
			L.Push(lua.LString("null"))
			return 1
		}))
		s.metatables.null = &lua.LUserData{Value: null{}, Metatable: meta}
	}
	return s.metatables.null
}

func (s *State) numberMeta() *lua.LTable {
	if s.metatables.number == nil {
		meta := s.hidden("number")
		meta.RawSetString("__tostring", s.L.NewFunction(wholeNumberText))
		meta.RawSetString("__eq", s.L.NewFunction(equalWholeNumbers))
		meta.RawSetString("__concat", s.L.NewFunction(joinWholeNumber))
		s.metatables.number = meta
	}
	return s.metatables.number
}

func wholeNumberText(L *lua.LState) int {
	u, _ := L.CheckUserData(1).Value.(wholeNumber)
	L.Push(lua.LString(u.text))
	return 1
}

func equalWholeNumbers(L *lua.LState) int {
	a, _ := L.CheckUserData(1).Value.(wholeNumber)
	b, _ := L.CheckUserData(2).Value.(wholeNumber)
	L.Push(lua.LBool(a == b))
	return 1
}

// joinWholeNumber is .. where one side is a whole number and the other one, too, or a text.
func joinWholeNumber(L *lua.LState) int { return joinTexts(L, L.Get(1), L.Get(2)) }

// joinTexts gives a .. b of a metamethod, and charges for it as for any other.
func joinTexts(L *lua.LState, a, b lua.LValue) int {
	left, ok := plainText(a)
	right, alsoOK := plainText(b)
	switch {
	case !ok:
		L.RaiseError("attempt to concatenate a %s", typeName(a))
	case !alsoOK:
		L.RaiseError("attempt to concatenate a %s", typeName(b))
	}
	stateOf(L).chargeText(L, len(left)+len(right))
	L.Push(lua.LString(left + right))
	return 1
}
