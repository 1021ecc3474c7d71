package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/shell"
)

var filePart = part{what: "a file of a command", fields: []string{"path", "access", "dynamic", "glob", "home"}}

// filesOf is as pathsOf, with what is known of each path.
func filesOf(c call, command *shell.Command) int {
	access := c.access()
	c.chargePaths(command)
	var files []shell.Path
	for _, p := range command.Paths() {
		if access == "" || p.Access == access {
			files = append(files, p)
		}
	}
	return c.give(c.parts(len(files), filePart, func(i int, t *lua.LTable) {
		t.RawSetString("path", lua.LString(files[i].Text))
		t.RawSetString("access", lua.LString(files[i].Access))
		t.RawSetString("dynamic", lua.LBool(files[i].Dynamic))
		t.RawSetString("glob", lua.LBool(files[i].Glob))
		t.RawSetString("home", lua.LBool(files[i].Home))
	}))
}
