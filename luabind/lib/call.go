package lib

import (
	"math"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// call is one call of a function. It reads the arguments, by their number from 1,
// and raises an error over one that is wrong. gopher-lua's own checks do the same,
// but know the function's name only where it is called by that name; under pcall
// they have none.
type call struct {
	*lua.LState
	module, name string
	method       bool          // argument 1 is the object before the colon
	within       time.Duration // of git: a time of its own, 0 for that of the run
}

func bind(module, name string, run func(call) int) lua.LGFunction {
	return func(L *lua.LState) int {
		return run(call{LState: L, module: module, name: name})
	}
}

// bad raises the error of argument n.
func (c call) bad(n int, problem string) {
	problem = message(problem)
	if c.method {
		n--
	}
	c.RaiseError("bad argument #%d to %s (%s)", n, c.name, problem)
}

func (c call) wrongType(n int, want string) {
	c.bad(n, want+" expected, got "+c.Get(n).Type().String())
}

// fail raises an error that is not about one argument.
func (c call) fail(problem string) {
	c.RaiseError("%s: %s", c.function(), message(problem))
}

// function is what scripts call the function.
func (c call) function() string {
	if c.module == "" {
		return c.name
	}
	return c.module + "." + c.name
}

// message bounds what an error quotes of its arguments.
func message(problem string) string {
	if len(problem) > 2000 {
		return cut(problem, 2000) + "..."
	}
	return problem
}

// text is a string argument; numbers become text, as everywhere in Lua.
func (c call) text(n int) string {
	switch v := c.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return v.String()
	}
	c.wrongType(n, "string")
	return ""
}

func (c call) textOr(n int, absent string) string {
	if c.Get(n) == lua.LNil {
		return absent
	}
	return c.text(n)
}

func (c call) number(n int) float64 {
	v, ok := c.Get(n).(lua.LNumber)
	if !ok {
		c.wrongType(n, "number")
	}
	return float64(v)
}

// whole is a whole number argument that is at least low.
func (c call) whole(n, low int) int {
	f := c.number(n)
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		c.bad(n, "whole number expected, got "+lua.LNumber(f).String())
	}
	if f < float64(low) {
		c.bad(n, "a number from "+lua.LNumber(low).String()+" expected, got "+lua.LNumber(f).String())
	}
	return int(f)
}

func (c call) table(n int) *lua.LTable {
	t, ok := c.Get(n).(*lua.LTable)
	if !ok {
		c.wrongType(n, "table")
	}
	return t
}

// charge pays for work over so many bytes, before it is done.
func (c call) charge(bytes int) { luabind.Spend(c.LState, 1+bytes/16) }

// allocate pays for so many bytes, before they are taken.
func (c call) allocate(bytes int) { luabind.Allocate(c.LState, bytes) }

// allocateParts pays for so many bytes of small things.
func (c call) allocateParts(bytes int) { luabind.AllocateParts(c.LState, bytes) }

func (c call) give(v lua.LValue) int {
	c.Push(v)
	return 1
}

func (c call) giveText(s string) int { return c.give(lua.LString(s)) }

// itemBytes is about what a string takes in a list that is being built, without the
// bytes of its text: the list grows as it goes.
const itemBytes = 48

// giveTexts returns a fresh list, for which it charges. The texts are shared.
func (c call) giveTexts(texts []string) int {
	return c.give(c.texts(texts))
}

func (c call) texts(texts []string) *lua.LTable {
	luabind.Spend(c.LState, len(texts))
	t := c.list(len(texts))
	c.allocateParts(16 * len(texts))
	for _, s := range texts {
		t.Append(lua.LString(s))
	}
	return t
}

// list makes an empty list that stays one in JSON, and charges for it.
func (c call) list(capacity int) *lua.LTable {
	c.allocateParts(luabind.TableBytes(capacity, 0))
	t := c.CreateTable(capacity, 0)
	luabind.MarkList(c.LState, t)
	return t
}

// object makes an empty table for so many keys, and charges for it.
func (c call) object(keys int) *lua.LTable {
	c.allocateParts(luabind.TableBytes(0, keys))
	return c.CreateTable(0, keys)
}
