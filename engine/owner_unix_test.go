//go:build unix

package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }

func TestRefusedFolders(t *testing.T) {
	chown := func(uid int) func(string) error {
		return func(dir string) error { return os.Lchown(dir, uid, -1) }
	}
	tests := []struct {
		name string
		make func(dir string) error
		root bool // only the superuser can make it
		want string
	}{
		{"of one's own", func(string) error { return nil }, false, ""},
		{"everybody may write", func(dir string) error { return os.Chmod(dir, 0o777) }, false, "everybody may write to the hooks folder; chmod o-w to use it"},
		{"the group may write", func(dir string) error { return os.Chmod(dir, 0o775) }, false, ""},
		{"somebody else's", chown(12345), true, "the hooks folder belongs to another user (uid 12345); take it over with chown to use it"},
		{"a file", func(dir string) error {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, nil, 0o600)
		}, false, "the hooks folder is a file or a link, not a folder"},
		{"a link", func(dir string) error {
			if err := os.Rename(dir, dir+"2"); err != nil {
				return err
			}
			return os.Symlink(dir+"2", dir)
		}, false, "the hooks folder is a file or a link, not a folder"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.root && os.Geteuid() != 0 {
				t.Skip("only root can give a folder away")
			}
			root := tree(t, "-- .git/HEAD --\n-- .hooks/a.lua --\non('pre_tool_call', {name='a'}, function() end)\n")
			if err := test.make(filepath.Join(root, ".hooks")); err != nil {
				t.Fatal(err)
			}
			p, err := engine.FindProject(root)
			if err != nil {
				t.Fatal(err)
			}
			e := newEngine(t, engine.WithProject(p))
			r := fire(t, e, bash("ls"))
			if test.want == "" {
				equal(t, "runs", problems(e)+runs(r), "a")
				return
			}
			equal(t, "problems", problems(e), ".hooks: "+test.want)
			equal(t, "decision", r.Decision, hooks.Deny)
			equal(t, "reason", r.Reason, ".hooks can't be loaded: "+test.want+". Its hooks are guards, so nothing goes on without them: fix it.")
			equal(t, "an edit in it", fire(t, e, edit(root, ".hooks/a.lua")).Decision, hooks.Deny)
			equal(t, "an edit of it", fire(t, e, edit(root, ".hooks")).Decision, hooks.Deny)
		})
	}
}

// Above the first folder of another owner nothing is looked for.
func TestFindProjectStopsAtAnotherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	t.Setenv("HOME", t.TempDir())
	top := tree(t, "-- .git/HEAD --\n-- .hooks/a.lua --\n-- theirs/sub/x --\n")
	sub := filepath.Join(top, "theirs", "sub")
	if err := os.Chown(filepath.Join(top, "theirs"), 12345, -1); err != nil {
		t.Fatal(err)
	}
	p, err := engine.FindProject(sub)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "root", p.Root, sub)
	equal(t, "hooks", p.Hooks, "")
}

