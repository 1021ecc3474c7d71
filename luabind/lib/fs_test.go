package lib

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

var mayRead, mayWrite = hooks.Grants{FSRead: true}, hooks.Grants{FSWrite: true}

func TestReadFiles(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{
		"a.txt": "one\ntwo", "empty": "", "sub/deep/b.txt": "b", "bytes": "\x00\xff", "..odd/c": "c", "large": strings.Repeat("x", 2<<20),
		"list/b": "", "list/a/x": "", "my.hooks/x": "y", ".hooks/own.lua": "-- own",
	})
	if err := os.Chtimes(filepath.Join(root, "a.txt"), time.Unix(1000, 0), time.Unix(1000, 500e6)); err != nil {
		t.Fatal(err)
	}
	absolute := `"` + filepath.ToSlash(root) + `/sub/deep/b.txt"`
	checkIn(t, root, mayRead, []script{
		{"a file", `same(fs.read("a.txt"), "one\ntwo")`, ""},
		{"an empty file", `same(fs.read("empty"), "")`, ""},
		{"bytes", `same(#fs.read("bytes"), 2)`, ""},
		{"a file in folders", `same(fs.read("./sub//deep/b.txt"), "b")`, ""},
		{"an absolute path", `same(fs.read(` + absolute + `), "b") assert(fs.exists(` + absolute + `))`, ""},
		{"a name that begins with dots", `same(fs.read("..odd/c"), "c")`, ""},
		{"hooks can be read", `same(fs.read(".hooks/own.lua"), "-- own")`, ""},
		{"no file", `local text, problem = fs.read("none") same(text, nil) same(problem, "none: no such file or directory")`, ""},
		{"behind a file", `local text, problem = fs.read("a.txt/x") same(text, nil) assert(problem) assert(not fs.exists("a.txt/x"))`, ""},
		{"a folder", `local text, problem = fs.read("sub") same(text, nil) same(problem, "sub: it is a folder")`, ""},
		{"too long", `local text, problem = fs.read("large") same(text, nil) same(problem, "large: it has 2097152 bytes, more than the 1048576 to read (max: up to 16777216)")`, ""},
		{"long enough", `same(#fs.read("large", { max = 2097152 }), 2097152)`, ""},
		{"one byte too long", `same(fs.read("large", { max = 2097151 }), nil)`, ""},
		{"max", `fs.read("a.txt", { max = 16777217 })`, "max: whole number from 1 to 16777216 expected, got 16777217"},
		{"max is text", `fs.read("a.txt", { max = "1" })`, "bad argument #2 to read (max: number expected, got string)"},
		{"unknown option", `fs.read("a.txt", { maxx = 1 })`, `unknown option maxx; did you mean "max"?`},
		{"an option by number", `fs.read("a.txt", { 5 })`, "unknown option 1"},
		{"exists", `assert(fs.exists("a.txt") and fs.exists("sub") and fs.exists(".") and not fs.exists("none"))`, ""},
		{"stat of a file", `local s = fs.stat("a.txt") same(s.type, "file") same(s.size, 7) same(s.mtime, 1000.5) same(#s.mode, 4)`, ""},
		{"stat of a folder", `same(fs.stat("sub").type, "folder")`, ""},
		{"stat of nothing", `local s, problem = fs.stat("none") same(s, nil) assert(text.contains(problem, "none: no such file"))`, ""},
		{"list", `same(fs.list("list"), { { name = "a", type = "folder" }, { name = "b", type = "file" } })`, ""},
		{"list of the root", `same(#fs.list(), #fs.list(".")) assert(#fs.list() > 5)`, ""},
		{"list of a file", `local list, problem = fs.list("a.txt") same(list, nil) same(problem, "a.txt: it is no folder")`, ""},
		{"list of nothing", `same(fs.list("none"), nil)`, ""},
	})
}

