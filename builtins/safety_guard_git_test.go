package builtins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// What git keeps in its folder decides about branches that are dropped, aliases, and pushes that name nothing.
func TestGitFolder(t *testing.T) {
	root := t.TempDir()
	shop, plain := filepath.Join(root, "shop"), filepath.Join(root, "plain")
	hash := func(letter string) string { return strings.Repeat(letter, 40) }
	for name, text := range map[string]string{
		"shop/.git/HEAD":                   "ref: refs/heads/main\n",
		"shop/.git/refs/heads/main":        hash("a") + "\n",
		"shop/.git/refs/heads/logged":      hash("b") + "\n",
		"shop/.git/refs/heads/alone":       hash("c") + "\n",
		"shop/.git/refs/heads/pushed":      hash("d") + "\n",
		"shop/.git/refs/remotes/up/pushed": hash("d") + "\n",
		"shop/.git/logs/HEAD":              hash("a") + " " + hash("b") + " Kim <kim@example.com> 1 +0000\tcommit: x\n",
		"shop/.git/worktrees/tree/HEAD":    hash("a") + "\n",
		"shop/src/main.go":                 "package main\n",
		"shop/patch":                       "tracked, perhaps\n",
		"shop/old/.git/HEAD":               "ref: refs/heads/main\n",
		"plain/.git/config":                "[core]\n\tbare = false\n",
		"plain/.git/HEAD":                  "ref: refs/heads/main\n",
		"tree/.git":                        "gitdir: " + filepath.Join(shop, ".git", "worktrees", "tree") + "\n",
		"shop/.git/config": "[remote \"up\"]\n\turl = https://example.com/shop.git\n\tpush = +refs/heads/*:refs/heads/*\n[alias]\n" +
			"\tundo = reset --hard\n\twipe = !git clean -fdx\n\tlg = log --graph\n\tnuke = \"!rm -rf ~\"\n\tagain = again\n\tfp = push --force\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := guardWith(t, nil)
	for _, c := range []struct{ folder, command, rule string }{
		{shop, "git branch -D logged", ""},
		{shop, "git branch -D pushed", ""},
		{shop, "git push --force origin main", "git.push-force"}, // no folder among temporary ones, though the project is in one
		{shop, "git branch -D logged pushed", ""},
		{shop, "git -C src branch -D logged", ""},
		{plain, "cd ../shop && git branch -D logged", ""},
		{shop, "git branch -D alone", "git.branch-force"},
		{shop, "git branch -D logged alone", "git.branch-force"},
		{shop, "git branch -D main", "git.branch-force"},
		{shop, `git branch -D "$B"`, "git.branch-force"},
		{shop, "git --git-dir=../plain/.git branch -D logged", "git.branch-force"},
		{shop, "git branch -D $(git branch --list)", "git.branch-force"},
		{shop, "git checkout -B alone origin/x", "git.branch-reset"},
		{shop, "git switch -C alone main", "git.branch-reset"},
		{shop, "git checkout -B logged origin/x", ""},
		{shop, "git checkout -B new origin/x", ""},
		{plain, "git checkout -B alone origin/x", ""},

		{shop, "git undo", "git.reset-hard"},
		{shop, "git UNDO HEAD~3", "git.reset-hard"},
		{shop, "git -C src undo", "git.reset-hard"},
		{shop, "cd src; git undo", "git.reset-hard"},
		{shop, "git undo 2>/dev/null || true", "git.reset-hard"},
		{shop, "git wipe", "git.clean"},
		{shop, "git nuke", "deletion.home"},
		{shop, "git fp origin topic", "git.push-force"},
		{shop, "sudo git undo", "git.reset-hard"},
		{shop, "bash -c 'git undo'", "git.reset-hard"},
		{shop, "git lg -5", ""},
		{shop, "git again", ""},
		{shop, "git lfs pull", ""},
		{plain, "git undo", ""},

		{shop, "git push", "git.push-force"},
		{shop, "git push up", "git.push-force"},
		{shop, "git push -u up", "git.push-force"},
		{shop, "git push origin", ""},
		{shop, "git push up topic", ""},
		{shop, "git push --dry-run", ""},
		{plain, "git push", ""},

		{shop, "git init && git reset --hard", "git.reset-hard"},
		{shop, "git init old && cd old && git reset --hard", "git.reset-hard"},
		{shop, "rm -rf new && git init new && cd new && git reset --hard", ""},
		{shop, "rm -rf src && git init src && cd src && git reset --hard", ""},
		{shop, "rm -rf other && git init src && cd src && git reset --hard", "git.reset-hard"},
		{shop, "cd src; git reset --hard", "git.reset-hard"},
		{shop, "git diff > patch && git checkout .", "git.checkout-files"},
		{shop, "git diff > new.patch && git checkout .", ""},
		{shop, "git show HEAD:src/main.go > src/main.go", "git.overwritten"},
		{shop, "git show HEAD:src/gone.go > src/gone.go", ""},
		{shop, "echo x > .git/HEAD", "git.by-hand"},
		{"/home/kim/shop", "cd " + plain + " && git reset --hard", ""},
		{"/home/kim/shop", "cd " + plain + "; git reset --hard", ""},
		{"/home/kim/shop", "cd " + plain + "/none; git reset --hard", "git.reset-hard"},
		{"/home/kim/shop", "git -C " + filepath.Join(root, "tree") + " checkout .", ""},
		{"/home/kim/shop", "git -C " + filepath.Join(root, "tree") + " stash drop", "git.stash-drop"},
		{"/home/kim/shop", "git worktree remove --force " + filepath.Join(root, "tree"), ""},
		{"/home/kim/shop", "git worktree remove --force " + plain, "git.worktree-remove"},
	} {
		event := hooks.Context{Event: hooks.PreToolCall, CWD: c.folder, ToolCall: &hooks.ToolCall{
			Name: "Bash", Input: map[string]any{"command": c.command},
		}}
		r, err := e.Fire(t.Context(), &event)
		if err != nil {
			t.Fatal(err)
		}
		if (c.rule == "") != (r.Decision == hooks.NoOpinion) || !strings.Contains(r.Reason, c.rule) {
			t.Errorf("%s in %s: %q %s, want %q", c.command, filepath.Base(c.folder), r.Decision, r.Reason, c.rule)
		}
	}
}

// A link among temporary files that leads to the project is no temporary file.
func TestLinkToProject(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	link := filepath.Join(t.TempDir(), "x")
	if err := os.Symlink(home, link); err != nil {
		t.Skip(err)
	}
	e := guardWith(t, nil)
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: "/home/kim/shop", ToolCall: &hooks.ToolCall{
		Name: "Bash", Input: map[string]any{"command": "git -C " + link + " reset --hard"},
	}})
	if err != nil || r.Decision != hooks.Deny {
		t.Errorf("%v %q", err, r.Decision)
	}
}
