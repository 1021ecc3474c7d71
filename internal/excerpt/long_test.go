package excerpt

import (
	"strings"
	"testing"
)

// Lines that matter are kept first, even among long lines.
func TestSnippetsBesideLongLines(t *testing.T) {
	errors := Group{Name: "errors", Patterns: []string{`ERROR`, `(?i)\berror\b`, `\w(?:Error|Exception)\b`}, Before: 1, After: 2}
	failures := Group{Name: "failures", Patterns: []string{`^(?:FAIL|ERROR): `}, After: 8}
	long := strings.Repeat("x", 300_000)
	words := strings.Repeat("some words in a row ", 15_000)
	json := `{"a":[` + strings.Repeat(`{"k":"v","n":12},`, 18_000) + `]}`
	for name, text := range map[string]string{
		"a long line before":         long + "\nERROR: the cause\n",
		"a long line after":          "ERROR: the cause\n" + long + "\n",
		"long lines on both sides":   long + "\nERROR: the cause\n" + long + "\n",
		"words before":               words + "\nERROR: the cause\n" + numbered(1, 400),
		"lines, a long line, it":     numbered(1, 3) + long + "\nERROR: the cause\n" + numbered(1, 3),
		"it, a long line, lines":     numbered(1, 3) + "ERROR: the cause\n" + long + "\n" + numbered(1, 3),
		"few lines, it, a long line": numbered(1, 4) + "ERROR: the cause\n" + long + "\n",
		"lines, it, a long line":     numbered(1, 100) + "ERROR: the cause\n" + long + "\n" + numbered(1, 5),
		"many long lines":            strings.Repeat(words[:20_000]+"\n", 10) + "ERROR: the cause\n" + strings.Repeat(words[:20_000]+"\n", 10),
		"in the middle of a line":    words + " ERROR: the cause " + words,
		"at the end of a long line":  words + " ERROR: the cause\n",
		"at the beginning of one":    numbered(1, 300) + "ERROR: the cause " + words + "\n" + numbered(1, 300),
		"JSON on one line":           json[:100_000] + `{"ERROR: the cause":1},` + json[100_000:],
		"last line without its end":  long + "\nERROR: the cause",
		"CRLF":                       long + "\r\nERROR: the cause\r\n" + long + "\r\n",
		"progress":                   strings.Repeat("10 %\r", 60_000) + "\nERROR: the cause\n" + strings.Repeat("20 %\r", 60_000),
		"harmless errors on a line":  strings.Repeat("error ", 50_000) + "\n" + numbered(1, 300) + "ERROR: the cause\n" + numbered(1, 300),
		"long lines that match, too": strings.Repeat("error "+words[:3000]+"\n", 100) + numbered(1, 100) + "ERROR: the cause\n" + numbered(1, 300),
	} {
		for _, o := range []Options{{Bytes: 30_000, Lines: 600, Head: 0.4, Tail: 0.4}, {Bytes: 8_000, Lines: 200, Head: 0.3, Tail: 0.3}, {Bytes: 2_000, Lines: 100, Head: 0.2, Tail: 0.5}, {Bytes: 30_000, Lines: 600, Head: 0.15, Tail: 0.35}, {Bytes: 30_000, Lines: 200, Head: 0, Tail: 0.5}, {Bytes: 30_000, Lines: 2000, Head: 0.3, Tail: 0.4}, {Bytes: 29_900, Lines: 2000, Head: 0.3, Tail: 0.4, Note: strings.Repeat("n", 80)}, {Bytes: 17_000, Lines: 100, Head: 0.05, Tail: 0.5}} {
			o.Snippets = snippetsOf(t, failures, errors)
			e, ok := Cut(text, o)
			if !ok || len(e.Text) > o.Bytes || CountLines(e.Text) > o.Lines {
				t.Errorf("%s, %d: %v, %d bytes, %d lines", name, o.Bytes, ok, len(e.Text), CountLines(e.Text))
			}
			if !strings.Contains(e.Text, "ERROR: the cause") {
				t.Errorf("%s, %d bytes: the cause is lost: %+v in\n%.300s", name, o.Bytes, e.Snippets, e.Text)
			}
		}
	}
}

