package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/luahook/luahook/engine/internal/trust"
)

// standing is how far the hooks of one project are trusted, by what a person has pinned
// and what the engine has read. It doesn't change once it is made.
type standing struct {
	root   string // of the project
	hooks  string // its hooks folder, a slash path below root
	config string // its hooks.yaml, likewise
	pin    *trust.Pin
	moved  string            // another root with which the folder was trusted; "": there is none
	read   map[string]string // hashes of what the engine has read, by slash path below root
	rest   string            // what of the hooks folder, scripts apart, is not as pinned; "": all is
	unsure bool              // that couldn't be looked at, which may pass
}

// verdict is whether a hook is trusted.
type verdict struct {
	trusted bool
	changed bool         // it is not, and was: it, or what it needs, is no longer as pinned
	why     string       // it is not; one line that doesn't say how that is changed
	still   func() error // of a command: whether it is trusted by now, to be called before each run; nil: the verdict stays
}

var trusted = verdict{trusted: true}

const (
	untrustedProject = "the project isn't trusted"

	// Where an agent reads it, it must not take it as something that it is to do.
	onlyTheUser = "; the user alone can look at it and trust it, with \"luahook trust\""
	lostTrust   = "trust was lost: %s since the project was trusted; the user alone can look at what it holds now and trust it again, with \"luahook trust\""
)

// newStanding looks up what is pinned for the project that c is the content of, and
// compares. A folder that is no project's, but one that somebody has named, is trusted.
// The error is for pins that can't be read; what it comes with trusts nothing.
func newStanding(store *trust.Store, c *folderContent) (*standing, error) {
	if !c.folder.confined {
		return &standing{pin: &trust.Pin{Folder: true}}, nil
	}
	s := &standing{root: c.folder.root, hooks: below(c.folder.root, c.folder.dir), config: below(c.folder.root, c.path)}
	if s.hooks == "" {
		return s, nil // outside of the project: never pinned
	}
	root := s.root
	if c.kept && c.pinnedRoot != "" {
		root = c.pinnedRoot // the links that led there may be gone as well
	}
	pin, err := store.Get(root, s.hooks)
	if err == nil && pin == nil {
		s.moved, err = rootBefore(store, root, c.folder.dir)
	}
	if pin != nil {
		c.pinnedRoot = pin.Root
	}
	if err != nil || pin == nil || pin.Folder {
		s.pin = pin
		return s, err
	}
	s.pin, s.read = pin, hashes(c)
	prints, err := newFingerprints(s.root, s.read)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.kept:
		s.rest = several(s.differences(nil, s.read, func(name string) bool { return s.isScript(name) || isStray(path.Base(name)) }))
	case err != nil:
		s.rest, s.unsure = err.Error()+",", true
	default:
		defer prints.close()
		s.rest, s.unsure = s.compare(prints, c, s.isScript)
	}
	return s, nil
}

// rootBefore is the root with which a hooks folder was trusted that isn't with the root that it
// has: a repository was made or has gone, and the folder is no stranger's for that.
func rootBefore(store *trust.Store, root, dir string) (string, error) {
	pins, err := store.List()
	if err != nil {
		return "", err
	}
	dir = withoutLinks(dir)
	for _, pin := range pins {
		if pin.Root != root && filepath.Join(pin.Root, filepath.FromSlash(pin.Hooks)) == dir {
			return plain(pin.Root), nil
		}
	}
	return "", nil
}

// checkTrustFile refuses a file of trust that lies in the project: the environment may
// have named it, and the project brought it along. A home folder that is a project of its
// own holds the usual one: the one that the account database says, not one that the
// environment says.
func checkTrustFile(file string, f folder) error {
	if !f.confined {
		return nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return nil // there is no such folder, so no pin
	}
	real, err := filepath.EvalSymlinks(f.root)
	if err != nil {
		return nil // said better by those who read in it
	}
	if !isWithin(real, dir) || holdsHome(real) {
		return nil
	}
	return fmt.Errorf("the file %s, which says what is trusted, lies in the project itself; set XDG_STATE_HOME to another folder", file)
}

