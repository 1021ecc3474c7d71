package sourceline

import (
	"strings"
	"testing"
)

func TestMarked(t *testing.T) {
	for _, test := range []struct {
		name, text     string
		number, column int
		want           string
	}{
		{"at its beginning", "x = nil", 3, 1, "  3 | x = nil\n    | ^"},
		{"in the middle", "x = nil", 12, 5, " 12 | x = nil\n    |     ^"},
		{"behind its end", "x = nil", 1, 99, "  1 | x = nil\n    |        ^"},
		{"before its beginning", "x", 1, -4, "  1 | x\n    | ^"},
		{"a line of four digits", "x", 1234, 1, "1234 | x\n     | ^"},
		{"tabs", "\t\tx", 1, 3, "  1 | →→x\n    |   ^"},
		{"wide and combining characters", "日a\u0301x", 1, 4, "  1 | 日a\u0301x\n    |    ^"},
		{"escapes of a terminal", "\x1b[2Jx", 1, 5, "  1 | \uFFFD[2Jx\n    |     ^"},
		{"nothing", "", 1, 1, "  1 | \n    | ^"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Marked(test.text, test.number, test.column); got != test.want {
				t.Errorf("\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// However long a line is, what is shown of it is short, and the mark stands in it.
func FuzzMarked(f *testing.F) {
	f.Add("x = 1", 1, 3)
	f.Add(strings.Repeat("x日\t", 200), 99, 300)
	f.Fuzz(func(t *testing.T, text string, number, column int) {
		if strings.ContainsAny(text, "\n\r") || number < 0 {
			t.Skip("a line has no line break, and a number")
		}
		line, mark, ok := strings.Cut(Marked(text, number, column), "\n")
		if !ok || strings.Contains(mark, "\n") || !strings.HasSuffix(mark, "^") || len([]rune(line)) > maxShown+40 {
			t.Errorf("%q at %d: %q, %q", text, column, line, mark)
		}
	})
}
