package shell

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestTooComplex(t *testing.T) {
	repeat := strings.Repeat
	deep := "x"
	for range 40 {
		deep = "bash -c " + Quote(deep)
		if len(deep) > maxText {
			break
		}
	}
	braces := "echo " + repeat("{a,b}", 9) + " "
	for name, text := range map[string]string{
		"text":            "echo " + repeat("x", maxText),
		"commands":        repeat("a;", maxCommands+1),
		"parens":          repeat("(", 30_000),
		"far parens":      repeat("(", 100_000),
		"blocks":          repeat("{ ", 30_000),
		"substitutions":   repeat("$(", 30_000),
		"hidden":          repeat("$(')'", 10_000),
		"double quotes":   repeat(`"$(`, 20_000),
		"arithmetic":      repeat("$((", 20_000),
		"negation":        "((" + repeat("- ", 30_000) + "1))",
		"ifs":             repeat("if ", 20_000),
		"functions":       repeat("f() ", 16_000),
		"parameters":      "echo " + repeat("${x:-", 10_000),
		"subscripts":      repeat("x[", 30_000),
		"wrappers":        repeat("sudo ", 5_000) + "rm",
		"times":           repeat("time -p ", 5_000) + "rm",
		"evals":           repeat("eval ", 5_000) + "rm",
		"env -S":          repeat("env -S env ", 5_000) + "rm",
		"nested text":     deep,
		"brace expansion": repeat(braces, 120),
		"short braces":    repeat("a {1..1000};", 100),
		"wrapped words":   repeat("sudo ", 30) + repeat("x ", 30_000),
		"patterns":        repeat("echo @($(", 3_000) + "x" + repeat("))", 3_000),
		"long pipeline":   repeat("a|", 20_000) + "a",
	} {
		start := time.Now()
		line := Parse(text, Options{})
		if !line.TooComplex {
			t.Errorf("%s: isn't too complex: %v, %d commands", name, line.Err, len(line.Commands))
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if len(line.Commands) > maxCommands {
			t.Errorf("%s: %d commands", name, len(line.Commands))
		}
	}
}

// TestWithinBounds checks that what people write isn't refused.
func TestWithinBounds(t *testing.T) {
	repeat := strings.Repeat
	for name, text := range map[string]string{
		"brackets in quotes":    "echo '" + repeat("({[", 10_000) + "'",
		"brackets in a heredoc": "cat > x <<'E'\n" + repeat("({$(`\n", 5_000) + "E\n",
		"nested substitutions":  repeat("echo $(", 100) + "x" + repeat(")", 100),
		"nested subshells":      repeat("( ", 60) + "x" + repeat(")", 60),
		"long list":             repeat("echo a && ", 5_000) + "b",
		"long pipeline":         repeat("a|", 9_000) + "a",
		"many words":            "rm " + repeat("x ", 30_000),
		"braces in a word":      "echo " + repeat("{", 60_000),
		"nested braces":         "echo " + repeat("{a,", 20_000),
		"quoted nesting":        "bash -c 'bash -c \"bash -c ls\"'",
		"ten wrappers":          repeat("sudo ", 10) + "rm",
		"many wrapped words":    "sudo env rm " + repeat("x ", 30_000),
		"many assignments":      "env " + repeat("A=1 ", 16_000) + "x",
	} {
		start := time.Now()
		line := Parse(text, Options{})
		if line.TooComplex || line.Err != nil || len(line.Commands) == 0 {
			t.Errorf("%s: too complex %v, error %v, %d commands", name, line.TooComplex, line.Err, len(line.Commands))
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestSyntaxError(t *testing.T) {
	for _, c := range []struct{ text, want, commands string }{
		{"rm -rf 'x", "1:8", "error"},
		{"ls\nrm x\n(", "3:1", "ls; rm x; error"},
		{"if x; then", "1:7", "error"},
		{"a; bash -c '(('; b", "1:12", `a; bash -c ((; b; error`},
	} {
		line := Parse(c.text, Options{})
		var syntax *SyntaxError
		if !errors.As(line.Err, &syntax) {
			t.Errorf("%q: error %v", c.text, line.Err)
			continue
		}
		if got := fmt.Sprintf("%d:%d", syntax.Line, syntax.Column); got != c.want {
			t.Errorf("%q: error %v at %s, want %s", c.text, syntax, got, c.want)
		}
		if got := show(line); got != c.commands {
			t.Errorf("%q: %s, want %s", c.text, got, c.commands)
		}
	}
}
