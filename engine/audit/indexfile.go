package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/internal/misuse"
)

// An index file is what a reader of the log keeps beside it about one file of the log, so that it needn't read that
// again. Its name is made of the file's [File.Key]; what it holds is the reader's affair. [Purge] removes it, too.
const (
	afterIndex = ".index"
	freshIndex = ".new" // ends the name of one that is being written
)

// abandoned is the age from which a file that was being written is one that a killed process has left.
const abandoned = time.Hour

var errKey = errors.New("the key of an index file is 16 hexadecimal digits")

func indexPath(dir, key string) (string, error) {
	if !isKey(key) {
		return "", errKey
	}
	return filepath.Join(dir, before+key+afterIndex), nil
}

func isKey(key string) bool { return len(key) == 16 && strings.Trim(key, "0123456789abcdef") == "" }

// ReadIndex returns what the index file of a key holds, nil if there is none. One that is larger than most bytes is an
// error, and so is one of another user.
func ReadIndex(dir, key string, most int64) ([]byte, error) {
	path, err := indexPath(dir, key)
	if err != nil {
		return nil, err
	}
	text, err := ownfile.File{Path: path, Max: most}.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// WriteIndex replaces the index file of a key, of mode 0600. It asks there, while nobody writes to the log of the same
// folder or purges it, whether the file that the index is about is still in use, and otherwise writes nothing. ctx
// bounds the wait for that moment, which is a second at most.
func WriteIndex(ctx context.Context, dir, key string, text []byte, there func() bool) error {
	if ctx == nil {
		return misuse.ErrNoContext
	}
	path, err := indexPath(dir, key)
	if err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if err := ownfile.Check(info); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	fresh, err := os.CreateTemp(dir, filepath.Base(path)+".*"+freshIndex) // of mode 0600
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = takePlace(ctx, dir, fresh.Name(), path, there)
	}
	if gone := os.Remove(fresh.Name()); !ownfile.IsGone(gone) {
		err = errors.Join(err, gone)
	}
	return err
}

func takePlace(ctx context.Context, dir, fresh, path string, there func() bool) (err error) {
	unlock, err := ownfile.Lock(ctx, filepath.Join(dir, lockFile), time.Second)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if there != nil && !there() {
		return nil
	}
	if err := os.Rename(fresh, path); !ownfile.IsGone(err) { // it has gone if the log was purged
		return err
	}
	return nil
}

// RemoveIndexes removes the index files of a folder, except of the keys that keep wants, and what killed processes have
// left of others.
func RemoveIndexes(dir string, keep func(key string) bool) error {
	return removeIndexes(dir, func(name string, key string, fresh bool) bool {
		if !fresh {
			return keep != nil && keep(key)
		}
		info, err := os.Lstat(filepath.Join(dir, name))
		return err == nil && time.Since(info.ModTime()) < abandoned
	})
}

func removeIndexes(dir string, keep func(name, key string, fresh bool) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !ownfile.IsGone(err) {
		return err
	}
	var list []error
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), before)
		key, rest, index := strings.Cut(rest, afterIndex)
		middle, fresh := strings.CutSuffix(rest, freshIndex)
		fresh = fresh && strings.Trim(middle, ".0123456789") == ""
		if !ours || !index || !isKey(key) || rest != "" && !fresh || keep(e.Name(), key, fresh) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !ownfile.IsGone(err) {
			list = append(list, err)
		}
	}
	return errors.Join(list...)
}
