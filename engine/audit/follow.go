package audit

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/internal/misuse"
)

// followPause is the time between two checks of the log for new records.
const followPause = 200 * time.Millisecond

// Follow passes the last f.Last records of the log to yield, and then each new one, until yield returns false or
// ctx ends, which is no error. It continues when a new file is begun, and when the log is purged. ready, which
// may be nil, is called as soon as no further record can be missed.
func Follow(ctx context.Context, dir string, f Filter, ready func(), yield func(Entry) bool) error {
	if ctx == nil {
		return misuse.ErrNoContext
	}
	if yield == nil {
		return errors.New("luahook: the function that takes the records is nil")
	}
	w := &follower{dir: dir, filter: &f, yield: yield}
	defer func() { w.close() }()
	files, err := OpenFiles(dir)
	if err != nil {
		return err
	}
	if f.Last > 0 {
		from, err := fromLast(files, f)
		goes := err == nil
		if goes {
			_, err = readAll(from, f, func(e Entry) bool { goes = yield(e); return goes })
		}
		if err != nil || !goes {
			return errors.Join(err, closeAll(files))
		}
	}
	if n := len(files); n > 0 {
		newest := files[n-1]
		if err := closeAll(files[:n-1]); err != nil {
			return errors.Join(err, newest.Close())
		}
		w.read(newest, newest.size)
	}
	if ready != nil {
		ready()
	}
	for ctx.Err() == nil {
		goes, err := w.more()
		if err != nil || !goes {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(followPause):
		}
	}
	return nil
}

type follower struct {
	dir    string
	filter *Filter
	yield  func(Entry) bool
	file   *File // the file that is read; nil: there was none yet
	lines  *lines
}

func (w *follower) read(file *File, from int64) {
	w.file, w.lines = file, &lines{in: bufio.NewReader(io.NewSectionReader(file, from, math.MaxInt64-from)), filter: w.filter}
}

func (w *follower) close() {
	if w.file != nil {
		w.file.Close()
	}
}

// more reads the new records, through all files that were begun.
func (w *follower) more() (goes bool, err error) {
	if w.file != nil && w.isCurrent() {
		return w.lines.each(w.yield)
	}
	files, err := OpenFiles(w.dir)
	if err != nil {
		return false, err
	}
	next := 0
	if w.file != nil {
		// Nobody writes to it any more: writers check, under the lock, which file is current.
		w.lines.last = true
		if goes, err := w.lines.each(w.yield); err != nil || !goes {
			return goes, errors.Join(err, closeAll(files))
		}
		mine, err := w.file.Stat()
		if err != nil {
			return false, errors.Join(err, closeAll(files))
		}
		for i, f := range files {
			if there, err := f.Stat(); err == nil && os.SameFile(there, mine) {
				next = i + 1
			}
		}
	}
	for i, f := range files {
		if i < next {
			f.Close()
			continue
		}
		w.close()
		w.read(f, 0)
		w.lines.last = i < len(files)-1
		if goes, err := w.lines.each(w.yield); err != nil || !goes {
			return goes, errors.Join(err, closeAll(files[i+1:]))
		}
	}
	return true, nil
}

func (w *follower) isCurrent() bool {
	there, err := os.Stat(filepath.Join(w.dir, current))
	if err != nil {
		return false
	}
	mine, err := w.file.Stat()
	return err == nil && os.SameFile(there, mine)
}
