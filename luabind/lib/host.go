package lib

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
)

// Host is what built-in hooks are told of the machine that they run on. Folders are
// absolute and cleaned; an empty one isn't known.
type Host struct {
	Home    string   // the user's home folder
	Root    string   // the project's root
	Base    string   // where relative paths of the hook's options start
	Around  []string // roots of the projects that it lies in
	Hooks   []string // the hooks folders of all of these that are there
	Rooted  []string // the roots of those
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
		function{
			"real", "(path: string): string",
			"where an absolute path lies once links are followed, as the project's root spells it; the file need not be there",
			`assert(host.real("/none/a") == "/none/a")`,
			func(c call) int {
				luabind.Spend(c.LState, 2000)
				return c.giveText(Real(h.Root, c.text(1)))
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
	text("base", "where relative paths of the options start: the project's root, or false", cmp.Or(h.Base, h.Root))
	text("state", "the folder of what luahook remembers, or false", h.State)
	text("config", "the folder of the user's configuration, or false", h.Config)
	text("managed", "the folder of the machine's configuration, or false", h.Managed)
	texts := func(name, help string, values []string) {
		m.Constants = append(m.Constants, luabind.Constant{Name: name, Type: "string[]", Help: help, Value: func(L *lua.LState) lua.LValue {
			list := L.NewTable()
			for _, value := range values {
				list.Append(lua.LString(filepath.ToSlash(value)))
			}
			return list
		}})
	}
	texts("around", "the roots of the projects that this one lies in", h.Around)
	texts("hooks", "the hooks folders of this project and of those around it", h.Hooks)
	texts("rooted", "the roots of the projects that have these", h.Rooted)
	texts("temp", "folders for temporary files", h.Temp)
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
		case !info.Mode().IsRegular():
			return false
		}
		text, err := openfile.Read(name, 4096)
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
		return err == nil && ok && filepath.Base(filepath.Dir(strings.TrimSpace(target))) == "worktrees"
	}
}

// maxLinks bounds how many links that lead to nothing are followed one after the other.
const maxLinks = 40

// Real is where a file lies once links are followed, with slashes: below the root as that is
// spelled. The file need not be there yet. One that isn't absolute is given back.
func Real(root, file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	real := followed(filepath.FromSlash(file), maxLinks)
	if realRoot, err := filepath.EvalSymlinks(root); root != "" && err == nil {
		if place, err := filepath.Rel(realRoot, real); err == nil && filepath.IsLocal(place) {
			real = filepath.Join(root, place)
		}
	}
	return filepath.ToSlash(real)
}

// followed is a path without links, also where what they lead to isn't there.
func followed(file string, links int) string {
	for at, rest := file, ""; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if to, err := os.Readlink(at); err == nil && links > 0 {
			if !filepath.IsAbs(to) {
				to = filepath.Join(followed(filepath.Dir(at), links-1), to)
			}
			return followed(filepath.Join(to, rest), links-1)
		}
		if at == filepath.Dir(at) {
			return file
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
