package builtins_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The folders by which a project's hooks are found are protected from shells and from file tools. A repository
// that git makes is allowed, because it disables no hooks.
func TestGuardsWhatHooksAreFoundBy(t *testing.T) {
	root := t.TempDir()
	outer := filepath.Join(root, "p")
	sub := filepath.Join(outer, "sub")
	for _, dir := range []string{"p/.git/refs", "p/.hooks", "p/sub/.git", "p/a/.hooks", "p/src", "q/.git", "temp"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, head := range []string{"p/.git/HEAD", "p/sub/.git/HEAD", "q/.git/HEAD"} {
		if err := os.WriteFile(filepath.Join(root, head), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	guard := func(dir string) *engine.Engine {
		p, err := engine.FindProject(dir)
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(ample, engine.WithProject(p), engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, map[string]any{"level": "audit"})) // which spares class self alone
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close(t.Context()) })
		return e
	}
	type object = map[string]any
	for _, c := range []struct {
		dir, tool string
		input     object
		rule      string
	}{
		{outer, "Bash", object{"command": "mv .git .git.off"}, "self.project"},
		{outer, "Bash", object{"command": "rm -rf .git"}, "self.project"},
		{outer, "Bash", object{"command": "rm .git/HEAD"}, "self.project"},
		{outer, "Bash", object{"command": "rm .git/*"}, "self.project"},
		{outer, "Bash", object{"command": "mv .git/HEAD /tmp/"}, "self.project"},
		{outer, "Bash", object{"command": "mv .g?t x"}, "self.project"},
		{outer, "Bash", object{"command": "mv .[a-z]* /tmp"}, "self.hooks"},
		{outer, "Bash", object{"command": "rm -r {.git,x}"}, "self.project"},
		{outer, "Bash", object{"command": "rm -rf $PWD/.git"}, "self.project"},
		{outer, "Bash", object{"command": "truncate -s 0 .git/HEAD"}, "self.project"},
		{outer, "Bash", object{"command": "python3 -c 'import os; os.remove(\".git/HEAD\")'"}, "self.project"},
		{outer, "Bash", object{"command": "node -e 'require(\"fs\").renameSync(\".git\", \".x\")'"}, "self.project"},
		{outer, "Bash", object{"command": "find .git -maxdepth 1 -name HEAD -delete"}, "self.project"},
		{outer, "Bash", object{"command": "find . -name HEAD -delete"}, "self.project"},
		{outer, "Bash", object{"command": "find . -name 'HEA*' -delete"}, "self.project"},
		{outer, "Bash", object{"command": "find . -maxdepth 1 -name '.g*' -delete"}, "self.project"},
		{outer, "Bash", object{"command": "find . -type f -delete"}, "self.project"},
		{outer, "Bash", object{"command": "find . -name '*.pyc' -delete"}, ""},
		{outer, "Bash", object{"command": "find . -type f \\( -name '*~' -o -name .DS_Store \\) -delete"}, ""},
		{outer, "Bash", object{"command": "find . -not -path './.git/*' -name '*.orig' -delete"}, ""},
		{outer, "Bash", object{"command": "find \"$PWD\" -mindepth 2 -name '*.pyc' -delete"}, ""},
		{outer, "Bash", object{"command": "find . -type d -empty -delete"}, ""},
		{outer, "PowerShell", object{"command": "Get-ChildItem . -Recurse -Filter *.pyc | Remove-Item"}, ""},
		{outer, "Bash", object{"command": "echo .git | xargs rm -rf"}, "self.project"},
		{outer, "Bash", object{"command": "git clean -fdx"}, ""},
		{outer, "Bash", object{"command": "cd .git && unlink HEAD"}, "self.project"},
		{outer, "Bash", object{"command": "chmod 000 .git"}, "self.project"},
		{outer, "Bash", object{"command": "echo gitdir: x > sub/new/.git"}, "self.project"},
		{outer, "Bash", object{"command": "touch /tmp/HEAD; cp /tmp/HEAD sub/new/.git/"}, "self.project"},
		{outer, "Bash", object{"command": "ln -s /tmp/x src/.git"}, "self.project"},
		{outer, "Bash", object{"command": "rm -rf a"}, ""}, // no hooks of this folder's
		{outer + "/a", "Bash", object{"command": "cd .. && rm -rf a"}, "self.project"},
		{outer + "/src", "Bash", object{"command": "cd ../.. && mv p q2"}, "self.hooks"},
		{outer + "/src", "Bash", object{"command": "mv " + outer + " /tmp/p"}, "self.hooks"},
		{sub, "Bash", object{"command": "rm ../.git/HEAD"}, "self.project"},
		{sub, "Bash", object{"command": "mv ../.git ../x"}, "self.project"},
		{outer, "Bash", object{"command": "find .git -name HEAD -exec rm {} +"}, "self.hooks-found"},
		{outer, "Bash", object{"command": "mount --bind /tmp/x .git"}, "self.hooks-otherwise"},
		{outer, "Write", object{"file_path": ".git/HEAD", "content": "x"}, "self.project"},
		{outer, "Write", object{"file_path": "src/.git", "content": "gitdir: /x"}, "self.project"},
		{outer, "Write", object{"file_path": "FILE://" + outer + "/src/.git/HEAD", "content": "x"}, "self.project"},
		{sub, "delete_file", object{"path": "../.git/HEAD"}, "self.project"},
		{outer, "apply_patch", object{"patch": "*** Begin Patch\n*** Delete File: .git/HEAD\n*** End Patch"}, "self.project"},
		{outer, "Bash", object{"command": "git init src/x"}, ""},
		{outer, "Bash", object{"command": "git init ."}, ""},
		{outer, "Bash", object{"command": "git clone https://shop.example/x vendor/x"}, ""},
		{outer, "Bash", object{"command": "git clone https://shop.example/x vendor/x && rm -rf vendor/x/.git"}, ""},
		{outer, "Bash", object{"command": "git worktree add ../topic"}, ""},
		{outer, "Bash", object{"command": "git submodule add https://shop.example/x lib/x"}, ""},
		{outer, "Bash", object{"command": "mkdir -p src/.hooks"}, ""},
		{outer, "Bash", object{"command": "cat .git/HEAD; ls -a .git"}, ""},
		{outer, "Bash", object{"command": "rm -r src"}, ""},
		{outer, "Bash", object{"command": "git init /tmp/x; echo x > /tmp/x/.git/HEAD"}, ""},
		{root + "/q", "Bash", object{"command": "mv .git .git.off; git init"}, ""}, // a project without hooks
		{root + "/q", "Write", object{"file_path": "x/.git", "content": "gitdir: /x"}, ""},
	} {
		r, err := guard(c.dir).Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: c.dir, ToolCall: &hooks.ToolCall{Name: c.tool, Input: c.input}})
		if err != nil {
			t.Fatal(err)
		}
		if got := stoppedBy(t, r); got != c.rule {
			t.Errorf("%s %v: stopped by %q, want %q: %s", c.tool, c.input, got, c.rule, r.Reason)
		}
	}
}

// protect_paths also start at the roots of the enclosing projects.
func TestProtectPathsAround(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".git", "config/.git", "config/prod"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(dir) == ".git" {
			if err := os.WriteFile(filepath.Join(root, dir, "HEAD"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := filepath.Join(root, "config")
	p, err := engine.FindProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(ample, engine.WithProject(p), engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, map[string]any{"protect_paths": []any{"config/prod"}, "allow_paths": []any{"config/out"}}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for path, rule := range map[string]string{"prod/x": "files.protected", root + "/config/prod/y": "files.protected", "src/x": ""} {
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: dir, ToolCall: &hooks.ToolCall{Name: "Write", Input: map[string]any{"file_path": path, "content": "x"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := stoppedBy(t, r); got != rule {
			t.Errorf("%s: stopped by %q, want %q", path, got, rule)
		}
	}
}
