package lib

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/luabind"
)

func textModule() luabind.Module {
	ready := newCache[*excerpt.Snippets](maxSnippets, maxSnippetsSize)
	functions := []function{
		{
			"trim", "(s: string): string",
			"s without the blanks and line ends around it",
			`assert(text.trim("  a b\n") == "a b")`,
			func(c call) int {
				s := c.text(1)
				c.charge(2 * len(s))
				return c.giveText(strings.TrimSpace(s))
			},
		},
		{
			"split", "(s: string, separator: string): string[]",
			"the parts of s between the separators, which are plain text; one part more than separators",
			`assert(table.concat(text.split("a.b..c", "."), "|") == "a|b||c")`,
			splitText,
		},
		{
			"lines", "(s: string): string[]",
			"the lines of s without their ends, \\n or \\r\\n; no empty line after a last line end",
			`assert(#text.lines("one\r\ntwo\n") == 2)`,
			linesOf,
		},
		{
			"count_lines", "(s: string): integer",
			"how many lines s has; text after the last line end is a line",
			`assert(text.count_lines("one\ntwo\n") == 2 and text.count_lines("one\ntwo") == 2 and text.count_lines("") == 0)`,
			func(c call) int {
				s := c.text(1)
				c.charge(len(s) / 16)
				return c.give(lua.LNumber(excerpt.CountLines(s)))
			},
		},
		{
			"starts_with", "(s: string, prefix: string): boolean",
			"whether s begins with the prefix",
			`assert(text.starts_with("git push", "git "))`,
			test(strings.HasPrefix),
		},
		{
			"ends_with", "(s: string, suffix: string): boolean",
			"whether s ends with the suffix",
			`assert(text.ends_with("main.go", ".go"))`,
			test(strings.HasSuffix),
		},
		{
			"contains", "(s: string, part: string): boolean",
			"whether the part, plain text, stands anywhere in s",
			`assert(text.contains("rm -rf /", "-rf"))`,
			func(c call) int {
				s, part := c.text(1), c.text(2)
				c.charge(0)
				return c.give(lua.LBool(luabind.Index(c.LState, s, part, 0) >= 0))
			},
		},
		{
			"contains_any", "(s: string, parts: string[]): string?",
			"the first of the parts, plain texts, that stands anywhere in s; nil if none does",
			`assert(text.contains_any("rm -rf /", { "mkfs", "-rf" }) == "-rf")
assert(text.contains_any("ls", { "mkfs", "-rf" }) == nil)`,
			containsAny,
		},
		{
			"truncate", "(s: string, max_bytes: integer, marker?: string): string",
			"s, or its beginning and the marker (...) if s is longer than max_bytes. The result is never longer than that, and no character is cut. " +
				"Without room for the marker it has none",
			`assert(text.truncate("hello world", 8) == "hello...")
assert(text.truncate("hello", 8) == "hello" and text.truncate("hällo", 2, "") == "h")`,
			truncate,
		},
	}
	return module("text", "plain text", append(functions, excerptFunctions(ready)...)...)
}

// containsAny looks at each part as it stands in the list, which may be long.
func containsAny(c call) int {
	s, parts := c.text(1), c.table(2)
	for i := 1; ; i++ {
		v := parts.RawGetInt(i)
		if v == lua.LNil && i > luabind.Length(c.LState, parts) {
			return c.give(lua.LNil)
		}
		part, ok := v.(lua.LString)
		if !ok {
			c.bad(2, fmt.Sprintf("string expected as item %d, got %s", i, v.Type()))
		}
		c.charge(0)
		if luabind.Index(c.LState, s, string(part), 0) >= 0 {
			return c.give(v)
		}
	}
}

// test is a function that compares no more bytes than the part has.
func test(holds func(s, part string) bool) func(call) int {
	return func(c call) int {
		s, part := c.text(1), c.text(2)
		c.charge(min(len(s), len(part)))
		return c.give(lua.LBool(holds(s, part)))
	}
}

func splitText(c call) int {
	s, separator := c.text(1), c.text(2)
	if separator == "" {
		c.bad(2, "the separator is empty")
	}
	return c.split(s, separator, "")
}

// split gives the parts of s between the separators, without the trailer that a part
// may end with.
func (c call) split(s, separator, trailer string) int {
	next := func(from int) (end int) {
		if end = luabind.Index(c.LState, s, separator, from); end < 0 {
			return len(s)
		}
		return end
	}
	// They are counted first, so that the list is paid for before it is made.
	n := 1
	for end := next(0); end < len(s); end = next(end + len(separator)) {
		n++
	}
	luabind.Spend(c.LState, 2*n)
	parts := c.list(n)
	c.allocateParts(16 * n)
	for from := 0; n > 0; n-- {
		end := next(from)
		parts.Append(lua.LString(strings.TrimSuffix(s[from:end], trailer)))
		from = end + len(separator)
	}
	return c.give(parts)
}

