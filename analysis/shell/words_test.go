package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/wordlist"
)

// plumbing is what lines use to get at the words of other commands.
const plumbing = ". : [ alias bash break builtin cat cd chmod command continue cp declare echo env eval exec exit export false find getopts hash let local mapfile mkdir mv popd printf pushd read readarray readonly return select set sh shift shopt source tee test touch trap true typeset unalias unset wait xargs"

// showRuns writes the commands of a line as show does, without plumbing and
// without how they were reached, and "in DIR" where that isn't /work.
func showRuns(l *Line) string {
	called := map[*Command]bool{} // functions
	for _, c := range l.Commands {
		if n := len(c.Via); n > 0 && c.Parent != nil {
			called[c.Parent] = called[c.Parent] || c.Via[n-1] == c.Parent.Name+"()"
		}
	}
	var runs Line
	for _, c := range l.Commands {
		if !c.NameDynamic && (c.Name == "" || called[c] || wordlist.Has(plumbing, c.Name)) {
			continue
		}
		shown := &Command{Name: c.Name, Path: c.Path, Args: c.Args, NameDynamic: c.NameDynamic}
		if c.Dir.Dynamic {
			shown.Redirects = []Redirect{{Op: "in ", Fd: -1, Target: Word{Text: "?"}}}
		} else if c.Dir.Text != "/work" {
			shown.Redirects = []Redirect{{Op: "in ", Fd: -1, Target: Word{Text: c.Dir.Text}}}
		}
		runs.Commands = append(runs.Commands, shown)
	}
	runs.Err, runs.TooComplex = l.Err, l.TooComplex
	return show(&runs)
}

