package luahook_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook"
	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luatest"
)

const cookbookPage = "docs/cookbook.md"

// recipe is a hook of the cookbook: NAME.lua, NAME_test.lua and, if it needs one, NAME.yaml.
type recipe struct{ name, hook, test, yaml string }

// readCookbook reads the hooks, in the order of the names.
func readCookbook(t *testing.T) (all []recipe) {
	t.Helper()
	book := luahook.Cookbook()
	known := 0
	read := func(name string, needed bool) string {
		text, err := fs.ReadFile(book, name)
		if errors.Is(err, fs.ErrNotExist) && !needed {
			return ""
		} else if err != nil {
			t.Fatal(err)
		}
		known++
		return string(text)
	}
	files, err := fs.Glob(book, "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name, ok := strings.CutSuffix(file, ".lua"); ok && !strings.HasSuffix(name, "_test") {
			all = append(all, recipe{name, read(file, true), read(name+"_test.lua", true), read(name+".yaml", false)})
		}
	}
	if known != len(files) {
		t.Errorf("of %d files in the cookbook %d belong to no hook", len(files), len(files)-known)
	}
	return all
}

// TestCookbook runs the tests of the cookbook's hooks, and holds docs/cookbook.md against them.
func TestCookbook(t *testing.T) {
	t.Setenv("NOTIFY_WEBHOOK", "") // of notify-at-end: nobody is told of its tests
	all := readCookbook(t)
	if *update {
		updateCookbook(t, all)
	}
	page, err := os.ReadFile(cookbookPage)
	if err != nil {
		t.Fatal(err)
	}
	index, sections, _ := strings.Cut(string(page), "\n## ")
	if got := strings.Count(index, "](#"); got != len(all) {
		t.Errorf("%s: the index names %d hooks, and there are %d", cookbookPage, got, len(all))
	}
	if got := strings.Count(sections, "\n### "); got != len(all) {
		t.Errorf("%s shows %d hooks, and there are %d", cookbookPage, got, len(all))
	}
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			root := r.project(t)
			r.loads(t, root)
			r.passes(t, root)
			r.isShown(t, root, index, string(page))
		})
	}
}

