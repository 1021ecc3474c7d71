package lib

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// shown is a script that gives a tree as lines: a name, behind a blank for each level, of
// a folder a slash and how many files, and + with how many are left out.
const shown = `
local function shown(tree, problem)
  assert(tree, problem)
  local lines = {}
  for i, e in ipairs(tree.entries) do
    lines[i] = (" "):rep(e.depth - 1) .. e.name .. (e.type == "folder" and "/" .. e.files or e.type == "link" and "@" or "") .. (e.more > 0 and "+" .. e.more or "")
  end
  if tree.more > 0 then lines[#lines + 1] = "+" .. tree.more end
  return table.concat(lines, "\n") .. "\n= " .. tree.files .. (tree.complete and "" or " or more")
end
`

func TestTree(t *testing.T) {
	quietGit(t)
	root := folder(t)
	files(t, root, map[string]string{
		"main.go": "", "go.mod": "", "a/b/c/d/deep.go": "", "a/b/c/e.go": "", "java/com/acme/App.java": "", "java/com/acme/Web.java": "",
		".gitignore": "*.log\n/build/\n!keep.log\n", "x.log": "", "keep.log": "", "build/out": "", "a/build/in": "",
		"a/.gitignore": "*.tmp\n!/b/x.log\n", "a/b/x.log": "", "a/b/y.log": "", "a/z.tmp": "", "node_modules/left/pad.js": "", "empty/in/it/.git/x": "",
	})
	want := `a/5
 b/3
  c/2
   d/1
   e.go
  x.log
 build/1
  in
 .gitignore
java/com/acme/2
 App.java
 Web.java
.gitignore
go.mod
keep.log
main.go
= 11`
	scripts := func(tree string) []script {
		call := func(options string) string { return shown + "same(shown(" + tree + "(" + options + ")), [==[\n" }
		return []script{
			{"what isn't ignored", call(`{ depth = 4, skip = { "node_modules" } }`) + want + "]==])", ""},
			{"one level", call(`{ depth = 1, skip = { "node_modules" } }`) + "a/5\njava/com/acme/2\n.gitignore\ngo.mod\nkeep.log\nmain.go\n= 11]==])", ""},
			{"few of a folder", call(`{ depth = 2, entries = 2, skip = { "node_modules" } }`) + "a/5+1\n b/3\n build/1\njava/com/acme/2\n App.java\n Web.java\n+4\n= 11]==])", ""},
			{"without skip", shown + `assert(text.contains(shown(` + tree + `()), "node_modules/left/1\n pad.js\n"))`, ""},
			{"depth", tree + `({ depth = 21 })`, "depth: whole number from 1 to 20 expected, got 21"},
			{"entries", tree + `({ entries = 0 })`, "entries: whole number from 1 to 500 expected, got 0"},
			{"a path as skip", tree + `({ skip = { "../x" } })`, `skip: the name of a folder expected, got "../x"`},
			{"an option of git as skip", tree + `({ skip = { "x --stage" } })`, `skip: the name of a folder expected`},
			{"no time", tree + `({ timeout = "soon" })`, `timeout: a time such as "200ms" expected, got "soon"`},
			{"skip is text", tree + `({ skip = "x" })`, `skip: table expected, got string`},
			{"unknown option", tree + `({ dept = 1 })`, `unknown option dept; did you mean "depth"?`},
		}
	}
	checkIn(t, root, mayRead, scripts("fs.tree"))
	checkIn(t, root, mayRead, []script{{"what was seen when the time was over", `local tree = fs.tree({ timeout = "1ns" }) same(tree.complete, false) same(#tree.entries, 0)`, ""}})
	checkIn(t, root, mayGit, []script{{"no repository", `local tree, problem = git.tree() same(tree, nil) assert(text.contains(problem, "is in no git repository"))`, ""}})
	if err := os.RemoveAll(filepath.Join(root, "empty")); err != nil { // of which git would make a submodule
		t.Fatal(err)
	}
	git(t, root, "init", "--quiet", "-b", "main")
	checkIn(t, root, mayGit, scripts("git.tree"))
	files(t, root, map[string]string{"gone/x.txt": "", "half/x.txt": "", "half/y.txt": ""})
	git(t, root, "add", "-f", "a", "java", "main.go", "gone", "half")
	git(t, root, "commit", "--quiet", "-m", "first")
	for _, name := range []string{"gone", "half/x.txt"} {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	inner := filepath.Join(root, "module")
	files(t, inner, map[string]string{"m.txt": ""})
	commitAll(t, inner)
	checkIn(t, root, mayGit, []script{
		{"what is tracked, what was deleted and a repository in it", shown + `same(shown(git.tree({ depth = 2, skip = { "node_modules" } })), [==[
a/7
 b/4
 build/1
 .gitignore
 z.tmp
half/1
 y.txt
java/com/acme/2
 App.java
 Web.java
module/0
.gitignore
go.mod
keep.log
main.go
= 14]==])`, ""},
	})
	checkIn(t, filepath.Join(root, "a"), mayGit, []script{
		{"a folder of the repository", shown + `same(shown(git.tree({ depth = 1 })), "b/4\nbuild/1\n.gitignore\nz.tmp\n= 7")`, ""},
	})
}

func TestTreeOfLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	quietGit(t)
	root, outside := folder(t), folder(t)
	files(t, outside, map[string]string{"secret/x": "", "ignore": "*\n"})
	files(t, root, map[string]string{"a/x": "", "b/y": ""})
	for from, to := range map[string]string{"out": outside, "b/up": "..", "broken": "none", "a/.gitignore": filepath.Join(outside, "ignore")} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Fatal(err)
		}
	}
	want := `"a/2\n .gitignore@\n x\nb/2\n up@\n y\nbroken@\nout@\n= 6"`
	checkIn(t, root, mayRead, []script{{"walked", shown + `same(shown(fs.tree()), ` + want + `)`, ""}})
	git(t, root, "init", "--quiet", "-b", "main")
	checkIn(t, root, mayGit, []script{{"git's", shown + `same(shown(git.tree()), ` + want + `)`, ""}})
}

