package luabind_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// prelude is what every generated program begins with. T traces values, step is true at every
// k-th call, so that loops end; tick ends a program that runs for long, and call and start one
// that goes deeper than the sandbox lets it. M is %, but for what gopher-lua knows more digits of.
// ordered gives up a list with anything but numbers in it: how long one with gaps is, and what
// becomes of one when a comparison fails halfway, Lua leaves open; likewise which place in a
// text an infinite number means, so P gives those up.
const prelude = `local ticks, calls, starts, steps = 0, 0, 0, {}
local function tick() ticks = ticks + 1 if ticks > 600 then error("boom: no more ticks", 0) end end
local function call() tick() calls = calls + 1 if calls > 40 then error("boom: too many calls", 0) end end
local function start() tick() starts = starts + 1 if starts > 10 then error("boom: too many coroutines", 0) end end
local function reset() calls, starts = 0, 0 end
local function step(id, k) tick() steps[id] = (steps[id] or 0) + 1 return steps[id] % k == 0 end
local function M(a, b) if a - a ~= 0 or b - b ~= 0 or a > 1e9 or a < -1e9 then return 0 end return math.floor(a * 4) / 4 % (math.floor(b * 4) / 4) end
local function P(n) if n - n ~= 0 or n > 1e9 or n < -1e9 then return 1 end return n end
local function ordered(t)
  local n = 0
  for k in pairs(t) do if type(k) == "number" and k > 0 and k == math.floor(k) then n = n + 1 end end
  for i = 1, #t do if type(t[i]) ~= "number" or t[i] ~= t[i] then n = -1 end end
  return n == #t and t or {}
end
local function I(n) n = M(n, 1000) if n ~= n then return "nan" end return string.format("%d", n - n % 1) end
local function show(v, depth)
  if type(v) == "number" then
    if v ~= v then return "nan" elseif v == 0 then return "0" elseif v - v ~= 0 then return v > 0 and "inf" or "-inf" end
    return string.format("%.10g", v)
  elseif type(v) == "string" then return string.format("%q", v)
  elseif type(v) == "table" and depth < 3 then
    local keys, out = {}, {}
    for k in pairs(v) do keys[#keys + 1] = k end
    table.sort(keys, function(a, b) if type(a) == type(b) and type(a) ~= "boolean" then return a < b end return type(a) < type(b) end)
    for i, k in ipairs(keys) do out[i] = show(k, depth + 1) .. "=" .. show(v[k], depth + 1) end
    return "{" .. table.concat(out, ",") .. "}"
  elseif type(v) == "function" or type(v) == "table" or type(v) == "thread" then return type(v) end
  return tostring(v)
end
local function T(...)
  local out = { n = select("#", ...), ... }
  for i = 1, out.n do out[i] = show(out[i], 0) end
  probe.trace(table.concat(out, " "))
end
local function E(e)
  if type(e) ~= "string" then return e end
  if e:find("boom", 1, true) then return e end
  return e:match("^p:%d+:") or "an error"
end
`

// node is a statement: text and lists of statements in turns.
type node struct {
	parts []any // string or *[]*node
}

func stmt(parts ...any) *node {
	n := &node{}
	for _, p := range parts {
		if list, ok := p.([]*node); ok {
			p = &list
		}
		n.parts = append(n.parts, p)
	}
	return n
}

func (n *node) source() string {
	var b strings.Builder
	b.WriteString(prelude)
	n.write(&b, "")
	return b.String()
}

func (n *node) write(b *strings.Builder, indent string) {
	for i, p := range n.parts {
		switch p := p.(type) {
		case string:
			if i > 0 {
				b.WriteString(indent)
			}
			b.WriteString(p + "\n")
		case *[]*node:
			for _, inner := range *p {
				b.WriteString(indent + " ")
				inner.write(b, indent+" ")
			}
		}
	}
}