func linesOf(c call) int {
	s := c.text(1)
	if s == "" {
		return c.give(c.list(0))
	}
	return c.split(strings.TrimSuffix(s, "\n"), "\n", "\r")
}

func truncate(c call) int {
	s, limit, marker := c.text(1), c.whole(2, 0), c.textOr(3, "...")
	if len(s) <= limit {
		return c.giveText(s)
	}
	if len(marker) > limit {
		marker = ""
	}
	c.charge(limit)
	c.allocate(limit)
	return c.giveText(cut(s, limit-len(marker)) + marker)
}

// plain is a text argument that isn't empty, as [plainText] leaves it.
func (c call) plain(n, most int, line bool) string {
	text := c.text(n)
	if len(text) > most {
		c.bad(n, fmt.Sprintf("a text of more than %d bytes", most))
	}
	c.charge(len(text))
	c.allocate(len(text))
	text = plainText(text, line)
	if text == "" {
		c.bad(n, "a text expected, it is empty")
	}
	return text
}

// plain is an optional text, "" where it isn't there, as [plainText] leaves it.
func (o options) plain(name string, most int, line bool) string {
	text, _ := o.text(name)
	if len(text) > most {
		o.c.bad(o.n, fmt.Sprintf("%s: a text of more than %d bytes", name, most))
	}
	o.c.charge(len(text))
	o.c.allocate(len(text))
	return plainText(text, line)
}

// plainText is a text as others may read it on a terminal: valid UTF-8 without what
// controls it, but for line ends and tabs; one line has none of them either, and no
// blanks around it.
func plainText(text string, line bool) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			if line {
				return ' '
			}
			return r
		case r == '\r' && line:
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	if line {
		return strings.TrimSpace(text)
	}
	return strings.TrimRightFunc(text, unicode.IsSpace)
}

// Bounds of the descriptions of snippets that are kept for the next call.
const (
	maxSnippets     = 8
	maxSnippetsSize = 1 << 20 // bytes of text
)

// excerptFunctions are the functions of text that shorten long ones. The cache keeps
// snippets that are ready to be looked for.
func excerptFunctions(ready *cache[*excerpt.Snippets]) []function {
	return []function{
		{
			"squeeze", "(s: string): string",
			"s without the parts that a reader at a terminal wouldn't see or miss: escape sequences, progress that a carriage return has overwritten, repetitions of a line, for which a line in brackets stands. " +
				"The result is never longer than s",
			`assert(text.squeeze("\27[31mred\27[0m\n 10%\r 20%\r100%\n" .. ("same line\n"):rep(9)) == "red\n100%\nsame line\n[the line above 8 times more]\n")`,
			func(c call) int { return squeeze(c, false) },
		},
		{
			"squeeze_report", "(s: string): string, table",
			"what squeeze makes of s, and a table of how many were left out: escapes, overwritten, repeated",
			`local s, left_out = text.squeeze_report(("same line\n"):rep(9))
assert(s == "same line\n[the line above 8 times more]\n" and left_out.repeated == 8)`,
			func(c call) int { return squeeze(c, true) },
		},
		{
			"snippets", "(groups: table[]): Snippets",
			"the parts of a text that excerpt keeps, the most important group first. " +
				"A group is {name=, patterns=}: the lines that one of the patterns (RE2) matches. " +
				"except= has patterns of lines to leave out, before= and after= are numbers of lines to keep around a match, and through= is a pattern that the lines after a match must match, except the first of them. " +
				"Each pattern must have a text of two bytes that is in each match, so that it can be found fast",
			`assert(text.snippets{ { name = "errors", patterns = { [[(?i)\berror\b]] }, except = { [[\b0 errors]] }, before = 1 } })`,
			func(c call) int {
				groups, key := c.groups(1)
				s, ok := ready.get(key)
				if !ok {
					luabind.Spend(c.LState, 2000+40*len(key))
					c.allocate(1000 + 40*len(key))
					var err error
					if s, err = excerpt.NewSnippets(groups, c.spender(), c.allocate); err != nil {
						c.bad(1, err.Error())
					}
					ready.put(key, s, len(key))
				}
				c.allocate(64)
				return c.give(&lua.LUserData{Value: s, Metatable: snippetsMeta(c.LState)})
			},
		},
		{
			"excerpt", "(s: string, options: table): string?",
			"the beginning and the end of s and the snippets between, with a line in brackets for each gap; nil if s is short enough, or if the excerpt would be no shorter. " +
				"Options: bytes (the most that it may have), lines (likewise; any number by default), head and tail (shares from 0 to 1, 0.3 and 0.4; the rest is for snippets), snippets, note (a text to add to the first marker). " +
				"It keeps whole lines unless they are long, and never cuts a character",
			`local long = ("line\n"):rep(500) .. "error: disk full\n" .. ("line\n"):rep(500)
local short = text.excerpt(long, { bytes = 400, note = "all of it: log.txt", snippets = text.snippets{ { name = "errors", patterns = { "^error: " } } } })
assert(#short <= 400 and short:find("\nerror: disk full\n[... ", 1, true))`,
			func(c call) int { return cutText(c, false) },
		},
		{
			"excerpt_report", "(s: string, options: table): string?, table?",
			"what excerpt makes of s, and a table of what it kept: head and tail (bytes), cut_bytes, cut_lines, noted, and snippets, a list of {name, found, kept}, in lines",
			`local short, info = text.excerpt_report(("line\n"):rep(1000), { bytes = 400 })
assert(#short <= 400 and info.cut_lines > 900)`,
			func(c call) int { return cutText(c, true) },
		},
	}
}

