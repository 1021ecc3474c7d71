package ui_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

const hostileLog = "testdata/hostile/decisions.jsonl"

// owned is what a script does that must never run: it changes the title, which the tests look at.
const owned = `document.title='owned'`

// nasty are texts that stand in every field of a record.
var nasty = []string{
	`<script>` + owned + `</script>`,
	`"><img src=x onerror=` + owned + `>`,
	`'><svg/onload=` + owned + `>`,
	`</textarea></title></style></script><script>` + owned + `</script>`,
	`javascript:` + owned,
	`{{.}}{{template "page"}}{{printf "%s" .}}`,
	"${" + owned + "}`" + `<%= 1 %>#{1}`,
	`<a href="javascript:` + owned + `">look</a><base href="https://example.net/"><meta http-equiv=refresh content="0;url=https://example.net/">`,
	`<form action="https://example.net/"><button>OK</button></form><iframe src="https://example.net/"></iframe><link rel=stylesheet href="https://example.net/x.css">`,
	`--><!-- ]]> <![CDATA[ <plaintext>`,
	`&lt;script&gt;` + owned + `&lt;/script&gt; &#60;script&#62; %3Cscript%3E`,
	"right to left \u202eexe.fdp\u202c, \u2066isolated\u2069, \u200bzero\u200d\u2060 width\ufeff",
	"NUL \x00, escape \x1b[31mred\x1b[0m, bell \a, backspace \b, \x7f, \u0085, \u2028, \u2029, tab\t, return\r, line\nfeed",
	"z\u0350\u0351\u0352\u0353\u0354a\u0355\u0356\u0357\u0358l\u0359\u035a\u035b\u035cg\u035d\u035e\u035fo\u0360\u0361" + strings.Repeat("\u0335\u0336\u0337\u0338", 60),
	"../../../../etc/passwd", "..%2f..%2fnow?event=x#y", "https://user:pw@example.net/\"onmouseover=\"" + owned,
	strings.Repeat("W", 300), strings.Repeat("漢字", 120), strings.Repeat("👩‍👩‍👧‍👧", 40),
	" ", "\n\n\n", "null", "undefined", "NaN", "-0", "__proto__", "constructor", "0", "true",
}

// everywhere is a record of a kind with a text wherever a text can be.
func everywhere(kind, text string, at time.Time) map[string]any {
	r := map[string]any{
		"time": at, "v": 1, "kind": kind, "luahook": text, "host": text, "event": text, "session": text, "agent": text, "issue": text, "project": text, "cwd": text,
		"tool": text, "call_id": text, "turn": text, "decision": "deny", "reason": text, "halt": true, "stop_reason": text, "modified": true,
		"input":    map[string]any{"command": text, text: text, "nested": map[string]any{text: []any{text, 1, nil, true}}},
		"warnings": []any{text, text}, "hook": text, "note": text, "text": text,
		"data":       map[string]any{text: text, "cost": map[string]any{"session_usd": text, "models": map[string]any{text: map[string]any{"usd": -1e300, "tokens": text}}}},
		"context":    map[string]any{"event": text, "agent_name": text, "parent_agent_id": text, "model": text, "prompt": text, "metadata": map[string]any{text: text}, text: text, "tool_call": map[string]any{"name": text, "command": text, "input": map[string]any{"command": text}}},
		"generation": 1, "duration_us": 1234, "cut": true,
	}
	run := map[string]any{
		"id": text, "hook": text, "scope": text, "source": text, "handler": text, "order": 1, "mode": text, "status": text, "decision": text, "modified": true, "judging": true, "duration_us": 5,
		"instructions": 7, "entries": []any{map[string]any{"kind": text, "text": text}, map[string]any{"kind": "feedback", "text": text}},
		"error": map[string]any{"kind": text, "limit": text, "message": text},
	}
	r["runs"] = []any{run, run}
	return r
}

