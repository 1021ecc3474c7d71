package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/userhome"
)

func TestFindProject(t *testing.T) {
	tests := []struct {
		name, files string
		from        string
		home        string
		root, hooks string // relative to the tree; hooks empty: none
	}{
		{"the git top level", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", ".hooks"},
		{"a worktree, whose .git is a file", "-- .git --\ngitdir: /x\n-- .hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", ".hooks"},
		{"the nearest .hooks", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.hooks/a.lua --\n-- a/b/x --\n", "a/b", "", ".", "a/.hooks"},
		{"not above the root", "-- .hooks/a.lua --\n-- a/.git/HEAD --\n-- a/b/x --\n", "a/b", "", "a", ""},
		{"the nearest .git", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.git/HEAD --\n-- a/.hooks/a.lua --\n", "a", "", "a", "a/.hooks"},
		{"a .git that is no repository's", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- a/.git/x --\n-- a/.git/HEAD/x --\n-- a/b/.git --\nx\n-- a/b/c/.git --\ngit\n", "a/b/c", "", ".", ".hooks"},
		{"outside of git", "-- .hooks/a.lua --\n-- a/x --\n", "a", "", "a", ""},
		{"outside of git, in the folder itself", "-- a/.hooks/a.lua --\n", "a", "", "a", "a/.hooks"},
		{"no hooks at all", "-- .git/HEAD --\n-- a/x --\n", "a", "", ".", ""},
		{"home is never the root of what lies in it", "-- home/.git/HEAD --\n-- home/.hooks/a.lua --\n-- home/p/x --\n", "home/p", "home", "home/p", ""},
		{"home itself, when asked for", "-- home/.git/HEAD --\n-- home/.hooks/a.lua --\n", "home", "home", "home", "home/.hooks"},
		{"nothing above home", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- home/x --\n", "home", "home", "home", ""},
		{"nothing above home, from below", "-- .git/HEAD --\n-- .hooks/a.lua --\n-- home/p/x --\n", "home/p", "home/", "home/p", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, test.files)
			home := t.TempDir()
			if test.home != "" {
				home = dir + "/" + test.home
			}
			t.Setenv("HOME", home)
			p, err := engine.FindProject(filepath.Join(dir, test.from))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "root", p.Root, filepath.Join(dir, test.root))
			want := ""
			if test.hooks != "" {
				want = filepath.Join(dir, test.hooks)
			}
			equal(t, "hooks", p.Hooks, want)
			if p.Refused != nil {
				t.Errorf("refused: %v", p.Refused)
			}
		})
	}
}

func TestFindProjectErrors(t *testing.T) {
	dir := tree(t, "-- file --\n")
	for path, want := range map[string]string{"no": "no such file", "file": "not a folder"} {
		_, err := engine.FindProject(filepath.Join(dir, path))
		if err == nil {
			t.Fatal(path)
		}
		contains(t, err.Error(), filepath.Join(dir, path), want)
	}
}

const outerGuard = `
on("pre_tool_call", {name = "outer"}, function(ev) if ev.tool_call.command and ev.tool_call.command:find("^forbidden") then return deny("outer: " .. ev.root) end end)
on("pre_tool_call", {name = "outer path", match = {path = "sub/prod/**"}}, function(ev) return deny("outer path") end)
`

// What is made or taken away within a project doesn't take its hooks out of force.
func TestProjectsAround(t *testing.T) {
	account(t, "/nowhere")
	for name, test := range map[string]struct{ files, from, home string }{
		"git init":                       {"-- p/.git/HEAD --\n-- p/sub/.git/HEAD --\n", "p/sub", ""},
		"git init, deeper":               {"-- p/.git/HEAD --\n-- p/sub/a/.git/HEAD --\n-- p/sub/a/b/c/x --\n", "p/sub/a/b/c", ""},
		"several":                        {"-- p/.git/HEAD --\n-- p/sub/.git/HEAD --\n-- p/sub/a/.git --\ngitdir: x\n-- p/sub/.hooks/x --\n", "p/sub/a", ""},
		"a file of git":                  {"-- p/.git/HEAD --\n-- p/sub/.git --\ngitdir: /nowhere\n", "p/sub", ""},
		"hooks below":                    {"-- p/.git/HEAD --\n-- p/sub/.hooks/a.lua --\n", "p/sub", ""},
		"a project below":                {"-- p/.git/HEAD --\n-- p/sub/.git/HEAD --\n-- p/sub/.hooks/a.lua --\non('pre_tool_call', function() end)\n", "p/sub", ""},
		"no .git any more":               {"-- p/sub/x --\n", "p/sub", ""},
		"no HEAD any more":               {"-- p/.git/config --\n-- p/sub/x --\n", "p/sub", ""},
		"a home within":                  {"-- p/.git/HEAD --\n-- p/sub/x/y --\n", "p/sub/x", "p/sub"},
		"a home there":                   {"-- p/.git/HEAD --\n-- p/sub/x --\n", "p/sub", "p/sub"},
		"hooks that switch all off":      {"-- p/.git/HEAD --\n-- p/sub/.hooks/hooks.yaml --\nhooks: {enabled: false}\n", "p/sub", ""},
		"limits that no hook could keep": {"-- p/.git/HEAD --\n-- p/sub/.hooks/hooks.yaml --\nhooks: {on_failure: ignore, limits: {instructions: 1, timeout: 1ns, event: 1ns}}\n", "p/sub", ""},
	} {
		t.Run(name, func(t *testing.T) {
			top := tree(t, test.files+"-- p/.hooks/outer.lua --\n"+outerGuard)
			if test.home == "" {
				test.home = "home"
			}
			t.Setenv("HOME", filepath.Join(top, test.home))
			dir := filepath.Join(top, test.from)
			p, err := engine.FindProject(dir)
			if err != nil {
				t.Fatal(err)
			}
			e := newEngine(t, engine.WithProject(p), engine.WithoutBuiltins())
			r := fire(t, e, at(t, dir, "Bash", map[string]any{"command": "forbidden"}))
			equal(t, "decision", r.Decision, "deny")
			equal(t, "reason", r.Reason, "outer: "+filepath.Join(top, "p"))
			equal(t, "a path from the outer root", fire(t, e, at(t, dir, "Write", map[string]any{"file_path": top + "/p/sub/prod/x"})).Reason, "outer path")
			equal(t, "what nobody forbids", fire(t, e, at(t, dir, "Bash", map[string]any{"command": "ls"})).Decision, "")
		})
	}
}

// Relative patterns of the user's start at the roots of the projects around, too.
func TestPatternsOfTheUserAround(t *testing.T) {
	account(t, "/nowhere")
	user := tree(t, "-- hooks/a.lua --\non('pre_tool_call', {name = 'user', match = {path = '{config/prod,docs}/**'}}, function() return deny('user') end)\n")
	top := tree(t, "-- .git/HEAD --\n-- config/.git/HEAD --\n-- config/prod/x --\n-- config/src/x --\n-- docs/x --\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(top, link); err != nil {
		t.Fatal(err)
	}
	p, err := engine.FindProject(top + "/config")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p), engine.WithUserDir(user), engine.WithoutBuiltins())
	for path, denies := range map[string]bool{"prod/x": true, top + "/config/prod/x": true, link + "/config/prod/x": true, link + "/docs/x": true, "../docs/x": true, "docs/x": true, "src/x": false} {
		if r := fire(t, e, at(t, top+"/config", "Write", map[string]any{"file_path": path})); (r.Decision == "deny") != denies {
			t.Errorf("%s: %q", path, r.Decision)
		}
	}
}