func squeeze(c call, report bool) int {
	s := c.text(1)
	c.allocate(len(s)) // without escape sequences
	c.allocate(len(s)) // without repetitions
	short, left := excerpt.Squeeze(s, c.spender())
	if !report {
		return c.give(lua.LString(short))
	}
	c.Push(lua.LString(short))
	t := c.object(3)
	t.RawSetString("escapes", lua.LNumber(left.Escapes))
	t.RawSetString("overwritten", lua.LNumber(left.Overwritten))
	t.RawSetString("repeated", lua.LNumber(left.Repeated))
	c.Push(t)
	return 2
}

// spender takes the reports of work of package excerpt.
func (c call) spender() func(units int) {
	return func(units int) {
		luabind.Spend(c.LState, units)
		lookAtClock(c)
	}
}

func cutText(c call, report bool) int {
	s := c.text(1)
	o := c.cutOptions(2)
	c.allocate(min(len(s), o.Bytes) + 4096)
	e, ok := excerpt.Cut(s, o)
	if !ok {
		return c.give(lua.LNil)
	}
	if !report {
		return c.give(lua.LString(e.Text))
	}
	c.Push(lua.LString(e.Text))
	info := c.object(6)
	info.RawSetString("head", lua.LNumber(e.Head))
	info.RawSetString("tail", lua.LNumber(e.Tail))
	info.RawSetString("cut_bytes", lua.LNumber(e.CutBytes))
	info.RawSetString("cut_lines", lua.LNumber(e.CutLines))
	info.RawSetString("noted", lua.LBool(e.Noted))
	kept := c.list(len(e.Snippets))
	for _, k := range e.Snippets {
		t := c.object(3)
		t.RawSetString("name", lua.LString(k.Name))
		t.RawSetString("found", lua.LNumber(k.Found))
		t.RawSetString("kept", lua.LNumber(k.Kept))
		kept.Append(t)
	}
	info.RawSetString("snippets", kept)
	c.Push(info)
	return 2
}

// maxNote bounds the note of an excerpt.
const maxNote = 5000

func (c call) cutOptions(n int) excerpt.Options {
	o := excerpt.Options{Head: 0.3, Tail: 0.4, Spend: c.spender()}
	luabind.Each(c.LState, c.table(n), func(key, v lua.LValue) {
		switch key {
		case lua.LString("bytes"):
			o.Bytes = c.wholeOf(n, "bytes", v, 1)
		case lua.LString("lines"):
			o.Lines = c.wholeOf(n, "lines", v, 1)
		case lua.LString("head"):
			o.Head = c.shareOf(n, "head", v)
		case lua.LString("tail"):
			o.Tail = c.shareOf(n, "tail", v)
		case lua.LString("note"):
			note, ok := v.(lua.LString)
			if !ok || len(note) > maxNote || strings.ContainsAny(string(note), "\r\n") {
				c.bad(n, "note is a text of one line")
			}
			o.Note = string(note)
		case lua.LString("snippets"):
			u, _ := v.(*lua.LUserData)
			if u != nil {
				o.Snippets, _ = u.Value.(*excerpt.Snippets)
			}
			if o.Snippets == nil {
				c.bad(n, "snippets is what text.snippets gives")
			}
		default:
			c.bad(n, "no option "+shorten(luabind.RawText(key))+"; there are bytes, lines, head, tail, snippets and note")
		}
	})
	switch {
	case o.Bytes == 0:
		c.bad(n, "bytes is missing")
	case o.Head+o.Tail > 1.000001:
		c.bad(n, "head and tail are more than 1 together")
	}
	return o
}

