package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// command makes an entry of a command hook.
func (r *loader) command(h *source.Hook, in instance) {
	e := &entry{
		event: h.Event, options: h.Options, scope: in.scope, file: in.order, source: h.Source,
		handler: hooks.HandlerCommand, inject: h.InjectOutput, spelling: h.Key,
	}
	text, args, err := in.folder.CommandProgram(h)
	if err == nil {
		e.command, err = command.New(text, args)
	}
	if err != nil {
		r.fail(in, h.Mistake("%v", err))
		return
	}
	if e.options.Timeout == 0 {
		e.options.Timeout = commandTimeout
	}
	if e.options.Name == "" {
		e.options.Name = commandName(h)
	}
	e.options.Name = source.Plain(e.options.Name)
	r.finish(e, in)
	r.neverRuns(e)
	switch v := in.standing.Command(h); {
	case v.Trusted:
		e.still = v.Recheck
	case v.Changed:
		r.note(v)
		e.still = func() error { return errors.New(v.Why) }
		if again := v.Recheck; again != nil { // it may be as it was trusted by then
			e.still = again
		}
	default:
		e.skip = &hooks.Error{Kind: hooks.KindTrust, Hook: e.options.Name, Source: e.source, Message: "skipped: " + v.Why}
		r.skipped++
	}
	r.result.entries = append(r.result.entries, e)
}

// commandName is what a command hook is called that has no name of its own: its
// program, or the file that it gives an interpreter.
func commandName(h *source.Hook) string {
	if h.Script != "" {
		return filepath.Base(filepath.ToSlash(h.Script))
	}
	words := strings.Fields(h.Command)
	if h.Args != nil {
		words = append([]string{h.Command}, h.Args...)
	}
	for i, w := range words {
		w = filepath.Base(filepath.ToSlash(strings.Trim(w, `"'`)))
		next := i + 1
		if slices.Contains(interpreters, w) && next < len(words) && !strings.HasPrefix(words[next], "-") {
			continue
		}
		return w
	}
	return "command"
}

var interpreters = []string{"sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "env", "exec"}

// note remembers why something that was trusted is so no more.
func (r *loader) note(v trust.Verdict) {
	if v.Changed && r.changed == "" {
		r.changed = v.Why
	}
}

// untold are the warnings, for every result, that hooks of a folder are held back. They
// are for the user, who can change that.
func (r *loader) untold(c *source.Content) {
	if r.skipped > 0 {
		project, how := "this project", "luahook trust"
		if c.Folder.Around > 0 {
			project = fmt.Sprintf("the project %s, which this one lies in,", source.Plain(c.Folder.Root))
			how = "luahook trust DIR, where DIR is " + source.Plain(c.Folder.Dir[:len(c.Folder.Dir)-len("/.hooks")])
		}
		r.result.warnings = append(r.result.warnings, fmt.Sprintf("%s isn't trusted, so its command hooks (%d) don't run: see what they do with \"%s\"", project, r.skipped, how))
	}
	if r.changed != "" {
		r.result.warnings = append(r.result.warnings, r.changed)
	}
}
