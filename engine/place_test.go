package engine_test

import (
	"encoding/json"
	"os"
	"os/user"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// pathGuard denies what reaches config/prod, by a matcher.
const pathGuard = `
on("pre_tool_call", { name = "by_path", match = { kind = "write|edit|mcp|read", path = "config/prod/**" } }, function() return deny("by_path") end)
on("pre_tool_call", { name = "by_file", match = { kind = "shell", file = "./config/prod/**" } }, function() return deny("by_file") end)
on("pre_tool_call", { name = "by_list", match = { kind = "agent|search|other|web" } }, function(ev)
  for _, file in ipairs(ev.tool_call.files) do
    if path.match("config/prod/**", file) and path.match("config/prod/**", file, ev.root) then return deny("by_list") end
  end
end)
`

// at is a tool call that an agent makes from a folder.
func at(t *testing.T, cwd, tool string, input map[string]any) *hooks.Context {
	t.Helper()
	text, err := json.Marshal(map[string]any{"event": "pre_tool_call", "cwd": cwd, "tool_call": map[string]any{"name": tool, "input": input}})
	if err != nil {
		t.Fatal(err)
	}
	return event(t, "pre_tool_call", string(text))
}

type object = map[string]any

// placed is a tool call from a working folder, and whether it is denied.
type placed struct {
	cwd, tool string
	input     object
	denies    bool
}

func denials(t *testing.T, e *engine.Engine, calls []placed) {
	t.Helper()
	for _, c := range calls {
		r := fire(t, e, at(t, c.cwd, c.tool, c.input))
		if (r.Decision == hooks.Deny) != c.denies {
			t.Errorf("%s %v from %q: %q %s, want a deny: %t", c.tool, c.input, c.cwd, r.Decision, r.Reason, c.denies)
		}
	}
}

// Relative patterns start at the project's root, wherever in it the agent stands and by
// whatever links it came.
func TestPathsAreSeenFromTheProjectsRoot(t *testing.T) {
	root := tree(t, "-- .git/HEAD --\n-- .hooks/guard.lua --\n"+pathGuard+"-- config/prod/db.yaml --\n-- src/config/prod/x --\n")
	link := filepath.Join(t.TempDir(), "link")
	deep := filepath.Join(t.TempDir(), "deep")
	for name, to := range map[string]string{
		link: root, deep: filepath.Join(root, "config"),
		root + "/inner": "config/prod", root + "/src/up": "../config", root + "/src/one": "../config/prod/db.yaml", root + "/src/dangling": "up/prod/made.yaml", root + "/src/loop": "loop",
	} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	p, err := engine.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p), engine.WithoutBuiltins())
	denials(t, e, []placed{
		{root, "Write", object{"file_path": "config/prod/db.yaml"}, true},
		{root + "/config", "Write", object{"file_path": "prod/db.yaml"}, true},
		{root + "/config/prod", "Edit", object{"file_path": "db.yaml"}, true},
		{root + "/src", "Edit", object{"file_path": "../config/prod/new/a.yaml"}, true},
		{root + "/src", "Write", object{"file_path": root + "/config/prod/db.yaml"}, true},
		{root + "/config/", "apply_patch", object{"patch": "*** Update File: prod/db.yaml\n"}, true},
		{root + "/config", "mcp__files__write_file", object{"path": "prod/db.yaml"}, true},
		{root + "/config", "Task", object{"description": "x"}, false},
		{link + "/config", "Write", object{"file_path": "prod/db.yaml"}, true},
		{link, "Write", object{"file_path": link + "/config/prod/db.yaml"}, true},
		{link + "/src", "Write", object{"file_path": link + "/config/prod/db.yaml"}, true},
		{link + "/src", "Write", object{"file_path": root + "/config/prod/db.yaml"}, true},
		{deep, "Write", object{"file_path": "prod/db.yaml"}, true},
		{"", "Write", object{"file_path": "config/prod/db.yaml"}, true},
		{"/elsewhere", "Write", object{"file_path": root + "/config/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": link + "/config/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": link + "/config/prod/new/x.yaml"}, true},
		{"", "Write", object{"file_path": deep + "/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": "file://" + link + "/config/prod/db.yaml"}, true},
		{root, "Bash", object{"command": "cd " + link + "/config; rm prod/db.yaml"}, true},
		{root, "Bash", object{"command": "rm " + link + "/config/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": link + "/src/x"}, false},
		{root, "Edit", object{"file_path": "inner/db.yaml"}, true},
		{root, "Edit", object{"file_path": "src/up/prod/new.yaml"}, true},
		{root, "Edit", object{"file_path": "src/one"}, true},
		{root, "Write", object{"file_path": "src/dangling"}, true},
		{root, "Bash", object{"command": "echo x > inner/db.yaml"}, true},
		{root, "Bash", object{"command": "cd src/up && rm prod/db.yaml"}, true},
		{root, "Bash", object{"command": "rm -rf src/up/"}, true},
		{root + "/src/up", "Write", object{"file_path": "prod/db.yaml"}, true},
		{root + "/src/up", "Write", object{"file_path": "../config/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": "src/loop/x"}, false},
		{root + "/config", "some_tool", object{"path": "prod/db.yaml"}, true},
		{root, "Grep", object{"path": "config/prod/db.yaml"}, true},

		{root + "/src", "Write", object{"file_path": "config/prod/x"}, false}, // src/config/prod
		{root + "/config", "Write", object{"file_path": "config/prod/x"}, false},
		{"/elsewhere", "Write", object{"file_path": "config/prod/db.yaml"}, false},
		{root, "Write", object{"file_path": "config/production.yaml"}, false},
		{root, "Write", object{"file_path": "~/config/prod/x"}, false},

		{root, "Bash", object{"command": "rm config/prod/db.yaml"}, true},
		{root + "/config", "Bash", object{"command": "echo x > prod/db.yaml"}, true},
		{root + "/src", "Bash", object{"command": "cd ../config && sed -i s/a/b/ prod/db.yaml"}, true},
		{root, "Bash", object{"command": "rm db.yaml", "workdir": "config/prod"}, true},
		{root + "/src", "Bash", object{"command": "git -C ../config rm -- prod/db.yaml"}, true},
		{root, "Bash", object{"command": "bash -c 'cp x config/prod/y'"}, true},
		{link + "/config", "Bash", object{"command": "rm prod/*"}, true},
		{root, "Bash", object{"command": "rm \"$DIR\"/config/prod/db.yaml"}, false}, // nobody knows where
		{root + "/src", "Bash", object{"command": "cat config/prod/x"}, false},
		{root, "Bash", object{"command": "echo config/prod/db.yaml"}, false},
	})
}

