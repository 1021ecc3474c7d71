package lib

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

var mayGit = hooks.Grants{Git: true}

// quietGit keeps the configuration of whoever runs the tests out of them.
func quietGit(t *testing.T) (home string) {
	t.Helper()
	home = folder(t)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	return home
}

func TestGit(t *testing.T) {
	quietGit(t)
	root := folder(t)
	files(t, root, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "sub/c.txt": "c\n", "ä ö.txt": "x\n", ".gitignore": "*.log\n"})
	commitAll(t, root)
	first := git(t, root, "rev-parse", "HEAD")
	git(t, root, "tag", "v1")
	files(t, root, map[string]string{"sub/c.txt": "c2\n"})
	git(t, root, "commit", "--quiet", "-a", "-m", "second: \"quoted\"\n\nbody")
	git(t, root, "remote", "add", "origin", "https://ada:secret@example.com/p.git?token=x")
	git(t, root, "remote", "add", "other", "git@example.com:p.git")
	files(t, root, map[string]string{"a.txt": "one\ntwo\n", "new/n.txt": "n", "x.log": "ignored", "staged.txt": "s\n"})
	git(t, root, "add", "staged.txt")
	git(t, root, "mv", "b.txt", "moved.txt")
	scripts := []script{
		{"branch", `same(git.branch(), "main")`, ""},
		{"head", `same(git.head(), "` + git(t, root, "rev-parse", "HEAD") + `")`, ""},
		{"root", `same(git.root(), "` + root + `")`, ""},
		{"status", `same(git.status(), json.decode([==[[
			{"index":" ","path":"a.txt","worktree":"M"}, {"index":"D","path":"b.txt","worktree":" "}, {"index":"A","path":"moved.txt","worktree":" "},
			{"index":"A","path":"staged.txt","worktree":" "}, {"index":"?","path":"new/n.txt","worktree":"?"}]]==]))`, ""},
		{"changed", `same(git.changed(), { "a.txt", "b.txt", "moved.txt", "new/n.txt", "staged.txt" })`, ""},
		{"changed since a tag", `same(git.changed("v1"), { "a.txt", "b.txt", "moved.txt", "new/n.txt", "staged.txt", "sub/c.txt" })`, ""},
		{"changed since HEAD~1", `same(#git.changed("HEAD~1"), 6)`, ""},
		{"changed since nothing", `local list, problem = git.changed("none") same(list, nil) same(problem, "there is no commit none")`, ""},
		{"since a blob", `same(git.changed("HEAD:a.txt"), nil)`, ""},
		{"an option as base", `git.changed("--output=/tmp/x")`, "the name of a commit expected"},
		{"an empty base", `git.changed("")`, "the name of a commit expected"},
		{"lines in the base", `git.changed("a\nb")`, "the name of a commit expected"},
		{"diff", `local d = git.diff() assert(text.contains(d, "--- a/a.txt\n+++ b/a.txt\n") and text.contains(d, "+two") and not text.contains(d, "staged"), d)`, ""},
		{"staged diff", `local d = git.diff({ staged = true }) assert(text.contains(d, "+++ b/staged.txt") and not text.contains(d, "+two"), d)`, ""},
		{"diff of a path", `same(git.diff({ path = "sub" }), "") assert(text.contains(git.diff({ path = "./a.txt" }), "+two"))`, ""},
		{"diff of a base", `local d = git.diff({ base = "v1", path = "sub/c.txt" }) assert(text.contains(d, "-c\n+c2"), d)`, ""},
		{"a long diff", `local d, problem = git.diff({ max = 20 }) same(d, nil) same(problem, "git diff prints more than 20 bytes")`, ""},
		{"an option as base of a diff", `git.diff({ base = "--no-index" })`, "base: the name of a commit expected"},
		{"an option as path", `same(git.diff({ path = "--output=x" }), "") same(git.tracked("-z"), false)`, ""},
		{"magic in a path", `same(git.diff({ path = ":(top)a.txt" }), "") same(git.tracked(":/a.txt"), false) same(git.tracked("*.txt"), false)`, ""},
		{"a path outside", `git.diff({ path = "/etc/passwd" })`, "outside of the project"},
		{"a path above", `git.diff({ path = "../x" })`, "has .. in it"},
		{"log", `local log = git.log() same(#log, 2) same(log[1].subject, 'second: "quoted"') same(log[2].subject, "first") same(log[2].hash, "` + first + `") same(log[1].author, "Ada") assert(time.parse(log[1].date) > 1e9)`, ""},
		{"log of a path", `local log = git.log({ path = "sub/c.txt", n = 1 }) same(#log, 1) same(log[1].hash, git.head()) same(#git.log({ path = "none" }), 0)`, ""},
		{"log of too many", `git.log({ n = 1001 })`, "n: whole number from 1 to 1000"},
		{"tracked", `assert(git.tracked("a.txt") and git.tracked("sub") and git.tracked("ä ö.txt") and git.tracked("staged.txt") and git.tracked("` + root + `/a.txt")) assert(not git.tracked("new/n.txt") and not git.tracked("none"))`, ""},
		{"remote", `same(git.remote(), "https://example.com/p.git") same(git.remote("other"), "git@example.com:p.git")`, ""},
		{"no remote", `local url, problem = git.remote("none") same(url, nil) same(problem, "there is no remote none")`, ""},
		{"a remote that is none", `git.remote("a b")`, "the name of a remote expected"},
		{"unknown option", `git.diff({ cached = true })`, "unknown option cached"},
	}
	checkIn(t, root, mayGit, scripts)

	checkIn(t, filepath.Join(root, "sub"), mayGit, []script{
		{"in a folder of it", `same(git.root(), "` + root + `") same(git.tracked("c.txt"), true) same(#git.status(), 0) same(git.diff(), "") same(git.changed("v1"), { "c.txt" }) same(#git.log(), 2) same(git.tracked("a.txt"), false)`, ""},
		{"its diff", `assert(text.contains(git.diff({ base = "v1" }), "+++ b/c.txt"))`, ""},
	})

	git(t, root, "checkout", "--quiet", "--detach")
	checkIn(t, root, mayGit, []script{
		{"detached", `local branch, problem = git.branch() same(branch, nil) same(problem, "no branch is checked out (HEAD is detached)") assert(git.head())`, ""},
	})
	worktree := filepath.Join(folder(t), "second")
	git(t, root, "worktree", "add", "--quiet", "-b", "topic", worktree, "v1")
	checkIn(t, worktree, mayGit, []script{
		{"a work tree", `same(git.branch(), "topic") same(git.root(), "` + worktree + `") same(#git.status(), 0) assert(git.tracked("b.txt"))`, ""},
	})
}