func TestTreeBounds(t *testing.T) {
	quietGit(t)
	root := folder(t)
	texts := map[string]string{"z/last": ""}
	for i := range 40 {
		for j := range 60 {
			texts[fmt.Sprintf("d%02d/f%02d", i, j)] = ""
		}
	}
	files(t, root, texts)
	scripts := func(tree string) []script {
		return []script{{"no more than 2,000, those near the root first", `
			local tree = ` + tree + `({ entries = 60 })
			same(#tree.entries, 2000) same(tree.files, 2401)
			local folders, more = 0, 0
			for _, e in ipairs(tree.entries) do
				if e.depth == 1 then folders = folders + 1 more = more + e.more end
			end
			same(folders, 41) same(more, 2401 - (2000 - 41))`, ""}}
	}
	checkIn(t, root, mayRead, scripts("fs.tree"))
	git(t, root, "init", "--quiet", "-b", "main")
	checkIn(t, root, mayGit, scripts("git.tree"))
}

// TestWalkIsBounded begins walks that have almost used up what they may.
func TestWalkIsBounded(t *testing.T) {
	dir := folder(t)
	files(t, dir, map[string]string{".gitignore": "x\n", "a": "", "b/c": "", "d/e": ""})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	start := func() *treeWalk {
		return &treeWalk{root: root, top: &treeNode{kind: "folder"}, bounds: treeBounds{depth: 20, width: 500}}
	}
	w := start()
	w.visited = maxVisited - 5
	if err := w.all(context.Background()); err != nil || !w.stopped || w.top.files != 3 {
		t.Errorf("it has found %d files, stopped %t: %v; want 3 and that it stopped", w.top.files, w.stopped, err)
	}
	w = start()
	w.checks = maxIgnoreChecks - 2
	if err := w.all(context.Background()); err == nil {
		t.Error("it goes on after too many looks at patterns")
	}
	w = start()
	w.rules = maxIgnoreRules
	if err := w.all(context.Background()); err != nil || w.checks != 0 {
		t.Errorf("of too many patterns it has looked at %d: %v", w.checks, err)
	}
}

