package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/luahook/luahook/engine/ownfile"
)

// look tells of the file, nil where there is none, after it has refused one that is
// somebody else's word.
func (s *Store) look() (fs.FileInfo, error) {
	info, err := os.Lstat(s.path)
	if ownfile.IsGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, cause(err)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &ownfile.NotOursError{Why: "it is a symbolic link"}
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	if err := ownfile.Check(info); err != nil {
		return nil, err
	}
	return info, s.checkFolder()
}

func (s *Store) checkFolder() error {
	dir, err := os.Stat(filepath.Dir(s.path))
	if err != nil {
		return fmt.Errorf("its folder can't be looked at: %w", cause(err))
	}
	if err := ownfile.Check(dir); err != nil {
		return fmt.Errorf("of its folder, %w", err)
	}
	return nil
}

// make puts a new store where there is none: all of it at once, so that nobody finds a
// part of it, whoever is killed meanwhile.
func (s *Store) make() error {
	dir, base := filepath.Split(s.path)
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("its folder can't be made: %w", cause(err))
	}
	if err := s.checkFolder(); err != nil {
		return err
	}
	fresh, err := os.CreateTemp(dir, base+".*.new") // of mode 0600
	if err != nil {
		return fmt.Errorf("it can't be made: %w", cause(err))
	}
	err = fresh.Close()
	if err == nil {
		err = begun(fresh.Name())
	}
	if err == nil {
		err = os.Link(fresh.Name(), s.path)
		if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links: bbolt fills an empty file
			err = touch(s.path)
		}
	}
	if errors.Is(err, fs.ErrExist) { // somebody was faster
		err = nil
	}
	if removed := os.Remove(fresh.Name()); err == nil {
		err = removed
	}
	if err != nil {
		return fmt.Errorf("it can't be made: %w", cause(err))
	}
	return nil
}

// begun makes an empty store of a file that nobody else knows.
func begun(path string) error {
	options := options
	db, err := bolt.Open(path, 0o600, &options)
	if err != nil {
		return err
	}
	return errors.Join(db.Update(func(tx *bolt.Tx) error { return newTransaction(tx, time.Time{}).begin() }), db.Close())
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// cause is an error without the path that messages name already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
