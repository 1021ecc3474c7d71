package shell

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// showGit writes the facts in a short form: because of what, and what is set.
func showGit(g *Git) string {
	if g == nil {
		return "-"
	}
	text := g.Because
	if text == "" {
		text = g.Subcommand
	}
	text += ":"
	for _, fact := range []struct {
		name string
		set  bool
	}{
		{"force", g.Force}, {"lease", g.ForceWithLease}, {"dry", g.DryRun}, {"discards", g.DiscardsChanges},
		{"rewrites", g.RewritesHistory}, {"deletes", g.DeletesRefs}, {"dynamic", g.Dynamic},
	} {
		if fact.set {
			text += " " + fact.name
		}
	}
	return text
}

// gitFacts returns those of the first git command of a line.
func gitFacts(text string) *Git {
	for _, c := range Parse(text, Options{}).Commands {
		if g := c.Git(); g != nil {
			return g
		}
	}
	return nil
}

func TestGit(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Not git.
		{"gitk --all", "-"},
		{"git2 push --force", "-"},
		{"grep git", "-"},
		{"git-", "-"},

		// What is git, and before the subcommand.
		{"git", ":"},
		{"git --version", "version:"},
		{"git --help", "help:"},
		{"git --help reset --hard", "help:"},
		{"/usr/bin/git reset --hard", "reset --hard: discards"},
		{"git.exe reset --hard", "reset --hard: discards"},
		{"hub push --force", "push --force: force rewrites"},
		{"git-push --force", "push --force: force rewrites"},
		{"/usr/lib/git-core/git-reset --hard", "reset --hard: discards"},
		{"git -C /x --no-pager -p reset --hard", "reset --hard: discards"},
		{"git --git-dir=.git --work-tree /x reset --hard", "reset --hard: discards"},
		{"git --git-dir reset status --hard", "status:"},
		{"git -c core.editor=reset status", "status:"},
		{"git -c alias.x=push x --force", "x:"},
		{"git unknown --hard", "unknown:"},
		{"git $X --hard", ": dynamic"},
		{"git $X reset --hard", ": dynamic"},
		{"git -c $X reset --hard", "reset --hard: discards dynamic"},
		{"git -C $DIR reset --hard", "reset --hard: discards dynamic"},
		{`git -C "$DIR" reset --hard`, "reset --hard: discards"},
		{"git -C $DIR status", "status:"},
		{"git --git-dir=$DIR reset --hard", "reset --hard: discards dynamic"},
		{`git --git-dir="$DIR" reset --hard`, "reset --hard: discards"},

		// reset
		{"git reset --hard", "reset --hard: discards"},
		{"git reset --har", "reset --hard: discards"},
		{"git reset -q --hard HEAD", "reset --hard: discards"},
		{"git reset --hard HEAD~1", "reset --hard HEAD~1: discards rewrites"},
		{"git reset --hard origin/main", "reset --hard origin/main: discards rewrites"},
		{`git reset --hard "$COMMIT"`, "reset --hard $COMMIT: discards rewrites dynamic"},
		{"git reset HEAD~1 --hard", "reset --hard HEAD~1: discards rewrites"},
		{"git reset --merge", "reset --merge: discards"},
		{"git reset --soft HEAD~3", "reset HEAD~3: rewrites"},
		{"git reset HEAD^", "reset HEAD^: rewrites"},
		{"git reset --keep v1", "reset v1: rewrites"},
		{"git reset --hard notes.txt", "reset --hard notes.txt: discards rewrites"},
		{"git reset --soft --hard", "reset --hard: discards"},
		{"git reset --hard --soft", "reset:"},
		{"git reset --hard --mixed HEAD", "reset:"},
		{"git reset", "reset:"},
		{"git reset HEAD", "reset:"},
		{"git reset --soft HEAD", "reset:"},
		{"git reset HEAD notes.txt", "reset:"},
		{"git reset -- --hard", "reset:"},
		{"git reset src/", "reset:"},
		{"git reset notes.txt", "reset: dynamic"},
		{"git reset -p HEAD~1", "reset:"},
		{"git reset --hard --help", "reset:"},
		{"git reset -h", "reset:"},
		{"git reset --pathspec-from-file --hard", "reset:"},
		{"git reset --hardly", "reset:"},

		// checkout
		{"git checkout -f", "checkout --force: force discards"},
		{"git checkout -qf main", "checkout --force: force discards"},
		{"git checkout --forc main", "checkout --force: force discards"},
		{"git checkout .", "checkout -- .: discards"},
		{"git checkout -- notes.txt", "checkout -- notes.txt: discards"},
		{"git checkout -- -b", "checkout -- -b: discards"},
		{"git checkout HEAD -- src", "checkout -- src: discards"},
		{"git checkout HEAD~2 notes.txt", "checkout -- notes.txt: discards"},
		{"git checkout --ours notes.txt x", "checkout -- x: discards"},
		{"git checkout ./x", "checkout -- ./x: discards"},
		{"git checkout src/", "checkout -- src/: discards"},
		{"git checkout *.go", "checkout -- *.go: discards"},
		{"git checkout '*.go'", "checkout -- *.go: discards"},
		{"git checkout :/", "checkout -- :/: discards"},
		{"git checkout src/.env", "checkout -- src/.env: discards"},
		{"git checkout a//b", "checkout -- a//b: discards"},
		{"git checkout .gitignore", "checkout -- .gitignore: discards"},
		{"git checkout --pathspec-from-file=x", "checkout --pathspec-from-file: discards"},
		{"git checkout -B main", "checkout -B: force rewrites"},
		{"git checkout -Bmain origin/main", "checkout -B: force rewrites"},
		{"git checkout main -f --no-force", "checkout:"},
		{"git checkout main", "checkout:"},
		{"git checkout feature/x", "checkout:"},
		{"git checkout -", "checkout:"},
		{"git checkout @{-1}", "checkout:"},
		{"git checkout v1.2", "checkout:"},
		{"git checkout main --", "checkout:"},
		{"git checkout -b feature", "checkout:"},
		{"git checkout -bfeature", "checkout:"},
		{"git checkout -b feature origin/main", "checkout:"},
		{"git checkout --orphan pages", "checkout:"},
		{"git checkout --conflict merge main", "checkout:"},
		{"git checkout -m main", "checkout:"},
		{"git checkout -p notes.txt x", "checkout:"},
		{"git checkout notes.txt", "checkout: dynamic"},
		{"git checkout $BRANCH", "checkout: dynamic"},
		{"git checkout main -- $FILE", "checkout -- $FILE: discards"},

		// switch and restore
		{"git switch -f main", "switch --force: force discards"},
		{"git switch --discard-ch main", "switch --discard-changes: force discards"},
		{"git switch -C main", "switch --force-create: force rewrites"},
		{"git switch main", "switch:"},
		{"git switch -c main", "switch:"},
		{"git switch --force --no-force main", "switch:"},
		{"git restore .", "restore .: discards"},
		{"git restore -- --staged", "restore --staged: discards"},
		{"git restore --source HEAD~1 x", "restore x: discards"},
		{"git restore -s --staged x", "restore x: discards"},
		{"git restore --staged --worktree x", "restore x: discards"},
		{"git restore -SW x", "restore x: discards"},
		{"git restore --staged x", "restore:"},
		{"git restore -qS x", "restore:"},
		{"git restore --no-staged x", "restore:"},
		{"git restore --no-worktree x", "restore:"},
		{"git restore -p x", "restore:"},
		{"git restore -p --no-patch x", "restore x: discards"},
		{"git restore", "restore:"},
		{"git restore --", "restore:"},
		{"git restore --pathspec-from-file=x", "restore --pathspec-from-file: discards"},

		// clean, rm, mv, stash, worktree, submodule and other trees
		{"git clean -f", "clean --force: force discards"},
		{"git clean -fdx", "clean --force: force discards"},
		{"git clean -d . -f", "clean --force: force discards"},
		{"git clean --no-force -f", "clean --force: force discards"},
		{"git clean -fe '*.keep'", "clean --force: force discards"},
		{"git -c clean.requireForce=false clean -d", "clean clean.requireForce=false: discards"},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=clean.requireforce GIT_CONFIG_VALUE_0=0 git clean", "clean clean.requireForce=false: discards"},
		{"git -c clean.requireForce=true clean -d", "clean:"},
		{"git clean -n", "clean: dry"},
		{"git clean -fdn", "clean: force dry"},
		{"git clean --dry-r --forc", "clean: force dry"},
		{"git clean -f --no-force", "clean:"},
		{"git clean -e -f", "clean:"},
		{"git clean -fi", "clean: force"},
		{"git clean -d", "clean:"},
		{"git rm -f x", "rm --force: force discards"},
		{"git rm -rf .", "rm --force: force discards"},
		{"git rm --dry-run --no-dry-run --force x", "rm --force: force discards"},
		{"git rm --cached -f x", "rm: force"},
		{"git rm -nf x", "rm: force dry"},
		{"git rm -r x", "rm:"},
		{"git mv -f a b", "mv --force: force discards"},
		{"git mv a b", "mv:"},
		{"git stash drop", "stash drop: discards"},
		{"git stash drop -q stash@{1}", "stash drop: discards"},
		{"git stash clear", "stash clear: discards"},
		{"git stash", "stash:"},
		{"git stash push -m drop", "stash:"},
		{"git stash -- drop", "stash:"},
		{"git stash pop", "stash:"},
		{"git stash save clear", "stash:"},
		{"git stash $X", "stash: dynamic"},
		{"git worktree remove --force ../x", "worktree remove --force: force discards"},
		{"git worktree remove -f -f ../x", "worktree remove --force: force discards"},
		{"git worktree add -B main ../x", "worktree add -B: force rewrites"},
		{"git worktree prune", "worktree:"},
		{"git worktree prune -n", "worktree: dry"},
		{"git worktree remove ../x", "worktree:"},
		{"git worktree add -f ../x", "worktree: force"},
		{"git submodule deinit -f --all", "submodule deinit --force: force discards"},
		{"git submodule update --init --force", "submodule update --force: force discards"},
		{"git submodule update --init", "submodule:"},
		{"git submodule foreach git clean -f", "submodule:"},
		{"git read-tree -u --reset HEAD", "read-tree --reset: discards"},
		{"git read-tree -m -u HEAD", "read-tree -m: discards"},
		{"git read-tree --reset HEAD", "read-tree:"},
		{"git read-tree @", "read-tree:"},
		{"git read-tree --reset v1", "read-tree --reset: discards"},
		{"git read-tree HEAD v1", "read-tree: discards"},
		{"git read-tree --empty", "read-tree --empty: discards"},
		{"git read-tree v1", "read-tree: discards"},
		{"git read-tree -n -m HEAD", "read-tree: dry"},
		{"git read-tree --index-output=x HEAD", "read-tree:"},
		{"git read-tree --prefix=lib/ v1", "read-tree:"},
		{"git read-tree --prefix=lib/ -u v1", "read-tree: discards"},
		{"GIT_INDEX_FILE=x git read-tree v1", "read-tree:"},
		{"export GIT_INDEX_FILE=x; git read-tree v1", "read-tree:"},
		{"GIT_INDEX_FILE=x; git read-tree v1", "read-tree: discards"},
		{"git checkout --recurse-submodules on-demand main", "checkout:"},
		{"git checkout --recurse-submodules main a", "checkout -- a: discards"},
		{"git checkout-index -f -a", "checkout-index --force: force discards"},
		{"git checkout-index -f -a --prefix=/tmp/x/", "checkout-index: force"},
		{"git checkout-index -a", "checkout-index:"},
		{"git sparse-checkout clean -f", "sparse-checkout clean --force: force discards"},
		{"git sparse-checkout clean --dry-run", "sparse-checkout: dry"},
		{"git sparse-checkout set src", "sparse-checkout:"},
		{"git merge --abort", "merge --abort: discards"},
		{"git merge --abor", "merge --abort: discards"},
		{"git merge feature", "merge:"},
		{"git merge -m --abort feature", "merge:"},
		{"git cherry-pick --abort", "cherry-pick --abort: discards"},
		{"git cherry-pick abc123", "cherry-pick:"},
		{"git cherry-pick --quit", "cherry-pick:"},
		{"git revert --skip", "revert --skip: discards"},
		{"git revert HEAD", "revert:"},
		{"git am --abort", "am --abort: discards"},
		{"git am x.mbox", "am:"},

		// History.
		{"git commit --amend", "commit --amend: rewrites"},
		{"git commit --am -m x", "commit --amend: rewrites"},
		{"git commit -a --amend --no-edit", "commit --amend: rewrites"},
		{"git commit -m --amend", "commit:"},
		{"git commit -am --amend", "commit:"},
		{"git commit --message --amend", "commit:"},
		{"git commit -m 'git reset --hard'", "commit:"},
		{`git commit -m "$(cat x)"`, "commit:"},
		{"git commit -m $MESSAGE", "commit: dynamic"},
		{"git commit --amend --no-amend", "commit:"},
		{"git commit --amend --dry-run", "commit: dry"},
		{"git commit -n -m x", "commit:"},
		{"git rebase main", "rebase: rewrites"},
		{"git rebase -i HEAD~3", "rebase: rewrites"},
		{"git rebase --continue", "rebase: rewrites"},
		{"git rebase --skip", "rebase --skip: discards rewrites"},
		{"git rebase --abort", "rebase --abort: discards"},
		{"git rebase --quit", "rebase:"},
		{"git rebase --show-current-patch", "rebase:"},
		{"git pull --rebase", "pull --rebase: rewrites"},
		{"git pull -r origin main", "pull --rebase: rewrites"},
		{"git pull --rebase=merges", "pull --rebase: rewrites"},
		{"git pull --rebase=false", "pull:"},
		{"git pull --rebase --no-rebase", "pull:"},
		{"git pull --force", "pull: force"},
		{"git pull", "pull:"},
		{"git filter-branch --tree-filter 'rm x' HEAD", "filter-branch: rewrites"},
		{"git filter-branch -f -- --all", "filter-branch: force rewrites"},
		{"git filter-repo --path src --force", "filter-repo: force rewrites"},
		{"git filter-repo --analyze", "filter-repo:"},
		{"git filter-repo --dry-run --force", "filter-repo: force dry"},
		{"git lfs migrate import --include '*.bin'", "lfs migrate import: rewrites"},
		{"git lfs migrate info", "lfs:"},
		{"git replace abc def", "replace abc: rewrites"},
		{"git replace -l", "replace:"},
		{"git replace -d abc", "replace --delete: deletes"},
		{"git update-ref refs/heads/main abc", "update-ref refs/heads/main: rewrites"},
		{"git update-ref -d refs/heads/main", "update-ref -d: deletes"},
		{"git update-ref --stdin", "update-ref --stdin: rewrites deletes"},
		{"git reflog expire --expire=now --all", "reflog expire: rewrites"},
		{"git reflog expire -n --all", "reflog: dry"},
		{"git reflog delete HEAD@{1}", "reflog delete: rewrites deletes"},
		{"git reflog", "reflog:"},
		{"git reflog show expire", "reflog:"},
		{"git gc --prune=now", "gc --prune=now: rewrites"},
		{"git gc --pru=all", "gc --prune=all: rewrites"},
		{"git -c gc.pruneExpire=now gc", "gc gc.pruneexpire=now: rewrites"},
		{"git gc --prune=now --no-prune", "gc:"},
		{"git gc --prune", "gc:"},
		{"git gc --aggressive", "gc:"},
		{"git gc --prune=3.months.ago", "gc:"},
		{"git gc --prune=30.days.ago", "gc:"},
		{"git gc --prune=2.days.ago", "gc --prune=2.days.ago: rewrites"},
		{"git prune", "prune: rewrites"},
		{"git prune --exp=now", "prune --expire=now: rewrites"},
		{"git prune --expire 2.weeks.ago", "prune:"},
		{"git prune --expire=never", "prune:"},
		{"git send-pack --force x main", "send-pack --force: force rewrites"},
		{"git send-pack x :main", "send-pack :main: deletes"},
		{"git send-pack x main", "send-pack:"},
		{"git prune -n", "prune: dry"},
		{"git repack -ad", "repack -a -d: rewrites"},
		{"git repack -Ad", "repack:"},
		{"git fast-import --force", "fast-import --force: force rewrites"},
		{"git fast-import", "fast-import:"},
		{"git replay --onto main a..b", "replay a..b: rewrites"},
		{"git replay --ref-action=print --onto main a..b", "replay:"},
		{"git history reword HEAD~2", "history reword: rewrites"},

		// Branches, tags and remotes.
		{"git branch -D x", "branch -D: force deletes"},
		{"git branch -rD origin/x", "branch -D: force deletes"},
		{"git branch -d x", "branch --delete: deletes"},
		{"git branch --del --forc x", "branch --delete: force deletes"},
		{"git branch -f main HEAD~1", "branch --force: force rewrites"},
		{"git branch -M main", "branch -M: force rewrites"},
		{"git branch -C a b", "branch -C: force rewrites"},
		{"git branch -D --help", "branch:"},
		{"git branch", "branch:"},
		{"git branch --list -a", "branch:"},
		{"git branch -m a b", "branch:"},
		{"git branch feature", "branch:"},
		{"git branch -vv", "branch:"},
		{"git branch --contains -D", "branch:"},
		{"git tag -d v1", "tag --delete: deletes"},
		{"git tag -f v1", "tag --force: force rewrites"},
		{"git tag -a v1 -m -d", "tag:"},
		{"git tag -l", "tag:"},
		{"git tag v1", "tag:"},
		{"git symbolic-ref -d HEAD", "symbolic-ref --delete: deletes"},
		{"git symbolic-ref HEAD refs/heads/x", "symbolic-ref:"},
		{"git remote remove origin", "remote remove: deletes"},
		{"git remote rm origin", "remote rm: deletes"},
		{"git remote prune origin", "remote:"},
		{"git remote prune -n origin", "remote: dry"},
		{"git remote update -p", "remote:"},
		{"git remote add origin x", "remote:"},
		{"git remote -v", "remote:"},
		{"git fetch", "fetch:"},
		{"git fetch -p", "fetch:"},
		{"git fetch --prune --dry-run", "fetch: dry"},
		{"git fetch origin +main:main", "fetch +main: rewrites"},
		{"git fetch -f origin main:old", "fetch +main:old: force rewrites"},
		{"git fetch --tags --force", "fetch --tags --force: force rewrites"},
		{"git fetch origin main:main", "fetch:"},
		{"git fetch origin +refs/heads/*:refs/remotes/origin/*", "fetch:"},
		{"git fetch -n --force", "fetch: force"},

		// push
		{"git push --force", "push --force: force rewrites"},
		{"git push -f origin main", "push --force: force rewrites"},
		{"git push origin main -f", "push --force: force rewrites"},
		{"git push -uf origin main", "push --force: force rewrites"},
		{"git push --forc origin main", "push --force --force-with-lease: force lease rewrites"},
		{"git push --force --force-with-lease", "push --force --force-with-lease: force lease rewrites"},
		{"git push --no-force -f", "push --force: force rewrites"},
		{"git push --force-with-lease", "push --force-with-lease: lease rewrites"},
		{"git push --force-w origin main", "push --force-with-lease: lease rewrites"},
		{"git push --force-with-lease=main:abc origin main", "push --force-with-lease: lease rewrites"},
		{"git push --force-w=other origin +main", "push --force-with-lease +main: force lease rewrites"},
		{"git push origin +main", "push +main: force rewrites"},
		{"git push origin HEAD:main +a:b", "push +a:b: force rewrites"},
		{"git push -- origin +main", "push +main: force rewrites"},
		{"git push --mirror", "push --mirror: force rewrites deletes"},
		{"git push origin :old", "push :old: deletes"},
		{"git push origin +:old", "push +:old: force rewrites deletes"},
		{"git push --delete origin old", "push --delete: deletes"},
		{"git push origin -d old", "push --delete: deletes"},
		{"git push --prune origin refs/heads/*", "push --prune: deletes"},
		{"git push origin tag v1 -f", "push --force: force rewrites"},
		{"git push $OPTIONS origin main", "push: dynamic"},
		{"git push origin $REF", "push: dynamic"},
		{"git push -- origin $REF", "push: dynamic"},
		{`git push "$FLAGS"`, "push: dynamic"},
		{"git push", "push:"},
		{"git push origin main", "push:"},
		{"git push -u origin HEAD:main", "push:"},
		{"git push origin :", "push:"},
		{"git push -- --delete", "push:"},
		{"git push -o --force origin", "push:"},
		{"git push --repo --force", "push:"},
		{"git push --force --no-force", "push:"},
		{"git push --follow-tags --all", "push:"},
		{"git push --dry-run --force origin main", "push: force dry"},
		{"git push -nf", "push: force dry"},
		{"git push --mirror -n", "push: dry"},
		{"git push --force --help", "push: force"},
		{"git push --force-if-includes", "push:"},

		// Those that lose nothing.
		{"git log --grep=--hard --force", "log:"},
		{"git grep -e --force", "grep:"},
		{"git show HEAD --hard", "show:"},
		{"git add -f x", "add: force"},
		{"git add $FILES", "add:"},
		{"git bisect start --hard", "bisect:"},
		{"git config alias.x 'reset --hard'", "config:"},
	} {
		if got := showGit(gitFacts(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestGitAsks checks that what asks first is harmless only where a person may
// answer.
func TestGitAsks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"git checkout -p -- x", "checkout:"},
		{"yes | git checkout -p -- x", "checkout -- x: discards"},
		{"git clean -fi <<<1", "clean --force: force discards"},
	} {
		if got := showGit(gitFacts(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestGitTable checks that the rules are about options and terms that exist.
func TestGitTable(t *testing.T) {
	for _, name := range programs.Names() {
		git := programs.Of(name).Git
		sub, _ := strings.CutPrefix(name, "git ")
		if git == nil {
			continue
		}
		g := grammarOf(name)
		known := func(option string) bool {
			if strings.HasPrefix(option, "--") {
				names := gitNames(g, option[2:])
				return len(names) == 1 && "--"+names[0].name == option
			}
			return strings.Contains(g.Short, option[1:])
		}
		for pair := range strings.FieldsSeq(git.Letters) {
			if letter, long, ok := strings.Cut(pair, "="); !ok || len(letter) != 1 || !known("-"+letter) || !known("--"+long) {
				t.Errorf("git %s: no option %s", sub, pair)
			}
		}
		terms := git.Rivals + " " + git.Asks + " " + git.EditsWith
		for rule := range strings.SplitSeq(git.Rules, ";") {
			does, when, _ := strings.Cut(strings.TrimSpace(rule), " ")
			for fact := range strings.SplitSeq(does, "+") {
				if git.Rules != "" && !wordlist.Has("discards rewrites deletes forces", fact) {
					t.Errorf("git %s: no rule does %q", sub, fact)
				}
			}
			terms += " " + when
		}
		for term := range strings.FieldsSeq(terms) {
			term = strings.TrimPrefix(term, "!")
			if strings.HasPrefix(term, "-") && !known(term) || term[0] >= 'a' && gitTerms()[term] == nil {
				t.Errorf("git %s: no %s", sub, term)
			}
		}
	}
	// An alias may hide the ones that don't come with git, or not any more.
	const others = "filter-repo lfs send-email whatchanged"
	for _, name := range programNames(t) {
		if sub, ok := strings.CutPrefix(name, "git "); ok && !wordlist.Has(gitOwn, sub) && !wordlist.Has(others, sub) {
			t.Errorf("%s isn't one of git's", name)
		}
	}
}

func TestGitWords(t *testing.T) {
	texts := func(words []Word) string {
		var all []string
		for _, word := range words {
			all = append(all, showWord(word))
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ text, dir, operands, paths string }{
		{"git status", "", "", ""},
		{"git -C a -C b status", "a/b", "", ""},
		{"git -C a -C /b -C c status", "/b/c", "", ""},
		{"git -C a -C '' status", "a", "", ""},
		{"git -C ~ -C x status", "~/x", "", ""},
		{"git -C $X -C y status", "$X/y*", "", ""},
		{"git -C $X -C /y -C *z status", "/y/*z", "", ""},
		{"git -C $X -C /y status", "/y", "", ""},
		{"git stash drop stash@{0}", "", "drop stash@{0}", ""},
		{"git commit -am x -- a b", "", "", "a b"},
		{"git commit -m x a", "", "a", ""},
		{"git add -v a -- b", "", "", "a b"},
		{"git rm --cached a", "", "", "a"},
		{"git checkout main a b", "", "main", "a b"},
		{"git checkout main -- a", "", "main", "a"},
		{"git checkout . b", "", "", ". b"},
		{"git checkout -b x main", "", "main", ""},
		{"git reset HEAD a", "", "HEAD", "a"},
		{"git reset a b c", "", "a", "b c"},
		{"git push -o x origin main", "", "origin main", ""},
		{"git push -- origin main", "", "origin main", ""},
		{"git log --format %s -n 5 main -- a", "", "%s main", "a"},
		{"git log -S x --since yesterday", "", "", ""},
		{"git log --end-of-options -x -- a", "", "-x -- a", ""},
		{"git submodule foreach --recursive git clean -f", "", "foreach git clean -f", ""},
		{"git tag -m x v1", "", "v1", ""},
		{"git notes add -m x", "", "add", ""},
		{"git config set --global a.b -c", "", "set a.b -c", ""},
		{"git-log main", "", "main", ""},
	} {
		g := gitFacts(c.text)
		dir := ""
		if g.Dir.Text != "" {
			dir = showWord(g.Dir)
		}
		if got := strings.Join([]string{dir, texts(g.Operands), texts(g.Paths)}, " | "); got != strings.Join([]string{c.dir, c.operands, c.paths}, " | ") {
			t.Errorf("%s: %q", c.text, got)
		}
	}
}

func TestGitRefspecs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"git push", ""},
		{"git push origin", ""},
		{"git push origin main", "main>main"},
		{"git push origin a:b +c :d", "a>b +c>c -d"},
		{"git push origin HEAD", "HEAD>"},
		{"git push origin HEAD:refs/heads/x", "HEAD>refs/heads/x"},
		{"git push -f origin a", "+a>a"},
		{"git push --delete origin a b", "-a -b"},
		{"git push -df origin a", "+-a"},
		{"git push origin +:a", "+-a"},
		{"git push origin a:+b", "+a>b"},
		{"git push origin :", ">"},
		{"git push origin tag v1", "refs/tags/v1>refs/tags/v1"},
		{"git push --mirror x", "+refs/*>refs/*"},
		{"git push --all --tags x", "refs/heads/*>refs/heads/* refs/tags/*>refs/tags/*"},
		{"git fetch origin a +b:c", "a> +b>c"},
		{"git fetch origin tag v1", "refs/tags/v1>refs/tags/v1"},
		{"git fetch --multiple a b", ""},
		{"git pull origin main", "main>"},
		{"git log a:b", ""},
	} {
		var all []string
		for _, r := range gitFacts(c.text).Refspecs {
			text := r.Source + ">" + r.Target
			if r.Delete {
				text = "-" + r.Target
			}
			if r.Force {
				text = "+" + text
			}
			all = append(all, text)
		}
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestGitNames checks that long options are abbreviated as git does it.
func TestGitNames(t *testing.T) {
	g := &grammar{Long: "force force-with-lease? quiet no-verify verbose repo=", Closed: true}
	for _, c := range []struct{ name, want string }{
		{"force", "force"},
		{"forc", "force force-with-lease"},
		{"force-", "force-with-lease"},
		{"q", "quiet"},
		{"no-q", "-quiet"},
		{"no-force", "-force"},
		{"no-veri", "no-verify"},
		{"verify", "-no-verify"},
		{"verif", "-no-verify"},
		{"ver", "-no-verify verbose"},
		{"rep", "repo"},
		{"forced", ""},
		{"x", ""},
		{"", ""},
	} {
		var all []string
		for _, n := range gitNames(g, c.name) {
			if n.off {
				n.name = "-" + n.name
			}
			all = append(all, n.name)
		}
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("--%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Where names of programs have no case, GIT is git, and people shout the rest, too.
func TestGitInCapitals(t *testing.T) {
	shout := func(path string, words ...string) *Git {
		c := &Command{Name: "git", Path: path}
		for _, word := range words {
			c.Args = append(c.Args, Word{Text: word})
		}
		return c.Git()
	}
	if g := shout("GIT", "RESET", "--HARD"); g.Subcommand != "reset" || !g.DiscardsChanges {
		t.Errorf("%+v", g)
	}
	if g := shout("/bin/Git", "Stash", "Drop"); g.Subcommand != "stash" || !g.DiscardsChanges {
		t.Errorf("%+v", g)
	}
	if g := shout("git", "RESET", "--HARD"); g.Subcommand != "RESET" || g.DiscardsChanges {
		t.Errorf("%+v", g)
	}
}
