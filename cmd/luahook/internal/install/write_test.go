package install_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/hooks/wire"
)

// TestMain is also the process that TestKilled kills.
func TestMain(m *testing.M) {
	if at := os.Getenv("INSTALL_TEST_DIES_AT"); at != "" {
		os.Exit(dyingInstall(at))
	}
	os.Exit(m.Run())
}

// dyingInstall installs or uninstalls, and is killed at its step of that number. It prints how many there are.
func dyingInstall(at string) int {
	var n, last int
	if _, err := fmt.Sscan(at, &last); err != nil {
		return 3
	}
	install.SetStep(func() {
		if n++; n == last {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err == nil {
				select {} // until it arrives
			}
		}
	})
	target := &install.Target{Agent: agent(os.Getenv("INSTALL_TEST_AGENT")), Home: os.Getenv("HOME"), Getenv: func(string) string { return "" }, Program: "luahook"}
	plan, err := target.Install(nil)
	if os.Getenv("INSTALL_TEST_UNINSTALLS") != "" {
		plan, err = target.Uninstall(nil)
	}
	if err == nil {
		err = plan.Apply(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return 3
	}
	return 0
}

// TestKilled: a process that is killed at any step leaves each file as it was or as it becomes, and the next one goes
// on from there as if nothing had been.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't kill itself there")
	}
	for _, c := range []struct {
		name, agent string
		there       bool // a file is there before
		uninstalls  bool
	}{
		{"install", "claude", true, false}, {"install of nothing", "cursor", false, false}, {"of scripts", "cline", false, false},
		{"uninstall", "claude", true, true}, {"uninstall of nothing", "cursor", false, true}, {"uninstall of scripts", "cline", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			steps := 0
			for at := 1; ; at++ {
				target := target(t, c.agent)
				if c.there {
					put(t, target.Home, where(c.agent), "{\n  \"a\": 1 // mine\n}\n")
				}
				none := tree(t, target.Home)
				installed(t, target)
				all := tree(t, target.Home)
				if !c.uninstalls {
					uninstalled(t, target)
				}
				cmd := exec.CommandContext(t.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), fmt.Sprint("INSTALL_TEST_DIES_AT=", at), "INSTALL_TEST_AGENT="+c.agent, "HOME="+target.Home)
				if c.uninstalls {
					cmd.Env = append(cmd.Env, "INSTALL_TEST_UNINSTALLS=1")
				}
				out, err := cmd.CombinedOutput()
				if err == nil {
					steps = at - 1
					break
				}
				if !strings.Contains(err.Error(), "killed") {
					t.Fatalf("%v: %s", err, out)
				}
				for path, now := range tree(t, target.Home) {
					settings := !strings.Contains(filepath.Base(path), "luahook") && !strings.HasSuffix(path, "/")
					if old, new := none[path], all[path]; settings && now != old && now != new {
						t.Errorf("killed at step %d: %s is neither the old nor the new file:\n%s", at, path, now)
					}
				}
				installed(t, target)
				if got := eventsOf(t, target); !slices.Equal(got, slices.Sorted(slices.Values(planEvents(t, c.agent)))) {
					t.Errorf("killed at step %d, and installed again: luahook stands at %v", at, got)
				}
				uninstalled(t, target)
				left := tree(t, target.Home)
				maps.DeleteFunc(left, func(path, _ string) bool { return strings.HasSuffix(path, "/") }) // a folder may stay
				maps.DeleteFunc(none, func(path, _ string) bool { return strings.HasSuffix(path, "/") })
				maps.DeleteFunc(left, func(path, text string) bool { // and of a backup a part
					return strings.Contains(path, "luahook-backup") && strings.HasPrefix(none[where(c.agent)], text)
				})
				if diff := cmp.Diff(none, left); diff != "" {
					t.Errorf("killed at step %d, installed and uninstalled (-was +is):\n%s", at, diff)
				}
			}
			if steps < 1 || !c.uninstalls && steps < 4 {
				t.Errorf("it was killed at %d steps", steps)
			}
		})
	}
}

