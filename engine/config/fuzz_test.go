package config_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

func harmful(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// FuzzDecode: no hooks.yaml makes the decoder panic, each complaint has its place and
// its line, and what is left can be used.
func FuzzDecode(f *testing.F) {
	for _, test := range mistakes {
		if len(test.yaml) < 1000 {
			f.Add(test.yaml)
		}
	}
	for _, seed := range []string{
		good, "#", "hooks: &a {stop: *a}", "hooks: !!map {}", "? [a]\n: b", "- -\n  -", "%YAML 1.2\n---\n", "hooks: |\n  x", "\"hooks\": 'x'", "1: 2\n1: 3",
		"\xff\xfe", "? a\n: 1\n? a\n: 2", "hooks: {1.5: x, true: y, null: z}", "hooks:\n  stop:\n  - !!binary aGk=\n", "hooks: {? [a, b] : c}", "hooks:\n  stop: [{with: {1: {2: 3}, .inf: .nan}, script: a.lua}]",
		"hooks: {stop: [{command: >-\n  a\n\n  b\n}]}", "{hooks: {stop: [{script: \"\\x00.lua\"}]}}", "hooks: {limits: {memory: 0x7fffffffffffffff, instructions: 0o17}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, yaml string) {
		c, problems := config.Decode("hooks.yaml", []byte(yaml))
		for _, err := range problems {
			e := asError(t, err)
			if !placed.MatchString(e.Source) || e.Message == "" || harmful(e.Message) {
				t.Errorf("%q: %#v", yaml, e)
			}
			line, mark, ok := strings.Cut(e.Snippet, "\n")
			if !ok || harmful(line) || harmful(mark) || strings.Count(mark, "^") != 1 || utf8.RuneCountInString(line) > 200 {
				t.Errorf("%q: snippet %q", yaml, e.Snippet)
			}
		}
		if l := c.Limits; l.Instructions < 0 || l.Timeout < 0 || l.Event < 0 || (l.Memory != 0 && l.Memory < config.MinMemory) {
			t.Errorf("%q: %+v", yaml, l)
		}
		for _, h := range c.Hooks {
			handlers := 0
			for _, what := range []string{h.Builtin, h.Script, h.Command} {
				if what != "" {
					handlers++
				}
			}
			if handlers != 1 || hooks.Lookup(h.Event) == nil || h.Options.Timeout < 0 {
				t.Errorf("%q: %+v", yaml, h)
			}
		}
	})
}

// Whatever the file, reading it takes little time and memory, and the result is small.
func TestBoundedWork(t *testing.T) {
	lines := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	tests := []struct {
		name, yaml string
		problems   int
	}{
		{"many mistakes", "hooks:\n" + lines("  x%d: 1\n", 5000), 51},
		{"many mistakes in hooks", "hooks:\n  stop:\n" + lines("  - {scirpt: %d}\n", 3000), 51},
		{"many mistakes in one list", "hooks: {grant: {exec: [" + strings.Repeat("'*',", 10000) + "]}}", 51},
		{"many mistakes in one hook", "hooks: {stop: [{" + lines("x%d: 1, ", 5000) + "}]}", 51},
		{"patterns that are large together", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: '/x{999}/'}\n", 1000), 51},
		{"patterns that take long to read", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: '/[B-😀]/'}\n", 1000), 51},
		{"patterns of many such classes", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: {command: '/"+strings.Repeat("[B-😀]", 6)+"/'}}\n", 200), 51},
		{"patterns that are globs of such classes", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: '*[B-😀]|*[C-😀]|*[D-😀]'}\n", 1000), 51},
		{"patterns that ignore case themselves", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: {path: '/(?i)[B-😀]/'}}\n", 500), 51},
		{"patterns of many globs", "hooks:\n  pre_tool_call:\n" + strings.Repeat("  - {script: a.lua, match: '"+strings.Repeat("*|", 1900)+"*'}\n", 12), 12},
		{"no mistakes", "hooks:\n  stop:\n" + strings.Repeat("  - {script: a.lua}\n", 3000), 0},
		{"lists in lists", "hooks: " + strings.Repeat("- ", 30000), 1},
		{"keys of keys", strings.Repeat("? ", 30000), 1},
		{"brackets", strings.Repeat("[", 60000), 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if len(test.yaml) > config.MaxBytes {
				t.Fatalf("%d bytes", len(test.yaml))
			}
			c, problems := config.Decode("hooks.yaml", []byte(test.yaml))
			if len(problems) != test.problems {
				t.Fatalf("%d problems, want %d: %v", len(problems), test.problems, problems[0])
			}
			if test.problems > 50 && !strings.Contains(problems[50].Error(), "more than 50 mistakes; nothing is read from here on") {
				t.Error(problems[50])
			}
			if strings.HasPrefix(test.name, "patterns") && !strings.Contains(problems[0].Error(), "match: the patterns of this file are too large together") {
				t.Error(problems[0])
			}
			if test.problems == 0 && len(c.Hooks) != 3000 {
				t.Errorf("%d hooks", len(c.Hooks))
			}
		})
	}
}

func TestSizeOfAFile(t *testing.T) {
	fits := append([]byte("hooks: {enabled: false}\n#"), bytes.Repeat([]byte(" "), config.MaxBytes-25)...)
	if c, problems := config.Decode("hooks.yaml", fits); problems != nil || !c.Disabled {
		t.Errorf("%d bytes: %v", len(fits), problems)
	}
	if c, problems := config.Decode("hooks.yaml", append(fits, ' ')); len(problems) != 1 || c.Disabled {
		t.Errorf("%d bytes: %v", len(fits)+1, problems)
	}
}
