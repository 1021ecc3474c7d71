package sql

import (
	"fmt"
	"strings"
	"testing"
)

// codeCases are pieces of code with their tokens, as showTokens writes them.
var codeCases = []struct {
	dialect    Dialect
	text, want string
}{
	// Words and what stands in names.
	{Unknown, "Drop table_1 v$session a#b a@b naïve 語", "w:Drop w:table_1 w:v$session w:a#b w:a@b w:naïve w:語"},
	{Unknown, "db.2024_log a.b.* .x a..b", "w:db m:. w:2024_log w:a m:. w:b m:. m:* m:. w:x w:a m:. m:. w:b"},
	{Unknown, "a!=b a/b x?y a//b", "w:a m:! m:= w:b w:a m:/ w:b w:x m:? w:y w:a m:/ m:/ w:b"},
	{Unknown, "SELECT.5DROP FROM.x select.@x my.select.5", "w:SELECT m:. n:5 w:DROP w:FROM m:. w:x w:select m:. p:@x w:my m:. w:select m:. w:5"},
	{Unknown, "#t $x", "m:# w:t m:$ w:x"},
	{SQLServer, "#t ##t $x $1 $", "w:#t w:##t w:$x p:$1 m:$"},
	{Unknown, "1$ DROP TABLE x; $a$", "n:1 m:$ w:DROP w:TABLE w:x ; m:$ w:a$"},

	// Numbers.
	{Unknown, "1 1.5 1. .5 1e5 1e-5 1E+5", "n:1 n:1.5 n:1. m:. n:5 n:1e5 n:1e-5 n:1E+5"},
	{Unknown, "0x1F 0XfG 017 018 089 0", "n:0x1F n:0Xf w:G n:017 n:01 n:8 n:089 n:0"},
	{Unknown, "-1 +.5 a-1 a - 1 a-b -0x1", "n:-1 n:+.5 w:a n:-1 w:a m:- n:1 w:a m:- w:b n:-0 w:x1"},
	{Unknown, "1_000 1DROP 01ELSE", "n:1 w:_000 n:1 w:DROP n:01 w:ELSE"},

	// Parameters.
	{Unknown, "$1 $12x ? ?1 @x @1 @@y @ @@", "p:$1 p:$12 w:x m:? m:? n:1 p:@x p:@1 p:@@y m:@ m:@@"},
	{Unknown, "=? =@x a=?,b >@x", "m:= m:? m:= p:@x w:a m:= m:? m:, w:b m:>@ w:x"},
	{Unknown, ":x ::int :=1", "m:: w:x m::: w:int m::= n:1"},
	{Oracle, ":x :1 =:x", "p::x p::1 m:=: w:x"},
	{Unknown, "@éDROP TABLE x", "p:@\xc3 m:\xa9 w:DROP w:TABLE w:x"},

	// Operators and punctuation marks.
	{Unknown, "->> -> #>> #> #- ?| ?& <@ @> @?", "m:->> m:-> m:#>> m:#> m:#- m:?| m:?& m:<@ m:@> m:@?"},
	{Unknown, "<=> || != <> && !~* ~ ^ % =*", "m:<=> m:|| m:!= m:<> m:&& m:!~* m:~ m:^ m:% m:=*"},
	{Unknown, "->-> #>># *,*** a=-1", "m:-> m:-> m:#>> m:# m:* m:, m:* m:* m:* w:a m:=- n:1"},
	{Unknown, "(a,b);[c]}", "m:( w:a m:, w:b m:) ; m:[ w:c m:] m:}"},
	{Unknown, "%s {x", "m:% w:s m:{ w:x"},

	// What has no meaning.
	{Unknown, "DROP\fTABLE\v\t\r\nx", "w:DROP w:TABLE w:x"},
	{Unknown, "a\u00a0b \xff\xc3x ½ \\ ` \x01", "w:a m:\u00a0 w:b m:\xff m:\xc3 w:x m:½ m:\\ m:` m:\x01"},
}

func TestCode(t *testing.T) {
	for _, c := range codeCases {
		if got := showTokens(codeTokens(c.text, c.dialect)); got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.dialect, c.text, got, c.want)
		}
	}
}

// FuzzCode holds that every byte of code that isn't blank is in just one token.
func FuzzCode(f *testing.F) {
	for _, c := range codeCases {
		f.Add(c.text, string(c.dialect))
	}
	f.Fuzz(func(t *testing.T, text, dialect string) {
		at := 0
		for _, token := range codeTokens(text, Dialect(dialect)) {
			part := token.text
			if token.kind == end {
				part = ";"
			}
			if token.at < at || strings.Trim(text[at:token.at], " \t\n\v\f\r") != "" || part == "" || !strings.HasPrefix(text[token.at:], part) {
				t.Fatalf("%q: %+v behind %d", text, token, at)
			}
			if token.kind == word && token.upper != strings.ToUpper(part) {
				t.Fatalf("%q: %+v", text, token)
			}
			at = token.at + len(part)
		}
		if strings.Trim(text[at:], " \t\n\v\f\r") != "" {
			t.Fatalf("%q: nothing behind %d", text, at)
		}
	})
}

// codeTokens lexes a text as if it had neither strings nor comments in it.
func codeTokens(text string, dialect Dialect) []token {
	s := &scanner{dialect: dialect, text: text}
	s.code(0, len(text))
	return s.tokens
}

// showTokens writes tokens with the first letter of their kind; ";" is an end.
func showTokens(tokens []token) string {
	var all []string
	for _, t := range tokens {
		switch letters := map[kind]string{mark: "m", word: "w", number: "n", parameter: "p"}; t.kind {
		case end:
			all = append(all, ";")
		default:
			all = append(all, fmt.Sprintf("%s:%s", letters[t.kind], t.text))
		}
	}
	return strings.Join(all, " ")
}
