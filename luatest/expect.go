package luatest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// expectation is what is expected of a value.
type expectation struct {
	value lua.LValue
	what  string // names it; "": nothing does
	never bool
	asked func() // says that something is asked about the value
}

var expectations = []string{"is", "equals", "contains", "matches", "errors", "never"}

// maxUnasked bounds the values about which a test asks nothing.
const maxUnasked = 1000

// unasked is a call of expect about whose value nothing is asked.
type unasked struct{ source string }

// expect is expect(value).
func (f *testFile) expect(L *lua.LState) int {
	if len(f.unasked) == maxUnasked {
		L.RaiseError("%s", nothingAsked)
	}
	u := &unasked{placeOf(L)}
	f.unasked = append(f.unasked, u)
	e := &expectation{value: L.Get(1), asked: func() {
		f.unasked = slices.DeleteFunc(f.unasked, func(other *unasked) bool { return other == u })
	}}
	if v := L.Get(2); v != lua.LNil {
		e.what = oneLine(v) + ": "
	}
	L.Push(e.table(L))
	return 1
}

func (e *expectation) table(L *lua.LState) *lua.LTable {
	luabind.Spend(L, 20)
	t, meta := L.NewTable(), L.NewTable()
	meta.RawSetString("__metatable", lua.LFalse)
	meta.RawSetString("__index", luabind.NewFunction(L, "expect", func(L *lua.LState) int {
		name := luabind.RawText(L.Get(2))
		run, ok := map[string]lua.LGFunction{"is": e.is, "equals": e.equals, "contains": e.contains, "matches": e.matches, "errors": e.errors}[name]
		switch {
		case name == "never":
			run = func(L *lua.LState) int {
				L.Push((&expectation{value: e.value, what: e.what, never: !e.never, asked: e.asked}).table(L))
				return 1
			}
		case !ok:
			hint := spelling.DidYouMean(name, expectations)
			if hint == "" {
				hint = "; there are " + strings.Join(expectations, ", ")
			}
			L.RaiseError("expect has no %s%s", name, hint)
		}
		L.Push(luabind.NewFunction(L, name, func(L *lua.LState) int {
			if self, ok := L.Get(1).(*lua.LTable); !ok || self.Metatable != meta {
				L.RaiseError("write a colon before %s: expect(x):%s(...)", name, name)
			}
			if name != "never" {
				e.asked()
			}
			return run(L)
		}))
		return 1
	}))
	t.Metatable = meta
	return t
}

const nothingAsked = "nothing is asked about the value, so this can't fail: write expect(x):is(y), or another of equals, contains, matches, errors"

// judge raises a failure unless what is expected holds. The position is that of the test.
func (e *expectation) judge(L *lua.LState, holds bool, why func() string) int {
	if holds == e.never {
		L.RaiseError("%s%s", e.what, why())
	}
	return 0
}

// not puts the word before what wasn't to be.
func (e *expectation) not() string {
	if e.never {
		return "never "
	}
	return ""
}

func wanted(L *lua.LState, name string) lua.LValue {
	if L.GetTop() < 2 {
		L.RaiseError("%s wants a value to compare with; nil is written as %s(nil)", name, name)
	}
	return L.Get(2)
}

func (e *expectation) is(L *lua.LState) int {
	want := wanted(L, "is")
	return e.judge(L, sameValue(e.value, want), func() string {
		if e.never {
			return "got " + show(e.value) + ", which it was never to be"
		}
		text := compared(e.value, want)
		if _, ok := want.(*lua.LTable); ok {
			text += "\nis() holds for one and the same table; equals() compares what is in them"
		}
		return text
	})
}

func (e *expectation) equals(L *lua.LState) int {
	want := wanted(L, "equals")
	return e.judge(L, equal(L, e.value, want, 0), func() string {
		if e.never {
			return "got " + show(e.value) + ", which it was never to equal"
		}
		return compared(e.value, want)
	})
}

func (e *expectation) contains(L *lua.LState) int {
	want := wanted(L, "contains")
	return e.judge(L, contains(L, e.value, want), func() string {
		kind := "something that contains "
		if _, ok := e.value.(lua.LString); ok {
			kind = "a text that contains "
		}
		return fmt.Sprintf("got %s, want %s%s%s", show(e.value), kind, e.not(), show(want))
	})
}

