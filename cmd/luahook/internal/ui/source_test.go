package ui

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sourceAddress is where the page of hooks leads to for a file, without the line.
func sourceAddress(t *testing.T, page, place string) string {
	t.Helper()
	found := regexp.MustCompile(`href="/token/(hooks/source\?[^"#]*)[^"]*">` + regexp.QuoteMeta(place) + `<`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no link to %s", place)
	}
	return strings.ReplaceAll(found[1], "&amp;", "&")
}

// A file is shown as it is in force, with its hooks at their lines.
func TestSource(t *testing.T) {
	files := map[string]string{
		"a.lua":      "-- first\r\non('pre_tool_call', { name = 'mine' }, function(ev)\r\n  local n = 0x1F + 1e-3\r\nend)\r\n",
		"lib/w.lua":  "return { word = [[one\ntwo]] }\n",
		"hooks.yaml": "# ours\nhooks:\n  stop:\n    - {name: shell, command: 'true'}\n",
	}
	s, root := projectServer(t, "log", true, files)
	s.Index = newServer(t, logOf(t, ran{event: "pre_tool_call", hook: "mine", scope: "project", source: ".hooks/a.lua:2", status: "blocked", decision: "deny", project: root, took: 120}), "").Index
	list := get(t, s, "hooks")
	at := sourceAddress(t, list, ".hooks/a.lua:2")
	if err := os.RemoveAll(filepath.Join(root, ".hooks")); err != nil { // what was read is in force
		t.Fatal(err)
	}
	page := get(t, s, at)
	contains(t, page, `id="L1"`, `id="L4"`, `<span class="line marked" id="L2">`, `<span class="lua-comment">-- first</span>`, `<span class="lua-word">function</span>`,
		`<span class="lua-number">0x1F</span>`, `<span class="lua-number">1e-3</span>`, "<span class=\"lua-string\">&#39;mine&#39;</span>", "playground?file="+fileKey(filepath.Join(root, ".hooks", "a.lua")))
	contains(t, seen(page), "mine on pre_tool_call · 1 run, 1 denied, p50 120 µs, p99 120 µs", "4 lines")
	if strings.Contains(page, "U+000D") || strings.Contains(page, `id="L5"`) {
		t.Error("the ends of the lines are taken for more")
	}
	library := get(t, s, sourceAddress(t, list, ".hooks/lib/w.lua"))
	contains(t, library, `<span class="lua-string">[[one</span>`, `<span class="lua-string">two]]</span>`)
	yaml := get(t, s, sourceAddress(t, list, ".hooks/hooks.yaml:4"))
	contains(t, yaml, `<span class="line marked" id="L4">`, `<span class="lua-comment"># ours`)
	contains(t, seen(yaml), "shell on stop · its event never came in this project")
}

// Built-ins have their sources, and the modules that they require.
func TestSourceOfBuiltins(t *testing.T) {
	s := newServer(t, "log", "")
	page := get(t, s, sourceAddress(t, get(t, s, "hooks"), "builtin:safety-guard:56"))
	contains(t, seen(page), "safety-guard on pre_tool_call · 91 runs, 8 denied, 2 asked", "modules that it can require")
	if strings.Contains(page, "playground?file=") {
		t.Error("a built-in can be edited")
	}
	contains(t, get(t, s, sourceAddress(t, page, "judge")), "builtin:safety-guard/judge", `id="L1"`)
}

