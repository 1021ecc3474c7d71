package compile

import (
	"regexp"
	"strings"
	"sync"
)

// foreign says what Lua has in the place of what other languages write, where the parser stopped at a token. It is "" where
// the text around it doesn't show that.
func foreign(source string, line, column int, token string) string {
	text := withoutTexts(rawLine(source, line))
	at := min(max(column-1, 0), len(text))
	before, after := text[:at], text[at:]
	for n := line - 1; n > 0 && strings.TrimSpace(before) == ""; n-- {
		before = withoutTexts(rawLine(source, n))
	}
	for _, w := range foreignWritings() {
		if w.before.MatchString(before) && w.after.MatchString(after) && (w.token == "" || w.token == token) {
			return w.hint
		}
	}
	return ""
}

// foreignWriting is one that isn't Lua, by what stands before the token where the parser stops, and from it on.
type foreignWriting struct {
	token         string // "" for any
	before, after *regexp.Regexp
	hint          string
}

var foreignWritings = sync.OnceValue(func() []foreignWriting {
	const change = "; a variable is changed by n = n + 1"
	var all []foreignWriting
	for _, w := range [...][4]string{
		{"&", ``, `^&&`, "; && is and"},
		{"|", ``, `^\|\|`, "; || is or"},
		{"!", ``, `^!`, "; unequal is ~=, and not is not"},
		{"=", `==$`, `^=`, "; equal is =="},
		{"=", `^\s*(if|elseif|while)\b[^=]*$`, `^=`, "; equal is =="},
		{"=", `\w\s*[-+*/%]$`, `^=`, change},
		{"", `\w\s*$`, `^([-+*/%]=|\+\+)`, change},
		{"+", `\w\s*\+$`, `^\+`, change},
		{"/", ``, `^//`, "; a comment begins with --"},
		{"/", `/$`, `^/`, "; a comment begins with --"},
		{"{", `\bfunction\b[^()]*\([^()]*\)\s*$`, `^\{`, "; a function has no { }: it ends with end"},
		{"", `^\s*(\}\s*)?(else\s*)?if\s*\(.*\)\s*\{\s*$`, ``, "; it is if ... then ... end, without { }"},
		{"", `^\s*(while|for)\s*\(.*\)\s*\{\s*$`, ``, "; a loop is while ... do ... end, without { }"},
		{"", `(^|[\s;])continue\s*;?\s*$`, ``, "; there is no continue: write goto continue, and ::continue:: before the end of the loop"},
		{"", `(^|[\s;])(const|let|var)\s+$`, `^[A-Za-z_{]`, "; a variable is declared with local"},
		{"", `^\s*elif\b`, ``, "; elif is elseif"},
		{"", `[{,]\s*\w+:\s+([\w.]+\s*)?$`, ``, "; a key is written { key = value }"},
	} {
		all = append(all, foreignWriting{w[0], regexp.MustCompile(w[1]), regexp.MustCompile(w[2]), w[3]})
	}
	return all
})
