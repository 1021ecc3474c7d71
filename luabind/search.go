package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/luapattern"
)

// The guards before a loop that looks for the texts of a list in another, see compile/search.go.
// They raise no errors but those of limits, since the loop does.

// firstFound is where a loop from 1 begins.
func firstFound(L *lua.LState) int {
	c := arguments{L, "find"}
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		return c.give(numberValue(1))
	}
	return c.give(numberValue(1 + c.notFound(t)))
}

// ipairsStep is the function that a loop over ipairs calls.
var ipairsStep = sharedFunction("ipairs", nextElement)

// pairsFound is ipairs, from there on.
func pairsFound(L *lua.LState) int {
	t := arguments{L, "ipairs"}.tableToRead(1)
	n := arguments{L, "find"}.notFound(t)
	L.Push(ipairsStep)
	L.Push(L.Get(1))
	L.Push(numberValue(n))
	return 3
}

// searchWork is what looking for one text is charged, beside what the matcher charges.
const searchWork = 2

// notFound is how many texts at the beginning of a list aren't found.
func (c arguments) notFound(list *lua.LTable) (n int) {
	s := stateOf(c.LState)
	subject, ok := c.Get(2).(lua.LString)
	if !ok || s.budget.cover != nil { // which shall see each line run
		return 0
	}
	key, _ := c.Get(3).(lua.LString)
	isPattern := c.Get(4) == lua.LFalse
	for ; ; n++ {
		item := list.RawGetInt(n + 1)
		if key != "" {
			t, ok := item.(*lua.LTable)
			if !ok {
				return n
			}
			item = t.RawGetString(string(key))
		}
		text, ok := item.(lua.LString)
		if !ok || c.finds(string(subject), string(text), isPattern) {
			return n
		}
		s.budget.spend(c.LState, searchWork)
	}
}

// finds reports whether a text is in the subject. A malformed pattern counts as found.
func (c arguments) finds(subject, text string, isPattern bool) bool {
	if !isPattern {
		return c.indexOf(subject, text, 0) >= 0
	}
	p, err := c.compiled(text, true)
	if err != nil {
		return true
	}
	var m luapattern.Match
	return p.Find(&m, subject, 0, c.meter())
}
