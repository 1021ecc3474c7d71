package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luahook/luahook/cmd/luahook/internal/check"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// FuzzScript: a check ends without a panic for any text, and each place is one of the text.
func FuzzScript(f *testing.F) {
	for _, name := range []string{"mistakes", "more", "right"} {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			source, _ := marked(string(file.Data))
			f.Add(source)
		}
	}
	f.Add("\ufeff#!x\r\non('stop',function(ev)\r\tev.x=ev.y end)")
	f.Add("local function f(a) return f(f, a.b) end on('*', f) f(f)")
	f.Fuzz(func(t *testing.T, source string) {
		lines := strings.Count(source, "\n") + strings.Count(source, "\r") + 1
		for _, p := range check.Script("x.lua", source, check.Context{Grants: &granted}) {
			if p.Line < 1 || p.Column < 1 || p.Line > lines || p.Column > utf8.RuneCountInString(p.Source)+1 && p.Source != "" {
				t.Errorf("%d:%d: %s: %q", p.Line, p.Column, p.Text, p.Source)
			}
			if err := (check.Report{Problems: []check.Problem{p}}).Text(&bytes.Buffer{}); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLong: what is long is checked, too, or refused.
func TestLong(t *testing.T) {
	for name, source := range map[string]string{
		"calls":   "local f = 1\n" + strings.Repeat("local function f(a) return a end\nf(f)\n", 3000),
		"aliases": "on('stop', function(a0)\n" + strings.Repeat("do local b = a0 ", 90) + strings.Repeat(" end", 90) + "\nend)",
		"fields":  "on('stop', function(ev) return ev" + strings.Repeat(".metadata", 150) + " end)",
		"nesting": strings.Repeat("(", 10_000),
		"hooks":   strings.Repeat("on('stop', function(ev) print(ev.response) end)\n", 900),
	} {
		for _, p := range check.Script(name, source, check.Context{}) {
			if p.Code != "syntax" && p.Code != "load" {
				t.Errorf("%s: %d:%d: %s (%s)", name, p.Line, p.Column, p.Text, p.Code)
			}
		}
	}
}

// TestEngineSaysItOnce: what a rule and the engine both find is told once, with the better place.
func TestEngineSaysItOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.lua", "on(\"stop\", {\n  priority = 1,\n  timeout = \"soon\",\n}, function(ev) end)\n")
	e, err := engine.New(engine.WithHooksDir(dir, dir), engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	if len(e.LoadErrors()) != 1 {
		t.Fatalf("the engine says %q", e.LoadErrors())
	}
	r := check.Folders([]check.Folder{{Dir: dir, Scripts: dir, Root: dir}}, check.Loaded{Hooks: e.Hooks(), Errors: e.LoadErrors()}, nil)
	if len(r.Problems) != 1 || r.Problems[0].Line != 3 || r.Problems[0].Column != 13 {
		t.Errorf("got %+v", r.Problems)
	}
}

// TestUserScripts: the user's scripts lie in hooks/, and one beside it is told of.
func TestUserScripts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "lost.lua", "on('stop', function(ev) end)\n")
	write(t, dir, "hooks/there.lua", "on('stop', function(ev) end)\n")
	r := check.Folders([]check.Folder{{Dir: dir, Scripts: filepath.Join(dir, "hooks")}}, check.Loaded{
		Hooks:  []engine.HookInfo{{Event: hooks.Stop, Handler: hooks.HandlerLua, Source: filepath.ToSlash(filepath.Join(dir, "hooks/there.lua")) + ":1"}},
		Errors: []error{errors.New("something else")},
	}, nil)
	var codes []string
	for _, p := range r.Problems {
		codes = append(codes, p.Code)
	}
	if r.Hooks != 1 || r.Files != 2 || strings.Join(codes, " ") != "load not-loaded" {
		t.Errorf("got %+v", r)
	}
}

// TestSARIF holds the log against what SARIF 2.1.0 asks for.
func TestSARIF(t *testing.T) {
	r := check.Report{Problems: check.Script("a b/é.lua", "on('stop', function(ev) ev.x = 1 deny('x') end)", check.Context{})}
	if len(r.Problems) != 2 {
		t.Fatalf("got %+v", r.Problems)
	}
	var out bytes.Buffer
	if err := r.SARIF(&out, "v1"); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" || len(log.Runs[0].Results) != 2 {
		t.Fatalf("got %s", out.String())
	}
	for _, result := range log.Runs[0].Results {
		at := result.Locations[0].PhysicalLocation
		if rule := log.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID; rule != result.RuleID {
			t.Errorf("rule %d is %s, want %s", result.RuleIndex, rule, result.RuleID)
		}
		if at.ArtifactLocation.URI != "a%20b/%C3%A9.lua" || at.ArtifactLocation.URIBaseID != "%SRCROOT%" || at.Region.StartLine != 1 || at.Region.StartColumn < 1 || result.Message.Text == "" || result.Level != "error" {
			t.Errorf("got %+v", result)
		}
	}
}

// TestPage: docs/check.md lists each kind with its help.
func TestPage(t *testing.T) {
	page := read(t, top+"docs/check.md")
	rows := 0
	for _, r := range check.Kinds() {
		if !strings.Contains(page, "| `"+r.Code+"` | "+r.Help+" |\n") {
			t.Errorf("docs/check.md has no row\n| `%s` | %s |", r.Code, r.Help)
		}
		rows++
	}
	if n := strings.Count(page, "\n| `"); n != rows {
		t.Errorf("docs/check.md has %d kinds, want %d", n, rows)
	}
}

// TestTextIsHarmless: a script can't have its lines read as luahook's own, or move the cursor.
func TestTextIsHarmless(t *testing.T) {
	var out bytes.Buffer
	r := check.Report{Problems: check.Script("a\x1b[2J.lua", "on('stop', function(ev) ev['\x1b[31m\u202e'] = ev.x end)", check.Context{})}
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	if len(r.Problems) == 0 || strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("got %q", out.String())
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
