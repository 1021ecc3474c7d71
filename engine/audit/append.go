package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
)

// The names in the folder.
const (
	current  = "decisions.jsonl"
	before   = "decisions-" // and the time when it was full
	after    = ".jsonl"
	whenFull = "20060102-150405.000000"
	lockFile = "decisions.lock"
)

// append writes one line, while no other process writes or begins a new file.
func (l *Log) append(ctx context.Context, line []byte, at time.Time) (err error) {
	if err := l.makeFolder(); err != nil {
		return err
	}
	unlock, err := ownfile.Lock(ctx, filepath.Join(l.dir, lockFile), l.o.Wait)
	if err != nil {
		l.stuck.Store(true)
		return err
	}
	l.stuck.Store(false)
	defer func() { err = errors.Join(err, unlock()) }()
	size, err := l.opened(at)
	if err != nil {
		return err
	}
	if size > 0 && (size+int64(len(line)) > l.o.MaxBytes || at.Sub(l.born) > l.o.MaxAge/time.Duration(l.o.MaxFiles)) {
		if err := l.rotate(); err != nil {
			return err
		}
		if size, err = l.opened(at); err != nil {
			return err
		}
	}
	if size == 0 {
		l.born = at
	} else if open, err := l.unfinished(size); err != nil {
		return err
	} else if open {
		line = append([]byte{'\n'}, line...)
	}
	if n, err := l.file.Write(line); err != nil {
		if n > 0 { // so that no half line stays
			err = errors.Join(err, l.file.Truncate(size))
		}
		return err
	}
	return nil
}

func (l *Log) makeFolder() error {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(l.dir)
	if err != nil {
		return err
	}
	if err := ownfile.Check(info); err != nil {
		return fmt.Errorf("of its folder, %w", err)
	}
	return nil
}

// opened opens the current file, again if another process has begun a new one, and returns its size.
func (l *Log) opened(at time.Time) (size int64, err error) {
	path := filepath.Join(l.dir, current)
	if l.file != nil {
		there, err := os.Stat(path)
		if err == nil {
			if mine, err := l.file.Stat(); err == nil && os.SameFile(there, mine) {
				return mine.Size(), nil
			}
		}
		if err := l.close(); err != nil {
			return 0, err
		}
	}
	file, info, err := ownfile.Open(path, os.O_APPEND|os.O_CREATE|os.O_RDWR)
	if err != nil {
		return 0, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := file.Chmod(0o600); err != nil {
			return 0, errors.Join(err, file.Close())
		}
	}
	l.file, l.born = file, at
	if info.Size() > 0 {
		l.born = birth(file, info)
	}
	return info.Size(), nil
}

// birth returns the time of the first record, or of the last change if there is no record.
func birth(file io.ReaderAt, info fs.FileInfo) time.Time {
	head := make([]byte, 200)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return info.ModTime()
	}
	head = head[:n]
	if end := bytes.IndexByte(head, ','); end > 0 {
		var first struct{ Time time.Time }
		if json.Unmarshal(append(head[:end:end], '}'), &first) == nil && !first.Time.IsZero() {
			return first.Time
		}
	}
	return info.ModTime()
}

// unfinished reports whether a killed process has left half a line at the end.
func (l *Log) unfinished(size int64) (bool, error) {
	last := make([]byte, 1)
	if _, err := l.file.ReadAt(last, size-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// rotate renames the full file so that it sorts after the others, and removes those that are too many or too
// old.
func (l *Log) rotate() error {
	if err := l.close(); err != nil {
		return err
	}
	names, err := fullFiles(l.dir)
	if err != nil {
		return err
	}
	when := l.now().UTC()
	name := nameOf(when)
	if n := len(names); n > 0 && name <= names[n-1] { // the clock was set back, or is coarse
		last, _ := whenPutAway(names[n-1])
		name = nameOf(last.Add(time.Microsecond))
	}
	if err := os.Rename(filepath.Join(l.dir, current), filepath.Join(l.dir, name)); err != nil {
		return err
	}
	names = append(names, name)
	var list []error
	for i, name := range names {
		path := filepath.Join(l.dir, name)
		old := i <= len(names)-l.o.MaxFiles
		if info, err := os.Lstat(path); err == nil && when.Sub(info.ModTime()) > l.o.MaxAge {
			old = true
		}
		if old {
			if err := os.Remove(path); err != nil && !ownfile.IsGone(err) {
				list = append(list, err)
			}
		}
	}
	return errors.Join(list...)
}

// fullFiles returns the names of the full files, the oldest first. Files with other names don't belong to the
// log.
func fullFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, ok := whenPutAway(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func nameOf(when time.Time) string { return before + when.Format(whenFull) + after }

func whenPutAway(name string) (time.Time, bool) {
	text, begins := strings.CutPrefix(name, before)
	text, ends := strings.CutSuffix(text, after)
	when, err := time.Parse(whenFull, text)
	return when, begins && ends && err == nil
}
