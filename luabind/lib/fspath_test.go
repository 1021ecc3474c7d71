package lib

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

func TestWriteFiles(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"old": "long text", "sub/x": "x", "full/x": ""})
	if err := os.Chmod(filepath.Join(root, "old"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(root, "sub/x"), filepath.Join(root, "second")); err != nil {
		t.Skip("no hard links: ", err)
	}
	checkIn(t, root, mayWrite, []script{
		{"a new file", `assert(fs.write("new", "text"))`, ""},
		{"over an old one", `assert(fs.write("old", "short"))`, ""},
		{"in a folder", `assert(fs.write("sub/y", ""))`, ""},
		{"in none", `local ok, problem = fs.write("none/y", "") same(ok, nil) same(problem, "none/y: there is no folder none; fs.mkdir makes it")`, ""},
		{"below a file", `local ok, problem = fs.write("old/y", "") same(ok, nil) same(problem, "old/y: old is no folder")`, ""},
		{"over a folder", `local ok, problem = fs.write("sub", "") same(ok, nil) same(problem, "sub: it is a folder")`, ""},
		{"the root", `fs.write(".", "")`, "the project's root itself"},
		{"append", `assert(fs.append("log", "a") and fs.append("log", "b"))`, ""},
		{"append to a folder", `local ok, problem = fs.append("sub", "x") same(ok, nil) same(problem, "sub: it is a folder")`, ""},
		{"append to a file of two names", `local ok, problem = fs.append("second", "x") same(ok, nil) assert(text.contains(problem, "hard link"), problem)`, ""},
		{"write to one of two names", `assert(fs.write("second", "changed"))`, ""},
		{"mkdir", `assert(fs.mkdir("p/q/r") and fs.mkdir("p/q") and fs.write("p/q/r/s", ""))`, ""},
		{"mkdir over a file", `local ok, problem = fs.mkdir("old") same(ok, nil) same(problem, "old: old is no folder")`, ""},
		{"remove a file", `assert(fs.write("gone", "") and fs.remove("gone")) local ok, problem = fs.remove("gone") same(ok, nil) assert(text.contains(problem, "not exist"), problem)`, ""},
		{"remove a folder", `assert(fs.mkdir("empty") and fs.remove("empty"))`, ""},
		{"remove a full folder", `local ok, problem = fs.remove("full") same(ok, nil) assert(problem)`, ""},
		{"writing is not reading", `fs.read("old")`, "fs.read: not granted"},
	})
	for name, want := range map[string]string{"new": "text", "old": "short", "sub/x": "x", "second": "changed", "log": "ab", "full/x": ""} {
		if got := read(t, filepath.Join(root, name)); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "old")); err != nil || info.Mode().Perm()&0o100 == 0 && os.PathSeparator == '/' {
		t.Errorf("the mode of old is %v", info.Mode())
	}
	left, err := filepath.Glob(filepath.Join(root, ".luahook-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
}

func TestAppendIsBounded(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"log": ""})
	if err := os.Truncate(filepath.Join(root, "log"), maxAppend-1); err != nil {
		t.Skip(err)
	}
	checkIn(t, root, mayWrite, []script{
		{"one byte", `assert(fs.append("log", "x"))`, ""},
		{"one more", `local ok, problem = fs.append("log", "x") same(ok, nil) assert(text.contains(problem, "more than 67108864"), problem)`, ""},
	})
}

// TestNoScriptChangesHooks tries to change what a hook must not, by all its names.
func TestNoScriptChangesHooks(t *testing.T) {
	guarded := []string{
		".hooks/a.lua", ".hooks", ".HOOKS/a.lua", "sub/.hooks/new.lua", ".hooks/hooks.yaml", "hooks.yaml", "Hooks.YAML", "sub/hooks.yml",
		".git/config", ".git/hooks/pre-commit", ".GIT/x", "sub/.git", ".git./x", ".git /x", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x", ".claude/settings.json", ".Claude/settings.local.json",
		".codex/config.toml", ".gemini/settings.json", ".cursor/hooks.json", ".mcp.json", ".github/workflows/x.yml", ".vscode/tasks.json", "sub/deep/.crush.json", ".envrc",
		".hook\u017f/a.lua", // ſ is an s where case is ignored
	}
	root := folder(t)
	files(t, root, map[string]string{".hooks/a.lua": "old", ".git/config": "old", "sub/x": "", ".claude/settings.json": "old", "hooks.yaml": "old"})
	for _, p := range guarded {
		for _, call := range []string{`fs.write(p, "new")`, `fs.append(p, "new")`, `fs.mkdir(p)`, `fs.mkdir(p .. "/x")`, `fs.remove(p)`} {
			env := luabind.Environment{Modules: Modules(), Grants: mayWrite, Root: root, With: map[string]any{"p": p}, Limits: wide}
			err := runWith(t, env, `local with = ... local p = with.p `+call)
			if err == nil || !strings.Contains(err.Error(), "which no script may change") && !strings.Contains(err.Error(), "is no name of a file") {
				t.Errorf("%s of %q: %v", call, p, err)
			}
		}
	}
	for _, p := range []string{".hooks/a.lua", ".git/config", ".claude/settings.json", "hooks.yaml"} {
		if got := read(t, filepath.Join(root, p)); got != "old" {
			t.Errorf("%s holds %q", p, got)
		}
	}
	checkIn(t, root, mayWrite, []script{
		{"names that only look so", `assert(fs.mkdir("hooks") and fs.write("hooks/a.lua", "") and fs.write(".gitignore", "") and fs.write("my.hooks.yaml", "") and fs.write("git", ""))`, ""},
	})
}