// Lines without information take nothing from those that matter: neither the space, nor the places in the list
// of hits, nor the budget of the regular expressions.
func TestTheCauseAmongTheHarmless(t *testing.T) {
	errors := Group{Name: "errors", Patterns: []string{`(?i)\berror\b`, `(?i)\bfailed\b`, `\w(?:Error|Exception)\b`}, Except: []string{
		`(?i)\b(?:0|no|zero|without) (?:errors?|failures?|failed)\b`, `(?i)\b(?:error|failed)["']?\s*[:=]\s*["']?(?:0|none|null|false)\b`, `\bPASSED\b`, `^\s*(?:ok|PASS)\b`}, Before: 1, After: 2}
	summaries := Group{Name: "summaries", Patterns: []string{`^\d+ passed`, `^== `}}
	crashes := Group{Name: "crashes", Patterns: []string{`^panic: `}, After: 40}
	words := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda my ny xi omikron pi rho sigma tau ypsilon phi chi psi omega")
	unlike := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(form, "#", words[i%24]+words[i/24%24]+words[i/576%24]))
		}
		return b.String()
	}
	spread := func(s string) string { return numbered(1, 400) + s + numbered(401, 800) }
	prefix := `{"time":"2026-01-02T03:04:05Z","host":"` + strings.Repeat("h", 300) + `","msg":"`
	for name, text := range map[string]string{
		"after 3,000 alike":                 spread(strings.Repeat("error 7 of 12 in a part\n", 3000) + numbered(1, 50) + "BuildException: the cause\n"),
		"after 5,000 that differ by digits": spread(strings.ReplaceAll(numbered(1, 5000), "line", "an error in line") + "error: the cause\n"),
		"after a long line of exceptions":   spread(strings.Repeat(`"TypeError":null,`, 20_000) + "\n" + numbered(1, 20) + "BuildException: the cause\n"),
		"after a long line of unlike ones":  spread(unlike(8_000, `"# of TypeError and what follows it in this line":1,`) + "\n" + numbered(1, 20) + "BuildException: the cause\n"),
		"after lines of exceptions":         spread(unlike(150, "at com.acme.#Exception in a line of about some sixty letters\n") + numbered(1, 20) + "xError: the cause\n"),
		"after harmless ones":               spread(unlike(30, "ok  shop/#  error\n") + unlike(30, "test # error PASSED\n") + "error: the cause\n" + unlike(30, "ok  shop/#  error\n")),
		"in a line with a null":             spread(`{"level":"info","error":null,"failed":false,"msg":"the import failed: the cause"}` + "\n"),
		"after a null":                      spread(`{"error":null} {"error":"the cause"}` + "\n"),
		"before a null":                     spread(`{"msg":"it failed: the cause","error":null}` + "\n"),
		"in a long line with nulls":         spread(strings.Repeat(`{"error":null,"n":1},`, 5_000) + `{"error":"the cause","n":1},` + strings.Repeat(`{"error":null,"n":1},`, 5_000) + "\n"),
		"after the same long beginning":     spread(prefix + `no error"}` + "\n" + strings.Repeat(prefix+`error of the small kind"}`+"\n", 30) + prefix + `error: the cause"}` + "\n"),
		"after crashes":                     spread(strings.Repeat("panic: boom\n"+numbered(1, 45), 30) + "error: the cause\n"),
		"after summaries":                   spread(unlike(300, "== #\n") + "error: the cause\n"),
		"at the cut of the beginning":       strings.Repeat("w ", 100_000) + " error: the cause " + strings.Repeat("w ", 100_000),
		"with colours":                      spread("\x1b[1;31mERROR\x1b[0m: the cause\n"),
	} {
		for _, o := range []Options{{Bytes: 30_000, Lines: 600, Head: 0.3, Tail: 0.4}, {Bytes: 6_000, Lines: 100, Head: 0.3, Tail: 0.3}, {Bytes: 3000, Lines: 60, Head: 0.3, Tail: 0.4}} {
			o.Snippets = snippetsOf(t, summaries, crashes, errors)
			e, _ := Cut(text, o)
			if !strings.Contains(e.Text, "the cause") {
				t.Errorf("%s, %d bytes: the cause is lost: %+v", name, o.Bytes, e.Snippets)
			}
		}
	}
}

