package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const named = "on('pre_tool_call', {name='NAME'}, function() end)\n"

func script(name string) string { return strings.ReplaceAll(named, "NAME", name) }

func TestWhichFilesLoad(t *testing.T) {
	e, _ := project(t, `
-- .hooks/b.lua --
`+script("b")+`
-- .hooks/a.lua --
`+script("a")+`
-- .hooks/_draft.lua --
`+script("draft")+`
-- .hooks/.hidden.lua --
`+script("hidden")+`
-- .hooks/a_test.lua --
`+script("test")+`
-- .hooks/stubs.lua --
---@meta luahook
`+script("stubs")+`
-- .hooks/metadata.lua --
---@metadata is no mark
`+script("metadata")+`
-- .hooks/later.lua --

---@meta
`+script("later")+`
-- .hooks/notes.txt --
x x
-- .hooks/sub/c.lua --
`+script("sub")+`
-- .hooks/lib/d.lua --
`+script("lib")+`
-- .hooks/empty.lua --
`)
	equal(t, "problems", problems(e), "")
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "a b later metadata")
	e = newEngine(t, engine.WithProject(engine.Project{Root: t.TempDir()}), engine.WithUserDir(filepath.Join(t.TempDir(), "none")))
	equal(t, "folders that aren't there", problems(e)+runs(fire(t, e, bash("ls"))), "")
}

func TestRequire(t *testing.T) {
	e, _ := project(t, `
-- .hooks/a.lua --
local rules, deep = require("rules"), require("net.hosts")
on("pre_tool_call", {name="a"}, function() return deny(rules.reason .. " " .. deep.name) end)
-- .hooks/lib/rules.lua --
return { reason = "no" }
-- .hooks/lib/net/hosts.lua --
return { name = require("rules").reason .. " host" }
-- .hooks/lib/broken.lua --
x x
-- .hooks/lib/_x.lua --
x x
`)
	equal(t, "problems (nobody requires the broken one)", problems(e), "")
	equal(t, "reason", fire(t, e, bash("ls")).Reason, "no no host")
	e, _ = project(t, "-- .hooks/a.lua --\nrequire('ruels')\n-- .hooks/lib/rules.lua --\n")
	contains(t, problems(e), ".hooks/a.lua:1", `did you mean "rules"`)
}

// Nothing that lies in the folder can make the engine hang or read elsewhere.
func TestFilesThatCantBeRead(t *testing.T) {
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"a folder", func(p string) error { return os.Mkdir(p, 0o755) }, "it is not a regular file"},
		{"a pipe", mkfifo, "it is not a regular file"},
		{"too large", func(p string) error { return os.WriteFile(p, make([]byte, 1<<20+1), 0o600) }, "it is larger than 524288 bytes"},
		{"a link to nowhere", func(p string) error { return os.Symlink("nowhere", p) }, "no such file or directory"},
		{"a loop of links", func(p string) error { return os.Symlink(filepath.Base(p), p) }, "too many levels of symbolic links"},
		{"a link that leads out", func(p string) error { return os.Symlink("/etc/hosts", p) }, "a link leads out of the project"},
		{"a link that climbs out", func(p string) error { return os.Symlink("../../../../../../../../etc/hosts", p) }, "a link leads out of the project"},
	}
	for _, test := range tests {
		for _, name := range []string{"bad.lua", "lib/bad.lua"} {
			if test.name == "a folder" && name == "lib/bad.lua" {
				continue // a folder of libraries
			}
			t.Run(test.name+" "+name, func(t *testing.T) {
				root := tree(t, "-- .hooks/a.lua --\n"+script("a")+"-- .hooks/lib/x.lua --\n")
				if err := test.make(filepath.Join(root, ".hooks", name)); err != nil {
					t.Fatal(err)
				}
				e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
				equal(t, "problems", problems(e), ".hooks/"+name+": "+test.want)
				r := fire(t, e, bash("ls"))
				equal(t, "runs", runs(r)+" "+string(r.Decision), "a load deny")
			})
		}
	}
}

// A .hooks that is itself no folder, or a link out of the project, is a fault when
// nobody has looked at it before.
func TestHooksThatAreNoFolder(t *testing.T) {
	root := tree(t, "-- .hooks --\nx\n")
	e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
	contains(t, problems(e), ".hooks: not a directory")
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)

	elsewhere := tree(t, "-- a.lua --\n"+script("elsewhere"))
	root = t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(root, ".hooks")); err != nil {
		t.Fatal(err)
	}
	e = newEngine(t, engine.WithProject(engine.Project{Root: root}))
	contains(t, problems(e), ".hooks/a.lua: a link leads out of the project")
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "load")
}

