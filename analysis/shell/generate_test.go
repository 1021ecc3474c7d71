package shell

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// piece is a statement, with the here-documents that follow its line.
type piece struct{ text, documents string }

// generator makes lines that end: what is called (a function, a script, an
// alias) has a level, and only calls what is below.
type generator struct {
	t      *rapid.T
	budget int // statements that may still be made
	depth  int
	level  int  // what may be called is below this
	names  int  // for delimiters and counters
	loops  int  // how many this is in
	called bool // this is in a function
}

// generateLine makes a line of several statements.
func generateLine(t *rapid.T) string {
	g := &generator{t: t, budget: rapid.IntRange(1, 9).Draw(t, "size"), level: 4}
	var list []piece
	if g.chance(85) { // else most words are unknown
		list = append(list,
			piece{text: "a=" + g.value() + " b=" + g.value() + " c=" + g.value()},
			piece{text: "p=" + g.pick("zap", "wipe", "prog1") + " n=" + g.pick("a", "b", "c")},
			piece{text: "r=(" + g.values(3) + ")"},
			piece{text: "set -- " + g.values(3)})
	}
	if g.chance(10) {
		list = append(list, piece{text: "IFS=" + g.pick(",", "':'", `$' \t'`, "''", "/")})
	}
	for g.budget > 0 {
		list = append(list, g.statement())
	}
	return g.join(list)
}

func (g *generator) number(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "n") }

func (g *generator) chance(percent int) bool { return g.number(100) >= 100-percent }

func (g *generator) pick(options ...string) string { return options[g.number(len(options))] }

// join writes a list of statements.
func (g *generator) join(list []piece) string {
	var b strings.Builder
	for i, p := range list {
		b.WriteString(p.text)
		switch {
		case p.documents != "":
			b.WriteString("\n" + p.documents)
		case i+1 == len(list):
		case strings.HasSuffix(p.text, "&"):
			b.WriteString(" ")
		default:
			b.WriteString(g.pick("; ", "; ", "\n"))
		}
	}
	return b.String()
}

// body makes a short list with what must close it on a line of its own.
func (g *generator) body() string {
	g.depth++
	defer func() { g.depth-- }()
	list := []piece{g.statement()}
	for g.budget > 0 && g.chance(40) {
		list = append(list, g.statement())
	}
	text := g.join(list)
	if strings.HasSuffix(text, "\n") {
		return text
	}
	if strings.HasSuffix(text, "&") {
		return text + " "
	}
	return text + g.pick("; ", "\n")
}

// below makes what one that is called does.
func (g *generator) below(level int, function bool) string {
	inner := *g
	inner.level, inner.loops, inner.called = level, 0, function
	text := inner.body()
	g.budget, g.names = inner.budget, inner.names
	return text
}

// text is a nested text for a shell of its own.
func (g *generator) text() string {
	inner := *g
	inner.loops, inner.called = 0, false
	text := inner.body()
	g.budget, g.names = inner.budget, inner.names
	return strings.TrimRight(text, "; ")
}

func (g *generator) statement() piece {
	g.budget--
	if g.depth > 4 || g.chance(35) {
		return g.command()
	}
	kinds := []func() piece{
		g.assignment, g.assignment, g.list, g.pipeline, g.group, g.branch, g.choice, g.loop, g.reading,
		g.function, g.function, g.eval, g.shell, g.shell, g.script, g.script, g.alias, g.builtin, g.builtin, g.builtin,
		g.wrapped, g.wrapped, g.folder, g.trap, g.background, g.child,
	}
	return kinds[g.number(len(kinds))]()
}

// program is a word or words that name a stand-in.
func (g *generator) program() string {
	return g.pick("zap", "wipe", "prog1", "prog2", "zap", "nope", `\zap`, `"wipe"`, `w''ipe`, "$'\\x7aap'", "$p", `"$p"`, "${p}",
		"$(printf zap)", "`echo wipe`", "{zap,-x}", `"$(echo prog1)"`, "${u:-zap}", `za"p"`, "$(printf '%s' pro)g2", `$(echo "$p")`)
}