// Text at the cut of the beginning or the end isn't halved.
func TestSnippetsAtTheCut(t *testing.T) {
	s := snippetsOf(t, Group{Name: "errors", Patterns: []string{`(?i)\berror\b`}})
	for at := 8_500; at < 12_500; at += 7 {
		text := strings.Repeat("w ", at/2) + "error: the cause" + strings.Repeat(" w", 50_000)
		for name, text := range map[string]string{"beginning": text, "end": strings.Repeat("w ", 50_000) + "error: the cause" + strings.Repeat(" w", at/2)} {
			if e, _ := Cut(text, Options{Bytes: 30_000, Head: 0.35, Tail: 0.35, Snippets: s}); !strings.Contains(e.Text, "error: the cause") {
				t.Fatalf("%s, at %d: it is lost", name, at)
			}
		}
	}
}

// However few bytes and lines there are, one that matters is kept.
func TestSnippetsInLittleRoom(t *testing.T) {
	s := snippetsOf(t, Group{Name: "errors", Patterns: []string{`(?i)\berror\b`}, Before: 1, After: 2})
	for name, text := range map[string]string{
		"lines":      numbered(1, 300) + "error: the cause\n" + numbered(1, 300),
		"a line":     strings.Repeat("w ", 5000) + "error: the cause" + strings.Repeat(" w", 5000),
		"long lines": strings.Repeat("w ", 5000) + "\nerror: the cause\n" + strings.Repeat(" w", 5000),
	} {
		for _, o := range []Options{{Bytes: 300, Lines: 5}, {Bytes: 300, Lines: 10}, {Bytes: 1000, Lines: 3}, {Bytes: 1000, Lines: 10}, {Bytes: 400, Lines: 6}} {
			o.Head, o.Tail, o.Snippets = 0.4, 0.5, s
			if e, _ := Cut(text, o); !strings.Contains(e.Text, "error: the cause") {
				t.Errorf("%s, %d bytes and %d lines: it is lost:\n%s", name, o.Bytes, o.Lines, e.Text)
			}
		}
	}
}

// Too many lines are cut around the ones that matter, too.
func TestSnippetsOfShortLines(t *testing.T) {
	s := snippetsOf(t, Group{Name: "errors", Patterns: []string{`\berror\b`}})
	text := strings.Repeat(strings.Repeat("x\n", 20)+"an error\n", 200)
	if e, ok := Cut(text, Options{Bytes: 30_000, Lines: 2000, Head: 0.3, Tail: 0.4, Snippets: s}); !ok || e.Snippets == nil || e.Snippets[0].Kept == 0 {
		t.Errorf("%v, %+v", ok, e.Snippets)
	}
}

// A state of a progress line that reports a problem isn't progress.
func TestSqueezeKeepsErrors(t *testing.T) {
	for _, text := range []string{"10%\rERROR: the cause\r20%\r30%\n", "Downloading 1%\rDownload failed: the cause\rDownloading 2%\n", "..\rfatal: the cause\r..\n", "10%\rWarning: the cause\r100%\n"} {
		if got, _ := Squeeze(text, nil); !strings.Contains(got, "the cause") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got, _ := Squeeze("1 passed, 0 failed\r2 passed, 0 failed\r3 passed, 0 failed\n", nil); got != "3 passed, 0 failed\n" {
		t.Errorf("%q", got)
	}
}

// No more hits are remembered than there is space for.
func TestWhatIsRememberedHasABound(t *testing.T) {
	s := snippetsOf(t, Group{Name: "errors", Patterns: []string{`\berror\b`, `fault.?x`}, Except: []string{`\bno error`}})
	var b strings.Builder
	for i := range 30_000 {
		b.WriteString("error faultx ")
		for n := i + 1; n > 0; n /= 26 {
			b.WriteByte('a' + byte(n%26))
		}
		b.WriteByte('\n')
	}
	f := find(b.String(), 0, b.Len(), s, nil)
	if n := len(f[0].seen); n > maxSeen+2 || f[0].count != maxFound {
		t.Errorf("%d lines are remembered, %d found", n, f[0].count)
	}
}
