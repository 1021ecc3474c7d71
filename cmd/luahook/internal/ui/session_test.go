package ui

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// statusOf is the status of a page.
func statusOf(s *Server, path string) int {
	return ask(s, http.MethodGet, "/"+testToken+"/"+path, "").StatusCode
}

// found are the first groups of what a pattern matches in a page.
func found(page, pattern string) (texts []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
		texts = append(texts, html.UnescapeString(m[1]))
	}
	return texts
}

// shownSessions are the sessions on a page of the list, in order.
func shownSessions(page string) []string {
	return found(page, `<th scope="row"><a href="[^"]*" title="([^"]*)"`)
}

func TestSessions(t *testing.T) {
	s := newServer(t, "log", "")
	page := get(t, s, "sessions")
	all := shownSessions(page)
	if len(all) != 11 || all[0] != "3d5b8c21-f0a7-4e94-b6d2-8a17e9c4f530" || all[10] != "7c1f0b5e-3a44-4c0e-9f57-2d1f7a6b9e10" {
		t.Errorf("the sessions are %q", all)
	}
	_, row, _ := strings.Cut(page, `title="019d2c77-50f2-7a81-b3c4-6e1b0a7d9f25"`)
	row, _, _ = strings.Cut(row, "</tr>")
	want := "019d2c…d9f25 codex ✕ 3 ? 1 – 5 May 09:12:30 3 min 35 s 58 14 3 585,990 $0.52 shop"
	text := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(">"+row, " ")), " ")
	if text = strings.TrimLeft(text, "> "); !sameButTime(text, want) {
		t.Errorf("the row is %q, want %q", text, want)
	}
	contains(t, page, "decision=deny&amp;session=019d2c77-50f2-7a81-b3c4-6e1b0a7d9f25", "11 sessions")
	for query, want := range map[string]int{
		"?host=codex": 2, "?host=nobody": 0, "?id=TICKET": 3, "?id=ticket&host=codex": 0, "?project=/home/kim/shop": 11, "?project=%2fetc": 0, "?page=1": 11,
	} {
		if got := shownSessions(get(t, s, "sessions"+query)); len(got) != want {
			t.Errorf("%s has %d sessions, want %d: %q", query, len(got), want, got)
		}
	}
	contains(t, get(t, s, "sessions?host=nobody"), "No session passes this filter", "0 of 11 sessions", "Clear")
	for query, want := range map[string]int{"?page=x": 400, "?page=0": 400, "?page=-1": 400, "?page=2": 404, "?page=99999999999999999999": 400} {
		if got := statusOf(s, "sessions"+query); got != want {
			t.Errorf("%s: status %d, want %d", query, got, want)
		}
	}
}

// sameButTime compares texts without the times of day, which are those of this machine.
func sameButTime(a, b string) bool {
	times := regexp.MustCompile(`\d+ May( \d{4})? \d\d:\d\d(:\d\d)?`)
	return times.ReplaceAllString(a, "") == times.ReplaceAllString(b, "")
}

// serverOf is a server over a log of such lines, each with a time of its own a second after the one before.
func serverOf(t *testing.T, lines []string) (s *Server, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "decisions.jsonl")
	appendLines(t, file, 0, lines)
	return newServer(t, file, ""), file
}