func (g *generator) command() piece {
	text := g.program()
	if g.chance(10) {
		text = g.pick("a", "b", "z") + "=" + g.value() + " " + text
	}
	for range g.number(4) {
		text += " " + g.word()
	}
	if g.chance(5) {
		text += g.pick(" >out", " 2>/dev/null", " </dev/null", " >/dev/null 2>&1")
	}
	return piece{text: text}
}

func (g *generator) assignment() piece {
	v := g.pick("a", "b", "c")
	text := v + g.pick("=", "=", "=", "+=") + g.assigned()
	switch g.number(9) {
	case 0:
		text = "r=(" + g.elements(3) + ")"
	case 1:
		text = "r+=(" + g.elements(2) + ")"
	case 2:
		text = "r[" + g.pick("0", "1", "5", "1+1") + "]=" + g.assigned()
	case 3:
		text = g.pick("export ", "declare ", "typeset ", "declare -x ", "declare -- ") + text
		text = strings.Replace(text, "+=", "=", 1)
	case 4:
		text += " " + g.pick("a", "b", "c") + "=" + g.assigned()
	case 5:
		text = "n=" + g.pick("a", "b", "c", "p")
	case 6:
		if g.depth < 2 {
			text = "p=" + g.pick("zap", "wipe", "burn", `"prog1"`, "$(printf zap)", "${u:-wipe}", "'zap -q'")
		}
	}
	return piece{text: text}
}

// condition is a statement whose status isn't interesting.
func (g *generator) condition() string {
	return g.pick("true", "false", "zap q", "nope", "[ -n \"$a\" ]", "[[ $a == x* ]]", "((1 < 2))", "test -e none", "! true", `[[ -z "$b" ]]`, "a=cond", ":")
}

func (g *generator) list() piece {
	left, right := g.command(), g.statement()
	if g.chance(40) {
		left = piece{text: g.condition()}
	}
	left = g.before(left, right)
	return piece{left.text + g.pick(" && ", " || ") + right.text, left.documents + right.documents}
}

// before returns what can stand on a line before right: not a statement whose
// here-document would begin in the middle of right.
func (g *generator) before(left, right piece) piece {
	if left.documents != "" && strings.Contains(right.text, "\n") {
		return g.command()
	}
	return left
}

func (g *generator) pipeline() piece {
	left, right := g.statement(), g.statement()
	if strings.HasSuffix(left.text, "&") {
		left.text = "{ " + left.text + " }"
	}
	if strings.HasPrefix(right.text, "time") || strings.HasPrefix(right.text, "!") {
		right.text = "{ " + right.text + "; }"
	}
	left = g.before(left, right)
	return piece{left.text + " | " + right.text, left.documents + right.documents}
}

func (g *generator) group() piece {
	open, end := "{ ", "}"
	if g.chance(50) {
		open, end = "( ", ")"
	}
	body := g.body()
	if open == "( " && g.chance(15) {
		body = "exit 0; " + body
	}
	return piece{text: g.pick("", "", "", "time ") + open + body + end + g.pick("", "", "", " 2>/dev/null", " </dev/null")}
}

func (g *generator) branch() piece {
	text := "if " + g.condition() + "; then " + g.body()
	if g.chance(40) {
		text += "elif " + g.condition() + "; then " + g.body()
	}
	if g.chance(50) {
		text += "else " + g.body()
	}
	return piece{text: text + "fi"}
}

func (g *generator) choice() piece {
	text := "case " + g.pick("$a", `"$b"`, "x", "$1", `"$(printf x)"`) + " in "
	for range 1 + g.number(3) {
		text += g.pick("x", "a*", "(abc", "*", "x|y", "''", `"$c"`, "[a-z]") + ") " + g.body() + g.pick(";;", ";;", ";;", ";&", ";;&") + "\n"
	}
	return piece{text: text + "esac"}
}

