package luatest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// form is a test in its short form: a comment of a hook file, "-- denies: git push".
type form struct {
	line    int
	word    string // denies, asks or passes; else it is misspelt
	command string
	meant   string // what a misspelt word was probably meant to be; "": it isn't
}

// runForms runs the short forms of a hook file: each command is fired at the hooks of that file
// alone.
func (w *worker) runForms(ctx context.Context, j *job) (tests []Test) {
	file := j.project.display(j.path)
	w.alone.Store(&file)
	defer w.alone.Store(nil)
	shown := w.shown(j.path)
	for _, f := range j.forms {
		source := fmt.Sprintf("%s:%d", shown, f.line)
		t := Test{Name: fmt.Sprintf("%s %s: %s", source, f.word, f.command), Source: source}
		if !w.wants(t.Name) {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		started := time.Now()
		problem, printed := w.runForm(ctx, j, f, file)
		t.Passed, t.Duration = problem == "", Duration(time.Since(started))
		if problem != "" {
			t.Failure = &Failure{Source: source, Message: problem, Snippet: lineOf(j.source, source)}
			t.Printed = printed
		}
		tests = append(tests, t)
	}
	return tests
}

// runForm says why a short form fails, "" where it passes.
func (w *worker) runForm(ctx context.Context, j *job, f form, file string) (problem string, printed []string) {
	switch {
	case f.meant != "":
		return fmt.Sprintf("%q is no test: did you mean %q?", f.word+":", f.meant+":"), nil
	case f.command == "":
		return "there is no command behind the colon", nil
	}
	if j.project.unloadable() {
		return notLoaded, nil
	}
	if err := w.clear(); err != nil {
		return err.Error(), nil
	}
	s := newSession(w)
	w.session.Store(s)
	defer w.session.CompareAndSwap(s, nil)
	event := &hooks.Context{
		Event: hooks.PreToolCall, SessionID: "test", CWD: w.root(),
		ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": f.command}},
	}
	if _, err := event.Complete(); err != nil {
		return err.Error(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.Limits.Timeout)
	defer cancel()
	var r *hooks.Result
	var err error
	s.serve(nil, cancel, func() {
		if r, err = w.engine.Fire(ctx, event); err == nil {
			err = w.engine.Drain(ctx)
		}
	})
	printed = s.takePrinted()
	if missing := s.takeMissing(); missing != "" {
		return missing + "; write a test of its own for it", printed
	}
	if err != nil {
		return err.Error(), printed
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil && fileOf(run.Source) == file {
			return hookFailure(run), printed
		}
	}
	if !w.inForce(file) {
		return "no hook of this file is in force for pre_tool_call", printed
	}
	if got := verb(r.Decision); got != f.word {
		problem = fmt.Sprintf("the hooks of this file say %s, want %s", got, f.word)
		if r.Reason != "" {
			problem += ": " + r.Reason
		}
	}
	return problem, printed
}

// inForce reports whether the file has a hook that is asked about tool calls.
func (w *worker) inForce(file string) bool {
	for _, h := range w.engine.Hooks() {
		if h.Left == "" && h.Event == hooks.PreToolCall && fileOf(h.Source) == file {
			return true
		}
	}
	return false
}

// verb is a decision as a short form spells it.
func verb(d hooks.Decision) string {
	switch d {
	case hooks.Deny:
		return "denies"
	case hooks.Ask:
		return "asks"
	}
	return "passes"
}

// shortForms finds the short forms in the comments of a script.
func shortForms(source string) (forms []form) {
	scanComments(source, func(line int, text string) {
		text = strings.TrimLeft(text, "-")
		word, command, ok := strings.Cut(strings.TrimSpace(text), ":")
		if !ok || word == "" || len(word) > 10 {
			return
		}
		f := form{line: line, word: word, command: strings.TrimSpace(command)}
		switch word {
		case "denies", "asks", "passes":
		default:
			if f.meant = meant(word); f.meant == "" {
				return
			}
		}
		forms = append(forms, f)
	})
	return forms
}

// meant is the word of a short form that a misspelt one was probably meant to be, "" where it
// is some other word.
func meant(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	others := map[string][]string{
		"denies": {"denies", "deny", "denied", "denys", "blocks"},
		"asks":   {"asks", "ask", "asked", "aks", "askes"},
		"passes": {"passes", "pass", "passed", "allow", "allows", "allowed"},
	}
	for right, list := range others {
		for _, other := range list {
			if word == other {
				return right
			}
		}
		if len(right) > 4 && word != "" && word[0] == right[0] && slip(word, right) {
			return right
		}
	}
	return ""
}

// slip reports whether a word is another with two neighbours exchanged, or with a letter left
// out or doubled.
func slip(word, right string) bool {
	for i := range right {
		if word == right[:i]+right[i+1:] || word == right[:i]+right[i:i+1]+right[i:] ||
			i+1 < len(right) && word == right[:i]+right[i+1:i+2]+right[i:i+1]+right[i+2:] {
			return true
		}
	}
	return false
}

// scanComments calls f for each comment of a Lua text that ends with its line, without the
// dashes that it begins with. What isn't Lua ends somewhere.
func scanComments(text string, f func(line int, comment string)) {
	scan(text, func(line int, token string) {
		if comment, ok := strings.CutPrefix(token, "--"); ok && longBracket(comment) < 0 {
			f(line, comment)
		}
	})
}

// scan calls f for each comment, string, word and sign of a Lua text, with the line where it
// begins.
func scan(text string, f func(line int, token string)) {
	line := 1
	take := func(n int) {
		token := text[:n]
		f(line, token)
		line += strings.Count(token, "\n")
		text = text[n:]
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.HasPrefix(text, "#") { // by which Unix finds the program that runs it
		text = text[lineEnd(text):]
	}
	for text != "" {
		c := text[0]
		switch {
		case c == '\n':
			line++
			text = text[1:]
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			text = text[1:]
		case strings.HasPrefix(text, "--"):
			if n := longBracket(text[2:]); n >= 0 {
				take(2 + longEnd(text[2:], n))
			} else {
				take(lineEnd(text))
			}
		case c == '[' && longBracket(text) >= 0:
			take(longEnd(text, longBracket(text)))
		case c == '"' || c == '\'':
			take(quotedEnd(text))
		case isWord(c):
			n := 1
			for n < len(text) && isWord(text[n]) {
				n++
			}
			take(n)
		default:
			take(1)
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// longBracket is how many = stand in the [==[ that a text begins with; -1: it begins otherwise.
func longBracket(text string) int {
	if !strings.HasPrefix(text, "[") {
		return -1
	}
	rest := strings.TrimLeft(text[1:], "=")
	if !strings.HasPrefix(rest, "[") {
		return -1
	}
	return len(text) - 1 - len(rest)
}

// longEnd is where what begins with a long bracket of so many = ends.
func longEnd(text string, level int) int {
	end := "]" + strings.Repeat("=", level) + "]"
	if at := strings.Index(text, end); at >= 0 {
		return at + len(end)
	}
	return len(text)
}

func lineEnd(text string) int {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return at
	}
	return len(text)
}

// quotedEnd is where the string ends that a text begins with: behind its other quote, or at the
// end of the line.
func quotedEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(text)
}
