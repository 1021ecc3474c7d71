//go:build unix

package engine_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

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
			equal(t, "reason", r.Reason, ".hooks can't be loaded: "+test.want+". Its hooks are guards, so nothing goes on without them: mend it.")
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