// hashes are those of what was read of a project, by slash path below its root: the
// bytes that run are the ones that are judged, whatever the files hold by now.
func hashes(c *folderContent) map[string]string {
	read := map[string]string{}
	add := func(f file) {
		if name := below(c.folder.root, f.path); name != "" {
			read[name] = trust.Hash([]byte(f.source))
		}
	}
	if c.text != nil {
		add(file{path: c.path, source: string(c.text)})
	}
	for _, f := range c.scripts {
		add(f)
	}
	for _, f := range c.libraries {
		add(f)
	}
	for _, h := range c.listed {
		if h.file.source != "" {
			add(h.file)
		}
	}
	return read
}

// script judges a Lua script that the engine has read, or an entry of hooks.yaml where
// f is that file: its own content, and everything in the hooks folder but other scripts.
func (s *standing) script(f file) verdict {
	if v, done := s.project(); done {
		return v
	}
	name := below(s.root, f.path)
	switch want, pinned := s.pin.Files[name]; {
	case !pinned:
		return verdict{why: f.display + " was added after the project was trusted"}
	case want != s.read[name]:
		return s.different(f.display + " has changed")
	}
	return trusted
}

// command judges a command hook: hooks.yaml and everything else in the hooks folder but
// scripts, and the files that it names.
func (s *standing) command(h *listedHook) verdict {
	if v, done := s.project(); done {
		return v
	}
	prints, err := newFingerprints(s.root, nil) // a program reads what the disk holds, not what the engine has read
	if err != nil {
		return s.different(err.Error() + ",")
	}
	defer prints.close()
	v := trusted
	if difference := s.compareNamed(prints, h); difference != "" {
		v = s.different(difference)
	}
	v.still = func() error { return s.still(h) }
	return v
}

// project judges what all hooks of the project share; done tells that this is all there
// is to it.
func (s *standing) project() (v verdict, done bool) {
	switch {
	case s.pin == nil && s.moved != "":
		return s.different("the project's root, which was " + s.moved + ", has changed"), true
	case s.pin == nil:
		return verdict{why: untrustedProject}, true
	case s.pin.Folder:
		return trusted, true
	case s.rest != "":
		return s.different(s.rest), true
	}
	return verdict{}, false
}

func (s *standing) different(what string) verdict {
	return verdict{changed: true, why: fmt.Sprintf(lostTrust, what)}
}

// still looks at the disk once more, right before a command runs: its program reads its
// files from there. Of hooks.yaml what counts is what the engine has read.
func (s *standing) still(h *listedHook) error {
	prints, err := newFingerprints(s.root, nil)
	if err != nil {
		return errors.New(s.different(err.Error() + ",").why)
	}
	defer prints.close()
	difference, _ := s.compare(prints, nil, func(name string) bool { return name == s.config || s.isScript(name) })
	if difference == "" {
		difference = s.compareNamed(prints, h)
	}
	if difference != "" {
		return errors.New(s.different(difference).why)
	}
	return nil
}

// isScript tells whether a path is that of a script which loads by itself: those are
// trusted one by one.
func (s *standing) isScript(name string) bool {
	return path.Dir(name) == s.hooks && loadsByItself(path.Base(name))
}

// compare says what in the hooks folder is not as pinned, "" where all is. What has
// vanished counts as it was read. c is what the engine has read of it, nil where that is
// settled. unsure is that it couldn't be looked at, which may pass.
func (s *standing) compare(prints *fingerprints, c *folderContent, skip func(name string) bool) (difference string, unsure bool) {
	read := maps.Clone(prints.known)
	prints.noteStrays(s.hooks, s.pin)
	now, err := prints.folder(s.hooks, c, skip)
	if err != nil {
		var errno syscall.Errno
		return err.Error() + ",", errors.As(err, &errno)
	}
	return several(s.differences(now, read, func(name string) bool { return skip(name) || prints.ignored(name) })), false
}

