package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// parseCases are command lines with what they run, as show writes it.
var parseCases = []struct{ text, want string }{
	// Plain.
	{"ls", "ls"},
	{"rm -rf /", "rm -rf /"},
	{"/bin/rm -rf /", "rm -rf /"},
	{"./build.sh --fast", "build.sh --fast"},
	{"~/bin/tool x", "tool x"},
	{"C:/tools/RM.EXE x", "rm x"},
	{"GIT status; Curl x | SUDO -u root BASH", "git status; curl x @pipe; sudo -u root BASH @pipe; sudo > bash @pipe; sudo > bash < > ? @pipe"},
	{`'C:\tools\rm.exe' x`, "rm x"},
	{"ls;pwd", "ls; pwd"},
	{"ls && pwd || date", "ls; pwd @and; date @or"},
	{"sleep 1 & wait", "sleep 1 @background; wait"},
	{"! grep -q x f", "grep -q x f"},
	{"rm -rf / # rm -rf /home", "rm -rf /"},
	{"# only a comment", ""},
	{"", ""},

	// Quoting of the name.
	{`\rm -rf x`, "rm -rf x"},
	{`r\m x`, "rm x"},
	{`"rm" x`, "rm x"},
	{"'rm' x", "rm x"},
	{`"r"m x`, "rm x"},
	{"r''m x", "rm x"},
	{`r"m" x`, "rm x"},
	{"$'rm' x", "rm x"},
	{`$'\x72\x6d' x`, "rm x"},
	{`$'\162\u006d' x`, "rm x"},
	{`$"rm" x`, "rm x"},
	{`"/bin/"rm x`, "rm x"},
	{"'' x", "- x"},

	// Quoting of words.
	{`echo "rm -rf /"`, `echo "rm -rf /"`},
	{`git commit -m "rm -rf /"`, `git commit -m "rm -rf /"`},
	{`echo 'a b' "c d" e\ f`, `echo "a b" "c d" "e f"`},
	{`echo "a\"b\$c\d"`, `echo "a\"b$c\\d"`},
	{`echo 'it'\''s'`, `echo "it's"`},
	{`echo $'a\tb\n' $'it\'s' $'\0cut'`, `echo "a\tb\n" "it's" ""`},
	{`echo a"b"c'd'\e`, "echo abcde"},
	{`echo "" ''`, `echo "" ""`},
	{`echo *.go ?x [ab] "*" \* '[ab]' a[`, `echo *.go ?x [ab] "*" "*" "[ab]" "a["`},
	{`echo "$HOME" $HOME ${HOME:-x} $1 "$@" $((1+2))`, "echo ~ ~ ~ $1* $@* 3"},
	{"echo ~ ~/x ~user/y", "echo ~ ~/x ~user/y"},

	// Braces.
	{"rm -rf {a,b}/c", "rm -rf a/c b/c"},
	{"rm {1..3} {01..03} {a..c} {3..1} {1..10..4}", "rm 1 2 3 01 02 03 a b c 3 2 1 1 5 9"},
	{`rm a{b,c{d,e}} {x} {,y} "{a,b}" \{a,b}`, "rm ab acd ace {x} y {a,b} {a,b}"},
	{"{rm,-rf,/tmp/x}", "rm -rf /tmp/x"},
	{"rm {1..99999999}", "rm {1..99999999}*"},

	// Assignments.
	{"A=1", "A=1 -"},
	{"A=1 B=$X rm x", "A=1 B=$X* rm x"},
	{"A+=x rm", "A=x rm"},
	{"A=(1 2)", `A="A=(1 2)"* -`},
	{"PATH=/x:$PATH make", "PATH=/x:$PATH* make"},
	{"export A=1 B", "export A=1 B"},
	{`declare -x A="$X"`, "declare -x A=$X*"},
	{"local x=1", "local x=1"},
	{"readonly PI", "readonly PI"},

	// Redirects.
	{"echo x > file", "echo x >file"},
	{"> file", "- >file"},
	{"2>/dev/null rm x", "rm x 2>/dev/null"},
	{"ls &> all 2>&1 >> more", "ls &>all 2>&1 >>more"},
	{"cat < in > out", "cat <in >out"},
	{`sort <<< "a b"`, `sort <<<"a b"`},
	{"{ echo a; echo b; } > out", "- >out; echo a; echo b"},
	{"while read l; do echo $l; done < in", "- <in; read l @loop; echo $l* @loop"},
	{"exec 3> log", "exec 3>log"},
	{`ls > "$OUT" 2>| e`, "ls >$OUT* 2>|e"},

	// Where commands stand.
	{"(rm x)", "rm x @subshell"},
	{"{ rm x; }", "rm x"},
	{"if a; then b; elif c; then d; else e; fi", "a @branch; b @branch; c @branch; d @branch; e @branch"},
	{"while a; do b; done", "a @loop; b @loop"},
	{"until a; do b; done", "a @loop; b @loop"},
	{"for i in 1 2; do rm $i; done", "rm 1 @loop; rm 2 @loop"},
	{"for ((i=0; i<3; i++)); do rm $i; done", "rm 0 @loop; rm $i* @loop"},
	{"select x in a b; do c; done", "c @loop"},
	{"case $x in a) rm a;; *) rm b;; esac", "rm a @branch; rm b @branch"},
	{"f() { rm x; }; f", "f; f() > rm x"},
	{"function g { rm x; }", "rm x @function"},
	{"a | b | c", "a @pipe; b @pipe; c @pipe"},
	{"a |& b", "a @pipe; b @pipe"},
	{"a && b && c", "a; b @and; c @and"},
	{"a | b; c | d", "a @pipe; b @pipe; c @pipe; d @pipe"},
	{"coproc rm x", "rm x @background"},
	{"time rm x", "time; time > rm x"},
	{"time -p a | b", "time; time > a @pipe; time > b @pipe"},
	{"let x=1+2", "let x=1+2"},
	{"[[ -f x ]] && rm x", "rm x @and"},
	{"[ -f x ] && rm x", "[ -f x ]; rm x @and"},
	{"((x++)) && rm x", "rm x @and"},

	// Substitutions.
	{"echo $(rm x)", `$() > rm x @substitution; echo "$(rm x)"*`},
	{"echo `rm x`", "$() > rm x @substitution; echo \"`rm x`\"*"},
	{`echo "a $(rm x) b"`, `$() > rm x @substitution; echo "a $(rm x) b"*`},
	{"echo \"`rm \\`which x\\``\"", "$() > $() > which x @substitution; $() > rm x @substitution; echo \"`rm \\\\`which x\\\\``\"*"},
	{"echo $(echo $(rm x))", `$() > $() > rm x @substitution; $() > echo "$(rm x)"* @substitution; echo "$(rm x)"*`},
	{"A=$(rm x)", `$() > rm x @substitution; A="$(rm x)"* -`},
	{"echo ${A:-$(rm x)}", `$() > rm x @substitution; echo "${A:-$(rm x)}"*; $() > rm x @substitution; echo "$(rm x)"*`},
	{"echo ${A/$(rm x)/y}", `$() > rm x @substitution; echo "${A/$(rm x)/y}"*`},
	{"echo $((1 + $(rm x)))", `$() > rm x @substitution; echo "$((1 + $(rm x)))"*`},
	{"diff <(rm x) >(rm y)", `<() > rm x @substitution; >() > rm y @substitution; diff "<(rm x)"* ">(rm y)"*`},
	{"cat > $(rm x)", `$() > rm x @substitution; cat >"$(rm x)"*`},
	{"for i in $(rm x); do :; done", "$() > rm x @substitution; : @loop"},
	{"case $(rm x) in $(rm y)) ;; esac", "$() > rm x @substitution; $() > rm y @substitution"},
	{"[[ -n $(rm x) ]]", "$() > rm x @substitution"},
	{"a[$(rm x)]=1", `$() > rm x @substitution; a="a[$(rm x)]=1"* -`},
	{"A=($(rm x))", `$() > rm x @substitution; A="A=($(rm x))"* -`},
	{"export A=$(rm x)", `$() > rm x @substitution; export "A=$(rm x)"*`},
	{`echo '$(rm x)' \$\(rm x\) "\$(rm x)"`, `echo "$(rm x)" $(rm x) "$(rm x)"`},
	{"echo @(a|$(rm x))", `$() > rm x @substitution; echo "@(a|$(rm x))"*`},
	{"ls $(rm a) | wc $(rm b)", `$() > rm a @substitution; ls "$(rm a)"* @pipe; $() > rm b @substitution; wc "$(rm b)"* @pipe`},

	// Dynamic.
	{"$X -rf /", "?$X -rf /"},
	{"${X} a", "?${X} a"},
	{"$(which rm) x", "$() > which rm @substitution; rm x"},
	{"`which rm` x", "$() > which rm @substitution; rm x"},
	{`"$X" a`, "?$X a"},
	{"r$X a", "?r$X a"},
	{"/bin/r? x", "rm x"},
	{"/bin/zz? x", "?/bin/zz? x"},
	{"/bin/[r]m x", "rm x"},
	{"r* x", "?r* x"},
	{`rm $X "$X" $(ls) a$X`, "$() > ls @substitution; rm $X* $X* $(ls)* a$X*"},
	{"if $X; then :; fi", "?$X @branch; : @branch"},

	// A pipeline and more in one.
	{"cd /tmp && rm -rf x; git push -f origin main", "cd /tmp; rm -rf x @and; git push -f origin main"},
	{"git -C /tmp push && sudo -u x sh -c 'cd / && rm -rf x' | tee log", `git -C /tmp push; sudo -u x sh -c "cd / && rm -rf x" @pipe; sudo > sh -c "cd / && rm -rf x" @pipe; sudo > sh -c > cd / @pipe; sudo > sh -c > rm -rf x @and; tee log @pipe`},
}

