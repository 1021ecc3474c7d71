// Package ownfile reads and replaces the files that hold a user's own word: nobody else
// may have written them, several processes may change them at once, and whoever reads
// one finds all of it.
package ownfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/luahook/luahook/internal/openfile"
)

// File is such a file. Its errors say what is wrong with it and leave its path to the
// caller.
type File struct {
	Path     string
	Max      int64         // bytes; more is [ErrTooLarge]
	Wait     time.Duration // how long Change waits for another process that changes it
	Unsynced bool          // what is lost when the machine stops does no harm
}

// ErrTooLarge is the error of a file that is larger than it may be, and of a change that
// would make it so.
var ErrTooLarge = errors.New("it is too large")

// NotOursError is the error of a file that somebody else may have written.
type NotOursError struct{ Why string }

func (e *NotOursError) Error() string { return e.Why }

// lockPause is how often a lock that somebody has is asked for.
const lockPause = 5 * time.Millisecond

// Read gives what the file holds; nil where there is none. One that belongs to another
// user, or that others may write to or replace, is a [*NotOursError].
func (f File) Read() ([]byte, error) {
	opened, info, err := openfile.Regular(f.Path)
	switch {
	case IsGone(err):
		return nil, nil
	case errors.Is(err, openfile.ErrIrregular):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("it can't be read: %w", cause(err))
	}
	defer opened.Close()
	if err := Check(info); err != nil {
		return nil, err
	}
	if err := f.checkFolder(); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Grow(int(min(info.Size(), f.Max)) + bytes.MinRead)
	n, err := text.ReadFrom(io.LimitReader(opened, f.Max+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("it can't be read: %w", cause(err))
	case n > f.Max:
		return nil, ErrTooLarge
	}
	return text.Bytes(), nil
}

// checkFolder refuses a folder that somebody else may write to, who could put another
// file there.
func (f File) checkFolder() error {
	dir, err := os.Stat(filepath.Dir(f.Path))
	if err != nil {
		return fmt.Errorf("its folder can't be looked at: %w", cause(err))
	}
	if problem := notOurs(dir); problem != "" {
		return &NotOursError{"of its folder, " + problem}
	}
	return nil
}

// Change gives edit what the file holds, nil where there is none, and puts what comes
// back in its place, while no other process changes it. The folder is made where it
// isn't there. Where anything fails, edit included, the file stays as it was.
func (f File) Change(edit func(old []byte) ([]byte, error)) error {
	return f.write(func(old []byte) error {
		text, err := edit(old)
		switch {
		case err != nil:
			return err
		case int64(len(text)) > f.Max: // it must be readable again
			return ErrTooLarge
		}
		return unwritten(f.replace(text))
	})
}

// Extend gives add what the file holds, nil where there is none, and puts what comes back
// at its end in one go, while no other process changes it; nothing where that is empty.
// The folder is made where it isn't there. Where add fails, or the file would get larger
// than it may be, the file stays as it was. A process that is killed, and a disk that is
// full, may leave a part at the end: text that ends lines by itself, and a look at the
// last byte of the old, tell.
func (f File) Extend(add func(old []byte) ([]byte, error)) error {
	return f.write(func(old []byte) error {
		text, err := add(old)
		switch {
		case err != nil || len(text) == 0:
			return err
		case int64(len(old)+len(text)) > f.Max: // it must be readable again
			return ErrTooLarge
		}
		return unwritten(f.append(text))
	})
}

// write gives work what the file holds, while no other process changes it.
func (f File) write(work func(old []byte) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return fmt.Errorf("its folder can't be made: %w", cause(err))
	}
	if err := f.checkFolder(); err != nil {
		return err
	}
	unlock, err := lock(f.Path+".lock", f.Wait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	old, err := f.Read()
	if err != nil {
		return err
	}
	return work(old)
}

func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("it can't be written: %w", cause(err))
}

// append writes at the end of the file, which was looked at and can't be another one by
// now: nobody else may write to its folder.
func (f File) append(text []byte) error {
	opened, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	_, err = opened.Write(text)
	if err == nil && !f.Unsynced {
		err = opened.Sync()
	}
	return errors.Join(err, opened.Close())
}

// replace puts a new file in the place of the old one.
func (f File) replace(text []byte) error { return replace(f.Path, text, !f.Unsynced) }

// Replace puts a file with this text, of mode 0600, in the place of what is at path: a
// reader, or a machine that stops here, finds one or the other. Call it with a lock that
// all who replace that file take: it removes what those have left behind who were killed.
func Replace(path string, text []byte) error { return replace(path, text, true) }

func replace(path string, text []byte, synced bool) error {
	dir, base := filepath.Dir(path), filepath.Base(path)
	removeLeft(dir, base)
	fresh, err := os.CreateTemp(dir, base+".*"+freshEnd) // of mode 0600
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if err == nil && synced {
		err = fresh.Sync()
	}
	if closed := fresh.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	if !synced {
		return nil
	}
	return syncFolder(dir)
}

// freshEnd is what the name of a file ends with that is about to take another one's place.
const freshEnd = ".new"

// removeLeft removes such files of processes that were killed. Whoever makes one has the
// lock, so none is in use. What can't be removed does no harm.
func removeLeft(dir, base string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		middle, ours := strings.CutPrefix(f.Name(), base+".")
		middle, fresh := strings.CutSuffix(middle, freshEnd)
		if !ours || !fresh || middle == "" || strings.Trim(middle, "0123456789") != "" {
			continue
		}
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && notOurs(info) == "" {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// IsGone reports whether an error says that there is nothing at a path.
func IsGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// cause is an error without the path that messages name already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
