package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// rowsOf are the records of a page, as the texts of their elements without markup.
func rowsOf(page string) []string {
	var rows []string
	for _, m := range regexp.MustCompile(`(?s)<li class="row.*?</li>`).FindAllString(page, -1) {
		rows = append(rows, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m, " "))
	}
	return rows
}

// links are the addresses of a page that match.
func links(page, pattern string) []string {
	var found []string
	for _, m := range regexp.MustCompile(`href="(`+pattern+`)"`).FindAllStringSubmatch(page, -1) {
		found = append(found, strings.TrimPrefix(strings.ReplaceAll(m[1], "&amp;", "&"), "/"+testToken+"/"))
	}
	return found
}

// Each filter leaves what it says, and nothing else.
func TestFilters(t *testing.T) {
	s := newServer(t, "log", "")
	all := len(rowsOf(get(t, s, "now")))
	if all != pageRows {
		t.Fatalf("%d rows on the first page", all)
	}
	for query, want := range map[string]string{
		"decision=deny":                   `✕ +deny`,
		"decision=ask":                    `\? +ask`,
		"decision=none":                   `no objection|! +failed`,
		"event=pre_prompt":                `pre_prompt`,
		"tool=bash":                       `bash:|async|note`,
		"host=codex":                      `codex`,
		"text=FORCE":                      `(?i)force`,
		"decision=deny&text=git":          `git`,
		"hook=safety-guard&decision=deny": `deny`,
		"event=pre_tool_call&host=claude": `pre_tool_call.*claude`,
		"event=pre_tool_call&tool=write":  `write:`,
		"decision=failed":                 `failed|deny`,
	} {
		rows := rowsOf(get(t, s, "now?"+query))
		if len(rows) == 0 {
			t.Errorf("%s: nothing passes", query)
		}
		for _, row := range rows {
			if !regexp.MustCompile(want).MatchString(row) {
				t.Errorf("%s: %s", query, row)
			}
		}
	}
	contains(t, get(t, s, "now?text=nobody+says+this"), "No record passes this filter.", `value="nobody says this"`)
	contains(t, get(t, s, "now?event="+`%22%3E%3Cscript%3E`), `<option value="&#34;&gt;&lt;script&gt;" selected>`)
}

// Older pages go on where the one before has ended, until all records were seen once.
func TestOlder(t *testing.T) {
	s := newServer(t, "log", "")
	seen := map[string]int{}
	next := "now"
	for pages := 0; next != ""; pages++ {
		if pages > 20 {
			t.Fatal("the pages don't end")
		}
		page := get(t, s, next)
		for _, ref := range links(page, `[^"]*record\?ref=[^"]*`) {
			seen[ref]++
		}
		next = ""
		if more := links(page, `[^"]*before=[^"]*`); len(more) > 0 {
			next = more[0]
		}
	}
	for ref, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", ref, n)
		}
	}
	if v := s.Index.View(); len(seen) != v.Len() {
		t.Errorf("%d records were seen, of %d", len(seen), v.Len())
	}
	if got := ask(s, http.MethodGet, "/"+testToken+"/now?before=nope-1", ""); got.StatusCode != http.StatusNotFound {
		t.Errorf("a record that isn't there: status %d", got.StatusCode)
	}
}

// An empty log says how it is filled.
func TestEmptyLog(t *testing.T) {
	dir := t.TempDir()
	index, err := logindex.Open(dir, logindex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "log", "")
	s.Index = index
	contains(t, get(t, s, "now"), "There is no record yet", "0 records")
	for _, path := range []string{"sessions", "overview", "hooks", "playground"} {
		get(t, s, path)
	}
}

// sent is what a stream has sent.
type sent struct {
	id, event string
	update    update
}

// follow reads a stream until the test ends.
func follow(t *testing.T, s *Server, query string) <-chan sent {
	t.Helper()
	server := httptest.NewServer(s)
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/"+testToken+"/now/stream?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan sent, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(got)
		var next sent
		for in := bufio.NewReader(answer.Body); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch name {
			case "id":
				next.id = value
			case "event":
				next.event = value
			case "data":
				if value != "" && json.Unmarshal([]byte(value), &next.update) != nil {
					return
				}
			case "":
				if next.event != "" {
					got <- next
				}
				next = sent{}
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		answer.Body.Close()
		server.Close()
		<-done
	})
	return got
}

// receive waits for what a stream sends.
func receive(t *testing.T, from <-chan sent) sent {
	t.Helper()
	select {
	case got, ok := <-from:
		if !ok {
			t.Fatal("the stream has ended")
		}
		return got
	case <-time.After(time.Minute):
		t.Fatal("nothing was sent for a minute")
		return sent{}
	}
}

// lineOf is a record as a line of a log.
func lineOf(n int, decision string) string {
	return fmt.Sprintf(`{"time":"2026-05-07T09:00:00.%03dZ","v":1,"kind":"decision","event":"pre_tool_call","session":"s","tool":"bash","decision":%q,"reason":"number %d"}`, n%1000, decision, n) + "\n"
}

// What is written while a page is open comes to it, once each and in order, filtered as the page is; whoever comes back
// later goes on where the connection broke.
func TestStream(t *testing.T) {
	log := filepath.Join(t.TempDir(), "decisions.jsonl")
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write := func(text string) {
		t.Helper()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write(lineOf(0, "deny"))
	s := newServer(t, log, "")
	v := s.Index.View()
	first := string(v.Ref(v.Len() - 1))
	all, denied := follow(t, s, "after="+first), follow(t, s, "decision=deny&after="+first)
	const n = 3000
	go func() {
		for i := 1; i <= n; i++ {
			decision := "ask"
			if i%3 == 0 {
				decision = "deny"
			}
			fmt.Fprint(file, lineOf(i, decision))
		}
	}()
	count := func(from <-chan sent, want int) (last string) {
		t.Helper()
		passed := 0
		for passed < want {
			got := receive(t, from)
			if got.event != "records" || len(rowsOf(got.update.HTML)) != min(got.update.Passed, streamRows) {
				t.Fatalf("sent: %s, %d rows of %d", got.event, len(rowsOf(got.update.HTML)), got.update.Passed)
			}
			if more := got.update.Passed - streamRows; more > 0 && !strings.Contains(got.update.HTML, fmt.Sprintf("%s at this moment", plural(more, "more record"))) {
				t.Errorf("%d more are not told of: %s", more, got.update.HTML)
			}
			passed += got.update.Passed
			last = got.id
		}
		if passed != want {
			t.Errorf("%d records came, want %d", passed, want)
		}
		return last
	}
	count(denied, n/3)
	last := count(all, n)
	again := follow(t, s, "after="+last)
	write(lineOf(n+1, "deny"))
	got := receive(t, again)
	for got.update.Passed == 0 { // which tells how the log stands
		got = receive(t, again)
	}
	if got.update.Passed != 1 || !strings.Contains(got.update.HTML, fmt.Sprintf("number %d", n+1)) || !strings.Contains(got.update.State, "3,002 records") {
		t.Errorf("after coming back: %+v", got.update)
	}
	if got := receive(t, follow(t, s, "after=gone-1")); got.event != "reset" {
		t.Errorf("of a record that is gone: %q", got.event)
	}
}
