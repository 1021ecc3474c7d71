package builtins_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
)

// Whatever the answer, reading it ends without an error, and the result is bounded: 20 texts of one line and 300
// bytes each, which are in the answer.
func FuzzFollowups(f *testing.F) {
	for _, seed := range []string{
		"", "TODO: add retries", "- [ ] a\n- [x] b", "> TODO: x\n\nTODO: y", "```\nTODO: x\n```\n~~~", "## Next steps\n1. a\n   b\n2. ~~c~~",
		"I **still** need to add `x`.", "| a | TODO |", "“TODO: x” 'y' \"z", "TODO: a\r\nTODO(b): c // TODO: d", "\x01\x02 TODO: \x019\x02", "    TODO: code", "-// TODO: gone",
	} {
		f.Add(seed)
	}
	e := followups(f, nil)
	f.Fuzz(func(t *testing.T, answer string) {
		if !utf8.ValidString(answer) {
			return // answers come as JSON
		}
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PostResponse, Response: answer})
		if err != nil {
			t.Fatal(err)
		}
		if run := r.Summary().Runs[0]; run.Error != nil {
			t.Fatalf("%s\n%s", run.Error.Message, run.Error.Traceback)
		}
		list, _ := r.Data["followups"].([]any)
		if len(list) > 20 {
			t.Errorf("%d follow-ups", len(list))
		}
		for _, item := range list {
			text, _ := item.(map[string]any)["text"].(string)
			if text == "" || len(text) > 300 || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\x01\x02") {
				t.Errorf("%q", text)
			}
		}
	})
}
