package lib

import (
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// Host is what built-in hooks are told of the machine that they run on. Folders are
// absolute and cleaned; an empty one isn't known.
type Host struct {
	Home    string   // the user's home folder
	Root    string   // the project's root
	Temp    []string // folders for temporary files
	State   string   // where luahook keeps what it knows: trust, passes
	Config  string   // the user's configuration of luahook
	Managed string   // the machine's configuration of luahook
}

// HostModule is a module for built-in hooks alone: other scripts have no business with
// where the user's files are.
func HostModule(h Host) luabind.Module {
	m := module("host", "what built-in hooks are told of the machine; other scripts don't have it",
		function{
			"worktree", "(dir: string): boolean",
			"whether a folder lies in a linked worktree of git, which is made to be thrown away: the .git nearest to it is a file that leads into .git/worktrees",
			`assert(not host.worktree("/"))`,
			func(c call) int {
				luabind.Spend(c.LState, 2000) // it looks at files, some ten microseconds
				return c.give(lua.LBool(inWorktree(c.text(1))))
			},
		},
	)
	text := func(name, help, value string) {
		m.Constants = append(m.Constants, luabind.Constant{Name: name, Type: "string?", Help: help, Value: func(*lua.LState) lua.LValue {
			if value == "" {
				return lua.LFalse
			}
			return lua.LString(filepath.ToSlash(value))
		}})
	}
	text("home", "the user's home folder, or false", h.Home)
	text("root", "the project's root, or false", h.Root)
	text("state", "the folder of what luahook remembers, or false", h.State)
	text("config", "the folder of the user's configuration, or false", h.Config)
	text("managed", "the folder of the machine's configuration, or false", h.Managed)
	m.Constants = append(m.Constants, luabind.Constant{Name: "temp", Type: "string[]", Help: "folders for temporary files", Value: func(L *lua.LState) lua.LValue {
		list := L.NewTable()
		for _, dir := range h.Temp {
			list.Append(lua.LString(dir))
		}
		return list
	}})
	return m
}

// inWorktree looks for the nearest .git at or above a folder. It reads no more of it than
// a path can be long.
func inWorktree(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, ".git")
		info, err := os.Lstat(name)
		switch {
		case err != nil && filepath.Dir(dir) == dir:
			return false
		case err != nil:
			continue
		case !info.Mode().IsRegular() || info.Size() > 4096:
			return false
		}
		text, err := os.ReadFile(name)
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
		return err == nil && ok && filepath.Base(filepath.Dir(strings.TrimSpace(target))) == "worktrees"
	}
}
