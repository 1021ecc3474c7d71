package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// guards is a project all of whose parts deny: what runs is named in the reason.
const guards = `
-- .hooks/a.lua --
local word = require("word")
on("pre_tool_call", {name="a"}, function(ev) if ev.tool_call.command == "a" then return deny(word) end end)
-- .hooks/b.lua --
on("pre_tool_call", {name="b"}, function(ev) if ev.tool_call.command == "b" then return deny("b") end end)
-- .hooks/lib/word.lua --
return "a"
-- .hooks/hooks.yaml --
hooks: {pre_tool_call: [{name: c, script: tools/c.lua}]}
-- tools/c.lua --
on("pre_tool_call", function(ev) if ev.tool_call.command == "c" then return deny("c") end end)
`

// denied are the commands of a, b and c that are denied.
func denied(t testing.TB, e *engine.Engine) (list string) {
	t.Helper()
	for _, command := range []string{"a", "b", "c"} {
		if fire(t, e, bash(command)).Decision == hooks.Deny {
			list += command
		}
	}
	return list
}

// What was there and is gone stays for its time, which every result and Problems tell, and
// then goes by itself; what comes back is as it was.
func TestVanishedHooksStayForATime(t *testing.T) {
	gone := func(paths ...string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) {
			for _, p := range paths {
				must(t, os.RemoveAll(filepath.Join(root, p)))
			}
		}
	}
	tests := []struct {
		name   string
		change func(t *testing.T, root string)
		told   string // by the error
		then   string // what is denied once their time is over
	}{
		{"the folder", gone(".hooks"), ".hooks: the hooks folder was there and can't be found", ""},
		{"the folder is renamed", func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(root, ".hooks"), filepath.Join(root, "away")))
		}, ".hooks: the hooks folder was there", ""},
		{"the project is renamed", func(t *testing.T, root string) { must(t, os.Rename(root, root+"-away")) }, ".hooks: the hooks folder was there", ""},
		{"a script", gone(".hooks/b.lua"), ".hooks/b.lua: this file was there and can't be found", "ac"},
		{"hooks.yaml", gone(".hooks/hooks.yaml"), ".hooks/hooks.yaml: this file was there", "ab"},
		{"hooks.yaml and what it lists", gone(".hooks/hooks.yaml", "tools/c.lua"), ".hooks/hooks.yaml: this file was there", "ab"},
		{"a library that nobody could do without", gone(".hooks/lib", ".hooks/a.lua"), ".hooks/a.lua: this file and 1 more (.hooks/lib/word.lua) were there", "bc"},
		{"another folder takes its place", func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(root, ".hooks"), filepath.Join(root, "away")))
			write(t, root, "-- .hooks/d.lua --\non('stop', function() end)\n")
		}, ".hooks/a.lua: this file and 3 more", ""},
		{"another folder with one of them takes its place", func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(root, ".hooks"), filepath.Join(root, "away")))
			write(t, root, "-- .hooks/b.lua --\non('pre_tool_call', function(ev) if ev.tool_call.command == 'b' then return deny('new') end end)\n")
		}, ".hooks/a.lua: this file and 2 more", "b"},
	}
	for _, test := range tests {
		for _, isTrusted := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				root := filepath.Join(tree(t, ""), "project")
				write(t, root, guards)
				trusting := engine.WithGrants(hooks.Grants{})
				if isTrusted {
					store := filepath.Join(t.TempDir(), "trust.json")
					fileTrusted(t, store, root)
					trusting = engine.WithTrust(store)
				}
				synctest.Test(t, func(t *testing.T) {
					e := newEngine(t, engine.WithProject(engine.Project{Root: root}), trusting)
					equal(t, "denied at first", denied(t, e), "abc")
					test.change(t, root)
					for range 3 { // however often it is read in the meantime
						err := e.Reload(context.Background())
						var told *hooks.Error
						if !errors.As(err, &told) || told.Kind != hooks.KindLoad {
							t.Fatalf("Reload: %v", err)
						}
						contains(t, err.Error(), test.told, "stay in force for 30s")
						equal(t, "denied while it is gone", denied(t, e), "abc")
						contains(t, problems(e), test.told)
						contains(t, strings.Join(fire(t, e, &hooks.Context{Event: hooks.Notification}).Warnings, "\n"), test.told)
						time.Sleep(9 * time.Second) // of the bubble's clock
					}
					time.Sleep(4 * time.Second)
					synctest.Wait()
					equal(t, "denied after its time", denied(t, e), test.then)
					equal(t, "problems after its time", problems(e), "")
					for _, w := range fire(t, e, bash("ls")).Warnings { // that of trust stays, as files are missing
						if strings.Contains(w, "can't be found") {
							t.Errorf("a warning after its time: %s", w)
						}
					}
				})
			})
		}
	}
}

