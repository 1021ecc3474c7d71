package trust

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

	"github.com/luahook/luahook/engine/internal/source"
)

// Evaluation is how far the hooks of one project are trusted, by what a person has pinned
// and what the engine has read. It doesn't change once it is made.
type Evaluation struct {
	root       string // of the project
	hooks      string // its hooks folder, a slash path below root
	config     string // its hooks.yaml, likewise
	Pin        *Pin
	oldRoot    string            // another root with which the folder was trusted; "": there is none
	read       map[string]string // hashes of what the engine has read, by slash path below root
	Difference string            // what of the hooks folder, scripts apart, is not as pinned; "": all is
	Unsure     bool              // that couldn't be looked at, which may pass
}

// Result is whether a hook is trusted.
type Result struct {
	Trusted bool
	Changed bool         // it is not, and was: it, or what it needs, is no longer as pinned
	Why     string       // it is not; one line that doesn't say how that is changed
	Recheck func() error // of a command: whether it is trusted by now, to be called before each run; nil: the result stays
}

var trustedResult = Result{Trusted: true}

const (
	UntrustedProject = "the project isn't trusted"

	// Where an agent reads it, it must not take it as something that it is to do.
	OnlyTheUser = "; the user alone can look at it and trust it, with \"luahook trust\""
	lostTrust   = "trust was lost: %s since the project was trusted; the user alone can look at what it holds now and trust it again, with \"luahook trust\""
)

// Evaluate looks up what is pinned for the project that c is the content of, and
// compares. A folder that is no project's, but one that somebody has named, is trusted.
// The error is for pins that can't be read; what it comes with trusts nothing.
func Evaluate(store *Store, c *source.Content) (*Evaluation, error) {
	if !c.Folder.Confined {
		return &Evaluation{Pin: &Pin{Folder: true}}, nil
	}
	s := &Evaluation{root: c.Folder.Root, hooks: source.Below(c.Folder.Root, c.Folder.Dir), config: source.Below(c.Folder.Root, c.Path)}
	if s.hooks == "" {
		return s, nil // outside of the project: never pinned
	}
	root := s.root
	if c.Kept && c.PinnedRoot != "" {
		root = c.PinnedRoot // the links that led there may be gone as well
	}
	pin, err := store.Get(root, s.hooks)
	if err == nil && pin == nil {
		s.oldRoot, err = rootBefore(store, root, c.Folder.Dir)
	}
	if pin != nil {
		c.PinnedRoot = pin.Root
	}
	if err != nil || pin == nil || pin.Folder {
		s.Pin = pin
		return s, err
	}
	s.Pin, s.read = pin, hashes(c)
	prints, err := newFileHashes(s.root, s.read)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Kept:
		s.Difference = several(s.differences(nil, s.read, func(name string) bool { return s.isScript(name) || isStray(path.Base(name)) }))
	case err != nil:
		s.Difference, s.Unsure = err.Error()+",", true
	default:
		defer prints.close()
		s.Difference, s.Unsure = s.compare(prints, c, s.isScript)
	}
	return s, nil
}

// rootBefore is the root with which a hooks folder was trusted that isn't with the root that it
// has: a repository was made or has gone, and the folder is no stranger's for that.
func rootBefore(store *Store, root, dir string) (string, error) {
	pins, err := store.List()
	if err != nil {
		return "", err
	}
	dir = source.WithoutLinks(dir)
	for _, pin := range pins {
		if pin.Root != root && filepath.Join(pin.Root, filepath.FromSlash(pin.Hooks)) == dir {
			return source.Plain(pin.Root), nil
		}
	}
	return "", nil
}

// CheckFile refuses a file of trust that lies in the project: the environment may
// have named it, and the project brought it along. A home folder that is a project of its
// own holds the usual one: the one that the account database says, not one that the
// environment says.
func CheckFile(file string, f source.Folder) error {
	if !f.Confined {
		return nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return nil // there is no such folder, so no pin
	}
	real, err := filepath.EvalSymlinks(f.Root)
	if err != nil {
		return nil // said better by those who read in it
	}
	if !source.IsWithin(real, dir) || source.HoldsHome(real) {
		return nil
	}
	return fmt.Errorf("the file %s, which says what is trusted, lies in the project itself; set XDG_STATE_HOME to another folder", file)
}

// hashes are those of what was read of a project, by slash path below its root: the
// bytes that run are the ones that are judged, whatever the files hold by now.
func hashes(c *source.Content) map[string]string {
	read := map[string]string{}
	add := func(f source.File) {
		if name := source.Below(c.Folder.Root, f.Path); name != "" {
			read[name] = Hash([]byte(f.Source))
		}
	}
	if c.Text != nil {
		add(source.File{Path: c.Path, Source: string(c.Text)})
	}
	for _, f := range c.Scripts {
		add(f)
	}
	for _, f := range c.Libraries {
		add(f)
	}
	for _, h := range c.Hooks {
		if h.File.Source != "" {
			add(h.File)
		}
	}
	return read
}

