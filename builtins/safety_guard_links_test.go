package builtins_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// A repository may have links to anywhere: what is done through one is judged where it leads. A link that is deleted
// leads nowhere.
func TestLinksOfAProject(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	dir := filepath.Join(home, "work", "shop")
	for _, folder := range []string{".git/hooks", ".hooks", "src", "real"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"assets": "/", "build": "../..", "gh": ".git/hooks", "hk": ".hooks", "keys": filepath.Join(home, ".ssh"),
		"rcfile": filepath.Join(home, ".bashrc"), "alias": "real", "src/deep": "../keys"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip("no links: ", err)
			}
			t.Fatal(err)
		}
	}
	e := guardWith(t, nil)
	for _, c := range []struct {
		tool  string
		input object
		want  string
	}{
		{"Bash", object{"command": "rm -rf assets/etc/*"}, "deletion.system"},
		{"Bash", object{"command": "rm -rf build/*"}, "deletion.home"},
		{"Bash", object{"command": "cd build && rm -rf *"}, "deletion.home"},
		{"Bash", object{"command": "cp x assets/etc/passwd"}, "files.accounts"},
		{"Bash", object{"command": "echo x > gh/pre-commit"}, "files.git-settings"},
		{"Bash", object{"command": "echo x > hk/a.lua"}, "self.hooks"},
		{"Bash", object{"command": "echo k >> keys/authorized_keys"}, "files.login"},
		{"Bash", object{"command": "echo k >> src/deep/authorized_keys"}, "files.login"},
		{"Bash", object{"command": "cd src && tee rcfile ../rcfile < x"}, "files.shell-start"},
		{"Write", object{"file_path": "gh/pre-commit", "content": "x"}, "files.git-settings"},
		{"Write", object{"file_path": "hk/a.lua", "content": "x"}, "self.hooks"},
		{"Write", object{"file_path": filepath.Join(dir, "keys/authorized_keys"), "content": "x"}, "files.login"},
		{"mcp__fs__delete_directory", object{"path": "assets/etc"}, "deletion.by-tool"},
		{"Bash", object{"command": "find assets/ -delete"}, "deletion.root"},
		{"Bash", object{"command": "find -L assets -delete"}, "deletion.root"},
		{"Bash", object{"command": "find assets/etc -delete"}, "deletion.system"},
		{"Bash", object{"command": "find src/deep/ -type f -exec rm {} +"}, "deletion.outside"},
		{"Bash", object{"command": "rsync -a --delete real/ assets/"}, "overwrite.mirrored"},
		{"Bash", object{"command": "rsync -a --delete real/ src/deep"}, "overwrite.mirrored-here"},
		{"Bash", object{"command": "find alias/ -delete"}, ""},
		{"Bash", object{"command": "find assets -delete"}, ""},
		{"Bash", object{"command": "rsync -a --delete src/ alias/"}, ""},
		{"Bash", object{"command": "rsync -a assets/ real/"}, ""},
		{"Bash", object{"command": "rm rcfile build"}, ""},
		{"Bash", object{"command": "rm -rf alias/*"}, ""},
		{"Bash", object{"command": "echo x > alias/y; echo x > src/a"}, ""},
		{"Write", object{"file_path": "alias/y", "content": "x"}, ""},
	} {
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: dir, ToolCall: &hooks.ToolCall{Name: c.tool, Input: c.input}})
		if err != nil {
			t.Fatal(err)
		}
		if got := stoppedBy(t, r); got != c.want {
			t.Errorf("%s %v: %q, want %q: %s", c.tool, c.input, got, c.want, r.Reason)
		}
	}
}
