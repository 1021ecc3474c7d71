package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

var standingProject = map[string]string{
	".hooks/hooks.yaml": `hooks:
  pre_tool_call:
    - {name: check, command: "cd tools && sh check.sh"}
    - {name: echo, command: "echo ok"}
    - {name: guard, script: tools/guard.lua}
    - {name: ours, builtin: safety-guard}
`,
	".hooks/a.lua":      `on("stop", function(ev) end)`,
	".hooks/b.lua":      `on("stop", function(ev) end)`,
	".hooks/a_test.lua": `test`,
	".hooks/lib/x.lua":  `return 1`,
	".hooks/data.txt":   `words`,
	"tools/guard.lua":   `on("pre_tool_call", function(ev) end)`,
	"tools/check.sh":    `exit 0`,
	"README":            `read me`,
}

// newProject writes the project, and says where its pins lie.
func newProject(t *testing.T) (root, trustFile string) {
	t.Helper()
	root = projectOf(t)
	for name, text := range standingProject {
		set(t, root, name, text)
	}
	return root, filepath.Join(t.TempDir(), "state", "trust.json")
}

func set(t *testing.T, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, name)); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, root, name, to string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
		t.Skip(err)
	}
}

// surveyed is what a person sees of a project.
type surveyed struct {
	pin   Pin
	store *Store
	state State
	files []File
	unfit error
}

func survey(t *testing.T, root, trustFile string) *surveyed {
	t.Helper()
	s := &surveyed{pin: Pin{Root: root, Hooks: ".hooks"}, store: NewStore(trustFile)}
	pin, err := s.store.Get(root, ".hooks")
	if err != nil {
		t.Fatal(err)
	}
	var all Inventory
	all, s.unfit = TakeInventory(readContent(root), pin)
	s.pin.Files = all.Files
	s.state, s.files = all.Compare(pin, s.unfit != nil)
	return s
}

func (s *surveyed) trust() error {
	if s.unfit != nil {
		return s.unfit
	}
	return s.store.Put(s.pin)
}

func trustProject(t *testing.T, root, trustFile string, folder bool) {
	t.Helper()
	s := survey(t, root, trustFile)
	if folder {
		s.pin, s.unfit = Pin{Root: root, Hooks: ".hooks", Folder: true}, nil
	}
	if err := s.trust(); err != nil {
		t.Fatal(err)
	}
}

// readContent is the project as an engine reads it.
func readContent(root string) *source.Content {
	dir := filepath.Join(root, ".hooks")
	return source.Folder{Scope: hooks.ScopeProject, Dir: dir, Scripts: dir, Root: root, Confined: true}.Read(source.NewBudget(source.OwnBudget))
}

