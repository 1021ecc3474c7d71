package luahook_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/luatest"
)

var (
	luaBlock  = regexp.MustCompile("(?s)```lua\n(.*?)```")
	caseLine  = regexp.MustCompile(`(?m)^-- (denies|asks|passes): (.*)$`)
	namedFile = regexp.MustCompile(`^-- \.hooks/([a-z_-]+)\.lua`)
)

// TestGuides runs the hooks that documents show with the tests that they show for them, as luahook test runs them.
func TestGuides(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"docs/authors.md": 25, "docs/store.md": 4, "docs/testing.md": 6, "docs/coming-from.md": 7}
	for _, page := range append(pages, "README.md") {
		t.Run(page, func(t *testing.T) {
			if passed := testGuide(t, page); passed < least[page] {
				t.Errorf("the page has only %d tests", passed)
			}
		})
	}
}

// testGuide runs the hooks of a page that have tests: the short ones, and those of a block that says it is a file of
// tests. It returns how many have passed.
func testGuide(t *testing.T, file string) (passed int) {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var hooks []string
	tests := map[string]string{} // by the name of the hook's file
	for _, block := range luaBlock.FindAllStringSubmatch(string(page), -1) {
		if of, is := strings.CutSuffix(nameOf(block[1]), "_test"); is {
			tests[of] = block[1]
		} else if strings.Contains(block[1], "on(") {
			hooks = append(hooks, block[1])
		}
	}
	for _, source := range hooks {
		name := nameOf(source)
		if tests[name] == "" && !caseLine.MatchString(source) {
			continue
		}
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{name + ".lua": source, name + "_test.lua": tests[name]} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, ".hooks", file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		report, err := luatest.Run(t.Context(), luatest.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		passed += report.Passed
		for _, file := range report.Files {
			if file.Error != "" {
				t.Errorf("%s\n%s", file.Error, source)
			}
			for _, test := range file.Tests {
				if !test.Passed {
					t.Errorf("%s: %s: %s\n%s", test.Source, test.Name, test.Failure.Message, source)
				}
			}
		}
	}
	return passed
}

// nameOf is the name of the file that a block of a page says it is, without .lua.
func nameOf(block string) string {
	if named := namedFile.FindStringSubmatch(block); named != nil {
		return named[1]
	}
	return "guide"
}