// A root that an embedder spells by a link is the same root.
func TestPathsOfARootThatIsALink(t *testing.T) {
	root := tree(t, "-- .hooks/guard.lua --\n"+pathGuard+"-- config/prod/db.yaml --\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	denials(t, newEngine(t, engine.WithProject(engine.Project{Root: link}), engine.WithoutBuiltins()), []placed{
		{root, "Write", object{"file_path": "config/prod/db.yaml"}, true},
		{link + "/config", "Write", object{"file_path": "prod/db.yaml"}, true},
		{"", "Write", object{"file_path": root + "/config/prod/new.yaml"}, true},
		{root, "Bash", object{"command": "rm config/prod/db.yaml"}, true},
		{root, "Write", object{"file_path": "config/x"}, false},
	})
}

// A hooks folder that is named where there is no project has its patterns start beside it.
func TestPathsOfAFolderWithoutAProject(t *testing.T) {
	top := tree(t, "-- .hooks/guard.lua --\n"+pathGuard+"-- config/prod/db.yaml --\n")
	stands := filepath.Join(top, "config")
	e := newEngine(t, engine.WithHooksDir(filepath.Join(top, ".hooks"), stands), engine.WithoutBuiltins())
	r := fire(t, e, at(t, stands, "Write", map[string]any{"file_path": "prod/db.yaml"}))
	equal(t, "decision", string(r.Decision), "deny")
	r = fire(t, e, at(t, stands, "Write", map[string]any{"file_path": "config/prod/db.yaml"}))
	equal(t, "decision", string(r.Decision), "")
}