// TestConcurrent: of installs at the same time none loses what another has written.
func TestConcurrent(t *testing.T) {
	target := target(t, "claude")
	target.Agent = wire.Named("claude")
	path := put(t, target.Home, where("claude"), "{}")
	var names []string
	for _, e := range target.Agent.Events {
		names = append(names, e.Name)
	}
	var wait sync.WaitGroup
	for _, name := range names {
		wait.Go(func() {
			for range 1000 {
				plan, err := target.Install([]string{name})
				if err == nil {
					err = plan.Apply(t.Context())
				}
				if errors.Is(err, install.ErrChanged) {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
			t.Error("it never came to its turn")
		})
	}
	wait.Wait()
	if got := eventsOf(t, target); !slices.Equal(got, slices.Sorted(slices.Values(names))) {
		t.Errorf("luahook stands at %v", got)
	}
	uninstalled(t, target)
	if got := text(t, path); got != "{}" {
		t.Errorf("%q", got)
	}
}

// TestChangedMeanwhile: what was written after the plan was made isn't overwritten.
func TestChangedMeanwhile(t *testing.T) {
	for _, before := range []string{"", "{}"} {
		target := target(t, "claude")
		if before != "" {
			put(t, target.Home, where("claude"), before)
		}
		plan, err := target.Install(nil)
		planned(t, plan, err)
		path := put(t, target.Home, where("claude"), `{"a": 1}`)
		if err := plan.Apply(t.Context()); !errors.Is(err, install.ErrChanged) {
			t.Errorf("%v, want ErrChanged", err)
		}
		if got := text(t, path); got != `{"a": 1}` {
			t.Error(got)
		}
	}
}

// TestLinks: a link of the user's is followed and stays a link; one of a project's may not lead out of it.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	link := func(t *testing.T, to, from string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("the user's file", func(t *testing.T) {
		target, elsewhere := target(t, "claude"), t.TempDir()
		path := put(t, elsewhere, "dotfiles/claude.json", "{}\n")
		link(t, path, filepath.Join(target.Home, where("claude")))
		before, there := tree(t, target.Home), tree(t, elsewhere)
		installed(t, target)
		if !strings.Contains(text(t, path), "luahook") || !maps.Equal(before, tree(t, target.Home)) {
			t.Errorf("%v, %s", tree(t, target.Home), text(t, path))
		}
		uninstalled(t, target)
		if diff := cmp.Diff(there, tree(t, elsewhere)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the user's folder", func(t *testing.T) {
		target, elsewhere := target(t, "claude"), t.TempDir()
		link(t, elsewhere, filepath.Join(target.Home, ".claude"))
		installed(t, target)
		text(t, filepath.Join(elsewhere, "settings.json"))
		uninstalled(t, target)
		if left := tree(t, elsewhere); len(left) != 1 {
			t.Error(left)
		}
	})
	t.Run("to nothing", func(t *testing.T) {
		target := target(t, "claude")
		link(t, "nowhere", filepath.Join(target.Home, where("claude")))
		if _, err := target.Install(nil); err == nil || !strings.Contains(err.Error(), "a link to what isn't there") {
			t.Error(err)
		}
	})
	t.Run("in circles", func(t *testing.T) {
		target := target(t, "claude")
		link(t, "settings.json", filepath.Join(target.Home, where("claude")))
		if _, err := target.Install(nil); err == nil {
			t.Error("no error")
		}
	})
	for _, name := range []string{"file", "folder"} {
		t.Run("a project's "+name, func(t *testing.T) {
			target := target(t, "claude")
			target.Project = t.TempDir()
			put(t, target.Home, ".bashrc/settings.json", "{}")
			put(t, target.Project, "inside/settings.json", "{}")
			at, out, in := filepath.Join(target.Project, ".claude"), filepath.Join(target.Home, ".bashrc"), "inside"
			if name == "file" {
				at, out, in = filepath.Join(at, "settings.json"), filepath.Join(out, "settings.json"), "../inside/settings.json"
			}
			link(t, out, at)
			before := tree(t, target.Home)
			_, err := target.Install(nil)
			if err == nil || !strings.Contains(err.Error(), "it leads out of the project, to ") {
				t.Error(err)
			}
			if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
				t.Error(diff)
			}
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
			link(t, in, at)
			installed(t, target)
			if got := text(t, filepath.Join(target.Project, "inside/settings.json")); !strings.Contains(got, "luahook") {
				t.Error(got)
			}
		})
	}
}

// TestRefused: files that can't be replaced as they are.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		make       func(path string) error
	}{
		{"a folder", "it is not a regular file", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"a large file", "it is larger than 4 MiB", func(path string) error { return os.WriteFile(path, make([]byte, 4<<20+1), 0o600) }},
		{"a file that is only just small enough", "it is larger than 4 MiB", func(path string) error {
			return os.WriteFile(path, []byte("{}"+strings.Repeat("\n", 4<<20-2)), 0o600)
		}},
		{"a protected file", "it is write-protected", func(path string) error { return os.WriteFile(path, []byte("{}"), 0o400) }},
		{"a folder where the settings' should be", "not a directory", func(path string) error {
			dir := filepath.Dir(path)
			return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := target(t, "claude")
			path := filepath.Join(target.Home, where("claude"))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), c.make(path)); err != nil {
				t.Fatal(err)
			}
			before := tree(t, target.Home)
			plan, err := target.Install(nil)
			if err == nil {
				err = plan.Apply(t.Context())
			}
			var at *install.FileError
			if !errors.As(err, &at) || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBackupsOfOthers: a file of the user's that has a backup's name stays.
func TestBackupsOfOthers(t *testing.T) {
	target := target(t, "claude")
	path := put(t, target.Home, where("claude"), "{\"a\": 1}")
	put(t, target.Home, where("claude")+".luahook-backup", "precious")
	put(t, target.Home, where("claude")+".luahook-new-x", "precious too")
	before := tree(t, target.Home)
	installed(t, target)
	if got := text(t, path+".luahook-backup-2"); got != "{\"a\": 1}" {
		t.Error(got)
	}
	uninstalled(t, target)
	if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
		t.Error(diff)
	}
}

// TestWaitingEnds: an install that waits for another one ends with its context.
func TestWaitingEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders can't be locked there")
	}
	target := target(t, "claude")
	path := put(t, target.Home, where("claude"), "{}")
	plan, err := target.Install(nil)
	planned(t, plan, err)
	unlock, err := install.LockFolder(t.Context(), filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := plan.Apply(ctx); err == nil || !strings.Contains(err.Error(), "another luahook is at work") {
		t.Error(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context()); err != nil {
		t.Error(err)
	}
}
