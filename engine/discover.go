package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
)

// Project is where a project's hooks are.
type Project struct {
	Root    string // relative paths of its hooks.yaml start here
	Hooks   string // its hooks folder; empty: Root/.hooks
	Refused error  // why Hooks may not be used; it then blocks as New describes
}

// FindProject finds the project that dir lies in: its root is the git top level, or
// dir itself outside of git, and its hooks folder is the nearest .hooks from dir up to
// the root. The search stops at the home folder and where the owner of the folders
// changes. Links are followed first. A hooks folder that belongs to somebody else or that everybody may write to
// is refused.
func FindProject(dir string) (Project, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, err
	}
	if err := isFolder(start); err != nil {
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
		hooks := filepath.Join(at, ".hooks")
		info, err := os.Lstat(hooks)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		p.Hooks = hooks
		switch {
		case err != nil:
			p.Refused = fmt.Errorf("the hooks folder can't be read: %w", cause(err))
		case !info.IsDir():
			p.Refused = errors.New("the hooks folder is a file or a link, not a folder")
		default:
			p.Refused = refuseFolder(info)
		}
		return p, nil
	}
	return p, nil
}

// gitTop is the nearest folder with a repository's .git in it, or "".
func gitTop(start string) string {
	for at := range ancestors(start, "") {
		if isGit(filepath.Join(at, ".git")) {
			return at
		}
	}
	return ""
}

// isGit tells whether a .git is that of a repository: a folder with a HEAD, or the
// file that a worktree or a submodule has in its place.
func isGit(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		head, err := os.Lstat(filepath.Join(path, "HEAD"))
		return err == nil && !head.IsDir()
	}
	f, _, err := openfile.Regular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const mark = "gitdir:"
	begin := make([]byte, len(mark))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == mark
}

// ancestors yields start and the folders above it up to last. It stops before the
// home folder (after it where that is start) and before a folder of another owner.
func ancestors(start, last string) func(yield func(string) bool) {
	home := userhome.Dir()
	if real, err := filepath.EvalSymlinks(home); err == nil && home != "" {
		home = real
	}
	return func(yield func(string) bool) {
		for at := start; ; at = filepath.Dir(at) {
			if at != start && (at == home || !sameOwner(start, at)) {
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
