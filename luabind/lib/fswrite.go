package lib

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	lua "github.com/yuin/gopher-lua"
)

// maxAppend is how large a file may become by fs.append.
const maxAppend = 64 << 20

func (c call) giveTrue() int { return c.give(lua.LTrue) }

func writeFile(c call) int {
	c.needWrite()
	p, text := c.place(1), c.text(2)
	c.charge(len(text))
	return c.change(p, false, func(ctx context.Context, at *changes, name string) error {
		info, err := at.last(name)
		if err != nil {
			return err
		}
		if err := at.isFile(name, info); err != nil {
			return err
		}
		return at.exchange(ctx, name, info, text)
	})
}

// isFile refuses what is there and no regular file.
func (s *changes) isFile(name string, info fs.FileInfo) error {
	switch {
	case info == nil || info.Mode().IsRegular():
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return s.isLink(name)
	case info.IsDir():
		return errors.New("it is a folder")
	}
	return errors.New("it is no regular file")
}

// exchange puts a new file in the place of the one that info tells of, if any.
func (s *changes) exchange(ctx context.Context, name string, info fs.FileInfo, text string) (err error) {
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = info.Mode().Perm()
	}
	// In the same folder, so that it can be renamed. It is never wider open than what it
	// replaces.
	fresh := ".luahook-" + rand.Text() + ".tmp"
	f, err := s.dir.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.discard(fresh))
		}
	}()
	_, err = f.WriteString(text)
	if err == nil && info != nil {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = ctx.Err() // a run that is over changes nothing
	}
	if err != nil {
		return err
	}
	return s.dir.Rename(fresh, name)
}

// discard removes what could not be finished; the error names it where it stays.
func (s *changes) discard(name string) error {
	if err := s.dir.Remove(name); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("%s is left over: %w", join(s.name, name), cause(err))
	}
	return nil
}

func appendFile(c call) int {
	c.needWrite()
	p, text := c.place(1), c.text(2)
	c.charge(len(text))
	return c.change(p, false, func(_ context.Context, at *changes, name string) error {
		info, err := at.last(name)
		if err != nil {
			return err
		}
		if err := at.isFile(name, info); err != nil {
			return err
		}
		flags := os.O_WRONLY | os.O_APPEND | noBlock
		if info == nil {
			flags |= os.O_CREATE | os.O_EXCL
		}
		f, err := at.dir.OpenFile(name, flags, 0o644)
		if err != nil {
			return err
		}
		err = appendTo(f, info, text)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	})
}

// appendTo writes to a file that was the one of before when it was looked at; before
// is nil where it has just been made.
func appendTo(f *os.File, before fs.FileInfo, text string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if before != nil && !os.SameFile(before, info) {
		return errors.New("it was exchanged meanwhile")
	}
	switch n, err := names(f, info); {
	case err != nil:
		return err
	case n > 1: // one of the others may be what no script may change
		return errors.New("it has another name (a hard link), which would change with it; fs.write replaces it")
	}
	if info.Size()+int64(len(text)) > maxAppend {
		return fmt.Errorf("it has %d bytes and would have more than %d", info.Size(), maxAppend)
	}
	_, err = f.WriteString(text)
	return err
}

func makeFolder(c call) int {
	c.needWrite()
	return c.change(c.place(1), true, func(ctx context.Context, at *changes, name string) error {
		return at.enter(ctx, name, true)
	})
}

func removeFile(c call) int {
	c.needWrite()
	return c.change(c.place(1), false, func(_ context.Context, at *changes, name string) error {
		info, err := at.last(name)
		switch {
		case err != nil:
			return err
		case info == nil:
			return fs.ErrNotExist
		case typeName(info.Mode()) == "other":
			return errors.New("it is no file, link or folder")
		}
		return at.dir.Remove(name)
	})
}
