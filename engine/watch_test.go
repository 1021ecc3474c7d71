package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// reloaded is what WithOnReload was told.
type reloaded struct {
	generation uint64
	err        error
}

// watching makes an engine with a project's files and watches it. The files are being
// watched when it returns.
func watching(t *testing.T, files string, options ...engine.Option) (e *engine.Engine, root string, reloads chan reloaded) {
	t.Helper()
	root = tree(t, files)
	e, reloads = watchingWith(t, append(options, engine.WithProject(engine.Project{Root: root}))...)
	return e, root, reloads
}

func watchingWith(t *testing.T, options ...engine.Option) (*engine.Engine, chan reloaded) {
	t.Helper()
	reloads := make(chan reloaded, 1000)
	e := newEngine(t, append(options, engine.WithOnReload(func(generation uint64, err error) {
		reloads <- reloaded{generation, err}
	}))...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Watch(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Watch: %v", err)
		}
	})
	next(t, reloads)
	return e, reloads
}

const patience = 30 * time.Second

func next(t *testing.T, reloads chan reloaded) reloaded {
	t.Helper()
	select {
	case r := <-reloads:
		return r
	case <-time.After(patience):
		t.Fatal("no reload")
		return reloaded{}
	}
}

// until waits for the hooks to say something else: a change may take several reloads
// where it is made of several steps.
func until(t *testing.T, e *engine.Engine, reloads chan reloaded, want string) reloaded {
	t.Helper()
	got := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		r := next(t, reloads)
		result := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "hi"})
		if got = result.NewContext; got == want {
			equal(t, "generation of the decision", result.Summary().Generation, r.generation)
			return r
		}
	}
	t.Fatalf("the hooks say %q, want %q", got, want)
	return reloaded{}
}

func says(text string) string {
	return fmt.Sprintf("on(\"pre_prompt\", function() return context(%q) end)\n", text)
}

// replace puts a file in place at once, as editors do.
func replace(t *testing.T, root, path, text string) {
	t.Helper()
	write(t, root, "-- new --\n"+text)
	if err := os.Rename(filepath.Join(root, "new"), filepath.Join(root, path)); err != nil {
		t.Fatal(err)
	}
}

// Each way in which files change is noticed.
func TestWatchNoticesChanges(t *testing.T) {
	rename := func(t *testing.T, from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t *testing.T, path string) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, before string
		change       func(t *testing.T, root string)
		want         string
	}{
		{"a script is written", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			write(t, root, "-- .hooks/a.lua --\n"+says("two"))
		}, "two"},
		{"an editor replaces it", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			write(t, root, "-- .hooks/.a.lua.swp --\n"+says("two"))
			rename(t, filepath.Join(root, ".hooks/.a.lua.swp"), filepath.Join(root, ".hooks/a.lua"))
		}, "two"},
		{"an editor keeps a copy of it", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			rename(t, filepath.Join(root, ".hooks/a.lua"), filepath.Join(root, ".hooks/a.lua~"))
			write(t, root, "-- .hooks/a.lua --\n"+says("two"))
		}, "two"},
		{"one comes", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			write(t, root, "-- .hooks/b.lua --\n"+says("two"))
		}, "one\ntwo"},
		{"one goes", "-- .hooks/a.lua --\n" + says("one") + "-- .hooks/b.lua --\n" + says("two"), func(t *testing.T, root string) {
			remove(t, filepath.Join(root, ".hooks/a.lua"))
		}, "two"},
		{"a library is written", "-- .hooks/a.lua --\nlocal l = require('words') on('pre_prompt', function() return context(l) end)\n-- .hooks/lib/words.lua --\nreturn 'one'\n", func(t *testing.T, root string) {
			write(t, root, "-- .hooks/lib/words.lua --\nreturn 'two'\n")
		}, "two"},
		{"a folder of libraries comes", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			write(t, root, "-- .hooks/lib/deep/er/words.lua --\nreturn 'two'\n-- .hooks/a.lua --\nlocal l = require('deep.er.words') on('pre_prompt', function() return context(l) end)\n")
		}, "two"},
		{"the folder comes", "-- README --\n", func(t *testing.T, root string) {
			write(t, root, "-- .hooks/a.lua --\n"+says("two"))
		}, "two"},
		{"the folder goes", "-- .hooks/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			remove(t, filepath.Join(root, ".hooks"))
		}, ""},
		{"another folder takes its place", "-- .hooks/a.lua --\n" + says("one") + "-- other/b.lua --\n" + says("two"), func(t *testing.T, root string) {
			rename(t, filepath.Join(root, ".hooks"), filepath.Join(root, "old"))
			rename(t, filepath.Join(root, "other"), filepath.Join(root, ".hooks"))
		}, "two"},
		{"hooks.yaml lists a script", "-- .hooks/hooks.yaml --\nhooks: {}\n-- scripts/a.lua --\n" + says("two"), func(t *testing.T, root string) {
			write(t, root, "-- .hooks/hooks.yaml --\nhooks:\n  pre_prompt:\n    - {name: a, script: scripts/a.lua}\n")
		}, "two"},
		{"a listed script is written", "-- .hooks/hooks.yaml --\nhooks:\n  pre_prompt:\n    - {name: a, script: scripts/a.lua}\n-- scripts/a.lua --\n" + says("one"), func(t *testing.T, root string) {
			write(t, root, "-- scripts/a.lua --\n"+says("two"))
		}, "two"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, root, reloads := watching(t, test.before, engine.WithVanishedFor(0))
			test.change(t, root)
			until(t, e, reloads, test.want)
			// It goes on to be watched.
			write(t, root, "-- .hooks/z.lua --\non('pre_prompt', {priority=-1}, function() return context('more') end)\n")
			until(t, e, reloads, strings.TrimPrefix(test.want+"\nmore", "\n"))
		})
	}
}

