package shell

import (
	"strings"
	"testing"
)

// TestGitRuns checks what git commands run in turn.
func TestGitRuns(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Aliases.
		{"git -c alias.x='!rm -rf /' x", "git -c \"alias.x=!rm -rf /\" x; git alias x > rm -rf /"},
		{"git -c alias.x='!rm -rf' x a 'b c'", "git -c \"alias.x=!rm -rf\" x a \"b c\"; git alias x > rm -rf a \"b c\""},
		{"git -c alias.x='!a; b' x", "git -c \"alias.x=!a; b\" x; git alias x > a; git alias x > b"},
		{"git -c alias.x='!rm' x $Y", "git -c alias.x=!rm x $Y*; git alias x > rm $Y*"},
		{"git -c alias.x='!rm' x '$Y'", "git -c alias.x=!rm x $Y; git alias x > rm $Y"},
		{"git -c alias.x='reset --hard' x HEAD~1", "git -c \"alias.x=reset --hard\" x HEAD~1; git alias x > git -c \"alias.x=reset --hard\" reset --hard HEAD~1"},
		{`git -c alias.x='commit -m "a b"' x`, `git -c "alias.x=commit -m \"a b\"" x; git alias x > git -c "alias.x=commit -m \"a b\"" commit -m "a b"`},
		{"git -C d -c alias.x=push x -f", "git -C d -c alias.x=push x -f; git alias x > git -C d -c alias.x=push push -f"},
		{"git -c Alias.X=push x", "git -c Alias.X=push x; git alias x > git -c Alias.X=push push"},
		{"git -c alias.x=status -c alias.x=push x", "git -c alias.x=status -c alias.x=push x; git alias x > git -c alias.x=status -c alias.x=push push"},
		{"git -calias.x=push x", "git -calias.x=push x; git alias x > git -calias.x=push push"},
		{"git -c alias.x.command=push x", "git -c alias.x.command=push x; git alias x > git -c alias.x.command=push push"},
		{"git -c alias.x=y -c alias.y='!rm' x", "git -c alias.x=y -c alias.y=!rm x; git alias x > git -c alias.x=y -c alias.y=!rm y; git alias x > git alias y > rm"},
		{"git -c alias.x=$Y x", "git -c alias.x=$Y* x; git alias x > ? $Y*"},
		{"git -c alias.x=!$Y x", "git -c alias.x=!$Y* x; git alias x > ?$Y"},
		{"git -c $Y x", "git -c $Y* x; git -c > ?"},
		{`git -c "$Y=1" status`, "git -c $Y=1* status; git -c > ?"},
		{"git --config-env=alias.x=Y x", "git --config-env=alias.x=Y x; git alias x > ? $Y*"},
		{"Y='!rm' git --config-env alias.x=Y x", "Y=!rm git --config-env alias.x=Y x; git alias x > rm"},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -f a' git x", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=\"!rm -f a\" git x; git alias x > rm -f a"},
		{`GIT_CONFIG_PARAMETERS="'alias.x=!rm a'" git x`, `GIT_CONFIG_PARAMETERS="'alias.x=!rm a'" git x; git alias x > rm a`},
		{`GIT_CONFIG_PARAMETERS="'alias.x'='!rm a'" git x`, `GIT_CONFIG_PARAMETERS="'alias.x'='!rm a'" git x; git alias x > rm a`},
		{"GIT_CONFIG_COUNT=$N git status", "GIT_CONFIG_COUNT=$N* git status; git -c > GIT_CONFIG_COUNT=$N* ?"},
		{"git config alias.x '!rm a' && git x b", "git config alias.x \"!rm a\"; git x b @and; git alias x > rm a b @and"},
		{"git config --global alias.x push; git x", "git config --global alias.x push; git x; git alias x > git push"},
		{"git config set alias.x push; git x", "git config set alias.x push; git x; git alias x > git push"},
		{"git config alias.x a; git config alias.x b; git x", "git config alias.x a; git config alias.x b; git x; git alias x > git a; git alias x > git b"},
		{"git config $K push; git x", "git config $K* push; git x; git x > ?"},
		{"git -c alias.x='!f() { rm \"$1\"; }; f' x a", "git -c \"alias.x=!f() { rm \\\"$1\\\"; }; f\" x a; git alias x > f a; git alias x > f() > rm a"},
		{"git -c alias.x='!rm $1 #' x a", "git -c \"alias.x=!rm $1 #\" x a; git alias x > rm a"},
		{"git -c alias.x='!rm' $Y", "git -c alias.x=!rm $Y*; git alias x > rm"},

		// What is no alias, or isn't asked for.
		{"git -c alias.status='!rm' status", "git -c alias.status=!rm status"},
		{"git -c alias.x='!rm' y", "git -c alias.x=!rm y"},
		{"git -c alias.x='!rm'", "git -c alias.x=!rm"},
		{"git -c alias.x", "git -c alias.x"},
		{"git config alias.x '!rm'", "git config alias.x !rm"},
		{"git config --get alias.x '!rm'; git x", "git config --get alias.x !rm; git x"},
		{"git config unset alias.x '!rm'; git x", "git config unset alias.x !rm; git x"},
		{"git commit -m '!rm'", "git commit -m !rm"},
		{"GIT_CONFIG_COUNT=0 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm' git x", "GIT_CONFIG_COUNT=0 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=!rm git x"},
		{"echo git -c alias.x='!rm' x", "echo git -c alias.x=!rm x"},

		// Programs that variables and settings name.
		{"GIT_SSH_COMMAND='rm -rf /' git fetch", "GIT_SSH_COMMAND=\"rm -rf /\" git fetch; git GIT_SSH_COMMAND > rm -rf /"},
		{"git -c core.sshCommand='rm a' push", "git -c \"core.sshCommand=rm a\" push; git core.sshcommand > rm a"},
		{"GIT_SSH_COMMAND=a git -c core.sshCommand=b pull", "GIT_SSH_COMMAND=a git -c core.sshCommand=b pull; git GIT_SSH_COMMAND > a"},
		{"git clone -c core.sshCommand=a b:c", "git clone -c core.sshCommand=a b:c; git core.sshcommand > a"},
		{"GIT_SSH=/x/y git ls-remote", "GIT_SSH=/x/y git ls-remote; git GIT_SSH > GIT_SSH=/x/y y"},
		{"GIT_EDITOR='rm a' git commit", "GIT_EDITOR=\"rm a\" git commit; git GIT_EDITOR > rm a"},
		{"EDITOR=a VISUAL=b git rebase -i x", "EDITOR=a VISUAL=b git rebase -i x; git VISUAL > b"},
		{"GIT_SEQUENCE_EDITOR='sed -i s/a/b/' git rebase -i x", "GIT_SEQUENCE_EDITOR=\"sed -i s/a/b/\" git rebase -i x; git GIT_SEQUENCE_EDITOR > sed -i s/a/b/"},
		{"git -c core.pager='sh -c ls' log", "git -c \"core.pager=sh -c ls\" log; git core.pager > sh -c ls; git core.pager > sh -c > ls"},
		{"git -c pager.log=a log", "git -c pager.log=a log; git pager.log > a"},
		{"git -p -c core.pager=a fetch", "git -p -c core.pager=a fetch; git core.pager > a"},
		{"git -c core.fsmonitor='rm a' status", "git -c \"core.fsmonitor=rm a\" status; git core.fsmonitor > rm a"},
		{"git -c credential.helper='!rm a' fetch", "git -c \"credential.helper=!rm a\" fetch; git credential.helper > rm a get"},
		{"git -c credential.https://x.helper=/y/z fetch", "git -c credential.https://x.helper=/y/z fetch; git credential.https://x.helper > z get"},
		{"git -c credential.helper=store fetch", "git -c credential.helper=store fetch; git credential.helper > git credential-store get"},
		{"GIT_EXTERNAL_DIFF='rm a' git diff", "GIT_EXTERNAL_DIFF=\"rm a\" git diff; git GIT_EXTERNAL_DIFF > rm a"},
		{"git -c diff.png.textconv='rm a' show", "git -c \"diff.png.textconv=rm a\" show; git diff.png.textconv > rm a"},
		{"git -c filter.x.smudge='rm a' checkout main", "git -c \"filter.x.smudge=rm a\" checkout main; git filter.x.smudge > rm a"},
		{"git -c merge.x.driver='rm %A' merge y", "git -c \"merge.x.driver=rm %A\" merge y; git merge.x.driver > rm %A"},
		{"git -c gpg.program=/x/y commit -S", "git -c gpg.program=/x/y commit -S; git gpg.program > y"},
		{"git -c difftool.x.cmd='rm a' difftool -t x", "git -c \"difftool.x.cmd=rm a\" difftool -t x; git difftool.x.cmd > rm a"},
		{"git -c submodule.x.update='!rm a' submodule update", "git -c \"submodule.x.update=!rm a\" submodule update; git submodule.x.update > rm a"},
		{"git config core.pager 'rm a'; git log", "git config core.pager \"rm a\"; git log; git core.pager > rm a"},
		{`GIT_SSH_COMMAND="ssh -i $K" git fetch`, `GIT_SSH_COMMAND="ssh -i $K"* git fetch; git GIT_SSH_COMMAND > ?ssh -i $K; git GIT_SSH_COMMAND > ssh -i $K*`},

		// Those that aren't run, or name no program.
		{"GIT_SSH_COMMAND='rm -rf /' git status", "GIT_SSH_COMMAND=\"rm -rf /\" git status"},
		{"git -c core.sshCommand=a remote -v", "git -c core.sshCommand=a remote -v"},
		{"GIT_EDITOR=a git status", "GIT_EDITOR=a git status"},
		{"GIT_EDITOR=a git branch -a", "GIT_EDITOR=a git branch -a"},
		{"git -c core.pager=a --no-pager log", "git -c core.pager=a --no-pager log"},
		{"git -c pager.diff=a log", "git -c pager.diff=a log"},
		{"git -c pager.log=false log", "git -c pager.log=false log"},
		{"git -c core.fsmonitor=false status", "git -c core.fsmonitor=false status"},
		{"git -c credential.helper= fetch", "git -c credential.helper= fetch"},
		{"git -c submodule.x.update=rebase submodule update", "git -c submodule.x.update=rebase submodule update"},
		{"git -c user.name='rm -rf /' commit", "git -c \"user.name=rm -rf /\" commit"},
		{"git -c core.sshCommand=a fetch --help", "git -c core.sshCommand=a fetch --help"},

		// Options.
		{"git rebase -x 'make; rm a' main", "git rebase -x \"make; rm a\" main; git rebase -x > make; git rebase -x > rm a"},
		{"git rebase --exe='rm a' main", "git rebase \"--exe=rm a\" main; git rebase --exec > rm a"},
		{"git rebase --exec a --exec b", "git rebase --exec a --exec b; git rebase --exec > a; git rebase --exec > b"},
		{"git rebase -s -x -X a", "git rebase -s -x -X a"},
		{"git grep -O'rm a' x", "git grep \"-Orm a\" x; git grep -O > rm a"},
		{"git grep --open-files-in-pager=less x", "git grep --open-files-in-pager=less x; git grep --open-files-in-pager > less"},
		{"git grep -O x", "git grep -O x"},
		{"git difftool -yx 'rm a' HEAD", "git difftool -yx \"rm a\" HEAD; git difftool -x > rm a"},
		{"git clone -u 'rm a' x", "git clone -u \"rm a\" x; git clone -u > rm a"},
		{"git fetch --upload-pack='rm a' .", "git fetch \"--upload-pack=rm a\" .; git fetch --upload-pack > rm a"},
		{"git push --receive-pack a x", "git push --receive-pack a x; git push --receive-pack > a"},
		{"git archive --remote=x --exec='rm a' HEAD", "git archive --remote=x \"--exec=rm a\" HEAD; git archive --exec > rm a"},
		{"git filter-branch --tree-filter 'rm -rf a' HEAD", "git filter-branch --tree-filter \"rm -rf a\" HEAD; git filter-branch --tree-filter > rm -rf a"},
		{"git filter-branch --msg-filter 'sed s/a/b/' --env-filter 'X=1'", "git filter-branch --msg-filter \"sed s/a/b/\" --env-filter X=1; git filter-branch --msg-filter > sed s/a/b/; git filter-branch --env-filter > X=1 -"},
		{"git filter-repo --blob-callback 'x()'", "git filter-repo --blob-callback x(); git filter-repo --blob-callback > ? x()"},
		{"git send-email --to-cmd='rm a' x", "git send-email \"--to-cmd=rm a\" x; git send-email --to-cmd > rm a"},
		{"git commit -m '--exec=rm'", "git commit -m --exec=rm"},

		// Operands.
		{"git bisect run rm -rf a", "git bisect run rm -rf a; git bisect run > rm -rf a"},
		{"git bisect run sh -c 'make && rm a'", "git bisect run sh -c \"make && rm a\"; git bisect run > sh -c \"make && rm a\"; git bisect run > sh -c > make; git bisect run > sh -c > rm a @and"},
		{"rm() { ls; }; git bisect run rm", "git bisect run rm; git bisect run > rm; ls @function"},
		{"git bisect start run", "git bisect start run"},
		{"git bisect log", "git bisect log"},
		{"git submodule foreach 'rm -rf a; ls'", "git submodule foreach \"rm -rf a; ls\"; git submodule foreach > rm -rf a; git submodule foreach > ls"},
		{"git submodule -q foreach --recursive git clean -f", "git submodule -q foreach --recursive git clean -f; git submodule foreach > git clean -f"},
		{"git submodule foreach git reset --hard '$sha1'", "git submodule foreach git reset --hard $sha1; git submodule foreach > git reset --hard $sha1"},
		{"git submodule add x foreach", "git submodule add x foreach"},
		{"git for-each-repo --config=a.b gc --prune=now", "git for-each-repo --config=a.b gc --prune=now; git for-each-repo > git gc --prune=now"},
		{"git merge-index rm -a", "git merge-index rm -a; git merge-index > rm"},
		{"git clone 'ext::sh -c rm% a'", "git clone \"ext::sh -c rm% a\"; git ext:: > sh -c \"rm a\"; git ext:: > sh -c > rm a"},
		{"git fetch 'ext::rm %S a%%'", "git fetch \"ext::rm %S a%%\"; git ext:: > rm %S* a%"},
		{"git -c remote.x.url='ext::rm a' fetch x", "git -c \"remote.x.url=ext::rm a\" fetch x; git ext:: > rm a"},
		{"git -c url.ext::rm.insteadOf=x fetch x", "git -c url.ext::rm.insteadOf=x fetch x; git ext:: > rm"},
		{"git remote add x 'ext::rm a'; git fetch x", "git remote add x \"ext::rm a\"; git fetch x; git ext:: > rm a"},
		{"git archive --remote='ext::rm a' HEAD", "git archive \"--remote=ext::rm a\" HEAD; git ext:: > rm a"},
		{"git clone https://example.com/ext::x", "git clone https://example.com/ext::x"},
		{"git remote add x 'ext::rm a'", "git remote add x \"ext::rm a\""},

		// Hooks that the line wrote.
		{"echo 'rm a' >.git/hooks/pre-commit; git commit", "echo \"rm a\" >.git/hooks/pre-commit; git commit; git hook pre-commit > rm a"},
		{"echo 'rm a' >h/pre-push; git -c core.hooksPath=h push", "echo \"rm a\" >h/pre-push; git -c core.hooksPath=h push; git hook pre-push > rm a"},
		{"echo 'rm a' >s/.git/hooks/pre-push; git -C s hook run pre-push", "echo \"rm a\" >s/.git/hooks/pre-push; git -C s hook run pre-push; git hook pre-push > rm a"},
		{"echo 'rm a' >.git/hooks/pre-commit; git push", "echo \"rm a\" >.git/hooks/pre-commit; git push"},

		// Variables that the line exports.
		{"export GIT_SSH_COMMAND='rm a'; git fetch", "export \"GIT_SSH_COMMAND=rm a\"; git fetch; git GIT_SSH_COMMAND > rm a"},
		{"GIT_SSH_COMMAND='rm a'; git fetch", "GIT_SSH_COMMAND=\"rm a\" -; git fetch"},
		{"export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm'; git x", "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=!rm; git x; git alias x > rm"},
		{"GIT_EDITOR=a GIT_EDITOR=b git commit", "GIT_EDITOR=a GIT_EDITOR=b git commit; git GIT_EDITOR > b"},

		// Behind others.
		{"sudo git -c alias.x='!rm' x", "sudo git -c alias.x=!rm x; sudo > git -c alias.x=!rm x; sudo > git alias x > rm"},
		{"xargs git -c alias.x='!rm' x", "xargs git -c alias.x=!rm x; xargs > git -c alias.x=!rm x {}*; xargs > git alias x > rm {}*"},
		{"git-bisect run rm", "git-bisect run rm; git bisect run > rm"},
	} {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestGitRemote checks that what runs on another machine is said to.
func TestGitRemote(t *testing.T) {
	for _, c := range []struct {
		text   string
		remote bool
	}{
		{"git clone -u rm host:x", true},
		{"git fetch --upload-pack rm ssh://host/x", true},
		{"git push --exec rm git@host:x main", true},
		{"git clone -u rm ./x", false},
		{"git clone -u rm file:///x", false},
		{"git clone -u rm ./a:b", false},
		{"git fetch --upload-pack rm origin", false},
		{"git -c core.sshCommand=rm fetch ssh://host/x", false},
	} {
		commands := Parse(c.text, Options{}).Commands
		if last := commands[len(commands)-1]; last.Name != "rm" || last.Remote != c.remote {
			t.Errorf("%s: %s, remote %v", c.text, last.Name, last.Remote)
		}
	}
}

// TestGitDir checks where git runs what it runs.
func TestGitDir(t *testing.T) {
	const top = "$(git rev-parse --show-toplevel)"
	for _, c := range []struct{ text, want string }{
		{"git -C sub -c alias.x='!rm' x", top},
		{"git bisect run rm", top},
		{"git submodule foreach rm", top},
		{"git -C sub -c alias.x=y x", "."},
	} {
		commands := Parse(c.text, Options{}).Commands
		if last := commands[len(commands)-1]; last.Dir.Text != c.want || last.Dir.Dynamic != (c.want == top) || last.Line != 1 {
			t.Errorf("%s: in %+v, line %d", c.text, last.Dir, last.Line)
		}
	}
}

// TestGitBounds checks that aliases end.
func TestGitBounds(t *testing.T) {
	for _, text := range []string{
		"git -c alias.x=x x",
		"git -c alias.x=y -c alias.y=x x",
		"git -c alias.x='!git -c alias.x=x x; git -c alias.x=x x' x",
	} {
		if line := Parse(text, Options{}); !line.TooComplex || len(line.Commands) > 200 {
			t.Errorf("%s: too complex %v, %d commands", text, line.TooComplex, len(line.Commands))
		}
	}
}

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