// No address reads a file, and a page of source is bounded whatever the file holds.
func TestHostileSource(t *testing.T) {
	var lines strings.Builder
	lines.WriteString("local s = [==[")
	for i := range 5000 {
		fmt.Fprintf(&lines, "</pre><script>alert(%d)</script>%s\n", i, strings.Repeat("ä", 1500))
		if i == 20 {
			lines.WriteString("]==]\n" + strings.Repeat("1 ", 400) + "\u202e-- \x00\n--[==[ ")
		}
	}
	lines.WriteString("]==]\non('stop', { name = 'last' }, function() end)\n")
	s := newServer(t, "log", lines.String()[:1<<18])
	for _, path := range []string{"", "?hook=", "?hook=../../etc/passwd", "?hook=%2fetc%2fpasswd", "?hook=builtin:safety-guard", "?hook=guard.lua", "?hook=" + url.QueryEscape(strings.Repeat("a", 4000))} {
		if r := ask(s, http.MethodGet, "/"+testToken+"/hooks/source"+path, ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	key := fileKey("guard.lua")
	for _, from := range []string{"0", "-1", "x", "1.5", "99999999999999999999"} {
		if r := ask(s, http.MethodGet, "/"+testToken+"/hooks/source?hook="+key+"&from="+from, ""); r.StatusCode != http.StatusBadRequest {
			t.Errorf("from=%s: status %d", from, r.StatusCode)
		}
	}
	contains(t, get(t, s, "hooks/source?hook="+key+"&from=9223372036854775807"), "The file has")
	page := get(t, s, "hooks/source?hook="+key)
	contains(t, page, "… the line is longer", "&lt;/pre&gt;")
	if strings.Contains(page, "<script>alert") {
		t.Error("a source is more than text")
	}
	if len(page) > 8<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// Long files come in pages, and a hook's link leads to the one that has its line.
func TestPagesOfSource(t *testing.T) {
	s := newServer(t, "log", strings.Repeat("-- more\n", 4500)+"on('stop', { name = 'last' }, function() end)")
	at := sourceAddress(t, get(t, s, "hooks"), "guard.lua:4501")
	page := get(t, s, at)
	contains(t, page, `<span class="line marked" id="L4501">`, `id="L4001"`, "Lines before 4001")
	if strings.Contains(page, `id="L4000"`) || strings.Contains(page, "Lines from") {
		t.Errorf("the page %s isn't the last one alone", at)
	}
	contains(t, get(t, s, "hooks/source?hook="+fileKey("guard.lua")), "Lines from 2001", `id="L2000"`)
}

// The pieces are the text whatever it is, each with the class that it should have.
func TestLex(t *testing.T) {
	for text, want := range map[string]string{
		"local a = 1":                "word:local| a = |number:1",
		"x1 = nil--c":                "x1 = |word:nil|comment:--c",
		"--[[a\nb]]c":                "comment:--[[a\nb]]|c",
		"--[=[a]]b]=]c":              "comment:--[=[a]]b]=]|c",
		"--[a\nend":                  "comment:--[a|\n|word:end",
		"[[a":                        "string:[[a",
		"a[b[1]]":                    "a[b[|number:1|]]",
		`"a\"b" .. 'c'`:              `string:"a\"b"| .. |string:'c'`,
		"'open\nend":                 "string:'open|\n|word:end",
		`"\`:                         `string:"\`,
		"0xAe-1 1e-1 .5 3..4 a.b":    "number:0xAe|-|number:1| |number:1e-1| |number:.5| |number:3..4| a.b",
		"endless = _end":             "endless = _end",
		"\xff\x00":                   "\xff\x00",
		"":                           "",
		"-":                          "-",
		"a = '\\\n' .. [==[\n]==] b": "a = |string:'\\\n'| .. |string:[==[\n]==]| b",
	} {
		var pieces []string
		lexLua(text, func(class, piece string) {
			if class != "" {
				class = strings.TrimPrefix(class, "lua-") + ":"
			}
			if piece != "" {
				pieces = append(pieces, class+piece)
			}
		})
		if got := strings.Join(pieces, "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzLex(f *testing.F) {
	f.Add("local a = [[x]] --[=[ y ]=] .. 'z' 1e5")
	f.Add("hooks:\n  # ours\n  stop: [{command: x}]")
	f.Fuzz(func(t *testing.T, text string) {
		for name, lex := range map[string]func(string, func(class, text string)){"Lua": lexLua, "YAML": lexYAML} {
			var all strings.Builder
			lex(text, func(_, piece string) { all.WriteString(piece) })
			if all.String() != text {
				t.Errorf("%s: %q became %q", name, text, all.String())
			}
		}
	})
}