// What comes back in time was never out of force, and is told no more.
func TestVanishedHooksComeBack(t *testing.T) {
	root := tree(t, guards)
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
		equal(t, "problems", problems(e), "") // all is read
		for range 5 {
			must(t, os.Rename(filepath.Join(root, ".hooks"), filepath.Join(root, "away")))
			if e.Reload(context.Background()) == nil {
				t.Error("Reload doesn't tell that the folder is gone")
			}
			time.Sleep(20 * time.Second)
			equal(t, "denied while it is gone", denied(t, e), "abc")
			must(t, os.Rename(filepath.Join(root, "away"), filepath.Join(root, ".hooks")))
			must(t, e.Reload(context.Background()))
			equal(t, "problems", problems(e), "")
			time.Sleep(20 * time.Second)
			equal(t, "denied when it is back", denied(t, e), "abc")
		}
	})
}

// A file that is known by another name now, or that was taken out of hooks.yaml, isn't gone.
func TestWhatHasNotVanished(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, root string){
		"a script is renamed": func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(root, ".hooks/b.lua"), filepath.Join(root, ".hooks/z.lua")))
		},
		"a script is listed now": func(t *testing.T, root string) {
			write(t, root, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{name: c, script: tools/c.lua}, {name: b, script: .hooks/b.lua}]}\n")
		},
		"a script is listed no more": func(t *testing.T, root string) { write(t, root, "-- .hooks/hooks.yaml --\nhooks: {}\n") },
		"all is switched off":        func(t *testing.T, root string) { write(t, root, "-- .hooks/hooks.yaml --\nhooks: {enabled: false}\n") },
		"it is of definitions now": func(t *testing.T, root string) {
			write(t, root, "-- .hooks/b.lua --\n---@meta\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, guards)
			e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
			equal(t, "denied", denied(t, e), "abc")
			change(t, root)
			must(t, e.Reload(context.Background()))
			equal(t, "problems", problems(e), "")
		})
	}
}

// The user's folder and the managed file are as a project's.
func TestVanishedUserAndManagedFiles(t *testing.T) {
	const guard = "on('pre_tool_call', function(ev) if ev.tool_call.command == 'a' then return deny('a') end end)\n"
	user, managed := tree(t, "-- hooks/a.lua --\n"+guard), tree(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{script: a.lua}]}\n-- a.lua --\n"+guard)
	engine.SetManagedFile(t, filepath.Join(managed, "hooks.yaml"))
	synctest.Test(t, func(t *testing.T) {
		for _, dir := range []string{user, managed} {
			e := newEngine(t, engine.WithUserDir(user))
			must(t, os.Rename(dir, dir+"-away"))
			if e.Reload(context.Background()) == nil {
				t.Error("Reload doesn't tell that the folder is gone")
			}
			equal(t, "runs while it is gone", len(fire(t, e, bash("ls")).Summary().Runs), 2)
			time.Sleep(31 * time.Second)
			synctest.Wait()
			equal(t, "runs after its time", len(fire(t, e, bash("ls")).Summary().Runs), 1)
			must(t, os.Rename(dir+"-away", dir))
			must(t, e.Reload(context.Background()))
			equal(t, "runs when it is back", len(fire(t, e, bash("ls")).Summary().Runs), 2)
		}
	})
}

// What has vanished doesn't put off what others have changed.
func TestVanishedPutsNothingOff(t *testing.T) {
	root, user := tree(t, guards), t.TempDir()
	e := newEngine(t, engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root}))
	equal(t, "problems", problems(e), "") // all is read
	must(t, os.RemoveAll(filepath.Join(root, ".hooks", "b.lua")))
	write(t, root, "-- .hooks/d.lua --\non('pre_tool_call', function(ev) if ev.tool_call.command == 'd' then return deny('d') end end)\n")
	write(t, user, "-- hooks/u.lua --\non('pre_tool_call', function(ev) if ev.tool_call.command == 'u' then return deny('u') end end)\n")
	if e.Reload(context.Background()) == nil {
		t.Error("Reload doesn't tell that a file is gone")
	}
	equal(t, "denied", denied(t, e), "abc")
	for _, command := range []string{"d", "u"} {
		equal(t, "the new guard "+command, fire(t, e, bash(command)).Decision, hooks.Deny)
	}
}