// hostile is a log that is written to hurt whoever shows it.
func hostile(t *testing.T) []byte {
	var all bytes.Buffer
	at := time.Date(2026, 5, 6, 18, 0, 0, 0, time.UTC)
	raw := func(line string) { all.WriteString(line + "\n") }
	add := func(r map[string]any) {
		at = at.Add(1500 * time.Millisecond)
		line, err := hooks.EncodeJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		raw(string(line))
	}
	with := func(key string, v any) map[string]any {
		r := everywhere("decision", "plain", at)
		r["event"], r["tool"], r["session"] = "pre_tool_call", "bash", "hostile"
		r[key] = v
		return r
	}
	kinds := []string{"decision", "run", "note"}
	for i, text := range nasty {
		add(everywhere(kinds[i%3], text, at))
		known := everywhere("decision", text, at)
		known["event"], known["tool"] = "pre_tool_call", "bash"
		add(known)
	}
	add(everywhere(nasty[0], nasty[1], at)) // an unknown kind
	long := strings.Repeat("x", 200<<10)
	add(map[string]any{"time": at, "v": 1, "kind": "decision", "event": "pre_tool_call", "session": "hostile", "tool": "bash", "decision": "deny", "reason": long, "runs": []any{}})
	add(map[string]any{"time": at, "v": 1, "kind": "decision", "event": "pre_tool_call", "session": "hostile", "tool": "bash", "input": map[string]any{"command": strings.Repeat("((", 60<<10)}})
	add(map[string]any{"time": at, "v": 1, "kind": "note", "event": "on_error", "session": long[:100<<10], "hook": long[:50<<10], "note": "error", "text": "a long name"})
	var runs []any
	for i := range 1800 {
		runs = append(runs, map[string]any{"hook": fmt.Sprint("h", i), "scope": "project", "status": "completed", "duration_us": 1, "entries": []any{map[string]any{"kind": "context", "text": "c"}}})
	}
	add(with("runs", runs))
	deep := any("bottom")
	for range 4000 {
		deep = []any{deep}
	}
	add(with("input", map[string]any{"command": "ls", "deep": deep}))
	many := map[string]any{}
	for i := range 5000 {
		many[fmt.Sprintf("key-%d", i)] = i
	}
	add(with("input", many))
	for _, key := range []string{"duration_us", "generation"} {
		for _, n := range []string{"-1", "-9223372036854775808", "9223372036854775807", "0"} {
			if key == "generation" && n[0] == '-' {
				continue
			}
			line := string(mustEncode(t, with(key, "NUMBER")))
			raw(strings.Replace(line, `"`+key+`":"NUMBER"`, `"`+key+`":`+n, 1))
		}
	}
	for _, when := range []string{"0001-01-01T00:00:01Z", "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z", "2026-05-06T18:30:00+14:00"} {
		add(with("time", when))
	}
	add(with("data", map[string]any{"cost": map[string]any{"session_usd": 1e300, "session_tokens": -5, "day_usd": "many", "models": []any{}}}))
	add(with("data", map[string]any{"cost": []any{1, 2}}))
	add(with("context", map[string]any{"tool_call": "none", "usage": map[string]any{"input_tokens": 1e308}, "agent_depth": -3}))
	// What no encoder writes.
	lone := string(mustEncode(t, with("reason", "LONE")))
	raw(strings.Replace(lone, "LONE", `\ud800 and \udfff, \u0000`, 1))
	raw(strings.Replace(lone, "LONE", "not UTF-8: \xff\xfe\xc0\xaf", 1))
	raw(strings.Replace(lone, `"kind":"decision"`, `"kind":"decision","kind":"note","KIND":"run"`, 1)) // twice
	raw(strings.Replace(lone, "LONE", "carriage return", 1) + "\r")
	raw(lone[:len(lone)/2])                                                           // half a line
	raw("")                                                                           // nothing
	raw("<script>" + owned + "</script>")                                             // no JSON
	raw(`{"time":"2026-05-06T19:00:00Z","v":1,"kind":"decision","event":7}`)          // another type
	raw(`{"time":"2026-05-06T19:00:00Z","v":1,"kind":"decision","duration_us":1e99}`) // no whole number
	raw(strings.Repeat("[", 20_000))
	raw(`{"v":1,"kind":"decision","reason":"` + strings.Repeat("y", 600<<10) + `"}`) // longer than a record may be
	add(with("reason", "the last record"))
	return all.Bytes()
}

func mustEncode(t *testing.T, v any) []byte {
	text, err := hooks.EncodeJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestHostileLog holds the hostile log to being what its generator writes, and readable as a log.
func TestHostileLog(t *testing.T) {
	want := hostile(t)
	if *update {
		if err := os.MkdirAll(filepath.Dir(hostileLog), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(hostileLog, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(hostileLog)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Error("it isn't what the test writes; run it with -update")
	}
	n, last := 0, ""
	broken, err := audit.ReadFrom(bytes.NewReader(text), audit.Filter{}, func(e audit.Entry) bool {
		n++
		last = e.Reason
		return true
	})
	if err != nil || n < 80 || broken < 5 || last != "the last record" {
		t.Errorf("%d records and %d broken lines, the last with the reason %.40q, %v; want 80 or more, 5 or more, and the last record", n, broken, last, err)
	}
}