// A file that can't be used leaves the last good hooks in force; it is said so, and
// the fixed file takes over.
func TestWatchKeepsTheLastGoodHooks(t *testing.T) {
	var log bytes.Buffer // written on Watch's goroutine, read after it has ended
	t.Cleanup(func() {
		contains(t, log.String(), "level=WARN msg=\"reading the hooks again\" generation=2 error=\"hooks were not reloaded", "level=INFO msg=\"hooks read again\" generation=3")
		if strings.Contains(log.String(), "level=INFO msg=\"hooks read again\" generation=2") {
			t.Error("Watch says at its beginning that hooks were read again, though nothing has changed")
		}
	})
	e, root, reloads := watching(t, "-- .hooks/a.lua --\n"+says("one"), engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	generation := e.Generation()
	replace(t, root, ".hooks/a.lua", "on(\n")
	r := next(t, reloads)
	var broken *hooks.Error
	if !errors.As(r.err, &broken) || broken.Kind != hooks.KindLoad || r.generation != generation {
		t.Fatalf("generation %d: %v", r.generation, r.err)
	}
	equal(t, "context", fire(t, e, &hooks.Context{Event: hooks.PrePrompt}).NewContext, "one")
	replace(t, root, ".hooks/a.lua", says("two"))
	equal(t, "generation", until(t, e, reloads, "two").generation, generation+1)
}

// Many changes at once are few reloads.
func TestWatchGathersChanges(t *testing.T) {
	e, root, reloads := watching(t, "-- .hooks/a.lua --\n"+says("one"))
	for i := range 500 {
		write(t, root, fmt.Sprintf("-- .hooks/a.lua --\n%s-- .hooks/notes/%d.txt --\n", says(fmt.Sprint(i)), i))
	}
	count := 1
	for until := fire(t, e, &hooks.Context{Event: hooks.PrePrompt}).NewContext; until != "499"; count++ {
		next(t, reloads)
		until = fire(t, e, &hooks.Context{Event: hooks.PrePrompt}).NewContext
	}
	if count > 100 {
		t.Errorf("%d reloads for one storm", count)
	}
}

// The user's folder is watched as the project's is, before it is there.
func TestWatchTheUsersFolder(t *testing.T) {
	home := t.TempDir()
	e, reloads := watchingWith(t, engine.WithUserDir(filepath.Join(home, ".config", "luahook")))
	write(t, home, "-- .config/luahook/hooks/a.lua --\n"+says("one"))
	until(t, e, reloads, "one")
	write(t, home, "-- .config/luahook/hooks.yaml --\nhooks: {enabled: false}\n")
	until(t, e, reloads, "")
}

// What the user trusts, or no longer does, counts at once.
func TestWatchNoticesTrust(t *testing.T) {
	root, pins := tree(t, "-- .hooks/a.lua --\non('pre_tool_call', function() return allow('fine') end)\n"), filepath.Join(t.TempDir(), "state", "trust.json")
	p := engine.Project{Root: root}
	e, reloads := watchingWith(t, engine.WithProject(p), engine.WithTrust(pins))
	equal(t, "decision, untrusted", fire(t, e, bash("ls")).Decision, hooks.NoOpinion)

	survey, err := engine.SurveyProject(p, pins)
	if err != nil {
		t.Fatal(err)
	}
	decided := func(want hooks.Decision) {
		t.Helper()
		for fire(t, e, bash("ls")).Decision != want {
			next(t, reloads) // which gives up
		}
	}
	if err := survey.Trust(false); err != nil {
		t.Fatal(err)
	}
	decided(hooks.Allow)
	if gone, err := engine.RevokeTrust(p, pins); !gone || err != nil {
		t.Fatal(gone, err)
	}
	decided(hooks.NoOpinion)
}

// A script that is a link changes when the file does that it leads to.
func TestWatchFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own there")
	}
	store := tree(t, "-- a.lua --\n"+says("one"))
	user := filepath.Join(t.TempDir(), "luahook")
	if err := os.MkdirAll(filepath.Join(user, "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(store, "a.lua"), filepath.Join(user, "hooks", "a.lua")); err != nil {
		t.Fatal(err)
	}
	e, reloads := watchingWith(t, engine.WithUserDir(user))
	write(t, store, "-- a.lua --\n"+says("two"))
	until(t, e, reloads, "two")
}

// One Watch at a time; it ends with its context and with the engine, and can begin
// anew.
func TestWatchEnds(t *testing.T) {
	reloads := make(chan uint64, 10)
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithOnReload(func(generation uint64, _ error) { reloads <- generation }))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	for range 2 {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { ended <- e.Watch(ctx) }()
		<-reloads
		if err := e.Watch(ctx); !errors.Is(err, engine.ErrWatching) {
			t.Errorf("a second Watch: %v", err)
		}
		cancel()
		equal(t, "Watch", <-ended, nil)
	}
	go func() { ended <- e.Watch(context.Background()) }()
	<-reloads
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "Watch of an engine that is being closed", <-ended, nil)
	equal(t, "Watch of a closed engine", e.Watch(context.Background()), engine.ErrClosed)
}