func TestParse(t *testing.T) {
	for _, c := range parseCases {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestCache asks for lines a second time: the very same comes back where it is kept.
func TestCache(t *testing.T) {
	large := strings.Repeat("x", maxText-10)
	for _, tt := range []struct {
		name          string
		before        []string // parsed first
		text          string
		first, second Options
		want          bool
	}{
		{"the same text", nil, "ls", Options{}, Options{}, true},
		{"the same options", nil, "ls", Options{Cwd: "/a"}, Options{Cwd: "/a"}, true},
		{"another folder", nil, "ls", Options{Cwd: "/a"}, Options{Cwd: "/b"}, false},
		{"another home", nil, "ls", Options{Home: "/a"}, Options{}, false},
		{"no text", nil, "", Options{}, Options{}, true},
		{"the last that has a place", differing("", 15), "ls", Options{}, Options{}, true},
		{"too many", differing("", 16), "ls", Options{}, Options{}, false},
		{"as much as there is room for", differing(large, 3), large, Options{}, Options{}, true},
		{"too much together", differing(large, 4), large, Options{}, Options{}, false},
		{"room for a short one", append(differing(large, 3), large+large), "ls", Options{}, Options{}, true},
		{"longer than a line can be", nil, large + large, Options{}, Options{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := new(Cache)
			for _, text := range tt.before {
				c.Parse(text, Options{})
			}
			if got := c.Parse(tt.text, tt.first) == c.Parse(tt.text, tt.second); got != tt.want {
				t.Errorf("the same line: %v, want %v", got, tt.want)
			}
		})
	}
}

// differing makes different texts.
func differing(text string, n int) (texts []string) {
	for i := range n {
		texts = append(texts, text+strconv.Itoa(i))
	}
	return texts
}

// TestCacheIsShared has many ask for a text at once: all get one line, complete.
func TestCacheIsShared(t *testing.T) {
	ctx := context.WithValue(context.Background(), CacheKey{}, new(Cache))
	text := strings.Repeat("echo one two;", 500)
	lines := make([]*Line, 16)
	var all sync.WaitGroup
	for i := range lines {
		all.Go(func() { lines[i] = ParseContext(ctx, text, Options{Home: "/h"}) })
	}
	all.Wait()
	for _, l := range lines {
		if l != lines[0] || len(l.Commands) != 500 {
			t.Fatalf("a line of its own, or one of %d commands", len(l.Commands))
		}
	}
}

func TestParseContextWithoutCache(t *testing.T) {
	for _, ctx := range []context.Context{context.Background(), context.WithValue(context.Background(), CacheKey{}, (*Cache)(nil))} {
		a, b := ParseContext(ctx, "ls -l", Options{}), ParseContext(ctx, "ls -l", Options{})
		if a == b || show(a) != "ls -l" {
			t.Errorf("%p %p %s", a, b, show(a))
		}
	}
}

// show writes the commands of a line in a short form: "via > name args", "?"
// for a dynamic name, "*" behind a dynamic word, and redirections at the end.
func show(l *Line) string {
	var all []string
	for _, c := range l.Commands {
		var b strings.Builder
		for _, via := range c.Via {
			b.WriteString(via + " > ")
		}
		for _, a := range c.Assignments {
			b.WriteString(a.Name + "=" + showWord(a.Value) + " ")
		}
		switch {
		case c.NameDynamic:
			b.WriteString("?" + c.Path)
		case c.Name != "":
			b.WriteString(c.Name)
		default:
			b.WriteString("-")
		}
		for _, arg := range c.Args {
			b.WriteString(" " + showWord(arg))
		}
		for _, r := range c.Redirects {
			b.WriteString(" ")
			if r.Fd >= 0 {
				fmt.Fprint(&b, r.Fd)
			}
			b.WriteString(r.Op + showWord(r.Target))
			if r.Body != "" {
				fmt.Fprintf(&b, "%q", r.Body)
			}
		}
		if c.Context != "" {
			b.WriteString(" @" + c.Context)
		}
		all = append(all, b.String())
	}
	if l.Err != nil {
		all = append(all, "error")
	}
	if l.TooComplex {
		all = append(all, "too complex")
	}
	return strings.Join(all, "; ")
}

func showWord(w Word) string {
	text := w.Text
	if text == "" || strings.ContainsAny(text, " \t\n;'\"\\") || w.Glob != strings.ContainsAny(text, "*?[") {
		text = fmt.Sprintf("%q", text)
	}
	if w.Dynamic {
		text += "*"
	}
	return text
}
