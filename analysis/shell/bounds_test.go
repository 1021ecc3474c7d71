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
		if most := uint64(3<<20 + 64*work); bytes > most && !raceDetector {
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
		{"appending to a file", ": > x.sh\n" + repeat("echo 'rm -rf build' >> x.sh\n", 2_000) + "sh x.sh"},
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

// deepTexts go beyond one of the bounds, whatever is known about what they say.
var deepTexts = []struct{ name, text string }{
	{"text", "echo " + strings.Repeat("x", maxText)},
	{"commands", strings.Repeat("a;", maxCommands+1)},
	{"parens", strings.Repeat("(", 30_000)},
	{"some parens", strings.Repeat("( ", 1_500) + "x" + strings.Repeat(")", 1_500)},
	{"far parens", strings.Repeat("(", 100_000)},
	{"blocks", strings.Repeat("{ ", 30_000)},
	{"substitutions", strings.Repeat("$(", 30_000)},
	{"substitutions in words", strings.Repeat("echo $(", 9_000)},
	{"hidden", strings.Repeat("$(')'", 10_000)},
	{"double quotes", strings.Repeat(`"$(`, 20_000)},
	{"arithmetic", strings.Repeat("$((", 20_000)},
	{"negation", "((" + strings.Repeat("- ", 30_000) + "1))"},
	{"brackets in arithmetic", "echo $((" + strings.Repeat("(", 30_000)},
	{"ifs", strings.Repeat("if ", 20_000)},
	{"loops", strings.Repeat("for i in a; do ", 4_000)},
	{"whiles", strings.Repeat("while ", 10_000)},
	{"cases", strings.Repeat("case x in x) ", 5_000)},
	{"functions", strings.Repeat("f() ", 16_000)},
	{"function bodies", strings.Repeat("f() { ", 10_000)},
	{"parameters", "echo " + strings.Repeat("${x:-", 10_000)},
	{"subscripts", strings.Repeat("x[", 30_000)},
	{"process substitutions", strings.Repeat("cat <(", 9_000)},
	{"here-documents in substitutions", strings.Repeat("cat <<E\n$(", 5_000)},
	{"wrappers", strings.Repeat("sudo ", 5_000) + "rm"},
	{"some wrappers", strings.Repeat("sudo ", maxDepth+2) + "rm"},
	{"times", strings.Repeat("time -p ", 5_000) + "rm"},
	{"evals", strings.Repeat("eval ", 5_000) + "rm"},
	{"env -S", strings.Repeat("env -S env ", 5_000) + "rm"},
	{"mixed wrappers", strings.Repeat("sudo env nice eval command ", 2_000) + "rm"},
	{"xargs", strings.Repeat("xargs ", 5_000) + "rm"},
	{"nested text", strings.Join(each(1, 40, func(i int) string { return fmt.Sprintf("bash <<'E%d'\n", i) }), "") + "rm x\n" +
		strings.Join(each(1, 40, func(i int) string { return fmt.Sprintf("E%d\n", 41-i) }), "")},
	{"brace expansion", strings.Repeat("echo "+strings.Repeat("{a,b}", 9)+" ", 120)},
	{"short braces", strings.Repeat("a {1..1000};", 100)},
	{"wrapped words", strings.Repeat("sudo ", 30) + strings.Repeat("x ", 30_000)},
	{"patterns", strings.Repeat("echo @($(", 3_000) + "x" + strings.Repeat("))", 3_000)},
	{"long pipeline", strings.Repeat("a|", 20_000) + "a"},
}

// tower puts text into a shell's text, so many times or until it is too long.
func tower(text string, levels int) string {
	for range levels {
		next := "bash -c " + Quote(text)
		if len(next) > maxText {
			break
		}
		text = next
	}
	return text
}

// hostileTexts are short or shallow and stand for a lot. Reading them must
// end soon, either with all that they run or with TooComplex.
var hostileTexts = []struct{ name, text string }{
	{"fork bomb", ":(){ :|:& };:"},
	{"recursion", "f() { f; }; f"},
	{"recursion with arguments", `f() { f "$@" "$@"; }; f a`},
	{"mutual recursion", "f() { g; g; }; g() { f; f; }; f"},
	{"functions doubling", doubling("f%d() { f%d; f%[2]d; }\n", 40) + "f40"},
	{"functions doubling in pipes", doubling("f%d() { f%d | f%[2]d; }\n", 40) + "f40"},
	{"functions doubling in substitutions", doubling("f%d() { echo $(f%d)$(f%[2]d); }\n", 40) + "f40"},
	{"functions tenfold", strings.Join(each(1, 9, func(i int) string {
		return fmt.Sprintf("f%d() { %s}\n", i, strings.Repeat(fmt.Sprintf("f%d; ", i-1), 10))
	}), "") + "f9"},
	{"functions with branches", doubling("f%d() { if x; then f%d a; else f%[2]d b; fi; }\n", 40) + "f40 c"},
	{"functions in loops", doubling("f%d() { for i in 1 2 3 4 5 6 7 8; do f%d; done; }\n", 20) + "f20"},
	{"arguments doubling", doubling("f%d() { f%d \"$@\" \"$@\"; }\n", 40) + "f40 a"},
	{"functions defining functions", strings.Repeat("f() { ", 400) + "f" + strings.Repeat("; }; f", 400)},
	{"loops in loops", strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do ", 20) + "rm $i" + strings.Repeat("; done", 20)},
	{"counting loops in loops", strings.Repeat("for ((i=0;i<1000000;i++)); do ", 20) + "rm $i" + strings.Repeat("; done", 20)},
	{"loops over braces", "for i in {1..1000}; do for j in {1..1000}; do for k in {1..1000}; do rm $i$j$k; done; done; done"},
	{"long loop of loops", "for i in {1..1000}; do " + strings.Repeat("for j in {1..1000}; do rm $j; done; ", 50) + "done"},
	{"endless loop", "while true; do a+=x; rm $a; done"},
	{"loop that grows", "a=x; for i in {1..64}; do a=$a$a; done; rm $a"},
	{"nested loops that grow", "a=x; for i in {1..64}; do for j in {1..64}; do a=$a$a; b=$a$i$j; done; done; rm $a $b"},
	{"variables doubling", "a=xx; " + strings.Repeat("a=$a$a; ", 60) + "rm $a"},
	{"two variables doubling", "a=xx b=y; " + strings.Repeat("a=$a$b b=$a$b; ", 60) + "rm $a $b"},
	{"appending to itself", "a=xx; " + strings.Repeat("a+=$a; ", 60) + "rm $a"},
	{"exported doubling", "export a=xx; " + strings.Repeat("export a=$a$a; ", 60) + "bash -c 'rm $a'"},
	{"array doubling", "r=(x y); " + strings.Repeat(`r=("${r[@]}" "${r[@]}"); `, 60) + `rm "${r[@]}"`},
	{"array growing", "r=(x y); " + strings.Repeat(`r+=("${r[@]}"); `, 60) + `rm "${r[@]}"`},
	{"far array element", "r[999999999999]=x; rm ${r[@]} ${#r[@]}"},
	{"parameters doubling", "set -- x y; " + strings.Repeat(`set -- "$@" "$@"; `, 60) + `rm "$@"`},
	{"replacement growing", "a=xxxx; " + strings.Repeat("a=${a//x/xxxx}; ", 40) + "rm $a"},
	{"patterns that backtrack", "a=" + strings.Repeat("x", 20_000) + "; echo ${a##" + strings.Repeat("*x", 2_000) + "y} ${a//*x*x*x*x*y/z}"},
	{"extended patterns that backtrack", "shopt -s extglob; a=" + strings.Repeat("x", 5_000) + "; echo ${a##+(+(+(x)))y} ${a//*(*(x))y/z}"},
	{"lists in patterns", "a=" + strings.Repeat("x", 30_000) + "; echo " + strings.Repeat("${a//x/y} ", 1_000)},
	{"case of patterns", "a=" + strings.Repeat("x", 20_000) + "; case $a in " + strings.Repeat("*x*x*y) rm;; ", 2_000) + "esac"},
	{"long variable used often", "a='" + strings.Repeat("x ", 15_000) + "'; rm " + strings.Repeat("$a ", 8_000)},
	{"long variable in commands", "a=" + strings.Repeat("x", 30_000) + "; " + strings.Repeat("rm $a;", 5_000)},
	{"long variable assigned", "a=" + strings.Repeat("x", 30_000) + "; " + strings.Repeat("b=$a$a;", 4_000)},
	{"long text evaluated", "a='" + strings.Repeat("rm x;", 6_000) + "'; " + strings.Repeat(`eval "$a";`, 3_000)},
	{"long text in loops", "a='" + strings.Repeat("rm x;", 6_000) + "'; for i in {1..1000}; do bash -c \"$a\"; done"},
	{"words of a variable", "a='" + strings.Repeat("x ", 10_000) + "'; for i in $a; do for j in $a; do rm $i $j; done; done"},
	{"assignments in branches", strings.Repeat("if x; then a=1; else a=2; fi; ", 40) + "rm $a"},
	{"choices multiply", strings.Join(each(0, 30, func(i int) string { return fmt.Sprintf("if x; then v%d=a; else v%d=b; fi; ", i, i) }), "") +
		"rm " + strings.Join(each(0, 30, func(i int) string { return fmt.Sprintf("$v%d", i) }), "")},
	{"choices of names", strings.Repeat("case x in a) p=rm$p;; b) p=ls$p;; c) p=cat$p;; esac; ", 40) + "$p x"},
	{"choices of folders", strings.Repeat("if x; then cd a; else cd b; fi; ", 60) + "rm x"},
	{"deeper folders", "d=x; " + strings.Repeat("d=$d/$d; cd $d; rm y; ", 40)},
	{"long folders", strings.Repeat("cd "+strings.Repeat("x/", 200)+"; rm y; ", 150)},
	{"folders in a loop", "for i in {1..1000}; do cd xxxxxxxxxxxxxxxx; rm y; done"},
	{"pushed folders", strings.Repeat("pushd "+strings.Repeat("x/", 100)+"; ", 300) + "rm x"},
	{"braces twice", "echo " + strings.Repeat("{a,b}", 60)},
	{"braces in a list", strings.Repeat("echo "+strings.Repeat("{a,b}", 10)+"; ", 500)},
	{"braces of sequences", "echo {1..1000}{1..1000}{1..1000}"},
	{"nested braces", "echo " + strings.Repeat("{a,", 20_000) + strings.Repeat("}", 20_000)},
	{"nested braces of two", "echo " + strings.Repeat("{a,b", 60) + strings.Repeat("}", 60)},
	{"long words in braces", "echo {" + strings.Repeat("a,", 1_000) + "}" + strings.Repeat("x", 50_000)},
	{"sequences of all sizes", "echo {-9223372036854775808..9223372036854775807} {1..9223372036854775807..1}"},
	{"padded sequence", "echo {" + strings.Repeat("0", 60_000) + "1..900}"},
	{"aliases doubling", "shopt -s expand_aliases\n" + doubling("alias a%d='a%d; a%[2]d '\n", 40) + "a40"},
	{"alias of itself", "shopt -s expand_aliases\nalias a='a; a'\na"},
	{"aliases in a circle", "shopt -s expand_aliases\nalias a='b ' b='a '\na b a b"},
	{"long alias", "shopt -s expand_aliases\nalias a='" + strings.Repeat("rm x;", 5_000) + "'\n" + strings.Repeat("a\n", 10_000)},
	{"script that runs itself", "echo 'sh x; sh x' > x; sh x"},
	{"scripts that run each other", "echo 'sh y; sh y' > x; echo 'sh x; sh x' > y; sh x"},
	{"scripts doubling", strings.Join(each(1, 40, func(i int) string { return fmt.Sprintf("echo '. ./s%d; . ./s%d' > s%d\n", i-1, i-1, i) }), "") + ". ./s40"},
	{"file doubling", "echo 'rm x' > a; " + strings.Repeat("cat a a > b; cat b b > a; ", 60) + "sh a"},
	{"file appended to itself", "echo 'rm x' > a; " + strings.Repeat("cat a >> a; ", 60) + "sh a"},
	{"evals doubling", "x='rm x'; " + strings.Repeat(`x="$x; $x"; `, 60) + `eval "$x"`},
	{"eval of itself", `x='eval "$x"; eval "$x"'; eval "$x"`},
	{"eval tower", strings.Repeat("eval ", 31) + "rm x"},
	{"quoted tower", tower("rm x", 14)},
	{"bash tower of variables", "export x='bash -c \"$x\"; bash -c \"$x\"'; bash -c \"$x\""},
	{"trap in trap", "trap 'trap \"rm x\" EXIT; bash -c \"$0\"' EXIT"},
	{"traps in a loop", "for i in {1..1000}; do trap 'for j in {1..1000}; do rm x; done' EXIT; done"},
	{"here-documents in a row", strings.Repeat("cat <<A <<B <<C\nx\nA\ny\nB\nz\nC\n", 1_500)},
	{"here-documents on one line", "cat " + strings.Repeat("<<E ", 8_000) + "\n" + strings.Repeat("E\n", 8_000)},
	{"shells of here-documents", strings.Repeat("bash <<'E'\nbash <<'F'\nrm x\nF\nE\n", 1_500)},
	{"document of documents", "bash <<E\n" + strings.Repeat("$(cat <<F\nx\nF\n)", 3_000) + "\nE\n"},
	{"unfinished documents", strings.Repeat("cat <<E\n", 7_000)},
	{"backquotes and quotes", strings.Repeat("\"$(echo \"`", 6_000)},
	{"backquotes", strings.Repeat("`echo ", 9_000)},
	{"escaped backquotes", "echo `echo " + strings.Repeat(`\`, 200) + "`"},
	{"open quotes", strings.Repeat(`'"`, 30_000)},
	{"dollars", strings.Repeat("$", 60_000)},
	{"backslashes", strings.Repeat(`\`, 60_000)},
	{"semicolons and ands", strings.Repeat("a&&b||c;d&", 6_000)},
	{"substitutions that write", "echo " + strings.Repeat("$(printf ", 100) + "x" + strings.Repeat(")", 100)},
	{"substitutions doubling", "x=a; " + strings.Repeat("x=$(echo $x $x); ", 60) + "rm $x"},
	{"printf of a long text", "rm $(printf '%1000000000s' x) $(printf '%*s' 1000000000 x)"},
	{"printf with many words", "x=$(printf '%s,' {1..1000}); " + strings.Repeat("x=$(printf '%s' $x $x); ", 50) + "rm $x"},
	{"arithmetic of powers", "echo $((9**9**9**9)) $((2**63)) $((1<<999)) $((1/0)) $((-9223372036854775808/-1)) $((-9223372036854775808%-1))"},
	{"arithmetic of variables", "a=b b=a; echo $((a))"},
	{"arithmetic of itself", "a='a+a'; echo $((a))"},
	{"arithmetic doubling", "a0=1; " + doubling("a%d='a%d+a%[2]d'; ", 60) + "echo $((a60))"},
	{"arithmetic in a row", "echo $((" + strings.Repeat("1+(", 100) + "1" + strings.Repeat(")", 100) + "))"},
	{"indirection in a circle", "a=b b=a; declare -n a=b; declare -n b=a; echo $a ${!a}"},
	{"defaults in defaults", "echo " + strings.Repeat("${x:-", 200) + "y" + strings.Repeat("}", 200)},
	{"defaults doubling", "echo " + strings.Repeat("${x:=$x", 100) + strings.Repeat("}", 100)},
	{"conditions", "[[ " + strings.Repeat("( ! ", 2_000) + "a" + strings.Repeat(" )", 2_000) + " ]]"},
	{"find in find", "find . " + strings.Repeat(`-exec find . `, 5_000) + `\;`},
	{"find with many actions", "find . " + strings.Repeat(`-exec sh -c 'rm "$@"' _ {} + `, 1_500)},
	{"xargs of many", "echo " + strings.Repeat("x ", 10_000) + "| xargs -n1 sh -c 'rm \"$0\"; ls'"},
	{"xargs with a mark in each", "echo {1..1000} | xargs -n1 -I{} rm " + strings.Repeat("{} ", 5_000)},
	{"expect that types variables", "expect -c 'send \"" + strings.Repeat("$a", 30_000) + "\"'"},
	{"tmux with many keys", "tmux send-keys " + strings.Repeat("Up ", 20_000)},
	{"fd with many commands", "fd " + strings.Repeat("-x a ';' ", 7_000)},
	{"parallel with many sources", "parallel " + strings.Repeat("::: a b ", 7_000)},
	{"xargs of xargs", "echo {1..1000} | xargs -n1 xargs -n1 xargs -n1 rm"},
	{"parallel", "parallel rm {1} {2} {3} ::: {1..1000} ::: {1..1000} ::: {1..1000}"},
	{"parallel of marks", "parallel rm " + strings.Repeat("{} ", 5_000) + "::: {1..1000}"},
	{"git aliases", strings.Repeat("git -c alias.x='!git x; git x' x; ", 500)},
	{"git aliases in git aliases", "git " + strings.Join(each(1, 40, func(i int) string { return fmt.Sprintf("-c alias.a%d='!git a%d; git a%d' ", i, i-1, i-1) }), "") + "a40"},
	{"python in python", "python3 -c 'import os; " + strings.Repeat("os.system(\"python3 -c x\");", 1_000) + "'"},
	{"brackets in python", "python3 -c 'import os; os.system(" + strings.Repeat("(", 50_000) + "'"},
	{"quotes in python", `python3 -c '` + strings.Repeat(`"""`, 15_000) + `'`},
	{"brackets in node", "node -e '" + strings.Repeat("{[(", 15_000) + "'"},
	{"templates in node", "node -e '" + strings.Repeat("`${", 15_000) + "'"},
	{"perl quotes", "perl -e '" + strings.Repeat("q{", 15_000) + "'"},
	{"awk", "awk '" + strings.Repeat("{", 15_000) + "'"},
	{"sql brackets", "psql -c '" + strings.Repeat("(", 30_000) + "'"},
	{"sql comments", "psql -c '" + strings.Repeat("/*", 30_000) + "'"},
	{"functions and loops and words", "f() { for i in \"$@\"; do for j in \"$@\"; do rm $i $j; done; done; }; for k in {1..1000}; do f {1..1000}; done"},
	{"function over and over", "f() { " + strings.Repeat("rm x; ", 5_000) + "}; " + strings.Repeat("f;", 10_000)},
	{"functions with long bodies", "f() { a='" + strings.Repeat("x", 30_000) + "'; rm $a; }; " + strings.Repeat("f;", 10_000)},
	{"many locals", "f() { local " + strings.Join(each(0, 2_000, func(i int) string { return fmt.Sprintf("v%d=1 ", i) }), "") + "; }; " + strings.Repeat("f;", 10_000)},
	{"many variables in subshells", strings.Join(each(0, 3_000, func(i int) string { return fmt.Sprintf("v%d=1;", i) }), "") + strings.Repeat("(a=1);", 5_000)},
	{"many variables in branches", strings.Join(each(0, 3_000, func(i int) string { return fmt.Sprintf("v%d=1;", i) }), "") + strings.Repeat("x&&a=1;", 4_000)},
	{"many variables in loops", strings.Join(each(0, 3_000, func(i int) string { return fmt.Sprintf("v%d=1;", i) }), "") + strings.Repeat("for i in a b;do v1=2;done;", 1_000)},
	{"many exports in shells", "export " + strings.Join(each(0, 3_000, func(i int) string { return fmt.Sprintf("v%d=1 ", i) }), "") + ";" + strings.Repeat("sh -c x;", 4_000)},
	{"subshells in subshells with variables", strings.Join(each(0, 2_000, func(i int) string { return fmt.Sprintf("v%d=1;", i) }), "") + strings.Repeat("(a=1;", 100) + strings.Repeat(")", 100)},
	{"many files", strings.Join(each(0, 2_500, func(i int) string { return fmt.Sprintf("echo a>f%d;", i) }), "") + strings.Repeat("(sh f1);", 2_500)},
	{"numbers at the end", "x $(seq 9223372036854775800 9223372036854775807) $(seq -9223372036854775807 9223372036854775807)"},
	{"many names to read", "read " + strings.Repeat("n ", 8_000) + "<<< '" + strings.Repeat("b ", 20_000) + "'"},
	{"many unknown words in one", "x $(echo " + strings.Join(each(0, 5_000, func(i int) string { return fmt.Sprintf("$a%d ", i) }), "") + ")"},
	{"many folders on the path", "PATH=" + strings.Repeat(":", 30_000) + "; echo a > b;" + strings.Repeat("x;", 10_000)},
	{"printf over and over", "for i in {1..200}; do x $(printf %s" + strings.Repeat(" a", 25_000) + "); done"},
	{"filters over and over", "for i in {1..200}; do echo '" + strings.Repeat("b\n", 25_000) + "' | head -n1 | tr a b; done"},
	{"local functions", strings.Join(each(0, 2_000, func(i int) string { return fmt.Sprintf("f%d()(:);", i) }), "") + strings.Repeat("(f1);", 3_000)},
}

// doubling repeats a format with a number and the one before it.
func doubling(format string, n int) string {
	return strings.Join(each(1, n, func(i int) string { return fmt.Sprintf(format, i, i-1) }), "")
}

func each(first, last int, text func(i int) string) []string {
	var all []string
	for i := first; i <= last; i++ {
		all = append(all, text(i))
	}
	return all
}

// longShapes make lines of about n bytes of one kind. The work for them must
// grow with n and no faster.
var longShapes = []struct {
	name string
	make func(n int) string
}{
	{"list", repeated("", "rm -rf /tmp/x; ls\n", "")},
	{"and", repeated("", "test -f x && rm x && ", "ls")},
	{"words", repeated("rm -rf ", "file.txt ", "")},
	{"one word", repeated("echo ", "x", "")},
	{"pipes", repeated("", "cat x | ", "wc -l")},
	{"pipe lines", repeated("", "cat x | grep y | wc -l\n", "")},
	{"here-document", repeated("cat > x <<'E'\n", "a line of text; rm -rf /\n", "E\n")},
	{"here-document expanded", repeated("cat > x <<E\n", "a line $HOME of `echo text`\n", "E\n")},
	{"here-documents", repeated("", "cat <<E\nx\nE\n", "")},
	{"shell here-document", repeated("bash <<'E'\n", "rm -rf /tmp/x\n", "E\n")},
	{"single quotes", repeated("echo ", `'a'"b"\c$'d' `, "")},
	{"quoted text", repeated("echo '", "it is; rm -rf / ", "'")},
	{"double quotes", repeated(`echo "`, `$x ${y} text `, `"`)},
	{"bash -c", repeated("bash -c '", "rm -rf /tmp/x; ", "'")},
	{"bash -c each", repeated("", "bash -c 'rm x'; ", "")},
	{"eval of variable", repeated("x='", "rm x; ", "'; eval \"$x\"")},
	{"assignments", numbered("", "v%d=%d; ", "")},
	{"uses", numbered("", "v%d=/tmp/%d; rm \"$v%[1]d\"\n", "")},
	{"same variable", repeated("", `x=/tmp/x; rm "$x"; `, "")},
	{"uses of one", repeated("x=/tmp/x; rm ", "$x ", "")},
	{"chain of variables", chained},
	{"growing variable", repeated("", "x+=a; ", "rm $x")},
	{"growing array", repeated("", "r+=(a); ", `rm "${r[@]}"`)},
	{"parameters", repeated("x=a.b; echo ", "${x%.*} ${x:-y} ", "")},
	{"loops", repeated("", "for i in a b c; do rm $i; done\n", "")},
	{"while", repeated("", "while read l; do echo $l; done < x\n", "")},
	{"long loop", repeated("for i in ", "a ", "; do rm $i; done")},
	{"long loop body", repeated("for i in a b c; do ", "rm $i; ", "done")},
	{"ifs", repeated("", "if x; then a=1; else a=2; fi; rm $a\n", "")},
	{"case", repeated("case $x in ", "a) rm b;;\n", "esac")},
	{"functions", numbered("", "f%d() { rm %d; }\n", "")},
	{"function calls", repeated("f() { rm \"$1\"; }\n", "f x\n", "")},
	{"long function", repeated("f() { ", "rm x; ", "}; f")},
	{"functions that call", numbered("f0() { rm x; }\n", "f%d() { rm %d; f0; }; f%[1]d\n", "")},
	{"braces", repeated("rm ", "{a,b} ", "")},
	{"sequences", repeated("rm ", "{1..5} ", "")},
	{"git", repeated("", "git -C d -c a.b=c push --force origin +x:y\n", "")},
	{"find", repeated("", `find . -name x -exec rm -f {} \; `+"\n", "")},
	{"long find", repeated("find . ", `-exec rm -f {} \; `, "")},
	{"sudo", repeated("", "sudo -u x env A=1 rm x\n", "")},
	{"xargs", repeated("", "ls | xargs -n1 rm -rf\n", "")},
	{"python", repeated("python3 -c '", "import os; os.remove(\"x\")\n", "'")},
	{"python each", repeated("", "python3 -c 'import os; os.system(\"rm x\")'\n", "")},
	{"substitutions", repeated("", "echo $(printf x)\n", "")},
	{"substitutions in a word", repeated("echo ", "$(printf x)", "")},
	{"backquotes", repeated("echo ", "`rm x` ", "")},
	{"arithmetic", repeated("echo $((", "1+", "1))")},
	{"comments", repeated("", "# rm -rf /\n", "ls")},
	{"globs", repeated("rm ", "*.[ch] ", "")},
	{"cd", repeated("", "cd x; rm y; ", "")},
	{"cd up", repeated("", "cd ..; rm y; ", "")},
	{"pushd", repeated("", "pushd x; rm y\n", "")},
	{"pushd and popd", repeated("", "pushd x; popd; ", "")},
	{"files", numbered("", "echo 'rm x' > f%d; sh f%d\n", "")},
	{"appended file", repeated("", "echo 'rm x' >> f\n", "sh f")},
	{"same file run", repeated("echo 'rm x' > f\n", "sh f\n", "")},
	{"aliases", numbered("shopt -s expand_aliases\n", "alias a%d='rm x'\na%d\n", "")},
	{"traps", repeated("", "trap 'rm x' EXIT\n", "")},
	{"subshells", repeated("", "(a=1; rm x); ", "")},
	{"redirects", repeated("", "ls > x 2>&1\n", "")},
	{"many redirects", repeated("ls ", ">x ", "")},
	{"set and shift", repeated("set -- a b c\n", "shift; set -- \"$@\" x\n", "")},
	{"long shift", func(n int) string {
		return "set -- " + strings.Repeat("a ", n/4) + "\n" + strings.Repeat("shift\n", n/12)
	}},
	{"arguments passed on", func(n int) string {
		return "f() { rm \"$@\"; }\nset -- " + strings.Repeat("a ", n/4) + "\n" + strings.Repeat("f \"$@\"\n", n/16)
	}},
	{"branches", repeated("", "[ -n \"$a\" ] && b=1 || b=2; ", "rm $b")},
	{"environment", repeated("env ", "A=1 ", "rm")},
	{"exports", numbered("", "export v%d=%d\n", "bash -c 'rm $v1'")},
	{"shells that inherit", func(n int) string {
		return repeated("", "export v=1 w=2\n", "")(n/2) + strings.Repeat("bash -c 'rm $v'\n", n/32)
	}},
	{"read", repeated("", "read a b <<< 'x y'; rm $a\n", "")},
	{"printf -v", repeated("", "printf -v a %s b; rm $a\n", "")},
	{"sql", repeated("psql -c '", "delete from t where a = 1; ", "'")},
	{"psql each", repeated("", "psql -c 'drop table t'\n", "")},
	{"commit", repeated("", "git commit -m \"$(cat <<'E'\nx\nE\n)\"\n", "")},
	{"escapes", repeated("echo $'", `\x41\n`, "'")},
	{"test", repeated("", "[[ -f x && $a == b* ]] && rm x\n", "")},
	{"xargs of a list", repeated("echo ", "file ", "| xargs rm")},
	{"xargs each", repeated("echo ", "file ", "| xargs -n1 rm")},
	{"ssh", repeated("", "ssh host 'rm x'\n", "")},
	{"awk", repeated("awk '{ ", "print $1; ", "}' x")},
	{"perl", repeated("perl -e '", "unlink(\"x\"); ", "'")},
	{"node", repeated("node -e '", "require(\"fs\").rmSync(\"x\"); ", "'")},
	{"ruby", repeated("ruby -e '", "File.delete(\"x\"); ", "'")},
}

// repeated makes start, as many parts as fit, and end.
func repeated(start, part, end string) func(n int) string {
	return func(n int) string {
		return start + strings.Repeat(part, max(0, n-len(start)-len(end))/len(part)) + end
	}
}

// numbered is repeated with a number put in twice.
func numbered(start, part, end string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(start)
		for i := 0; ; i++ {
			text := fmt.Sprintf(part, i, i)
			if b.Len()+len(text)+len(end) > n {
				return b.String() + end
			}
			b.WriteString(text)
		}
	}
}

// chained makes variables each of which is the one before.
func chained(n int) string {
	return numbered("v=/x; ", "v=$v; w%d=$v; ", "rm $v")(n)
}
