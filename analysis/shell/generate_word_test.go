package shell

import "strings"

// value is a word that is no more than a text, for assignments.
func (g *generator) value() string {
	return g.pick("x", "abc", "/tmp/x", "-rf", `"a b"`, `'x  y'`, "a,b", "''", `"*"`, "7", "axb", `$'t\tu'`, "a.tar.gz", "~", "/", `"-x -y"`, "1")
}

func (g *generator) values(n int) string {
	var all []string
	for range g.number(n + 1) {
		all = append(all, g.value())
	}
	return strings.Join(all, " ")
}

func (g *generator) variable() string { return g.pick("a", "b", "c", "a", "1", "2") }

// parameter is an expansion of one, without quotes.
func (g *generator) parameter() string {
	v := g.variable()
	switch form := g.number(30); form {
	case 0, 1, 2, 3, 4, 5:
		return "$" + v
	case 6, 7:
		return "${" + v + "}"
	case 8:
		return "${" + v + g.pick(":-", "-", ":+", "+") + g.pick("d", "/", "$b", `"q r"`, "") + "}"
	case 9:
		return "${u" + g.pick(":-", "-", ":+", "+", ":=") + g.pick("d", "/", "$b", "${c:-e}", "$(printf s)") + "}"
	case 10:
		return "${" + v + g.pick("#a", "##*/", "#*b", "%b", "%%.*", "%/*", "%.gz", "#-", "##?") + "}"
	case 11:
		return "${" + v + g.pick("/a/z", "//a/z", "/x", "//[ab]/-", "/#a/z", "/%c/z", "//,/ ") + "}"
	case 12:
		return "${" + v + g.pick(":1", ":0:1", ":1:2", ": -1", ":0:-1") + "}"
	case 13:
		return "${#" + v + "}"
	case 14:
		return "${" + v + g.pick("^^", "^", ",,", ",") + "}"
	case 15:
		return "${!n}"
	case 16, 17:
		return g.pick("${r[@]}", "${r[*]}", "${r[0]}", "${r[1]}", "$r", "${#r[@]}", "${r[@]:1}", "${r[-1]}", "${r[@]#a}", "${!r[@]}")
	case 18, 19:
		return g.pick("$@", "$*", "$#", "${@:2}", "${*:1:1}", "${@: -1}")
	default:
		return "$" + g.pick("a", "b", "c", "p", "1")
	}
}

// inner is a part of a text in double quotes.
func (g *generator) inner() string {
	return g.pick(g.parameter(), g.parameter(), g.parameter(), "t", " ", "'", `\"`, `\$x`, `\\`, "*", "{a,b}", "~", "$((1+2))", "$(printf '%s\n' in)")
}

func (g *generator) word() string {
	switch g.number(22) {
	case 0, 1, 2, 3:
		return g.pick("-rf", "x", "/", "/tmp/y", "--", "-x=1", "a=b", "k:v", "@", "a,b", "%s", "^", "]", "!", "if", "{}", "x#y", "+f")
	case 4:
		return Quote(g.pick("", "s q", "it's", "$a", "*", `"`, "a\nb", "#", "~", "{a,b}", "`x`", `\`, ";"))
	case 5, 6:
		return `"` + g.inner() + g.inner() + `"`
	case 7:
		return "$'" + g.pick(`\x41`, `a\nb`, `\'`, `\101`, `\u0042`, `\t`, `\\`, `"`, `\e`, `\q`, `\cA`) + "'"
	case 8:
		return g.pick(`a\ b`, `\*`, `\$a`, `\"`, `\~`, `a\\b`, `\{a,b}`, `\;`, `x\'y`)
	case 9, 10, 11, 12:
		return g.parameter()
	case 13, 14, 15:
		return `"` + g.parameter() + `"`
	case 16:
		return g.pick("{a,b}", "x{1,2}y", "{1..3}", "{a,}", "{a,{b,c}}", "{03..01}", `{"a b",c}`, "{$a,z}", "{a..c}{1,2}", "{x}", "{a,b")
	case 17:
		return g.substitution()
	case 18:
		return `"` + g.substitution() + `"`
	case 19:
		return g.pick("$((1+2))", "$((2*3))", `"$((7/2))"`, "$((16#f))", "$((1<2))", "$(( (1+2)*3 ))", "$((-7%3))", "$((2**5))", "$((1?5:6))")
	case 20:
		return g.pick("~", "~/x", `"~"`, "*.none", "?", "[ab]", "a~", "/x:~", "x=~")
	default:
		return g.pick("p", "", "x") + g.pick("$a", `"$b"`, "${c}", "'q'", `\ `, "$(printf m)") + g.pick("s", "", "$b", `"$1"`)
	}
}

// substitution is one of commands that only write.
func (g *generator) substitution() string {
	text := g.pick("printf o", "echo one two", `echo "$a"`, `printf '%s\n' "$b" z`, "echo -n k", `printf '%s-' 1 2`, `printf '%03d' 7`, "echo", `echo "a   b"`,
		`echo $(echo deep)`, "printf 'a\\n\\n'", "true", "zap s", `echo $@`, `printf %s "$1"`, "echo -e 'x\\ty'", "printf '%b' 'm\\tn'", "echo a; echo b",
		"a=sub; echo $a", "cat <<< here", "printf '\\x7a\\141p'", `echo "${a#x}"`)
	if g.chance(25) && !strings.Contains(text, "\\") && !strings.Contains(text, "$(") {
		return "`" + text + "`"
	}
	return "$(" + text + ")"
}

// assigned is a word that isn't split.
func (g *generator) assigned() string {
	if g.chance(40) {
		return g.value()
	}
	return g.pick(g.parameter(), `"`+g.parameter()+`"`, g.substitution(), "x$a", `"$a $b"`, "$((1+2))", "{a,b}", "*", "~/h", `$'\x41 b'`)
}

func (g *generator) words(n int) string {
	var all []string
	for range g.number(n + 1) {
		all = append(all, g.word())
	}
	return strings.Join(all, " ")
}

// elements are those of an array. A pattern in brackets would be read as a
// subscript there.
func (g *generator) elements(n int) string {
	return strings.ReplaceAll(g.words(n), "[ab]", "?")
}
