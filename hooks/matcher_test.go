package hooks_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func toolEvent(t *testing.T, name string) *hooks.Context {
	t.Helper()
	return decode(t, `{"event":"pre_tool_call","tool_call":{"name":"`+name+`","input":{}}}`)
}

func TestMatcherOnToolNames(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"", "Bash read anything", ""},
		{"*", "Bash read anything", ""},
		{"bash", "Bash bash BASH Shell run_shell_command execute_command", "bashful read ba mcp__bash__run"},
		{"Shell", "Shell shell", "Bash run_shell_command read"}, // the host's name, not the canonical one
		{"edit|write", "Edit MultiEdit apply_patch Write create_file", "Read Bash editorial"},
		{" Edit | Write ", "edit write", "read"},
		{"mcp__github__*", "mcp__github__create_issue mcp_github_create_issue MCP__GitHub__x", "mcp__gitlab__create_issue github"},
		{"acme?", "acme1 ACMEx", "acme acme12"},
		{"acme[0-9]", "acme7", "acmex acme77"},
		{"acme[!0-9]", "acmex", "acme7"},
		{"{read,web}*", "Read WebFetch reader", "bash spread"},
		{"acme,x", "acme,x", "acme x"},
		{"bash|mcp__*", "Bash mcp__a__b", "read"},
		{"/^mcp__(github|jira)__/", "mcp__github__x MCP__JIRA__y", "mcp__slack__x xmcp__github__x"},
		{"/ema/", "ema SCHEMA schematic", "em"},
		{"acmé*", "acmé1 ACMÉ2", "acme1"},
		{"a.b", "a.b", "axb"},
	} {
		m, err := hooks.ParseMatcher(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for _, name := range strings.Fields(c.yes) {
			if !m.Matches(toolEvent(t, name)) {
				t.Errorf("%q doesn't match %s", c.pattern, name)
			}
		}
		for _, name := range strings.Fields(c.no) {
			if m.Matches(toolEvent(t, name)) {
				t.Errorf("%q matches %s", c.pattern, name)
			}
		}
		if want := c.pattern; m.String() != want && want != "" {
			t.Errorf("String() = %q, want %q", m.String(), want)
		}
	}
}

func TestMatcherLooksAtTheFieldOfTheCatalogue(t *testing.T) {
	for _, c := range []struct {
		event, pattern string
		want           bool
	}{
		{`{"event":"session_start","source":"resume"}`, "startup|resume", true},
		{`{"event":"session_start","source":"clear"}`, "startup|resume", false},
		{`{"event":"session_start"}`, "startup", false},
		{`{"event":"pre_compact","trigger":"auto"}`, "AUTO", true},
		{`{"event":"on_error","error":{"kind":"rate_limit"}}`, "rate_*", true},
		{`{"event":"on_error","error":{"message":"rate_limit"}}`, "rate_*", false},
		{`{"event":"on_error"}`, "rate_*", false},
		{`{"event":"message_sending","channel":"#builds"}`, "#builds", true},
		{`{"event":"pre_model_call","model":"sonnet-5"}`, "sonnet*", true},
		{`{"event":"subagent_stop","agent_name":"Explore"}`, "explore", true},
		{`{"event":"stop","response":"stop"}`, "stop", false},
	} {
		if got := hooks.MustMatch(c.pattern).Matches(decode(t, c.event)); got != c.want {
			t.Errorf("%s on %s: %t", c.pattern, c.event, got)
		}
	}
	if hooks.MustMatch("x").Matches(&hooks.Context{Event: "nonsense"}) {
		t.Error("an unknown event matches nothing")
	}
}

func TestParseMatcherRefuses(t *testing.T) {
	for pattern, says := range map[string]string{
		"a||b": "an empty name", "|": "an empty name", "a| ": "an empty name",
		"mcp__.*": `looks like a regular expression; write "/mcp__.*/"`, "^bash$": "looks like a regular expression", `a\b`: "looks like", "(a)": "looks like",
		"/(/": "is not a regular expression (RE2)", "/(?=a)/": "is not a regular expression (RE2)",
		"!bash": "can't leave names out", "bash|/mcp/": "can't stand in a list", "/a/|/b/": "can't stand in a list",
		"a[b": "has no end", "a[]": "has no end", "a[z-a]": "is not a glob", "a{b": "a { without its }", "[a]}": "a } without its {",
	} {
		if m, err := hooks.ParseMatcher(pattern); m != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", pattern, err, says)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("MustMatch(%q) doesn't panic", pattern)
				}
			}()
			hooks.MustMatch(pattern)
		}()
	}
}

