package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// strayed is a project of each kind of hook, none of which has to do with stray files.
var strayed = map[string]string{
	".hooks/hooks.yaml": `# yaml-language-server: $schema=hooks.schema.json
hooks:
  grant: {fs.read: true, exec: [make]}
  pre_tool_call:
    - {name: check, command: .hooks/validate.sh --config=.hooks/rules/words.txt}
    - {name: other, command: "sh tools/check.sh"}
`,
	".hooks/a.lua":           "local w = require('x')\non('stop', function() return fs.read('.hooks/rules/words.txt') end)\n",
	".hooks/lib/x.lua":       "-- see lib/y.lua\nreturn 1\n",
	".hooks/rules/words.txt": "one\ntwo\n",
	".hooks/validate.sh":     "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\n. \"$(dirname \"$0\")/common.sh\"\ngrep -f .hooks/rules/words.txt \"$1\"\n",
	".hooks/common.sh":       "usage() { echo \"usage: $0 FILE\"; }\n",
	"tools/check.sh":         "ls *.txt\n",
}

func strayProject(t *testing.T, more map[string]string) (root, trustFile string) {
	t.Helper()
	root = projectOf(t)
	for _, files := range []map[string]string{strayed, more} {
		for name, text := range files {
			set(t, root, name, text)
		}
	}
	trustFile = filepath.Join(t.TempDir(), "state", "trust.json")
	trustProject(t, root, trustFile, false)
	return root, trustFile
}

// What editors, version control and desktops leave in the folder costs no trust, wherever
// it lies; neither does it once it goes.
func TestStrayFilesCostNoTrust(t *testing.T) {
	for i, name := range []string{
		".a.lua.swp", ".a.lua.swo", ".a.lua.swx", "a.lua.swp", ".swp", "4913", ".a.lua.un~", "_a.lua.swp",
		"a.lua~", "~$a.lua.doc", "#a.lua#", ".#a.lua", ".#validate.sh", "a.lua.~1~", ".validate.sh.kate-swp", "hooks.yaml___jb_tmp___",
		".goutputstream-X1Y2Z3", "a.lua.save", "a.lua.save.2", "a.lua.bak", "a.lua.tmp", "a.lua.orig", "a.lua.rej",
		".DS_Store", "._a.lua", "._hooks.yaml", "Thumbs.db", "thumbs.db", "desktop.ini", ".directory", ".nfs0000000000123", ".fuse_hidden0000",
		".gitignore", ".gitattributes", ".gitkeep", "README", "README.md", "readme.txt", "LICENSE", "CHANGELOG.md",
		schemaFile, stubFile, "a_test.lua",
	} {
		for j, dir := range []string{".hooks", ".hooks/lib", ".hooks/rules"} {
			ours := name == schemaFile || name == stubFile
			if ours && dir != ".hooks" {
				continue
			}
			if os.Getenv("LUAHOOK_NIGHTLY") != "1" && !ours && j != i%3 { // each in one of them
				continue
			}
			t.Run(dir+"/"+name, func(t *testing.T) {
				root, trustFile := strayProject(t, nil)
				holds := func(when string) {
					t.Helper()
					c, s := readProject(t, root, trustFile)
					if got := verdicts(c, s); len(got) > 0 {
						t.Errorf("%s: %v", when, got)
					}
					for _, h := range c.Hooks {
						if v := s.Command(h); v.Recheck != nil && v.Recheck() != nil {
							t.Errorf("%s: %s: %v", when, h.Options.Name, v.Recheck())
						}
					}
					s2 := survey(t, root, trustFile)
					if s2.state != Trusted {
						t.Errorf("%s: the survey says %s", when, s2.state)
					}
					for _, f := range s2.files {
						if strings.HasSuffix(f.Path, "/"+name) {
							t.Errorf("%s: it is pinned", when)
						}
					}
				}
				holds("without it")
				path := dir + "/" + name
				if strings.HasPrefix(name, ".#") {
					link(t, root, path, "me@here.4711:1690000000") // as Emacs does
				} else {
					set(t, root, path, "whatever it holds, .hooks too")
				}
				holds("with it")
				trustProject(t, root, trustFile, false)
				remove(t, root, path)
				holds("when it has gone")
			})
		}
	}
}