// TestOwnFoldersOfLuahook has a project in which they lie, as where it is the home
// folder.
func TestOwnFoldersOfLuahook(t *testing.T) {
	root := folder(t)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(root, "conf"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(root, "state"))
	files(t, root, map[string]string{"conf/luahook/hooks.yaml": "old", "conf/other/x": "", "state/x": ""})
	if os.PathSeparator == '/' {
		link(t, "conf/luahook", filepath.Join(root, "by-link"))
	}
	checkIn(t, root, mayWrite, []script{
		{"configuration", `fs.write("conf/luahook/hooks/a.lua", "")`, "which no script may change"},
		{"state that isn't there yet", `fs.mkdir("state/luahook")`, "which no script may change"},
		{"state, in it", `fs.mkdir("state/luahook/x")`, "which no script may change"},
		{"others", `assert(fs.write("conf/other/luahook", ""))`, ""},
	})
}

// TestWritesFollowNoLinks: neither in the path nor at its end, wherever they lead.
func TestWritesFollowNoLinks(t *testing.T) {
	outside := folder(t)
	files(t, outside, map[string]string{"secret": "s"})
	root := folder(t)
	files(t, root, map[string]string{"real/a": "a", ".hooks/a.lua": "old", "tools/hooks/b.lua": "old", "tools/c.lua": "old"})
	link(t, "real", filepath.Join(root, "folder"))
	link(t, "real/a", filepath.Join(root, "file"))
	link(t, ".hooks", filepath.Join(root, "innocent"))
	link(t, filepath.Join(outside, "secret"), filepath.Join(root, "out"))
	link(t, outside, filepath.Join(root, "outside"))
	checkIn(t, root, mayWrite, []script{
		{"through a folder", `fs.write("folder/a", "")`, `"folder" is a link`},
		{"a file", `fs.write("file", "")`, `"file" is a link`},
		{"append", `fs.append("file", "x")`, `"file" is a link`},
		{"into .hooks", `fs.write("innocent/a.lua", "")`, "is a link"},
		{"out", `fs.append("out", "x")`, "is a link"},
		{"out, in a folder", `fs.write("outside/secret", "x")`, "is a link"},
		{"folders", `fs.mkdir("outside/x")`, "is a link"},
		{"mkdir of a link", `fs.mkdir("folder")`, "is a link"},
		{"remove behind a link", `fs.remove("outside/secret")`, "is a link"},
		{"remove the link itself", `assert(fs.remove("out"))`, ""},
	})
	if got := read(t, filepath.Join(outside, "secret")); got != "s" {
		t.Errorf("the file outside is %q", got)
	}

	// .hooks itself may be a link, and hold links.
	linked := folder(t)
	files(t, linked, map[string]string{"tools/hooks/b.lua": "old", "tools/c.lua": "old", "tools/d.lua": "free"})
	link(t, "tools/hooks", filepath.Join(linked, ".hooks"))
	link(t, "../c.lua", filepath.Join(linked, "tools/hooks/c.lua"))
	checkIn(t, linked, mayWrite, []script{
		{"what .hooks leads to", `fs.write("tools/hooks/b.lua", "new")`, "which no script may change"},
		{"new in what .hooks leads to", `fs.write("tools/hooks/new.lua", "new")`, "which no script may change"},
		{"what a link in .hooks leads to", `fs.write("tools/c.lua", "new")`, "which no script may change"},
		{"beside it", `assert(fs.write("tools/d.lua", "new"))`, ""},
	})
}
