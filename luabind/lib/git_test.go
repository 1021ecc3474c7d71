package lib

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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
	commitAll(t, root+mkdir(t, root, "x"))
	t.Setenv("PATH", folder(t))
	checkIn(t, root+"/x", mayGit, []script{
		{"no git", `local head, problem = git.head() same(head, nil) same(problem, "git is in no folder of PATH")`, ""},
	})
}

func mkdir(t *testing.T, root, name string) string {
	files(t, root, map[string]string{name + "/file": ""})
	return "/" + name
}

// TestHostileRepository has a repository whose configuration names a program for
// everything that can have one. Each would leave a file.
func TestHostileRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	quietGit(t)
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git here")
	}
	root, marks, outside := folder(t), folder(t), folder(t)
	files(t, outside, map[string]string{"secret.txt": "the secret\n"})
	files(t, root, map[string]string{"a.txt": "a\n", "b.bin": "b\n", "sub/c.txt": "c\n", "secret.txt": "none\n"})
	inner := filepath.Join(root, "module")
	files(t, inner, map[string]string{"m.txt": "m\n", ".gitattributes": "* filter=evil diff=evil\n"})
	commitAll(t, inner)
	commitAll(t, root)
	evil := func(name string) string {
		file := filepath.Join(marks, name+".sh")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n: > '"+filepath.Join(marks, name)+"'\ncat\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	config := func(dir string) string {
		var b strings.Builder
		for _, key := range []string{"fsmonitor", "sshCommand", "pager", "editor", "askPass", "gitProxy", "alternateRefsCommand"} {
			b.WriteString("[core]\n" + key + " = " + evil("core."+key) + "\n")
		}
		b.WriteString("[core]\nhooksPath = " + filepath.Join(root, "hooks.d") + "\n")
		for _, section := range []string{"status", "diff", "log", "branch", "config", "rev-parse", "symbolic-ref", "ls-files"} {
			b.WriteString("[pager]\n" + section + " = " + evil("pager."+section) + "\n[alias]\n" + section + " = !" + evil("alias."+section) + "\n")
		}
		for _, name := range []string{"evil", "Odd Name", "with.dots", "evil\\\\x"} {
			b.WriteString("[filter \"" + name + "\"]\nclean = " + evil("clean") + "\nsmudge = " + evil("smudge") + "\nprocess = " + evil("process") + "\nrequired = true\n")
		}
		b.WriteString("[filter \"only\"]\nclean = " + evil("only-clean") + "\nrequired\n")
		b.WriteString("[diff]\nexternal = " + evil("diff.external") + "\norderFile = /dev/null\n[diff \"evil\"]\ncommand = " + evil("diff.command") + "\ntextconv = " + evil("diff.textconv") + "\ncachetextconv = true\n")
		b.WriteString("[merge \"evil\"]\ndriver = " + evil("merge.driver") + "\n[credential]\nhelper = " + evil("credential") + "\n[gpg]\nprogram = " + evil("gpg") + "\n[gpg \"ssh\"]\nprogram = " + evil("gpg.ssh") + "\n")
		b.WriteString("[log]\nshowSignature = true\n[status]\nsubmoduleSummary = true\nshowUntrackedFiles = no\n[diff]\nsubmodule = log\nnoprefix = true\nignoreSubmodules = none\n[submodule]\nrecurse = true\n[color]\nui = always\n")
		b.WriteString("[protocol]\nallow = always\n[protocol \"ext\"]\nallow = always\n[remote \"origin\"]\nurl = ext::" + evil("remote") + "\npromisor = true\nuploadpack = " + evil("uploadpack") + "\nvcs = evil\n[extensions]\npartialClone = origin\n")
		b.WriteString("[trailer \"x\"]\ncommand = " + evil("trailer") + "\n[interactive]\ndiffFilter = " + evil("diffFilter") + "\n[include]\npath = more\n")
		files(t, dir, map[string]string{"more": "[filter \"included\"]\nclean = " + evil("included") + "\nprocess = " + evil("included-process") + "\nrequired = true\n"})
		return b.String()
	}
	for _, dir := range []string{filepath.Join(root, ".git"), filepath.Join(inner, ".git")} {
		text := read(t, filepath.Join(dir, "config"))
		files(t, dir, map[string]string{"config": strings.Replace(text, "repositoryformatversion = 0", "repositoryformatversion = 1", 1) + config(dir)})
		for _, hook := range []string{"post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"} {
			for _, at := range []string{filepath.Join(dir, "hooks", hook), filepath.Join(root, "hooks.d", hook)} {
				files(t, filepath.Dir(at), map[string]string{hook: read(t, evil("hook."+hook))})
				if err := os.Chmod(at, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		files(t, dir, map[string]string{"info/attributes": "*.txt filter=with.dots\n"})
	}
	own := filepath.Join(inner, ".git")
	files(t, own, map[string]string{
		"info/attributes": "*.txt filter=inner\n", // only the module has this one
		"config":          read(t, filepath.Join(own, "config")) + "[filter \"inner\"]\nclean = " + evil("inner") + "\n",
	})
	files(t, root, map[string]string{
		".gitattributes": "* filter=evil diff=evil merge=evil\nb.bin filter=only\nsub/* filter=included\nOdd filter=Odd_Name\n", "a.txt": "changed\n", "b.bin": "changed\n", "sub/c.txt": "changed\n", "module/m.txt": "n\n",
		"git": read(t, evil("git")), "cat": read(t, evil("cat")), "sh": read(t, evil("sh")),
	})
	for _, name := range []string{"git", "cat", "sh"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"GIT_EXTERNAL_DIFF": evil("GIT_EXTERNAL_DIFF"), "GIT_SSH_COMMAND": evil("GIT_SSH_COMMAND"), "GIT_PAGER": evil("GIT_PAGER"), "PAGER": evil("PAGER"), "GIT_DIR": outside, "GIT_WORK_TREE": outside, "GIT_INDEX_FILE": filepath.Join(outside, "index"),
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": evil("GIT_CONFIG"), "GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + evil("GIT_CONFIG_PARAMETERS") + "'", "GIT_TRACE": filepath.Join(marks, "trace"), "GIT_EXEC_PATH": root,
		"PATH": root + ":.::" + os.Getenv("PATH"),
	} {
		t.Setenv(name, value)
	}
	checkIn(t, root, mayGit, []script{
		{"all of it", `
			same(git.branch(), "main") assert(git.head()) assert(git.root())
			local list, problem = git.status() assert(list, problem)
			local seen = {} for _, e in ipairs(list) do seen[e.path] = e.index .. e.worktree end
			same(seen["a.txt"], " M") same(seen["sub/c.txt"], " M") same(seen["b.bin"], " M") same(seen["hooks.d/pre-commit"], "??")
			local names, problem = git.changed("HEAD") assert(names, problem)
			names, problem = git.changed("main") assert(names, problem)
			local d, problem = git.diff() assert(d and text.contains(d, "a/a.txt") and text.contains(d, "+changed"), problem or d)
			d, problem = git.diff({ base = "main" }) assert(d, problem)
			d, problem = git.diff({ staged = true }) assert(d, problem)
			local log, problem = git.log() assert(log and log[1].subject == "first", problem)
			assert(git.log({ path = "a.txt" }) and git.tracked("a.txt")) git.remote()`, ""},
	})
	left, err := filepath.Glob(filepath.Join(marks, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range left {
		if !strings.HasSuffix(mark, ".sh") {
			t.Errorf("a program ran: %s", filepath.Base(mark))
		}
	}

	// To see that the programs would run: git as it is.
	for _, args := range [][]string{{"status"}, {"-c", "filter.evil.required=false", "diff"}, {"log"}} {
		command := exec.Command(program, args...)
		command.Dir, command.Env = root, []string{"PATH=/usr/bin:/bin:/usr/local/bin", "HOME=" + outside}
		_ = command.Run() // it fails at what they print
	}
	var ran []string
	for _, mark := range []string{"core.fsmonitor", "process", "clean", "only-clean", "included-process", "diff.external", "diff.command", "gpg"} {
		if _, err := os.Stat(filepath.Join(marks, mark)); err == nil {
			ran = append(ran, mark)
		}
	}
	if !slices.Contains(ran, "core.fsmonitor") || !slices.Contains(ran, "process") {
		t.Errorf("git as it is ran %v only: the test shows nothing", ran)
	}
	t.Log("git as it is runs: ", ran)

	// The configuration may say that the files are elsewhere.
	for _, name := range []string{"PATH", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "GIT_EXEC_PATH"} {
		value := os.Getenv(name)
		if err := os.Unsetenv(name); err != nil { // t.Setenv restores it
			t.Fatal(err)
		}
		if name == "PATH" {
			t.Setenv("PATH", strings.TrimPrefix(value, root+":.::"))
		}
	}
	victim := folder(t)
	files(t, victim, map[string]string{"secret.txt": "none\n"})
	commitAll(t, victim)
	git(t, victim, "config", "core.worktree", outside)
	checkIn(t, victim, mayGit, []script{
		{"core.worktree", `same(#git.status(), 0) same(git.diff(), "") same(git.root(), "` + victim + `")`, ""},
	})

	// A folder may be a bare repository itself.
	bare := folder(t)
	git(t, bare, "init", "--quiet", "--bare", ".")
	git(t, bare, "config", "core.fsmonitor", evil("bare"))
	checkIn(t, bare, mayGit, []script{{"bare", `same(git.head(), nil) same(git.status(), nil)`, ""}})
	nested := filepath.Join(victim, "nested")
	git(t, victim, "init", "--quiet", "--bare", nested)
	checkIn(t, nested, mayGit, []script{{"bare, in another", `same(git.status(), nil)`, ""}})
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
