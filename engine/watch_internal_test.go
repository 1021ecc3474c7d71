package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
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
			folders := []source.Folder{{Scope: hooks.ScopeProject, Dir: filepath.Join(root, ".hooks"), Scripts: filepath.Join(root, ".hooks"), Root: root, Confined: true}}
			before := source.ReadSources(folders, "")
			if again := source.ReadSources(folders, ""); again.Sum != before.Sum {
				t.Fatal("two readings of the same files differ")
			}
			test.change(t, root)
			if after := source.ReadSources(folders, ""); (after.Sum != before.Sum) != test.want {
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
			s := source.ReadSources([]source.Folder{{Scope: hooks.ScopeProject, Dir: dir, Scripts: dir, Root: root, Confined: true}}, "")
			before := s.Sum
			put(t, outside, "secret.lua", fmt.Sprint("-- ", test.name))
			if s := source.ReadSources([]source.Folder{{Scope: hooks.ScopeProject, Dir: dir, Scripts: dir, Root: root, Confined: true}}, ""); s.Sum != before {
				t.Error("the content of a file outside makes a difference")
			}
			for _, p := range append(slices.Clone(s.Folders), s.Trees...) {
				if source.IsWithin(outside, p) || (test.name != "the folder is a link" && p != root && !source.IsWithin(dir, p)) {
					t.Errorf("%s is watched", p)
				}
			}
			if s.Includes(filepath.Join(outside, "secret.lua")) {
				t.Error("a file outside concerns the hooks")
			}
		})
	}
}

func TestSourcesAreBounded(t *testing.T) {
	root := realDir(t)
	for i := range source.MaxWatchedFolders + 10 {
		put(t, root, fmt.Sprintf("lib/%d/x.lua", i), "")
	}
	s := source.ReadSources([]source.Folder{{Scope: hooks.ScopeProject, Dir: root, Scripts: root, Root: root, Confined: true}}, "")
	if len(s.Folders) != source.MaxWatchedFolders || !s.More {
		t.Errorf("%d folders, more: %t", len(s.Folders), s.More)
	}
}

func TestSourcesConcerns(t *testing.T) {
	at := func(path string) string { return filepath.FromSlash(path) }
	s := source.Sources{Trees: []string{at("/p/.hooks")}, Files: map[string]bool{at("/p/scripts/a.lua"): true}}
	for path, want := range map[string]bool{
		"/p/.hooks": true, "/p/.hooks/a.lua": true, "/p/.hooks/lib/b.lua": true, "/p": true,
		"/p/.hooks2": false, "/p/.hook": false, "/p/main.go": false,
		"/p/scripts": true, "/p/scripts/a.lua": true, "/p/scripts/a.lua~": false, "/p/scripts/b.lua": false,
	} {
		if got := s.Includes(at(path)); got != want {
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
			(&watch{engine: e}).run(ctx) // with no notifier
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

// tries counts what a watch does; it is a handler of the engine's log.
type tries struct{ all, told atomic.Int32 }

func (*tries) Enabled(context.Context, slog.Level) bool { return true }
func (h *tries) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "hooks read again") || strings.HasPrefix(r.Message, "reading the hooks again") {
		h.all.Add(1)
		if r.Level > slog.LevelDebug {
			h.told.Add(1)
		}
	}
	return nil
}
func (h *tries) forget() {
	h.all.Store(0)
	h.told.Store(0)
}
func (h *tries) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *tries) WithGroup(string) slog.Handler      { return h }