// ignored are lines of .gitignore files and what they say, which git is asked about, too.
var ignored = []struct {
	name    string
	ignores map[string]string // by folder
	files   []string
}{
	{"names", map[string]string{"": "a\nb/\n# c\n\\#d\n\\!e\n"}, []string{"a", "x/a", "xa", "b/f", "x/b/f", "c", "#d", "!e", "x/y/b"}},
	{"anchored", map[string]string{"": "/a\nx/b\n/y/\nz/*\n"}, []string{"a", "x/a", "x/b", "q/x/b", "y/f", "q/y/f", "z/f", "z/g/h", "z1"}},
	{"stars", map[string]string{"": "*.log\nfoo*\n*bar\na*b*c\nx/*.go\n"}, []string{"x.log", "d/y.log", "log", "food", "mybar", "abc", "a1b2c", "ab", "x/m.go", "x/y/m.go", "m.go"}},
	{"two stars", map[string]string{"": "**/one\ntwo/**\nthree/**/four\nfi**ve\n/six/**/*.x\n**\\/seven\n"}, []string{"one", "d/one", "d/e/one", "two/f", "two/g/h", "d/two/f", "three/four", "three/x/four", "three/x/y/four", "three/x/y/five", "five", "fixxve", "fi/ve", "six/a.x", "six/b/c.x", "a.x", "seven", "d/seven"}},
	{"negated", map[string]string{"": "*.txt\n!keep.txt\nd/*\n!d/keep\ne/\n!e/keep\n"}, []string{"a.txt", "keep.txt", "x/keep.txt", "d/a", "d/keep", "d/keep.txt", "e/keep", "e/a"}},
	{"the last one decides", map[string]string{"": "!a\na\nb\n!b\n"}, []string{"a", "b"}},
	{"nested", map[string]string{"": "*.o\n/gen\n", "d": "!x.o\n/only\ngen\n", "d/e": "*\n!keep\n!f/\n"}, []string{"a.o", "d/a.o", "d/x.o", "x.o", "d/only", "only", "d/e/only", "d/e/keep", "d/e/a", "d/e/f/keep", "d/e/f/a", "gen", "d/gen", "q/gen"}},
	{"classes", map[string]string{"": "[abc]\nx[0-9]\ny[!0-9]\nz[^a]\n[]]q\n[[:digit:]]d\nr[]-a]\ns[\\]]\nt[a\nu[.-0]v\n"}, []string{"a", "d", "x1", "xa", "y1", "ya", "za", "zb", "]q", "1d", "ad", "r]", "r_", "ra", "rb", "s]", "t[a", "u.v", "u/v", "u0v"}},
	{"question marks", map[string]string{"": "a?c\n?\nx/?y\n"}, []string{"abc", "ac", "a/c", "z", "zz", "x/1y", "x/y"}},
	{"blanks", map[string]string{"": "a  \nb\\ \nc d\n\te\n   \n"}, []string{"a", "b ", "b", "c d", "\te", "e"}},
	{"line ends", map[string]string{"": "\xef\xbb\xbfa\r\nb\r\n\r\n*.log\r\n"}, []string{"a", "b", "x.log", "c"}},
	{"backslashes", map[string]string{"": "a\\*\n\\a\nb\\\nc\\?d\nx\\yz*\n"}, []string{"a*", "ab", "a", "b", "c?d", "cxd", "xyz1"}},
	{"letters", map[string]string{"": "ä*\nö?x\nИ/\n*.ü\n"}, []string{"ärger", "a", "И/f", "x.ü"}},
	{"folders alone", map[string]string{"": "logs/\n!logs/keep\n*/cache/\n"}, []string{"logs/a", "logs/keep", "d/logs/a", "x/logs", "d/cache/f", "cache/f"}},
	{"nothing", map[string]string{"": "\n/\n//\n!\n#\n**\n!**\n"}, []string{"a", "d/b"}},
	{"all but", map[string]string{"": "/*\n!/src\n/src/*\n!/src/lib\n"}, []string{"a", "src/x", "src/lib/y", "lib/z"}},
}