// Hooks of a project around have its trust, its root and its limits, and come first.
func TestProjectsAroundAreThemselves(t *testing.T) {
	account(t, "/nowhere")
	t.Setenv("HOME", t.TempDir())
	top := tree(t, `
-- p/.git/HEAD --
-- p/.hooks/hooks.yaml --
hooks:
  on_failure: warn
  limits: {instructions: 40000}
  grant: {fs.read: true}
  pre_tool_call: [{name: command, command: "pwd; cat word", inject_output: true}]
-- p/.hooks/a.lua --
on("pre_tool_call", {name = "outer", priority = -9}, function(ev) for i = 1, 3e4 do end return context(fs.read("word") .. store.incr("n")) end)
-- p/word --
outer
-- p/sub/.git/HEAD --
-- p/sub/word --
inner
-- p/sub/.hooks/hooks.yaml --
hooks: {limits: {instructions: 300000}}
-- p/sub/.hooks/a.lua --
on("pre_tool_call", {name = "inner", priority = 99}, function(ev) for i = 1, 6e4 do end return context(ev.root) end)
`)
	outer, sub := filepath.Join(top, "p"), filepath.Join(top, "p", "sub")
	e := func(dir string) *engine.Engine {
		p, err := engine.FindProject(dir)
		if err != nil {
			t.Fatal(err)
		}
		return newEngine(t, trusted(t, outer), engine.WithProject(p), engine.WithoutBuiltins())
	}
	inSub := e(sub)
	r := fire(t, inSub, at(t, sub, "Bash", map[string]any{"command": "ls"}))
	equal(t, "problems", problems(inSub), "")
	equal(t, "runs", runs(r), "command outer inner")
	var said []string
	for _, c := range r.Contexts {
		said = append(said, c.Text)
	}
	equal(t, "what they say", strings.Join(said, "|"), outer+"\nouter|outer\n1|"+sub)
}

