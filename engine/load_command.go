package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
)

// command makes an entry of a command hook.
func (r *loader) command(h *listedHook, in instance) {
	e := &entry{
		event: h.Event, options: h.Options, scope: in.scope, file: in.order, source: h.Source,
		handler: hooks.HandlerCommand, inject: h.InjectOutput, spelling: h.Key,
	}
	text, args, err := in.folder.program(h)
	if err == nil {
		e.command, err = command.New(text, args)
	}
	if err != nil {
		r.fail(in, h.errorf("%v", err))
		return
	}
	if e.options.Timeout == 0 {
		e.options.Timeout = commandTimeout
	}
	if e.options.Name == "" {
		e.options.Name = commandName(h)
	}
	e.options.Name = plain(e.options.Name)
	r.finish(e, in)
	r.neverRuns(e)
	switch v := in.standing.command(h); {
	case v.trusted:
		e.still = v.still
	case v.changed:
		r.note(v)
		e.still = func() error { return errors.New(v.why) }
		if again := v.still; again != nil { // it may be as it was trusted by then
			e.still = again
		}
	default:
		e.skip = &hooks.Error{Kind: hooks.KindTrust, Hook: e.options.Name, Source: e.source, Message: "skipped: " + v.why}
		r.skipped++
	}
	r.result.entries = append(r.result.entries, e)
}

// commandName is what a command hook is called that has no name of its own: its
// program, or the file that it gives an interpreter.
func commandName(h *listedHook) string {
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
func (r *loader) note(v verdict) {
	if v.changed && r.changed == "" {
		r.changed = v.why
	}
}

// untold are the warnings, for every result, that hooks of a folder are held back. They
// are for the user, who can change that.
func (r *loader) untold(c *folderContent) {
	if r.skipped > 0 {
		project, how := "this project", "luahook trust"
		if c.folder.around > 0 {
			project = fmt.Sprintf("the project %s, which this one lies in,", plain(c.folder.root))
			how = "luahook trust DIR, where DIR is " + plain(c.folder.dir[:len(c.folder.dir)-len("/.hooks")])
		}
		r.result.warnings = append(r.result.warnings, fmt.Sprintf("%s isn't trusted, so its command hooks (%d) don't run: see what they do with \"%s\"", project, r.skipped, how))
	}
	if r.changed != "" {
		r.result.warnings = append(r.result.warnings, r.changed)
	}
}
