package lib

import (
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/luabind"
)

func TestText(t *testing.T) {
	runScripts(t, []script{
		{"trim", `same(text.trim("\t a b \r\n"), "a b") same(text.trim(""), "") same(text.trim(12), "12")`, ""},
		{"split", `same(text.split("a,b", ","), { "a", "b" }) same(text.split("", ","), { "" }) same(text.split(",", ","), { "", "" }) same(text.split("a%b", "%"), { "a", "b" })`, ""},
		{"lines", `same(text.lines("a\r\nb\n\nc"), { "a", "b", "", "c" }) same(text.lines("a\n"), { "a" }) same(text.lines("\n"), { "" }) same(text.lines(""), json.array())`, ""},
		{"tests", `same(text.starts_with("abc", "ab"), true) same(text.starts_with("abc", ""), true) same(text.ends_with("abc", "ab"), false) same(text.contains("a.b", "."), true) same(text.contains("ab", "."), false)`, ""},
		{"contains_any", `same(text.contains_any("a b c", { "x", "c", "b" }), "c") same(text.contains_any("a", {}), nil) same(text.contains_any("a", { "" }), "") same(text.contains_any("a.b", { "a%.b", "%." }), nil) same(text.contains_any(12, { "2" }), "2")`, ""},
		{"contains_any of what is no text", `text.contains_any("a", { "x", 1, "a" })`, "bad argument #2 to contains_any (string expected as item 2, got number)"},
		{"contains_any of a list with a hole", `local list = { "x", "y", "a" } list[2] = nil text.contains_any("a", list)`, "bad argument #2 to contains_any (string expected as item 2, got nil)"},
		{"contains_any of a text", `text.contains_any("a", "a")`, "bad argument #2 to contains_any (table expected, got string)"},
		{"truncate", `same(text.truncate("abcdef", 6), "abcdef") same(text.truncate("abcdef", 5), "ab...") same(text.truncate("abcdef", 2), "ab") same(text.truncate("abcdef", 0), "") same(text.truncate("abcdef", 4, ">"), "abc>") same(text.truncate("€€", 5, ""), "€") same(text.truncate("€€", 2, ""), "") same(text.truncate("a", 1), "a")`, ""},
		{"truncate no UTF-8", `same(#text.truncate(("\128"):rep(10), 6, ""), 6) same(#text.truncate(("\255"):rep(10), 6, ""), 6)`, ""},
		{"fresh", `local a, b = text.split("a", ","), text.split("a", ",") a[1] = "b" same(b[1], "a")`, ""},

		{"empty separator", `text.split("a", "")`, "bad argument #2 to split (the separator is empty)"},
		{"split nil", `text.split()`, "bad argument #1 to split (string expected, got nil)"},
		{"split table", `text.split("a", {})`, "bad argument #2 to split (string expected, got table)"},
		{"split by another name", `local f = text.split f("a")`, "bad argument #2 to split (string expected, got nil)"},
		{"truncate nothing", `text.truncate("a")`, "bad argument #2 to truncate (number expected, got nil)"},
		{"truncate text", `text.truncate("a", "3")`, "bad argument #2 to truncate (number expected, got string)"},
		{"truncate negative", `text.truncate("a", -1)`, "bad argument #2 to truncate (a number from 0 expected, got -1)"},
		{"truncate fraction", `text.truncate("a", 0.5)`, "bad argument #2 to truncate (whole number expected, got 0.5)"},
		{"truncate NaN", `text.truncate("a", 0/0)`, "whole number expected"},
		{"truncate huge", `text.truncate("a", math.huge)`, "whole number expected"},
		{"truncate marker", `text.truncate("abc", 1, true)`, "bad argument #3 to truncate (string expected, got boolean)"},
	})
}