// lists calls f with each list of statements in it.
func (n *node) lists(f func(*[]*node)) {
	for _, p := range n.parts {
		if list, ok := p.(*[]*node); ok {
			f(list)
			for _, inner := range *list {
				inner.lists(f)
			}
		}
	}
}

// generator makes a program. The first letter of a variable's name is its kind: n is a
// number, s a string, t a list of numbers, f a function of two numbers that returns one or two,
// o an object with a field v and methods, v is anything.
type generator struct {
	*rand.Rand
	visible []string // locals, the last ones innermost
	loops   int      // around, in this function
	yields  bool     // in the body of a coroutine
	dots    bool
	jumps   bool
	inside  int // functions around
	depth   int
	size    int // statements that may still come
	ids     int
	labels  []string // that a goto may lead to from here, all at the end of blocks around
}

func generate(seed uint64, jumps bool) *node {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 51)), jumps: jumps, size: 60}
	var body []*node
	body = append(body, stmt("n8, s8, v8 = 8, 'global', nil"))
	g.visible = append(g.visible, "n8", "s8", "v8")
	for _, name := range []string{"n1", "n2", "s1", "t1", "f1", "v1"} {
		body = append(body, g.declare(name))
	}
	if g.IntN(12) == 0 { // constants beyond those that fit into an instruction
		body = append(body, g.constants())
	}
	for range 8 {
		body = append(body, stmt("reset()"))
		body = append(body, g.block(2)...)
	}
	var rest []string
	for _, name := range g.names("nstvof") {
		if name[0] == 'f' {
			name += "(1, 2)"
		}
		rest = append(rest, name)
	}
	body = append(body, stmt("T('end', "+strings.Join(rest, ", ")+")"))
	return stmt(body)
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) id() int { g.ids++; return g.ids }

