package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/luapattern"
)

// substitution is one call of gsub.
type substitution struct {
	stringCall
	subject string
	p       *luapattern.Pattern
	match   luapattern.Match

	// What stands for a match.
	ask   lua.LValue // the table or function that says it; nil: the text does
	with  string     // the text, with %1 for a capture
	plain bool       // it has no '%'

	out    output
	copied int // how much of the subject is in out, replaced or not
}

func stringGsub(L *lua.LState) int {
	g := substitution{stringCall: stringCallOf(L, "gsub"), out: output{L: L}}
	g.subject = g.text(1)
	pattern := g.text(2)
	g.readReplacement()
	limit := g.integerOr(4, len(g.subject)+1)
	g.p = g.pattern(pattern, true)
	n := 0
	for at := 0; n < limit && g.p.Find(&g.match, g.subject, at, g.meter()); {
		n++
		g.replace()
		if at = g.match.End; at == g.match.Start {
			at++
		}
		if at > len(g.subject) || g.p.Anchored() {
			break
		}
	}
	if g.copied == 0 && g.out.text.Len() == 0 {
		g.giveSubject(g.subject)
	} else {
		g.out.write(g.subject[g.copied:])
		g.giveText(g.out.text.String())
	}
	L.Push(numberValue(n))
	return 2
}

// readReplacement reads argument 3.
func (g *substitution) readReplacement() {
	v := g.Get(3)
	switch v.Type() {
	case lua.LTTable, lua.LTFunction:
		g.ask = v
		return
	}
	text, ok := plainText(v)
	if !ok {
		g.wrongType(3, "string/function/table")
	}
	g.with, g.plain = text, !strings.Contains(text, "%")
}

// replace puts what stands for the match into out.
func (g *substitution) replace() {
	if g.ask == nil {
		g.begin(len(g.with))
		if g.plain {
			g.out.write(g.with)
		} else {
			g.expand()
		}
		return
	}
	v := g.asked()
	if lua.LVIsFalse(v) {
		return // the match stays
	}
	text, ok := plainText(v)
	if !ok {
		g.RaiseError("invalid replacement value (a %s)", typeName(v))
	}
	g.begin(len(text))
	g.out.write(text)
}

// begin copies what comes before the match and makes room for a first replacement of
// so many bytes.
func (g *substitution) begin(bytes int) {
	if g.copied == 0 && g.out.text.Cap() == 0 {
		g.out.reserve(len(g.subject) + bytes)
	}
	g.out.write(g.subject[g.copied:g.match.Start])
	g.copied = g.match.End
}

// asked is what the table has, or the function says, for the match.
func (g *substitution) asked() lua.LValue {
	Spend(g.LState, 4)
	if g.ask.Type() == lua.LTTable {
		return g.GetTable(g.ask, capture(g.p, &g.match, g.subject, 0))
	}
	g.Push(g.ask)
	g.Call(g.pushCaptures(g.p, &g.match, g.subject), 1)
	v := g.Get(-1)
	g.Pop(1)
	return v
}

// expand writes the replacement text with the captures that it names. A '%' before
// anything but a digit or another one stands for itself.
func (g *substitution) expand() {
	rest := g.with
	for {
		i := strings.IndexByte(rest, '%')
		if i < 0 || i+1 == len(rest) {
			g.out.write(rest)
			return
		}
		g.out.write(rest[:i])
		switch b := rest[i+1]; {
		case b == '0':
			g.out.write(g.subject[g.match.Start:g.match.End])
		case b >= '1' && b <= '9':
			g.writeCapture(int(b - '1'))
		case b == '%':
			g.out.writeByte('%')
		default:
			g.out.write(rest[i : i+2])
		}
		Spend(g.LState, 2)
		rest = rest[i+2:]
	}
}

func (g *substitution) writeCapture(i int) {
	if i >= max(g.p.Captures(), 1) {
		g.RaiseError("invalid capture index")
	}
	text, _ := plainText(capture(g.p, &g.match, g.subject, i))
	g.out.write(text)
}
