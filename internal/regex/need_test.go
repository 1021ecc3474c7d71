package regex_test

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/regex"
)

func needOf(t *testing.T, source string) regex.Need {
	t.Helper()
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	return regex.NeedOf(tree)
}

func TestNeed(t *testing.T) {
	for _, test := range []struct {
		source  string
		in, not []string
	}{
		{`a.b`, []string{"a.b", "axbc"}, []string{"", "ab", "xxxx"}},
		{`(?i)(^|/)\.git(/|$)`, []string{".git", "x/.GIT/y"}, []string{"git", "abcdef", "."}},
		{`(?i)kelvin|kelly`, []string{"\u212aelvin", "KELLY"}, []string{"kell", ""}},
		{`x{3}`, []string{"xxx"}, []string{"xx", "yyy"}},
		{`x{0,3}|y*`, []string{"", "z"}, nil},
		{`(ab)+c?`, []string{"ab"}, []string{"a", "cc"}},
		{`[q]q`, []string{"qq"}, []string{"ab"}},
		{`é`, []string{"é"}, []string{"e"}},
		{`\x{FFFD}`, []string{"\xff", "\uFFFD"}, []string{""}},
		{`^$|\b`, []string{"", "a"}, nil},
		{`[^\x00-\x{10FFFF}]`, nil, []string{""}},
		{`(?i)(ax|b)(cx|d)`, []string{"AXD", "bCX"}, []string{"ax", "cx", "a", "xbc"}},
		{`(aa|b){2}`, []string{"bb", "aab"}, []string{"b", ""}},
		{`a:b|c:d`, []string{"a:b"}, []string{"abcd"}},
		{`(?i)\bsocket\b|HTTP(s|x)`, []string{"SOCKET", "xhttps", "\u017focket"}, []string{"cokest", "phtths"}},
		{`(?i)kelvin`, []string{"\u212aelvin", "KELVIN", "kelvi\u212aelvin"}, []string{"nivlek"}},
		{`caf[eé]s?é`, []string{"cafeé", "caféé"}, []string{"ac fe", "é"}},
		{`ab(?:cd)*ef`, []string{"abef", "abcdef"}, []string{"feba", "a b e f"}},
	} {
		need := needOf(t, test.source)
		for _, text := range test.in {
			if !need.In(text) {
				t.Errorf("%q lacks what a match of %s needs", text, test.source)
			}
		}
		for _, text := range test.not {
			if need.In(text) {
				t.Errorf("%q has what a match of %s needs", text, test.source)
			}
		}
	}
}

// TestNeedOfLongTexts: nothing can stop the look at a text, so it is short.
func TestNeedOfLongTexts(t *testing.T) {
	need := needOf(t, `b`)
	for size, want := range map[int]bool{1 << 16: false, 1<<16 + 1: true} {
		if need.In(strings.Repeat("a", size)) != want {
			t.Errorf("%d bytes may have a match: %v", size, !want)
		}
	}
}

// FuzzNeed checks that no text is taken for one without a match that has one.
func FuzzNeed(f *testing.F) {
	for _, source := range []string{`(?i)(^|/)(\.hooks(/.*)?|etc/luahook(/.*)?)$`, `(a|bc)*d{2,}[x]\Q.+\E`, `(?s).\bk\B|(?m:^\$$)`, `\pL\x{FFFD}é?`, `(?i)\x{17f}s|K`} {
		f.Add(source, "/etc/luahook .hooks aabcdd x.+ $")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		tree, _, err := regex.Parse(source, regex.Limits{Work: 1 << 16, Size: 1 << 12}, func(int, int) error { return nil })
		if err != nil {
			return
		}
		re, err := regexp.Compile(source)
		if err != nil {
			return
		}
		if re.MatchString(text) && !regex.NeedOf(tree).In(text) {
			t.Errorf("%q has a match of %s, and lacks what it needs: %+v", text, source, regex.NeedOf(tree))
		}
	})
}
