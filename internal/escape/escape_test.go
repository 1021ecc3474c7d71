package escape

import (
	"strings"
	"testing"
)

func TestStripWritten(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		`{"a":"\u001b[31mred\u001b[0m"}`:     `{"a":"red"}`,
		`{"a":"\\u001b[31mred\\u001B[0m"}`:   `{"a":"red"}`,
		`a\x1b[1;31mb\x1b[Kc\x1b[m`:          "abc",
		`a\033[0mb\e[38;5;10mc\E[0m`:         "abc",
		"a^[[0mb␛[0mc":                       "abc",
		`\u{1b}[0m\e[0m\e[0m`:                "",
		`^[[:space:]]m`:                      `^[[:space:]]m`,
		`^[[0-9]m`:                           `^[[0-9]m`,
		`x[0m e[0m 033[0m \n[0m u001b[0m [m`: `x[0m e[0m 033[0m \n[0m u001b[0m [m`,
		`\e[2J \e]0;t\a`:                     `\e[2J \e]0;t\a`, // no colours
		`\e[`:                                `\e[`,
		`[[[[\e[0`:                           `[[[[\e[0`,
	} {
		got, found := StripWritten(text)
		if got != want || found != 0 != (text != want) {
			t.Errorf("%q: got %q (%d), want %q", text, got, found, want)
		}
	}
}

func FuzzStrip(f *testing.F) {
	for _, text := range []string{"\x1b[31mred\x1b[0m", `\u001b[0m`, "^[[0m", "\x1b]8;;x\x1b\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for what, strip := range map[string]func(string) (string, int){"Strip": Strip, "StripWritten": StripWritten} {
			got, found := strip(text)
			if found == 0 && got != text || found > 0 && len(got) >= len(text) || found < 0 {
				t.Errorf("%s of %q: %q, %d", what, text, got, found)
			}
			rest := text // the result is the text with pieces left out
			for i := range len(got) {
				at := strings.IndexByte(rest, got[i])
				if at < 0 {
					t.Fatalf("%s of %q: %q", what, text, got)
				}
				rest = rest[at+1:]
			}
		}
	})
}