func TestMatchFields(t *testing.T) {
	shell := `{"event":"pre_tool_call","session_id":"s-1","agent_depth":1,"metadata":{"mode":"plan","list":[1]},"tool_call":{"name":"Shell","command":"git push","duration_ms":1.5}}`
	read := `{"event":"post_tool_call","tool_call":{"name":"Read","input":{"path":"a"},"output":"secret","outcome":"error"},"error":{"kind":"io","is_retryable":true},"usage":{"input_tokens":7}}`
	type fields = map[string]string
	for _, c := range []struct {
		event string
		match fields
		want  bool
	}{
		{shell, fields{"kind": "shell"}, true},
		{read, fields{"kind": "shell"}, false},
		{read, fields{"kind": "read|write"}, true},
		{shell, fields{"tool": "bash"}, true},
		{shell, fields{"tool_name": "shell"}, true},
		{shell, fields{"command": "/^git +push/"}, true},
		{shell, fields{"command": "git*"}, true},
		{shell, fields{"command": "git"}, false},
		{read, fields{"command": "*"}, false}, // absent
		{shell, fields{"kind": "shell", "agent_depth": "1"}, true},
		{shell, fields{"kind": "shell", "agent_depth": "0"}, false},
		{shell, fields{"metadata.mode": "PLAN"}, true},
		{shell, fields{"metadata.other": "*"}, false},
		{shell, fields{"metadata.list": "?1?"}, true}, // as JSON text
		{shell, fields{"metadata.list": "*2*"}, false},
		{shell, fields{"session_id": "s-*", "event": "pre_tool_call"}, true},
		{read, fields{"tool_call.outcome": "error", "tool_call.output": "/secret/"}, true},
		{read, fields{"error.kind": "io", "error.is_retryable": "true", "usage.input_tokens": "7"}, true},
		{shell, fields{"error.kind": "*"}, false},
		{`{"event":"stop"}`, fields{"kind": "*"}, false},
		{`{"event":"stop"}`, fields{"path": "*"}, false},
		{`{"event":"stop"}`, fields{"tool": "*"}, false},
		{`{"event":"on_retry","attempt":3}`, fields{"attempt": "3"}, true},
		{`{"event":"on_retry","tool_name":"WebFetch"}`, fields{"tool_name": "web"}, true},
		{`{"event":"on_retry","tool_name":"WebFetch"}`, fields{"tool": "webfetch"}, true},
		{`{"event":"on_retry","tool_name":"WebFetch"}`, fields{"tool_name": "bash"}, false},
		{`{"event":"on_retry"}`, fields{"tool_name": "*"}, false},
	} {
		m, err := hooks.MatchFields(c.match)
		if err != nil {
			t.Errorf("%v: %v", c.match, err)
			continue
		}
		event := decode(t, c.event)
		if err := m.Check(hooks.Lookup(event.Event)); err != nil {
			t.Errorf("%v on %s: %v", c.match, c.event, err)
		}
		if got := m.Matches(event); got != c.want {
			t.Errorf("%v on %s: %t", m, c.event, got)
		}
	}
	if _, err := hooks.MatchFields(nil); err == nil {
		t.Error("an empty table matches everything, which nobody means")
	}
	if _, err := hooks.MatchFields(fields{"kind": "a.*"}); err == nil || !strings.HasPrefix(err.Error(), "tool_call.kind: match: ") {
		t.Errorf("the error names the field: %v", err)
	}
	m, _ := hooks.MatchFields(fields{"kind": "shell", "cwd": "/w"})
	if got, want := m.String(), `{cwd="/w", kind="shell"}`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
}

