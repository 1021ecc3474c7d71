package script

import (
	"strings"
	"testing"
)

// TestFlowBounds checks that what is too long, too deep or too much work is
// said to be so, and that what people write isn't.
func TestFlowBounds(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct {
		name    string
		read    func(string) Program
		source  string
		complex bool
	}{
		{"long", JavaScript, repeat(" ", maxSource+1), true},
		{"brackets", JavaScript, repeat("(", 200), true},
		{"templates", JavaScript, repeat("`${", 200), true},
		{"functions", JavaScript, repeat("function f(){", 200), true},
		{"arrows", JavaScript, repeat("x=>", 200), true},
		{"links", JavaScript, "a" + repeat(".b()", 600), true},
		{"code in code", JavaScript, "function f() { eval('f()') } f()", false},
		{"endless code", JavaScript, "x = 'eval(x)'; eval(x)", true},
		{"many calls", JavaScript, repeat("fs.rmSync(x);", 4500), true},
		{"long sum", JavaScript, "x = " + repeat("'a' + ", 9000) + "'b'", false},
		{"many elements", JavaScript, "x = [" + repeat("'a', ", 9000) + "]", false},
		{"many lines", JavaScript, repeat("console.log(`a ${b}`, [1, 2].map(x => x * 2));\n", 1000), false},
		{"many links, one after the other", JavaScript, repeat("a.b.c().d(e);\n", 3000), false},
		{"growing", JavaScript, "let x = ''; while (y) { x += 'a'; x = x + x }", false},
		{"long names of modules", JavaScript, "x = '" + repeat("a", 20_000) + "';" + repeat("require(x);", 3500), false},
		{"brackets", Perl, repeat("(", 1000), true},
		{"blocks", Perl, repeat("if (x) {", 1000), true},
		{"texts", Perl, repeat("\"@{[", 1000), true},
		{"endless code", Perl, "$x = 'eval $x'; eval $x", true},
		{"many lines", Perl, repeat("print join(',', map { $_ * 2 } @l), \"a $x\\n\";\n", 1000), false},
		{"growing", Perl, "my @x; while (1) { push @x, @x }", false},
		{"brackets", Ruby, repeat("[", 1000), true},
		{"blocks", Ruby, repeat("a do |x|\n", 1000), true},
		{"texts", Ruby, repeat("\"#{", 1000), true},
		{"sums", Ruby, repeat("1 - ", 2000) + "1", false},
		{"many lines", Ruby, repeat("puts \"a #{b}\", [1, 2].map { |x| x * 2 }\n", 1000), false},
		{"arguments", Ruby, "f " + repeat("a = 1, ", 60) + "b", false},
		{"brackets", PHP, repeat("[", 200), true},
		{"a function by its own name", PHP, "function A() {} define('A', 'A'); $f = 'A'; $f();", false},
		{"many lines", PHP, repeat("echo \"a $b\", implode(',', $c);\n", 1500), false},
	} {
		if got := c.read(c.source).TooComplex; got != c.complex {
			t.Errorf("%s: too complex %v", c.name, got)
		}
	}
}

// TestFlowFindsTheRest checks that what is deep or broken doesn't hide what
// stands before it, nor broken what stands after it.
func TestFlowFindsTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		read func(string) Program
		call string
	}{
		"javascript": {JavaScript, `fs.rmSync("/x");`}, "perl": {Perl, `unlink "/x";`},
		"ruby": {Ruby, `File.delete "/x";`}, "php": {PHP, `unlink("/x");`},
	} {
		for _, before := range []string{")", "]", "}", "))]]}}", "(]", "= ", "+ ;", "a b c;", ", ,;", "...;", "@;", "\\ ;", "% ;", "x =;", "if;", "&& ;", "?? :", "=> ;"} {
			if got := c.read(before + " " + c.call).Calls; len(got) != 1 || got[0].Args[0].Text != "/x" {
				t.Errorf("%s: %d calls behind %q", name, len(got), before)
			}
		}
		for _, after := range []string{strings.Repeat("(", 500), strings.Repeat("{", 500), "'", `"`, "`", "/*", "<<A", "(", "}"} {
			if got := c.read(c.call + "\n" + after).Calls; len(got) == 0 || got[0].Args[0].Text != "/x" {
				t.Errorf("%s: %d calls before %q", name, len(got), after)
			}
		}
	}
}

// TestFlowLines checks on which line a call is said to be.
func TestFlowLines(t *testing.T) {
	for name, c := range map[string]struct {
		read func(string) Program
		text string
		line int
	}{
		"javascript":            {JavaScript, "// a\n/* b\n*/ `c\n`;\nfs.rmSync('/x')", 5},
		"perl":                  {Perl, "=pod\n\n=cut\nprint <<A;\nb\nA\nunlink '/x'", 7},
		"perl, here-document":   {Perl, "print <<A;\n\n@{[unlink '/x']}\nA\n", 3},
		"ruby":                  {Ruby, "=begin\n\n=end\nputs <<~A\n b\nA\nFile.delete '/x'", 7},
		"php":                   {PHP, "a\nb <?php\n$x = <<<A\nb\nA;\nunlink('/x')", 6},
		"php, another text":     {PHP, "$x = <<<'A'\nb\nA;\n$y = 'c\n';\nunlink('/x')", 6},
		"javascript, in a text": {JavaScript, "\neval('\\n\\nfs.rmSync(\"/x\")')", 2},
	} {
		calls := c.read(c.text).Calls
		if len(calls) != 1 || calls[0].Line != c.line {
			t.Errorf("%s: %+v", name, calls)
		}
	}
}

// TestFlowParts checks that the parts of a text that aren't known are named.
func TestFlowParts(t *testing.T) {
	for name, c := range map[string]struct {
		read func(string) Program
		text string
		want string
	}{
		"javascript": {JavaScript, "child_process.exec(`rm ${a} $b ${c.d}/x ${e}`)", "${a} ${c_d} ${e}"},
		"perl":       {Perl, `system("rm $a \$b @c")`, "${a} ${c}"},
		"ruby":       {Ruby, `system("rm #{a} $b")`, "${a}"},
		"php":        {PHP, `system("rm $a " . $b['c'])`, "${a} ${b_c}"},
		"all":        {JavaScript, `child_process.exec(a.b)`, ""},
		"nothing":    {Perl, `system('rm $a')`, ""},
	} {
		calls := c.read(c.text).Calls
		if len(calls) != 1 || strings.Join(calls[0].Args[0].Parts, " ") != c.want {
			t.Errorf("%s: %+v", name, calls)
		}
	}
}