// A hooks folder that was trusted is no stranger's because a repository was made above it, or
// is gone: its commands fail rather than being left out.
func TestTrustOutlivesNoOtherRoot(t *testing.T) {
	account(t, "/nowhere")
	for name, change := range map[string]func(root string) error{
		"a repository of its own": func(root string) error {
			write(t, root, "-- a/.git/HEAD --\n")
			return nil
		},
		"no repository": func(root string) error { return os.Remove(filepath.Join(root, ".git/HEAD")) },
	} {
		top := tree(t, "-- .git/HEAD --\n-- a/.hooks/hooks.yaml --\nhooks: {pre_tool_call: [{command: 'exit 0'}]}\n")
		find := func() engine.Project {
			p, err := engine.FindProject(filepath.Join(top, "a"))
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		store := filepath.Join(t.TempDir(), "trust.json")
		s, err := engine.SurveyProject(find(), store)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Trust(false); err != nil {
			t.Fatal(err)
		}
		e := newEngine(t, engine.WithTrust(store), engine.WithProject(find()), engine.WithoutBuiltins())
		equal(t, "decision", fire(t, e, bash("ls")).Decision, "")
		if err := change(top); err != nil {
			t.Fatal(err)
		}
		e = newEngine(t, engine.WithTrust(store), engine.WithProject(find()), engine.WithoutBuiltins())
		r := fire(t, e, bash("ls"))
		equal(t, name, r.Decision, hooks.Deny)
		contains(t, r.Reason, "trust was lost: the project's root, which was "+top+", has changed since")
	}
}

// What anybody may put into a folder of temporary files is no project's around.
func TestProjectsAroundOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	account(t, "/nowhere")
	top := tree(t, "-- .hooks/a.lua --\n-- .git/HEAD --\n-- p/.git/HEAD --\n-- p/theirs/q/.git/HEAD --\n-- p/.hooks/a.lua --\n")
	for _, name := range []string{".hooks", ".git", "p/theirs"} {
		if err := os.Chown(filepath.Join(top, name), 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(top, 0o777); err != nil {
		t.Fatal(err)
	}
	p, err := engine.FindProject(filepath.Join(top, "p/theirs/q"))
	if err != nil {
		t.Fatal(err)
	}
	want := engine.Project{Root: filepath.Join(top, "p/theirs/q"), Around: &engine.Project{Root: filepath.Join(top, "p"), Hooks: filepath.Join(top, "p/.hooks")}}
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
	if err := os.Chmod(top, 0o755); err != nil { // then it was put there by us
		t.Fatal(err)
	}
	if p, err = engine.FindProject(filepath.Join(top, "p")); err != nil || p.Around == nil || p.Around.Refused == nil {
		t.Errorf("%+v, %v", p, err)
	}
}

// A project's hooks that lie below its root see its whole tree.
func TestProjectWithHooksBelowItsRoot(t *testing.T) {
	root := tree(t, "-- .git/HEAD --\n-- a/.hooks/hooks.yaml --\nhooks: {stop: [{script: tools/x.lua}]}\n-- tools/x.lua --\non('stop', {name='x'}, function() end)\n")
	p, err := engine.FindProject(filepath.Join(root, "a"))
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p))
	equal(t, "runs", problems(e)+runs(fire(t, e, event(t, "stop", "{}"))), "x")
}