// readProject is that, and its evaluation.
func readProject(t *testing.T, root, trustFile string) (*source.Content, *Evaluation) {
	t.Helper()
	c := readContent(root)
	s, err := Evaluate(NewStore(trustFile), c)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// verdicts are those of all hooks: "a b guard check echo: never: WHY; ...", with the
// trusted ones left out.
func verdicts(c *source.Content, s *Evaluation) map[string]string {
	list := map[string]string{}
	note := func(name string, v Result) {
		switch {
		case v.Trusted && v.Why == "" && !v.Changed:
		case v.Trusted, v.Why == "", strings.Contains(v.Why, "\n"):
			list[name] = fmt.Sprintf("contradicts itself: %+v", v)
		case v.Changed:
			list[name] = "changed: " + lost(v.Why)
		default:
			list[name] = "never: " + v.Why
		}
	}
	for _, f := range c.Scripts {
		note(filepath.Base(f.Path), s.Script(f))
	}
	for _, h := range c.Hooks {
		switch {
		case h.IsCommand():
			note(h.Options.Name, s.Command(h))
		case h.Script != "":
			note(h.Options.Name, s.Script(h.File))
		default:
			note(h.Options.Name, s.Script(source.File{Path: c.Path}))
		}
	}
	return list
}

// lost is what a message says of lost trust, without what all of them say.
func lost(text string) string {
	before, after, _ := strings.Cut(lostTrust, "%s since the project was trusted")
	own, ok := strings.CutPrefix(text, before)
	own, told := strings.CutSuffix(own, after)
	if text != "" && (!ok || !told || !strings.Contains(after, "luahook trust")) {
		return "it doesn't say that trust was lost: " + text
	}
	return own
}

func TestStanding(t *testing.T) {
	all := func(what string) map[string]string {
		list := map[string]string{}
		for _, name := range []string{"a.lua", "b.lua", "check", "echo", "guard", "ours"} {
			list[name] = what
		}
		return list
	}
	const since = " since the project was trusted"
	changed := func(what string) map[string]string { return all("changed: " + what + since) }
	for name, c := range map[string]struct {
		edit func(t *testing.T, root string)
		want map[string]string
	}{
		"nothing": {func(*testing.T, string) {}, nil},
		"a file that has nothing to do with hooks": {func(t *testing.T, root string) { set(t, root, "README", "x") }, nil},
		"one script": {func(t *testing.T, root string) { set(t, root, ".hooks/a.lua", standingProject[".hooks/a.lua"]+" ") },
			map[string]string{"a.lua": "changed: .hooks/a.lua has changed" + since}},
		"a new script": {func(t *testing.T, root string) { set(t, root, ".hooks/c.lua", "") },
			map[string]string{"c.lua": "never: .hooks/c.lua was added after the project was trusted"}},
		"a script less": {func(t *testing.T, root string) { remove(t, root, ".hooks/b.lua") }, nil},
		"a listed script": {func(t *testing.T, root string) {
			set(t, root, "tools/guard.lua", standingProject["tools/guard.lua"]+" ")
		},
			map[string]string{"guard": "changed: tools/guard.lua has changed" + since}},
		"what a command names": {func(t *testing.T, root string) { set(t, root, "tools/check.sh", "exit 1") },
			map[string]string{"check": "changed: tools/check.sh, which it names, has changed" + since}},
		"a file that a command names only now": {func(t *testing.T, root string) { set(t, root, "check.sh", "exit 1") },
			map[string]string{"check": "changed: check.sh, which it names, was added" + since}},
		"hooks.yaml": {func(t *testing.T, root string) {
			set(t, root, ".hooks/hooks.yaml", standingProject[".hooks/hooks.yaml"]+"# x\n")
		}, changed(".hooks/hooks.yaml has changed")},
		"a library": {func(t *testing.T, root string) { set(t, root, ".hooks/lib/x.lua", "return 2") }, changed(".hooks/lib/x.lua has changed")},
		"data":      {func(t *testing.T, root string) { set(t, root, ".hooks/data.txt", "") }, changed(".hooks/data.txt has changed")},
		"a test":    {func(t *testing.T, root string) { set(t, root, ".hooks/a_test.lua", "") }, nil},
		"a library more": {func(t *testing.T, root string) { set(t, root, ".hooks/lib/deep/y.lua", "") },
			changed(".hooks/lib/deep/y.lua was added")},
		"data less": {func(t *testing.T, root string) { remove(t, root, ".hooks/data.txt") }, changed(".hooks/data.txt was removed")},
		"two": {func(t *testing.T, root string) {
			set(t, root, ".hooks/data.txt", "")
			set(t, root, ".hooks/more.txt", "")
		}, changed(".hooks/data.txt has changed, and 1 more have changed")},
		"a link with the same content": {func(t *testing.T, root string) {
			remove(t, root, ".hooks/data.txt")
			set(t, root, "elsewhere", "words")
			link(t, root, ".hooks/data.txt", "../elsewhere")
		}, nil},
		"a link with other content": {func(t *testing.T, root string) {
			remove(t, root, ".hooks/data.txt")
			link(t, root, ".hooks/data.txt", "../README")
		}, changed(".hooks/data.txt has changed")},
		"a link out of the project": {func(t *testing.T, root string) {
			out := filepath.Join(t.TempDir(), "out")
			set(t, filepath.Dir(out), "out", "words")
			remove(t, root, ".hooks/data.txt")
			link(t, root, ".hooks/data.txt", out)
		}, changed(".hooks/data.txt is a link out of the project, to OUT, which can't be trusted,")},
		"a link to a folder": {func(t *testing.T, root string) { link(t, root, ".hooks/more", "../tools") },
			changed(".hooks/more is a link to a folder, which can't be trusted; put the files in its place,")},
		"a link to nothing": {func(t *testing.T, root string) { link(t, root, ".hooks/more", "nothing") },
			changed(".hooks/more can't be read: no such file or directory,")},
	} {
		t.Run(name, func(t *testing.T) {
			root, trustFile := newProject(t)
			content, s := readProject(t, root, trustFile)
			if got := verdicts(content, s); fmt.Sprint(got) != fmt.Sprint(all("never: the project isn't trusted")) {
				t.Fatalf("before it is trusted: %v", got)
			}
			trustProject(t, root, trustFile, false)
			c.edit(t, root)
			content, s = readProject(t, root, trustFile)
			got := verdicts(content, s)
			for name, v := range got {
				if _, rest, ok := strings.Cut(v, ", to "); ok {
					got[name] = strings.Replace(v, rest[:strings.Index(rest, ",")], "OUT", 1)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
			trustProject(t, root, trustFile, true)
			if got := verdicts(readProject(t, root, trustFile)); len(got) != 0 {
				t.Errorf("trusted as a folder: %v", got)
			}
		})
	}
}

// What is judged is what was read, whatever the files hold by now.
func TestStandingJudgesWhatWasRead(t *testing.T) {
	root, trustFile := newProject(t)
	trustProject(t, root, trustFile, false)
	for _, name := range []string{".hooks/a.lua", ".hooks/lib/x.lua", ".hooks/hooks.yaml", "tools/guard.lua"} {
		good := standingProject[name]
		set(t, root, name, good+"\n")
		c := readContent(root)
		set(t, root, name, good)
		s, err := Evaluate(NewStore(trustFile), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(c, s); len(got) == 0 {
			t.Errorf("%s was read with another content, and is trusted for what it holds now", name)
		}
	}
}

// Before each run of a command its files are looked at once more.
func TestStillTrusted(t *testing.T) {
	root, trustFile := newProject(t)
	trustProject(t, root, trustFile, false)
	c, s := readProject(t, root, trustFile)
	check, echo := s.Command(c.Hooks[0]), s.Command(c.Hooks[1])
	if !check.Trusted || !echo.Trusted || check.Recheck() != nil || echo.Recheck() != nil {
		t.Fatalf("%+v %+v", check, echo)
	}
	for _, step := range []struct{ name, text, check, echo string }{
		{"tools/check.sh", "exit 1", "tools/check.sh, which it names, has changed since the project was trusted", ""},
		{"tools/check.sh", "exit 0", "", ""},
		{".hooks/data.txt", "others", ".hooks/data.txt has changed since the project was trusted", ".hooks/data.txt has changed since the project was trusted"},
		{".hooks/data.txt", "words", "", ""},
		{".hooks/lib/x.lua", "return 2", ".hooks/lib/x.lua has changed since the project was trusted", ".hooks/lib/x.lua has changed since the project was trusted"},
		{".hooks/lib/x.lua", "return 1", "", ""},
		{".hooks/hooks.yaml", "# the one that was read counts", "", ""},
		{".hooks/c.lua", "-- a script that isn't loaded", "", ""},
	} {
		set(t, root, step.name, step.text)
		for what, got := range map[string][2]string{"check": {lost(text(check.Recheck())), step.check}, "echo": {lost(text(echo.Recheck())), step.echo}} {
			if got[0] != got[1] {
				t.Errorf("%s is %q: %s: %q, want %q", step.name, step.text, what, got[0], got[1])
			}
		}
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if check.Recheck() == nil {
		t.Error("a project that is gone is still trusted")
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Links out of the project that a command names are held to the place they lead to.
func TestCommandNamesLinkOut(t *testing.T) {
	root, trustFile := newProject(t)
	outside := t.TempDir()
	set(t, outside, "python", "1")
	set(t, outside, "other", "2")
	link(t, root, "python", filepath.Join(outside, "python"))
	set(t, root, ".hooks/hooks.yaml", "hooks: {stop: [{name: py, command: ./python -V}]}")
	trustProject(t, root, trustFile, false)
	set(t, outside, "python", "its content is nobody's of the project")
	if got := verdicts(readProject(t, root, trustFile)); len(got) != 0 {
		t.Errorf("after a change outside: %v", got)
	}
	for name, put := range map[string]func(){
		"another place": func() { link(t, root, "python", filepath.Join(outside, "other")) },
		"a file":        func() { set(t, root, "python", "1") },
	} {
		remove(t, root, "python")
		put()
		want := "changed: python, which it names, has changed since the project was trusted"
		if got := verdicts(readProject(t, root, trustFile))["py"]; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Errors of the store trust nothing.
func TestStandingWithoutStore(t *testing.T) {
	root, trustFile := newProject(t)
	trustProject(t, root, trustFile, true)
	if err := os.WriteFile(trustFile, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := readContent(root)
	s, err := Evaluate(NewStore(trustFile), c)
	if err == nil || s == nil || !strings.Contains(err.Error(), trustFile) {
		t.Fatalf("%v, %v", s, err)
	}
	for name, v := range verdicts(c, s) {
		if v != "never: the project isn't trusted" {
			t.Errorf("%s: %s", name, v)
		}
	}
	if n := len(verdicts(c, s)); n != 6 {
		t.Errorf("%d hooks are not trusted, want all 6", n)
	}
	if s, err := Evaluate(NewStore(""), c); err != nil || len(verdicts(c, s)) != 6 {
		t.Errorf("without a store: %v", err)
	}
}

// Files beyond the bounds are no reason to trust what is within them.
func TestTrustBounds(t *testing.T) {
	root, trustFile := newProject(t)
	big := filepath.Join(root, ".hooks", "big")
	if err := os.WriteFile(big, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, maxTrustedBytes+1); err != nil { // a hole
		t.Skip(err)
	}
	s := survey(t, root, trustFile)
	if s.unfit == nil || !strings.Contains(s.unfit.Error(), "more than 64 MiB") || s.trust() == nil {
		t.Errorf("large: %v", s.unfit)
	}
	remove(t, root, ".hooks/big")
	prints, err := newFileHashes(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer prints.close()
	prints.count = maxTrustedFiles - 2
	if _, err := prints.folder(".hooks", nil, func(string) bool { return false }); err == nil || !strings.Contains(err.Error(), "more than 10000 files") {
		t.Errorf("many: %v", err)
	}
}

// Folders take longer to open the deeper they lie, and git makes as many as it is told to.
func TestTrustBoundsFolders(t *testing.T) {
	root, trustFile := newProject(t)
	deep := filepath.Join(".hooks", strings.Repeat("d/", maxTrustedDepth))
	set(t, root, filepath.Join(deep, "file"), "")
	if s := survey(t, root, trustFile); s.unfit != nil {
		t.Fatal(s.unfit)
	}
	set(t, root, filepath.Join(deep, "d", "file"), "")
	if s := survey(t, root, trustFile); s.unfit == nil || !strings.Contains(s.unfit.Error(), "more than 64 deep") || s.trust() == nil {
		t.Errorf("deep: %v", s.unfit)
	}
	if err := os.RemoveAll(filepath.Join(root, ".hooks", "d")); err != nil {
		t.Fatal(err)
	}
	for i := range maxTrustedFolders {
		if err := os.Mkdir(filepath.Join(root, ".hooks", fmt.Sprint(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if s := survey(t, root, trustFile); s.unfit == nil || !strings.Contains(s.unfit.Error(), "more than 10000 folders") || s.trust() == nil {
		t.Errorf("many: %v", s.unfit)
	}
}
