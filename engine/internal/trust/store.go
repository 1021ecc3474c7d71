// Package trust remembers which projects a person has trusted, and with which content, and
// compares that with what their hooks are now. What a hook that isn't trusted may still do
// is for package engine.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/hooks"
)

// Store is the file that pins lie in. Nothing of it is kept in memory: every call reads
// the file, and every change is written at once. It may be used by several goroutines
// and processes at the same time. A file that is at fault in any way (its owner, its
// mode, its form) is an error of every call and is never written over: what can't be
// read is trust in nothing.
//
// All errors are [*hooks.Error]s of kind trust that name the file.
type Store struct{ file string }

// NewStore is the store in a file, which is made with its folder when the first pin is
// put there. Nothing is read yet.
func NewStore(file string) *Store { return &Store{file: file} }

// Pin is what a person has trusted: the hooks of one folder in a project, with the
// content that they had. A project has one pin for each of its hooks folders, or one of
// kind Folder for all of them.
type Pin struct {
	Root   string            `json:"root"`             // of the project: an absolute path; the store follows its links
	Hooks  string            `json:"hooks"`            // the hooks folder, a slash path below Root, such as ".hooks"
	At     time.Time         `json:"at"`               // when it was put; the store fills in now
	Folder bool              `json:"folder,omitempty"` // whatever the project holds is trusted, now and later
	Files  map[string]string `json:"files,omitempty"`  // slash path below Root to what [Hash] gives; none with Folder
}

// Everywhere is what a pin says, without where and when that was said; nil of none.
func (p *Pin) Everywhere() *Pin {
	if p == nil {
		return nil
	}
	return &Pin{Folder: p.Folder, Files: p.Files}
}

// Hash is the SHA-256 of content in hexadecimal digits.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Get is the pin that holds for a hooks folder of a project, nil where there is none.
func (s *Store) Get(root, hooksFolder string) (*Pin, error) {
	if s == nil {
		return nil, errNotMade
	}
	root, err := s.real(root)
	if err != nil {
		return nil, err
	}
	pins, err := s.read()
	if err != nil {
		return nil, err
	}
	for _, p := range pins {
		if p.covers(root, hooksFolder) {
			return &p, nil
		}
	}
	return nil, nil
}

// List is all pins, in the order of their roots and hooks folders.
func (s *Store) List() ([]Pin, error) {
	if s == nil {
		return nil, errNotMade
	}
	return s.read()
}

var errNotMade = &hooks.Error{Kind: hooks.KindTrust, Message: "luahook: this store of trust is nil; make it with NewStore"}

// Put adds a pin. It takes the place of the one for the same hooks folder, and of one
// that trusted the whole project; with Folder, of all that the project has.
func (s *Store) Put(p Pin) (err error) {
	if s == nil {
		return errNotMade
	}
	if p.Root, err = s.real(p.Root); err != nil {
		return err
	}
	if p.At.IsZero() {
		p.At = time.Now()
	}
	p.At = p.At.UTC().Truncate(time.Second)
	if err := p.check(); err != nil {
		return s.fail("it can't hold this pin: %v", err)
	}
	return s.change(func(pins []Pin) []Pin {
		pins = slices.DeleteFunc(pins, func(old Pin) bool {
			return old.covers(p.Root, p.Hooks) || (p.Folder && old.Root == p.Root)
		})
		return append(pins, p)
	})
}

// Remove takes back the trust in a hooks folder of a project, or in all that it has
// where hooksFolder is "". It reports whether there was any. A project that is gone may be
// removed as well.
func (s *Store) Remove(root, hooksFolder string) (removed bool, err error) {
	if s == nil {
		return false, errNotMade
	}
	if root, err = s.real(root); err != nil {
		return false, err
	}
	gone := func(p Pin) bool {
		return p.covers(root, hooksFolder) || (hooksFolder == "" && p.Root == root)
	}
	pins, err := s.read()
	if err != nil || !slices.ContainsFunc(pins, gone) { // which leaves no lock file behind
		return false, err
	}
	err = s.change(func(pins []Pin) []Pin {
		before := len(pins)
		pins = slices.DeleteFunc(pins, gone)
		removed = len(pins) < before
		return pins
	})
	return removed && err == nil, err
}

func (p *Pin) covers(root, hooksFolder string) bool {
	return p.Root == root && (p.Folder || p.Hooks == hooksFolder)
}

// check says what is wrong with a pin, nil where nothing is.
func (p *Pin) check() error {
	switch {
	case !filepath.IsAbs(p.Root) || filepath.Clean(p.Root) != p.Root:
		return fmt.Errorf("the root %q is not an absolute path", p.Root)
	case !fs.ValidPath(p.Hooks) || !utf8.ValidString(p.Root):
		return fmt.Errorf("the hooks folder %q of %q is not a path below it that can be written down", p.Hooks, p.Root)
	case p.Folder && len(p.Files) > 0:
		return fmt.Errorf("the pin of %s names files and trusts whatever is there", p.Root)
	}
	for name, hash := range p.Files {
		if !fs.ValidPath(name) { // which is UTF-8 then
			return fmt.Errorf("%q is not a path below %s that can be written down", name, p.Root)
		}
		if sum, err := hex.DecodeString(hash); err != nil || len(sum) != sha256.Size || strings.ToLower(hash) != hash {
			return fmt.Errorf("%q is not the SHA-256 of %s", hash, name)
		}
	}
	return nil
}

// real is the path of a root without links; one that is gone is taken as it is.
func (s *Store) real(root string) (string, error) {
	if !filepath.IsAbs(root) {
		return "", s.fail("the root %q is not an absolute path", root)
	}
	real, err := filepath.EvalSymlinks(root)
	if ownfile.IsGone(err) {
		return filepath.Clean(root), nil
	}
	if err != nil {
		return "", s.fail("the root %s can't be looked at: %v", root, cause(err))
	}
	return real, nil
}

func (s *Store) fail(format string, args ...any) error {
	return &hooks.Error{Kind: hooks.KindTrust, Source: s.file, Message: fmt.Sprintf(format, args...)}
}

// cause is an error without the path that the message names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