// TestGitignore asks git the same as package gitignore.
func TestGitignore(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("names of files are not what they are here")
	}
	quietGit(t)
	for _, tt := range ignored {
		t.Run(tt.name, func(t *testing.T) {
			root := folder(t)
			texts := map[string]string{}
			for _, name := range tt.files {
				texts[name] = ""
			}
			for dir, text := range tt.ignores {
				texts[strings.TrimPrefix(dir+"/.gitignore", "/")] = text
			}
			files(t, root, texts)
			git(t, root, "init", "--quiet")
			want := strings.Split(strings.TrimSuffix(git(t, root, "ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00")
			slices.Sort(want)
			if got := walked(t, root); !slices.Equal(got, want) {
				t.Errorf("it finds %q, git %q", got, want)
			}
		})
	}
}

// walked are the files that fs.tree would show.
func walked(t testing.TB, dir string) (paths []string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	w := &treeWalk{root: root, top: &treeNode{kind: "folder"}, bounds: treeBounds{depth: 20, width: 500}}
	if err := w.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	var list func(at *treeNode, path string)
	list = func(at *treeNode, path string) {
		for _, n := range at.sorted() {
			if p := strings.TrimPrefix(path+"/"+n.name, "/"); n.kind == "folder" {
				list(n, p)
			} else {
				paths = append(paths, p)
			}
		}
	}
	list(w.top, "")
	slices.Sort(paths)
	return paths
}

func TestGitTakesTooLong(t *testing.T) {
	quietGit(t)
	root := folder(t)
	files(t, root, map[string]string{".git/HEAD": ""})
	programs(t, map[string]string{"git": "while :; do sleep 1; done"})
	checkIn(t, root, mayGit, []script{
		{"status", `local list, problem = git.status({ timeout = "20ms" }) same(list, nil) same(problem, "git took longer than 20ms")`, ""},
		{"log", `local list, problem = git.log({ timeout = "20ms" }) same(list, nil) same(problem, "git took longer than 20ms")`, ""},
		{"tree", `local tree, problem = git.tree({ timeout = "20ms" }) same(tree, nil) same(problem, "git took longer than 20ms")`, ""},
		{"no time at all", `local list, problem = git.status({ timeout = "1ns" }) same(list, nil) same(problem, "git took longer than 1ns")`, ""},
		{"what is no time", `git.status({ timeout = "soon" })`, `timeout: a time such as "200ms" expected, got "soon"`},
	})
}

func TestStatusOfFolders(t *testing.T) {
	quietGit(t)
	root := folder(t)
	files(t, root, map[string]string{"a.txt": ""})
	commitAll(t, root)
	files(t, root, map[string]string{"new/a": "", "new/b/c": "", "one": ""})
	checkIn(t, root, mayGit, []script{
		{"folders", `local list = git.status({ folders = true }) same(#list, 2) same(list[1].path, "new/") same(list[2].path, "one")`, ""},
		{"files", `same(#git.status(), 3)`, ""},
		{"unknown option", `git.status({ folder = true })`, `did you mean "folders"?`},
	})
}

func BenchmarkTree(b *testing.B) {
	root := folder(b)
	texts := map[string]string{".gitignore": "*.log\n/build/\nnode_modules/\n*.tmp\n"}
	for i := range 10_000 {
		texts[fmt.Sprintf("src/mod%02d/sub%d/file%d.go", i%100, i%7, i)] = ""
	}
	files(b, root, texts)
	git(b, root, "init", "--quiet")
	git(b, root, "add", ".")
	for _, name := range []string{"git.tree", "fs.tree"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := runIn(b, root, hooks.Grants{FSRead: true, Git: true}, name+`({ depth = 3, entries = 30 })`); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
