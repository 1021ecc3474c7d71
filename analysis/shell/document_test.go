package shell

import (
	"fmt"
	"testing"
)

// TestHereDocument has the lines that a one-line table can't hold.
func TestHereDocument(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"cat <<E\nrm -rf /\nE\n", `cat <<E"rm -rf /\n"`},
		{"cat > x <<'E'\n$(rm x) \\$\nE\n", `cat >x <<E"$(rm x) \\$\n"`},
		{"cat <<E\na $(rm x) \\$(rm y) $Z\nE\n", `$() > rm x @substitution; cat <<E"a $(rm x) $(rm y) $Z\n"`},
		{"cat <<-E\n\t\ta\n\tE\n", `cat <<-E"a\n"`},
		{"cat <<\\E\n`rm x`\nE\nls", "cat <<E\"`rm x`\\n\"; ls"},
		{"bash <<E\nrm x\nE\n", `bash <<E"rm x\n"; bash < > rm x`},
		{"sudo sh -s <<'E'\nrm $X\nE\n", `sudo sh -s <<E"rm $X\n"; sudo > sh -s <<E"rm $X\n"; sudo > sh < > rm $X*`},
		{"bash <<E\nrm $X\nE\n", `bash <<E"rm $X\n"; bash < > ?rm $X` + "\n" + `; bash < > rm $X*`},
		{"cat <<E | sh\nrm x\nE\n", `cat <<E"rm x\n" @pipe; sh @pipe; sh < > rm x @pipe`},
		{"bash script <<E\nrm x\nE\n", `bash script <<E"rm x\n"`},
		{"git commit -F - <<E\nrm -rf /\nE\n", `git commit -F - <<E"rm -rf /\n"`},
		{"git commit -m \"$(cat <<'E'\nrm -rf / $(x)\nE\n)\"", "$() > cat <<E\"rm -rf / $(x)\\n\" @substitution; git commit -m \"rm -rf / $(x)\""},
		{"r\\\nm x", "rm x"},
		{"echo a \\\n  b # c\nls", "echo a b; ls"},
	} {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPosition(t *testing.T) {
	line := Parse("ls |\n  sudo rm x; bash -c 'a\nb'", Options{})
	var got string
	for _, c := range line.Commands {
		got += fmt.Sprintf("%s %d:%d pipe %d\n", c.Name, c.Line, c.Column, c.Pipe)
	}
	want := "ls 1:1 pipe 1\nsudo 2:3 pipe 1\nrm 2:8 pipe 1\nbash 2:14 pipe 0\na 2:22 pipe 0\nb 2:22 pipe 0\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		text string
		want Word
	}{
		{"a", Word{Text: "a"}},
		{`\a`, Word{Text: "a", Quoted: true}},
		{`"a"`, Word{Text: "a", Quoted: true}},
		{`a''`, Word{Text: "a", Quoted: true}},
		{`a$B`, Word{Text: "a$B", Dynamic: true}},
		{`"$B"*`, Word{Text: "$B*", Dynamic: true, Quoted: true, Glob: true}},
		{`'*'`, Word{Text: "*", Quoted: true}},
		{`\*?`, Word{Text: "*?", Quoted: true, Glob: true}},
		{`[`, Word{Text: "["}},
		{`[]`, Word{Text: "[]"}},
		{`["ab"]`, Word{Text: "[ab]", Quoted: true, Glob: true}},
		{`~`, Word{Text: "~", Home: true}},
		{`~/a`, Word{Text: "~/a", Home: true}},
		{`~bob/a`, Word{Text: "~bob/a", Home: true}},
		{`"~"/a`, Word{Text: "~/a", Quoted: true}},
		{`a/~`, Word{Text: "a/~"}},
		{`!(a)`, Word{Text: "!(a)", Glob: true}},
		{`$'\u00e9\xff\e[0m\cA\q'`, Word{Text: "é\xff\x1b[0m\x01\\q", Quoted: true}},
	} {
		got := first("x " + c.text).Args[0]
		if got.lead, got.temporary = "", false; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}
