package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// lineOf makes lines as programs write them, and some that they don't.
var anyLine = rapid.OneOf(
	rapid.SampledFrom([]string{"", "ok", "error: no such thing", "ERROR 12 of 40", "--- FAIL: TestCart (0.00s)", "panic: boom", "\tat a.b.C(C.java:12)", "  10%\r  20%\r 100%", "\x1b[31mfailed\x1b[0m", "grüße 漢字 🙂🙂🙂🙂", "\xff\xfe\x80bin\x00", strings.Repeat("x", 700), strings.Repeat("ä", 900), strings.Repeat("error ", 400)}),
	rapid.StringN(0, 40, 100),
	rapid.StringMatching(`[a-z ]{0,60}`),
)

var anyText = rapid.Custom(func(t *rapid.T) string {
	eol := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "eol")
	text := strings.Join(rapid.SliceOfN(anyLine, 0, 120).Draw(t, "lines"), eol)
	if rapid.Bool().Draw(t, "ends with a line end") {
		text += eol
	}
	return text
})

var anyOptions = rapid.Custom(func(t *rapid.T) Options {
	o := Options{
		Bytes: rapid.IntRange(1, 6000).Draw(t, "bytes"), Lines: rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 60)).Draw(t, "lines"),
		Head: float64(rapid.IntRange(0, 100).Draw(t, "head")) / 100,
		Note: rapid.SampledFrom([]string{"", "all of it: /a/b", strings.Repeat("n", 400)}).Draw(t, "note"),
	}
	o.Tail = rapid.Float64Range(0, 1-o.Head).Draw(t, "tail")
	if rapid.Bool().Draw(t, "snippets") {
		o.Snippets = common
	}
	return o
})

var common = func() *Snippets {
	s, err := NewSnippets([]Group{
		{Name: "crashes", Patterns: []string{`^panic: `, `^--- FAIL: \w+`}, After: 5, Through: `^\s|^$`},
		{Name: "errors", Patterns: []string{`(?i)\berror\b`, `fail(ed|ure)`, `漢字`}, Except: []string{`\b0 errors`}, Before: 1, After: 2},
	}, free, free)
	if err != nil {
		panic(err)
	}
	return s
}()

// These hold for any text and any options.
func TestCutHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := anyText.Draw(t, "text"), anyOptions.Draw(t, "options")
		e, ok := Cut(text, o)
		if !ok {
			if len(text) > o.Bytes {
				t.Fatalf("%d bytes were left alone", len(text))
			}
			return
		}
		switch {
		case len(e.Text) >= len(text):
			t.Fatalf("%d bytes became %d", len(text), len(e.Text))
		case len(e.Text) > o.Bytes:
			t.Fatalf("%d bytes are left, %d may be", len(e.Text), o.Bytes)
		case o.Lines > 0 && CountLines(e.Text) > o.Lines:
			t.Fatalf("%d lines are left, %d may be", CountLines(e.Text), o.Lines)
		case utf8.ValidString(text) && !utf8.ValidString(e.Text):
			t.Fatalf("characters were cut: %q", e.Text)
		case !strings.HasPrefix(e.Text, text[:e.Head]):
			t.Fatalf("it doesn't begin as the text does")
		case !strings.HasSuffix(e.Text, text[len(text)-e.Tail:]):
			t.Fatalf("it doesn't end as the text does")
		case e.Head+e.Tail+e.CutBytes > len(text), e.CutBytes == 0:
			t.Fatalf("%+v of %d bytes", e, len(text))
		}
		rest := text
		for _, part := range partsOf(e) {
			_, after, ok := strings.Cut(rest, strings.TrimRight(part, "\r\n"))
			if !ok {
				t.Fatalf("%q isn't in the text, or not in this order", part)
			}
			rest = after
		}
		if again, ok := Cut(e.Text, o); ok {
			t.Fatalf("what was cut is cut again: %q", again.Text)
		}
	})
}

// partsOf are the parts between the markers.
func partsOf(e Excerpt) []string {
	var parts []string
	for _, line := range strings.SplitAfter(e.Text, "\n") {
		if strings.HasPrefix(line, "[... ") {
			parts = append(parts, "")
		} else if len(parts) == 0 {
			parts = []string{line}
		} else {
			parts[len(parts)-1] += line
		}
	}
	return parts
}

func TestSqueezeHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText.Draw(t, "text")
		got, left := Squeeze(text, nil)
		switch {
		case len(got) > len(text):
			t.Fatalf("%d bytes became %d: %q", len(text), len(got), got)
		case len(got) == len(text) && got != text:
			t.Fatalf("it is changed and no shorter: %q", got)
		case utf8.ValidString(text) && !utf8.ValidString(got):
			t.Fatalf("characters were cut: %q", got)
		case left == Squeezed{} && got != text:
			t.Fatalf("nothing was left out of %q, but it became %q", text, got)
		}
	})
}

// Patterns find what package regexp finds, line by line, whatever the machine does.
func TestFindsWhatRegexpFinds(t *testing.T) {
	sources := []string{`(?i)\berror\b`, `^panic: `, `fail(ed|ure)?s?`, `^\s+at `, `^=+ \d+ passed`, `^[ab]c`, `ab+c`, `(?:x|yz)+q1`, `^\w{2,}: no$`, `\bfoo$`, `[Ee]rr`, `a{3,}b`, `^aa`, `漢字`, `é+x`, `no\b.*\bway`, `(?i)^k\.s$`, `^\s*(?:✕|×) `, `é|[äö]b`}
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom(sources).Draw(t, "pattern")
		s, err := NewSnippets([]Group{{Name: "g", Patterns: []string{source}}}, free, free)
		if err != nil {
			t.Fatal(err)
		}
		e, _, err := parse(source, free)
		if err != nil {
			t.Fatal(err)
		}
		lines := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{"error", "Error: x", "terror", "panic: x", "a panic: ", "failed", "failure fails", "\tat a", "at a", "=== 12 passed", "== 1 passed", "bc", "ac", "xac", "abbbbc", "xyzxq1", "yzq1", "q1", "ab: no", "ab: no!", "a foo", "foo bar", "ERR", "Err", "aaab", "aaaab", "aab", "aaa", "漢字", "éx", "ééx", "ex", "no way", "way no", "now any way", "k.s", "K.S", "x K.S", "  ✕ b", "× ", "x ×", "äb", "öc", "é"}),
			rapid.StringMatching(`[a-c xyq1]{0,8}`),
		), 1, 12).Draw(t, "lines")
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		text := strings.Join(lines, eol)
		want := 0
		for _, line := range lines {
			if e.find(line) != nil {
				want++
			}
		}
		if got := find(text, 0, len(text), s, nil)[0].count; got != want {
			t.Fatalf("%d lines of %q match %s, want %d", got, text, source, want)
		}
	})
}

func free(int) {}
