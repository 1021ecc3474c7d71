package lib

import (
	"strings"
	"unicode/utf8"

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
			"how many lines s has; what stands after the last line end is one",
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
			"truncate", "(s: string, max_bytes: integer, marker?: string): string",
			"s, or its beginning and the marker (...) where s is longer than max_bytes; never longer than that, never cuts a character; no marker where it has no room",
			`assert(text.truncate("hello world", 8) == "hello...")
assert(text.truncate("hello", 8) == "hello" and text.truncate("hällo", 2, "") == "h")`,
			truncate,
		},
	}
	return module("text", "plain text", append(functions, excerptFunctions(ready)...)...)
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

// cut is the beginning of s, at most n bytes, that doesn't end inside a character.
func cut(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for back := n; back > n-utf8.UTFMax && back >= 0; back-- {
		if utf8.RuneStart(s[back]) {
			return s[:back]
		}
	}
	return s[:n] // no UTF-8: there is no border to keep
}