// A failure is tried again after pauses that grow, for ever, and told once.
func TestWatchTriesAgain(t *testing.T) {
	for name, change := range map[string]string{"broken from the start": "", "broken later": "on("} {
		t.Run(name, func(t *testing.T) {
			root := realDir(t)
			put(t, root, ".hooks/a.lua", "on('stop', function() end)", ".hooks/b.lua", "")
			if change == "" {
				put(t, root, ".hooks/b.lua", "on(")
			}
			synctest.Test(t, func(t *testing.T) {
				log := &tries{}
				e, err := New(WithoutBuiltins(), WithProject(Project{Root: root}), WithLogger(slog.New(log)))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(context.Background())
				ended := make(chan bool)
				go func() {
					(&watch{engine: e}).run(ctx)
					ended <- true
				}()
				time.Sleep(time.Minute)
				if change != "" {
					put(t, root, ".hooks/b.lua", change)
				}
				time.Sleep(pollTime)
				synctest.Wait()
				generation := e.Generation()
				log.forget()
				time.Sleep(time.Hour)
				synctest.Wait()
				// 9 pauses that double are 51 s; the rest are of 30 s.
				if all := log.all.Load(); all < 100 || all > 130 || log.told.Load() > 0 {
					t.Errorf("in an hour: %d tries, %d told", log.all.Load(), log.told.Load())
				}
				if e.Generation() != generation {
					t.Errorf("generation %d, was %d", e.Generation(), generation)
				}
				put(t, root, ".hooks/b.lua", "")
				time.Sleep(time.Minute)
				synctest.Wait()
				log.forget()
				time.Sleep(time.Hour)
				synctest.Wait()
				if log.all.Load() > 0 || len(e.LoadErrors()) > 0 {
					t.Errorf("once it is fixed: %d tries, problems: %v", log.all.Load(), e.LoadErrors())
				}
				cancel()
				<-ended
				if err := e.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// The first pauses are short, and each is twice the one before it.
func TestWatchPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watch{engine: &Engine{notices: notices{unsure: true}}}
		for i := range 20 {
			why := again
			if i == 0 {
				why = changed
			}
			w.plan(why)
			want := min(100*time.Millisecond<<i, 30*time.Second)
			if got := time.Until(w.next); got != want {
				t.Errorf("pause %d: %s, want %s", i, got, want)
			}
			time.Sleep(time.Until(w.next))
		}
		w.plan(changed)
		if got := time.Until(w.next); got != firstPause {
			t.Errorf("after a change: %s", got)
		}
		w.engine.notices = notices{until: time.Now().Add(time.Minute)}
		if w.plan(again); time.Until(w.next) != time.Minute {
			t.Errorf("for what has vanished: %s", time.Until(w.next))
		}
		w.engine.notices = notices{}
		if w.plan(again); !w.next.IsZero() {
			t.Errorf("for nothing: %s", time.Until(w.next))
		}
	})
}

// A file that was read in the middle of being written is read again, though before and
// after that it says the same.
func TestWatchNoticesWhatWasReadInTheMiddle(t *testing.T) {
	const guard = "on('pre_tool_call', function() return deny('no') end)"
	root := realDir(t)
	put(t, root, ".hooks/a.lua", guard)
	synctest.Test(t, func(t *testing.T) {
		e, err := New(WithoutBuiltins(), WithProject(Project{Root: root}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour) // of the bubble's clock
		defer cancel()
		w := &watch{engine: e}
		w.follow()
		put(t, root, ".hooks/a.lua", "local x") // is a script
		w.reload(ctx, changed)
		put(t, root, ".hooks/a.lua", guard)
		why := again
		if !w.wait(ctx, &why) || why != changed {
			t.Fatal("nothing is noticed")
		}
		w.reload(ctx, why)
		if r, err := e.Fire(ctx, &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}}); err != nil || !r.Block {
			t.Errorf("%+v, %v", r, err)
		}
		if err := e.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

// A file that is empty while it is watched is one that somebody begins to write.
func TestWatchKeepsWhatIsEmptied(t *testing.T) {
	root := realDir(t)
	put(t, root, ".hooks/a.lua", "on('pre_tool_call', function() return deny('no') end)")
	synctest.Test(t, func(t *testing.T) {
		e, err := New(WithoutBuiltins(), WithProject(Project{Root: root}))
		if err != nil {
			t.Fatal(err)
		}
		blocks := func(want bool) {
			t.Helper()
			r, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}})
			if err != nil || r.Block != want || len(e.LoadErrors()) > 0 && !want {
				t.Errorf("blocked: %t, want %t: %v, problems: %v", r.Block, want, err, e.LoadErrors())
			}
		}
		blocks(true)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan bool)
		go func() {
			(&watch{engine: e}).run(ctx)
			ended <- true
		}()
		time.Sleep(time.Minute)
		put(t, root, ".hooks/a.lua", "-- a guard\n\n")
		time.Sleep(vanishedFor / 2)
		blocks(true)
		if len(e.LoadErrors()) != 1 {
			t.Errorf("problems: %v", e.LoadErrors())
		}
		time.Sleep(vanishedFor)
		synctest.Wait()
		blocks(false)
		cancel()
		<-ended
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