func TestMatchPaths(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"src/**", "src/a.go src/x/y.go ./src/a.go /w/src/a.go x/../src/a.go", "lib/src/a.go src /other/src/a.go Src/a.go"},
		{"src/*", "src/a.go /w/src/a.go", "src/x/a.go"},
		{"src/Main.go", "src/Main.go /w/src/Main.go", "src/main.go Main.go"},
		{"src/*.go", "src/a.go", "src/a.lua src/x/a.go"},
		{"src/**/*.go", "src/a.go src/x/y/a.go", "src/a.lua"},
		{"src/a?.go", "src/ab.go", "src/a/.go src/a.go"},
		{"*.go", "a.go src/a.go /etc/x/a.go", "a.goo a.GO"},
		{".env", ".env config/.env /w/.env", ".env.example xenv"},
		{".env|secrets/**", "config/.env secrets/key", "x/secrets/key env"},
		{"*.pem|id_*|/etc/passwd", "k.pem x/k.pem x/id_rsa /etc/passwd", "etc/passwd xid"},
		{"/etc/**", "/etc/passwd /etc/x/y ../etc/hosts", "etc/passwd"},
		{"/w/src/*.go", "src/a.go /w/src/a.go", "/x/src/a.go"},
		{"**", "a x/y /z", ""},
		{"*", "a x/y /z", ""},
		{"*.{go,lua}", "a.go x/b.lua", "a.py"},
		{"Makefile", "Makefile x/Makefile", "makefile"},
		{"/\\.go$/", "a.go x/a.go", "a.GO a.go.txt"},
	} {
		m, err := hooks.MatchFields(map[string]string{"path": c.pattern})
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		event := func(p string) *hooks.Context {
			return &hooks.Context{Event: "pre_tool_call", CWD: "/w", ToolCall: &hooks.ToolCall{Name: "read", Paths: []string{"other/first", p}}}
		}
		for _, p := range strings.Fields(c.yes) {
			if !m.Matches(event(p)) {
				t.Errorf("%q doesn't match %s", c.pattern, p)
			}
		}
		for _, p := range strings.Fields(c.no) {
			if m.Matches(event(p)) {
				t.Errorf("%q matches %s", c.pattern, p)
			}
		}
	}
	m, _ := hooks.MatchFields(map[string]string{"path": "src/*.go"})
	windows := &hooks.Context{Event: "pre_tool_call", CWD: `C:\work`, ToolCall: &hooks.ToolCall{Paths: []string{`C:\work\src\a.go`}}}
	if !m.Matches(windows) {
		t.Error("a Windows path is read with slashes")
	}
	if m.Matches(&hooks.Context{Event: "pre_tool_call", ToolCall: &hooks.ToolCall{Paths: []string{"/w/src/a.go"}}}) {
		t.Error("without a cwd a relative pattern doesn't match an absolute path")
	}
}

func TestMatcherCheck(t *testing.T) {
	for _, c := range []struct {
		event hooks.Event
		field string // empty: the string form
		says  string // empty: fine
	}{
		{"pre_tool_call", "", ""},
		{"stop", "", "match: stop has nothing that a name could match"},
		{"pre_tool_call", "path", ""},
		{"pre_tool_call", "metadata.mode", ""},
		{"on_error", "error.kind", ""},
		{"on_retry", "tool_name", ""},
		{"pre_tool_call", "agent_nmae", `pre_tool_call has no field "agent_nmae"; did you mean "agent_name"?`},
		{"stop", "attempt", `stop has no field "attempt"`},
		{"pre_tool_call", "tool_call.comand", `tool_call has no field "comand"; did you mean "command"?`},
		{"pre_tool_call", "tool_call", `"tool_call" can't be matched; name a field of it`},
		{"pre_tool_call", "tool_call.input", "can't be matched"},
		{"pre_tool_call", "metadata", "can't be matched"},
		{"parallel_join", "branches", "can't be matched"},
		{"pre_tool_call", "cwd.x", "can't be matched"},
	} {
		m := hooks.MustMatch("x")
		if c.field != "" {
			m, _ = hooks.MatchFields(map[string]string{c.field: "x"})
		}
		err := m.Check(hooks.Lookup(c.event))
		if (c.says == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s on %s: %v, want %q", c.field, c.event, err, c.says)
		}
	}
	var everything *hooks.Matcher
	if err := everything.Check(hooks.Lookup("stop")); err != nil || !everything.Matches(&hooks.Context{Event: "stop"}) || everything.String() != "*" {
		t.Errorf("no matcher matches everything: %v", err)
	}
}

// A pattern that can't match anything is a guard that is off.
func TestMatchFieldsThatNeverMatch(t *testing.T) {
	for _, c := range []struct{ key, pattern, says string }{
		{"kind", "shel", `match: tool_call.kind is never "shel"; did you mean "shell"?`},
		{"kind", "write|edti", `match: tool_call.kind is never "edti"; did you mean "edit"?`},
		{"tool_call.outcome", "eror", `match: tool_call.outcome is never "eror"; did you mean "error"?`},
		{"path", "~/.ssh/**", "~ is not expanded"},
		{"kind", "Shell|w*", ""},
		{"tool_call.outcome", "error|timeout", ""},
	} {
		m, err := hooks.MatchFields(map[string]string{c.key: c.pattern})
		if err == nil {
			err = m.Check(hooks.Lookup(hooks.PostToolCall))
		}
		if (err == nil) != (c.says == "") || (err != nil && !strings.Contains(err.Error(), c.says)) {
			t.Errorf("{%s=%q}: %v, want %q", c.key, c.pattern, err, c.says)
		}
	}
}