// Script judges a Lua script that the engine has read, or an entry of hooks.yaml where
// f is that file: its own content, and everything in the hooks folder but other scripts.
func (s *Evaluation) Script(f source.File) Result {
	if v, done := s.project(); done {
		return v
	}
	name := source.Below(s.root, f.Path)
	switch want, pinned := s.Pin.Files[name]; {
	case !pinned:
		return Result{Why: f.Display + " was added after the project was trusted"}
	case want != s.read[name]:
		return s.changed(f.Display + " has changed")
	}
	return trustedResult
}

// Command judges a command hook: hooks.yaml and everything else in the hooks folder but
// scripts, and the files that it names.
func (s *Evaluation) Command(h *source.Hook) Result {
	if v, done := s.project(); done {
		return v
	}
	prints, err := newFileHashes(s.root, nil) // a program reads what the disk holds, not what the engine has read
	if err != nil {
		return s.changed(err.Error() + ",")
	}
	defer prints.close()
	v := trustedResult
	if difference := s.compareNamed(prints, h); difference != "" {
		v = s.changed(difference)
	}
	v.Recheck = func() error { return s.recheck(h) }
	return v
}

// project judges what all hooks of the project share; done tells that this is all there
// is to it.
func (s *Evaluation) project() (v Result, done bool) {
	switch {
	case s.Pin == nil && s.oldRoot != "":
		return s.changed("the project's root, which was " + s.oldRoot + ", has changed"), true
	case s.Pin == nil:
		return Result{Why: UntrustedProject}, true
	case s.Pin.Folder:
		return trustedResult, true
	case s.Difference != "":
		return s.changed(s.Difference), true
	}
	return Result{}, false
}

func (s *Evaluation) changed(what string) Result {
	return Result{Changed: true, Why: fmt.Sprintf(lostTrust, what)}
}

// recheck looks at the disk once more, right before a command runs: its program reads its
// files from there. Of hooks.yaml what counts is what the engine has read.
func (s *Evaluation) recheck(h *source.Hook) error {
	prints, err := newFileHashes(s.root, nil)
	if err != nil {
		return errors.New(s.changed(err.Error() + ",").Why)
	}
	defer prints.close()
	difference, _ := s.compare(prints, nil, func(name string) bool { return name == s.config || s.isScript(name) })
	if difference == "" {
		difference = s.compareNamed(prints, h)
	}
	if difference != "" {
		return errors.New(s.changed(difference).Why)
	}
	return nil
}

// isScript reports whether a path is that of a script which loads by itself: those are
// trusted one by one.
func (s *Evaluation) isScript(name string) bool {
	return path.Dir(name) == s.hooks && source.LoadsByItself(path.Base(name))
}

// compare says what in the hooks folder is not as pinned, "" where all is. What has
// vanished counts as it was read. c is what the engine has read of it, nil where that is
// settled. unsure is that it couldn't be looked at, which may pass.
func (s *Evaluation) compare(prints *fileHashes, c *source.Content, skip func(name string) bool) (difference string, unsure bool) {
	read := maps.Clone(prints.known)
	prints.noteStrays(s.hooks, s.Pin)
	now, err := prints.folder(s.hooks, c, skip)
	if err != nil {
		var errno syscall.Errno
		return err.Error() + ",", errors.As(err, &errno)
	}
	return several(s.differences(now, read, func(name string) bool { return skip(name) || prints.ignored(name) })), false
}

// differences are those of the files that are there now from those that are pinned. read are
// hashes of what the engine has read, whether it is there or not.
func (s *Evaluation) differences(now, read map[string]string, skip func(name string) bool) (different []string) {
	for name, hash := range now {
		switch want, pinned := s.Pin.Files[name]; {
		case !pinned:
			different = append(different, name+" was added")
		case want != hash:
			different = append(different, name+" has changed")
		}
	}
	for name := range s.Pin.Files {
		_, there := now[name]
		if !there && read[name] != s.Pin.Files[name] && strings.HasPrefix(name, strings.TrimPrefix(s.hooks+"/", "./")) && !skip(name) {
			different = append(different, name+" was removed")
		}
	}
	return different
}

// compareNamed does the same for the files that a command names.
func (s *Evaluation) compareNamed(prints *fileHashes, h *source.Hook) string {
	if prints.dir == "" { // else the folder was compared
		prints.noteStrays(s.hooks, s.Pin)
		if _, err := prints.list(s.hooks, func(string) bool { return false }); err != nil {
			return err.Error() + ","
		}
	}
	names, err := prints.commandFiles(s.root, h)
	if err != nil {
		return err.Error() + ","
	}
	var different []string
	prints.readCommand(h, names)
	read := map[string]string{}
	if err := prints.addNeeded(read); err != nil {
		return err.Error() + ","
	}
	for _, name := range prints.needed() {
		switch want, pinned := s.Pin.Files[name]; {
		case !pinned && read[name] != "":
			different = append(different, name+", which it may read, was added")
		case want != read[name]:
			different = append(different, name+", which it may read, has changed")
		}
	}
	for _, name := range names {
		hash, _, err := prints.named(name)
		switch want, pinned := s.Pin.Files[name]; {
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