// contains reports whether a text has a part, a list an item, or a table all the fields of
// another.
func contains(L *lua.LState, value, part lua.LValue) bool {
	if text, ok := value.(lua.LString); ok {
		if n, ok := part.(lua.LNumber); ok {
			part = lua.LString(n.String())
		}
		p, ok := part.(lua.LString)
		if !ok {
			L.RaiseError("a text can contain a text, and no %s", part.Type())
		}
		luabind.Spend(L, 1+len(text)/16)
		return strings.Contains(string(text), string(p))
	}
	t, ok := value.(*lua.LTable)
	if !ok {
		return false
	}
	for i := 1; i <= t.Len(); i++ {
		if equal(L, t.RawGetInt(i), part, 0) {
			return true
		}
	}
	fields, ok := part.(*lua.LTable)
	if first, _ := luabind.First(L, t); !ok || t.Len() > 0 || first == lua.LNil {
		return false
	}
	all := true
	fields.ForEach(func(k, want lua.LValue) {
		got := t.RawGet(k)
		_, nested := want.(*lua.LTable)
		all = all && (equal(L, got, want, 0) || nested && contains(L, got, want))
	})
	return all
}

func (e *expectation) matches(L *lua.LState) int {
	pattern, ok := wanted(L, "matches").(lua.LString)
	if !ok {
		L.RaiseError("matches wants a Lua pattern, got a %s", L.Get(2).Type())
	}
	found := false
	if text, ok := e.value.(lua.LString); ok {
		L.Push(L.GetField(text, "find"))
		L.Push(text)
		L.Push(pattern)
		L.Call(2, 1)
		found = L.Get(-1) != lua.LNil
		L.Pop(1)
	}
	return e.judge(L, found, func() string {
		return fmt.Sprintf("got %s, want a text that %smatches %s", show(e.value), e.not(), show(pattern))
	})
}

// errors calls the value, which is to raise an error.
func (e *expectation) errors(L *lua.LState) int {
	if _, ok := e.value.(*lua.LFunction); !ok {
		L.RaiseError("errors wants a function: expect(function() ... end):errors(), got a %s", e.value.Type())
	}
	part := ""
	if v := L.Get(2); v != lua.LNil {
		part = L.CheckString(2)
	}
	L.Push(L.GetGlobal("pcall"))
	L.Push(e.value)
	L.Call(1, 2)
	ok, message := L.Get(-2) == lua.LTrue, luabind.RawText(L.Get(-1))
	L.Pop(2)
	return e.judge(L, !ok && strings.Contains(message, part), func() string {
		switch {
		case e.never:
			return "got the error " + quote(message) + ", want none" + of(part)
		case ok:
			return "got no error, want one" + of(part)
		}
		return "got the error " + quote(message) + ", want one" + of(part)
	})
}

func of(part string) string {
	if part == "" {
		return ""
	}
	return " that contains " + quote(part)
}

// sameValue is == without metamethods.
func sameValue(a, b lua.LValue) bool {
	if x, ok := a.(lua.LNumber); ok {
		y, ok := b.(lua.LNumber)
		return ok && x == y
	}
	return a == b
}

// maxDepth is how deep tables are compared and shown.
const maxDepth = 50

// equal compares tables by what is in them.
func equal(L *lua.LState, a, b lua.LValue, depth int) bool {
	luabind.Spend(L, 2)
	x, ok1 := a.(*lua.LTable)
	y, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 || x == y {
		return sameValue(a, b)
	}
	if depth == maxDepth {
		L.RaiseError("tables are nested deeper than %d levels, or hold themselves", maxDepth)
	}
	same, n := true, 0
	x.ForEach(func(k, v lua.LValue) {
		n++
		same = same && equal(L, v, y.RawGet(k), depth+1)
	})
	y.ForEach(func(_, _ lua.LValue) { n-- })
	return same && n == 0
}

// Bounds of what a message shows.
const (
	maxShown     = 4 << 10 // bytes of a value
	maxShownLine = 72      // characters of a value on one line
	maxDiffLines = 200
)

// show is a value as Lua writes it, on one line where it is short.
func show(v lua.LValue) string {
	var b strings.Builder
	write(&b, v, "", true, 0)
	if b.Len() > maxShownLine {
		b.Reset()
		write(&b, v, "", false, 0)
	}
	return shorten(b.String())
}

