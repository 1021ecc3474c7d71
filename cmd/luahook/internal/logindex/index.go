// Package logindex knows what is where in a decision log, so that a page over the log needn't read all of it: of each
// record the place and what people look for, in columns.
package logindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/audit"
)

// Options of an Index. The zero value is the usual one.
type Options struct {
	// Keep is the folder in which index files are kept, from which the index is there at once the next time; "":
	// nowhere. In the folder of the log, those go with their files. What can't be kept is made anew.
	Keep string
}

// Index reads and follows a decision log.
type Index struct {
	path   string
	o      Options
	folder bool // the log is a folder as luahook keeps it
	tables *tables
	view   atomic.Pointer[View]
	begun  atomic.Bool

	// What follows belongs to Run.
	files []*logFile // the oldest first
	err   error      // why they can't be opened
	todo  []job      // what is to be done next is the last
	tidy  bool       // index files of files that have gone are to be removed
	shown place      // where the view ends
}

// place is a place in a file.
type place struct {
	file *logFile
	at   int64
}

// Open returns the index of a log: of a folder as luahook keeps it, or of one file of records, which may grow. At a
// path where there is nothing yet, a folder is awaited. It reads nothing before Run.
func Open(path string, o Options) (*Index, error) {
	x := &Index{path: path, o: o, tables: newTables()}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.folder = true
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, audit.Cause(err))
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a regular file", path)
	default:
		x.folder = info.IsDir()
	}
	x.view.Store(&View{tables: x.tables, lists: x.tables.now(), newer: make(chan struct{})})
	return x, nil
}

// View returns what is known so far.
func (x *Index) View() *View { return x.view.Load() }

// job reads something, in a goroutine of its own. What it returns is done with the result in Run's.
type job func(ctx context.Context) (done func())

// pause is the time between two looks at the log.
const pause = 200 * time.Millisecond

// Run reads the log, the newest records first, and follows it until ctx ends, which is no error. What can't be read
// is said by [View.Err], and tried again. It may be called once; afterwards the views still have their rows, but can't
// read records any more.
func (x *Index) Run(ctx context.Context) error {
	if !x.begun.CompareAndSwap(false, true) {
		return errors.New("the index has been run already")
	}
	ctx, stop := context.WithCancel(ctx)
	work, results := make(chan job), make(chan func())
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-work:
					done := j(ctx)
					select {
					case <-ctx.Done():
					case results <- done:
					}
				}
			}
		})
	}
	defer func() {
		stop()
		workers.Wait()
		for _, f := range x.files {
			f.keeping = false
			least := int64(firstPart) // less is read again in no time
			if f.kept == 0 {
				least = 1
			}
			if write := f.keep(x, least); write != nil {
				_ = write(context.WithoutCancel(ctx)) // without it the file is read again next time
			}
			f.Close()
		}
	}()
	look := time.NewTicker(pause)
	defer look.Stop()
	x.tidy = x.keepsBeside()
	x.look(ctx)
	x.publish()
	for {
		var next job
		var to chan job
		if n := len(x.todo); n > 0 {
			next, to = x.todo[n-1], work
		}
		select {
		case <-ctx.Done():
			return nil
		case to <- next:
			x.todo = x.todo[:len(x.todo)-1]
		case done := <-results:
			done()
			x.publish()
		case <-look.C:
			if x.look(ctx) {
				x.publish()
			}
		}
	}
}

// keepsBeside reports whether index files lie beside the log.
func (x *Index) keepsBeside() bool {
	return x.folder && x.o.Keep != "" && filepath.Clean(x.o.Keep) == filepath.Clean(x.path)
}

// look brings the index up to the log as it is now, or sees to it that it gets there. changed reports whether a view
// would differ.
func (x *Index) look(ctx context.Context) (changed bool) {
	if !x.upToDate() {
		had := x.err != nil
		changed, x.err = x.reopen()
		changed = changed || had || x.err != nil
	}
	for _, f := range x.files { // what is asked for last is read first
		changed = f.grow(ctx, x) || changed
	}
	if x.tidy && x.err == nil && !slices.ContainsFunc(x.files, func(f *logFile) bool { return f.err != nil }) {
		x.tidy = false
		// What can't be removed does no harm.
		_ = audit.RemoveIndexes(x.o.Keep, func(key string) bool {
			return slices.ContainsFunc(x.files, func(f *logFile) bool { return f.key == key })
		})
	}
	return changed
}

// upToDate reports whether the open files are those of the log.
func (x *Index) upToDate() bool {
	if x.err != nil || len(x.files) == 0 || x.folder && x.files[len(x.files)-1].full {
		return false
	}
	for _, f := range x.files {
		there, err := os.Stat(f.path)
		if err != nil || f.overwritten || !os.SameFile(there, f.info) {
			return false
		}
	}
	return true
}

// reopen opens what has come and closes what has gone; changed reports whether there was any.
func (x *Index) reopen() (changed bool, err error) {
	var opened []*audit.File
	if x.folder {
		files, err := audit.OpenFiles(x.path)
		if err != nil {
			return false, err
		}
		opened = files
	} else {
		file, err := audit.OpenPath(x.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if err == nil {
			opened = append(opened, file)
		}
	}
	old, failed := x.files, error(nil)
	x.files = nil
	for _, file := range opened {
		info, err := file.Stat()
		if err != nil {
			failed = errors.Join(failed, err, file.Close())
			continue
		}
		k := slices.IndexFunc(old, func(f *logFile) bool { return !f.overwritten && os.SameFile(f.info, info) })
		f := &logFile{File: file, info: info}
		if k < 0 {
			changed = true
		} else {
			f = old[k]
			old = slices.Delete(old, k, k+1)
			file.Close()
		}
		f.path, f.full = file.Name(), x.folder && !file.Current()
		x.files = append(x.files, f)
	}
	for _, f := range old {
		changed = true
		f.Close()
	}
	if changed {
		x.tidy = x.keepsBeside()
	}
	return changed, failed
}

// publish makes a view of what there is: the newest parts without a gap. While newer parts are still being read, it stays
// with those that the view before had: what was there once doesn't go away for a moment.
func (x *Index) publish() {
	v := &View{tables: x.tables, err: x.err, newer: make(chan struct{})}
	var end place // of the newest part of the view
	whole := true // nothing is missing between end and here
	for i := len(x.files) - 1; i >= 0; i-- {
		f := x.files[i]
		if v.err == nil && f.err != nil {
			v.err = fmt.Errorf("%s: %w", f.path, audit.Cause(f.err))
		}
		v.total += f.info.Size()
		for k := len(f.parts) - 1; k >= 0; k-- {
			p := f.parts[k]
			if v.err == nil && p.err != nil {
				v.err = fmt.Errorf("%s: %w", f.path, audit.Cause(p.err))
			}
			if !whole && f == x.shown.file && p.start < x.shown.at && x.shown.at <= p.end {
				v.segs, v.done, v.broken, end, whole = nil, 0, 0, place{}, true
			}
			if whole = whole && p.seg != nil; whole {
				v.segs = append(v.segs, p.seg)
				v.done += p.end - p.start
				v.broken += p.seg.broken
				if end.file == nil {
					end = place{f, p.end}
				}
			}
		}
		whole = whole && f.taken
	}
	x.shown = end
	slices.Reverse(v.segs)
	for _, s := range v.segs {
		v.starts = append(v.starts, v.len)
		v.len += s.len()
	}
	v.lists = x.tables.now() // after the segments were made, so that it has all that they refer to
	close(x.view.Swap(v).newer)
}
