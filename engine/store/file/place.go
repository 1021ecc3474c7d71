package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/engine/store"
)

// asideMark is between the name of a store and the time at which it was set aside.
const asideMark = ".damaged-"

// mostAside is how many files may have been set aside. With more of them the disk is probably bad, and would
// only fill up.
const mostAside = 5

func (s *Store) checkFolder() error {
	dir, err := os.Stat(filepath.Dir(s.path))
	if err != nil {
		return fmt.Errorf("its folder can't be examined: %w", cause(err))
	}
	if err := ownfile.Check(dir); err != nil {
		return fmt.Errorf("of its folder, %w", err)
	}
	return nil
}

// make creates a new store, atomically, if there is none.
func (s *Store) make(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	return s.placing(ctx, func() error {
		if _, err := os.Lstat(s.path); !ownfile.IsGone(err) {
			return err // another process was faster
		}
		aside, err := s.aside()
		if err != nil {
			return err
		}
		lost := ""
		if len(aside) > 0 { // whoever set it aside was killed before creating the new one
			lost = aside[len(aside)-1]
		}
		return ownfile.Replace(s.path, fresh(lost))
	})
}

// placing does work while no other process puts a file in the store's place.
func (s *Store) placing(ctx context.Context, work func() error) (err error) {
	if err := s.checkFolder(); err != nil {
		return err
	}
	unlock, err := ownfile.Lock(ctx, s.path+".lock", s.maxWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return work()
}

// aside returns the names of the files that were set aside, the latest last.
func (s *Store) aside() (names []string, err error) {
	dir, base := filepath.Split(s.path)
	files, err := os.ReadDir(filepath.Clean(dir))
	for _, f := range files {
		if strings.HasPrefix(f.Name(), base+asideMark) {
			names = append(names, f.Name())
		}
	}
	return names, err
}

// leftAside reports whether a store was set aside and no new one created.
func (s *Store) leftAside() bool {
	names, err := s.aside()
	return err == nil && len(names) > 0
}

// setAside renames a file that can't be read, and puts a new store in its place that refers to it. If that
// fails, nothing changes.
func (s *Store) setAside(ctx context.Context, info fs.FileInfo, why error) error {
	err := s.placing(ctx, func() error {
		if now, err := os.Lstat(s.path); err != nil || !os.SameFile(now, info) {
			return nil // another process was faster
		}
		names, err := s.aside()
		switch {
		case err != nil:
			return err
		case len(names) >= mostAside:
			return fmt.Errorf("%d files were set aside already; the disk may be bad", len(names))
		}
		dir, base := filepath.Split(s.path)
		name := base + asideMark + s.now().UTC().Format("20060102T150405.000000000")
		return s.exchange(filepath.Join(dir, name), fresh(name))
	})
	if err != nil {
		return &store.UnavailableError{Message: fmt.Sprintf("the store %s can't be read, nor set aside (move it away, and a new one is made; what it remembers is lost)", s.path), Err: errors.Join(why, cause(err))}
	}
	return &asideError{why}
}

// exchange renames the store and puts text in its place. On file systems with links there is a store at any
// time.
func (s *Store) exchange(aside string, text []byte) error {
	linked := os.Link(s.path, aside)
	if errors.Is(linked, fs.ErrExist) {
		return linked
	}
	if linked != nil {
		if err := os.Rename(s.path, aside); err != nil {
			return err
		}
	}
	err := ownfile.Replace(s.path, text)
	switch {
	case err == nil:
		return nil
	case linked == nil:
		return errors.Join(err, os.Remove(aside))
	}
	return errors.Join(err, os.Rename(aside, s.path))
}

// cause returns an error without the path, which messages name already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
