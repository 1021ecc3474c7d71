package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// SourceFile is a file that hooks come from, as it was read.
type SourceFile struct {
	Scope   hooks.Scope
	Name    string // what [HookInfo] has as Source, without the line
	Path    string // absolute; "" of a script of [WithScript]
	Library string // the name for require, of a library; "" of others
	Text    string // what is in force, whatever the file holds by now
}

// Files lists the files that the hooks of [Engine.Hooks] come from: the scripts of [WithScript], and of each folder
// hooks.yaml, the scripts and the libraries, also those that can't be used. Command hooks stand in their hooks.yaml;
// what they run isn't read, and isn't among the files. Neither are the built-ins, which package builtins has. The
// project's are loaded for it, as by Hooks. The slice is the caller's own.
func (e *Engine) Files() []SourceFile {
	if !e.made() {
		return nil
	}
	e.mu.Lock()
	l := e.current
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
	var list []SourceFile
	for _, s := range e.options.scripts {
		list = append(list, SourceFile{Scope: hooks.ScopeEmbedder, Name: s.name, Text: s.source})
	}
	for _, c := range l.folders {
		if c == nil {
			continue
		}
		if c.Text != nil {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: c.Folder.Display(c.Path), Path: c.Path, Text: string(c.Text)})
		}
		listed := map[string]bool{} // hooks.yaml may list a script often
		for _, h := range c.Hooks {
			if h.Script != "" && !h.IsCommand() && h.File.Source != "" && !listed[h.File.Path] {
				listed[h.File.Path] = true
				list = append(list, SourceFile{Scope: c.Folder.Scope, Name: h.File.Display, Path: h.File.Path, Text: h.File.Source})
			}
		}
		for _, f := range c.Scripts {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: f.Display, Path: f.Path, Text: f.Source})
		}
		from := len(list)
		for name, f := range c.Libraries {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: f.Display, Path: f.Path, Library: name, Text: f.Source})
		}
		slices.SortFunc(list[from:], func(a, b SourceFile) int { return strings.Compare(a.Path, b.Path) })
	}
	return list
}
