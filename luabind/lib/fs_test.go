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
		{"real", `same(fs.real("./sub//deep/b.txt"), "sub/deep/b.txt") same(fs.real("."), ".") same(fs.real(` + absolute + `), "sub/deep/b.txt")`, ""},
		{"real of nothing", `local p, problem = fs.real("none") same(p, nil) assert(text.contains(problem, "none: no such file"), problem)`, ""},
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
			for _, call := range []string{`fs.read(p)`, `fs.exists(p)`, `fs.stat(p)`, `fs.real(p)`, `fs.list(p)`, `fs.write(p, "changed")`, `fs.append(p, "changed")`, `fs.mkdir(p)`, `fs.remove(p)`} {
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
		{"where a link leads", `same(fs.real("short/a"), "real/a") same(fs.real("dangling"), nil) same(fs.real("loop"), nil)`, ""},
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
