package lib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
)

var filePart = part{what: "a file of a command", fields: []string{"path", "access", "dynamic", "glob", "home", "under", "temporary"}, optional: []string{"reach"}}

// filesOf is as pathsOf, with what is known of each path: under is "" where that isn't known.
func filesOf(c call, command *shell.Command) int {
	return c.files(command, (*shell.Command).Paths)
}

// remoteFilesOf is as filesOf, of a command that runs elsewhere.
func remoteFilesOf(c call, command *shell.Command) int {
	return c.files(command, (*shell.Command).RemotePaths)
}

func (c call) files(command *shell.Command, list func(*shell.Command) []shell.Path) int {
	wanted := make([]shell.Access, c.GetTop()-1)
	for i := range wanted {
		wanted[i] = c.access(i + 2)
	}
	c.chargePaths(command)
	var files []shell.Path
	for _, p := range list(command) {
		if len(wanted) == 0 || slices.Contains(wanted, p.Access) {
			files = append(files, p)
		}
	}
	return c.give(c.parts(len(files), filePart, func(i int, t *lua.LTable) {
		t.RawSetString("path", lua.LString(files[i].Text))
		t.RawSetString("access", lua.LString(files[i].Access))
		t.RawSetString("dynamic", lua.LBool(files[i].Dynamic))
		t.RawSetString("glob", lua.LBool(files[i].Glob))
		t.RawSetString("home", lua.LBool(files[i].Home))
		t.RawSetString("under", lua.LString(files[i].Under))
		t.RawSetString("temporary", lua.LBool(files[i].Temporary))
		if reach := files[i].Reach(); len(reach) > 1 || files[i].Dynamic && len(reach) > 0 {
			for _, text := range reach {
				c.allocateParts(len(text))
			}
			t.RawSetString("reach", c.texts(reach))
		}
	}))
}