// A file that somebody else could write, or has written, is refused as its folder is.
func TestRefusedFiles(t *testing.T) {
	const files = `
-- .hooks/hooks.yaml --
hooks: {pre_tool_call: [{script: tools/c.lua}, {script: tools/d.sh, enabled: true}]}
-- .hooks/a.lua --
on("pre_tool_call", {name="a"}, function() end)
-- .hooks/lib/b.lua --
-- tools/c.lua --
on("pre_tool_call", {name="c"}, function() end)
-- tools/d.sh --
exit 0
`
	places := map[string]string{ // where each file is told to be at fault
		".hooks/hooks.yaml": ".hooks/hooks.yaml: ", ".hooks/a.lua": ".hooks/a.lua: ", ".hooks/lib/b.lua": ".hooks/lib/b.lua: ",
		"tools/c.lua": "hooks.yaml:2:34: script tools/c.lua: ", "tools/d.sh": "hooks.yaml:2:57: script tools/d.sh: ",
	}
	for path, place := range places {
		for what, test := range map[string]struct {
			change func(path string) error
			want   string
		}{
			"everybody's":  {func(p string) error { return os.Chmod(p, 0o666) }, "everybody may write to it; chmod o-w to use it"},
			"a stranger's": {func(p string) error { return os.Lchown(p, 12345, -1) }, "it belongs to another user (uid 12345); take it over with chown to use it"},
			"the group's":  {func(p string) error { return os.Chmod(p, 0o664) }, ""},
		} {
			t.Run(what+" "+path, func(t *testing.T) {
				if what == "a stranger's" && os.Geteuid() != 0 {
					t.Skip("only root can give a file away")
				}
				root := tree(t, files)
				if err := test.change(filepath.Join(root, path)); err != nil {
					t.Fatal(err)
				}
				e := newEngine(t, trusted(t, root), engine.WithProject(engine.Project{Root: root}))
				if test.want == "" {
					equal(t, "problems", problems(e), "")
					return
				}
				contains(t, problems(e), place+test.want)
				equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
				if err := os.Chmod(filepath.Join(root, path), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Lchown(filepath.Join(root, path), os.Geteuid(), -1); err != nil {
					t.Fatal(err)
				}
				if err := e.Reload(t.Context()); err != nil {
					t.Errorf("after it was fixed: %v", err)
				}
				// A folder that the user names is read whoever may write to it.
				if err := test.change(filepath.Join(root, path)); err != nil {
					t.Fatal(err)
				}
				e = newEngine(t, engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
				equal(t, "problems of a folder that was named", problems(e), "")
			})
		}
	}
}

func TestRefusedUserFiles(t *testing.T) {
	user := tree(t, "-- hooks.yaml --\nhooks: {}\n-- hooks/a.lua --\non('pre_tool_call', {name='a'}, function() end)\n")
	e := newEngine(t, engine.WithUserDir(user))
	equal(t, "problems", problems(e), "")
	for _, name := range []string{"hooks.yaml", "hooks/a.lua"} {
		if err := os.Chmod(filepath.Join(user, name), 0o646); err != nil {
			t.Fatal(err)
		}
	}
	e = newEngine(t, engine.WithUserDir(user))
	equal(t, "problems", problems(e), user+"/hooks.yaml: everybody may write to it; chmod o-w to use it\n"+user+"/hooks/a.lua: everybody may write to it; chmod o-w to use it")
	if err := os.Chmod(user, 0o777); err != nil {
		t.Fatal(err)
	}
	e = newEngine(t, engine.WithUserDir(user))
	equal(t, "problems", problems(e), user+": everybody may write to the hooks folder; chmod o-w to use it")
}

// A managed file, and what it lists, is its owner's alone to change.
func TestRefusedManagedFiles(t *testing.T) {
	file := managed(t, managedGuard)
	guard := filepath.Join(filepath.Dir(file), "guard.lua")
	tests := []struct {
		path string
		mode os.FileMode
		want string
	}{
		{file, 0o664, file + ": its group may write to it, and it is managed; chmod g-w to use it"},
		{file, 0o646, file + ": everybody may write to it; chmod o-w to use it"},
		{guard, 0o664, "hook managed (" + file + ":2:49): script guard.lua: its group may write to it, and it is managed; chmod g-w to use it"},
		{filepath.Dir(file), 0o757, filepath.Dir(file) + ": everybody may write to the hooks folder; chmod o-w to use it"},
		{file, 0o644, ""},
	}
	for _, test := range tests {
		if err := os.Chmod(test.path, test.mode); err != nil {
			t.Fatal(err)
		}
		engine.SetManagedFile(t, file)
		e := newEngine(t)
		told, _, _ := strings.Cut(problems(e), "\n")
		equal(t, "problems", told, test.want)
		if denied := fire(t, e, bash("ls")).Decision == hooks.Deny; denied != (test.want != "") {
			t.Errorf("%s %o: denied is %t", test.path, test.mode, denied)
		}
		if err := os.Chmod(test.path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// A pipe in the place of a file is waited for by nobody.
func TestPipeInPlaceOfGit(t *testing.T) {
	root := t.TempDir()
	if err := mkfifo(filepath.Join(root, ".git")); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(root, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	found := make(chan engine.Project, 1)
	go func() {
		p, err := engine.FindProject(inner)
		if err != nil {
			t.Error(err)
		}
		found <- p
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case p := <-found:
		if filepath.Base(p.Root) != "inner" {
			t.Errorf("the root is %s", p.Root)
		}
	case <-ctx.Done():
		t.Fatal("it waits")
	}
}