func TestPath(t *testing.T) {
	runScripts(t, []script{
		{"join", `same(path.join("a", "b", "../c"), "a/c") same(path.join("/", "a"), "/a") same(path.join("a", "/b"), "a/b") same(path.join("", "a"), "a") same(path.join(""), "") same(path.join([[C:\x]], "y"), "C:/x/y")`, ""},
		{"base", `same(path.base("a/b/"), "b") same(path.base("/"), "/") same(path.base(""), ".") same(path.base([[C:\a\b]]), "b")`, ""},
		{"dir", `same(path.dir("a/b/"), "a/b") same(path.dir("/a"), "/") same(path.dir(""), ".") same(path.dir("C:/a"), "C:/") same(path.dir("a/../b"), ".")`, ""},
		{"ext", `same(path.ext(".bashrc"), ".bashrc") same(path.ext("a.b/c"), "")`, ""},
		{"clean", `same(path.clean(""), ".") same(path.clean("/../a/./b//c/.."), "/a/b") same(path.clean("../a"), "../a") same(path.clean("C:/../a"), "C:/a") same(path.clean([[a\b]]), [[a\b]]) same(path.clean([[\\host\share]]), "/host/share")`, ""},
		{"is_abs", `same(path.is_abs("C:/a"), true) same(path.is_abs([[c:\a]]), true) same(path.is_abs("C:a"), false) same(path.is_abs("1:/a"), false) same(path.is_abs(""), false) same(path.is_abs("~/a"), false)`, ""},
		{"abs", `same(path.abs("a/../b", "/w"), "/w/b") same(path.abs("../x", "/w/y"), "/w/x") same(path.abs("/a//b/.", "/w"), "/a/b") same(path.abs("", "/w/"), "/w") same(path.abs("~/a/../b", "/w"), "~/b") same(path.abs("~kim/a"), "~kim/a") same(path.abs("C:/x/../y", "/w"), "C:/y") same(path.abs("../../..", "/w"), "/")`, ""},
		{"abs with a relative base", `path.abs("a", "b")`, `bad argument #2 to abs (absolute path expected, got "b")`},
		{"abs out of the home folder", `path.abs("~/../x", "/w")`, "path.abs: where ~/../x leads the text doesn't tell: it is out of the home folder"},
		{"abs with a base of another type", `path.abs("a", true)`, "bad argument #2 to abs (string expected, got boolean)"},
		{"rel", `same(path.rel("/a", "/a/b"), "b") same(path.rel("/a/b", "/a"), "..") same(path.rel("a", "a"), ".") same(path.rel(".", "a/b"), "a/b") same(path.rel("/", "/a"), "a") same(path.rel("/a", "/"), "..") same(path.rel("a", "../b"), "../../b") same(path.rel("C:/a", "c:/b"), "../b")`, ""},
		{"rel mixed", `path.rel("/a", "b")`, "path.rel: no path leads from /a to b that the texts tell"},
		{"rel from outside", `path.rel("../a", "b")`, "path.rel: no path leads out of ../a that the texts tell"},
		{"rel drives", `fails("no path leads", path.rel, "C:/a", "D:/a") fails("no path leads", path.rel, "C:/a", "/") fails("no path leads", path.rel, "/", "C:/a")`, ""},
		{"match", `same(path.match("src/**", "src/a/b"), true) same(path.match("src/*", "src/a/b"), false) same(path.match("*.{go,mod}", "x/go.mod"), true) same(path.match("a|b", "x/b"), true) same(path.match("[!a]", "b"), true) same(path.match("a", "A"), false) same(path.match("/etc/**", "/etc/ssh/x"), true) same(path.match("src/a", "./src/x/../a"), true)`, ""},
		{"match from a directory", `same(path.match("src/*.go", "/repo/src/a.go"), false) same(path.match("src/*.go", "/repo/src/a.go", "/repo"), true) same(path.match("/repo/src/*.go", "src/a.go", "/repo"), true)`, ""},
		{"bad glob", `path.match("a[", "a")`, `bad argument #1 to match ("a[" is not a glob: the class that begins at "[" has no end)`},
		{"empty glob", `path.match("", "a")`, "bad argument #1 to match (an empty name"},
		{"no glob", `path.match("/src/", "a")`, "between slashes stands a regular expression, for which there is re.match"},
		{"long", `fails("the pattern is too long", path.match, ("a"):rep(1001), "a") fails("path.match: the path is longer than a path can be", path.match, "a", ("a"):rep(20000))`, ""},
		{"inside", `
			for _, p in ipairs{ "", ".", "a", "a/../b", "/repo", "/repo/", "/repo/a", "/x/../repo/a", "..a", "./a", "a/~b" } do assert(path.inside("/repo", p), p) end
			for _, p in ipairs{ "..", "../a", "a/../../b", "/", "/repository", "/repo/..", "/repo/../x", "~", "~/a", "~root/a", "~/../a", "C:/repo/a", [[C:\repo\a]], [[\\repo\a]] } do assert(not path.inside("/repo", p), p) end`, ""},
		{"inside other roots", `
			same(path.inside("/", "/a"), true) same(path.inside("/", "../a"), true) same(path.inside(".", "a"), true) same(path.inside(".", "../a"), false) same(path.inside(".", "/a"), false) same(path.inside(".", "~/a"), false) same(path.inside(".", ".."), false)
			same(path.inside("..", "a"), true) same(path.inside("..", "../a"), false) same(path.inside("src", "a"), true) same(path.inside("src", "/src/a"), false)
			same(path.inside("~/.ssh", "~/.ssh/id"), true) same(path.inside("~/.ssh", "~/x"), false) same(path.inside("~", "~/.ssh/../x"), true) same(path.inside("x", "~/../x"), false) same(path.inside("C:/r", [[C:\r\a]]), true) same(path.inside("/repo/../x/", "/x/a"), true)`, ""},
		{"inside nothing", `path.inside("", "a")`, "bad argument #1 to inside (the root is empty)"},
		{"inside nil", `path.inside("/repo", nil)`, "bad argument #2 to inside (string expected, got nil)"},
		{"join nil", `path.join("a", nil, "b")`, "bad argument #2 to join (string expected, got nil)"},
	})
}