// TestPathsThatLeadOut tries each function with each: all of them raise.
func TestPathsThatLeadOut(t *testing.T) {
	outside := folder(t)
	files(t, outside, map[string]string{"secret": "s", "folder/x": "x"})
	root := folder(t)
	files(t, root, map[string]string{"a": "a", "sub/b": "b"})
	link(t, filepath.Join(outside, "secret"), filepath.Join(root, "absolute"))
	link(t, filepath.Join("..", filepath.Base(outside), "secret"), filepath.Join(root, "relative"))
	link(t, filepath.Join(outside, "folder"), filepath.Join(root, "out"))
	link(t, "/dev/zero", filepath.Join(root, "zero"))
	link(t, "/proc/self/environ", filepath.Join(root, "environ"))
	both := hooks.Grants{FSRead: true, FSWrite: true}
	for name, paths := range map[string][]string{
		"has .. in it":                   {"..", "../secret", "sub/../a", "sub/../../secret", root + "/../secret", root + "/sub/../a", "a/.."},
		"outside of the project":         {outside + "/secret", "/etc/passwd", "/", root + "x/secret", filepath.Dir(root)},
		"with a NUL byte":                {"a\x00b", "\x00"},
		"the path is empty":              {""},
		"a path of more than 4096 bytes": {strings.Repeat("a/", 3000)},
		"leads out of the project, or":   {"absolute", "relative", "out/x", "zero", "environ"},
	} {
		for _, p := range paths {
			for _, call := range []string{`fs.read(p)`, `fs.exists(p)`, `fs.stat(p)`, `fs.list(p)`, `fs.write(p, "changed")`, `fs.append(p, "changed")`, `fs.mkdir(p)`, `fs.remove(p)`} {
				if strings.HasPrefix(name, "leads") && (strings.Contains(call, "write") || strings.Contains(call, "append") || strings.Contains(call, "mkdir") || strings.Contains(call, "remove")) {
					continue // TestWritesFollowNoLinks
				}
				env := luabind.Environment{Modules: Modules(), Grants: both, Root: root, With: map[string]any{"p": p}, Limits: wide}
				err := runWith(t, env, `local with = ... local p = with.p `+call)
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%s of %.60q: got %v, want %s", call, p, err, name)
				}
			}
		}
	}
	if got := read(t, filepath.Join(outside, "secret")); got != "s" {
		t.Errorf("the file outside is %q", got)
	}
}

// TestLinksInside follows links within the project, and finds the root by another
// path.
func TestLinksInside(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"real/a": "a"})
	link(t, "real", filepath.Join(root, "short"))
	link(t, "none", filepath.Join(root, "dangling"))
	link(t, "loop", filepath.Join(root, "loop"))
	other := filepath.Join(folder(t), "other")
	link(t, root, other)
	checkIn(t, root, mayRead, []script{
		{"through a link", `same(fs.read("short/a"), "a")`, ""},
		{"a link to nothing", `assert(not fs.exists("dangling"))`, ""},
		{"a loop", `fs.exists("loop")`, "loop: "},
		{"a loop is no file", `same(fs.read("loop"), nil)`, ""},
		{"types", `same(fs.list(), { { name = "dangling", type = "link" }, { name = "loop", type = "link" }, { name = "real", type = "folder" }, { name = "short", type = "link" } })`, ""},
		{"the root by another path", `same(fs.read("` + other + `/real/a"), "a")`, ""},
		{"glob follows none", `same(fs.glob("**/a"), { "real/a" }) same(#fs.glob("short/*"), 0)`, ""},
	})
	checkIn(t, other, mayRead, []script{
		{"the root is a link", `same(fs.read("real/a"), "a")`, ""},
		{"and named as what it leads to", `same(fs.read("` + root + `/real/a"), "a")`, ""},
	})
}

