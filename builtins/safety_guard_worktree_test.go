package builtins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// With worktrees: relaxed, a linked work tree may lose its uncommitted changes, and nothing else.
func TestRelaxedWorktrees(t *testing.T) {
	root := t.TempDir()
	repo, linked := filepath.Join(root, "shop"), filepath.Join(root, "topic")
	for _, folder := range []string{filepath.Join(repo, ".git", "worktrees", "topic"), filepath.Join(linked, "src"), filepath.Join(root, "other")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := "gitdir: " + filepath.Join(repo, ".git", "worktrees", "topic") + "\n"
	if err := os.WriteFile(filepath.Join(linked, ".git"), []byte(link), 0o644); err != nil {
		t.Fatal(err)
	}
	relaxed := guardWith(t, map[string]any{"worktrees": "relaxed"})
	guarded := guardWith(t, map[string]any{"worktrees": "guarded"})
	for _, c := range []struct{ folder, command, relaxed string }{
		{linked, "git reset --hard", ""},
		{linked, "git checkout -- .", ""},
		{linked, "git checkout main.go", ""},
		{linked, "git restore .", ""},
		{linked, "git restore -p", ""},
		{linked, "git clean -fdx", ""},
		{linked, "git rm -rf src", ""},
		{linked, "git switch --discard-changes main", ""},
		{linked, "git merge --abort", ""},
		{linked, "cd src && git reset --hard", ""},
		{linked, "git -C src reset --hard", ""},
		{linked, "sudo git clean -f", ""},
		{filepath.Join(linked, "src"), "git reset --hard", ""},
		{repo, "git -C ../topic reset --hard", ""},
		{repo, "cd ../topic; git reset --hard", ""},

		{linked, "git stash drop", "git.stash-drop"},
		{linked, "git stash clear", "git.stash-clear"},
		{linked, "git worktree remove -f ../other", "git.worktree-remove"},
		{linked, "git push --force", "git.push-force"},
		{linked, "git branch -D topic", "git.branch-force"},
		{linked, "git reflog expire --all", "git.reflog"},
		{linked, "git commit -n -m wip", "git.skip-hooks"},
		{linked, "git -C ../shop reset --hard", "git.reset-hard"},
		{linked, "git -C $OTHER reset --hard", "git.reset-hard"},
		{linked, "cd ../shop && git reset --hard", "git.reset-hard"},
		{linked, "cd $OTHER && git reset --hard", "git.reset-hard"},
		{linked, "git --git-dir=../shop/.git reset --hard", "git.reset-hard"},
		{linked, "git --work-tree=../shop reset --hard", "git.reset-hard"},
		{linked, "GIT_DIR=../shop/.git git reset --hard", "git.reset-hard"},
		{linked, "export GIT_WORK_TREE=../shop; git reset --hard", "git.reset-hard"},
		{linked, "git clean -f && cd ../shop && git clean -f", "git.clean"},
		{repo, "git reset --hard", "git.reset-hard"},
		{filepath.Join(root, "other"), "git reset --hard", "git.reset-hard"},
	} {
		event := hooks.Context{Event: hooks.PreToolCall, CWD: c.folder, ToolCall: &hooks.ToolCall{
			Name: "Bash", Input: map[string]any{"command": c.command},
		}}
		r, err := relaxed.Fire(t.Context(), &event)
		if err != nil {
			t.Fatal(err)
		}
		if (c.relaxed == "") != (r.Decision == hooks.NoOpinion) || !strings.Contains(r.Reason, c.relaxed) {
			t.Errorf("%s in %s: %q %s, want %q", c.command, filepath.Base(c.folder), r.Decision, r.Reason, c.relaxed)
		}
		if r, err = guarded.Fire(t.Context(), &event); err != nil || r.Decision == hooks.NoOpinion {
			t.Errorf("%s in %s isn't stopped without the option: %v", c.command, filepath.Base(c.folder), err)
		}
	}
}
