package shell

import (
	"strings"
	"testing"
)

// readCases are texts that the parser alone wouldn't take, with what they run.
var readCases = []struct{ text, want string }{
	// A here-document ends with the text, or at the bracket behind its delimiter.
	{"sh <<E\nrm /x", "rm /x"},
	{"cat <<E\nrm /x", ""},
	{"cat <<-'E'\n\trm /x\n E ", ""},
	{"x=$(cat <<E\n/x\nE)\nrm $x", "rm /x"},
	{"cat <<A <<B\nx\nA\ny", ""},

	// Brackets that aren't arithmetic are a subshell's.
	{"echo $((rm /x; ls) | sort)", "rm /x; ls; sort"},
	{"((rm /x; ls) | sort)", "rm /x; ls; sort"},
	{"echo $((1+2)) $((ls -l) | wc)", "ls -l; wc"},

	// What stands in the brackets of an associative array is any text.
	{"declare -A a=([ARM 64-bit]=x [b c]='y z' [d]=1 [.net core]=2); rm \"${a[b c]}\"", `rm "y z"`},
	{"a[ARM 64]=$(rm /x); ls", "rm /x; ls"},
	{"declare -A a=([x y]=1); echo $((rm /x; ls) | sort)", "rm /x; ls; sort"},

	// zsh.
	{"rm *(.)", "rm *"},
	{"rm **/*.c(.N)", "rm **/*.c"},
	{"rm *.log(om[1,3])", "rm *.log"},
	{"rm x(a|b)", `rm "x(a|b)"`},
	{"diff =(rm /x) y", `rm /x; diff "=(rm /x)"* y`},
	{"echo ${(f)\"$(rm /x)\"}", "rm /x"},
	{"() { rm /x }", "rm /x"},
	{"function f g { rm /x }; g", "rm /x; rm /x"},
	{"rm *(e:'rm -rf /x':)", `rm -rf /x; rm "*(e:'rm -rf /x':)"*`},

	// The brackets of fish.
	{"echo (rm /x)", "rm /x"},
}

func TestSource(t *testing.T) {
	for _, c := range readCases {
		line := Parse(c.text, Options{Cwd: "/w"})
		if line.Err != nil {
			t.Errorf("%s: %v", c.text, line.Err)
		}
		if got := strings.ReplaceAll(showRuns(line), " in /w", ""); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", c.text, got, c.want)
		}
	}
}

// Positions are those of the text as it was given.
func TestSourcePositions(t *testing.T) {
	line := Parse("x=$((ls; ls) | wc)\nx=$(cat <<E\n/x\nE); rm $x", Options{})
	last := line.Commands[len(line.Commands)-1]
	if line.Err != nil || last.Name != "rm" || last.Line != 4 || last.Column != 5 {
		t.Errorf("%v, %s at %d:%d", line.Err, last.Name, last.Line, last.Column)
	}
	if pipe := line.Commands[2]; pipe.Name != "wc" || pipe.Line != 1 || pipe.Column != 16 {
		t.Errorf("%s at %d:%d", pipe.Name, pipe.Line, pipe.Column)
	}
}

// What no shell takes stays an error.
func TestSourceErrors(t *testing.T) {
	for _, text := range []string{"echo 'x", "ls )", "if true; then ls", "echo $(", "((", "$((", "cat <<E | (", "echo ((((((((((", "for x in a; do ls", "x=$(cat <<E\na", "bash -c 'echo (a)'"} {
		if line := Parse(text, Options{}); line.Err == nil {
			t.Errorf("%s: no error: %s", text, show(line))
		}
	}
}
