package check_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luahook/luahook/cmd/luahook/internal/check"
	"github.com/luahook/luahook/hooks"
)

// granted is what the scripts of the tests are granted.
var granted = hooks.Grants{FSRead: true, Exec: []string{"make"}, HTTP: []string{"api.github.com"}, Env: []string{"CI"}}

// marked takes the marks out of a script, and gives their places.
func marked(text string) (source string, places []string) {
	for line := range strings.SplitSeq(text, "\n") {
		for {
			at := strings.Index(line, "¦")
			if at < 0 {
				break
			}
			places = append(places, fmt.Sprintf("%d:%d", strings.Count(source, "\n")+1, utf8.RuneCountInString(line[:at])+1))
			line = line[:at] + line[at+len("¦"):]
		}
		source += line + "\n"
	}
	return source, places
}

// TestMistakes: each mistake is found where it is, and nothing else.
func TestMistakes(t *testing.T) {
	n := 0
	for _, name := range []string{"mistakes", "more"} {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			n++
			source, places := marked(string(file.Data))
			code := path.Dir(file.Name)
			var want, got []string
			for _, p := range places {
				want = append(want, p+" "+code)
			}
			problems := check.Script(file.Name, source, check.Context{Grants: &granted, MaxTimeout: time.Second})
			for _, p := range problems {
				got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Code))
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s: found %q, want %q", file.Name, got, want)
				for _, p := range problems {
					t.Logf("    %d:%d: %s: %s (%s)", p.Line, p.Column, p.Level, p.Text, p.Code)
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d mistakes", n)
	}
}

// TestRight: nothing is found in hooks that are right, however they are written.
func TestRight(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/right.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		for _, p := range check.Script(file.Name, string(file.Data), check.Context{Grants: &granted, MaxTimeout: time.Second}) {
			t.Errorf("%s:%d:%d: %s: %s (%s)\n%s", p.File, p.Line, p.Column, p.Level, p.Text, p.Code, p.Source)
		}
	}
}

// TestInstead: what is meant is told, where it is known.
func TestInstead(t *testing.T) {
	for body, want := range map[string]string{
		`return deny(ev.tool_name)`:                                             "did you mean ev.tool_call.name?",
		`return deny(ev.tool_input.command)`:                                    "did you mean ev.tool_call.input?",
		`return deny(ev.tool_response)`:                                         "did you mean ev.tool_call.output?",
		`return deny(ev.hook_event_name)`:                                       "did you mean ev.event?",
		`return deny(ev.transcript_path)`:                                       "did you mean ev.metadata.transcript_path?",
		`return deny(ev.tool_call.tool_input.command)`:                          "did you mean ev.tool_call.input?",
		`return deny(shell.parse("x").commands[1].nmae)`:                        `did you mean "name"?`,
		`return deny(tostring(shell.parse("x").commands[1].flag("-f")))`:        "call it with a colon, :flag(...)",
		`for _, c in ipairs(shell.parse("x")) do return deny(c.name or "") end`: "what it holds is in .commands",
	} {
		source := `on("pre_tool_call", { match = "bash" }, function(ev) ` + body + " end)"
		problems := check.Script("a.lua", source, check.Context{})
		if len(problems) != 1 || !strings.Contains(problems[0].Text, want) {
			t.Errorf("%s: %+v, want %q", body, problems, want)
		}
	}
}