// wordCases are lines with what they run, as showRuns writes it.
var wordCases = []struct{ text, want string }{
	// Quotes.
	{`rm 'a b' "c d" e\ f`, `rm "a b" "c d" "e f"`},
	{`rm "a"'b'c\d$'e'`, "rm abcde"},
	{`rm '' ""`, `rm "" ""`},
	{`rm "a\b" "a\\b" "a\"b" "a\$b"`, `rm "a\\b" "a\\b" "a\"b" a$b`},
	{`rm 'a\b' a\\b`, `rm "a\\b" "a\\b"`},
	{`rm 'it'\''s'`, `rm "it's"`},
	{"rm a\\\nb", "rm ab"},
	{"rm \"a\\\nb\"", "rm ab"},
	{"rm 'a\\\nb'", `rm "a\\\nb"`},
	{"rm \\\n -rf \\\n x", "rm -rf x"},
	{"r\\\nm x", "rm x"},
	{`\r\m x`, "rm x"},
	{`"r"'m' x`, "rm x"},
	{`r""m x`, "rm x"},
	{`$'\x72\155' x`, "rm x"},
	{`$"rm" x`, "rm x"},
	{`rm a#b "#" \# # c`, `rm a#b # #`},
	{`rm \; ';' "&" \|`, `rm ";" ";" & |`},
	{`rm -- "-x"`, "rm -- -x"},
	{`rm "$"`, "rm $"},
	{`rm a$ $`, "rm a$ $"},
	{"rm \"`printf a`\"", "rm a"},
	{`rm "a'b" 'c"d'`, `rm "a'b" "c\"d"`},

	// $'...'
	{`rm $'a\tb\nc'`, `rm "a\tb\nc"`},
	{`rm $'\a\b\e\f\r\v'`, "rm \a\b\x1b\f\r\v"},
	{`rm $'\\ \' \" \?'`, `rm "\\ ' \" ?"`},
	{`rm $'\x2f\x2F' $'\57' $'\057x' $'\0571'`, "rm // / /x /1"},
	{`rm $'\u2f' $'\u002fx' $'\U0000002f'`, "rm / /x /"},
	{`rm $'\x'`, `rm "\\x"`},
	{`rm $'\q'`, `rm "\\q"`},
	{`rm $'a\0b'c $'a\400b'`, "rm ac a"},
	{`rm "$'a'"`, `rm "$'a'"`},
	{`$'\162\x6d' $'-\162\146' $'/'`, "rm -rf /"},

	// Braces.
	{"rm {a,b}", "rm a b"},
	{"rm x{a,b}y", "rm xay xby"},
	{"rm {a,b}{1,2}", "rm a1 a2 b1 b2"},
	{"rm {a,{b,c}d}", "rm a bd cd"},
	{"rm {a} {a,} {,a}", "rm {a} a a"},
	{"rm a{,b}", "rm a ab"},
	{"rm {1..4} {a..c} {3..1} {01..3} {1..9..4} {c..a}", "rm 1 2 3 4 a b c 3 2 1 01 02 03 1 5 9 c b a"},
	{"rm {1..2}{a,b}", "rm 1a 1b 2a 2b"},
	{`rm {"a b",c}`, `rm "a b" c`},
	{`rm "{a,b}" '{a,b}' \{a,b} {a\,b}`, "rm {a,b} {a,b} {a,b} {a,b}"},
	{"rm {a,b", "rm {a,b"},
	{"rm a,b} {a..} {..b} {1..x}", "rm a,b} {a..} {..b} {1..x}"},
	{"{rm,-rf} x", "rm -rf x"},
	{"x=1; rm {$x,2}", "rm 1 2"},
	{"x='{a,b}'; rm $x", "rm {a,b}"},
	{"x={a,b}; rm $x", "rm {a,b}"},
	{"rm /{bin,usr/{lib,share}}/x", "rm /bin/x /usr/lib/x /usr/share/x"},

	// Tilde.
	{"rm ~", "rm /home/me"},
	{"rm ~/x", "rm /home/me/x"},
	{`rm "~" '~/x' \~/x a~ a/~`, "rm ~ ~/x ~/x a~ a/~"},
	{`rm ~"/x"`, "rm ~/x"},
	{"x=~; rm $x", "rm /home/me"},
	{"x=~/y; rm $x", "rm /home/me/y"},
	{`x="~"; rm $x`, "rm ~"},
	{"x=/a:~/b; rm $x", "rm /a:/home/me/b"},
	{"rm a=~ a=~/x a=b:~ b~=~", "rm a=/home/me a=/home/me/x a=b:/home/me b~=~"},
	{"rm $HOME ${HOME}/x \"$HOME/y\"", "rm /home/me /home/me/x /home/me/y"},
	{"HOME=/x; rm ~ ~/y $HOME", "rm /x /x/y /x"},
	{"rm ~+ ~+/x", "rm /work /work/x"},
	{"cd /a; cd /b; rm ~- ~+", "rm /a /b in /b"},
	{"rm $PWD \"$PWD/x\"", "rm /work /work/x"},
	{"cd /a; cd b; rm $PWD $OLDPWD", "rm /a/b /a in /a/b"},

	// Globs are kept.
	{"rm *", "rm *"},
	{"rm *.o ?x [ab]c", "rm *.o ?x [ab]c"},
	{`rm "*" \* '?'`, `rm "*" "*" "?"`},
	{`rm "a"*`, "rm a*"},
	{"x='*'; rm $x", "rm *"},
	{`x='*'; rm "$x"`, `rm "*"`},
	{"x=*; rm $x", "rm *"},
	{"x=/tmp; rm $x/*", "rm /tmp/*"},
	{`rm "$HOME"/*`, "rm /home/me/*"},
	{`set -f; rm *`, "rm *"},

	// Splitting.
	{"x='a b'; rm $x", "rm a b"},
	{"x='a b'; rm \"$x\"", `rm "a b"`},
	{"x=' a  b '; rm $x", "rm a b"},
	{"x=' a '; rm b$x'c'", "rm b a c"},
	{"x='a b'; rm 1$x'2'", "rm 1a b2"},
	{"x=''; rm $x", "rm"},
	{"x=''; rm \"$x\"", `rm ""`},
	{"x=''; rm a$x", "rm a"},
	{"x=''; $x rm y", "rm y"},
	{"x=; rm $x -rf", "rm -rf"},
	{"x=$'a\\tb\\nc'; rm $x", "rm a b c"},
	{"IFS=,; x=a,b; rm $x", "rm a b"},
	{"IFS=,; x='a b,c'; rm $x", `rm "a b" c`},
	{"IFS=,; x=a,,b; rm $x", `rm a "" b`},
	{"IFS=,; x=a,b,; rm $x", "rm a b"},
	{"IFS=,; x=,a; rm $x", `rm "" a`},
	{"IFS=', '; x='a , b'; rm $x", "rm a b"},
	{"IFS=; x='a b'; rm $x", `rm "a b"`},
	{"IFS=:; x=a:b; rm \"$x\" $x", "rm a:b a b"},
	{"IFS=/; x=/a; rm $x", `rm "" a`},
	{"x='a b'; IFS=,; y=$x; unset IFS; rm $y", "rm a b"},
	{"x='-rf /'; rm $x", "rm -rf /"},
	{"x='rm -rf /'; $x", "rm -rf /"},
	{`x="rm 'a b'"; $x`, `rm "'a" "b'"`},
	{"x='a b' y=$x; rm $y", "rm a b"},
	{"x='a;b'; rm $x", `rm "a;b"`},
	{"x='$y'; rm $x", "rm $y"},
	{"x='`ls`'; rm $x", "rm `ls`"},

	// Positional parameters.
	{"set -- a b; rm $1 $2 $3", "rm a b"},
	{"set -- a b; rm \"$3\"", `rm ""`},
	{"set -- 'a b' c; rm \"$@\"", `rm "a b" c`},
	{"set -- 'a b' c; rm $@", "rm a b c"},
	{"set -- 'a b' c; rm \"$*\"", `rm "a b c"`},
	{"set -- 'a b' c; rm $*", "rm a b c"},
	{"set -- a b; rm \"x$@y\"", "rm xa by"},
	{"set --; rm \"$@\"", "rm"},
	{"set --; rm \"$*\"", `rm ""`},
	{"set --; rm \"x$@\"", "rm x"},
	{"set -- a b c; rm $#", "rm 3"},
	{"set -- a b c; shift; rm \"$@\" $#", "rm b c 2"},
	{"set -- a b c; shift 2; rm \"$@\"", "rm c"},
	{"set -- a b c; shift 9; rm \"$@\"", "rm a b c"},
	{"set -- a b; set -- \"$@\" c; rm \"$@\"", "rm a b c"},
	{"set -- -x; rm $1", "rm -x"},
	{"set a b; rm $2", "rm b"},
	{"set -- a b c; rm ${@:2} ${@:1:1} ${@: -1}", "rm b c a c"},
	{"set -- a b; IFS=,; rm \"$*\"", "rm a,b"},
	{"set -- 1 2 3 4 5 6 7 8 9 10 11; rm $10 ${10} ${11}", "rm 10 10 11"},
	{"set -- rm -rf /; \"$@\"", "rm -rf /"},
	{"set -- rm -rf /; $*", "rm -rf /"},
	{"set -- a b; rm ${#} ${#1}", "rm 2 1"},
	{"set -- a/x b/y; rm \"${@##*/}\"", "rm x y"},
	{"set -- a; rm ${1:-x} ${2:-y}", "rm a y"},
	{"set -- a; rm ${1+\"$@\"}", "rm a"},

	{"set -- $UNKNOWN b; rm $# $1 $2 \"$@\"", "rm $#* $UNKNOWN* $2* $UNKNOWN* b"},

	// Arrays.
	{"r=(a b); rm $r ${r} ${r[0]} ${r[1]} ${r[2]}", "rm a a a b"},
	{"r=(a 'b c'); rm \"${r[@]}\"", `rm a "b c"`},
	{"r=(a 'b c'); rm ${r[@]}", "rm a b c"},
	{"r=(a b); rm \"${r[*]}\"", `rm "a b"`},
	{"r=(a b); rm ${#r[@]} ${#r[*]} ${#r}", "rm 2 2 1"},
	{"r=(a); r+=(b c); rm \"${r[@]}\"", "rm a b c"},
	{"r=(a b); r[1]=x; rm \"${r[@]}\"", "rm a x"},
	{"r=(a b); r[5]=x; rm \"${r[@]}\"", "rm a b x"},
	{"r=(a b c); rm ${r[-1]} ${r[1+1]}", "rm c c"},
	{"r=(a b c); i=1; rm ${r[i]} ${r[$i]}", "rm b b"},
	{"r=(a b c); rm \"${r[@]:1}\" \"${r[@]:0:1}\"", "rm b c a"},
	{"r=(a b); rm \"${!r[@]}\"", "rm 0 1"},
	{"r=(); rm \"${r[@]}\"", "rm"},
	{"r=(); rm x\"${r[@]}\"", "rm x"},
	{"r=(rm -rf /); \"${r[@]}\"", "rm -rf /"},
	{"r=(a b); unset 'r[0]'; rm \"${r[@]}\"", "rm b"},
	{"r=(a b); s=(\"${r[@]}\" c); rm \"${s[@]}\"", "rm a b c"},
	{"r=(a.x b.x); rm \"${r[@]%.x}\"", "rm a b"},
	{"r=([1]=b [0]=a); rm \"${r[@]}\"", "rm a b"},
	{"declare -a r=(a b); rm ${r[1]}", "rm b"},
	{"declare -A m=([k]=v); rm ${m[k]}", "rm v"},
	{"declare -A m; m[k]=v; rm ${m[k]}", "rm v"},
	{"r=({a,b}c); rm \"${r[@]}\"", "rm ac bc"},
	{"r=(a b); rm x${r[@]}y \"x${r[@]}y\"", "rm xa by xa by"},
	{"x=a; x+=b; rm $x", "rm ab"},
	{"r=(a b); r+=c; rm \"${r[@]}\"", "rm ac b"},

	// Parameter expansions.
	{"unset x; rm ${x:-/} ${x-/y} \"${x:-a b}\" ${x:-a b}", `rm / /y "a b" a b`},
	{"x=; rm ${x:-/} \"${x-/}\"", `rm / ""`},
	{"x=a; rm ${x:-/} ${x:+b} ${x+c}", "rm a b c"},
	{"unset x; rm ${x:+b} ${x+c} d", "rm d"},
	{"unset x; rm ${x:=/}; rm $x", "rm /; rm /"},
	{"unset x; : ${x:=/}; rm $x", "rm /"},
	{"unset x y; rm ${x:-${y:-/z}}", "rm /z"},
	{"unset x; rm ${x:-$(printf /q)}", "rm /q"},
	{"unset x; y=/; rm ${x:-$y}", "rm /"},
	{"unset x; ${x:-rm} y", "rm y"},
	{"x=abcabc; rm ${x#a} ${x#*b} ${x##*b} ${x%c} ${x%b*} ${x%%b*}", "rm bcabc cabc c abcab abca a"},
	{"x=/a/b.tar.gz; rm ${x##*/} ${x%/*} ${x%.*} ${x%%.*}", "rm b.tar.gz /a /a/b.tar /a/b"},
	{"x=abcabc; rm ${x/b/x} ${x//b/x} ${x//b}", "rm axcabc axcaxc acac"},
	{"x=rxm; ${x/x/} y", "rm y"},
	{"x='rm xx-rf /'; ${x/xx/}", "rm -rf /"},
	{"x=abcdef; rm ${x:2} ${x:1:2} ${x: -2} ${x:0:-2} ${x: -3:2}", "rm cdef bc ef abcd de"},
	{"x=abc i=1; rm ${x:i:1} ${x:$i}", "rm b bc"},
	{"x=abc; rm ${#x}", "rm 3"},
	{"x=abc; rm ${x^} ${x^^} ${x,} ${x,,}", "rm Abc ABC abc abc"},
	{"x=RM; ${x,,} y", "rm y"},
	{"x=y y=/z; rm ${!x}", "rm /z"},
	{"x=rm y=x; ${!y} z", "rm z"},
	{"x='a b'; rm ${x@Q}", "rm ${x@Q}*"},
	{"x=*y; rm \"${x#\\*}\" \"${x#'*'}\"", "rm y y"},
	{"p=a; x=abc; rm ${x#$p} ${x#\"$p\"}", "rm bc bc"},
	{`unset x; rm "${x:-'y z'}" ${x:-'y z'} "${x:-"y z"}"`, `rm "${x:-'y z'}"* "y z" "y z"`},
	{"set -- a; shift; rm \"${@:-b}\"", "rm b"},
	{"x='a b'; rm ${x^} ${x^^}", "rm A b A B"},
	{"x=; rm \"${x,}\" \"${x^^}\"", `rm "" ""`},
	{"x=abc; rm \"${x:5}\" ${x:1:-1}", `rm "" b`},
	{"x=a/b/c; rm ${x/\\//-} ${x//\\//-}", "rm a-b/c a-b-c"},
	{`x=aXb; rm "${x/X/$x}"`, "rm aaXbb"},
	{"x=mr; ${x:1:1}${x:0:1} y", "rm y"},
	{"x=mr; ${x:1}${x:0:1} y", "rm y"},
	{"a=r b=m; $a$b y; ${a}${b} z; \"$a\"'m' w", "rm y; rm z; rm w"},

	// Arithmetic.
	{"rm $((1+2)) $((2*3+1)) $((7/2)) $((7%3)) $((2**4)) $((-1))", `rm 3 7 3 1 "$((2**4))"* -1`},
	{"x=3; rm $((x+1)) $(($x*2)) $[x-1]", "rm 4 6 2"},
	{"x=3; rm $((x++)) $x; rm $((++x)) $((x-=2)) $x", "rm 3 4; rm 5 3 3"},
	{"rm $((1<2)) $((1==2)) $((1?5:6)) $((1&&0)) $((0||1)) $((!1)) $((~0))", `rm 1 0 "$((1?5:6))"* 0 1 0 -1`},
	{"rm $((0x1f)) $((010)) $((1<<4)) $((6&3)) $((6|3)) $((6^3))", "rm 31 8 $((1<<4))* $((6&3))* $((6|3))* $((6^3))*"},
	{"unset x; rm $((x))", "rm 0"},
	{"((x=4)); rm $x", "rm 4"},
	{"let x=4*2; rm $x", "rm 8"},
	{"declare -i x=4*2; rm $x", "rm $x*"},
	{"x=1; ((x++)); ((x+=5)); rm $x", "rm 7"},
	{"rm $((1/0)) $((08))", "rm $((1/0))* $((08))*"},

	// Substitutions that only write.
	{"$(printf rm) x", "rm x"},
	{"$(echo rm) x", "rm x"},
	{"`echo rm` x", "rm x"},
	{`"$(echo rm)" x`, "rm x"},
	{"$(echo rm -rf /)", "rm -rf /"},
	{"$(printf '%s %s' rm -rf) /", "rm -rf /"},
	{"rm $(echo a b)", "rm a b"},
	{`rm "$(echo a b)"`, `rm "a b"`},
	{`rm "$(printf 'a\n\n')"`, "rm a"},
	{"r$(echo m) x", "rm x"},
	{"$(echo r)$(echo m) x", "rm x"},
	{"$(echo $(echo rm)) x", "rm x"},
	{"x=$(echo rm); $x y", "rm y"},
	{"x=rm; $(echo $x) y", "rm y"},
	{"rm $(printf '\\x2f') $(printf '\\057') $(printf %b '\\x2f')", "rm / / /"},
	{"rm $(printf '%03d' 7)", `rm "$(printf '%03d' 7)"*`},
	{"rm $(printf '%s,' a b c)", "rm a,b,c,"},
	{"rm $(echo -n a) $(echo -e 'a\\x2fb')", "rm a a/b"},
	{"rm $(echo a; echo b)", "rm a b"},
	{"rm $(x=1; echo $x)", "rm 1"},
	{"x=1; rm $(x=2; echo $x) $x", "rm 2 1"},
	{"rm $(cat <<< /y)", "rm /y"},
	{"rm $(cat <<E\n/y\nE\n)", "rm /y"},
	{"rm $(true) x", "rm x"},
	{"rm $(echo '*')", "rm *"},
	{`rm "$(echo '*')"`, `rm "*"`},

	// Unknown words.
	{`rm "$(date)"`, "date; rm $(date)*"},
	{"rm $(date) $RANDOM", "date; rm $(date)* $RANDOM*"},
	{"rm -rf $UNKNOWN/x", "rm -rf $UNKNOWN/x*"},
	{`rm -rf "$UNKNOWN/x"`, "rm -rf $UNKNOWN/x*"},
	{"rm ${UNKNOWN:-/}", "rm ${UNKNOWN:-/}*; rm /"},
	{"$UNKNOWN x", "?$UNKNOWN x"},
	{"$(which rm) x", "which rm; rm x"},
	{"$(which $X) y", "which $X*; ?$(which $X) y"},
	{"rm $$ $! $? $-", "rm $$* $!* \"$?\"* $-*"},
	{"rm $1 \"$@\"", "rm $1* $@*"},
	{"x=$(date); rm $x", "date; rm $(date)*"},
	{"x=$UNKNOWN; rm a$x", "rm a$UNKNOWN*"},
	{"x=${UNKNOWN}y; $x z", "?${UNKNOWN}y z"},
	{"read x; rm $x", "rm $x*"},
	{"rm $SECONDS $LINENO $BASHPID $EPOCHSECONDS $RANDOM", "rm $SECONDS* $LINENO* $BASHPID* $EPOCHSECONDS* $RANDOM*"},
	{"x=1; read x < file; rm $x", "rm $x*"},
	{"x=a; x=$(curl u)$x; rm $x", `curl u; rm "$(curl u)a"*`},
}

