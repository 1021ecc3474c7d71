package shell

import (
	"errors"
	"slices"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{""}, "''"},
		{[]string{"a", "b c"}, "a 'b c'"},
		{[]string{"it's"}, `'it'\''s'`},
		{[]string{"$HOME", "`x`", "*", "~", "#", "!"}, "'$HOME' '`x`' '*' '~' '#' '!'"},
		{[]string{"a=b", "--a=b", "a.b=c"}, "'a=b' --a=b a.b=c"},
		{[]string{"if", "/bin/ls", "-l"}, "'if' /bin/ls -l"},
		{[]string{"a\nb", "\xff"}, "'a\nb' '\xff'"},
	} {
		got := Quote(c.words...)
		if got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.words, got, c.want)
		}
		if back, err := Split(got); err != nil || !slices.Equal(back, c.words) {
			t.Errorf("Split(%s) = %q, %v, want %q", got, back, err, c.words)
		}
	}
}

// TestQuoteParse checks that bash, too, gets the quoted words back.
func TestQuoteParse(t *testing.T) {
	words := []string{"rm", "-rf", "a b", "$x", "it's", `"`, `\`, "{a,b}", "*", "", "a=b", "#", "\n"}
	c := first(Quote(words...))
	got := []string{c.Path}
	for _, arg := range c.Args {
		got = append(got, arg.Text)
		if arg.Dynamic || arg.Glob {
			t.Errorf("%q isn't literal", arg.Text)
		}
	}
	if !slices.Equal(got, words) {
		t.Errorf("got %q, want %q", got, words)
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"  a\tb\nc ", []string{"a", "b", "c"}},
		{`a"b c"d 'e f' g\ h`, []string{"ab cd", "e f", "g h"}},
		{`"a\"b\$c\d" '\'`, []string{`a"b$c\d`, `\`}},
		{"a\\\nb \"c\\\nd\"", []string{"ab", "cd"}},
		{`a;b|c # d`, []string{"a;b|c", "#", "d"}},
		{`""`, []string{""}},
	} {
		if got, err := Split(c.text); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"a 'b", `a "b`, `a "b\`, `a \`} {
		var syntax *SyntaxError
		if _, err := Split("x\n" + text); !errors.As(err, &syntax) || syntax.Line != 2 || syntax.Column != 3 {
			t.Errorf("Split(%q): %v", text, err)
		}
	}
}
