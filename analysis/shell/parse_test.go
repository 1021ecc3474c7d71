package shell

import "testing"

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
	{"/bin/r? x", "?/bin/r? x"},
	{"/bin/[r]m x", "?/bin/[r]m x"},
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
