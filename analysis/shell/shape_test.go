package shell

import (
	"fmt"
	"strings"
)

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
