package luahook_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestLinks follows the links in all documents of the repository: the file must be there, and have the heading.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^()\s]+)\)`)
	pages := 0
	err := filepath.WalkDir(".", func(page string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && page != "." || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(page) != ".md":
			return nil
		}
		pages++
		for _, found := range link.FindAllStringSubmatch(pageProse(t, page), -1) {
			if why := brokenLink(t, page, found[1]); why != "" {
				t.Errorf("%s: (%s): %s", page, found[1], why)
			}
		}
		return nil
	})
	if err != nil || pages < 30 {
		t.Errorf("%d documents, %v", pages, err)
	}
}

// brokenLink says why a link of a page leads nowhere; those to other places nobody follows.
func brokenLink(t *testing.T, page, target string) string {
	u, err := url.Parse(target)
	switch {
	case err != nil:
		return err.Error()
	case u.IsAbs():
		return ""
	}
	to := page
	if u.Path != "" {
		to = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
		if _, err := os.Stat(to); err != nil {
			return "there is no such file"
		}
	}
	if u.Fragment != "" && filepath.Ext(to) == ".md" && !anchors(pageProse(t, to))[u.Fragment] {
		return "that page has no such heading"
	}
	return ""
}

// pageProse is a page without its blocks of code.
func pageProse(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(string(text)) {
		mark := strings.TrimLeft(line, " ")
		switch {
		case fence == "" && strings.HasPrefix(mark, "```"):
			fence = mark[:len(mark)-len(strings.TrimLeft(mark, "`"))]
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	return b.String()
}

// anchors are what the headings of a page are called in links, as code hosts make them.
func anchors(text string) map[string]bool {
	list := map[string]bool{}
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		if level := len(line) - len(title); level == 0 || !strings.HasPrefix(title, " ") {
			continue
		}
		title = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(strings.TrimSpace(title), "$1")
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		list[name] = true
	}
	return list
}