func TestWords(t *testing.T) { checkRuns(t, wordCases) }

func checkRuns(t *testing.T, cases []struct{ text, want string }) {
	t.Helper()
	for _, c := range cases {
		line := Parse(c.text, Options{Cwd: "/work", Home: "/home/me"})
		if got := showRuns(line); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s\nall: %s", c.text, got, c.want, strings.ReplaceAll(show(line), "; ", "\n     "))
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{""}, "''"},
		{[]string{"a", "b c"}, "a 'b c'"},
		{[]string{"it's"}, `'it'\''s'`},
		{[]string{"$HOME", "`x`", "*", "~", "#", "!"}, "'$HOME' '`x`' '*' '~' '#' '!'"},
		{[]string{"a=b", "--a=b", "a.b=c"}, "'a=b' --a=b a.b=c"},
		{[]string{"if", "/bin/ls", "-l"}, "'if' /bin/ls -l"},
		{[]string{"a\nb", "\xff"}, "'a\nb' '\xff'"},
	} {
		got := Quote(c.words...)
		if got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.words, got, c.want)
		}
		if back, err := Split(got); err != nil || !slices.Equal(back, c.words) {
			t.Errorf("Split(%s) = %q, %v, want %q", got, back, err, c.words)
		}
	}
}

// TestQuoteParse checks that bash, too, gets the quoted words back.
func TestQuoteParse(t *testing.T) {
	words := []string{"rm", "-rf", "a b", "$x", "it's", `"`, `\`, "{a,b}", "*", "", "a=b", "#", "\n"}
	c := first(Quote(words...))
	got := []string{c.Path}
	for _, arg := range c.Args {
		got = append(got, arg.Text)
		if arg.Dynamic || arg.Glob {
			t.Errorf("%q isn't literal", arg.Text)
		}
	}
	if !slices.Equal(got, words) {
		t.Errorf("got %q, want %q", got, words)
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"  a\tb\nc ", []string{"a", "b", "c"}},
		{`a"b c"d 'e f' g\ h`, []string{"ab cd", "e f", "g h"}},
		{`"a\"b\$c\d" '\'`, []string{`a"b$c\d`, `\`}},
		{"a\\\nb \"c\\\nd\"", []string{"ab", "cd"}},
		{`a;b|c # d`, []string{"a;b|c", "#", "d"}},
		{`""`, []string{""}},
	} {
		if got, err := Split(c.text); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"a 'b", `a "b`, `a "b\`, `a \`} {
		var syntax *SyntaxError
		if _, err := Split("x\n" + text); !errors.As(err, &syntax) || syntax.Line != 2 || syntax.Column != 3 {
			t.Errorf("Split(%q): %v", text, err)
		}
	}
}

// TestHereDocument has the lines that a one-line table can't hold.
func TestHereDocument(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"cat <<E\nrm -rf /\nE\n", `cat <<E"rm -rf /\n"`},
		{"cat > x <<'E'\n$(rm x) \\$\nE\n", `cat >x <<E"$(rm x) \\$\n"`},
		{"cat <<E\na $(rm x) \\$(rm y) $Z\nE\n", `$() > rm x @substitution; cat <<E"a $(rm x) $(rm y) $Z\n"`},
		{"cat <<-E\n\t\ta\n\tE\n", `cat <<-E"a\n"`},
		{"cat <<\\E\n`rm x`\nE\nls", "cat <<E\"`rm x`\\n\"; ls"},
		{"bash <<E\nrm x\nE\n", `bash <<E"rm x\n"; bash < > rm x`},
		{"sudo sh -s <<'E'\nrm $X\nE\n", `sudo sh -s <<E"rm $X\n"; sudo > sh -s <<E"rm $X\n"; sudo > sh < > rm $X*`},
		{"bash <<E\nrm $X\nE\n", `bash <<E"rm $X\n"; bash < > ?rm $X` + "\n" + `; bash < > rm $X*`},
		{"cat <<E | sh\nrm x\nE\n", `cat <<E"rm x\n" @pipe; sh @pipe; sh < > rm x @pipe`},
		{"bash script <<E\nrm x\nE\n", `bash script <<E"rm x\n"`},
		{"git commit -F - <<E\nrm -rf /\nE\n", `git commit -F - <<E"rm -rf /\n"`},
		{"git commit -m \"$(cat <<'E'\nrm -rf / $(x)\nE\n)\"", "$() > cat <<E\"rm -rf / $(x)\\n\" @substitution; git commit -m \"rm -rf / $(x)\""},
		{"r\\\nm x", "rm x"},
		{"echo a \\\n  b # c\nls", "echo a b; ls"},
	} {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPosition(t *testing.T) {
	line := Parse("ls |\n  sudo rm x; bash -c 'a\nb'", Options{})
	var got string
	for _, c := range line.Commands {
		got += fmt.Sprintf("%s %d:%d pipe %d\n", c.Name, c.Line, c.Column, c.Pipe)
	}
	want := "ls 1:1 pipe 1\nsudo 2:3 pipe 1\nrm 2:8 pipe 1\nbash 2:14 pipe 0\na 2:22 pipe 0\nb 2:22 pipe 0\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		text string
		want Word
	}{
		{"a", Word{Text: "a"}},
		{`\a`, Word{Text: "a", Quoted: true}},
		{`"a"`, Word{Text: "a", Quoted: true}},
		{`a''`, Word{Text: "a", Quoted: true}},
		{`a$B`, Word{Text: "a$B", Dynamic: true}},
		{`"$B"*`, Word{Text: "$B*", Dynamic: true, Quoted: true, Glob: true}},
		{`'*'`, Word{Text: "*", Quoted: true}},
		{`\*?`, Word{Text: "*?", Quoted: true, Glob: true}},
		{`[`, Word{Text: "["}},
		{`[]`, Word{Text: "[]"}},
		{`["ab"]`, Word{Text: "[ab]", Quoted: true, Glob: true}},
		{`~`, Word{Text: "~", Home: true}},
		{`~/a`, Word{Text: "~/a", Home: true}},
		{`~bob/a`, Word{Text: "~bob/a", Home: true}},
		{`"~"/a`, Word{Text: "~/a", Quoted: true}},
		{`a/~`, Word{Text: "a/~"}},
		{`!(a)`, Word{Text: "!(a)", Glob: true}},
		{`$'\u00e9\xff\e[0m\cA\q'`, Word{Text: "é\xff\x1b[0m\x01\\q", Quoted: true}},
	} {
		got := first("x " + c.text).Args[0]
		if got.lead, got.temporary = "", false; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}
