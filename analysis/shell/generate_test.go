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
