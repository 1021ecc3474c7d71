package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

var methodPart = part{what: "a method of a command's program", fields: []string{"name", "object", "bare", "key"}}

// methodsOf lists the calls of methods in the program that a command gives to a
// database that speaks JavaScript.
func methodsOf(c call, command *shell.Command) int {
	c.chargeOptions(command)
	size := 0
	for _, w := range command.Args {
		size += len(w.Text)
	}
	if command.Input != nil {
		size += len(command.Input.Text)
	}
	luabind.Spend(c.LState, size)
	c.allocate(64 * size) // a token has some 80 bytes
	methods := command.Methods()
	return c.give(c.parts(len(methods), methodPart, func(i int, t *lua.LTable) {
		t.RawSetString("name", lua.LString(methods[i].Name))
		t.RawSetString("object", lua.LString(methods[i].Object))
		t.RawSetString("key", lua.LString(methods[i].Key))
		t.RawSetString("bare", lua.LBool(methods[i].Bare))
	}))
}
