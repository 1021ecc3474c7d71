package trust

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/luahook/luahook/engine/internal/source"
)

// Inventory is everything that trusting a project pins. Paths are slash paths below the root.
type Inventory struct {
	Files        map[string]string         // hashes by path
	CommandFiles map[*source.Hook][]string // the files that each command names
	Outside      map[string]string         // where links that lead out of the project go
	Ignored      func(name string) bool    // whether a file isn't pinned because it is a stray one
}

// TakeInventory takes stock for a project that was trusted as pin says, which may be nil. The
// error says what can't be trusted.
func TakeInventory(c *source.Content, pin *Pin) (Inventory, error) {
	var all Inventory
	prints, err := newFileHashes(c.Folder.Root, hashes(c))
	if err != nil {
		return all, err
	}
	defer prints.close()
	hooksFolder := source.Below(c.Folder.Root, c.Folder.Dir)
	if hooksFolder == "" {
		return all, OutsideError(c.Folder)
	}
	prints.noteStrays(hooksFolder, pin)
	files, err := prints.folder(hooksFolder, c, func(string) bool { return false })
	if err != nil {
		return all, err
	}
	maps.Copy(files, hashes(c)) // scripts elsewhere in the project, and what has gone meanwhile
	named, outside := map[*source.Hook][]string{}, map[string]string{}
	for _, h := range c.Hooks {
		if !h.IsCommand() {
			continue
		}
		if named[h], err = prints.commandFiles(c.Folder.Root, h); err != nil {
			return all, err
		}
		for _, name := range named[h] {
			hash, place, err := prints.named(name)
			if err != nil {
				return all, err
			}
			files[name] = hash
			if place != "" {
				outside[name] = filepath.ToSlash(place)
			}
		}
		prints.readCommand(h, named[h])
	}
	if err := prints.addNeeded(files); err != nil {
		return all, err
	}
	return Inventory{files, named, outside, prints.ignored}, nil
}

func OutsideError(f source.Folder) error {
	return fmt.Errorf("the hooks folder %s lies outside of the project %s", f.Dir, f.Root)
}

// State is how far a project is trusted, or what became of one of its files.
type State string

// The states of a project, and of a file.
const (
	Untrusted State = "untrusted" // it never was, or that was taken back
	Trusted   State = "trusted"   // all of it is as it was when it was trusted
	Folder    State = "folder"    // it is trusted whatever it holds

	Same    State = "same"
	New     State = "new" // or nothing is trusted yet
	Changed State = "changed"
	Removed State = "removed" // it was pinned, and isn't there or isn't named any more
)

// File is one file of an inventory, compared with what is pinned.
type File struct {
	Path    string // a slash path below the root
	Hash    string // "" of a removed one
	State   State
	Outside string // where it leads, of a link out of the project
}

// Compare compares with what is pinned; pin may be nil. unfit: the inventory couldn't be
// taken. The files are in the order of their paths.
func (v *Inventory) Compare(pin *Pin, unfit bool) (state State, files []File) {
	for name, hash := range v.Files {
		files = append(files, File{Path: name, Hash: hash, State: New, Outside: v.Outside[name]})
	}
	switch {
	case pin == nil:
		state = Untrusted
	case pin.Folder:
		state = Folder
	default:
		state, files = v.against(pin.Files, unfit, files)
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return state, files
}

// against compares the files with pinned ones.
func (v *Inventory) against(pinned map[string]string, unfit bool, files []File) (State, []File) {
	state := Trusted
	for i := range files {
		f := &files[i]
		switch want, ok := pinned[f.Path]; {
		case ok && want == f.Hash:
			f.State = Same
			continue
		case ok:
			f.State = Changed
		}
		state = Changed
	}
	if unfit { // it could be pinned once
		return Changed, files
	}
	for name := range pinned {
		if _, there := v.Files[name]; !there && !v.Ignored(name) {
			files = append(files, File{Path: name, State: Removed})
			state = Changed
		}
	}
	return state, files
}
