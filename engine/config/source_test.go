package config_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luahook/luahook/engine/config"
)

// The content of a line doesn't move the mark, and can't control the terminal.
func TestAnnotatedSource(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"plain", "hooks:\n  on_failur: 1\n", "  2 |   on_failur: 1\n    |   ^"},
		{"the first line", "hook: 1", "  1 | hook: 1\n    | ^"},
		{"a line of four digits", strings.Repeat("\n", 1233) + "hook: 1", "1234 | hook: 1\n     | ^"},
		{"wide characters", "hooks: {stop: [{name: 日本 🦊, x: 1}]}", "  1 | hooks: {stop: [{name: 日本 🦊, x: 1}]}\n    |                                ^"},
		{"letters and their accents", "hooks: {stop: [{name: e\u0301a\u0308, x: 1}]}", "  1 | hooks: {stop: [{name: e\u0301a\u0308, x: 1}]}\n    |                           ^"},
		{"a tab", "hooks: {stop: [{name: 'a\tb', x: 1}]}", "  1 | hooks: {stop: [{name: 'a→b', x: 1}]}\n    |                              ^"},
		{"escapes of a terminal", "hooks: {stop: [{name: '\x1b[2J\x07', x: 1}]}", "  1 | hooks: {stop: [{name: '�[2J�', x: 1}]}\n    |                                ^"},
		{"characters that turn the line around", "hooks: {stop: [{name: a\u202eb\u200b, x: 1}]}", "  1 | hooks: {stop: [{name: a�b�, x: 1}]}\n    |                             ^"},
		{"no UTF-8", "hooks: {stop: [{name: 'a\xff', x: 1}]}", "  1 | hooks: {stop: [{name: 'a�', x: 1}]}\n    |                             ^"},
		{"a line that ends as in Windows", "hooks:\r\n  a: 1\r\n  b: 2\r\n", "  2 |   a: 1\n    |   ^"},
		{"lines that end as long ago", "hooks:\r  enabled: false\r  x: 1\r", "  3 |   x: 1\n    |   ^"},
		{"spaces at the end", "hook: 1   ", "  1 | hook: 1\n    | ^"},
		{"a long line, at its beginning", "hook: " + strings.Repeat("x", 300), "  1 | hook: " + strings.Repeat("x", 154) + "…\n    | ^"},
		{"a long line, in its middle", "hooks: {stop: [{name: " + strings.Repeat("x", 300) + ", y: 1, with: {z: " + strings.Repeat("y", 300) + "}}]}",
			"  1 | …" + strings.Repeat("x", 78) + ", y: 1, with: {z: " + strings.Repeat("y", 64) + "…\n    |  " + strings.Repeat(" ", 80) + "^"},
		{"a long line, at its end", "hooks: {stop: [{name: " + strings.Repeat("x", 300) + ", y: 1}]}",
			"  1 | …" + strings.Repeat("x", 151) + ", y: 1}]}\n    |  " + strings.Repeat(" ", 153) + "^"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, problems := config.Decode("hooks.yaml", []byte(test.yaml))
			if len(problems) == 0 {
				t.Fatal("no problem")
			}
			if got := asError(t, problems[0]).Snippet; got != test.want {
				t.Errorf("\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// A message is one line that a terminal can show, whatever it quotes.
func TestMessagesAreOneLine(t *testing.T) {
	for _, yaml := range []string{
		"hooks: {\"a\\nb\\e[2J\\u202e\": 1}",
		"hooks: {" + strings.Repeat("x", 5000) + ": 1}",
		"hooks: {on_failure: \"" + strings.Repeat("日", 5000) + "\"}",
		"hooks: {stop: [{builtin: \"a\\rb\"}]}",
		"\x1b[2J: [",
		"hooks:\n  a: '\x1b\n",
	} {
		_, problems := config.Decode("hooks.yaml", []byte(yaml))
		if len(problems) == 0 {
			t.Fatalf("%.40q: no problem", yaml)
		}
		for _, err := range problems {
			e := asError(t, err)
			if harmful(e.Message) || utf8.RuneCountInString(e.Message) > 501 {
				t.Errorf("%.40q: %q", yaml, e.Message)
			}
		}
	}
}
