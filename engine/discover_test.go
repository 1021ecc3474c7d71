package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/userhome"
)

func TestFindProject(t *testing.T) {
	tests := []struct {
		name, files string
		from        string
		home        string
		root, hooks string // relative to the tree; hooks empty: none
	}{
		{"the git top level", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", ".hooks"},
		{"a worktree, whose .git is a file", "-- .git --\ngitdir: /x\n-- .hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", ".hooks"},
		{"the nearest .hooks", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", "a/.hooks"},
		{"not above the root", "-- .hooks/a.lua --\n-- a/.git/HEAD --\n-- a/b/x --\n", "a/b", "", "a", ""},
		{"the nearest .git", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.git/HEAD --\n-- a/.hooks/a.lua --\n", "a", "", "a", "a/.hooks"},
		{"a .git that is no repository's", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.git/x --\n-- a/.git/HEAD/x --\n-- a/b/.git --\nx\n-- a/b/c/.git --\ngit\n", "a/b/c", "", ".", ".hooks"},
		{"outside of git", "-- .hooks/a.lua --\n-- a/x --\n", "a", "", "a", ""},
		{"outside of git, in the folder itself", "-- a/.hooks/a.lua --\n", "a", "", "a", "a/.hooks"},
		{"no hooks at all", "-- .git/HEAD --\n-- a/x --\n", "a", "", ".", ""},
		{"home is never the root of what lies in it", "-- home/.git/HEAD --\n-- home/.hooks/a.lua --\n-- home/p/x --\n", "home/p", "home", "home/p", ""},
		{"home itself, when asked for", "-- home/.git/HEAD --\n-- home/.hooks/a.lua --\n", "home", "home", "home", "home/.hooks"},
		{"nothing above home", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- home/x --\n", "home", "home", "home", ""},
		{"nothing above home, from below", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- home/p/x --\n", "home/p", "home/", "home/p", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, test.files)
			home := t.TempDir()
			if test.home != "" {
				home = dir + "/" + test.home
			}
			t.Setenv("HOME", home)
			p, err := engine.FindProject(filepath.Join(dir, test.from))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "root", p.Root, filepath.Join(dir, test.root))
			want := ""
			if test.hooks != "" {
				want = filepath.Join(dir, test.hooks)
			}
			equal(t, "hooks", p.Hooks, want)
			if p.Refused != nil {
				t.Errorf("refused: %v", p.Refused)
			}
		})
	}
}

func TestFindProjectErrors(t *testing.T) {
	dir := tree(t, "-- file --\n")
	for path, want := range map[string]string{"no": "no such file", "file": "not a folder"} {
		_, err := engine.FindProject(filepath.Join(dir, path))
		if err == nil {
			t.Fatal(path)
		}
		contains(t, err.Error(), filepath.Join(dir, path), want)
	}
}

// A project's hooks that lie below its root see its whole tree.
func TestProjectWithHooksBelowItsRoot(t *testing.T) {
	root := tree(t, "-- .git/HEAD --\n-- a/.hooks/hooks.yaml --\nhooks: {stop: [{script: tools/x.lua}]}\n-- tools/x.lua --\non('stop', {name='x'}, function() end)\n")
	p, err := engine.FindProject(filepath.Join(root, "a"))
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p))
	equal(t, "runs", problems(e)+runs(fire(t, e, event(t, "stop", "{}"))), "x")
}

// Where the options name folders relative to the current one, that is settled when
// the engine is made.
func TestRelativeFolders(t *testing.T) {
	root := tree(t, "-- p/h/a.lua --\nx x\n-- u/hooks/b.lua --\ny y\n")
	t.Chdir(root)
	e := newEngine(t, engine.WithProject(engine.Project{Root: "p", Hooks: "p/h"}), engine.WithUserDir("u"))
	t.Chdir(t.TempDir())
	equal(t, "problems", len(e.Problems()), 2)
	contains(t, problems(e), "h/a.lua:1", "u/hooks/b.lua:1")
	equal(t, "an edit", fire(t, e, edit(root, "p/h/a.lua", "u/hooks/b.lua")).Decision, "ask")
	write(t, root, "-- p/h/a.lua --\n-- u/hooks/b.lua --\n")
	if err := e.Reload(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUserDir(t *testing.T) {
	t.Setenv("HOME", "/home/ana")
	t.Setenv("XDG_CONFIG_HOME", "/cfg")
	equal(t, "XDG_CONFIG_HOME", engine.UserDir(), filepath.Join("/cfg", "luahook"))
	t.Setenv("XDG_CONFIG_HOME", "relative")
	equal(t, "a relative one means nothing", engine.UserDir(), filepath.Join("/home/ana", ".config", "luahook"))
	os.Unsetenv("XDG_CONFIG_HOME")
	equal(t, "home", engine.UserDir(), filepath.Join("/home/ana", ".config", "luahook"))
	account(t, "/home/bob")
	for _, home := range []string{"", "relative", "./x", "~"} {
		t.Setenv("HOME", home)
		equal(t, "the account database", engine.UserDir(), filepath.Join("/home/bob", ".config", "luahook"))
	}
	os.Unsetenv("HOME")
	equal(t, "the account database", engine.UserDir(), filepath.Join("/home/bob", ".config", "luahook"))
	account(t, "")
	equal(t, "neither", engine.UserDir(), "")
}

// account says what the account database has for the home folder.
func account(t *testing.T, home string) {
	t.Helper()
	before := userhome.Account
	userhome.Account = func() string { return home }
	t.Cleanup(func() { userhome.Account = before })
}

// By way of a link it is the same project.
func TestFindProjectThroughALink(t *testing.T) {
	dir := tree(t, "-- p/.git/HEAD --\n-- p/.hooks/a.lua --\n-- p/a/x --\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "p/a"), link); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"/nowhere", link} {
		t.Setenv("HOME", home)
		p, err := engine.FindProject(link)
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Project{Root: filepath.Join(dir, "p"), Hooks: filepath.Join(dir, "p/.hooks")}
		if home == link { // where the search ends
			want = engine.Project{Root: filepath.Join(dir, "p/a")}
		}
		equal(t, "with the home "+home, p, want)
	}
}
