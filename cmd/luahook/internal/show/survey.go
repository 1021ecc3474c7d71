package show

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Survey is what a person sees of a project before trusting it. All of it comes
// from a stranger: nothing in it may pass for something that luahook says.
func Survey(s *engine.Survey) string {
	var b strings.Builder
	fmt.Fprintf(&b, "project: %s\n", terminal.Shown(ProjectName(s.Root, s.Hooks)))
	fmt.Fprintf(&b, "state: %s\n", Standing(s))
	if s.Disabled {
		b.WriteString("its hooks.yaml switches all of its hooks off\n")
	}
	b.WriteString("\nhooks:\n")
	commands := 0
	for _, h := range s.Handlers {
		describeHandler(&b, &h)
		if h.Handler == hooks.HandlerCommand {
			commands++
		}
	}
	if len(s.Handlers) == 0 {
		b.WriteString("  none\n")
	}
	b.WriteString("\nasks for:\n")
	for _, g := range s.Grants {
		fmt.Fprintf(&b, "  %s: %s\n", terminal.Shown(g.Source), terminal.Shown(strings.Join(g.Grants.List(), "; ")))
	}
	switch {
	case commands > 0:
		fmt.Fprintf(&b, "  commands (%d): they run without a sandbox and may do what you may; what they run in turn isn't pinned\n", commands)
	case len(s.Grants) == 0:
		b.WriteString("  nothing beyond its sandbox\n")
	}
	describeFiles(&b, s)
	for _, err := range s.LoadErrors {
		fmt.Fprintf(&b, "\nproblem: %s\n", terminal.Indented(err.Error()))
	}
	b.WriteString("\n")
	if text := b.String(); strings.Count(text, "\n") > screen {
		b.WriteString(inAll(s) + "\n")
	}
	return b.String()
}

// screen is how many lines a person has before the eyes, about.
const screen = 40

// inAll counts what was shown: a stranger may have made it so much that its beginning
// has left the screen when the question comes.
func inAll(s *engine.Survey) string {
	commands := 0
	for _, h := range s.Handlers {
		if h.Handler == hooks.HandlerCommand {
			commands++
		}
	}
	return fmt.Sprintf("in all: hooks: %d, commands among them: %d; asks for: %d; files: %d", len(s.Handlers), commands, len(s.Grants), len(s.Files)-Removed(s))
}

// Standing is whether a project is trusted, in words.
func Standing(s *engine.Survey) string {
	since := s.Since.Local().Format(time.DateTime)
	switch s.State {
	case engine.ProjectTrusted:
		return "trusted since " + since + ", unchanged"
	case engine.ProjectChanged:
		return "it was trusted on " + since + " and HAS CHANGED since"
	case engine.ProjectFolderTrusted:
		return "trusted since " + since + ", with every change"
	}
	return "not trusted"
}

func describeHandler(b *strings.Builder, h *engine.SurveyedHook) {
	fmt.Fprintf(b, "  %s: %s %s (%s)%s\n", h.Event, h.Handler, terminal.Shown(h.Name), terminal.Shown(h.Source), terminal.Shown(describeOptions(h.Options)))
	if h.Handler != hooks.HandlerCommand {
		return
	}
	fmt.Fprintf(b, "      runs: %s\n", terminal.Indented(h.Command))
	for _, arg := range h.Args {
		fmt.Fprintf(b, "       arg: %s\n", terminal.Indented(arg))
	}
	for _, name := range h.Names {
		fmt.Fprintf(b, "     names: %s\n", terminal.Shown(name))
	}
}

// describeOptions says when and how a hook runs, where that isn't always and as usual.
func describeOptions(o hooks.Options) string {
	var parts []string
	if o.Match != nil {
		parts = append(parts, "match "+o.Match.String())
	}
	if o.Priority != 0 {
		parts = append(parts, fmt.Sprintf("priority %d", o.Priority))
	}
	if o.Mode != "" && o.Mode != hooks.ModeSync {
		parts = append(parts, string(o.Mode))
	}
	if o.OnFailure != "" {
		parts = append(parts, "on_failure "+string(o.OnFailure))
	}
	if o.Once {
		parts = append(parts, "once")
	}
	if o.Always {
		parts = append(parts, "always")
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func describeFiles(b *strings.Builder, s *engine.Survey) {
	b.WriteString("\nfiles:\n")
	for _, f := range s.Files {
		state := ""
		switch {
		case f.State == engine.FileChanged:
			state = "CHANGED"
		case f.State == engine.FileRemoved:
			state = "REMOVED"
		case f.State == engine.FileNew && s.State == engine.ProjectChanged:
			state = "NEW"
		}
		line := strings.TrimRight(fmt.Sprintf("  %-7s  %.12s  %s", state, f.Hash, terminal.Shown(f.Path)), " ")
		if f.Outside != "" {
			line += "  (a link out of the project, to " + terminal.Shown(f.Outside) + ")"
		}
		b.WriteString(line + "\n")
	}
	if s.Unfit != nil {
		fmt.Fprintf(b, "  they can't be pinned: %s\n", terminal.Shown(s.Unfit.Error()))
	} else if len(s.Files) == 0 {
		b.WriteString("  none\n")
	}
}

// Removed counts the files that are gone.
func Removed(s *engine.Survey) (n int) {
	for _, f := range s.Files {
		if f.State == engine.FileRemoved {
			n++
		}
	}
	return n
}

// ProjectName is the project's root, and its hooks folder where that is not the usual
// one.
func ProjectName(root, hooksFolder string) string {
	if hooksFolder == ".hooks" {
		return root
	}
	return root + " (hooks of " + path.Dir(hooksFolder) + ")"
}
