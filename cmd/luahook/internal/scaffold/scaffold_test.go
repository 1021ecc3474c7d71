package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tree lists what lies in a folder, with the texts of files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir():
			all[name+"/"] = ""
		case d.Type().IsRegular():
			text, err := os.ReadFile(path)
			all[name] = string(text)
			return err
		default:
			all[name] = "?"
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func names(all map[string]string) []string {
	var list []string
	for name := range all {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestMake(t *testing.T) {
	dir := t.TempDir()
	if err := Make(filepath.Join(dir, ".hooks"), []File{{Name: "a.lua", Text: "1"}, {Name: "x/y/b.lua", Text: "2"}, {Name: "x/c.lua", Text: "3"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := names(tree(t, dir)), []string{".hooks/", ".hooks/a.lua", ".hooks/x/", ".hooks/x/c.lua", ".hooks/x/y/", ".hooks/x/y/b.lua"}; !slices.Equal(got, want) {
		t.Errorf("made %q, want %q", got, want)
	}
}

func TestMakeReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".hooks/b.lua", "mine")
	write(t, dir, ".hooks/x/c.lua", "mine, too")
	before := tree(t, dir)
	err := Make(filepath.Join(dir, ".hooks"), []File{{Name: "a.lua"}, {Name: "b.lua"}, {Name: "x/c.lua"}})
	var exist *ExistError
	if !errors.As(err, &exist) || err.Error() != "nothing was written: .hooks/b.lua, .hooks/x/c.lua are there already" {
		t.Errorf("got %v", err)
	}
	if after := tree(t, dir); !slices.Equal(names(after), names(before)) || after[".hooks/b.lua"] != "mine" {
		t.Errorf("left %v", after)
	}
}

// TestMakeTakesBack fails after some files are made: a file can't be a folder as well.
func TestMakeTakesBack(t *testing.T) {
	files := []File{{Name: "a.lua"}, {Name: "new/b.lua"}, {Name: "a.lua/c.lua"}}
	dir := t.TempDir()
	if err := Make(filepath.Join(dir, ".hooks"), files); err == nil || !strings.HasPrefix(err.Error(), "nothing was written: ") {
		t.Errorf("got %v", err)
	}
	if left := tree(t, dir); len(left) > 0 {
		t.Errorf("left %q", names(left))
	}
	write(t, dir, ".hooks/mine.lua", "")
	if err := Make(filepath.Join(dir, ".hooks"), files); err == nil {
		t.Error("it went well")
	}
	if left, want := names(tree(t, dir)), []string{".hooks/", ".hooks/mine.lua"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}

// TestLinksLeadNowhereElse puts links where files or folders are to be made.
func TestLinksLeadNowhereElse(t *testing.T) {
	for name, link := range map[string]struct{ at, to string }{
		"the hooks folder":                 {".hooks", "../outside"},
		"the hooks folder, in the project": {".hooks", "src"},
		"the hooks folder, to nothing":     {".hooks", "../outside/new"},
		"a folder":                         {".hooks/.luahook", "../../outside"},
		"a folder, in the hooks folder":    {".hooks/.luahook", "lib"},
		"a folder, absolute":               {".hooks/.luahook", "OUTSIDE"},
		"a file":                           {".hooks/.luahook/luahook.lua", "../../../outside/x"},
		"a file, to nothing":               {".hooks/.luahook/luahook.lua", "../../../outside/new"},
		"a file, absolute":                 {".hooks/.luahook/luahook.lua", "OUTSIDE/x"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "outside/x", "theirs")
			write(t, dir, "project/src/x", "theirs")
			if link.at != ".hooks" {
				write(t, dir, "project/.hooks/lib/x", "theirs")
			}
			at := filepath.Join(dir, "project", filepath.FromSlash(link.at))
			to := strings.Replace(link.to, "OUTSIDE", filepath.Join(dir, "outside"), 1)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at)); err != nil {
				t.Skipf("no links here: %v", err)
			}
			before := tree(t, dir)
			hooks, stub := filepath.Join(dir, "project", ".hooks"), File{Name: ".luahook/luahook.lua", Text: "new"}
			if err := Make(hooks, []File{{Name: "a.lua", Text: "new"}, stub}); err == nil {
				t.Error("it was made")
			}
			_ = Replace(hooks, stub)
			after := tree(t, dir)
			for path, text := range after {
				if old, there := before[path]; there && text != old && path != "project/.hooks/.luahook/luahook.lua" || !there && !strings.HasPrefix(path, "project/.hooks/") || path == "project/.hooks/lib/luahook.lua" {
					t.Errorf("%s holds %q", path, text)
				}
			}
		})
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	hooks, f := filepath.Join(dir, ".hooks"), File{Name: ".luahook/luahook.lua", Text: "one"}
	for _, text := range []string{"one", "two"} {
		f.Text = text
		if err := Replace(hooks, f); err != nil {
			t.Fatal(err)
		}
	}
	got := tree(t, dir)
	if want := []string{".hooks/", ".hooks/.luahook/", ".hooks/.luahook/luahook.lua"}; !slices.Equal(names(got), want) || got[want[2]] != "two" {
		t.Errorf("left %v", got)
	}
}

// TestReplaceAtOnce: whoever writes the file at the same time writes it, whole.
func TestReplaceAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows refuses to rename over a file that another is renaming")
	}
	hooks := filepath.Join(t.TempDir(), ".hooks")
	text := strings.Repeat("new\n", 50_000)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := Replace(hooks, File{Name: ".luahook/luahook.lua", Text: text}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := tree(t, hooks); len(got) != 2 || got[".luahook/luahook.lua"] != text {
		t.Errorf("left %v", names(got))
	}
}

func TestFolderThatCantBeWrittenTo(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("whoever runs this may write to every folder")
	}
	dir := t.TempDir()
	for _, at := range []string{".", ".hooks", ".hooks/.luahook"} {
		folder := filepath.Join(dir, at)
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chmod(folder, 0o555)); err != nil {
			t.Fatal(err)
		}
		before := names(tree(t, dir))
		err := Make(filepath.Join(dir, ".hooks"), []File{{Name: "a.lua"}, {Name: ".luahook/luahook.lua"}})
		if err == nil || !strings.Contains(err.Error(), "nothing was written: ") || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: got %v", at, err)
		}
		if after := names(tree(t, dir)); !slices.Equal(after, before) {
			t.Errorf("%s: left %q, want %q", at, after, before)
		}
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