// names are the visible locals of some kinds, each once.
func (g *generator) names(kinds string) []string {
	var list []string
	for _, name := range g.visible {
		if strings.ContainsRune(kinds, rune(name[0])) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

func (g *generator) name(kind string) (string, bool) {
	list := g.names(kind)
	if len(list) == 0 {
		return "", false
	}
	return list[g.IntN(len(list))], true
}

func (g *generator) newName(kinds string) string {
	return string(kinds[g.IntN(len(kinds))]) + fmt.Sprint(1+g.IntN(4))
}

// ---- Expressions

func (g *generator) deeper(f func() string) string {
	g.depth++
	defer func() { g.depth-- }()
	return f()
}

func (g *generator) number() string {
	if g.depth > 4 {
		return fmt.Sprint(1 + g.IntN(9))
	}
	return g.deeper(func() string {
		switch g.IntN(22) {
		case 0, 1, 2, 3, 4:
			return fmt.Sprint(g.IntN(10))
		case 5, 6, 7, 8, 9, 10:
			if name, ok := g.name("n"); ok {
				return name
			}
		case 12:
			return "(" + g.number() + g.one(" + ", " - ", " * ", " / ") + g.number() + ")"
		case 11:
			return "M(" + g.number() + ", " + g.number() + ")"
		case 13:
			return g.number() + g.one(" + ", " - ", " * ") + g.number() + g.one(" + ", " - ") + g.number()
		case 14:
			return "#" + g.one("("+g.text()+")", g.list())
		case 15:
			return "(" + g.condition() + " and " + g.number() + " or " + g.number() + ")"
		case 16:
			if f, ok := g.name("f"); ok {
				return f + "(" + g.number() + ", " + g.number() + ")"
			}
		case 17:
			return "math." + g.one("floor", "abs", "max", "min", "ceil") + "(" + g.number() + ", 3)"
		case 18:
			return "(" + g.list() + "[" + g.number() + "] or " + g.number() + ")"
		case 19:
			if o, ok := g.name("o"); ok {
				return g.one(o+".v", o+":get()", o+":add("+g.number()+").v", o+".get("+o+")")
			}
		case 20:
			return g.one("-"+g.one("1", "2", "(3)", "2 ^ 2"), "(2 ^ "+g.one("3", "0.5")+")", "0x1F", "1e2", ".5", "3.25", "(tonumber("+g.one("'12'", "' 7 '", "'z', 36", "'x'", "'0x10'")+") or 1)")
		case 21:
			if g.dots {
				return g.one("select('#', ...)", "((...) or 1)", "#{ ... }")
			}
		}
		return fmt.Sprint(g.IntN(10))
	})
}

func (g *generator) text() string {
	if g.depth > 4 {
		return g.one("'a'", "'bc'", "''")
	}
	return g.deeper(func() string {
		switch g.IntN(14) {
		case 0, 1, 2:
			return g.one("'a'", "'bc'", "''", "'a1b2 c3'", `"x-y\065"`, "[[long]]")
		case 3, 4, 5, 6:
			if name, ok := g.name("s"); ok {
				return name
			}
		case 7:
			return "(" + g.text() + " .. " + g.text() + g.one("", " .. I("+g.number()+")", " .. "+fmt.Sprint(g.IntN(100))+" .. 'z'") + ")"
		case 8:
			return "(" + g.text() + "):" + g.one("upper()", "lower()", "sub(2)", "sub(-2, -1)", "rep(2):sub(1, 20)", "reverse()", "sub(P("+g.number()+"), P("+g.number()+"))")
		case 9:
			return "((" + g.text() + "):gsub('" + g.one("%a", "%d+", "(%a)(%d)", ".", "b*", "^a", "[^a-c]", "%s*$") + "', '" + g.one("<%0>", "", "%%", "x") + "'))"
		case 10:
			return "('%s|%d|%q|%5.1f|%-4s|%x'):format(" + g.text() + ", " + fmt.Sprint(g.IntN(99)) + ", " + g.text() + ", 2.25, 'p', 255)"
		case 11:
			return "((" + g.text() + "):match('" + g.one("%a+", "(%d)", "^(.-)%d", "()b", ".*") + "') or 'none') .. ''"
		case 12:
			return "I(" + g.number() + ")"
		case 13:
			return "table.concat(" + g.one(`{ "a", "b", 3 }`, "{ "+g.text()+", "+g.text()+" }") + ", ',')"
		}
		return "'q'"
	})
}

func (g *generator) list() string {
	if name, ok := g.name("t"); ok && g.IntN(4) > 0 {
		return name
	}
	if g.depth > 3 {
		return "({ 1, 2 })"
	}
	return g.deeper(func() string {
		return "({" + g.one("", "1", g.number()+", "+g.number(), g.number()+", 2, 3", "unpack({ 4, 5, "+g.number()+" })", "1, k = 2, [2 + 0] = "+g.number(), "('abc'):byte(1, 3)") + "})"
	})
}

func (g *generator) condition() string {
	if g.depth > 4 {
		return g.one("true", "false")
	}
	return g.deeper(func() string {
		switch g.IntN(13) {
		case 0, 1, 2:
			return g.number() + g.one(" < ", " <= ", " > ", " >= ", " == ", " ~= ") + g.number()
		case 3:
			return g.text() + g.one(" < ", " <= ", " == ", " ~= ", " > ") + g.text()
		case 4:
			return "not " + g.one("("+g.condition()+")", "nil", "false", "1", g.any())
		case 5, 6:
			return "(" + g.condition() + g.one(" and ", " or ") + g.condition() + ")"
		case 7:
			return g.one("true", "false", "nil", "1", "''")
		case 8:
			return g.condition() + g.one(" and ", " or ") + g.condition() + g.one(" and ", " or ") + g.condition()
		case 9:
			if v, ok := g.name("v"); ok {
				return g.one(v, v+" == nil", "type("+v+") == 'number'", v+" == "+g.any())
			}
		case 10:
			return fmt.Sprintf("step(%d, %d)", g.id(), 2+g.IntN(3))
		}
		return g.number() + " < " + g.number()
	})
}

func (g *generator) any() string {
	if g.depth > 4 {
		return "nil"
	}
	return g.deeper(func() string {
		switch g.IntN(10) {
		case 0, 1:
			return g.one("nil", "true", "false", "1", "'x'")
		case 2:
			return "(" + g.condition() + ")"
		case 3:
			return g.number()
		case 4:
			return g.text()
		case 5, 6:
			return "(" + g.any() + g.one(" and ", " or ") + g.any() + ")"
		case 7:
			if v, ok := g.name("v"); ok {
				return v
			}
		case 8:
			return g.any() + g.one(" and ", " or ") + g.any() + g.one(" and ", " or ") + g.any()
		}
		return g.list()
	})
}

// value is an expression of the kind of a name, in one line.
func (g *generator) value(name string) string {
	switch name[0] {
	case 'n':
		return g.number()
	case 's': // which would grow beyond all bounds in a loop
		return "(" + g.text() + "):sub(1, 30)"
	case 't':
		return "{ " + g.number() + ", " + g.number() + g.one(" }", ", 7 }", ", unpack({ 8, 9 }) }")
	case 'f':
		if f, ok := g.name("f"); ok && g.IntN(2) == 0 {
			return f
		}
		was, dots := g.visible, g.dots
		g.visible, g.dots = append(g.visible, "n1", "n2"), false
		g.inside++
		defer func() { g.visible, g.dots, g.inside = was, dots, g.inside-1 }()
		return "function(n1, n2) call() n1, n2 = n1 or 1, n2 or 2 " + g.one("", g.assign()+" ") + "return " + g.number() + g.one("", ", "+g.number()) + " end"
	case 'o':
		return "object(" + g.number() + ")"
	}
	return g.any()
}

// ---- Statements

// assign is an assignment in one line.
func (g *generator) assign() string {
	switch g.IntN(9) {
	case 0, 1: // whether a function that is called meanwhile may change the table that is assigned to, Lua leaves open
		kinds := "nst"
		if g.inside > 0 {
			kinds = "ns"
		}
		a, _ := g.name(kinds)
		b, _ := g.name(kinds)
		if a != b {
			return a + ", " + b + " = " + g.value(a) + ", " + g.value(b) + g.one("", ", 1")
		}
		return a + " = " + g.value(a)
	case 2:
		t, _ := g.name("t")
		return t + g.one("[#"+t+" + 1]", "[1]", ".x", "['y']", "['k' .. "+g.text()+"]") + " = " + g.number()
	case 3:
		t, _ := g.name("t")
		n, _ := g.name("n")
		return g.one(t+"[1], "+n+" = "+n+", "+t+"[1] or 1", n+", "+t+"[1] = "+t+"[1] or 1, "+n, n+", "+t+".z = "+g.number()+", "+g.number())
	case 4:
		if o, ok := g.name("o"); ok {
			return o + ".v = " + g.number()
		}
	case 5, 6:
		if v, ok := g.name("v"); ok {
			return v + " = " + g.one(g.any(), g.any()+g.one(" and ", " or ")+g.any(), g.condition()+g.one(" and ", " or ")+v, v+g.one(" and ", " or ")+g.any())
		}
	}
	a, _ := g.name("nnsn")
	return a + " = " + g.value(a)
}

func (g *generator) declare(name string) *node {
	var n *node
	switch {
	case name[0] == 'o':
		n = stmt("local " + name + " = { v = " + g.number() + ", get = function(self) call() return self.v end }")
		n = &node{parts: append(n.parts, "function "+name+":add(n1) call() self.v = self.v + n1 "+g.one("", "T(self.v) ")+"return self end")}
	case name[0] == 'f' && g.IntN(3) > 0:
		return g.function(name)
	default:
		n = stmt("local " + name + " = " + g.value(name))
	}
	g.visible = append(g.visible, name)
	return n
}

// function declares or sets a function with a body of statements.
func (g *generator) function(name string) *node {
	outer := *g
	head, known := "", slices.Contains(g.visible, name)
	form := g.IntN(4)
	switch {
	case form == 0 && known:
		head = "function " + name + "("
	case form == 1 && known:
		head = name + " = function("
	case form == 2:
		head = "local " + name + " = function("
	default:
		head = "local function " + name + "("
		g.visible = append(g.visible, name)
	}
	declared := !(form < 2 && known)
	g.visible = append(g.visible, "n1", "n2")
	g.loops, g.yields, g.labels = 0, false, nil
	g.inside++
	g.dots = g.IntN(3) == 0
	if g.dots {
		head += "n1, n2, ...) call() n1, n2 = n1 or 1, n2 or 2"
	} else {
		head += "n1, n2) call() n1, n2 = n1 or 1, n2 or 2"
	}
	if g.dots && g.IntN(2) == 0 {
		head += " T(...)"
	}
	body := g.block(4)
	end := "return " + g.number() + g.one("", ", "+g.number())
	if f, ok := g.name("f"); ok && g.IntN(3) == 0 && f != name {
		end = "return " + f + "(" + g.number() + ", " + g.number() + ")"
	}
	n := stmt(head, body, " "+end, "end")
	g.restore(outer)
	if declared {
		g.visible = append(g.visible, name)
	}
	return n
}

// restore ends a scope.
func (g *generator) restore(outer generator) {
	outer.size, outer.ids = g.size, g.ids
	outer.visible = slices.Clip(outer.visible)
	*g = outer
}

func (g *generator) block(most int) []*node {
	var list []*node
	for range 1 + g.IntN(most) {
		if g.size <= 0 {
			break
		}
		g.size--
		list = append(list, g.statement()...)
	}
	return list
}

// scope is a block with its own locals.
func (g *generator) scope(most int, names ...string) []*node {
	outer := *g
	g.depth++
	g.visible = append(slices.Clip(g.visible), names...)
	list := g.block(most)
	g.restore(outer)
	return list
}

// leaving is a block that ends by leaving a loop, a function or a block.
func (g *generator) leaving(most int) []*node {
	outer := *g
	g.depth++
	g.visible = slices.Clip(g.visible)
	list := g.block(most)
	if g.IntN(2) == 0 { // a closure that keeps what goes out of scope
		list = append(list, g.declare(g.newName("nst")), g.keep())
	}
	switch {
	case g.jumps && len(g.labels) > 0 && g.IntN(2) == 0:
		list = append(list, stmt("goto "+g.labels[g.IntN(len(g.labels))]))
	case g.loops > 0 && g.IntN(5) > 0:
		list = append(list, stmt("break"))
	case g.inside > 0:
		list = append(list, stmt("do return "+g.number()+", "+g.number()+" end"))
	}
	g.restore(outer)
	return list
}

// keep puts a closure into a variable.
func (g *generator) keep() *node {
	f, ok := g.name("f")
	if !ok {
		return stmt("T('none')")
	}
	return stmt(f + " = " + g.closure())
}

func (g *generator) closure() string {
	n, _ := g.name("n")
	s, _ := g.name("s")
	return g.one(
		"function(a) "+n+" = "+n+" + 1 return "+n+" end",
		"function(a) T("+n+", "+s+") return "+n+" end",
		"function(a, b) "+s+" = "+s+" .. 'k' return #"+s+", "+n+" end",
		"function(a) return "+n+" + (a or 0) end",
	)
}

// out is a statement that may leave the loop around.
func (g *generator) out() *node {
	condition := fmt.Sprintf("step(%d, %d)", g.id(), 2+g.IntN(3))
	switch g.IntN(6) {
	case 0:
		return stmt("if "+condition+" then", []*node{stmt("break")}, "end")
	case 1:
		return stmt("do", []*node{stmt("if "+condition+" then", append(g.scope(2), stmt("break")), "end")}, "end")
	case 2:
		return stmt("if not "+condition+" then", g.scope(2), "else", append(g.scope(1), stmt("break")), "end")
	case 3:
		return stmt("if ("+g.condition()+") and false then", g.scope(1), "elseif "+condition+" then", []*node{stmt("break")}, "end")
	}
	outer := *g
	g.visible = slices.Clip(g.visible)
	list := append([]*node{g.declare(g.newName("nst"))}, g.keep(), stmt("break"))
	g.restore(outer)
	return stmt("if "+condition+" then", list, "end")
}

// body is that of a loop which ends.
func (g *generator) body(most int, names ...string) []*node {
	outer := *g
	g.loops++
	g.visible = append(slices.Clip(g.visible), names...)
	var list []*node
	label := ""
	if g.jumps && g.IntN(2) == 0 {
		label = fmt.Sprintf("continue_%d", g.id())
		g.labels = append(slices.Clip(g.labels), label)
	}
	inner := append([]*node{stmt("tick()")}, g.block(most)...)
	inner = append(inner, g.out())
	if g.IntN(2) == 0 {
		inner = append(inner, g.block(2)...)
	}
	if label != "" {
		list = append(list, stmt("do", inner, "end"), stmt("::"+label+"::"))
	} else {
		list = inner
	}
	g.restore(outer)
	return list
}

func (g *generator) constants() *node {
	var b strings.Builder
	b.WriteString("local t4 = { ")
	for i := range 300 {
		fmt.Fprintf(&b, "%s%d, ", g.one("", "", "", fmt.Sprintf("key%d = ", i), "[7.5 + "+fmt.Sprint(i)+"] = "), 2000+i)
	}
	g.visible = append(g.visible, "t4")
	return stmt(b.String() + g.one("unpack({ 1, 2, 3 }) }", "}", "(unpack({ 1, 2 })) }"))
}

func (g *generator) statement() []*node {
	if g.depth > 6 {
		return []*node{stmt(g.assign())}
	}
	g.depth++
	defer func() { g.depth-- }()
	k := g.IntN(44)
	switch {
	case k < 5:
		return []*node{g.declare(g.newName("nstvof"))}
	case k < 6:
		a, b := g.newName("ns"), g.newName("nv")
		n := stmt("local " + a + ", " + b + " = " + g.value(a) + ", " + g.value(b))
		g.visible = append(g.visible, a, b)
		return []*node{n}
	case k < 7:
		if f, ok := g.name("f"); ok {
			n := stmt("local n1, v2, v3 = " + f + "(" + g.number() + ")")
			g.visible = append(g.visible, "n1", "v2", "v3")
			return []*node{n}
		}
	case k < 11:
		return []*node{stmt(g.assign())}
	case k < 14:
		return []*node{stmt("T(" + g.any() + ", " + g.number() + ", " + g.text() + ")")}
	case k < 15:
		return []*node{g.keep()}
	case k < 17:
		if f, ok := g.name("f"); ok {
			return []*node{stmt("T(" + f + "(" + g.number() + ", " + g.number() + "))")}
		}
	case k < 19:
		return []*node{stmt("if "+g.condition()+" then", g.scope(3), "end")}
	case k < 20:
		return []*node{stmt("if "+g.condition()+" then", g.scope(3), "elseif "+g.condition()+" then", g.scope(2), "else", g.scope(2), "end")}
	case k < 22:
		if g.loops > 0 || g.inside > 0 || len(g.labels) > 0 {
			return []*node{stmt("if "+g.condition()+" then", g.leaving(2), "end")}
		}
	case k < 23:
		if g.jumps && g.IntN(2) == 0 {
			label := fmt.Sprintf("out_%d", g.id())
			outer := *g
			g.labels = append(slices.Clip(g.labels), label)
			inner := g.scope(4)
			inner = append(inner, stmt("if "+g.condition()+" then", g.leaving(2), "end"))
			g.restore(outer)
			return []*node{stmt("do", inner, "end"), stmt("::" + label + "::")}
		}
		return []*node{stmt("do", g.scope(4), "end")}
	case k < 27:
		condition := g.one("true", "1", "not false", "not nil", "true and "+g.condition(), "nil or "+g.condition(), g.condition(), g.condition(), "''", "(nil or "+g.list()+")[1]")
		return []*node{stmt("while "+condition+" do", g.body(4), "end")}
	case k < 29:
		outer := *g
		name := g.newName("nst")
		head := g.declare(name)
		list := append([]*node{head}, g.body(3)...)
		until := "#" + name + " > 1 or " + g.condition()
		if name[0] == 'n' {
			until = name + " > 3 or " + g.condition()
		}
		g.restore(outer)
		return []*node{stmt("repeat", list, "until "+until)}
	case k < 32:
		bounds := g.one("1, 3", "3, 1, -1", "1, 2, 0.5", "0, 1, 0.25", "1, 0", g.number()+", 5", "1, 4, 2", "2, "+g.one("3", "#"+g.list()), "-1, -3, -1")
		name := g.newName("n")
		return []*node{stmt("for "+name+" = "+bounds+" do", g.body(3, name), "end")}
	case k < 34:
		return []*node{g.genericFor()}
	case k < 36:
		return []*node{g.protected()}
	case k < 38:
		return g.coroutine()
	case k < 39:
		return []*node{g.function(g.newName("f"))}
	case k < 40:
		t, _ := g.name("t")
		return []*node{stmt(g.one(
			"table.insert("+t+", ("+g.number()+"))", "table.insert("+t+", 1, ("+g.number()+"))", "T((table.remove("+t+")))",
			"T(table.concat({ "+g.text()+", "+g.text()+" }, '-'))", "T(unpack("+t+", 1, 2))", "T(#"+t+", next({}), type(next("+t+")))",
			"table.sort(ordered("+t+"), function(a, b) return a > b end)", "T(select(2, "+g.number()+", "+g.text()+", 3))",
			"T(pcall(table.concat, { {} }))", "T(rawequal("+t+", "+t+"), rawget("+t+", 1))", "local n4 = #"+t+" T(n4)"))}
	case k < 41:
		return []*node{stmt("T((" + g.text() + "):find('" + g.one("%d", "b", "(a)", "()", "[a-b]+", "%s") + "'))"), stmt("T((" + g.text() + "):byte(1, 2))")}
	case k < 42:
		if g.jumps {
			label := fmt.Sprintf("top_%d", g.id())
			outer := *g
			g.visible = slices.Clip(g.visible)
			list := append([]*node{stmt("::" + label + "::")}, g.block(4)...)
			list = append(list, stmt(fmt.Sprintf("if not step(%d, %d) then", g.id(), 2+g.IntN(3)), append(g.scope(2), stmt("goto "+label)), "end"))
			g.restore(outer)
			return []*node{stmt("do", list, "end")}
		}
		return []*node{g.keep()}
	case k < 43:
		return []*node{g.metatable()}
	}
	return []*node{stmt(g.assign())}
}

func (g *generator) genericFor() *node {
	a, b := g.newName("n"), g.newName("n")
	switch g.IntN(6) {
	case 0:
		return stmt("for "+a+", "+b+" in pairs({ "+g.number()+", "+g.number()+" }) do", g.body(3, a, b), "end")
	case 4:
		return stmt("for "+a+", "+b+" in "+g.one("({ ipairs })[1]", "select(1, ipairs)", "(function() return ipairs end)()", "(nil or ipairs)")+"("+g.list()+") do", g.body(3, a, b), "end")
	case 1:
		s := g.newName("s")
		return stmt("for "+s+" in ("+g.text()+"):gmatch('%w') do", g.body(3, s), "end")
	case 2: // an iterator with variables of its own
		return stmt("for "+a+" in (function() local c = 0 return function() c = c + 1 tick() if c < 4 then return c end end end)() do", g.body(3, a), "end")
	case 3:
		return stmt("for "+a+", v1 in next, { 5, 6 }, nil do", g.body(3, a, "v1"), "end")
	}
	return stmt("for "+a+", "+b+" in ipairs("+g.list()+") do", g.body(3, a, b), "end")
}

// protected is a pcall or xpcall, that fails or doesn't.
func (g *generator) protected() *node {
	outer := *g
	g.visible = slices.Clip(g.visible)
	g.loops, g.yields, g.dots, g.labels = 0, false, false, nil
	g.inside++
	body := g.block(4)
	switch g.IntN(6) {
	case 0:
		body = append(body, stmt("error('boom' .. I("+g.number()+"))"))
	case 1:
		body = append(body, stmt("error({ "+g.number()+" })"))
	case 2:
		body = append(body, stmt("error('boom', "+g.one("0", "1", "2")+")"))
	case 3:
		body = append(body, stmt("return nil "+g.one("+ 1", ".. 'x'", "< 1", "< {}")))
	case 4:
		body = append(body, stmt("local v = nil"), stmt(g.one("v.x = 1", "v()", "T(v.x)", "v:m()", "T(#v)", "T(-v)")))
	}
	g.restore(outer)
	if g.IntN(5) == 0 {
		return stmt("T('xpcall', xpcall(function() call()", body, "end, function(e) return E(e), 2 end))")
	}
	return stmt("T('pcall', (function(ok, e, ...) if ok then return ok, e, ... end return ok, E(e) end)(pcall(function(...) call()", body, "end, 1, 2)))")
}

func (g *generator) coroutine() []*node {
	outer := *g
	g.visible = append(slices.Clip(g.visible), "n1", "n2")
	g.loops, g.dots, g.labels = 0, false, nil
	g.inside++
	var body []*node
	for range 1 + g.IntN(3) {
		body = append(body, g.block(2)...)
		yield := stmt("n1, n2 = coroutine.yield(" + g.number() + ", " + g.text() + ") n1, n2 = n1 or 1, n2 or 2")
		switch g.IntN(3) {
		case 0:
			body = append(body, yield)
		case 1:
			list := []*node{stmt("do", g.body(2), "end"), yield}
			body = append(body, stmt("for n3 = 1, 2 do", list, "end"))
		case 2:
			body = append(body, stmt("if "+g.condition()+" then", []*node{yield, g.keep()}, "end"))
		}
	}
	end := g.one("return "+g.number(), "error('boom in it')", "return")
	g.restore(outer)
	name := fmt.Sprintf("co%d", g.id())
	list := []*node{stmt("local "+name+" = coroutine.create(function(n1, n2) start()", body, " "+end, "end)")}
	for range 1 + g.IntN(4) {
		list = append(list, stmt("T((function(ok, e, ...) if ok then return ok, e, ... end return ok, E(e) end)(coroutine.resume("+name+", "+g.number()+", "+g.number()+")))"))
		if g.IntN(2) == 0 {
			list = append(list, stmt(g.assign()))
		}
	}
	return append(list, stmt("T(coroutine.status("+name+"))"))
}

func (g *generator) metatable() *node {
	outer := *g
	g.dots = false
	defer func() { g.restore(outer) }()
	return stmt("do",
		[]*node{
			stmt("local m = setmetatable({ v = " + g.number() + " }, {"),
			stmt("__index = function(_, k) call() return " + g.one("k", g.number(), "nil") + " end, __newindex = function(t, k, v) rawset(t, k, " + g.any() + ") end,"),
			stmt("__add = function(a, b) return " + g.number() + " end, __concat = function(a, b) return type(a) .. type(b) end, __call = function(self, a, ...) return a, select('#', ...) end,"),
			stmt("__eq = function() return " + g.condition() + " end, __lt = function() return " + g.condition() + " end, __le = function() return true end, __unm = function() return " + g.number() + " end })"),
			stmt("local l = setmetatable({}, getmetatable(m))"),
			stmt("m." + g.one("a", "b") + " = 1"),
			stmt("T(m.a, m.v, m + 1, 2 + m, m .. 'x', 'x' .. m, 'x' .. 1 .. m, m(1, 2, 3), m == l, m ~= l, m < l, m <= l, -m, m['v'])"),
		}, "end")
}
