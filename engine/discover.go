package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/luahook/luahook/internal/openfile"
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
	home, err := os.UserHomeDir()
	if err == nil {
		home = filepath.Clean(home)
		if real, err := filepath.EvalSymlinks(home); err == nil {
			home = real
		}
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
// ~/.config/luahook. It is "" where neither is known.
func UserDir() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "luahook")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config", "luahook")
}

// StateDir is the folder of what luahook keeps for the user: $XDG_STATE_HOME/luahook,
// else ~/.local/state/luahook. It is "" where neither is known.
func StateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "luahook")
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".local", "state", "luahook")
}

// CacheDir is the folder of what luahook may lose: $XDG_CACHE_HOME/luahook, else
// ~/.cache/luahook. It is "" where neither is known.
func CacheDir() string {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "luahook")
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".cache", "luahook")
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
