package lib

import (
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/luabind"
)

func TestExcerpt(t *testing.T) {
	runScripts(t, []script{
		{"short", `assert(text.excerpt("abc", { bytes = 3 }) == nil) assert(text.excerpt("", { bytes = 1, lines = 1 }) == nil)`, ""},
		{"cut", `
			local s, info = text.excerpt_report(("line\n"):rep(100), { bytes = 100, head = 1, tail = 0 })
			same(s, ("line\n"):rep(12) .. "[... 88 lines (440 bytes) cut ...]\n")
			same(info, { head = 60, tail = 0, cut_bytes = 440, cut_lines = 88, noted = false, snippets = json.array() })`, ""},
		{"lines", `same(text.excerpt(("a longer line\n"):rep(100), { bytes = 5000, lines = 3, head = 0.5, tail = 0.5 }), "a longer line\n[... 98 lines (1,372 bytes) cut ...]\na longer line\n")`, ""},
		{"note", `local s, info = text.excerpt_report(("line\n"):rep(100), { bytes = 100, note = "see x" }) assert(info.noted and text.contains(s, " cut; see x ...]"))`, ""},
		{"snippets", `
			local wanted = text.snippets{ { name = "a", patterns = { "^first" } }, { name = "b", patterns = { "second" }, except = { "no second" }, before = 1, after = 1, through = "line" } }
			local s, info = text.excerpt_report(("line\n"):rep(100) .. "no second\na second\nfirst\n" .. ("line\n"):rep(100), { bytes = 600, snippets = wanted })
			assert(text.contains(s, "a second\nfirst\n"))
			same(info.snippets, { { name = "a", found = 1, kept = 1 }, { name = "b", found = 1, kept = 1 } })`, ""},
		{"snippets are opaque", `
			local wanted = text.snippets{}
			same(tostring(wanted), "snippets") same(getmetatable(wanted), "snippets")
			fails("attempt to index", function() return wanted.x end)`, ""},
		{"squeeze", `local s, left_out = text.squeeze_report("plain\n") same(s, "plain\n") same(left_out, { escapes = 0, overwritten = 0, repeated = 0 })`, ""},
		{"count lines", `same(text.count_lines(""), 0) same(text.count_lines("\n"), 1) same(text.count_lines("a\n\nb"), 3)`, ""},

		{"no options", `text.excerpt("a")`, "bad argument #2 to excerpt (table expected, got nil)"},
		{"no bytes", `text.excerpt("a", {})`, "bad argument #2 to excerpt (bytes is missing)"},
		{"few bytes", `text.excerpt("a", { bytes = 0 })`, "bytes is a whole number from 1"},
		{"fraction", `text.excerpt("a", { bytes = 1.5 })`, "bytes is a whole number from 1"},
		{"text", `text.excerpt("a", { bytes = "1" })`, "bytes is a whole number from 1"},
		{"NaN", `text.excerpt("a", { bytes = 1, head = 0/0 })`, "head is a number from 0 to 1"},
		{"shares", `text.excerpt("a", { bytes = 1, head = 0.7, tail = 0.4 })`, "head and tail are more than 1 together"},
		{"note of two lines", `text.excerpt("a", { bytes = 1, note = "a\nb" })`, "note is a text of one line"},
		{"unknown option", `text.excerpt("a", { bytes = 1, byte = 1 })`, "no option `byte`; there are bytes, lines, head, tail, snippets and note"},
		{"no snippets", `text.excerpt("a", { bytes = 1, snippets = {} })`, "snippets is what text.snippets gives"},
		{"a pattern as snippets", `text.excerpt("a", { bytes = 1, snippets = re.compile("a") })`, "snippets is what text.snippets gives"},
		{"no groups", `text.snippets()`, "bad argument #1 to snippets (table expected, got nil)"},
		{"no group", `text.snippets{ "error" }`, "a list of groups expected, each a table"},
		{"patterns", `text.snippets{ { patterns = "error" } }`, "patterns and except of a group are lists of texts"},
		{"patterns of numbers", `text.snippets{ { patterns = { 1 } } }`, "patterns and except of a group are lists of texts"},
		{"bad pattern", `text.snippets{ { patterns = { "(" } } }`, "bad argument #1 to snippets (pattern \"(\": error parsing regexp"},
		{"unknown key", `text.snippets{ { pattern = { "error" } } }`, "a group has no `pattern`; it has name, patterns, except, before, after and through"},
		{"before", `text.snippets{ { patterns = { "error" }, before = -1 } }`, "before is a whole number from 0"},
	})
}

// Shortening is work that the run pays for, and what it makes is charged.
func TestExcerptIsCharged(t *testing.T) {
	setUp := `local s = ("error: line\n"):rep(50000) local wanted = text.snippets{ { patterns = { "error" } } } `
	for name, test := range map[string]struct {
		lua    string
		limits luabind.Limits
		want   string
	}{
		"excerpt":  {`for _ = 1, 1000 do text.excerpt(s, { bytes = 100, snippets = wanted }) end`, luabind.Limits{Instructions: 1_000_000}, "instructions"},
		"squeeze":  {`for _ = 1, 100 do text.squeeze(s) end`, luabind.Limits{Instructions: 1_000_000, Memory: 1 << 30}, "instructions"},
		"lines":    {`for _ = 1, 10000 do text.count_lines(s) end`, luabind.Limits{Instructions: 1_000_000}, "instructions"},
		"kept":     {`for _ = 1, 1000 do text.excerpt(s, { bytes = 500000 }) end`, luabind.Limits{Instructions: 1e9, Memory: 20 << 20}, "memory"},
		"squeezed": {`for _ = 1, 1000 do text.squeeze(s) end`, luabind.Limits{Instructions: 1e9, Memory: 20 << 20}, "memory"},
		"described": {`for i = 1, 10000 do local patterns = {} for j = 1, 20 do patterns[j] = ("x" .. i .. "y" .. j):rep(6) end text.snippets{ { patterns = patterns } } end`,
			luabind.Limits{Instructions: 1e9, Memory: 20 << 20}, "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			test.limits.Timeout = time.Minute // which isn't what is meant to end it
			err := run(t, Modules(), setUp+test.lua, test.limits)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error over %s", err, test.want)
			}
		})
	}
}
