package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/internal/userhome"
)

// Project is where a project's hooks are.
type Project struct {
	Root    string // relative paths of its hooks.yaml start here
	Hooks   string // its hooks folder; empty: Root/.hooks
	Refused error  // why Hooks may not be used; it then blocks as New describes

	// Around is the project that it lies in, whose hooks apply as well, from a root of their
	// own; nil: none. One whose Hooks are empty has none.
	Around *Project
}

// FindProject finds the project that dir lies in: its root is the git top level, or
// dir itself outside of git, and its hooks folder is the nearest .hooks from dir up to
// the root. The search stops at the home folder and where the owner of the folders
// changes. Links are followed first. A hooks folder that belongs to somebody else or that everybody may write to
// is refused.
//
// Every other .hooks in a folder above dir is that of a project around it, and so is every
// repository: nothing that is made within a project takes its hooks out of force. They are
// looked for up to the home folder that the account database has, in folders that belong to
// us, to root or to the owner of dir.
func FindProject(dir string) (Project, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, err
	}
	if err := source.IsFolder(start); err != nil {
		return Project{}, err
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return Project{}, err
	}
	p := Project{Root: gitTop(start)}
	if p.Root == "" {
		p.Root = start
	}
	for at := range ancestors(start, p.Root) {
		if p.Hooks, p.Refused = hooksIn(at); p.Hooks != "" {
			break
		}
	}
	p.Around = around(start, p)
	return p, nil
}

// around is the chain of projects above start other than p.
func around(start string, p Project) (nearest *Project) {
	var found []*Project // the innermost first
	rooted := 0          // of them, those whose repository is known
	home := source.WithoutLinks(cmp.Or(userhome.Account(), userhome.Dir()))
	for at := start; at == start || at != home; at = filepath.Dir(at) {
		if at == start || source.IsOurs(at, start) {
			git := filepath.Join(at, ".git")
			outer := &Project{Root: at}
			if hooks := filepath.Join(at, ".hooks"); !source.IsPlanted(hooks, at) {
				outer.Hooks, outer.Refused = hooksIn(at)
			}
			repository := source.IsGit(git) && !source.IsPlanted(git, at)
			if outer.Hooks != "" || repository {
				found = append(found, outer)
			}
			for ; repository && rooted < len(found); rooted++ {
				found[rooted].Root = at
			}
		}
		if at == home || at == filepath.Dir(at) {
			break
		}
	}
	for _, outer := range slices.Backward(found) {
		if outer.Hooks == p.Hooks && (outer.Hooks != "" || outer.Root == p.Root) {
			continue // p itself
		}
		outer.Around, nearest = nearest, outer
	}
	return nearest
}

// hooksIn is the hooks folder in a folder, "" where there is none, and why it may not be used.
func hooksIn(dir string) (hooks string, refused error) {
	hooks = filepath.Join(dir, ".hooks")
	info, err := os.Lstat(hooks)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return hooks, fmt.Errorf("the hooks folder can't be read: %w", source.Cause(err))
	case !info.IsDir():
		return hooks, errors.New("the hooks folder is a file or a link, not a folder")
	}
	return hooks, source.RefuseFolder(info)
}

// gitTop is the nearest folder with a repository's .git in it, or "".
func gitTop(start string) string {
	for at := range ancestors(start, "") {
		if source.IsGit(filepath.Join(at, ".git")) {
			return at
		}
	}
	return ""
}

// ancestors yields start and the folders above it up to last. It stops before the
// home folder (after it where that is start) and before a folder of another owner.
func ancestors(start, last string) func(yield func(string) bool) {
	home := source.WithoutLinks(userhome.Dir())
	return func(yield func(string) bool) {
		for at := start; ; at = filepath.Dir(at) {
			if at != start && (at == home || !source.SameOwner(start, at)) {
				return
			}
			if !yield(at) || at == last || at == home || at == filepath.Dir(at) {
				return
			}
		}
	}
}

// UserDir is the folder of the user's configuration: $XDG_CONFIG_HOME/luahook, else
// ~/.config/luahook. Relative paths in the environment count for nothing; the home folder
// is what $HOME says, else the account database. It is "" where neither is known.
func UserDir() string { return userFolder("XDG_CONFIG_HOME", ".config") }

// StateDir is the folder of what luahook keeps for the user: $XDG_STATE_HOME/luahook,
// else ~/.local/state/luahook, as [UserDir] finds it.
func StateDir() string { return userFolder("XDG_STATE_HOME", ".local/state") }

// CacheDir is the folder of what luahook may lose: $XDG_CACHE_HOME/luahook, else
// ~/.cache/luahook, as [UserDir] finds it.
func CacheDir() string { return userFolder("XDG_CACHE_HOME", ".cache") }

// userFolder is luahook's folder in what a variable names, else below the home folder.
func userFolder(variable, belowHome string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "luahook")
	}
	home := userhome.Dir()
	if home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(belowHome), "luahook")
}

// TrustFile is the usual file of what the user has trusted, trust.json in [StateDir],
// or "" where there is no such folder.
func TrustFile() string {
	dir := StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "trust.json")
}