// project writes a project with the hook alone.
func (r recipe) project(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{r.name + ".lua": r.hook, r.name + "_test.lua": r.test, "hooks.yaml": r.yaml} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(root, ".hooks", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// open makes an engine with the project's hooks alone.
func (r recipe) open(t *testing.T, root string) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

func (r recipe) loads(t *testing.T, root string) {
	e := r.open(t, root)
	for _, err := range e.LoadErrors() {
		t.Error(err)
	}
	if len(e.Hooks()) == 0 {
		t.Error("it registers no hook")
	}
	if first, _, _ := strings.Cut(r.hook, "\n"); !regexp.MustCompile(`^-- [A-Z].*\.$`).MatchString(first) {
		t.Errorf("its first line is no comment that says in a sentence what it does: %q", first)
	}
}

// passes runs its tests, which ask the hook alone: it denies what they want denied, and not the default guard.
func (r recipe) passes(t *testing.T, root string) {
	if want := fmt.Sprintf("only(%q)\n", r.name+".lua"); !strings.HasPrefix(r.test, want) {
		t.Errorf("its test doesn't begin with %s", want)
	}
	report, err := luatest.Run(t.Context(), luatest.Options{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	if report.Passed < 6 {
		t.Errorf("only %d tests passed", report.Passed)
	}
	for _, file := range report.Files {
		if file.Error != "" {
			t.Error(file.Error)
		}
		for _, test := range file.Tests {
			if !test.Passed {
				t.Errorf("%s: %s: %s: %s", test.Source, test.Name, test.Failure.Source, test.Failure.Message)
			}
		}
	}
}

var (
	fencedLua  = regexp.MustCompile("(?s)```lua\n.*?```")
	fencedYAML = regexp.MustCompile("(?s)```yaml\n.*?```")
	tried      = regexp.MustCompile(`(?m)^luahook explain (.*?)(?: +# (deny|ask|rewritten|context))?$`)
)

// sectionOf is where a page shows a hook: from its heading to the next one.
func (r recipe) sectionOf(page string) (from, to int) {
	from = strings.Index(page, "\n### "+r.name+"\n")
	if from < 0 {
		return -1, -1
	}
	from++
	to = len(page)
	for _, heading := range []string{"\n## ", "\n### "} {
		if at := strings.Index(page[from:], heading); at >= 0 && from+at < to {
			to = from + at
		}
	}
	return from, to
}

// isShown compares the page with the files, and has the commands on it do what it says.
func (r recipe) isShown(t *testing.T, root, index, page string) {
	from, to := r.sectionOf(page)
	if from < 0 || !strings.Contains(index, "("+"#"+r.name+")") {
		t.Fatalf("%s doesn't show it, or its index doesn't name it", cookbookPage)
	}
	shown := page[from:to]
	if want := "```lua\n" + r.hook + "```"; fencedLua.FindString(shown) != want {
		t.Errorf("%s shows another text; run `go test . -run TestCookbook -update`", cookbookPage)
	}
	if want := "```yaml\n" + r.yaml + "```"; r.yaml != "" && fencedYAML.FindString(shown) != want || r.yaml == "" && strings.Contains(shown, "```yaml") {
		t.Errorf("%s shows another hooks.yaml; run `go test . -run TestCookbook -update`", cookbookPage)
	}
	if !strings.Contains(shown, "\nluahook init --example "+r.name+"\n") {
		t.Errorf("%s doesn't say how to get it", cookbookPage)
	}
	for _, line := range tried.FindAllStringSubmatch(shown, -1) {
		r.does(t, root, line[1], line[2])
	}
}

// does fires what a command line of the page explains.
func (r recipe) does(t *testing.T, root, words, want string) {
	args, err := shell.Split(words)
	if err != nil {
		t.Fatal(err)
	}
	c := &hooks.Context{Event: hooks.PreToolCall, CWD: root, SessionID: "s", ToolCall: &hooks.ToolCall{Name: "bash", Command: args[0]}}
	switch event, err := hooks.ParseEvent(args[0]); {
	case err == nil && hooks.IsKnown(event) && len(args) == 3 && args[1] == "<<<":
		c, err = hooks.DecodeContext([]byte(args[2]), event)
		if err != nil {
			t.Fatal(err)
		}
	case err == nil && hooks.IsKnown(event) && len(args) == 2 && args[1] == "--sample":
		return // fires, as the sample of every event does
	case len(args) != 1:
		t.Fatalf("luahook explain %s: more than a command", words)
	}
	result, err := r.open(t, root).Fire(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range result.Summary().Runs {
		if run.Error != nil {
			t.Errorf("luahook explain %s: %v", words, run.Error)
		}
	}
	got := string(result.Decision)
	switch {
	case result.Modified:
		got = "rewritten"
	case got == "" && result.NewContext != "":
		got = "context"
	}
	if got != want {
		t.Errorf("luahook explain %s: it says %q (%s), and %s has %q", words, got, result.Reason, cookbookPage, want)
	}
}

// updateCookbook writes the files into the page.
func updateCookbook(t *testing.T, all []recipe) {
	t.Helper()
	text, err := os.ReadFile(cookbookPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, r := range all {
		from, to := r.sectionOf(page)
		if from < 0 {
			continue
		}
		shown := fencedLua.ReplaceAllLiteralString(page[from:to], "```lua\n"+r.hook+"```")
		if r.yaml != "" {
			shown = fencedYAML.ReplaceAllLiteralString(shown, "```yaml\n"+r.yaml+"```")
		}
		page = page[:from] + shown + page[to:]
	}
	if err := os.WriteFile(cookbookPage, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}
