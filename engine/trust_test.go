package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const surveyed = `
-- p/.git/HEAD --
-- p/.hooks/hooks.yaml --
hooks:
  grant: {fs.read: true}
  pre_tool_call:
    - {name: check, command: sh, args: [tools/check.sh, a b]}
    - {name: guard, script: tools/guard.lua, grant: {exec: [make]}}
    - {command: rm -rf x, enabled: false}
  stop:
    - {script: tools/say.sh}
-- p/.hooks/a.lua --
on("pre_tool_call", { name = "one" }, function(ev) end)
on("stop", { name = "two" }, function(ev) end)
on("stop", { enabled = false }, function(ev) end)
-- p/tools/check.sh --
exit 0
-- p/tools/say.sh --
-- p/tools/guard.lua --
on("pre_tool_call", function(ev) end)
-- p/sub/.hooks/b.lua --
on("stop", function(ev) end)
`

func findProject(t *testing.T, dir string) engine.Project {
	t.Helper()
	p, err := engine.FindProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func surveyOf(t *testing.T, dir, trustFile string) *engine.Survey {
	t.Helper()
	s, err := engine.SurveyProject(findProject(t, dir), trustFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func trustedProjects(t *testing.T, trustFile string) string {
	t.Helper()
	list, err := engine.TrustedProjects(trustFile)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range list {
		lines = append(lines, filepath.Base(p.Root)+" "+p.Hooks+" "+string(p.State))
		if p.Since.IsZero() {
			t.Errorf("%s was trusted at no time", p.Root)
		}
	}
	return strings.Join(lines, ", ")
}

func fileStates(s *engine.Survey) string {
	var list []string
	for _, f := range s.Files {
		list = append(list, f.Path+" "+string(f.State))
	}
	return strings.Join(list, ", ")
}

// The survey says what would run and what it asks for, and runs nothing.
func TestSurvey(t *testing.T) {
	dir := tree(t, surveyed)
	s := surveyOf(t, filepath.Join(dir, "p/tools"), filepath.Join(t.TempDir(), "state", "trust.json"))
	equal(t, "problems", len(s.LoadErrors), 0)
	equal(t, "standing", s.State, engine.ProjectUntrusted)
	equal(t, "hooks", asJSON(t, s.Handlers), asJSON(t, []engine.SurveyedHook{
		{Event: hooks.PreToolCall, Name: "one", Options: hooks.Options{Name: "one"}, Handler: hooks.HandlerLua, Source: ".hooks/a.lua:1"},
		{Event: hooks.Stop, Name: "two", Options: hooks.Options{Name: "two"}, Handler: hooks.HandlerLua, Source: ".hooks/a.lua:2"},
		{Event: hooks.PreToolCall, Name: "guard", Options: hooks.Options{Name: "guard"}, Handler: hooks.HandlerLua, Source: "tools/guard.lua:1"},
		{Event: hooks.PreToolCall, Name: "check", Options: hooks.Options{Name: "check"}, Handler: hooks.HandlerCommand, Source: ".hooks/hooks.yaml:4", Command: "sh", Args: []string{"tools/check.sh", "a b"}, Names: []string{"tools/check.sh"}},
		{Event: hooks.Stop, Name: "say.sh", Handler: hooks.HandlerCommand, Source: ".hooks/hooks.yaml:8", Command: "tools/say.sh", Names: []string{"tools/say.sh"}},
	}))
	equal(t, "grants", asJSON(t, s.Grants), asJSON(t, []engine.SurveyedGrant{
		{Source: ".hooks/hooks.yaml", Grants: hooks.Grants{FSRead: true}},
		{Source: ".hooks/hooks.yaml:5", Grants: hooks.Grants{Exec: []string{"make"}}},
	}))
	equal(t, "files", fileStates(s), ".hooks/a.lua new, .hooks/hooks.yaml new, tools/check.sh new, tools/guard.lua new, tools/say.sh new")
}

// What is pinned is what was shown, whatever the files hold when the answer comes.
func TestTrustPinsWhatWasSurveyed(t *testing.T) {
	dir, trustFile := tree(t, surveyed), filepath.Join(t.TempDir(), "state", "trust.json")
	s := surveyOf(t, filepath.Join(dir, "p"), trustFile)
	write(t, dir, "-- p/.hooks/a.lua --\non('pre_tool_call', function(ev) return allow() end)\n-- p/tools/check.sh --\nevil\n")
	if err := s.Trust(false); err != nil {
		t.Fatal(err)
	}
	s = surveyOf(t, filepath.Join(dir, "p"), trustFile)
	equal(t, "standing", s.State, engine.ProjectChanged)
	equal(t, "files", fileStates(s), ".hooks/a.lua changed, .hooks/hooks.yaml same, tools/check.sh changed, tools/guard.lua same, tools/say.sh same")
}

// Each hooks folder of a project is trusted by itself, the folder as such for all.
func TestTrustOfSeveralFolders(t *testing.T) {
	dir, trustFile := tree(t, surveyed), filepath.Join(t.TempDir(), "state", "trust.json")
	root, sub := filepath.Join(dir, "p"), filepath.Join(dir, "p/sub")
	trust := func(at string, folder bool) {
		t.Helper()
		if err := surveyOf(t, at, trustFile).Trust(folder); err != nil {
			t.Fatal(err)
		}
	}
	revoke := func(at string, want bool) {
		t.Helper()
		removed, err := engine.RevokeTrust(findProject(t, at), trustFile)
		if err != nil || removed != want {
			t.Errorf("RevokeTrust = %v, %v", removed, err)
		}
	}
	trust(root, false)
	equal(t, "the other folder", surveyOf(t, sub, trustFile).State, engine.ProjectUntrusted)
	trust(sub, false)
	equal(t, "both", trustedProjects(t, trustFile), "p .hooks trusted, p sub/.hooks trusted")
	write(t, dir, "-- p/sub/.hooks/b.lua --\n-- p/.hooks/note --\n")
	equal(t, "both changed", trustedProjects(t, trustFile), "p .hooks changed, p sub/.hooks changed")
	revoke(sub, true)
	revoke(sub, false)
	equal(t, "one is left", trustedProjects(t, trustFile), "p .hooks changed")
	trust(root, true)
	equal(t, "the folder", surveyOf(t, sub, trustFile).State, engine.ProjectFolderTrusted)
	equal(t, "the folder alone", trustedProjects(t, trustFile), "p .hooks folder")
	revoke(sub, true)
	equal(t, "nothing", trustedProjects(t, trustFile), "")
	trust(sub, false)
	if err := os.RemoveAll(sub); err != nil {
		t.Fatal(err)
	}
	equal(t, "gone", trustedProjects(t, trustFile), "p sub/.hooks gone")
	if removed, err := engine.RevokeTrust(engine.Project{Root: root}, trustFile); err != nil || !removed {
		t.Errorf("RevokeTrust of all = %v, %v", removed, err)
	}
}

func TestSurveyRefuses(t *testing.T) {
	trustFile := filepath.Join(t.TempDir(), "state", "trust.json")
	for name, c := range map[string]struct{ files, want string }{
		"a script":        {"-- .hooks/a.lua --\nx x\n", ".hooks/a.lua:1"},
		"a library":       {"-- .hooks/a.lua --\nrequire('x')\n-- .hooks/lib/x.lua --\nx x\n", ".hooks/lib/x.lua:1"},
		"a wrong event":   {"-- .hooks/a.lua --\non('stopp', function() end)\n", ".hooks/a.lua:1"},
		"an endless file": {"-- .hooks/a.lua --\nwhile true do end\n", ".hooks/a.lua"},
		"hooks.yaml":      {"-- .hooks/hooks.yaml --\nhooks: {stopp: []}\n", ".hooks/hooks.yaml:1"},
		"a lost script":   {"-- .hooks/hooks.yaml --\nhooks: {stop: [{script: x.lua}]}\n", "x.lua"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := engine.SurveyProject(engine.Project{Root: tree(t, c.files)}, trustFile)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.LoadErrors...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the problems are %v, want %s", err, c.want)
			}
			if s.Trust(false) == nil || s.Trust(true) == nil || trustedProjects(t, trustFile) != "" {
				t.Error("it was trusted")
			}
		})
	}
	root := tree(t, "-- .hooks/a.lua --\n")
	for name, c := range map[string]struct {
		project engine.Project
		file    string
	}{
		"refused":  {engine.Project{Root: root, Refused: errors.New("no")}, trustFile},
		"no hooks": {engine.Project{Root: t.TempDir()}, trustFile},
		"no root":  {engine.Project{}, trustFile},
		"no file":  {engine.Project{Root: root}, ""},
		"outside":  {engine.Project{Root: t.TempDir(), Hooks: filepath.Join(root, ".hooks")}, trustFile},
	} {
		if s, err := engine.SurveyProject(c.project, c.file); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// Nothing a project registers is run while it is looked at, and nothing is written.
func TestSurveyLeavesNothing(t *testing.T) {
	dir := tree(t, "-- .hooks/hooks.yaml --\nhooks: {setup: [{command: touch marker}], session_start: [{command: touch marker}]}\n-- .hooks/a.lua --\non('setup', function(ev) error('ran') end)\n")
	state := filepath.Join(t.TempDir(), "state")
	if _, err := engine.SurveyProject(engine.Project{Root: dir}, filepath.Join(state, "trust.json")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{filepath.Join(dir, "marker"), state} {
		if _, err := os.Lstat(p); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestStateDir(t *testing.T) {
	t.Setenv("HOME", "/home/ana")
	t.Setenv("XDG_STATE_HOME", "/state")
	equal(t, "XDG_STATE_HOME", engine.TrustFile(), filepath.Join("/state", "luahook", "trust.json"))
	t.Setenv("XDG_STATE_HOME", "relative")
	equal(t, "a relative one means nothing", engine.StateDir(), filepath.Join("/home/ana", ".local", "state", "luahook"))
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "relative")
	account(t, "/home/bob")
	equal(t, "neither does a relative home", engine.StateDir(), filepath.Join("/home/bob", ".local", "state", "luahook"))
	account(t, "")
	equal(t, "neither does a relative home", engine.TrustFile(), "")
	t.Setenv("HOME", "")
	equal(t, "neither", engine.TrustFile(), "")
	if _, err := engine.New(engine.WithTrust("relative")); err == nil {
		t.Error("WithTrust takes a relative path")
	}
	newEngine(t, engine.WithTrust(""))
}