func (g *generator) loop() piece {
	g.loops++
	defer func() { g.loops-- }()
	g.names++
	counter := fmt.Sprintf("i%d", g.names)
	leave := ""
	if g.chance(12) {
		leave = g.pick("break; ", "continue; ", "zap $a && break; ", "[ \"$a\" ] || continue; ", "break 9; ")
	}
	use := g.pick("", "", "zap $v; ", "a=$v; ", `wipe "$v"; `, "c+=$v; ")
	switch g.number(6) {
	case 0, 1:
		return piece{text: "for v in " + g.words(3) + "; do " + use + leave + g.body() + "done"}
	case 2:
		return piece{text: "for v" + g.pick("", ` in "$@"`) + "; do " + use + g.body() + leave + "done"}
	case 3:
		return piece{text: fmt.Sprintf("for ((%s=0; %s<2; %s++)); do zap $%s; %s%sdone", counter, counter, counter, counter, leave, g.body())}
	case 4:
		return piece{text: fmt.Sprintf("%s=0; while [ $%s -lt 2 ]; do %s=$((%s+1)); %s%sdone", counter, counter, counter, counter, g.body(), leave)}
	default:
		return piece{text: fmt.Sprintf("until %s; do %s break; done", g.pick("false", "nope", "[ -z \"$a\" ]"), g.body())}
	}
}

// reading is a loop or a command that reads.
func (g *generator) reading() piece {
	text := g.pick(`'x y z'`, `"$a"`, "$'l1 m\\nl2'", "one", `"$a,$b"`)
	switch g.number(6) {
	case 0:
		return piece{text: "while " + g.pick("", "IFS=, ", "IFS= ") + "read -r " + g.pick("a", "a b", "v") + "; do zap $a \"$v\"; " + g.body() + "done <<< " + text}
	case 1:
		return piece{text: g.pick("echo x y", "printf 'k\\nl\\n'", `printf '%s\n' "$@"`, "zap s") + " | while read v; do wipe $v; a=$v; " + g.body() + "done"}
	case 2:
		return piece{text: g.pick("", "IFS=, ", "IFS=: ") + "read " + g.pick("", "-r ") + g.pick("a", "a b", "b c a", "-a r") + " <<< " + text}
	case 3:
		return piece{text: g.pick("mapfile -t r", "readarray r", "mapfile -t -n 1 r") + " <<< " + text}
	case 4:
		return piece{text: "printf -v " + g.pick("a", "b", "c") + " " + g.pick("%s ", "'%s-%s' ", "'%d' 7 ", "k ") + g.word()}
	default:
		g.names++
		end := fmt.Sprintf("D%d", g.names)
		return piece{"read a b <<" + g.pick(end, "'"+end+"'", "-"+end), g.pick("$b $c\n", "plain text\n", "\n") + end + "\n"}
	}
}

func (g *generator) function() piece {
	if g.level < 1 {
		return g.command()
	}
	level := g.number(g.level)
	name := fmt.Sprintf("f%d", level)
	if g.chance(15) {
		name = "prog2" // in place of a program; it calls what is below all
		level = 0
	}
	head := g.pick(name+"() ", "function "+name+" ", "function "+name+"() ")
	local := g.pick("", "", "local a=$1; ", "local a b=loc; ", "local -r l=5; ", "a=$1; ", "shift; ", "declare c=dec; ", "local p=wipe; ")
	leave := g.pick("", "", "", "", "return; ", "zap r && return 1; ")
	body := strings.ReplaceAll(g.below(level, true), "prog2", "prog1")
	open, end := "{ ", "}"
	if g.chance(15) {
		open, end = "( ", ")"
		head = name + "() "
	}
	text := head + open + local + g.pick("", `zap "$@"; `, "wipe $#; ", `zap "$1" $a; `) + leave + body + end
	for range g.number(3) {
		text += g.pick("; ", "\n") + g.pick("", "", "", "a=pre ") + name + " " + g.words(2)
	}
	if g.chance(10) {
		text += g.pick("; unset -f ", "; command ", "; unset ") + name + "\n" + name + " after"
	}
	return piece{text: text}
}

