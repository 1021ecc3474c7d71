package wordlist_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/wordlist"
)

func FuzzHas(f *testing.F) {
	for _, c := range [][2]string{{"a ab  abc\tb\n", "ab"}, {"-x -X --exec", "-X"}, {"aab", "ab"}, {"abab ab", "ab"}, {"NULL L", "L"}, {"a b", "a b"}, {" ", ""}, {"", "a"}} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, names, name string) {
		names = strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return ' '
			}
			return r
		}, names)
		if got, want := wordlist.Has(names, name), slices.Contains(strings.Fields(names), name); got != want {
			t.Errorf("Has(%q, %q) = %v", names, name, got)
		}
	})
}
