package show

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
)

// Line is what a command line would run, as hooks see it.
type Line struct {
	Commands   []LineCommand `json:"commands"`
	Error      string        `json:"error,omitempty"` // why it can't be read to its end
	TooComplex bool          `json:"too_complex,omitempty"`
}

// LineCommand is one of the commands of a line.
type LineCommand struct {
	Text    string   `json:"text"`
	Via     []string `json:"via,omitempty"`
	Context string   `json:"context,omitempty"`
	Dir     string   `json:"dir,omitempty"` // where it isn't the folder that the line starts in
	Unknown string   `json:"unknown,omitempty"`
	Reads   []string `json:"reads,omitempty"`
	Writes  []string `json:"writes,omitempty"`
	Deletes []string `json:"deletes,omitempty"`
	Remote  bool     `json:"remote,omitempty"`
	Git     string   `json:"git,omitempty"` // what a git command does to history and changes
}

// Understand says what the command line of an event would run; nil where it has none. The event is complete.
func Understand(c *hooks.Context) *Line {
	t := c.ToolCall
	if t == nil || t.Command == "" {
		return nil
	}
	home, _ := os.UserHomeDir() // without it, paths begin with "~"
	return explainLine(shell.Parse(t.Command, shell.Options{Cwd: c.CWD, Home: home, Language: shell.Language(t.Language())}), c.CWD)
}

// explainLine lists the commands of a line that starts in a folder.
func explainLine(line *shell.Line, cwd string) *Line {
	x := &Line{Commands: []LineCommand{}, TooComplex: line.TooComplex}
	if line.Err != nil {
		x.Error = line.Err.Error()
	}
	for _, c := range line.Commands {
		one := LineCommand{Text: textOf(c), Via: c.Via, Context: c.Context, Remote: c.Remote, Git: gitFacts(c)}
		switch {
		case c.Dir.Dynamic:
			one.Dir = "a folder that isn't known"
		case c.Dir.Text != cwd && c.Dir.Text != ".":
			one.Dir = c.Dir.Text
			if rel, err := filepath.Rel(cwd, c.Dir.Text); cwd != "" && err == nil && filepath.IsLocal(rel) {
				one.Dir = rel
			}
		}
		switch {
		case c.NameDynamic:
			one.Unknown = "which program it is can't be known before it runs"
		case c.Dynamic:
			one.Unknown = "a word can't be known before it runs"
		}
		for _, p := range c.Paths() {
			text := p.Text
			if rel, err := filepath.Rel(cwd, text); cwd != "" && err == nil && filepath.IsLocal(rel) {
				text = rel
				if strings.HasPrefix(rel, "...") { // which reads as if something were left out
					text = "./" + rel
				}
			}
			list := &one.Writes
			switch p.Access {
			case shell.Read:
				list = &one.Reads
			case shell.Delete:
				list = &one.Deletes
			}
			if !slices.Contains(*list, text) {
				*list = append(*list, text)
			}
		}
		x.Commands = append(x.Commands, one)
	}
	return x
}

// textOf is a command as it would be written, with what is known put in.
func textOf(c *shell.Command) string {
	quoted := func(w shell.Word) string {
		if w.Dynamic || w.Glob || w.Home {
			return w.Text
		}
		return shell.Quote(w.Text)
	}
	var words []string
	for _, a := range c.Assignments {
		words = append(words, a.Name+"="+quoted(a.Value))
	}
	switch {
	case c.Path != "":
		words = append(words, c.Path)
	case c.Name != "":
		words = append(words, c.Name)
	case c.SQL != nil:
		words = append(words, c.SQL.Text)
	case c.NameDynamic:
		words = append(words, "?")
	}
	for _, w := range c.Args {
		words = append(words, quoted(w))
	}
	for _, r := range c.Redirects {
		words = append(words, r.Op+quoted(r.Target))
	}
	return strings.Join(words, " ")
}

// gitFacts is what a git command does that can't be undone easily.
func gitFacts(c *shell.Command) string {
	g := c.Git()
	if g == nil {
		return ""
	}
	var facts []string
	for _, f := range []struct {
		is   bool
		text string
	}{
		{g.DiscardsChanges, "discards changes"}, {g.RewritesHistory, "rewrites history"}, {g.DeletesRefs, "deletes refs"},
		{g.SkipsHooks, "skips git's hooks"},
	} {
		if f.is {
			facts = append(facts, f.text)
		}
	}
	text := strings.Join(facts, ", ")
	if text != "" && g.Because != "" {
		text += " (" + g.Because + ")"
	}
	return text
}