func TestUserAndHooksDirs(t *testing.T) {
	user := tree(t, "-- hooks/u.lua --\n"+script("user")+"-- not.lua --\nx x\n")
	dir := tree(t, "-- h.lua --\n"+script("dir")+"-- hooks.yaml --\nhooks: {pre_tool_call: [{script: h.lua, name: listed}]}\n")
	e := newEngine(t, engine.WithHooksDir(dir, t.TempDir()), engine.WithUserDir(user))
	r := fire(t, e, bash("ls"))
	equal(t, "runs", problems(e)+runs(r), "user listed")
	equal(t, "scopes", string(r.Summary().Runs[0].Scope+" "+r.Summary().Runs[1].Scope), "user project")
	_, err := engine.New(engine.WithHooksDir(filepath.Join(dir, "no"), dir))
	if err == nil {
		t.Fatal("a folder that isn't there")
	}
	contains(t, err.Error(), "hooks folder "+filepath.Join(dir, "no"), "no such file")
	_, err = engine.New(engine.WithHooksDir(filepath.Join(dir, "h.lua"), dir))
	if err == nil {
		t.Fatal("a file")
	}
	contains(t, err.Error(), "not a folder")
}

// How files are called in messages: from the root, from the home folder, in full.
func TestNamesOfFiles(t *testing.T) {
	home, other := tree(t, "-- cfg/hooks/u.lua --\nx x\n"), tree(t, "-- h/h.lua --\nx x\n-- .hooks/p.lua --\nx x\n")
	t.Setenv("HOME", home)
	t.Chdir(other)
	tests := []struct {
		name   string
		option engine.Option
		want   string
	}{
		{"the user's", engine.WithUserDir(filepath.Join(home, "cfg")), "~/cfg/hooks/u.lua:1"},
		{"a project's", engine.WithProject(engine.Project{Root: other}), ".hooks/p.lua:1"},
		{"a folder in the root", engine.WithHooksDir("h", "."), "h/h.lua:1"},
		{"a folder elsewhere", engine.WithHooksDir("h", home), filepath.Join(other, "h/h.lua") + ":1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := newEngine(t, test.option)
			if !strings.HasPrefix(problems(e), test.want) {
				t.Errorf("got %s, want %s", problems(e), test.want)
			}
		})
	}
	// A relative folder is broken and fixed like any other.
	e := newEngine(t, engine.WithHooksDir("h", "."))
	equal(t, "an edit of it", fire(t, e, edit(other, "h/h.lua")).Decision, hooks.Ask)
}

// The same file by way of a link is the same file.
func TestMendingThroughALink(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\nx x\n-- other.lua --\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	equal(t, "broken", fire(t, e, edit(link, ".hooks/a.lua")).Decision, hooks.Ask)
	equal(t, "other", fire(t, e, edit(link, "other.lua")).Decision, hooks.Deny)
}

// A file that would be left unread for how its name is written is a fault.
func TestFilesThatAreNamedWrongly(t *testing.T) {
	tests := []struct{ name, want string }{
		{"hooks.yml", "hooks.yaml"},
		{"Hooks.yaml", "hooks.yaml"},
		{"HOOKS.YML", "hooks.yaml"},
		{"g.LUA", "g.lua"},
		{"g.Lua", "g.lua"},
		{"_g.LUA", ""},
		{"g_test.LUA", ""},
		{".g.LUA", ""},
		{"my-hooks.yml", ""},
		{"folder.LUA/x", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, root := project(t, "-- .hooks/"+test.name+" --\n")
			if test.want == "" {
				equal(t, "problems", problems(e), "")
				return
			}
			equal(t, "problems", problems(e), ".hooks/"+test.name+": a file of this name is not read; it must be named "+test.want)
			equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
			equal(t, "an edit of it", fire(t, e, edit(root, ".hooks/"+test.name)).Decision, hooks.Ask)
		})
	}
	user := tree(t, "-- hooks.yml --\n-- hooks/g.LUA --\n-- g.LUA --\n-- hooks/hooks.yml --\n")
	e := newEngine(t, engine.WithUserDir(user))
	equal(t, "the user's", len(e.LoadErrors()), 2)
	contains(t, problems(e), user+"/hooks.yml: a file", user+"/hooks/g.LUA: a file")
}

// A user's folder behind a link that leads nowhere may hold guards: nobody knows that it doesn't.
func TestLinksThatLeadNowhere(t *testing.T) {
	for name, link := range map[string]string{"the folder": "luahook", "its scripts": "luahook/hooks", "a folder above": "."} {
		t.Run(name, func(t *testing.T) {
			top := filepath.Join(t.TempDir(), "config")
			at := filepath.Join(top, link)
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(t.TempDir(), "none"), at); err != nil {
				t.Fatal(err)
			}
			whose := map[string]engine.Option{"the user's": engine.WithUserDir(filepath.Join(top, "luahook"))}
			if name != "its scripts" {
				whose["the machine's"] = engine.WithManaged(filepath.Join(top, "luahook", "hooks.yaml"))
			}
			for who, option := range whose {
				r := fire(t, newEngine(t, option), bash("ls"))
				equal(t, who+" decision", r.Decision, hooks.Deny)
				contains(t, r.Reason, "a link that leads nowhere")
			}
		})
	}
}

