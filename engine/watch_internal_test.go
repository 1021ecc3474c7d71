package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/hooks"
)

// realDir is a new folder, by the name that no link leads through.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// put writes files, given as path and text in turn; folders are made.
func put(t *testing.T, root string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		p := filepath.Join(root, filepath.FromSlash(files[i]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(files[i+1]), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// Only what the hooks are read from makes a difference.
func TestSourcesChangeWithTheirContent(t *testing.T) {
	const listed = "hooks:\n  pre_prompt:\n    - {name: b, script: scripts/b.lua}\n"
	link := func(t *testing.T, target, path string) {
		if err := os.Symlink(target, path); err != nil {
			t.Skip(err)
		}
	}
	tests := []struct {
		name   string
		change func(t *testing.T, root string)
		want   bool
	}{
		{"a script", func(t *testing.T, root string) { put(t, root, ".hooks/a.lua", "local x") }, true},
		{"the same again", func(t *testing.T, root string) { put(t, root, ".hooks/a.lua", "-- a") }, false},
		{"its time", func(t *testing.T, root string) {
			long := time.Now().Add(time.Hour)
			if err := os.Chtimes(filepath.Join(root, ".hooks/a.lua"), long, long); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"a library", func(t *testing.T, root string) { put(t, root, ".hooks/lib/x/y.lua", "") }, true},
		{"hooks.yaml", func(t *testing.T, root string) { put(t, root, ".hooks/hooks.yaml", listed+"\n") }, true},
		{"a listed script", func(t *testing.T, root string) { put(t, root, "scripts/b.lua", "-- c") }, true},
		{"a file beside a listed script", func(t *testing.T, root string) { put(t, root, "scripts/c.lua", "") }, false},
		{"a file of the project", func(t *testing.T, root string) { put(t, root, "main.go", "") }, false},
		{"something large", func(t *testing.T, root string) { put(t, root, ".hooks/data", strings.Repeat("x", 2<<20)) }, true},
		{"a link into the project", func(t *testing.T, root string) { link(t, "../main.lua", filepath.Join(root, ".hooks/c.lua")) }, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := realDir(t)
			put(t, root, ".hooks/a.lua", "-- a", ".hooks/hooks.yaml", listed, "scripts/b.lua", "-- b", "main.lua", "-- m")
			folders := []folder{{scope: hooks.ScopeProject, dir: filepath.Join(root, ".hooks"), scripts: filepath.Join(root, ".hooks"), root: root, confined: true}}
			before := readSources(folders, "")
			if again := readSources(folders, ""); again.sum != before.sum {
				t.Fatal("two readings of the same files differ")
			}
			test.change(t, root)
			if after := readSources(folders, ""); (after.sum != before.sum) != test.want {
				t.Errorf("a difference: %t, want %t", !test.want, test.want)
			}
		})
	}
}

// A hostile project can't have more watched than it has, nor anything outside of it.
func TestSourcesStayInTheProject(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own there")
	}
	outside := realDir(t)
	put(t, outside, "secret.lua", "-- s", "deep/secret.lua", "-- s")
	symlink := func(t *testing.T, target, path string) {
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name  string
		build func(t *testing.T, root string)
	}{
		{"the folder is a link", func(t *testing.T, root string) { symlink(t, outside, filepath.Join(root, ".hooks")) }},
		{"a script is a link", func(t *testing.T, root string) {
			put(t, root, ".hooks/a.lua", "")
			symlink(t, filepath.Join(outside, "secret.lua"), filepath.Join(root, ".hooks", "b.lua"))
		}},
		{"a folder of libraries is a link", func(t *testing.T, root string) {
			put(t, root, ".hooks/a.lua", "")
			symlink(t, outside, filepath.Join(root, ".hooks", "lib"))
		}},
		{"a listed script is elsewhere", func(t *testing.T, root string) {
			put(t, root, ".hooks/hooks.yaml", fmt.Sprintf("hooks:\n  pre_prompt:\n    - {name: b, script: %s/secret.lua}\n", outside))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := realDir(t)
			test.build(t, root)
			dir := filepath.Join(root, ".hooks")
			s := readSources([]folder{{scope: hooks.ScopeProject, dir: dir, scripts: dir, root: root, confined: true}}, "")
			before := s.sum
			put(t, outside, "secret.lua", fmt.Sprint("-- ", test.name))
			if s := readSources([]folder{{scope: hooks.ScopeProject, dir: dir, scripts: dir, root: root, confined: true}}, ""); s.sum != before {
				t.Error("the content of a file outside makes a difference")
			}
			for _, p := range append(slices.Clone(s.folders), s.trees...) {
				if isWithin(outside, p) || (test.name != "the folder is a link" && p != root && !isWithin(dir, p)) {
					t.Errorf("%s is watched", p)
				}
			}
			if s.concerns(filepath.Join(outside, "secret.lua")) {
				t.Error("a file outside concerns the hooks")
			}
		})
	}
}

func TestSourcesAreBounded(t *testing.T) {
	root := realDir(t)
	for i := range maxWatchedFolders + 10 {
		put(t, root, fmt.Sprintf("lib/%d/x.lua", i), "")
	}
	s := readSources([]folder{{scope: hooks.ScopeProject, dir: root, scripts: root, root: root, confined: true}}, "")
	if len(s.folders) != maxWatchedFolders || !s.more {
		t.Errorf("%d folders, more: %t", len(s.folders), s.more)
	}
}

func TestSourcesConcerns(t *testing.T) {
	at := func(path string) string { return filepath.FromSlash(path) }
	s := sources{trees: []string{at("/p/.hooks")}, files: map[string]bool{at("/p/scripts/a.lua"): true}}
	for path, want := range map[string]bool{
		"/p/.hooks": true, "/p/.hooks/a.lua": true, "/p/.hooks/lib/b.lua": true, "/p": true,
		"/p/.hooks2": false, "/p/.hook": false, "/p/main.go": false,
		"/p/scripts": true, "/p/scripts/a.lua": true, "/p/scripts/a.lua~": false, "/p/scripts/b.lua": false,
	} {
		if got := s.concerns(at(path)); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}

// Where nothing can be watched, changes are found by looking for them, and looking
// alone reloads nothing.
func TestWatchWithoutNotifications(t *testing.T) {
	root := realDir(t)
	put(t, root, ".hooks/a.lua", "-- one")
	synctest.Test(t, func(t *testing.T) {
		reloads := make(chan uint64, 10)
		e, err := New(WithoutBuiltins(), WithProject(Project{Root: root}), WithOnReload(func(generation uint64, err error) {
			if err != nil {
				t.Error(err)
			}
			reloads <- generation
		}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan bool)
		go func() {
			newWatch(e).run(ctx) // with no notifier
			ended <- true
		}()
		<-reloads
		time.Sleep(time.Minute) // of the bubble's clock: it looks 30 times
		if len(reloads) > 0 {
			t.Error("reloaded without a change")
		}
		put(t, root, ".hooks/a.lua", "-- two")
		began := time.Now()
		if generation := <-reloads; generation != 3 {
			t.Errorf("generation %d, want 3", generation)
		}
		if took := time.Since(began); took > pollTime {
			t.Errorf("noticed after %s", took)
		}
		cancel()
		<-ended
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
