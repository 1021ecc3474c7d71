package shell

import "testing"

// TestPathsOfCode is about programs that format, change and convert, which write a file only when they are told to.
func TestPathsOfCode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sd a b c.txt", "w c.txt"},
		{"prettier --check a.json", "r a.json"},
		{"prettier --write a.json", "r a.json, w a.json"},
		{"black --check a.py", "r a.py"},
		{"black a.py", "w a.py"},
		{"clang-format -i -style=file a.c", "r a.c, w a.c"},
		{"clang-format -style=file a.c", "r a.c"},
		{"gcc -O2 -o app main.c", "r main.c, w app"},
		{"pandoc --output=a.pdf a.md", "r a.md, w a.pdf"},
		{"crudini --set a.ini b c", "w a.ini"},
		{"crudini --get a.ini b c", "r a.ini"},
		{"jaq -i . a.json", "r a.json, w a.json"},
		{"gpg --output a -d a.gpg", "r a.gpg, w a"},
		{"iconv -f latin1 -o b a", "r a, w b"},
		{"git diff --output=a.patch", "w a.patch"},
	} {
		line := Parse(c.text, Options{})
		if got := showPaths(line.Commands[0].Paths()); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
