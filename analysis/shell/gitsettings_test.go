package shell

import (
	"strings"
	"testing"
)

func TestGitSettings(t *testing.T) {
	for _, c := range []struct{ text, settings, stored string }{
		{"git status", "", ""},
		{"git -c core.Pager=cat log", "core.pager=cat", ""},
		{"git -ccore.pager=cat -c core.pager=less log", "core.pager=less", ""},
		{"git -c alias.n='!echo n'", `alias.n="!echo n"`, ""},
		{"git -c diff.PNG.textconv=x diff", "diff.PNG.textconv=x", ""},
		{"git -c $X log", "", ""},
		{"git --config-env=core.pager=P log", "core.pager=$P*", ""},
		{"P=x git --config-env=core.pager=P log", "core.pager=x", ""},
		{"git --exec-path=/x status", "GIT_EXEC_PATH=/x", ""},
		{"git --exec-path", "", ""},
		{"git clone -c core.symlinks=false x", "core.symlinks=false", ""},
		{"git switch -c core.pager=x", "", ""},
		{"GIT_SSH_COMMAND='ssh -v' FOO=1 git fetch", `GIT_SSH_COMMAND="ssh -v"`, ""},
		{"export GIT_SSH_COMMAND=a; GIT_EXEC_PATH=$X git fetch", "GIT_SSH_COMMAND=a GIT_EXEC_PATH=$X*", ""},
		{"GIT_SSH_COMMAND=a; git fetch", "", ""},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.sshCommand GIT_CONFIG_VALUE_0=a git fetch", "core.sshcommand=a", ""},
		{`GIT_CONFIG_PARAMETERS="'core.sshCommand=a'" git fetch`, "core.sshcommand=a", ""},
		{"git config core.hooksPath /x", "", "core.hookspath=/x"},
		{"git config --global --replace-all core.hooksPath /x", "", "core.hookspath=/x"},
		{"git config set core.hooksPath /x", "", "core.hookspath=/x"},
		{"git config --name-only core.hooksPath /x", "", "core.hookspath=/x"},
		{"git config core.hooksPath $X", "", "core.hookspath=$X*"},
		{"git config core.hooksPath", "", ""},
		{"git config get core.hooksPath", "", ""},
		{"git config --unset core.hooksPath /x", "", ""},
		{"git config --get core.hooksPath /x", "", ""},
		{"git remote add up ext::x", "", "remote.up.url=ext::x"},
		{"git remote show origin", "", ""},
	} {
		g := gitFacts(c.text)
		show := func(s GitSetting) string { return s.Key + "=" + showWord(s.Value) }
		var all []string
		for _, s := range g.Settings {
			all = append(all, show(s))
		}
		stored := ""
		if g.Stored != nil {
			stored = show(*g.Stored)
		}
		if got := strings.Join(all, " "); got != c.settings || stored != c.stored {
			t.Errorf("%s: %q and %q, want %q and %q", c.text, got, stored, c.settings, c.stored)
		}
	}
}

func TestGitSkipsHooks(t *testing.T) {
	for _, text := range []string{
		"git commit --no-verify -m x",
		"git commit --no-veri",
		"git commit -n",
		"git commit -anm x",
		"git push --no-verify",
		"git merge --no-verify x",
		"git pull --no-verify",
		"git rebase --no-verify main",
		"git am -n x.patch",
		"git am --no-verify x.patch",
		"git revert --no-verify HEAD",
		"git cherry-pick --no-verify v1",
		"git -c core.hooksPath=/dev/null commit -m x",
		"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hookspath GIT_CONFIG_VALUE_0= git push",
		"HUSKY=0 git commit -m x",
		"export HUSKY=0; git commit -m x",
		"HUSKY_SKIP_HOOKS=1 git push",
		"LEFTHOOK=false git push",
	} {
		if !gitFacts(text).SkipsHooks {
			t.Errorf("%s: doesn't skip hooks", text)
		}
	}
	for _, text := range []string{
		"git commit -m --no-verify",
		"git commit -m -n",
		"git commit -m 'use -n'",
		"git commit --no-verify --verify",
		"git commit --dry-run --no-verify",
		"git commit --no-verify --help",
		"git commit -- --no-verify",
		"git push -n",
		"git revert -n HEAD",
		"git merge -n x",
		"git log -n 3",
		"git rev-parse --no-verify x",
		"git -c core.hooksPath=/dev/null clone x",
		"git -c core.editor=true commit",
		"HUSKY=1 git commit",
		"HUSKY_SKIP_HOOKS= git commit",
		"HUSKY=0 git log",
		"HUSKY=0; git commit",
	} {
		if gitFacts(text).SkipsHooks {
			t.Errorf("%s: skips hooks", text)
		}
	}
}

func TestGitElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"git status":                             false,
		"git -C x status":                        false,
		"git -C $X status":                       true,
		"git --git-dir=/x status":                true,
		"git --work-tree /x status":              true,
		"GIT_DIR=/x git status":                  true,
		"export GIT_WORK_TREE=/x && git status":  true,
		"GIT_WORK_TREE=/x; git status":           false,
		"git commit -m --git-dir=x":              false,
		"GIT_AUTHOR_DATE=x git commit -m y":      false,
		"env GIT_INDEX_FILE=/x git add .":        true,
		"bash -c 'GIT_DIR=/x git reset --hard'":  true,
		"export GIT_DIR; bash -c 'git checkout'": false,
	} {
		if got := gitFacts(text).Elsewhere; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
