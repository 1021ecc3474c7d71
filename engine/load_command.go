package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/luahook/luahook/engine/command"
	"github.com/luahook/luahook/hooks"
)

// command makes an entry of a command hook.
func (r *loader) command(h *listedHook, in instance) {
	e := &entry{
		event: h.Event, options: h.Options, scope: in.scope, file: in.order, source: h.Source,
		handler: hooks.HandlerCommand, inject: h.InjectOutput,
	}
	text, args := in.folder.program(h)
	var err error
	if e.command, err = command.New(text, args); err != nil {
		r.fail(in, h.errorf("%v", err))
		return
	}
	if e.options.Timeout == 0 {
		e.options.Timeout = commandTimeout
	}
	if e.options.Name == "" {
		e.options.Name = commandName(h)
	}
	r.finish(e, in)
	switch v := in.standing.command(h); {
	case v.trusted:
		e.still = v.still
	case v.changed:
		e.still = func() error { return errors.New(v.why) }
	default:
		e.skip = &hooks.Error{Kind: hooks.KindTrust, Hook: e.options.Name, Source: e.source, Message: "skipped: " + v.why}
		r.skipped++
	}
	r.result.entries = append(r.result.entries, e)
}

// commandName is what a command hook is called that has no name of its own.
func commandName(h *listedHook) string {
	if h.Script != "" {
		return filepath.Base(filepath.ToSlash(h.Script))
	}
	if words := strings.Fields(h.Command); len(words) > 0 {
		return filepath.Base(strings.Trim(words[0], `"'`))
	}
	return "command"
}

// program is what a command hook runs, as command.New wants it.
func (c *folderContent) program(h *listedHook) (text string, args []string) {
	if h.Script != "" {
		return h.file.path, []string{}
	}
	text = h.Command
	if c.folder.confined {
		return text, h.Args
	}
	// Relative paths start at the folder of the file where it has such a file, else at
	// the project's root, which is where the command runs anyway.
	if h.Args != nil {
		if p := filepath.Join(c.folder.dir, text); strings.Contains(text, "/") && !filepath.IsAbs(text) && isFile(p) {
			text = p
		}
		return text, h.Args
	}
	if at := relativeProgram.FindStringSubmatchIndex(text); at != nil {
		if p := filepath.Join(c.folder.dir, text[at[2]:at[3]]); isFile(p) {
			text = text[:at[2]] + quoted(p) + text[at[3]:]
		}
	}
	return text, nil
}

// relativeProgram finds the program of a command line where it is a relative path
// without quotes.
var relativeProgram = regexp.MustCompile(`^\s*([A-Za-z0-9_.][A-Za-z0-9_./-]*/[A-Za-z0-9_./-]+)(?:\s|$)`)

// quoted is a text as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// untold is the warning that command hooks don't run, for every result.
func (r *loader) untold() {
	if r.skipped == 0 {
		return
	}
	r.result.warnings = append(r.result.warnings, fmt.Sprintf("this project isn't trusted, so its command hooks (%d) don't run: see what they do with \"luahook trust\"", r.skipped))
}