func TestGlob(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{
		"a.go": "", "b.txt": "", "src/a.go": "", "src/x/y/a_test.go": "", "src/x/b.md": "", ".git/a.go": "", "src/.hidden/a.go": "", "src[1]/a.go": "", "deep/one/two/c.go": "",
	})
	checkIn(t, root, mayRead, []script{
		{"a name in any folder", `same(fs.glob("a.go"), { "a.go", "src/.hidden/a.go", "src/a.go", "src[1]/a.go" })`, ""},
		{"one folder", `same(fs.glob("src/*.go"), { "src/a.go" })`, ""},
		{"all below", `same(fs.glob("src/**/*.go"), { "src/.hidden/a.go", "src/a.go", "src/x/y/a_test.go" })`, ""},
		{"a fixed path", `same(fs.glob("src/x/b.md"), { "src/x/b.md" })`, ""},
		{"alternatives", `same(fs.glob("src/x/*.md|b.txt"), { "b.txt", "src/x/b.md" })`, ""},
		{"braces in a folder", `same(fs.glob("{deep,src}/**/c.go"), { "deep/one/two/c.go" })`, ""},
		{"nothing", `same(#fs.glob("none/*.go"), 0) same(#fs.glob("a.go/*"), 0)`, ""},
		{"as path.match", `for _, p in ipairs(fs.glob("**/*.go")) do assert(path.match("**/*.go", p), p) end`, ""},
		{"absolute", `fs.glob("/etc/*")`, "without a leading slash"},
		{"out", `fs.glob("../*")`, "leads out of the project"},
		{"a bad pattern", `fs.glob("[a")`, "bad argument #1 to glob"},
	})
}

func TestGlobIsBounded(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"few/x": ""})
	dir := filepath.Join(root, "many")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range maxEntries + 1 {
		f, err := os.Create(filepath.Join(dir, "f"+strings.Repeat("0", i%7)+string(rune('a'+i%26))+time.Duration(i).String()))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	checkIn(t, root, mayRead, []script{
		{"too many found", `local list, problem = fs.glob("f*") same(list, nil) assert(text.contains(problem, "more than 10000 files match"), problem)`, ""},
		{"too many in a folder", `local list, problem = fs.list("many") same(list, nil) same(problem, "many: it holds more than 10000 entries")`, ""},
		{"not where it begins elsewhere", `same(fs.glob("few/*"), { "few/x" })`, ""},
	})
	deep := root
	for range maxFolders + 2 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	checkIn(t, root, mayRead, []script{
		{"too deep", `local list, problem = fs.glob("d/**/x") same(list, nil) assert(text.contains(problem, "nested deeper than 100"), problem)`, ""},
	})
}

// TestReadingIsPaidFor reads more than the memory of a run, at once and bit by bit.
func TestReadingIsPaidFor(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"large": "", "some": strings.Repeat("x", 100<<10)})
	if err := os.Truncate(filepath.Join(root, "large"), 1<<40); err != nil { // sparse
		t.Skip("no sparse files: ", err)
	}
	for name, lua := range map[string]string{
		"bit by bit": `for i = 1, 100 do fs.read("some") end`,
		"at once":    `fs.read("some", { max = 10000000 }) fs.read("more", { max = 10000000 })`,
	} {
		files(t, root, map[string]string{"more": strings.Repeat("x", 1<<20)})
		err := runWith(t, luabind.Environment{Modules: Modules(), Grants: mayRead, Root: root, Limits: luabind.Limits{Memory: 2 << 20, Timeout: time.Minute}}, lua)
		var e *hooks.Error
		if !errors.As(err, &e) || e.Limit != hooks.LimitMemory {
			t.Errorf("%s: got %v, want the limit of memory", name, err)
		}
	}
	checkIn(t, root, mayRead, []script{
		{"a sparse file", `local text, problem = fs.read("large", { max = 16777216 }) same(text, nil) assert(text == nil and problem:find("1099511627776 bytes", 1, true), problem)`, ""},
	})
}

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

// FuzzPlace: whatever the text, the place is below the root, or told to be elsewhere.
func FuzzPlace(f *testing.F) {
	for _, s := range []string{"a", "/", "..", "a/../b", "/srv/project/a", "/srv/project", "/srv/projectx", "./.", "//srv//project/a", "a\x00", "/srv/project/../x", `a\..\b`, "C:/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := placeOf("/srv/project", s)
		if err != nil || at.abs != "" {
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(at.name)) || strings.HasPrefix(at.name, "/") || hasDotDot(at.name) {
			t.Errorf("%q leads to %q", s, at.name)
		}
		if filepath.IsAbs(s) && filepath.Join("/srv/project", at.name) != filepath.Clean(s) {
			t.Errorf("%q is not %q", s, at.name)
		}
	})
}
