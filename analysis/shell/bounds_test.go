package shell

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// ceiling is far beyond what a parse may take, even on a slow machine.
const ceiling = 3 * time.Second

func TestTooComplex(t *testing.T) {
	for _, c := range deepTexts {
		line, took := timed(c.text)
		if !line.TooComplex {
			t.Errorf("%s: isn't too complex: %v, %d commands", c.name, line.Err, len(line.Commands))
		}
		checkBounds(t, c.name, c.text, line)
		if took > ceiling {
			t.Errorf("%s took %v", c.name, took)
		}
	}
}

func timed(text string) (*Line, time.Duration) {
	start := time.Now()
	line := Parse(text, Options{Cwd: "/work", Home: "/home/me"})
	return line, time.Since(start)
}

// TestHostile checks that what stands for a lot is bounded, and that a line
// which is given up says so: whatever is left out, TooComplex or a dynamic
// command tells.
func TestHostile(t *testing.T) {
	for i, c := range hostileTexts {
		if testing.Short() && i%4 != 0 {
			continue
		}
		line, took := timed(c.text)
		checkBounds(t, c.name, c.text, line)
		if took > ceiling {
			t.Errorf("%s took %v", c.name, took)
		}
		if len(line.Commands) == 0 && !line.TooComplex && line.Err == nil && c.name != "conditions" {
			t.Errorf("%s: nothing is said", c.name)
		}
	}
}

// checkBounds checks that a line holds no more than was paid for.
func checkBounds(t *testing.T, name, text string, line *Line) {
	t.Helper()
	if len(line.Commands) > maxCommands {
		t.Errorf("%s: %d commands", name, len(line.Commands))
	}
	held := map[*byte]int{} // commands share the texts of words
	add := func(text string) {
		if start := unsafe.StringData(text); len(text) > held[start] {
			held[start] = len(text)
		}
	}
	words := 0
	for _, c := range line.Commands {
		if len(c.Via) > maxDepth+maxFrames {
			t.Errorf("%s: a command through %d others", name, len(c.Via))
		}
		words += 1 + len(c.Args) + len(c.Assignments) + len(c.Redirects)
		add(c.Dir.Text)
		for _, arg := range c.Args {
			add(arg.Text)
		}
		for _, a := range c.Assignments {
			add(a.Value.Text)
		}
		for _, r := range c.Redirects {
			add(r.Target.Text)
			add(r.Body)
		}
	}
	size := 0
	for _, n := range held {
		size += n
	}
	if most := 4*len(text) + 16*maxWork; size > most {
		t.Errorf("%s: %d bytes of words for %d of text", name, size, len(text))
	}
	if most := 4*len(text) + maxWork/4; words > most {
		t.Errorf("%s: %d words for %d bytes of text", name, words, len(text))
	}
}

// TestLinear checks that twice the text takes about twice the memory and is
// counted as about twice the work: what is copied again and again shows in
// that, without any clock.
func TestLinear(t *testing.T) {
	for _, shape := range longShapes {
		half, whole := shape.make(maxText/8), shape.make(maxText/4)
		small, smallWork, smaller := cost(half)
		large, largeWork, larger := cost(whole)
		if smaller.TooComplex || larger.TooComplex {
			continue // see TestPaidFor
		}
		if large > 3*small {
			t.Errorf("%s: %d KiB for %d KiB of text, %d KiB for %d KiB", shape.name, small>>10, len(half)>>10, large>>10, len(whole)>>10)
		}
		if largeWork > 3*smallWork {
			t.Errorf("%s: %d units of work for %d KiB of text, %d for %d KiB", shape.name, smallWork, len(half)>>10, largeWork, len(whole)>>10)
		}
	}
}

// TestPaidFor checks that what takes memory is counted as work, so that the
// bound of work is one of time and memory too.
func TestPaidFor(t *testing.T) {
	texts := slices.Concat(hostileTexts, deepTexts)
	for _, shape := range longShapes {
		texts = append(texts, struct{ name, text string }{shape.name, shape.make(maxText / 2)})
	}
	for i, c := range texts {
		if testing.Short() && i%4 != 0 {
			continue // the race detector is slow, and this isn't about races
		}
		bytes, work, line := cost(c.text)
		if most := uint64(3<<20 + 64*work); bytes > most {
			t.Errorf("%s: %d KiB for %d units of work, more than %d KiB", c.name, bytes>>10, work, most>>10)
		}
		if work > maxWork && !line.TooComplex {
			t.Errorf("%s: %d units of work, and isn't too complex", c.name, work)
		}
	}
}

// cost returns how many bytes a text takes and what is counted as work.
func cost(text string) (bytes uint64, work int, line *Line) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := walk(text, Options{Cwd: "/work", Home: "/home/me"})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, maxWork - w.work, w.line
}

// TestWithinBounds checks that what people write isn't refused.
func TestWithinBounds(t *testing.T) {
	repeat := strings.Repeat
	texts := []struct{ name, text string }{
		{"brackets in quotes", "echo '" + repeat("({[", 10_000) + "'"},
		{"brackets in a heredoc", "cat > x <<'E'\n" + repeat("({$(`\n", 5_000) + "E\n"},
		{"nested substitutions", repeat("echo $(", 100) + "x" + repeat(")", 100)},
		{"nested subshells", repeat("( ", 60) + "x" + repeat(")", 60)},
		{"long list", repeat("echo a && ", 5_000) + "b"},
		{"long pipeline", repeat("a|", 9_000) + "a"},
		{"many words", "rm " + repeat("x ", 30_000)},
		{"braces in a word", "echo " + repeat("{", 60_000)},
		{"nested braces", "echo " + repeat("{a,", 20_000)},
		{"quoted nesting", "bash -c 'bash -c \"bash -c ls\"'"},
		{"ten wrappers", repeat("sudo ", 10) + "rm"},
		{"many wrapped words", "sudo env rm " + repeat("x ", 30_000)},
		{"many assignments", "env " + repeat("A=1 ", 16_000) + "x"},
		{"many variables", strings.Join(each(0, 3_000, func(i int) string { return fmt.Sprintf("v%d=1\n", i) }), "") + "rm $v7"},
		{"many functions", strings.Join(each(0, 1_500, func(i int) string { return fmt.Sprintf("f%d() { rm $1; }\nf%d x\n", i, i) }), "")},
		{"a function called often", "f() { rm \"$1\"; }\n" + repeat("f x\n", 3_000)},
		{"a long script", "cat > x.sh <<'E'\n" + repeat("rm -rf /tmp/x\n", 2_000) + "E\nbash x.sh"},
		{"a long program", "python3 - <<'E'\n" + repeat("print('x')\n", 4_000) + "E\n"},
		{"loop over numbers", "for i in {1..100}; do echo $i; done"},
		{"loop in a loop", "for i in 1 2 3; do for j in a b c; do rm $i/$j; done; done"},
		{"long commit message", "git commit -m '" + repeat("it says rm -rf / ", 3_000) + "'"},
		{"appending", repeat("x+=' a'\n", 500) + "rm $x"},
	}
	for _, c := range texts {
		line, took := timed(c.text)
		if line.TooComplex || line.Err != nil || len(line.Commands) == 0 {
			t.Errorf("%s: too complex %v, error %v, %d commands", c.name, line.TooComplex, line.Err, len(line.Commands))
		}
		if took > ceiling {
			t.Errorf("%s took %v", c.name, took)
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
	if !slices.ContainsFunc(Parse("ls; rm x; (", Options{}).Commands, func(c *Command) bool { return c.Name == "rm" }) {
		t.Error("what stands before an error is lost")
	}
}
