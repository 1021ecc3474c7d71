package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
)

// Filter selects records. A zero field selects all.
type Filter struct {
	Session  string
	Project  string // its root
	Event    string
	Decision string // "none" is no opinion
	Hook     string // of one of the runs, or of the note
	Kind     Kind
	Since    time.Time
	Last     int // only the last ones of those that pass, this many
}

// NoDecision is the name in a [Filter] for the decision of events that no hook decided.
const NoDecision = "none"

// Wants reports whether a record passes.
func (f *Filter) Wants(r *Record) bool {
	switch {
	case f.Session != "" && r.Session != f.Session,
		f.Project != "" && r.Project != f.Project,
		f.Event != "" && string(r.Event) != f.Event,
		f.Kind != "" && r.Kind != f.Kind,
		!f.Since.IsZero() && r.Time.Before(f.Since):
		return false
	case f.Decision == NoDecision:
		if r.Kind != KindDecision || r.Decision != "" {
			return false
		}
	case f.Decision != "" && r.Decision != f.Decision:
		return false
	}
	return f.Hook == "" || r.Hook == f.Hook || slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Hook == f.Hook })
}

// Entry is a record as read from the log.
type Entry struct {
	Record
	Line []byte // of JSON, without its end, including keys unknown to this version
}

// lockToRead is how long a reader waits for writers, so that it gets whole lines. Without the lock it reads
// anyway.
const lockToRead = 300 * time.Millisecond

// Read passes the selected records to yield, the oldest first, as they are at that moment, until yield returns
// false. broken counts the lines that are no records, which killed processes have left. A folder that doesn't
// exist has none.
func Read(dir string, f Filter, yield func(Entry) bool) (broken int, err error) {
	if yield == nil { // the caller only counts broken lines
		yield = func(Entry) bool { return true }
	}
	files, err := OpenFiles(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeAll(files)) }()
	if files, err = fromLast(files, f); err != nil {
		return 0, err
	}
	return readAll(files, f, yield)
}

// readAll reads the content that the files had when they were opened.
func readAll(files []*File, f Filter, yield func(Entry) bool) (broken int, err error) {
	for _, file := range files {
		if file.old(f.Since) {
			continue
		}
		there := io.NewSectionReader(file, file.start, file.size-file.start)
		lines := lines{in: bufio.NewReaderSize(there, 64<<10), filter: &f, last: true}
		goes, err := lines.each(yield)
		broken += lines.broken
		if err != nil || !goes {
			return broken, err
		}
	}
	return broken, nil
}

// old reports whether all records are older than a time.
func (f *File) old(since time.Time) bool {
	return !since.IsZero() && f.changed.Before(since)
}

// lines reads records.
type lines struct {
	in     *bufio.Reader
	filter *Filter
	last   bool // a text without a line end is a line, too: nothing follows

	part   []byte // of an incomplete line
	long   bool   // it is longer than a record
	broken int
}