func appendLines(t *testing.T, file string, first int, lines []string) {
	t.Helper()
	var text bytes.Buffer
	for i, line := range lines {
		at := time.Date(2026, 5, 7, 9, 0, 0, 0, time.UTC).Add(time.Duration(first+i) * time.Second)
		fmt.Fprintf(&text, `{"time":%q,"v":1,"kind":"decision",%s}`+"\n", at.Format("2006-01-02T15:04:05.000Z"), line)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(text.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// All sessions are on one of the pages, and what is written later is counted.
func TestManySessions(t *testing.T) {
	var lines []string
	for i := range 120 {
		lines = append(lines, fmt.Sprintf(`"event":"pre_tool_call","session":"s%d","tool":"bash"`, i))
	}
	s, file := serverOf(t, append(lines, `"event":"stop"`))
	seen := map[string]bool{}
	path := "sessions?id=s"
	for pages := 0; path != ""; pages++ {
		page := get(t, s, path)
		for _, id := range shownSessions(page) {
			if seen[id] {
				t.Errorf("%s is there twice", id)
			}
			seen[id] = true
		}
		next := found(page, `rel="next" href="/`+testToken+`/([^"]*)"`)
		if path = ""; len(next) > 0 {
			path = next[0]
		}
		if pages > 3 {
			t.Fatal("the pages have no end")
		}
	}
	if len(seen) != 120 {
		t.Errorf("the pages have %d sessions", len(seen))
	}
	contains(t, get(t, s, "sessions"), "120 sessions; 1 record without one", "page 1 of 3")
	appendLines(t, file, 121, []string{`"event":"pre_tool_call","session":"s7","tool":"bash","decision":"deny"`, `"event":"stop","session":"new"`})
	for s.Index.View().Len() < 123 {
		<-s.Index.View().Newer()
	}
	page := get(t, s, "sessions")
	if got := shownSessions(page); got[0] != "new" || got[1] != "s7" || got[2] != "s119" {
		t.Errorf("after further records, the newest are %q", got[:3])
	}
	contains(t, page, "121 sessions", "decision=deny&amp;session=s7")
}

// The page of a session has each of its records, as a mark and in the list.
func TestSession(t *testing.T) {
	s := newServer(t, "log", "")
	v := s.Index.View()
	for _, id := range shownSessions(get(t, s, "sessions")) {
		page := get(t, s, "session?id="+id)
		wide, rest, _ := strings.Cut(page, "</svg>")
		for i := range v.Len() {
			if v.Name(v.Row(i).Session) != id {
				continue
			}
			ref := string(v.Ref(i))
			link := `href="/` + testToken + "/record?ref=" + ref + `"`
			if n := strings.Count(page, `id="r-`+ref+`"`); n != 1 {
				t.Errorf("%s: record %s is in the list %d times", id, ref, n)
			}
			if !strings.Contains(wide, link) {
				t.Errorf("%s: record %s has no mark", id, ref)
			}
			if !strings.Contains(rest, link) {
				t.Errorf("%s: record %s has no link in the list", id, ref)
			}
		}
	}
	page := html.UnescapeString(get(t, s, "session?id=019d2c77-50f2-7a81-b3c4-6e1b0a7d9f25"))
	contains(t, page,
		"58 events, 14 tool calls, 3 sub-agents", "3 denied", "1 asked", "585,990 tokens, $0.52", "gpt-5.5-codex", ">codex<", "/home/kim/shop", "<dt>ended</dt>",
		"Turn 1", "reviewer a-logic", "reviewer a-sql", "explorer a-web", "main agent",
		"4.0 s, hooks 1.3 ms",                   // a call from its beginning to its end
		"41.4 s, of which 9.9 s waiting, hooks", // until a person had said yes
		"· deny: migrations: a migration that has run isn't edited",
		"No event for 40.6 s: the drawing leaves this time out",
		`class="mark bar compact"`, `class="agent-span"`, `class="bad"`, `class="sign ask"`)
	page = get(t, s, "session?id=3d5b8c21-f0a7-4e94-b6d2-8a17e9c4f530")
	contains(t, page, "no end yet; last record")
	contains(t, get(t, s, "session?id=019d31a0-8c4e-7f10-92d7-1f60b2c8ea43"), `class="mark bar open tool"`, "no end, hooks", "Turn 3 · after 40.2 s")
	page = get(t, s, "session?id=e6a19f04-7d2b-4c58-a0f3-35b8d41c6e92")
	contains(t, page, "with a failed hook", `class="sign failed"`, "repeated-lines failed", `class="mark point of-note"`, `class="mark point of-run"`)
	for query, want := range map[string]int{"": 400, "?id=": 400, "?id=nobody": 404, "?id=3d5b8c21-f0a7-4e94-b6d2-8a17e9c4f530&from=x": 404, "?id=3d5b8c21-f0a7-4e94-b6d2-8a17e9c4f530&at=../x": 404, "?id=3d5b8c21-f0a7-4e94-b6d2-8a17e9c4f530&from=" + string(v.Ref(0)): 404} {
		if got := statusOf(s, "session"+query); got != want {
			t.Errorf("session%s: status %d, want %d", query, got, want)
		}
	}
}

// A long session has several pages, which have each record once; a record's link leads to the page that has it.
func TestLongSession(t *testing.T) {
	var lines []string
	const calls = 1300
	for i := range calls {
		lines = append(lines, fmt.Sprintf(`"event":"pre_tool_call","session":"long","tool":"bash","call_id":"c%d"`, i),
			`"event":"stop","session":"other"`, fmt.Sprintf(`"event":"post_tool_call","session":"long","tool":"bash","call_id":"c%d"`, i))
	}
	s, _ := serverOf(t, lines)
	seen := map[string]bool{}
	path, pages := "session?id=long", 0
	for ; path != ""; pages++ {
		page := get(t, s, path)
		refs := found(page, `<li class="row [^"]*" id="r-([^"]*)"`)
		if len(refs) > pageEvents {
			t.Errorf("a page has %d records", len(refs))
		}
		for _, ref := range refs {
			if seen[ref] {
				t.Errorf("%s is there twice", ref)
			}
			seen[ref] = true
		}
		next := found(page, `rel="next" href="/`+testToken+`/([^"]*)"`)
		if path = ""; len(next) > 0 {
			path = next[0]
		}
	}
	if len(seen) != 2*calls || pages != 3 {
		t.Errorf("%d pages have %d records", pages, len(seen))
	}
	v := s.Index.View()
	for _, i := range []int{0, 2, 1500, 3898} {
		ref := string(v.Ref(i))
		record := get(t, s, "record?ref="+ref)
		there := found(record, `href="/`+testToken+`/(session[^"]*)#r-`+ref)
		if v.Name(v.Row(i).Session) != "long" {
			continue
		}
		if len(there) != 1 {
			t.Fatalf("record %d leads to its session by %q", i, there)
		}
		contains(t, get(t, s, there[0]), `id="r-`+ref+`"`)
	}
	last := get(t, s, found(get(t, s, "session?id=long"), `rel="last" href="/`+testToken+`/([^"]*)"`)[0])
	contains(t, last, "from the beginning", `id="r-`+string(v.Ref(v.Len()-1))+`"`)
}

// What the script shows beside a session is a record without the rest of the page.
func TestRecordBody(t *testing.T) {
	s := newServer(t, "log", "")
	body := get(t, s, "record?part=body&ref="+string(s.Index.View().Ref(3)))
	contains(t, body, `<h2 class="title">`, "The record as it stands in the log")
	for _, not := range []string{"<html", "<h1", "<nav", "<script"} {
		if strings.Contains(body, not) {
			t.Errorf("the part has %s", not)
		}
	}
}
