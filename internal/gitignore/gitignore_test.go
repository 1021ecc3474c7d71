package gitignore

import (
	"strings"
	"testing"
)

// What the lines of a file mean is tested where git is asked the same: TestGitignore in luabind/lib.

func FuzzPattern(f *testing.F) {
	for _, text := range []string{"a\nb/\n# c\n\\#d\n", "/a\nx/b\nz/*\n", "**/one\ntwo/**\nthree/**/four\n", "*.txt\n!keep.txt\n", "[[:digit:]]d\nr[]-a]\nt[a\n", "a?c\nb\\ \n"} {
		f.Add(text, "a/b.log")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		file := &File{Dir: ".", Rules: Parse(text, 50)}
		checks := 0
		file.Ignores(path, path[strings.LastIndexByte(path, '/')+1:], false, &checks)
		if checks > 50 {
			t.Errorf("%d rules were looked at", checks)
		}
	})
}
