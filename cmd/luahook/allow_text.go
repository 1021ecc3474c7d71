package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
)

// attempt is what was blocked, once however often it was tried.
type attempt struct {
	override.Blocked     // the latest
	times            int // that it was tried
}

// attempts folds calls that are the same to the letter.
func attempts(blocked []override.Blocked) []attempt {
	var list []attempt
	places := map[string]int{}
	for _, b := range blocked {
		if at, ok := places[b.Identity]; ok {
			list[at].times++
			list[at].Final = list[at].Final || b.Final
			continue
		}
		places[b.Identity] = len(list)
		list = append(list, attempt{b, 1})
	}
	return list
}

// describeBlocked is what a person chooses from. An agent has written most of it, so
// nothing in it may pass for something that luahook says.
func describeBlocked(root string, list []attempt, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "blocked in %s, the latest first:\n\n", terminal.Shown(root))
	for i := range list {
		a := &list[i]
		when := terminal.Age(now.Sub(a.At))
		if a.times > 1 {
			when += fmt.Sprintf(", %d times", a.times)
		}
		fmt.Fprintf(&b, "%3d  %s  (%s, %s)\n", i+1, oneLineOf(a.Asked), terminal.Shown(a.Tool), when)
		fmt.Fprintf(&b, "     %s\n", oneLineOf(describeWhy(a)))
	}
	b.WriteString("\n")
	return b.String()
}

// describeWhy is by which rule a call was blocked, and why.
func describeWhy(a *attempt) string {
	text := cmp.Or(a.Rule, "no rule")
	if a.Decision == hooks.Ask {
		text += " (asked)"
	}
	if a.Final {
		text += " (can't be let through)"
	}
	return text + ": " + cmp.Or(a.Reason, "no reason")
}

// describeCall is all that is kept of a call, to be shown before it is let through.
func describeCall(a *attempt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n  tool: %s\n", terminal.Shown(a.Tool))
	if a.CWD != "" {
		fmt.Fprintf(&b, "    in: %s\n", terminal.Shown(a.CWD))
	}
	fmt.Fprintf(&b, " wants: %s\n", terminal.Indented(a.Asked))
	if a.Length > len(a.Asked) {
		fmt.Fprintf(&b, "        this is its beginning, %d bytes of %d: the rest wasn't kept, and goes through with it\n", len(a.Asked), a.Length)
	}
	if a.Kind != hooks.KindShell {
		b.WriteString("        this doesn't show what it would write there, or its other arguments\n")
	}
	fmt.Fprintf(&b, "   why: %s\n\n", terminal.Indented(describeWhy(a)))
	return b.String()
}

// maxLine is how many characters of a command stand on one line.
const maxLine = 160

// oneLineOf is a stranger's text on one line, cut where it is long.
func oneLineOf(text string) string {
	line := []rune(terminal.Shown(strings.ReplaceAll(strings.ReplaceAll(text, "\n", " ⏎ "), "\t", " ")))
	if len(line) > maxLine {
		return string(line[:maxLine]) + " ..."
	}
	return string(line)
}

// listWords lists what a person has said, the latest first.
func listWords(w io.Writer, store *override.Store) error {
	words, err := store.Permissions()
	if err != nil {
		return err
	}
	if len(words) == 0 {
		_, err := fmt.Fprintln(w, "nothing was let through")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "GIVEN\tUNTIL\tNOW\tWHAT")
	for i := range words {
		word := &words[i]
		what := "safety-guard off"
		if word.Kind == override.Once {
			what = terminal.Shown(word.Tool) + ": " + oneLineOf(word.Asked)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", terminal.LocalTime(word.Given), terminal.LocalTime(word.Until), describeWord(word, time.Now()), what)
	}
	return t.Flush()
}

// describeWord is what became of a word.
func describeWord(w *override.Permission, now time.Time) string {
	switch {
	case len(w.Used) > 0:
		by := terminal.Shown(cmp.Or(w.Used[0].Call, w.Used[0].Session))
		if by != "" {
			by = " by " + by
		}
		return "used " + terminal.LocalTime(w.Used[0].At) + by
	case w.Ended != nil && w.Kind == override.Off:
		return "ended " + terminal.LocalTime(*w.Ended)
	case w.Ended != nil:
		return "taken back"
	case now.Before(w.Until) && w.Kind == override.Off:
		return "off"
	case now.Before(w.Until):
		return "not used yet"
	case w.Kind == override.Off:
		return "over"
	}
	return "not used"
}
