package source

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
)

// Edited is the content with other texts in the place of those of scripts and libraries, by their absolute paths. A
// script that isn't there becomes one of the folder, if it would load by itself.
func (c *Content) Edited(texts map[string]string) *Content {
	if len(texts) == 0 || c.Folder.Refused != nil || c.Config.Disabled {
		return c
	}
	edited := *c
	edited.read = c
	known, any := map[string]bool{}, false
	edit := func(f File) File {
		known[f.Path] = true
		if text, ok := texts[f.Path]; ok {
			f.Source, f.Edited, any = text, true, true
		}
		return f
	}
	edited.Scripts = slices.Clone(c.Scripts)
	for i, f := range c.Scripts {
		edited.Scripts[i] = edit(f)
	}
	edited.Hooks = slices.Clone(c.Hooks)
	for i, h := range c.Hooks {
		if h.Script != "" && !h.IsCommand() {
			own := *h
			own.File = edit(h.File)
			edited.Hooks[i] = &own
		}
	}
	edited.Libraries = maps.Clone(c.Libraries)
	for name, f := range c.Libraries {
		f = edit(f)
		edited.Libraries[name] = f
		edited.EditedLibrary = edited.EditedLibrary || f.Edited
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		if !known[path] && c.Folder.Scripts != "" && filepath.Dir(path) == c.Folder.Scripts && LoadsByItself(filepath.Base(path)) {
			edited.Scripts = append(edited.Scripts, edit(File{Path: path, Display: c.Folder.Display(path)}))
		}
	}
	if !any {
		return c
	}
	edited.Scripts = slices.DeleteFunc(edited.Scripts, func(f File) bool { return f.Edited && isMeta(f.Source) })
	slices.SortFunc(edited.Scripts, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return &edited
}

// AsRead is the content without what was edited.
func (c *Content) AsRead() *Content {
	if c.read != nil {
		return c.read
	}
	return c
}
