package luabind

import (
	"fmt"
	"hash/maphash"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// toString is tostring. As in Lua 5.1 it returns what __tostring does, whatever that
// is; [State.text] insists on text.
func toString(L *lua.LState) int {
	a := arguments{L, "tostring"}
	v := a.any(1)
	if v.Type() != lua.LTString {
		Spend(L, 4)
		Allocate(L, 32)
	}
	return a.give(shown(L, v))
}

// shown is a value as tostring returns it.
func shown(L *lua.LState, v lua.LValue) lua.LValue {
	switch v.(type) {
	case lua.LString:
		return v
	case *lua.LTable, *lua.LUserData:
		if f := L.GetMetaField(v, "__tostring"); f != lua.LNil {
			L.Push(f)
			L.Push(v)
			L.Call(1, 1)
			text := L.Get(-1)
			L.Pop(1)
			return text
		}
	}
	return lua.LString(RawText(v))
}

// text is a value as text for a library function that prints it, by its __tostring
// where it has one. It raises an error where that returns no text.
func (s *State) text(L *lua.LState, v lua.LValue) string {
	text, ok := shownText(L, v)
	if !ok {
		L.RaiseError("'__tostring' must return a string")
	}
	return text
}

func shownText(L *lua.LState, v lua.LValue) (string, bool) {
	switch v := shown(L, v).(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(v), true
	}
	return "", false
}

// RawText is a value as text, whatever its metatable says. Tables, functions,
// userdata and threads get a name that stays theirs and tells nothing of where they
// are in memory.
func RawText(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return numberText(v)
	case *lua.LNilType, lua.LBool:
		return v.String()
	}
	return fmt.Sprintf("%s: 0x%012x", v.Type(), maphash.Comparable(identities, v)&(1<<48-1))
}

// identities keys the names of objects, anew in each process.
var identities = maphash.MakeSeed()

// print writes to the hook log, at info; its arguments are joined by tabs.
func print(L *lua.LState) int {
	var line strings.Builder
	for i := range L.GetTop() {
		if i > 0 {
			line.WriteByte('\t')
		}
		word, ok := shownText(L, L.Get(i+1))
		if !ok {
			L.RaiseError("'tostring' must return a string to 'print'")
		}
		if line.Len() <= maxLine {
			line.WriteString(word[:min(len(word), maxLine+1)])
		}
	}
	LogLine(L, "info", line.String())
	return 0
}