// Without a cwd a path is still cleaned.
func TestMatchPathsWithoutCWD(t *testing.T) {
	m, err := hooks.MatchFields(map[string]string{"path": "secrets/**"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"src/../secrets/k": true, "./secrets/k": true, "secrets/../src/k": false} {
		c := decode(t, `{"event":"pre_tool_call","tool_call":{"name":"write","input":{"file_path":"`+path+`"}}}`)
		if m.Matches(c) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

// With many paths and words, comparing and cleaning count, not only expressions.
func TestMatchingManyPathsIsCounted(t *testing.T) {
	m, err := hooks.MatchFields(map[string]string{"path": strings.Repeat("/a/b|", 999) + "/a/b"})
	if err != nil {
		t.Fatal(err)
	}
	call := &hooks.ToolCall{Name: "read", Paths: []string{"/" + strings.Repeat("x", 100_000)}}
	if _, work := m.Match(&hooks.Context{Event: "pre_tool_call", ToolCall: call}); work < 101_000 {
		t.Errorf("it is %d units of work", work)
	}
	call.Paths = make([]string, 100_000)
	for i := range call.Paths {
		call.Paths[i] = "/x"
	}
	if matches, work := m.Match(&hooks.Context{Event: "pre_tool_call", ToolCall: call}); work < 1<<26 || !matches {
		t.Errorf("it is %d units of work, and matches: %t", work, matches)
	}
}

// TestMismatch: why a hook doesn't run is told in the words of its match.
func TestMismatch(t *testing.T) {
	edit := `{"event":"pre_tool_call","tool_call":{"name":"Edit","input":{"file_path":"a.go","old_string":"a","new_string":"b"}}}`
	many := `{"event":"pre_tool_call","tool_call":{"name":"x","input":{"paths":["a","b","c","d","e"]}}}`
	failed := `{"event":"on_error","error":{"message":"m","kind":"network"}}`
	for _, c := range []struct {
		event  string
		match  any // a text, or a table
		reason string
	}{
		{edit, "edit", ""},
		{edit, "*", ""},
		{edit, "bash|write", `tool is edit (Edit), want "bash|write"`},
		{edit, map[string]string{"path": "*.env"}, `path is "a.go", want "*.env"`},
		{edit, map[string]string{"path": "*.go", "kind": "shell"}, `kind is "edit", want "shell"`},
		{edit, map[string]string{"command": "/rm/"}, `there is no command, want "/rm/"`},
		{edit, map[string]string{"cwd": "/x"}, `there is no cwd, want "/x"`},
		{many, map[string]string{"path": "z"}, `path is "a", "b", "c" and 2 more, want "z"`},
		{failed, "timeout", `error.kind is "network", want "timeout"`},
		{`{"event":"pre_prompt","prompt":"` + strings.Repeat("x", 200) + `"}`, map[string]string{"prompt": "y"}, `prompt is "` + strings.Repeat("x", 100) + `…", want "y"`},
	} {
		m, err := (*hooks.Matcher)(nil), error(nil)
		switch match := c.match.(type) {
		case string:
			m, err = hooks.ParseMatcher(match)
		case map[string]string:
			m, err = hooks.MatchFields(match)
		}
		if err != nil {
			t.Fatal(err)
		}
		x := decode(t, c.event)
		if got := m.Mismatch(x); got != c.reason || (got == "") != m.Matches(x) {
			t.Errorf("%v of %s: %q, want %q", c.match, c.event, got, c.reason)
		}
	}
}

func TestMatcherEqual(t *testing.T) {
	fields := func(of map[string]string) *hooks.Matcher {
		m, err := hooks.MatchFields(of)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	different := []*hooks.Matcher{
		nil, hooks.MustMatch("bash"), hooks.MustMatch("bash|read"), fields(map[string]string{"tool": "bash"}), fields(map[string]string{"kind": "bash"}),
		fields(map[string]string{"tool": "bash", "path": "*.go"}), fields(map[string]string{"path": "*.go"}), fields(map[string]string{"file": "*.go"}),
		fields(map[string]string{"path": "*.go"}).In("/work"), fields(map[string]string{"path": "*.go"}).In("/other"),
	}
	for i, a := range different {
		for k, b := range different {
			if a.Equal(b) != (i == k) {
				t.Errorf("%s and %s: %v", a, b, a.Equal(b))
			}
		}
	}
	if !fields(map[string]string{"path": "*.go", "tool": "bash"}).Equal(fields(map[string]string{"tool": "bash", "path": "*.go"})) || !hooks.MustMatch("bash").Equal(hooks.MustMatch("bash")) {
		t.Error("matchers that are written alike aren't equal")
	}
}
