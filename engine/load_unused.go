package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
)

// warn adds a warning to every result. Where there are very many only the first are told.
func (r *loader) warn(format string, args ...any) {
	const most = 20
	text := fmt.Sprintf(format, args...)
	if slices.Contains(r.result.warnings, text) { // a script may be listed often
		return
	}
	if r.warned++; r.warned <= most {
		r.result.warnings = append(r.result.warnings, text)
	}
	if r.warned == most+1 {
		r.result.warnings = append(r.result.warnings, "there are more such warnings of hooks and scripts; mend these first")
	}
}

// otherSpellings warns of texts in a script that ev.event may be compared with in vain.
func (r *loader) otherSpellings(s *pool.Script, entries []*entry, in instance) {
	if in.builtin {
		return
	}
	registered := make([]luabind.Registration, 0, len(entries))
	for _, e := range entries {
		registered = append(registered, s.Registrations[e.index])
	}
	for _, o := range luabind.OtherSpellings(s.Program, in.libraries, registered) {
		r.warn("%s: %q is spelled otherwise than the event, for which ev.event says %q here: compared as texts the two differ; write it that way, or use ev.canonical_event", o.Source, o.Text, o.Told)
	}
}

// neverRuns warns of a hook that no event can match.
func (r *loader) neverRuns(e *entry) {
	if why := e.options.Match.Never(); why != "" && !e.options.Disabled {
		r.warn("the hook at %s never runs, as its match fits no event: %s", e.source, why)
	}
}

// unread lists the Lua files in folders beside lib that nothing loads: neither does
// hooks.yaml list them, nor does a command of it name them.
func (c *folderContent) unread() (paths []string) {
	if c.folder.scripts == "" {
		return nil
	}
	entries, _ := c.list(c.folder.scripts) // where it can't be read, that was said
	const most = 100                       // folders, and files of each: more need not be told
	folders := 0
	for _, d := range entries {
		if !d.IsDir() || d.Name() == "lib" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
			continue
		}
		if folders++; folders > most || !c.work(entryWork*most) {
			break
		}
		dir := filepath.Join(c.folder.scripts, d.Name())
		opened, err := openfile.Folder(dir)
		if err != nil {
			continue
		}
		files, _ := opened.ReadDir(most)
		_ = opened.Close() // opened to read
		for _, f := range files {
			if path := filepath.Join(dir, f.Name()); !f.IsDir() && loadsByItself(f.Name()) && !c.names(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// names tells whether an entry of hooks.yaml is this file, or a command that names it.
func (c *folderContent) names(path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(c.listed, func(h *listedHook) bool {
		return h.file.path == path || strings.Contains(h.Command, name) ||
			slices.ContainsFunc(h.Args, func(arg string) bool { return strings.Contains(arg, name) })
	})
}