// What has vanished is trusted as it was read: nothing else is by that.
func TestTrustOfWhatHasVanished(t *testing.T) {
	const files = `
-- .hooks/a.lua --
on("pre_tool_call", function(ev) return allow(fs.read(".hooks/data.txt") or "nothing") end)
-- .hooks/b.lua --
local x
-- .hooks/data.txt --
words
-- .hooks/hooks.yaml --
hooks: {grant: {fs.read: true}}
`
	pure := strings.Replace(strings.Replace(files, `fs.read(".hooks/data.txt") or `, "", 1), "-- .hooks/data.txt --\nwords\n", "", 1)
	away := func(t *testing.T, root string) { must(t, os.RemoveAll(filepath.Join(root, ".hooks"))) }
	for _, test := range []struct {
		name, files string
		change      func(t *testing.T, root, store string)
		want        hooks.Decision
	}{
		{"all was read", pure, func(t *testing.T, root, _ string) { away(t, root) }, hooks.Allow},
		{"data is gone as well", files, func(t *testing.T, root, _ string) { away(t, root) }, hooks.Deny},
		{"data has changed meanwhile", files, func(t *testing.T, root, _ string) {
			must(t, os.Remove(filepath.Join(root, ".hooks/b.lua")))
			write(t, root, "-- .hooks/data.txt --\nother words\n")
		}, hooks.Deny},
		{"the script came back as another", pure, func(t *testing.T, root, _ string) {
			away(t, root)
			write(t, root, "-- .hooks/a.lua --\non('pre_tool_call', function() return allow('mine') end)\n")
		}, hooks.NoOpinion},
		{"it is taken back", pure, func(t *testing.T, root, store string) {
			away(t, root)
			removed, err := engine.RevokeTrust(engine.Project{Root: root}, store)
			must(t, err)
			equal(t, "removed", removed, true)
		}, hooks.NoOpinion},
	} {
		t.Run(test.name, func(t *testing.T) {
			root, store := realTree(t, test.files)
			link := filepath.Join(t.TempDir(), "link") // by which the engine knows the project
			if os.Symlink(root, link) != nil {
				link = root
			}
			fileTrusted(t, store, root)
			e := newEngine(t, engine.WithTrust(store), engine.WithProject(engine.Project{Root: link}))
			equal(t, "trusted", fire(t, e, bash("ls")).Decision, hooks.Allow)
			test.change(t, root, store)
			if e.Reload(context.Background()) == nil {
				t.Error("Reload doesn't tell that files are gone")
			}
			equal(t, "decision", fire(t, e, bash("ls")).Decision, test.want)
		})
	}
}

func TestWithVanishedFor(t *testing.T) {
	if _, err := engine.New(engine.WithVanishedFor(-1)); err == nil {
		t.Error("a negative time is taken")
	}
	root := tree(t, guards)
	e := newEngine(t, engine.WithVanishedFor(0), engine.WithProject(engine.Project{Root: root}))
	must(t, os.RemoveAll(filepath.Join(root, ".hooks")))
	must(t, e.Reload(context.Background()))
	equal(t, "denied", denied(t, e), "")
}

// Events that are fired while the folder goes and comes: none that is forbidden passes.
func TestNoForbiddenEventPassesWhileTheFolderChurns(t *testing.T) {
	const guard = "-- .hooks/a.lua --\non('pre_tool_call', function() return deny('forbidden') end)\n"
	away := func(t *testing.T, root string, back bool) {
		from, to := filepath.Join(root, ".hooks"), filepath.Join(root, "away")
		if back {
			from, to = to, from
		}
		must(t, os.Rename(from, to))
	}
	rounds := 5
	if engine.Nightly {
		rounds = 20
	}
	for name, move := range map[string]func(t *testing.T, root string, back bool){
		"renamed": away,
		"the project renamed": func(t *testing.T, root string, back bool) {
			from, to := root, root+"-away"
			if back {
				from, to = to, from
			}
			must(t, os.Rename(from, to))
		},
		"removed and written anew": func(t *testing.T, root string, back bool) {
			if back {
				write(t, root, guard)
				return
			}
			must(t, os.RemoveAll(filepath.Join(root, ".hooks")))
		},
		"its script renamed": func(t *testing.T, root string, back bool) {
			from, to := filepath.Join(root, ".hooks/a.lua"), filepath.Join(root, ".hooks/a.lua~")
			if back {
				from, to = to, from
			}
			must(t, os.Rename(from, to))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, root, reloads := watching(t, guard)
			passed := 0
			shots := func() {
				for range 20 {
					if !fire(t, e, bash("rm -rf /")).Block {
						passed++
					}
				}
			}
			for range rounds {
				move(t, root, false)
				shots()
				for next(t, reloads).err == nil {
					shots()
				}
				shots()
				contains(t, problems(e), "can't be found any more")
				move(t, root, true)
				shots()
				for next(t, reloads).err != nil {
					shots()
				}
				shots()
				equal(t, "problems", problems(e), "")
			}
			equal(t, "forbidden events that passed", passed, 0)
		})
	}
}
