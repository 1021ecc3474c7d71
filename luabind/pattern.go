package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/luapattern"
)

// patternMeter charges a state for what the matcher does. It is the state itself, so
// that it needs no room of its own.
type patternMeter lua.LState

// stepsPerUnit is how many of the matcher's steps take as long as one instruction.
const stepsPerUnit = 4

func (m *patternMeter) Step(steps int) {
	Spend((*lua.LState)(m), (steps+stepsPerUnit-1)/stepsPerUnit)
}

func (c arguments) meter() *patternMeter { return (*patternMeter)(c.LState) }

// Index is where s has part, from the byte at from on; -1: nowhere. It is for library
// functions that look for a text which the script gives: strings.Index, and what of
// package strings calls it, takes time by the product of both texts where the script
// makes their hashes collide. It charges as it goes.
func Index(L *lua.LState, s, part string, from int) int {
	return luapattern.Index(s, part, from, (*patternMeter)(L))
}

// patterns are the compiled patterns that a state keeps, by their text.
type patterns map[string]*luapattern.Pattern

// Bounds of what a state keeps.
const (
	maxPatterns    = 64
	maxPatternText = 96 // longer ones are compiled each time
)

func patternsOf(L *lua.LState) patterns {
	s := stateOf(L)
	if s.patterns == nil {
		s.patterns = patterns{}
	}
	return s.patterns
}

// pattern compiles text; anchors says whether a '^' is one.
func (c arguments) pattern(text string, anchors bool) *luapattern.Pattern {
	p, err := c.compiled(text, anchors)
	if err != nil {
		c.RaiseError("%s", err)
	}
	return p
}

func (c arguments) compiled(text string, anchors bool) (*luapattern.Pattern, error) {
	keep := len(text) <= maxPatternText && (anchors || !strings.HasPrefix(text, "^"))
	var kept patterns
	if keep {
		kept = patternsOf(c.LState)
		if p := kept[text]; p != nil {
			return p, nil
		}
		text = strings.Clone(text) // it may be part of something long
	} else {
		Allocate(c.LState, 2*len(text))
	}
	p, err := luapattern.Compile(text, anchors, c.meter())
	if err != nil {
		return nil, err
	}
	if keep {
		if len(kept) == maxPatterns {
			clear(kept)
		}
		kept[text] = p
	}
	return p, nil
}

// shortText is up to how many bytes of text are gone through within one instruction.
const shortText = 64

func stringFind(L *lua.LState) int { return arguments{L, "find"}.search(true) }

func stringMatch(L *lua.LState) int { return arguments{L, "match"}.search(false) }

// stringHas is string.find(s, part, 1, true) for who wants to know no more than whether s has part:
// true, or nil.
func stringHas(L *lua.LState) int {
	c := arguments{L, "find"}
	if c.indexOf(c.text(1), c.text(2), 0) < 0 {
		return c.give(lua.LNil)
	}
	return c.give(lua.LTrue)
}

// has is s:find(part, 1, true) likewise. Of what is no text, it is the method find that is called.
func has(L *lua.LState) int {
	subject := L.Get(1)
	if subject.Type() == lua.LTString {
		return stringHas(L)
	}
	L.Push(L.GetField(subject, "find"))
	L.Push(subject)
	L.Push(L.Get(2))
	L.Push(lua.LNumber(1))
	L.Push(lua.LTrue)
	L.Call(4, 1)
	return 1
}

// indexOf is where subject has text, from a byte on; -1: nowhere.
func (c arguments) indexOf(subject, text string, from int) int {
	if len(subject) > shortText || len(text) > shortText {
		return luapattern.Index(subject, text, from, c.meter())
	}
	if i := strings.Index(subject[from:], text); i >= 0 {
		return from + i
	}
	return -1
}

// search is find and match, which differ in what they return.
func (c arguments) search(positions bool) int {
	subject, text := c.text(1), c.text(2)
	from := 0
	if n, ok := c.Get(3).(lua.LNumber); !ok || n != 1 { // which is what stands before a plain search
		from = min(max(c.positionOr(3, 1, subject)-1, 0), len(subject))
	}
	if positions && (lua.LVAsBool(c.Get(4)) || len(text) > maxPatternText && !strings.ContainsAny(text, "^$*+?.([%-")) {
		i := c.indexOf(subject, text, from)
		if i < 0 {
			c.Push(lua.LNil)
			return 1
		}
		c.Push(numberValue(i + 1))
		c.Push(numberValue(i + len(text)))
		return 2
	}
	p := c.pattern(text, true)
	var m luapattern.Match
	if !p.Find(&m, subject, from, c.meter()) {
		c.Push(lua.LNil)
		return 1
	}
	if !positions {
		return c.pushCaptures(p, &m, subject)
	}
	c.Push(numberValue(m.Start + 1))
	c.Push(numberValue(m.End))
	if p.Captures() == 0 {
		return 2
	}
	return 2 + c.pushCaptures(p, &m, subject)
}

// pushCaptures pushes the captures, or the whole match where there are none.
func (c arguments) pushCaptures(p *luapattern.Pattern, m *luapattern.Match, subject string) int {
	n := max(p.Captures(), 1)
	for i := range n {
		c.Push(capture(p, m, subject, i))
	}
	return n
}

// capture is capture i, from 0; of a pattern without captures, capture 0 is the whole
// match.
func capture(p *luapattern.Pattern, m *luapattern.Match, subject string, i int) lua.LValue {
	if p.Captures() == 0 {
		return textValue(subject[m.Start:m.End])
	}
	start, end := m.Capture(i)
	if p.IsPosition(i) {
		return numberValue(start + 1)
	}
	return textValue(subject[start:end])
}

// stringGmatch looks for one match at a time, when it is asked for.
func stringGmatch(L *lua.LState) int {
	c := arguments{L, "gmatch"}
	subject := c.text(1)
	p := c.pattern(c.text(2), false)
	at := 0
	L.Push(L.NewFunction(guarded("gmatch", func(L *lua.LState) int {
		c := arguments{L, "gmatch"}
		var m luapattern.Match
		if at > len(subject) || !p.Find(&m, subject, at, c.meter()) {
			at = len(subject) + 1
			L.Push(lua.LNil)
			return 1
		}
		at = m.End
		if m.Start == m.End {
			at++
		}
		return c.pushCaptures(p, &m, subject)
	})))
	return 1
}

// substitution is one call of gsub.
type substitution struct {
	arguments
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
	g := substitution{arguments: arguments{L, "gsub"}, out: output{L: L}}
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
