package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// listFlags are the flags of list.
type listFlags struct {
	engine engineFlags
	format string
}

func newList() *cobra.Command {
	f := &listFlags{}
	cmd := &cobra.Command{
		Use:   "list [EVENT]",
		Short: "List the hooks in force, and what is left out and why",
		Long: `list loads the hooks of the machine, the user, the project and the built-in ones as
an event would, without firing one. It lists them by event in the order in which they
run: from where, for what, and what an untrusted project's may not do. Then come those
that never run, and files that can't be used, each with the reason.

Exit status: 0, also where files can't be used; 1 the hooks can't be read at all.`,
		Example: `  luahook list
  luahook list pre_tool_call --format json`,
		Args: atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.engine.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	return cmd
}

func (f *listFlags) run(cmd *cobra.Command, args []string) error {
	if f.format != "text" && f.format != "json" {
		return fmt.Errorf("--format is %q, want text or json", f.format)
	}
	var only hooks.Event
	if len(args) == 1 {
		var err error
		if only, err = hooks.ParseEvent(args[0]); err != nil {
			return err
		}
	}
	e, err := f.engine.open(io.Discard)
	if err != nil {
		return err
	}
	l := hookList{Hooks: []listedHook{}, Left: []listedHook{}, Errors: []string{}}
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
	if err := e.close(cmd.Context(), nil); err != nil {
		return err
	}
	if f.format == "json" {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(l)
	}
	return l.write(cmd.OutOrStdout())
}

// completeHooks offers the names of the hooks in force here for a flag.
func completeHooks(cmd *cobra.Command, flag string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		e, err := (&engineFlags{}).open(io.Discard)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, h := range e.Hooks() {
			names = append(names, terminal.Shown(h.Name))
		}
		slices.Sort(names)
		if e.close(cmd.Context(), nil) != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // a flag that isn't there: a mistake in the verb
	}
}

// hookList is what list prints.
type hookList struct {
	Hooks  []listedHook `json:"hooks"`
	Left   []listedHook `json:"left_out"`
	Errors []string     `json:"errors"` // of files that can't be used
}

type listedHook struct {
	Event     hooks.Event   `json:"event,omitempty"`
	Order     int           `json:"order,omitempty"`
	Name      string        `json:"name,omitempty"`
	Scope     hooks.Scope   `json:"scope"`
	Source    string        `json:"source"`
	Handler   hooks.Handler `json:"handler,omitempty"`
	Mode      hooks.Mode    `json:"mode,omitempty"`
	Match     string        `json:"match,omitempty"`
	Priority  int           `json:"priority,omitempty"`
	Timeout   string        `json:"timeout,omitempty"` // of one run, where the hook says it
	OnFailure hooks.Policy  `json:"on_failure,omitempty"`
	Once      bool          `json:"once,omitempty"`
	Limited   string        `json:"limited,omitempty"`
	Left      string        `json:"why,omitempty"`
}

func listed(h engine.HookInfo) listedHook {
	l := listedHook{
		Event: h.Event, Order: h.Order, Name: h.Name, Scope: h.Scope, Source: h.Source, Handler: h.Handler, Mode: h.Mode,
		Match: h.Match, Priority: h.Priority, OnFailure: h.OnFailure, Once: h.Once, Limited: h.Limited, Left: strings.TrimPrefix(h.Left, "skipped: "),
	}
	if h.Timeout > 0 {
		l.Timeout = inWords(h.Timeout)
	}
	return l
}

// remarks are what is out of the ordinary about a hook.
func (h *listedHook) remarks() string {
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
	if h.Timeout != "" {
		all = append(all, "timeout "+h.Timeout)
	}
	if h.Limited != "" {
		all = append(all, "may only deny, ask and inform: "+h.Limited)
	}
	return strings.Join(all, ", ")
}

// write prints the list for people.
func (l *hookList) write(w io.Writer) error {
	c := terminal.ColourOf(w)
	var b strings.Builder
	for i := 0; i < len(l.Hooks); {
		event, from := l.Hooks[i].Event, i
		fmt.Fprintln(&b, c.Title(string(event)))
		var lines strings.Builder
		t := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
		for ; i < len(l.Hooks) && l.Hooks[i].Event == event; i++ {
			h := &l.Hooks[i]
			fmt.Fprintf(t, "  %d\t%s\t%s\t%s\t%s\ton failure: %s\t%s\n", i-from+1, terminal.OneLine(h.Name), h.Scope, terminal.OneLine(h.Source), terminal.OneLine(h.Match), h.OnFailure, terminal.OneLine(h.remarks()))
		}
		_ = t.Flush() // a builder takes all
		for line := range strings.Lines(lines.String()) {
			b.WriteString(strings.TrimRight(line, " \n") + "\n")
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
	events, files := map[hooks.Event]bool{}, map[string]bool{}
	for _, h := range l.Hooks {
		events[h.Event] = true
		files[fileOf(h.Source)] = true
	}
	fmt.Fprintf(&b, "%s in %s, for %s", terminal.Counted(len(l.Hooks), "hook"), terminal.Counted(len(files), "file"), terminal.Counted(len(events), "event"))
	if n := len(l.Left); n > 0 {
		fmt.Fprintf(&b, "; %d left out", n)
	}
	if n := len(l.Errors); n > 0 {
		fmt.Fprintf(&b, "; %s", c.Bad(fmt.Sprintf("%d not loaded", n)))
	}
	b.WriteString("\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return errors.New("the list can't be written: " + reason(err).Error())
	}
	return nil
}

// fileOf is a source without its line.
func fileOf(source string) string {
	if at := strings.LastIndexByte(source, ':'); at > 0 && strings.Trim(source[at+1:], "0123456789") == "" {
		return source[:at]
	}
	return source
}
