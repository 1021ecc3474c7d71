package lib

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

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
			assert(git.log({ path = "a.txt" }) and git.tracked("a.txt")) git.remote()
			local tree, problem = git.tree() assert(tree and tree.files > 10, problem)`, ""},
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
