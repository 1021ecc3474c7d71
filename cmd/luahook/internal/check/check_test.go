package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
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

// TestLinksOut: nothing of a file that a link of a project leads to stands in the report.
func TestLinksOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	write(t, filepath.Dir(secret), "secret", "KEY=hush\n")
	write(t, dir, ".hooks/a.lua", "on('stop', function(ev) end)\n")
	hooksDir := filepath.Join(dir, ".hooks")
	for _, name := range []string{"b.lua", "b_test.lua", "hooks.yaml", "lib/c.lua", "sub/d.lua"} {
		at := filepath.Join(hooksDir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(secret, at); err != nil {
			t.Fatal(err)
		}
	}
	r := folder(t, hooksDir, dir)
	told := map[string]bool{}
	for _, p := range r.Problems {
		told[p.File] = true
		if strings.Contains(p.Source+p.Text, "hush") {
			t.Errorf("got %+v", p)
		}
	}
	if !told[".hooks/b_test.lua"] {
		t.Errorf("got %+v, want the test to be told", r.Problems)
	}
}

// folder is the report of a project's folder of hooks.
func folder(t *testing.T, dir, root string) check.Report {
	t.Helper()
	e, err := engine.New(engine.WithHooksDir(dir, root), engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	return check.Folders([]check.Folder{{Dir: dir, Scripts: dir, Root: root}}, check.Loaded{Hooks: e.Hooks(), Errors: e.LoadErrors()}, nil)
}

// TestOddNames: a script whose name has characters that aren't shown is known by the name that the engine gives it.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names on Windows")
	}
	dir := t.TempDir()
	write(t, dir, "a\n\u202eb.lua", "on('stop', function(ev) end)\n")
	if r := folder(t, dir, dir); len(r.Problems) != 0 || r.Hooks != 1 || r.Files != 1 {
		t.Errorf("got %+v", r)
	}
}

// TestLongLine: the line of a thousand problems isn't printed a thousand times.
func TestLongLine(t *testing.T) {
	source := "on('stop', function(ev) " + strings.Repeat("dney('x') ", 1000) + "end)"
	r := check.Report{Problems: check.Script("a.lua", source, check.Context{})}
	if len(r.Problems) < 1000 {
		t.Fatalf("got %d problems", len(r.Problems))
	}
	for name, print := range map[string]func(io.Writer) error{"json": r.JSON, "sarif": func(w io.Writer) error { return r.SARIF(w, "v1") }} {
		var out bytes.Buffer
		if err := print(&out); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 1_500_000 || strings.Contains(out.String(), source[:1000]) {
			t.Errorf("%s: got %d bytes", name, out.Len())
		}
	}
	if r.Problems[0].Source != source {
		t.Error("printing has changed the report")
	}
}

// TestTooMuch: a folder of very much isn't read whole, and the report says so.
func TestTooMuch(t *testing.T) {
	dir := t.TempDir()
	for i := range 70 {
		write(t, dir, fmt.Sprintf("sub/%02d.lua", i), strings.Repeat("-", 500_000))
	}
	r := folder(t, dir, dir)
	told := 0
	for _, p := range r.Problems {
		if strings.Contains(p.Text, "aren't checked") {
			told++
		}
	}
	if told != 1 || !check.Failed(r.Problems, false) {
		t.Errorf("got %d such problems of %d", told, len(r.Problems))
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