// differences are those of the files that are there now from those that are pinned. read are
// hashes of what the engine has read, whether it is there or not.
func (s *standing) differences(now, read map[string]string, skip func(name string) bool) (different []string) {
	for name, hash := range now {
		switch want, pinned := s.pin.Files[name]; {
		case !pinned:
			different = append(different, name+" was added")
		case want != hash:
			different = append(different, name+" has changed")
		}
	}
	for name := range s.pin.Files {
		_, there := now[name]
		if !there && read[name] != s.pin.Files[name] && strings.HasPrefix(name, strings.TrimPrefix(s.hooks+"/", "./")) && !skip(name) {
			different = append(different, name+" was removed")
		}
	}
	return different
}

// compareNamed does the same for the files that a command names.
func (s *standing) compareNamed(prints *fingerprints, h *listedHook) string {
	if prints.dir == "" { // else the folder was compared
		prints.noteStrays(s.hooks, s.pin)
		if _, err := prints.list(s.hooks, func(string) bool { return false }); err != nil {
			return err.Error() + ","
		}
	}
	names, err := prints.namedFiles(s.root, h)
	if err != nil {
		return err.Error() + ","
	}
	var different []string
	prints.readCommand(h, names)
	read := map[string]string{}
	if err := prints.addCounted(read); err != nil {
		return err.Error() + ","
	}
	for _, name := range prints.counted() {
		switch want, pinned := s.pin.Files[name]; {
		case !pinned && read[name] != "":
			different = append(different, name+", which it may read, was added")
		case want != read[name]:
			different = append(different, name+", which it may read, has changed")
		}
	}
	for _, name := range names {
		hash, _, err := prints.named(name)
		switch want, pinned := s.pin.Files[name]; {
		case err != nil:
			return err.Error() + ","
		case !pinned:
			different = append(different, name+", which it names, was added")
		case want != hash:
			different = append(different, name+", which it names, has changed")
		}
	}
	return several(different)
}

// several are differences as one part of a sentence.
func several(different []string) string {
	slices.Sort(different)
	switch n := len(different); n {
	case 0:
		return ""
	case 1:
		return different[0]
	default:
		return fmt.Sprintf("%s, and %d more have changed", different[0], n-1)
	}
}

// inventory is everything that trusting a project pins. Paths are slash paths below the root.
type inventory struct {
	files   map[string]string        // hashes by path
	named   map[*listedHook][]string // the files that each command names
	outside map[string]string        // where links that lead out of the project go
	ignored func(name string) bool   // whether a file isn't pinned because it is a stray one
}

// inventory takes stock for a project that was trusted as pin says, which may be nil. The
// error says what can't be trusted.
func takeInventory(c *folderContent, pin *trust.Pin) (inventory, error) {
	var all inventory
	prints, err := newFingerprints(c.folder.root, hashes(c))
	if err != nil {
		return all, err
	}
	defer prints.close()
	hooksFolder := below(c.folder.root, c.folder.dir)
	if hooksFolder == "" {
		return all, outsideProject(c.folder)
	}
	prints.noteStrays(hooksFolder, pin)
	files, err := prints.folder(hooksFolder, c, func(string) bool { return false })
	if err != nil {
		return all, err
	}
	maps.Copy(files, hashes(c)) // scripts elsewhere in the project, and what has gone meanwhile
	named, outside := map[*listedHook][]string{}, map[string]string{}
	for _, h := range c.listed {
		if !h.IsCommand() {
			continue
		}
		if named[h], err = prints.namedFiles(c.folder.root, h); err != nil {
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
	if err := prints.addCounted(files); err != nil {
		return all, err
	}
	return inventory{files, named, outside, prints.ignored}, nil
}

func outsideProject(f folder) error {
	return fmt.Errorf("the hooks folder %s lies outside of the project %s", f.dir, f.root)
}
