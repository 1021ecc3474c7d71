package gitfolder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes files below a folder, by their names.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	shop := filepath.Join(root, "shop")
	common := filepath.Join(shop, ".git")
	write(t, root, map[string]string{
		"shop/.git/HEAD": "ref: refs/heads/main\n", "shop/src/a.go": "", "topic/.git": "gitdir: ../shop/.git/worktrees/topic\n",
		"shop/.git/worktrees/topic/commondir": "../..\n", "broken/.git": "nonsense", "none/a": "",
	})
	for dir, want := range map[string]*Folder{
		"shop": {shop, common, common}, "shop/src": {shop, common, common}, "shop/gone": {shop, common, common}, "broken": nil, "none": nil,
		"topic": {filepath.Join(root, "topic"), filepath.Join(common, "worktrees", "topic"), common},
	} {
		if diff := cmp.Diff(want, Find(filepath.Join(root, dir))); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
	}
	if Find("shop") != nil {
		t.Error("a relative folder")
	}
}

func TestBranch(t *testing.T) {
	root := t.TempDir()
	hash := func(letter string) string { return strings.Repeat(letter, 40) }
	write(t, root, map[string]string{
		".git/refs/heads/logged":               hash("a") + "\n",
		".git/refs/heads/alone":                hash("b") + "\n",
		".git/refs/heads/team/pushed":          hash("c") + "\n",
		".git/refs/remotes/origin/team/pushed": hash("c") + "\n",
		".git/refs/heads/ahead":                hash("d") + "\n",
		".git/refs/remotes/origin/ahead":       hash("e") + "\n",
		".git/refs/heads/same":                 hash("f") + "\n",
		".git/refs/heads/broken":               "nonsense\n",
		".git/config":                          "[remote \"origin\"]\nurl = x\n",
		".git/packed-refs":                     "# pack-refs\n" + hash("1") + " refs/heads/packed\n" + hash("f") + " refs/tags/v1\n" + hash("2") + " refs/heads/moved\n",
		".git/refs/heads/moved":                hash("b") + "\n",
		".git/logs/HEAD":                       hash("0") + " " + hash("a") + " Kim <k@x> 1 +0000\tcommit: x\n",
	})
	f := Find(root)
	for name, want := range map[string]State{
		"logged": Kept, "alone": Alone, "team/pushed": Kept, "ahead": Alone, "same": Kept, "packed": Alone, "moved": Alone,
		"none": None, "broken": None, "../HEAD": Unknown, "": Unknown, "-x": Unknown, "a*": Unknown,
	} {
		if got := f.Branch(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := (&Folder{root, root, root}).Branch("logged"); got != Unknown {
		t.Errorf("no repository: %q", got)
	}
}

func TestBranchOfOtherRefs(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{".git/refs/heads/x": strings.Repeat("a", 40), ".git/reftable/tables.list": ""})
	if got := Find(root).Branch("x"); got != Unknown {
		t.Errorf("reftable: %q", got)
	}
}

func TestLongLog(t *testing.T) {
	root := t.TempDir()
	tip := strings.Repeat("a", 40)
	write(t, root, map[string]string{".git/refs/heads/x": tip, ".git/logs/HEAD": strings.Repeat("x", maxLog+10) + tip})
	if got := Find(root).Branch("x"); got != Kept {
		t.Errorf("at the end of a long log: %q", got)
	}
}

func TestSettings(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"home/.gitconfig":         "[alias]\n\tundo = reset --hard # all\n[include]\npath = ~/more\n[user]\nname = Kim\n",
		"home/.config/git/config": "[alias] st = status\n",
		"home/more":               "[alias]\nWipe = \"!f() { git clean -fdx; }; \" f\n[include]\npath=more\n",
		"shop/.git/config": "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://x/y.git\n\tpush = +refs/heads/*:refs/heads/*\n[alias]\n" +
			"long = log \\\n  --graph\n; no = x\nquiet\nq = \"a # b\\\"\"\n[alias.old]\nx = y\n[bro\nken = 1\n",
	})
	repository := Find(filepath.Join(root, "shop"))
	var wipes []Setting
	for range maxFiles - 1 { // it includes itself
		wipes = append(wipes, Setting{Name: "wipe", Value: "!f() { git clean -fdx; };  f"})
	}
	got := Settings(repository, filepath.Join(root, "home"), "alias")
	want := append([]Setting{{Name: "st", Value: "status"}, {Name: "undo", Value: "reset --hard"}}, wipes...)
	if diff := cmp.Diff(want, got[:min(len(want), len(got))]); len(got) != len(want)+4 || diff != "" {
		t.Error(diff)
	}
	want = []Setting{{Name: "long", Value: "log   --graph"}, {Name: "quiet", Value: "true"}, {Name: "q", Value: `a # b"`}, {Part: "old", Name: "x", Value: "y"}}
	if diff := cmp.Diff(want, Settings(repository, "", "alias")); diff != "" {
		t.Error(diff)
	}
	want = []Setting{{"origin", "url", "https://x/y.git"}, {"origin", "push", "+refs/heads/*:refs/heads/*"}}
	if diff := cmp.Diff(want, Settings(repository, "", "remote")); diff != "" {
		t.Error(diff)
	}
	if got := Settings(nil, "", "alias"); got != nil {
		t.Error(got)
	}
}