func shorten(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + " ... (" + strconv.Itoa(len(text)) + " bytes)"
	}
	return text
}

func quote(text string) string { return strconv.Quote(shorten(text)) }

func write(b *strings.Builder, v lua.LValue, indent string, flat bool, depth int) {
	t, ok := v.(*lua.LTable)
	switch {
	case b.Len() > 2*maxShown:
		return
	case !ok:
		if text, ok := v.(lua.LString); ok {
			b.WriteString(strconv.Quote(string(text)))
		} else {
			b.WriteString(luabind.RawText(v))
		}
		return
	case depth == maxDepth:
		b.WriteString("{...}")
		return
	}
	type field struct {
		key   string
		value lua.LValue
	}
	var items []field
	for i := 1; i <= t.Len(); i++ {
		items = append(items, field{"", t.RawGetInt(i)})
	}
	var named []field
	t.ForEach(func(k, value lua.LValue) {
		switch k := k.(type) {
		case lua.LNumber:
			if n := int(k); lua.LNumber(n) != k || n < 1 || n > t.Len() {
				named = append(named, field{"[" + k.String() + "] = ", value})
			}
		case lua.LString:
			if isName(string(k)) {
				named = append(named, field{string(k) + " = ", value})
			} else {
				named = append(named, field{"[" + strconv.Quote(string(k)) + "] = ", value})
			}
		default:
			named = append(named, field{"[" + luabind.RawText(k) + "] = ", value})
		}
	})
	slices.SortFunc(named, func(a, b field) int { return strings.Compare(a.key, b.key) })
	items = append(items, named...)
	switch {
	case len(items) == 0:
		b.WriteString("{}")
		return
	case flat:
		b.WriteString("{ ")
	default:
		b.WriteString("{\n")
	}
	for i, item := range items {
		if !flat {
			b.WriteString(indent + "  ")
		}
		b.WriteString(item.key)
		write(b, item.value, indent+"  ", flat, depth+1)
		switch {
		case !flat:
			b.WriteString(",\n")
		case i+1 < len(items):
			b.WriteString(", ")
		}
	}
	if flat {
		b.WriteString(" }")
	} else {
		b.WriteString(indent + "}")
	}
}

func isName(text string) bool {
	for i, r := range text {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return text != ""
}

// compared says what was got and what was wanted: on one line where both are short, else as
// the lines that differ.
func compared(got, want lua.LValue) string {
	a, b := plainLines(got), plainLines(want)
	if one, two := show(got), show(want); len(a)+len(b) <= 2 && len(one)+len(two) <= 2*maxShownLine && !strings.Contains(one+two, "\n") {
		return "got " + one + ", want " + two
	}
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		a, b = a[:min(len(a), maxDiffLines)], b[:min(len(b), maxDiffLines)]
	}
	return "what was got (+) isn't what was wanted (-)\n" + strings.Join(diff(b, a), "\n")
}

// plainLines are the lines of a value: those of a text, or as Lua writes a table.
func plainLines(v lua.LValue) []string {
	if text, ok := v.(lua.LString); ok && strings.Contains(string(text), "\n") {
		lines := strings.Split(shorten(string(text)), "\n")
		for i, line := range lines {
			quoted := strconv.Quote(line)
			lines[i] = quoted[1 : len(quoted)-1]
		}
		return lines
	}
	var b strings.Builder
	write(&b, v, "", false, 0)
	return strings.Split(shorten(b.String()), "\n")
}

// diff marks the lines that only one of two texts has.
func diff(old, now []string) (lines []string) {
	longest := make([][]int, len(old)+1) // of what both have from there on
	for i := range longest {
		longest[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for k := len(now) - 1; k >= 0; k-- {
			if old[i] == now[k] {
				longest[i][k] = longest[i+1][k+1] + 1
			} else {
				longest[i][k] = max(longest[i+1][k], longest[i][k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(old) || k < len(now) {
		switch {
		case i < len(old) && k < len(now) && old[i] == now[k]:
			lines = append(lines, "    "+old[i])
			i, k = i+1, k+1
		case i < len(old) && (k == len(now) || longest[i+1][k] >= longest[i][k+1]):
			lines = append(lines, "  - "+old[i])
			i++
		default:
			lines = append(lines, "  + "+now[k])
			k++
		}
	}
	return lines
}
