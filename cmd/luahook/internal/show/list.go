package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// HookList is what is in force, what isn't, and why.
type HookList struct {
	Hooks  []ListedHook `json:"hooks"`
	Left   []ListedHook `json:"left_out"`
	Errors []string     `json:"errors"` // of files that can't be used
}

// ListedHook is a hook as it is listed.
type ListedHook struct {
	Event     hooks.Event   `json:"event,omitempty"`
	Order     int           `json:"order,omitempty"`
	Name      string        `json:"name,omitempty"`
	Scope     hooks.Scope   `json:"scope"`
	Source    string        `json:"source"`
	Handler   hooks.Handler `json:"handler,omitempty"`
	Mode      hooks.Mode    `json:"mode,omitempty"`
	Match     string        `json:"match,omitempty"`
	Priority  int           `json:"priority,omitempty"`
	Timeout   string        `json:"timeout,omitempty"`     // of one run, where the hook says it
	Shortened string        `json:"max_timeout,omitempty"` // what the limits give it, where that is less
	OnFailure hooks.Policy  `json:"on_failure,omitempty"`
	Once      bool          `json:"once,omitempty"`
	Limited   string        `json:"limited,omitempty"`
	Left      string        `json:"why,omitempty"`
	Grants    []string      `json:"-"` // what hooks.yaml grants its script, whether it has that or not
}

// Hooks lists the hooks of an engine, those of one event alone where only names it.
func Hooks(e *engine.Engine, only hooks.Event) *HookList {
	l := &HookList{Hooks: []ListedHook{}, Left: []ListedHook{}, Errors: []string{}}
	for _, h := range e.Hooks() {
		switch {
		case only != "" && h.Event != only && h.Event != "":
		case h.Left != "":
			l.Left = append(l.Left, listed(h))
		default:
			l.Hooks = append(l.Hooks, listed(h))
		}
	}
	for _, err := range e.LoadErrors() {
		l.Errors = append(l.Errors, strings.TrimPrefix(err.Error(), "luahook: "))
	}
	return l
}

func listed(h engine.HookInfo) ListedHook {
	l := ListedHook{
		Event: h.Event, Order: h.Order, Name: h.Name, Scope: h.Scope, Source: h.Source, Handler: h.Handler, Mode: h.Mode,
		Match: h.Match, Priority: h.Priority, OnFailure: h.OnFailure, Once: h.Once, Limited: h.Limited, Left: strings.TrimPrefix(h.Left, "skipped: "),
		Grants: h.Grants.List(),
	}
	if h.Timeout > 0 {
		l.Timeout = terminal.Duration(h.Timeout)
	}
	if h.MaxTimeout > 0 && h.MaxTimeout < h.Timeout {
		l.Shortened = terminal.Duration(h.MaxTimeout)
	}
	return l
}

// Remarks are what is out of the ordinary about a hook.
func (h *ListedHook) Remarks() string {
	var all []string
	if h.Handler != hooks.HandlerLua {
		all = append(all, string(h.Handler))
	}
	if h.Mode != hooks.ModeSync {
		all = append(all, string(h.Mode))
	}
	if h.Priority != 0 {
		all = append(all, fmt.Sprintf("priority %d", h.Priority))
	}
	if h.Once {
		all = append(all, "once per session")
	}
	switch {
	case h.Shortened != "":
		all = append(all, "timeout "+h.Timeout+", of which the limits give it "+h.Shortened)
	case h.Timeout != "":
		all = append(all, "timeout "+h.Timeout)
	}
	if h.Limited != "" {
		all = append(all, "may only deny, ask and inform")
	}
	return strings.Join(all, ", ")
}

// maxMatchShown is how many characters of a match stand in a line of the list; as JSON it is whole.
const maxMatchShown = 60

func shortMatch(match string) string {
	text := []rune(terminal.OneLine(match))
	if len(text) > maxMatchShown {
		return string(text[:maxMatchShown-1]) + "…"
	}
	return string(text)
}

// Write prints the list for people.
func (l *HookList) Write(w io.Writer) error {
	c := terminal.ColourOf(w)
	var b strings.Builder
	for i := 0; i < len(l.Hooks); {
		event, from := l.Hooks[i].Event, i
		fmt.Fprintln(&b, c.Title(string(event)))
		var lines strings.Builder
		t := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
		for ; i < len(l.Hooks) && l.Hooks[i].Event == event; i++ {
			h := &l.Hooks[i]
			fmt.Fprintf(t, "  %d\t%s\t%s\t%s\t%s\ton failure: %s\t%s\n", i-from+1, terminal.OneLine(h.Name), h.Scope, terminal.OneLine(h.Source), shortMatch(h.Match), h.OnFailure, terminal.OneLine(h.Remarks()))
		}
		_ = t.Flush() // a builder takes all
		for line := range strings.Lines(lines.String()) {
			b.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
	}
	told := map[string]bool{}
	for _, h := range l.Hooks {
		if h.Limited != "" && !told[h.Limited] {
			told[h.Limited] = true
			fmt.Fprintf(&b, "%s %s\n", c.Care("some may only deny, ask and inform:"), terminal.OneLine(h.Limited))
		}
	}
	if len(l.Left) > 0 {
		fmt.Fprintln(&b, c.Title("left out"))
		for _, h := range l.Left {
			what := terminal.OneLine(fmt.Sprintf("%s %s", h.Event, h.Name))
			if what != "" {
				what += " "
			}
			fmt.Fprintf(&b, "  %s(%s, %s): %s\n", what, h.Scope, terminal.OneLine(h.Source), terminal.OneLine(h.Left))
		}
	}
	if len(l.Errors) > 0 {
		fmt.Fprintln(&b, c.Bad("not loaded"))
		for _, text := range l.Errors {
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(terminal.Printable(text), "\n", "\n  "))
		}
	}
	b.WriteString(l.InAll())
	if n := len(l.Left); n > 0 {
		fmt.Fprintf(&b, "; %d left out", n)
	}
	if n := len(l.Errors); n > 0 {
		fmt.Fprintf(&b, "; %s", c.Bad(fmt.Sprintf("%d not loaded", n)))
	}
	b.WriteString("\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("the list can't be written: %w", err)
	}
	return nil
}

// InAll counts what is in force.
func (l *HookList) InAll() string {
	events, files := map[hooks.Event]bool{}, map[string]bool{}
	for _, h := range l.Hooks {
		events[h.Event] = true
		file, _ := Place(h.Source)
		files[file] = true
	}
	return fmt.Sprintf("%s in %s, for %s", terminal.Counted(len(l.Hooks), "hook"), terminal.Counted(len(files), "file"), terminal.Counted(len(events), "event"))
}

// Place takes a source apart: a file, and the line in it; 0: it has none.
func Place(source string) (file string, line int) {
	if at := strings.LastIndexByte(source, ':'); at > 0 {
		if line, err := strconv.Atoi(source[at+1:]); err == nil && line > 0 {
			return source[:at], line
		}
	}
	return source, 0
}
