package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/luahook/luahook/hooks"
)

func FuzzDecodeContext(f *testing.F) {
	for _, info := range hooks.Events() {
		f.Add(hooks.Sample(info))
	}
	files, err := filepath.Glob("../testdata/events/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no events: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		fullJSON, `{}`, `[`, `{"event":"stop"} x`, `{"event":"deploy.requested","n":1e400}`, `{"event":"stop","metadata":{"a":1},"a":2,"b":1.0}`,
		`{"event":"pre_tool_call","tool_call":{"name":"read","command":"x"}}`, `{"event":"pre_tool_call","tool_call":{"name":"x","kind":"shell","input":{"cmd":["a b",""]},"duration_ms":0.0004}}`,
		`{"event":"on_retry","delay":1e22,"attempt":-0.0,"usage":{"cost_usd":1e308,"extra":[]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := hooks.DecodeContext(text, "")
		if err != nil {
			if c != nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%+v with the error %q", c, err)
			}
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("can't be written: %v", err)
		}
		back, err := hooks.DecodeContext(again, c.Event)
		if err != nil {
			t.Fatalf("can't be read again: %v\n%s", err, again)
		}
		if diff := cmp.Diff(c, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("reads as something else: %s\n%s", diff, again)
		}
	})
}

func FuzzParseMatcher(f *testing.F) {
	for _, pattern := range []string{"", "*", "bash", "edit|write", "mcp__github__*", "/^mcp__(a|b)/", "a[!0-9]", "{a,b}*", "src/**/*.go", ".env|x/**", "a[", "/(/", "acmé?", "a||b"} {
		f.Add(pattern, "Bash", "src/a.go")
	}
	events := []*hooks.Context{{Event: "stop"}, {Event: "session_start", Fields: map[string]any{"source": "resume"}}}
	f.Fuzz(func(t *testing.T, pattern, tool, file string) {
		call := &hooks.Context{Event: "pre_tool_call", CWD: "/w", ToolCall: &hooks.ToolCall{Name: tool, HostName: tool, Paths: []string{file}}}
		if m, err := hooks.ParseMatcher(pattern); err == nil {
			same, err := hooks.ParseMatcher(m.String())
			if err != nil {
				t.Fatalf("%q is written %q, which is no matcher: %v", pattern, m.String(), err)
			}
			for _, e := range append(events, call) {
				if m.Matches(e) != same.Matches(e) {
					t.Fatalf("%q and %q differ on %+v", pattern, m.String(), e)
				}
			}
		} else if m != nil {
			t.Fatalf("%q: a matcher and an error", pattern)
		}
		if m, err := hooks.MatchFields(map[string]string{"path": pattern}); err == nil {
			m.Matches(call)
		}
	})
}

func FuzzParseEvent(f *testing.F) {
	for name, words := range spellings {
		f.Add(string(name))
		for _, word := range strings.Fields(words) {
			f.Add(word)
		}
	}
	for _, name := range []string{"", "BeforeAgent", "deploy.requested", ".", "stpo", strings.Repeat("a", 200)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		event, err := hooks.ParseEvent(name)
		if (err == nil) != (event != "") {
			t.Fatalf("ParseEvent(%q) = %q, %v", name, event, err)
		}
		if err != nil {
			return
		}
		if info := hooks.Lookup(event); info == nil || info.Name != event {
			t.Fatalf("%q is no event of the catalogue", event)
		}
		if again, err := hooks.ParseEvent(string(event)); again != event || err != nil {
			t.Fatalf("a canonical name is its own spelling: %q, %v", again, err)
		}
	})
}