// A pin of before that has stray files goes on to hold.
func TestPinsWithStrayFiles(t *testing.T) {
	root, trustFile := strayProject(t, map[string]string{".hooks/notes": "-"})
	s := survey(t, root, trustFile)
	s.pin.Files[".hooks/README.md"] = strings.Repeat("0", 64)
	if err := s.trust(); err != nil {
		t.Fatal(err)
	}
	if got := verdicts(readProject(t, root, trustFile)); len(got) > 0 {
		t.Errorf("the pinned one isn't there: %v", got)
	}
	if s := survey(t, root, trustFile); s.state != Trusted {
		t.Errorf("the survey says %s", s.state)
	}
}

// A file that a hook may load, run or read is pinned, whatever its name is.
func TestStrayFilesThatAHookReads(t *testing.T) {
	yaml := func(command string) string { return "hooks: {stop: [{name: check, command: " + command + "}]}\n" }
	lua := func(body string) string { return "on('stop', function() " + body + " end)\n" }
	const mayRead = "hooks: {grant: {fs.read: true}}\n"
	for name, c := range map[string]struct {
		files map[string]string
		stray string
	}{
		"a script reads one by its name":     {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.read(".hooks/words~")`)}, ".hooks/words~"},
		"a library reads one by its name":    {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/lib/x.lua": `return function() return fs.read(".hooks/lib/Words~") end`}, ".hooks/lib/words~"},
		"a script reads a folder":            {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.glob(".hooks/rules/*")`)}, ".hooks/rules/words~"},
		"a script lists a folder":            {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.list(".hooks/rules")`)}, ".hooks/rules/deep/.x.swp"},
		"a script lists the hooks folder":    {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.list('.hooks')`)}, ".hooks/README.md"},
		"a script with a pattern":            {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.glob(".hooks/r*/*")`)}, ".hooks/rules/words.bak"},
		"a script with a variable":           {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.read(".hooks/" .. ev.x)`)}, ".hooks/words~"},
		"a script with an option":            {map[string]string{".hooks/hooks.yaml": "hooks:\n  grant: {fs.read: true}\n  stop:\n    - {script: .hooks/a.lua, with: {dir: .hooks/rules}}\n", ".hooks/a.lua": lua(`return fs.list(with.dir)`)}, ".hooks/rules/words~"},
		"a script runs a program":            {map[string]string{".hooks/hooks.yaml": "hooks: {grant: {exec: [sh]}}\n", ".hooks/a.lua": lua(`return exec.run("sh", {".hooks/x.sh~"})`)}, ".hooks/x.sh~"},
		"the schema":                         {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.read(".hooks/hooks.schema.json")`)}, ".hooks/hooks.schema.json"},
		"the stub":                           {map[string]string{".hooks/hooks.yaml": mayRead, ".hooks/a.lua": lua(`return fs.read(".hooks/.luahook/luahook.lua")`)}, ".hooks/.luahook/luahook.lua"},
		"the stub is listed":                 {map[string]string{".hooks/hooks.yaml": "hooks: {stop: [{script: .hooks/.luahook/luahook.lua}]}\n", ".hooks/.luahook/luahook.lua": lua("")}, ".hooks/.luahook/luahook.lua"},
		"a command runs the stub":            {map[string]string{".hooks/hooks.yaml": yaml("lua .hooks/.luahook/luahook.lua"), ".hooks/.luahook/luahook.lua": "os.exit(0)\n"}, ".hooks/.luahook/luahook.lua"},
		"a command reads the stub's folder":  {map[string]string{".hooks/hooks.yaml": yaml(`"cat .hooks/.luahook/* | sh"`)}, ".hooks/.luahook/luahook.lua"},
		"another file in the stub's folder":  {map[string]string{".hooks/.luahook/luahook.lua": "---@meta\n"}, ".hooks/.luahook/other.lua"},
		"a file of the stub's name":          {map[string]string{".hooks/.luahook/luahook.lua": "---@meta\n"}, ".hooks/lib/.luahook/luahook.lua"},
		"a listed script":                    {map[string]string{".hooks/hooks.yaml": "hooks: {stop: [{script: .hooks/.#a.lua}]}\n", ".hooks/.#a.lua": lua("")}, ".hooks/.#a.lua"},
		"a listed program":                   {map[string]string{".hooks/hooks.yaml": "hooks: {stop: [{script: .hooks/x.sh~}]}\n", ".hooks/x.sh~": "exit 0\n"}, ".hooks/x.sh~"},
		"a command names it":                 {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/x.sh.bak"), ".hooks/x.sh.bak": "exit 0\n"}, ".hooks/x.sh.bak"},
		"a command reads a folder":           {map[string]string{".hooks/hooks.yaml": yaml(`"cat .hooks/rules/*"`)}, ".hooks/rules/more~"},
		"a command reads a folder by name":   {map[string]string{".hooks/hooks.yaml": yaml(`"grep -r x .hooks/rules"`)}, ".hooks/rules/deep/.DS_Store"},
		"a command goes to the folder":       {map[string]string{".hooks/hooks.yaml": yaml(`"cd .hooks && ./all.sh"`)}, ".hooks/README"},
		"a command looks for all":            {map[string]string{".hooks/hooks.yaml": yaml(`"find .hooks -exec sh {} +"`)}, ".hooks/deep/x.tmp"},
		"a command with a variable":          {map[string]string{".hooks/hooks.yaml": yaml(`"sh .hooks/$X"`)}, ".hooks/x~"},
		"a program reads a folder":           {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/run.sh"), ".hooks/run.sh": "for f in .hooks/checks.d/*; do . $f; done\n"}, ".hooks/checks.d/evil~"},
		"a program runs the tests":           {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/run.sh"), ".hooks/run.sh": "for f in .hooks/*_test.lua; do lua $f; done\n"}, ".hooks/a_test.lua"},
		"a program knows its own place":      {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/run.sh"), ".hooks/run.sh": "for f in \"$(dirname \"$0\")\"/checks.d/*; do . $f; done\n"}, ".hooks/checks.d/evil~"},
		"a program goes to its own place":    {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/run.sh"), ".hooks/run.sh": "cd \"$(dirname \"$0\")\"\nfor f in *; do . ./$f; done\n"}, ".hooks/evil~"},
		"a program keeps its own place":      {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/deep/run.sh"), ".hooks/deep/run.sh": "here=${0%/*}\nfor f in $here/*; do . ./$f; done\n"}, ".hooks/deep/evil~"},
		"a program goes up from its place":   {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/deep/run.sh"), ".hooks/deep/run.sh": "cd \"$(dirname \"$0\")/../rules\"\ncat *\n"}, ".hooks/rules/evil~"},
		"a program in Python":                {map[string]string{".hooks/hooks.yaml": yaml("python3 .hooks/run.py"), ".hooks/run.py": "for f in os.listdir(os.path.dirname(__file__)): exec(open(f).read())\n"}, ".hooks/evil.bak"},
		"a program joins the path":           {map[string]string{".hooks/hooks.yaml": yaml("python3 .hooks/run.py"), ".hooks/run.py": "for f in os.listdir(os.path.join('.hooks', 'rules')): print(f)\n"}, ".hooks/rules/evil.bak"},
		"a program elsewhere":                {map[string]string{".hooks/hooks.yaml": yaml("sh tools/run.sh"), "tools/run.sh": "cat .hooks/rules/*\n"}, ".hooks/rules/evil~"},
		"data names the folder":              {map[string]string{".hooks/hooks.yaml": yaml("sh .hooks/run.sh"), ".hooks/run.sh": "conftest\n", ".hooks/conf.json": `{"policies": ".hooks/rules"}`}, ".hooks/rules/evil~"},
		"a library is run by a command":      {map[string]string{".hooks/hooks.yaml": yaml("lua .hooks/lib/tool.lua"), ".hooks/lib/tool.lua": `io.popen("cat .hooks/rules/*")`}, ".hooks/rules/evil~"},
		"the name is that of a library":      {map[string]string{".hooks/lib/a.lua": "return 1"}, ".hooks/lib/sync.lua"},
		"the name is that of both":           {map[string]string{".hooks/lib/a.lua": "return 1"}, ".hooks/lib/~$a.lua"},
		"a link to another file":             {map[string]string{".hooks/hooks.yaml": yaml(`"cat .hooks/rules/*"`)}, ".hooks/rules/.x.swp"},
		"what Python keeps of its modules":   {map[string]string{".hooks/hooks.yaml": yaml("python3 .hooks/run.py"), ".hooks/run.py": "import helper\n"}, ".hooks/__pycache__/helper.cpython-312.pyc"},
		"a configuration of the tool itself": {map[string]string{".hooks/hooks.yaml": yaml("luacheck src")}, ".hooks/.luacheckrc"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".hooks/rules/words.txt": "one", ".hooks/hooks.yaml": "hooks: {}\n", ".hooks/z.lua": lua("")}
			for name, text := range c.files {
				files[name] = text
			}
			root := projectOf(t)
			for name, text := range files {
				set(t, root, name, text)
			}
			trustFile := filepath.Join(t.TempDir(), "state", "trust.json")
			trustProject(t, root, trustFile, false)
			if got := verdicts(readProject(t, root, trustFile)); len(got) > 0 {
				t.Fatalf("at first: %v", got)
			}
			content, standing := readProject(t, root, trustFile)
			set(t, root, c.stray, "on('stop', function() end) -- what a stranger has written")
			if got := fmt.Sprint(verdicts(readProject(t, root, trustFile))); !strings.Contains(got, c.stray) && !strings.Contains(got, filepath.Base(c.stray)) {
				t.Errorf("nobody minds: %s", got)
			}
			for _, h := range content.Hooks {
				if h.IsCommand() && standing.Command(h).Recheck() == nil {
					t.Error("the command may run all the same")
				}
			}
			if s := survey(t, root, trustFile); s.state != Changed {
				t.Errorf("the survey says %s", s.state)
			}
			trustProject(t, root, trustFile, false) // and then it is pinned
			if got := verdicts(readProject(t, root, trustFile)); len(got) > 0 {
				t.Errorf("trusted again: %v", got)
			}
			set(t, root, c.stray, "on('stop', function() end) -- something else")
			if got := verdicts(readProject(t, root, trustFile)); len(got) == 0 {
				t.Error("nobody minds a change of it")
			}
			if _, listed := c.files[c.stray]; listed {
				return
			}
			if err := os.Remove(filepath.Join(root, c.stray)); err != nil {
				t.Fatal(err)
			}
			if got := verdicts(readProject(t, root, trustFile)); len(got) == 0 {
				t.Error("nobody minds that it is removed")
			}
		})
	}
}

// Many stray files, long texts and long names are pinned, and cost no more than that.
func TestStrayFilesAreBounded(t *testing.T) {
	s := &strays{dir: ".hooks"}
	for i := range maxStrays + 10 {
		s.add(fmt.Sprintf(".hooks/%d~", i))
	}
	if len(s.names) != maxStrays || s.add(".hooks/lib/x~") || (&strays{dir: ".hooks"}).add(".hooks/"+strings.Repeat("x", maxStrayName)+"~") {
		t.Errorf("%d are left out", len(s.names))
	}
	s.read("", make([]byte, maxStrayWork/maxStrays+1))
	if len(s.needed()) != maxStrays {
		t.Error("texts are looked at that are too long for that")
	}
	if (&strays{dir: "."}).add("x~") {
		t.Error("a project that is its own hooks folder has stray files")
	}
}
