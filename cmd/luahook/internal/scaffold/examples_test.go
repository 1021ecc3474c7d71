package scaffold

import (
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

// says fires what the lines "-- denies: COMMAND" and their like say, and holds the decisions against them.
func says(t *testing.T, file File) {
	t.Helper()
	e, err := engine.New(engine.WithScript(file.Name, file.Text), engine.WithProject(engine.Project{Root: t.TempDir()}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for _, err := range e.LoadErrors() {
		t.Error(err)
	}
	lines := regexp.MustCompile(`(?m)^-- (denies|asks|passes): (.*)$`).FindAllStringSubmatch(file.Text, -1)
	decisions := map[string]bool{}
	for _, line := range lines {
		want := map[string]hooks.Decision{"denies": hooks.Deny, "asks": hooks.Ask, "passes": hooks.NoOpinion}[line[1]]
		decisions[line[1]] = true
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: line[2]}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Decision != want {
			t.Errorf("%s: %s: got %q (%s), want %q", file.Name, line[2], r.Decision, r.Reason, want)
		}
	}
	if len(lines) > 0 && len(decisions) < 2 {
		t.Errorf("%s: its lines show one decision alone", file.Name)
	}
}

func TestExamples(t *testing.T) {
	all, err := Examples()
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, x := range all {
		t.Run(x.Name, func(t *testing.T) {
			if !strings.HasPrefix(x.Files[0].Text, "-- ") || !strings.HasSuffix(x.About, ".") || len(x.About) > 100 {
				t.Errorf("its first line isn't a comment that says in a sentence what it is for: %q", x.About)
			}
			if !regexp.MustCompile(`\btest(_each)?\(`).MatchString(x.Files[1].Text) {
				t.Error("its test has no test")
			}
			says(t, x.Files[0])
			if x.Config == "" {
				return
			}
			if !strings.HasPrefix(x.Config, "hooks:\n  ") {
				t.Errorf("%s.yaml can't be added to another hooks.yaml", x.Name)
			}
			if _, mistakes := config.Decode(x.Name+".yaml", []byte(x.Config)); len(mistakes) > 0 {
				t.Error(mistakes)
			}
		})
	}
	if x, err := ExampleNamed("protect-main"); err != nil || x.Name != "protect-main" || x.Config == "" {
		t.Errorf("got %+v, %v", x, err)
	}
}

func TestFirstFiles(t *testing.T) {
	files, err := First()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Text == "" || f.About == "" {
			t.Errorf("%s has no text, or nothing about it", f.Name)
		}
	}
	says(t, files[0])
	if _, mistakes := config.Decode("hooks.yaml", []byte(files[2].Text)); len(mistakes) > 0 {
		t.Error(mistakes)
	}
}

// What an example needs is added to the hooks.yaml of init, and to no other.
func TestExamplesAreAddedToTheFirstConfig(t *testing.T) {
	first, err := First()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if x.Config == "" {
			continue
		}
		text, ok := x.Added(first[2].Text)
		if !ok || strings.Count("\n"+text, "\nhooks:") != 1 || !strings.Contains(text, strings.TrimSpace(x.Config)+"\n") || len(x.Keys()) == 0 {
			t.Errorf("%s: %v %v\n%s", x.Name, ok, x.Keys(), text)
		}
		if _, ok := x.Added(text); ok {
			t.Errorf("%s is added twice", x.Name)
		}
	}
}