func TestTimeAndHash(t *testing.T) {
	runScripts(t, []script{
		{"date", `same(time.date("!%Y-%m-%d %H:%M:%S %z %j %a %b %%", 951782400), "2000-02-29 00:00:00 +0000 060 Tue Feb %") same(time.date("!", 0), "") same(time.date("ä", 0), "ä") same(#time.date(), 19) same(time.date("!%T", 0.9), "00:00:00") same(time.date("!%F", -1), "1969-12-31")`, ""},
		{"date is local", `same(time.parse(time.date("%FT%T%z", 0):gsub("(%d%d)$", ":%1"), nil), 0)`, ""},
		{"iso", `same(time.iso(1.5), "1970-01-01T00:00:01Z") assert(time.parse(time.iso()) <= time.now())`, ""},
		{"parse", `same(time.parse("1970-01-01T00:00:00.5Z"), 0.5) same(time.parse("1969-12-31T23:59:59Z"), -1) same(time.iso(time.parse("9999-12-31T23:59:59Z")), "9999-12-31T23:59:59Z")`, ""},
		{"clock", `local a = time.clock() assert(time.clock() >= a and a >= 0)`, ""},
		{"unknown letter", `time.date("%Q")`, "bad argument #1 to date (unknown letter %Q; there are %Y %m"},
		{"unknown character", `time.date("%é")`, "unknown letter %é;"},
		{"percent at the end", `time.date("100%")`, "the format ends with a %"},
		{"far", `fails("bad argument #1 to iso (seconds between", time.iso, 1e15) fails("seconds between", time.iso, 0/0) fails("seconds between", time.date, "%F", -1e12)`, ""},
		{"no number", `time.iso("1")`, "bad argument #1 to iso (number expected, got string)"},
		{"no time", `time.parse("yesterday")`, `bad argument #1 to parse (RFC 3339 time like 2006-01-02T15:04:05Z expected, got "yesterday")`},

		{"hashes", `same(hash.sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") same(hash.sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d") same(hash.md5("abc"), "900150983cd24fb0d6963f7d28e17f72") same(hash.crc32(""), "00000000")`, ""},
		{"hmac", `same(hash.hmac_sha256("key", "The quick brown fox jumps over the lazy dog"), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8") same(hash.hmac_sha256("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")`, ""},
		{"encodings", `local s = "\0\255ä" same(hash.base64_decode(hash.base64_encode(s)), s) same(hash.hex_decode(hash.hex_encode(s)), s) same(hash.base64_decode("aGk=\n"), "hi")`, ""},
		{"bad base64", `hash.base64_decode("a*")`, "bad argument #1 to base64_decode (base64 text expected: illegal base64 data at input byte 1)"},
		{"bad hex", `hash.hex_decode("abc")`, "bad argument #1 to hex_decode (hex text expected: encoding/hex: odd length hex string)"},
		{"no key", `hash.hmac_sha256(nil, "a")`, "bad argument #1 to hmac_sha256 (string expected, got nil)"},
		{"no message", `hash.hmac_sha256("a")`, "bad argument #2 to hmac_sha256 (string expected, got nil)"},
	})
}

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
		"kept":     {`for _ = 1, 60 do text.excerpt(s, { bytes = 500000 }) end`, luabind.Limits{Instructions: 1e9, Memory: 20 << 20}, "memory"},
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
