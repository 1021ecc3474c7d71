package script

import (
	"strings"
	"testing"
)

// TestBounds checks that what is too long or too deep is said to be so, and
// that what people write isn't.
func TestBounds(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct {
		name    string
		read    func(string) Program
		source  string
		complex bool
	}{
		{"long", Python, repeat("#", maxSource+1), true},
		{"brackets", Python, repeat("(", 200), true},
		{"signs", Python, repeat("- ", 500) + "1", true},
		{"blocks", Python, repeat("if x:", 500), true},
		{"dots", Python, "a" + repeat(".b", 2000), true},
		{"code in code", Python, "def f():\n  exec('f()')\nf()", false},
		{"endless code", Python, "x = 'exec(x)'\nexec(x)", true},
		{"calls", Python, repeat("f()\n", 20) + "def f():\n  f()\n", false},
		{"exponential calls", Python, doubling(40), false},
		{"many effects", Python, repeat("open('a', 'w')\n", 2000), true},
		{"long sum", Python, "x = " + repeat("'a' + ", 9000) + "'b'", false},
		{"long text", Python, "x = '''" + repeat("a\n", 30_000) + "'''", false},
		{"many lines", Python, repeat("print(f'{x}', 1)\n", 3000), false},
		{"growing list", Python, "x = []\n" + repeat("x.append('a')\n", 3000), false},
		{"long", Awk, repeat("#", maxSource+1), true},
		{"brackets", Awk, repeat("(", 200), true},
		{"open expressions", Awk, repeat("/[", 200), true},
		{"made of itself", Awk, "BEGIN { a = a a; system(a) }", false},
		{"many lines", Awk, repeat("/x/ { print $1 }\n", 3000), false},
	} {
		if got := c.read(c.source).TooComplex; got != c.complex {
			t.Errorf("%s: too complex %v", c.name, got)
		}
	}
}

// doubling returns n functions, each of which calls the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		f := repeatName(i)
		b.WriteString("def " + f + "():\n  " + f + "x()\n  " + f + "x()\n")
	}
	return b.String() + "f()\n"
}

func repeatName(n int) string { return "f" + strings.Repeat("x", n) }

// TestWorkIsBounded checks that a program whose texts and lists grow and grow is given up.
func TestWorkIsBounded(t *testing.T) {
	program := "x = ['a']\n" + strings.Repeat("x = x + x\n", 40) + "import subprocess\nsubprocess.run(x)"
	if !Python(program).TooComplex {
		t.Error("the work on a list that grows has no bound")
	}
}