func TestGitWithoutCommits(t *testing.T) {
	quietGit(t)
	root := folder(t)
	checkIn(t, root, mayGit, []script{
		{"no repository", `local branch, problem = git.branch() same(branch, nil) same(problem, "` + root + ` is in no git repository") same(git.root(), nil) same(git.status(), nil)`, ""},
		{"tracked can't be told", `git.tracked("x")`, "is in no git repository"},
	})
	git(t, root, "init", "--quiet", "-b", "main")
	files(t, root, map[string]string{"x": ""})
	checkIn(t, root, mayGit, []script{
		{"no commit", `same(git.branch(), "main") local head, problem = git.head() same(head, nil) same(problem, "there is no commit HEAD") same(git.changed(), { "x" })`, ""},
		{"no log", `local log, problem = git.log() same(log, nil) assert(problem)`, ""},
	})
	broken := filepath.Join(root, "broken")
	files(t, broken, map[string]string{".git/x": ""})
	checkIn(t, broken, mayGit, []script{
		{"what is none isn't looked for above", `local head, problem = git.head() same(head, nil) assert(text.contains(problem, "git rev-parse: not a git repository"), problem)`, ""},
	})
}

func TestNoGit(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	t.Setenv("PATH", folder(t))
	checkIn(t, root, mayGit, []script{
		{"no git", `local head, problem = git.head() same(head, nil) same(problem, "git is in no folder of PATH")`, ""},
	})
}

func TestFiltersOff(t *testing.T) {
	off, err := filtersOff("filter.a.clean\x00filter.a.process\x00filter.b.c d.smudge\x00filter.clean\x00", false)
	want := "filter.a.clean= filter.a.smudge= filter.a.process= filter.a.required=false filter.b.c d.clean= filter.b.c d.smudge= filter.b.c d.process= filter.b.c d.required=false"
	if got := strings.Join(off, " "); err != nil || got != want {
		t.Errorf("got %q %v", got, err)
	}
	for name, keys := range map[string]string{"can't be switched off": "filter.a=b.clean\x00", "too many": strings.Repeat("x", 1)} {
		if _, err := filtersOff(keys, name == "too many"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestWithoutCredentials(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/p.git":               "https://example.com/p.git",
		"https://ada@example.com/p.git":           "https://example.com/p.git",
		"https://ada:secret@example.com:8443/p":   "https://example.com:8443/p",
		"https://secret:x-oauth-basic@github.com": "https://github.com",
		"https://example.com/@scope/p?token=t#f":  "https://example.com/@scope/p",
		"ssh://git:secret@example.com/p":          "ssh://git@example.com/p",
		"git@example.com:p.git":                   "git@example.com:p.git",
		"/srv/p.git":                              "/srv/p.git",
		"https://ada:sec/ret@example.com/p":       "https://example.com/p",
		"https://ada:sec ret@example.com/p?k=v":   "https://example.com/p",
		"https://ada:%zz@example.com/p":           "https://example.com/p",
		"":                                        "",
	} {
		if got := withoutCredentials(address); got != want {
			t.Errorf("%q becomes %q, want %q", address, got, want)
		}
	}
}

func FuzzWithoutCredentials(f *testing.F) {
	f.Add("ada", "secret", "example.com/p")
	f.Add("", "a@b", "x/@y?z")
	f.Fuzz(func(t *testing.T, user, password, rest string) {
		const mark = "s3cr3t"
		if strings.ContainsAny(user+password, "/?#\\@") {
			return
		}
		if got := withoutCredentials("https://" + user + ":" + mark + password + "@" + rest); strings.Contains(got, mark) && !strings.Contains(rest, mark) {
			t.Errorf("%q", got)
		}
	})
}

func FuzzGitStatus(f *testing.F) {
	f.Add(" M a\x00?? b c\x00", "")
	f.Add("R  sub/x\x00", "sub/")
	f.Fuzz(func(t *testing.T, out, prefix string) {
		list, err := parseStatus(out, prefix)
		for _, e := range list {
			if err != nil || !strings.Contains(out, prefix+e.path) {
				t.Errorf("%q %v", e.path, err)
			}
		}
	})
}