func (c call) wholeOf(n int, name string, v lua.LValue, low int) int {
	f, ok := v.(lua.LNumber)
	if !ok || float64(f) != math.Trunc(float64(f)) || float64(f) < float64(low) || float64(f) > math.MaxInt32 {
		c.bad(n, name+" is a whole number from "+lua.LNumber(low).String())
	}
	return int(f)
}

func (c call) shareOf(n int, name string, v lua.LValue) float64 {
	f, ok := v.(lua.LNumber)
	if !ok || !(f >= 0 && f <= 1) {
		c.bad(n, name+" is a number from 0 to 1")
	}
	return float64(f)
}

// groups reads a description of snippets, and makes a key of it.
func (c call) groups(n int) ([]excerpt.Group, string) {
	var groups []excerpt.Group
	var key strings.Builder
	write := func(parts ...string) {
		for _, s := range parts {
			key.WriteString(lua.LNumber(len(s)).String())
			key.WriteByte(':')
			key.WriteString(s)
		}
	}
	list := c.table(n)
	count := luabind.Length(c.LState, list)
	if count > excerpt.MaxGroups {
		c.bad(n, fmt.Sprintf("%d groups are too many, there may be %d", count, excerpt.MaxGroups))
	}
	for i := 1; i <= count; i++ {
		t, ok := list.RawGetInt(i).(*lua.LTable)
		if !ok {
			c.bad(n, "a list of groups expected, each a table")
		}
		var g excerpt.Group
		luabind.Each(c.LState, t, func(k, v lua.LValue) {
			switch k {
			case lua.LString("name"), lua.LString("through"):
				s, ok := v.(lua.LString)
				if !ok || len(s) > excerpt.MaxPattern {
					c.bad(n, fmt.Sprintf("name and through of a group are texts of at most %d bytes", excerpt.MaxPattern))
				}
				c.describes(string(s))
				if k == lua.LString("name") {
					g.Name = string(s)
				} else {
					g.Through = string(s)
				}
			case lua.LString("patterns"):
				g.Patterns = c.patternsOf(n, v)
			case lua.LString("except"):
				g.Except = c.patternsOf(n, v)
			case lua.LString("before"):
				g.Before = c.wholeOf(n, "before", v, 0)
			case lua.LString("after"):
				g.After = c.wholeOf(n, "after", v, 0)
			default:
				c.bad(n, "a group has no "+shorten(luabind.RawText(k))+"; it has name, patterns, except, before, after and through")
			}
		})
		write(g.Name, g.Through, lua.LNumber(g.Before).String(), lua.LNumber(g.After).String(), lua.LNumber(len(g.Patterns)).String())
		write(g.Patterns...)
		write(lua.LNumber(len(g.Except)).String())
		write(g.Except...)
		groups = append(groups, g)
	}
	return groups, key.String()
}

func (c call) patternsOf(n int, v lua.LValue) []string {
	list, ok := v.(*lua.LTable)
	if !ok {
		c.bad(n, "patterns and except of a group are lists of texts")
	}
	count := luabind.Length(c.LState, list)
	if count > excerpt.MaxPatterns {
		c.bad(n, fmt.Sprintf("%d patterns are too many, there may be %d", count, excerpt.MaxPatterns))
	}
	luabind.Spend(c.LState, 4*count)
	c.allocateParts(16 * count)
	patterns := make([]string, 0, count)
	for i := 1; i <= count; i++ {
		s, ok := list.RawGetInt(i).(lua.LString)
		if !ok {
			c.bad(n, "patterns and except of a group are lists of texts")
		}
		if len(s) > excerpt.MaxPattern {
			c.bad(n, fmt.Sprintf("pattern %s: it is longer than %d bytes", shorten(string(s)), excerpt.MaxPattern))
		}
		c.describes(string(s))
		patterns = append(patterns, string(s))
	}
	return patterns
}

// describes charges for a text that goes into the key of snippets.
func (c call) describes(s string) {
	c.charge(len(s))
	c.allocate(len(s) + 8)
}

// snippetsMeta is the metatable of snippets in a state, which have no fields.
func snippetsMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.snippets")
	if meta.RawGetString("__metatable") != lua.LNil {
		return meta
	}
	meta.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString("snippets"))
		return 1
	}))
	meta.RawSetString("__metatable", lua.LString("snippets"))
	return meta
}