// contexts are where a command may stand, in words.
var contexts = map[string]string{
	"pipe": "in a pipe", "and": "if what is before && succeeds", "or": "if what is before || fails", "background": "in the background",
	"subshell": "in a subshell", "substitution": "in a substitution", "branch": "in a branch", "loop": "in a loop", "function": "in a function",
}

// Notes are what is worth knowing of a command beside its text.
func (c *LineCommand) Notes() []string {
	var notes []string
	add := func(format, text string) {
		if text != "" {
			notes = append(notes, fmt.Sprintf(format, text))
		}
	}
	add("through %s", strings.Join(c.Via, ", "))
	add("%s", contexts[c.Context])
	add("in %s", c.Dir)
	if c.Remote {
		notes = append(notes, "on another machine or in a container")
	}
	add("reads %s", strings.Join(c.Reads, " "))
	add("writes %s", strings.Join(c.Writes, " "))
	add("deletes %s", strings.Join(c.Deletes, " "))
	add("git: %s", c.Git)
	add("%s", c.Unknown)
	return notes
}

// text is the explanation for people.
func (x *Explanation) text(c terminal.Colour) string {
	var b strings.Builder
	line := func(indent int, text string) {
		fmt.Fprintf(&b, "%*s%s\n", indent, "", text)
	}
	line(0, strings.TrimRight(c.Title(string(x.Context.Event))+" "+terminal.OneLine(eventInWords(x.Context)), " "))
	if x.Line != nil {
		line(0, "")
		line(0, c.Title("understood as"))
		for _, command := range x.Line.Commands {
			line(2, terminal.OneLine(command.Text))
			for _, note := range command.Notes() {
				line(6, c.Faint(terminal.OneLine(note)))
			}
		}
		if len(x.Line.Commands) == 0 {
			line(2, "nothing that runs")
		}
		if x.Line.Error != "" {
			line(2, c.Care("it can't be read to its end: "+terminal.OneLine(x.Line.Error)))
		} else if x.Line.TooComplex {
			line(2, c.Care("it is too long or too deeply nested to be read to its end"))
		}
	}
	line(0, "")
	line(0, c.Title("hooks"))
	limits := map[string]bool{} // that have been explained
	for i := range x.Hooks {
		h := x.Hooks[i]
		if h.Limited != "" && limits[h.Limited] {
			h.Limited = "as above"
		}
		limits[h.Limited] = true
		h.text(line, c)
	}
	if len(x.Hooks) == 0 {
		line(2, "none is registered for this event")
	}
	for _, h := range x.Left {
		line(2, c.Faint(terminal.OneLine(fmt.Sprintf("- %s (%s, %s) never runs: %s", h.Name, h.Scope, h.Source, h.Left))))
	}
	for _, text := range x.Errors {
		if x.isShown(text) {
			continue
		}
		line(2, c.Bad("! not loaded: ")+strings.ReplaceAll(terminal.Printable(text), "\n", "\n    "))
	}
	line(0, "")
	line(0, c.Title("together"))
	for _, text := range x.outcome(c) {
		line(2, strings.ReplaceAll(text, "\n", "\n    "))
	}
	return b.String()
}

// text writes a hook and what has come of it.
func (h *ExplainedHook) text(line func(indent int, text string), c terminal.Colour) {
	where := fmt.Sprintf("(%s, %s)", h.Scope, terminal.OneLine(h.Source))
	if len(h.Runs) == 0 {
		line(2, c.Faint(fmt.Sprintf("- %s %s not run: %s", terminal.OneLine(h.Name), where, terminal.OneLine(h.Skipped))))
		return
	}
	for _, run := range h.Runs {
		mark, what := symbol(run.Status), string(run.Status)
		switch run.Status {
		case hooks.StatusBlocked:
			mark, what = c.Bad(mark), "denied"
		case hooks.StatusFailed:
			mark = c.Bad(mark)
		case hooks.StatusQueued:
			what = "runs in the background, queued"
		case hooks.StatusCompleted:
			mark, what = c.Good(mark), "ran"
			switch run.Decision {
			case hooks.Ask:
				mark, what = c.Care("?"), "asked"
			case hooks.Allow:
				what = "allowed"
			}
		}
		if run.Judging {
			what += ", judging what was rewritten"
		}
		cost := shortTime(time.Duration(run.DurationUS) * time.Microsecond)
		if run.Instructions > 0 {
			cost += fmt.Sprintf(", %d instructions", run.Instructions)
		}
		line(2, fmt.Sprintf("%s %s %s %s in %s", mark, terminal.OneLine(h.Name), c.Faint(where), what, cost))
		if h.Limited != "" {
			line(6, c.Care("it may only deny, ask and inform: "+terminal.OneLine(h.Limited)))
		}
		if e := run.Error; e != nil {
			line(6, c.Bad(terminal.OneLine(describeError(e))))
			for _, text := range whereItFailed(e) {
				line(6, terminal.Printable(text))
			}
		}
		for _, entry := range run.Entries {
			kind := string(entry.Kind)
			if entry.Kind == hooks.EntryFeedback {
				kind = "reason"
			}
			line(6, terminal.OneLine(kind+": "+entry.Text))
		}
		if run.Modified {
			line(6, "rewrote it, see below")
		}
		if len(run.Entries) == 0 && run.Error == nil && !run.Modified && run.Decision == hooks.NoOpinion && run.Status == hooks.StatusCompleted {
			line(6, c.Faint("no objection"))
		}
	}
}