// What safety-guard protects by its options is protected wherever the agent stands.
func TestProtectedPathsAreSeenFromTheProjectsRoot(t *testing.T) {
	root := tree(t, "-- .git/HEAD --\n-- config/prod/db.yaml --\n-- src/x --\n")
	link := filepath.Join(t.TempDir(), "link")
	for name, to := range map[string]string{link: root, root + "/inner": "config/prod", root + "/src/up": "../config"} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	p, err := engine.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p), engine.WithoutBuiltins(), engine.WithBuiltin("safety-guard", map[string]any{"protect_paths": []any{"config/prod/**"}}))
	denials(t, e, []placed{
		{root, "Write", object{"file_path": "config/prod/db.yaml"}, true},
		{root + "/config", "Write", object{"file_path": "prod/db.yaml"}, true},
		{root + "/config", "Bash", object{"command": "rm prod/db.yaml"}, true},
		{root + "/src", "Bash", object{"command": "mv ../config/prod /tmp/x"}, true},
		{link + "/config", "Bash", object{"command": "echo x > prod/db.yaml"}, true},
		{link + "/config", "Edit", object{"file_path": link + "/config/prod/db.yaml"}, true},
		{root, "Edit", object{"file_path": "inner/db.yaml"}, true},
		{root, "Bash", object{"command": "echo x > inner/db.yaml"}, true},
		{root, "Bash", object{"command": "rm -rf src/up/"}, true},
		{root + "/src", "Write", object{"file_path": "config/prod/x"}, false},
		{root + "/config", "Bash", object{"command": "cat prod/db.yaml"}, false},
	})
}

// A ~ at the beginning of a path is a home folder, as for most tools, and a file's address
// is that file's path, however it is written.
func TestPathsOfHomesAndAddresses(t *testing.T) {
	home := tree(t, "-- p/.git/HEAD --\n-- p/.hooks/guard.lua --\n"+pathGuard+"-- p/config/prod/x --\n")
	t.Setenv("HOME", home)
	root := filepath.Join(home, "p")
	p, err := engine.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	me, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	up, err := filepath.Rel(me.HomeDir, root)
	if err != nil {
		t.Skip(err)
	}
	e := newEngine(t, engine.WithProject(p), engine.WithoutBuiltins())
	for path, denies := range map[string]bool{
		"~/p/config/prod/x":                               true,
		"~/p/src/../config/prod/x":                        true,
		"~" + me.Username + "/" + up + "/config/prod/x":   true,
		"FILE://" + root + "/config/prod/x":               true,
		"File://LOCALHOST" + root + "/config/%70rod/x":    true,
		"file:" + root + "/config/prod/x":                 true,
		"~/config/prod/x":                                 false,
		"~nobody-of-that-name/p/config/prod/x":            false,
		"~nobody-of-that-name/../config/prod/x":           true, // a name as any other
		"FILE://elsewhere.example" + root + "/src/prod/x": false,
	} {
		for _, tool := range []string{"Write", "Edit", "mcp__fs__write_file"} {
			r := fire(t, e, at(t, root, tool, map[string]any{"path": path}))
			if (r.Decision == hooks.Deny) != denies {
				t.Errorf("%s %s: %q", tool, path, r.Decision)
			}
		}
		if r := fire(t, e, at(t, root, "Grep", map[string]any{"path": path})); (r.Decision == hooks.Deny) != denies {
			t.Errorf("by ev.tool_call.files: %s: %q", path, r.Decision)
		}
	}
}