// each reads all complete lines; goes is false if yield has returned false.
func (l *lines) each(yield func(Entry) bool) (goes bool, err error) {
	for {
		piece, err := l.in.ReadSlice('\n')
		if l.long = l.long || len(l.part)+len(piece) > MaxLine; !l.long {
			l.part = append(l.part, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			if l.last && !l.take(yield) {
				return false, nil
			}
			return true, nil
		case err != nil:
			return false, err
		}
		if !l.take(yield) {
			return false, nil
		}
	}
}

// take handles a line.
func (l *lines) take(yield func(Entry) bool) bool {
	e, ok := ParseLine(l.part)
	long := l.long
	l.part, l.long = nil, false
	if len(e.Line) == 0 && !long {
		return true
	}
	if long || !ok {
		l.broken++
		return true
	}
	return !l.filter.Wants(&e.Record) || yield(e)
}

// ParseLine reads a line of the log, with or without its end; ok is false if it is no record. Numbers are of type
// [json.Number]. The entry shares the line's memory.
func ParseLine(line []byte) (e Entry, ok bool) {
	e.Line = bytes.TrimSpace(line)
	d := json.NewDecoder(bytes.NewReader(e.Line))
	d.UseNumber()
	ok = d.Decode(&e.Record) == nil && e.V != 0 && !e.Time.IsZero()
	return e, ok
}

// Size returns the number of the log's files and their bytes, without index files.
func Size(dir string) (files int, size int64, err error) {
	names, err := fullFiles(dir)
	if ownfile.IsGone(err) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	for _, name := range append(names, current) {
		info, err := os.Stat(filepath.Join(dir, name))
		if ownfile.IsGone(err) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		files++
		size += info.Size()
	}
	return files, size, nil
}

// Purge removes the log, with its index files, and returns how many files and bytes the log had; see [Size]. Later
// records begin a new one.
func Purge(dir string) (files int, size int64, err error) {
	if _, err := os.Stat(dir); ownfile.IsGone(err) {
		return 0, 0, nil
	}
	unlock, err := ownfile.Lock(context.Background(), filepath.Join(dir, lockFile), 5*time.Second)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := removeIndexes(dir, func(string, string, bool) bool { return false }); err != nil {
		return 0, 0, err
	}
	names, err := fullFiles(dir)
	if err != nil {
		return 0, 0, err
	}
	for _, name := range append(names, current) {
		path := filepath.Join(dir, name)
		info, err := os.Lstat(path)
		if ownfile.IsGone(err) {
			continue
		}
		if err != nil {
			return files, size, err
		}
		if err := os.Remove(path); err != nil {
			return files, size, err
		}
		files++
		size += info.Size()
	}
	return files, size, nil
}

// fromLast returns the files with the last f.Last records, each with the place where reading begins. It reads
// backwards from the end, no further than necessary; files must be the whole log, the oldest first.
func fromLast(files []*File, f Filter) ([]*File, error) {
	missing := f.Last
	if missing <= 0 {
		return files, nil
	}
	for i := len(files) - 1; i >= 0 && !files[i].old(f.Since); i-- {
		start := int64(0)
		err := files[i].eachFromEnd(func(line []byte, at int64) bool {
			if e, ok := ParseLine(line); ok && f.Wants(&e.Record) {
				start = at
				missing--
			}
			return missing > 0
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Name(), err)
		}
		if missing == 0 {
			files[i].start = start
			return files[i:], nil
		}
	}
	return files, nil
}

// eachFromEnd passes the lines of a file to yield, the last first, with the place where each begins, until yield
// returns false. It skips lines longer than MaxLine, which are no records. A line is valid only during the call.
func (f *File) eachFromEnd(yield func(line []byte, start int64) bool) error {
	var tail []byte // of a line that begins before the bytes read so far
	long := false   // it is longer than a record
	block := make([]byte, 64<<10)
	for at := f.size; at > 0; {
		n := min(at, int64(len(block)))
		at -= n
		if _, err := f.ReadAt(block[:n], at); err != nil && err != io.EOF {
			return err
		}
		rest := block[:n]
		for {
			end := bytes.LastIndexByte(rest, '\n')
			if long = long || len(rest)-end-1+len(tail) > MaxLine; !long {
				tail = append(bytes.Clone(rest[end+1:]), tail...)
			}
			if end < 0 {
				break
			}
			if !long && !yield(tail, at+int64(end)+1) {
				return nil
			}
			tail, long, rest = []byte{'\n'}, false, rest[:end]
		}
	}
	if !long {
		yield(tail, 0)
	}
	return nil
}

// ReadFrom passes the selected records of a text with the lines of a log to yield, in their order, until that returns
// false. broken counts the lines that are no records.
func ReadFrom(in io.Reader, f Filter, yield func(Entry) bool) (broken int, err error) {
	last := f.Last
	if last <= 0 {
		l := lines{in: bufio.NewReaderSize(in, 64<<10), filter: &f, last: true}
		_, err = l.each(yield)
		return l.broken, err
	}
	var ring []Entry // the last ones so far; the oldest at next, once it is full
	next := 0
	l := lines{in: bufio.NewReaderSize(in, 64<<10), filter: &f, last: true}
	_, err = l.each(func(e Entry) bool {
		if len(ring) < last {
			ring = append(ring, e)
		} else {
			ring[next] = e
			next = (next + 1) % last
		}
		return true
	})
	for i := range ring {
		if err != nil || !yield(ring[(next+i)%len(ring)]) {
			break
		}
	}
	return l.broken, err
}