// What a project could change isn't the user's own word, by whatever link it is reached.
func TestPiecesOfTheUserInTheProject(t *testing.T) {
	account(t, "/nowhere")
	const deny = "on('pre_tool_call', {name='a'}, function() return deny('mine') end)\n"
	for name, test := range map[string]struct{ files, link, to string }{
		"the folder":           {"-- p/c/hooks/a.lua --\n" + deny, "luahook", "p/c"},
		"its configuration":    {"-- p/x.yaml --\nhooks: {}\n-- luahook/hooks/a.lua --\n", "luahook/hooks.yaml", "p/x.yaml"},
		"scripts":              {"-- p/c/a.lua --\n" + deny + "-- luahook/x --\n", "luahook/hooks", "p/c"},
		"no scripts any more":  {"-- p/c/x --\n-- luahook/x --\n", "luahook/hooks", "p/c"},
		"a script":             {"-- p/a.lua --\n" + deny + "-- luahook/hooks/x --\n", "luahook/hooks/a.lua", "p/a.lua"},
		"a library":            {"-- p/l.lua --\nreturn {}\n-- luahook/hooks/lib/x --\n-- luahook/hooks/a.lua --\nrequire('l')\n" + deny, "luahook/hooks/lib/l.lua", "p/l.lua"},
		"libraries":            {"-- p/l/l.lua --\nreturn {}\n-- luahook/hooks/a.lua --\nrequire('l')\n" + deny, "luahook/hooks/lib", "p/l"},
		"libraries below":      {"-- p/l/l.lua --\nreturn {}\n-- luahook/hooks/lib/x --\n-- luahook/hooks/a.lua --\nrequire('m.l')\n" + deny, "luahook/hooks/lib/m", "p/l"},
		"a listed script":      {"-- p/l.lua --\n" + deny + "-- luahook/hooks.yaml --\nhooks: {pre_tool_call: [{script: l.lua}]}\n", "luahook/l.lua", "p/l.lua"},
		"a script in a folder": {"-- p/l/l.lua --\n" + deny + "-- luahook/hooks.yaml --\nhooks: {pre_tool_call: [{script: l/l.lua}]}\n", "luahook/l", "p/l"},
		"a listed command":     {"-- p/l.sh --\nexit 0\n-- luahook/hooks.yaml --\nhooks: {pre_tool_call: [{script: l.sh}]}\n", "luahook/l.sh", "p/l.sh"},
		"a command's program":  {"-- p/l.sh --\nexit 0\n-- luahook/hooks.yaml --\nhooks: {pre_tool_call: [{command: ./l.sh x}]}\n", "luahook/l.sh", "p/l.sh"},
		"a program alone":      {"-- p/l.sh --\nexit 0\n-- luahook/hooks.yaml --\nhooks: {pre_tool_call: [{command: ./l.sh, args: []}]}\n", "luahook/l.sh", "p/l.sh"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, from := range []string{"p", "p/sub", "q"} {
				top := tree(t, test.files+"-- p/.git/HEAD --\n-- p/sub/.git/HEAD --\n-- q/.git/HEAD --\n")
				if err := os.Symlink(filepath.Join(top, test.to), filepath.Join(top, test.link)); err != nil {
					t.Fatal(err)
				}
				p, err := engine.FindProject(filepath.Join(top, from))
				if err != nil {
					t.Fatal(err)
				}
				e := newEngine(t, engine.WithProject(p), engine.WithUserDir(filepath.Join(top, "luahook")), engine.WithoutBuiltins())
				r := fire(t, e, bash("ls"))
				if from == "q" {
					if strings.Contains(problems(e), "the project") {
						t.Errorf("from another project: %s", problems(e))
					}
					continue
				}
				if problems(e) == "" || r.Reason == "mine" || r.Decision != hooks.Deny {
					t.Errorf("from %s: %q %s; problems %q", from, r.Decision, r.Reason, problems(e))
				}
			}
		})
	}
}

// A home folder that the environment says in a project is none, though nothing is there: the
// user's guards are elsewhere.
func TestHomeInTheProject(t *testing.T) {
	for name, test := range map[string]struct {
		files, account string
		blocks         bool
	}{
		"a repository":                          {"-- .git/HEAD --\n", "/home/ana", true},
		"a project around":                      {"-- .hooks/x --\n", "/home/ana", true},
		"no project":                            {"", "/home/ana", false},
		"the user's own home":                   {"-- .git/HEAD --\n", "home", false},
		"nobody knows another":                  {"-- .git/HEAD --\n", "", false},
		"nobody knows another, but it is there": {"-- .git/HEAD --\n-- home/.config/luahook/hooks/x --\n", "", true},
	} {
		root := tree(t, test.files+"-- home/x --\n")
		if test.account == "home" {
			test.account = filepath.Join(root, "home")
		}
		account(t, test.account)
		t.Setenv("HOME", filepath.Join(root, "home"))
		t.Setenv("XDG_CONFIG_HOME", "")
		p, err := engine.FindProject(root)
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(t, engine.WithProject(p), engine.WithUserDir(engine.UserDir()), engine.WithoutBuiltins())
		if r := fire(t, e, bash("ls")); (r.Decision == hooks.Deny) != test.blocks || test.blocks && !strings.Contains(r.Reason, "set HOME or XDG_CONFIG_HOME") {
			t.Errorf("%s: %q %s", name, r.Decision, r.Reason)
		}
	}
}