// outcome says what the answers come to together, and by which rule, in lines that a terminal can show.
func (x *Explanation) outcome(c terminal.Colour) []string {
	r, who, by := x.Result, "", ""
	for _, h := range x.Hooks {
		for _, run := range h.Runs {
			if who == "" && r.Decision != hooks.NoOpinion && run.Decision == r.Decision {
				who = " by " + terminal.OneLine(h.Name)
			}
			if run.Modified {
				by = ", rewritten by " + terminal.OneLine(h.Name)
			}
		}
	}
	var lines []string
	switch r.Decision {
	case hooks.Deny:
		failed := x.blocking()
		if who != "" || failed == nil {
			lines = append(lines, c.Bad("deny")+who+": "+terminal.Printable(r.Reason))
			break
		}
		lines = append(lines, c.Bad("deny")+": no hook has denied, but "+terminal.OneLine(failed.Hook)+" has failed, and its on_failure is block")
	case hooks.Ask:
		lines = append(lines, c.Care("ask")+who+": "+terminal.Printable(r.Reason), "an ask counts unless a hook denies, and before any allow")
	case hooks.Allow:
		lines = append(lines, c.Good("allow")+who+": "+terminal.Printable(r.Reason), "no hook denies or asks, and one allows: the agent doesn't ask either")
	default:
		text := "no objection"
		if info := hooks.Lookup(x.Context.Event); info != nil && info.Guards {
			text += ": the agent asks or not as it would have"
		}
		lines = append(lines, text)
	}
	if r.Input != nil {
		lines = append(lines, terminal.Printable("input"+by+": "+asText(r.Input)))
	}
	if r.Output != nil {
		lines = append(lines, terminal.Printable("output"+by+": "+asText(r.Output)))
	}
	for _, entry := range r.Contexts {
		lines = append(lines, terminal.Printable(fmt.Sprintf("context from %s: %s", entry.Hook, entry.Text)))
	}
	if r.Halt {
		lines = append(lines, terminal.Printable(strings.TrimSuffix("the turn ends here: "+r.StopReason, ": ")))
	}
	if r.SystemMessage != "" {
		lines = append(lines, terminal.Printable("message for the user: "+r.SystemMessage))
	}
	if len(r.Data) > 0 {
		lines = append(lines, terminal.Printable("data: "+asText(r.Data)))
	}
	for _, text := range r.Warnings {
		if !strings.HasPrefix(text, "not loaded: ") || len(x.Errors) == 0 { // which stand above
			lines = append(lines, c.Care("warning: ")+terminal.Printable(text))
		}
	}
	return lines
}

// isShown reports whether a file that isn't loaded stands among the runs, with all that is said of it.
func (x *Explanation) isShown(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	for _, h := range x.Hooks {
		for _, run := range h.Runs {
			if run.Error != nil && run.Error.Kind == hooks.KindLoad && run.Error.Message == first {
				return true
			}
		}
	}
	return false
}

// blocking is the run whose failure, which is shown with it, is the reason of a deny; nil where there is none.
func (x *Explanation) blocking() *hooks.Run {
	for _, h := range x.Hooks {
		for i := range h.Runs {
			if e := h.Runs[i].Error; e != nil && strings.Contains(x.Result.Reason, strings.TrimPrefix(e.Message, e.Source+": ")) {
				return &h.Runs[i]
			}
		}
	}
	return nil
}
