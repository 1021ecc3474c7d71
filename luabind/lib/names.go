package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

// namesOf makes an object of names for WithNames.
func namesOf(c call) int {
	files := c.textList(1)
	var programs []string
	if c.Get(2) != lua.LNil {
		programs = c.textList(2)
	}
	size := 0
	for _, file := range files {
		size += len(file) + 40
	}
	c.charge(size)
	c.allocateParts(2 * size)
	return c.give(&lua.LUserData{Value: shell.NewNames(files, programs), Metatable: namesMeta(c.LState)})
}

// namesMeta is the metatable of names in a state. It hangs in the registry, which scripts can't reach.
func namesMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.names")
	if meta.RawGetString("__index") != lua.LNil {
		return meta
	}
	methods := L.CreateTable(0, 2)
	methods.RawSetString("original", L.NewFunction(func(L *lua.LState) int {
		c := call{LState: L, module: "patterns", name: "original", method: true}
		command, line := parsedCommand(L.Get(2))
		if command == nil {
			c.wrongType(2, "command of shell.parse")
		}
		return c.give(line.table(command.MeaningOf()))
	}))
	methods.RawSetString("meant", L.NewFunction(func(L *lua.LState) int {
		c := call{LState: L, module: "patterns", name: "meant", method: true}
		names := namesIn(L.Get(1))
		if names == nil {
			c.RaiseError("call meant of names with a colon: names:meant(path)")
		}
		target := c.text(2)
		if len(target) > maxPath {
			c.fail("the path is longer than a path can be")
		}
		return c.giveTexts(names.Meant(target, c.pay))
	}))
	meta.RawSetString("__index", methods)
	meta.RawSetString("__metatable", lua.LString("names"))
	return meta
}

// namesIn are the names that a value is an object of, nil for any other value.
func namesIn(v lua.LValue) *shell.Names {
	if u, ok := v.(*lua.LUserData); ok {
		names, _ := u.Value.(*shell.Names)
		return names
	}
	return nil
}

// names are those that a value of argument n has to be.
func (c call) names(n int, v lua.LValue) *shell.Names {
	names := namesIn(v)
	if names == nil {
		c.bad(n, "names: what patterns.names returns expected, got "+v.Type().String())
	}
	return names
}

// pay charges for work and for bytes of small things.
func (c call) pay(work, bytes int) {
	luabind.Spend(c.LState, work)
	c.allocateParts(bytes)
}
