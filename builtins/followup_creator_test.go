package builtins_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The answers of testdata/followup-creator. A line has what is found in an answer, "-" for nothing, and after
// blanks the answer: as it is, or as a Go string if it begins with a quote ("a\nb"). What is found is a kind, or
// several with commas between them; after " => " are the texts, with " | " between them, and without it the text
// is the answer less its full stop. Lines that begin with # are comments.
func TestFollowups(t *testing.T) {
	files, err := filepath.Glob("testdata/followup-creator/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := followups(t, nil)
	found, missed := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			kinds, answer, ok := strings.Cut(line, " ")
			answer, texts, said := strings.Cut(strings.TrimSpace(answer), " => ")
			if !ok || answer == "" {
				t.Fatalf("%s:%d: a kind and an answer expected", file, i+1)
			}
			if unquoted, err := strconv.Unquote(answer); err == nil && strings.HasPrefix(answer, `"`) {
				answer = unquoted
			}
			want := ""
			if kinds == "-" {
				missed++
			} else {
				found++
				if !said {
					texts = strings.TrimSuffix(answer, ".")
				}
				for j, text := range strings.Split(texts, " | ") {
					list := strings.Split(kinds, ",")
					want += list[min(j, len(list)-1)] + ": " + text + "\n"
				}
			}
			if got := followupsOf(t, e, answer); got != want {
				t.Errorf("%s:%d: %q\ngot\n%swant\n%s", file, i+1, answer, got, want)
			}
		}
	}
	if found < 80 || missed < 80 {
		t.Errorf("%d answers with follow-ups and %d without, want at least 80 of each", found, missed)
	}
}

// followups is an engine with the built-in alone, under post_response; it makes no tasks.
func followups(t testing.TB, with map[string]any) *engine.Engine {
	t.Helper()
	options := map[string]any{"tasks": false}
	for name, value := range with {
		options[name] = value
	}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin("followup-creator", options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	if problems := e.LoadErrors(); len(problems) > 0 {
		t.Fatal(problems)
	}
	return e
}

var sessions int

// followupsOf fires an answer in a session of its own and returns "kind: text" of each follow-up, one per line.
func followupsOf(t testing.TB, e *engine.Engine, answer string) string {
	t.Helper()
	sessions++
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PostResponse, SessionID: fmt.Sprint("s", sessions), Response: answer})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Fatalf("%s\n%s", run.Error.Message, run.Error.Traceback)
		}
	}
	var b strings.Builder
	list, _ := r.Data["followups"].([]any)
	for _, item := range list {
		item := item.(map[string]any)
		fmt.Fprintf(&b, "%v: %v\n", item["kind"], item["text"])
	}
	return b.String()
}