// Where the options name folders relative to the current one, that is settled when
// the engine is made.
func TestRelativeFolders(t *testing.T) {
	root := tree(t, "-- p/h/a.lua --\nx x\n-- u/hooks/b.lua --\ny y\n")
	t.Chdir(root)
	e := newEngine(t, engine.WithProject(engine.Project{Root: "p", Hooks: "p/h"}), engine.WithUserDir("u"))
	t.Chdir(t.TempDir())
	equal(t, "problems", len(e.LoadErrors()), 2)
	contains(t, problems(e), "h/a.lua:1", "u/hooks/b.lua:1")
	equal(t, "an edit", fire(t, e, edit(root, "p/h/a.lua", "u/hooks/b.lua")).Decision, "ask")
	write(t, root, "-- p/h/a.lua --\n-- u/hooks/b.lua --\n")
	if err := e.Reload(t.Context()); err != nil {
		t.Error(err)
	}
}

// A project that isn't there would have no hooks, and nobody would be told.
func TestProjectMustBeThere(t *testing.T) {
	root := tree(t, "-- a.txt --\n")
	for name, want := range map[string]string{"none": "none: no such file or directory; FindProject finds a project's", "a.txt": "a.txt is not a folder; FindProject finds a project's"} {
		_, err := engine.New(engine.WithProject(engine.Project{Root: filepath.Join(root, name)}))
		if err == nil || !strings.HasPrefix(err.Error(), "luahook: WithProject: the root ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestUserDir(t *testing.T) {
	t.Setenv("HOME", "/home/ana")
	t.Setenv("XDG_CONFIG_HOME", "/cfg")
	equal(t, "XDG_CONFIG_HOME", engine.UserDir(), filepath.Join("/cfg", "luahook"))
	t.Setenv("XDG_CONFIG_HOME", "relative")
	equal(t, "a relative one means nothing", engine.UserDir(), filepath.Join("/home/ana", ".config", "luahook"))
	os.Unsetenv("XDG_CONFIG_HOME")
	equal(t, "home", engine.UserDir(), filepath.Join("/home/ana", ".config", "luahook"))
	account(t, "/home/bob")
	for _, home := range []string{"", "relative", "./x", "~"} {
		t.Setenv("HOME", home)
		equal(t, "the account database", engine.UserDir(), filepath.Join("/home/bob", ".config", "luahook"))
	}
	os.Unsetenv("HOME")
	equal(t, "the account database", engine.UserDir(), filepath.Join("/home/bob", ".config", "luahook"))
	account(t, "")
	equal(t, "neither", engine.UserDir(), "")
}

// account says what the account database has for the home folder.
func account(t *testing.T, home string) {
	t.Helper()
	before := userhome.Account
	userhome.Account = func() string { return home }
	t.Cleanup(func() { userhome.Account = before })
}

// By way of a link it is the same project.
func TestFindProjectThroughALink(t *testing.T) {
	dir := tree(t, "-- p/.git/HEAD --\n-- p/.hooks/a.lua --\n-- p/a/x --\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "p/a"), link); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"/nowhere", link} {
		t.Setenv("HOME", home)
		p, err := engine.FindProject(link)
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Project{Root: filepath.Join(dir, "p"), Hooks: filepath.Join(dir, "p/.hooks")}
		if home == link { // where the search ends, but for projects around
			want = engine.Project{Root: filepath.Join(dir, "p/a"), Around: &engine.Project{Root: filepath.Join(dir, "p"), Hooks: filepath.Join(dir, "p/.hooks")}}
		}
		if d := cmp.Diff(want, p); d != "" {
			t.Errorf("with the home %s: %s", home, d)
		}
	}
}