// written is a text as a word.
func (g *generator) written(text string) string {
	switch g.number(4) {
	case 0:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
	case 1:
		return "$'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(text) + "'"
	default:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
}

// printed is a command that writes a text.
func (g *generator) printed(text string) string {
	if strings.ContainsAny(text, `\`) { // one echo keeps backslashes, another doesn't
		return g.pick("printf '%s\n' ", "printf %s ") + g.written(text)
	}
	return g.pick("echo ", "echo -n ", "printf '%s\n' ", "printf %s ") + g.written(text)
}

func (g *generator) document(text string) (open, rest string) {
	g.names++
	end := fmt.Sprintf("E%d", g.names)
	text = strings.TrimSuffix(text, "\n") + "\n"
	switch g.number(4) {
	case 0:
		return "<<" + end, strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`").Replace(text) + end + "\n"
	case 1:
		return `<<"` + end + `"`, text + end + "\n"
	default:
		return "<<'" + end + "'", text + end + "\n"
	}
}

func (g *generator) eval() piece {
	switch g.number(4) {
	case 0:
		return piece{text: "eval " + g.program() + " " + g.pick("", "x", "-rf /", "'$a'", `\"\$b\"`, "$a", "'a b'", `"'a b'"`, "x '; wipe y'")}
	case 1:
		return piece{text: g.pick(`x='zap e'; eval "$x"`, `x='zap "$a"'; eval "$x"`, "eval 'a=$b'; zap $a", `eval "v=\$$n"; zap "$v"`, `eval "$n=ev"`, `x='a=5; zap $a'; eval $x`, "a=tmp eval 'zap $a'")}
	default:
		inner := *g
		text := strings.TrimRight(inner.body(), "; ")
		g.budget, g.names = inner.budget, inner.names
		return piece{text: "eval " + g.written(text)}
	}
}

// shell is a text that another shell runs.
func (g *generator) shell() piece {
	shell := g.pick("bash", "sh", "bash", "bash --norc", "env bash", "command bash", "exec bash")
	if strings.HasPrefix(shell, "exec") && g.depth == 0 {
		shell = "bash"
	}
	switch g.number(7) {
	case 0, 1:
		return piece{text: shell + " -c " + g.written(g.text()) + g.pick("", "", " _ k l", ` _ "$a" $b`, " name", ` _ "$@"`)}
	case 2:
		open, rest := g.document(g.text())
		return piece{shell + g.pick("", "", " -s", " -s k l", " /dev/stdin") + " " + open, rest}
	case 3:
		return piece{text: shell + " <<< " + g.written(g.text())}
	case 4:
		return piece{text: g.printed(g.text()) + " | " + shell}
	case 5:
		g.names++
		end := fmt.Sprintf("E%d", g.names)
		return piece{"bash <<" + end, g.pick("zap $a\n", "zap \"$b\"\n", "zap \\$a $c\n", "a=in; zap $a \\$a\n", "zap $(printf d)\n") + end + "\n"}
	default:
		return piece{text: g.pick(`bash -c "zap $a"`, `bash -c "zap '$b'"`, `bash -c 'zap "$1" $0' "$a" k`, `bash -c "$p x"`, `x='zap y'; bash -c "$x"`, `echo "zap $a" | bash`, `sh -c "$(printf 'zap z')"`)}
	}
}

// script is a file that is written and then run.
func (g *generator) script() piece {
	if g.level < 1 {
		return g.command()
	}
	level := g.number(g.level)
	name := fmt.Sprintf("s%d", level)
	text := g.below(level, false)
	var write piece
	switch g.number(5) {
	case 0:
		write.text = g.printed(text) + " > " + name
	case 1:
		open, rest := g.document(text)
		write = piece{"cat > " + name + " " + open, rest}
	case 2:
		open, rest := g.document(text)
		write = piece{g.pick("tee ", "cat | tee ") + name + g.pick(" ", " >/dev/null ") + open, rest}
		if strings.HasPrefix(write.text, "cat |") {
			write.text = "cat " + open + " | tee " + name
		}
	case 3:
		write.text = "{ echo " + g.pick("zap g", "wipe h") + "; echo " + g.pick("zap i", "'zap $1'") + "; } > " + name
	default:
		write.text = "echo 'zap one' > " + name + "; echo 'wipe two $1' >> " + name
	}
	run := g.pick("sh "+name, "bash ./"+name, ". ./"+name, "source ./"+name+" k", "chmod +x "+name+" && ./"+name+" x", "bash "+name+` "$a" z`, "bash < "+name, "cat "+name+" | sh",
		"cp "+name+" copy"+name+"; sh copy"+name, "mv "+name+" moved"+name+"; bash moved"+name, "sh < "+name, "env bash "+name, `eval "$(cat `+name+`)"`, `bash -c "$(<`+name+`)"`, "x="+name+"; sh $x", "bash \"$PWD/"+name+`"`)
	if write.documents == "" {
		return piece{text: write.text + g.pick("; ", "\n", " && ") + run}
	}
	return piece{text: write.text + "\n" + write.documents + run}
}

func (g *generator) alias() piece {
	value := g.pick("zap -a", "wipe", "prog1 $a", "zap -a; wipe", "command zap ", "f9")
	name := g.pick("al", "prog2", "al")
	return piece{text: "shopt -s expand_aliases\nalias " + name + "='" + value + "'\n" + name + " " + g.words(2) + g.pick("", "", "\nunalias "+name+"\n"+name+" u", "\n\\"+name+" q")}
}

func (g *generator) builtin() piece {
	return piece{text: g.pick("set -- "+g.words(3), "shift", "unset "+g.pick("a", "b", "r", "'r[0]'", "u"), "readonly k=5; k=6; zap $k", "wait", "set -- \"$@\" more", "set a b",
		"export a; bash -c 'zap \"$a\"'", "declare -i m=3+4; zap $m", "let m=2+3; zap $m", "((m=4)); zap $m", "declare -n w=a; zap \"$w\"", "declare -A h=([k]=v); zap ${h[k]}",
		"declare -u up=low; zap $up", "zap \"${a@Q}\"", "shift 2", "set -f; zap *; set +f", "IFS=,; zap $a; IFS=$' \\t\\n'", "getopts ab o -a; zap $o", "m=1; ((m++)); zap $m",
		"hash -p "+g.pick("none", "/nowhere/zap")+" q9; true", "type zap", "zap $(type -t zap)", "x=('z z'); zap \"${x[@]}\"", "a=$p", "export p; sh -c '$p e'", "declare p; $p y",
		"set -o posix; zap; set +o posix", "exec 3<<<'zap fd'; . /dev/fd/3", "local q=1 2>/dev/null; zap", "builtin printf x", "[[ abc =~ b ]] && zap", "printf '%s\\n' zap | xargs -n1 true", "a=${a:-x}; zap $a", ": ${u:=def}; zap $u; unset u", "zap ${x[9]-none}", "zap \"$#\" ${@:1:1}")}
}

func (g *generator) wrapped() piece {
	wrapper := g.pick("env", "command", "nohup", "nice", "nice -n 1", "timeout 9", "timeout -k 1 9", "env a=w", "env -u a", "time", "env -C /", "stdbuf -oL", "setsid -w", "env -S 'zap s'", "flock lock", "nice -5", "command --", "env -- ", "env b=1 a=2")
	switch g.number(6) {
	case 0:
		return piece{text: g.pick("echo x y", "printf '%s\\n' a 'b c'", `echo "$a"`) + " | xargs " + g.pick("", "-n1 ", "-I{} ", "-r ") + g.pick("zap", "wipe {}", "zap -q", "sh -c 'zap \"$@\"' _", "env zap")}
	case 1:
		return piece{text: "( exec " + g.pick("", "-c ", "-l ") + g.pick("zap", "wipe", "prog1") + " " + g.words(2) + " )"}
	case 2:
		return piece{text: g.pick(`find . -maxdepth 0 -exec zap {} \;`, `find . -maxdepth 0 -exec sh -c 'zap "$1"' _ {} +`, "find . -maxdepth 0 -exec wipe -x {} ';'", `find . -maxdepth 0 -execdir zap f \;`)}
	case 3:
		return piece{text: wrapper + " " + g.pick("bash", "sh") + " -c " + g.written(g.text())}
	default:
		return piece{text: wrapper + " " + g.pick("zap", "wipe", "prog1", "env zap", "nice prog2", "$p", `"$p"`) + " " + g.words(3)}
	}
}

// folder changes to one, or runs something in one.
func (g *generator) folder() piece {
	make := "{ mkdir -p d/e; "
	return piece{text: make + g.pick("cd d", "cd d/e", "cd ./d", `cd "$PWD/d"`, "cd; cd work", "cd ~; cd -", "cd d && zap in && cd ..", "pushd d; zap p; popd", "(cd d; zap sub)", "cd d || zap no",
		"x=d; cd $x/e; zap", "cd /; zap root; cd ~/work", "cd -- d; cd - >/dev/null", "cd d/../d; zap", "cd -P d; zap", "env -C d zap", "pushd d; pushd e; popd; zap; popd", "cd d; cd e; cd ../..", "cd $(printf d); zap; cd ..", "cd ~+; zap",
		"(cd nowhere && zap)", "(cd nowhere || zap)", "bash -c 'cd d; zap'; zap", "cd d | zap", "cd d & wait; zap", "CDPATH=d; cd e; zap; unset CDPATH") + "; " + g.pick("zap", `wipe "$PWD"`, "zap $OLDPWD", "prog1") + "; }"}
}

func (g *generator) trap() piece {
	if g.chance(30) {
		return piece{text: g.pick("trap 'zap ret' RETURN", "trap - EXIT", "trap '' INT", "trap 'zap usr' USR1; kill -USR1 $$", "trap 'zap err' ERR; false; trap - ERR", "( trap 'wipe sub' EXIT )")}
	}
	inner := *g
	text := strings.TrimRight(inner.body(), "; ")
	g.budget, g.names = inner.budget, inner.names
	return piece{text: "trap " + g.written(text) + " " + g.pick("EXIT", "0", "exit", "INT EXIT")}
}

func (g *generator) background() piece {
	return piece{text: g.pick("zap bg & wait", "a=bg & wait; zap $a", "{ wipe x; a=9; } & wait", "coproc zap; wait", "(zap x &) ; wait", "zap x & wipe y & wait")}
}

// child is what another program gets from this shell.
func (g *generator) child() piece {
	return piece{text: g.pick(
		"export a; bash -c 'zap \"$a\"'", "a=one bash -c 'zap \"$a\"'", "env a=two sh -c 'zap $a'", "bash -c 'zap $a$b'", "export p=wipe; bash -c '$p c'",
		"(a=sub; zap $a); zap $a", "f() { zap fn; }; export -f f; bash -c f", "unset p; ${p:-zap} d", "export -n a; bash -c 'zap $a'", "set -a; b=auto; set +a; bash -c 'zap $b'",
		"bash -c 'a=7; bash -c \"zap \\$a\"'", "cat <(zap ps)", "zap x > >(cat >/dev/null); wait", "x=$(zap o; echo k); wipe $x", "zap y | cat | wipe z", "diff=$(a=in; zap $a); zap $a",
		"while false; do a=never; done; zap $a", "if false; then p=burn; fi; $p m", "a=1; { a=2; }; zap $a", "a=1; (a=2); zap $a", "a=1 | a=2; zap $a", "echo q | read a; zap $a",
		"false && a=no; zap $a", "true || a=no; zap $a", "! a=neg; zap $a", "a=x; for a in; do :; done; zap $a", "for a in k l; do :; done; zap $a", "case x in y) a=no;; esac; zap $a")}
}

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
