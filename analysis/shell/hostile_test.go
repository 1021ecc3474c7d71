package shell

import (
	"fmt"
	"strings"
)

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
