package logindex

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/luahook/luahook/engine/audit"
)

// logFile is a file of the log and what is known of it.
type logFile struct {
	*audit.File
	path        string
	full        bool        // nobody writes to it any more
	info        fs.FileInfo // as it was when it was last looked at
	key         string      // "": not known yet
	parts       []*part     // in order and without a gap, from the file's beginning
	taken       bool        // parts has all lines that were there
	end         int64       // of the last part
	tail        [32]byte    // hash of the bytes before end
	searched    int64       // there is no end of a line between end and here
	overwritten bool        // what parts tell of isn't there any more
	load        loadState
	kept        int64 // what is covered by the index file
	keeping     bool  // the index file is being written
	err         error // why it can't be read
}

// loadState says what has come of the index file.
type loadState int

const (
	notLoaded loadState = iota
	loading
	loaded // or there is none
)

// part is a part of a file, of whole lines.
type part struct {
	start, end int64
	seg        *segment // nil: it isn't read yet
	err        error    // of the last attempt
	asked      bool     // it is being read
}

// The sizes of the parts that a file is read in, from its end: the newest records are wanted at once.
const (
	firstPart = 256 << 10
	usualPart = 8 << 20
)

// grow takes up the lines that have come. changed reports whether a view would differ.
func (f *logFile) grow(ctx context.Context, x *Index) (changed bool) {
	old, end, failed := f.info, f.end, f.err != nil
	info, err := f.Stat()
	if err == nil {
		same := info.Size() == old.Size() && info.ModTime().Equal(old.ModTime())
		if same && f.taken && !failed && !(f.full && end < info.Size()) {
			f.ask(x)
			return false
		}
		f.info = info
		err = f.take(ctx, x)
	}
	if ctx.Err() != nil {
		return false
	}
	f.err = err
	return failed || err != nil || f.end != end || f.info.Size() != old.Size()
}

// take makes parts of the lines that have come. The newest are read at once if they are few.
func (f *logFile) take(ctx context.Context, x *Index) error {
	size := f.info.Size()
	if f.end > 0 {
		tail, err := f.tailBefore(f.end)
		if f.overwritten = err == nil && tail != f.tail || errors.Is(err, errShort); f.overwritten {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if f.key == "" {
		key, err := f.Key()
		if err != nil {
			return err
		}
		if f.key = key; key == "" && !f.full {
			f.taken = true
			return nil
		}
	}
	if f.load == notLoaded && x.o.Keep != "" && f.key != "" {
		f.load = loading
		x.todo = append(x.todo, func(ctx context.Context) func() {
			k := f.loadKept(x)
			return func() {
				f.load = loaded
				if k != nil {
					for _, s := range k.segs {
						f.parts = append(f.parts, &part{start: s.start, end: s.end, seg: s})
					}
					f.end, f.tail, f.kept = k.end, k.tail, k.end
				}
				f.grow(ctx, x)
			}
		})
	}
	if f.load == loading {
		return nil
	}
	end, err := f.lineEnd(ctx, size)
	if err != nil {
		return err
	}
	if end > f.end {
		tail, err := f.tailBefore(end)
		if err != nil {
			return err
		}
		parts := []*part{{start: f.end, end: end}}
		if end-f.end <= firstPart {
			if parts[0].seg, err = index(ctx, f.File, f.key, f.end, end, x.tables); err != nil {
				return err
			}
		} else if parts, err = f.divided(ctx, f.end, end); err != nil {
			return err
		}
		f.parts = append(f.parts, parts...)
		f.end, f.tail = end, tail
		f.join()
	}
	f.taken = true
	f.ask(x)
	f.keepNow(x)
	return nil
}

// loadKept reads the file's index file; nil where there is none that fits.
func (f *logFile) loadKept(x *Index) *kept {
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	text, err := audit.ReadIndex(x.o.Keep, f.key, maxKept(info.Size()))
	if err != nil || text == nil {
		return nil
	}
	k, ok := decoded(text, f.key)
	if !ok || k.end > info.Size() || len(k.segs) == 0 {
		return nil
	}
	if tail, err := f.tailBefore(k.end); err != nil || tail != k.tail {
		return nil
	}
	for _, s := range k.segs {
		s.file, s.key = f.File, f.key
	}
	x.tables.adopt(k.tables, k.segs...)
	return k
}

// maxKept is how large the index file of a log's file of some size can be.
func maxKept(size int64) int64 { return 1<<20 + 8*size }

// keepEvery is how much of a file that grows is taken up before its index file is written again.
const keepEvery = 16 << 20

// keep returns what writes the index file, nil if it needn't be written: all of it is known, and more than the file
// says.
func (f *logFile) keep(x *Index, least int64) func(ctx context.Context) error {
	if x.o.Keep == "" || f.key == "" || f.keeping || f.err != nil || f.overwritten || !f.taken || f.end-f.kept < least {
		return nil
	}
	var segs []*segment
	for _, p := range f.parts {
		if p.seg == nil {
			return nil
		}
		segs = append(segs, p.seg)
	}
	end, tail, path, info := f.end, f.tail, f.path, f.info
	return func(ctx context.Context) error {
		return audit.WriteIndex(ctx, x.o.Keep, f.key, encoded(f.key, end, tail, segs, x.tables.now()), func() bool {
			there, err := os.Stat(path)
			return err == nil && os.SameFile(there, info)
		})
	}
}

// keepNow has the index file written where enough has come, and once nothing comes any more.
func (f *logFile) keepNow(x *Index) {
	least := int64(keepEvery)
	if f.full {
		least = 1
	}
	write := f.keep(x, least)
	if write == nil {
		return
	}
	f.keeping = true
	end := f.end
	x.todo = append(x.todo, func(ctx context.Context) func() {
		_ = write(ctx) // without it the file is read again next time
		return func() { f.keeping, f.kept = false, end }
	})
}

// ask has the parts read that aren't.
func (f *logFile) ask(x *Index) {
	for _, p := range f.parts {
		if p.seg == nil && !p.asked {
			p.asked = true
			key := f.key
			x.todo = append(x.todo, func(ctx context.Context) func() {
				seg, err := index(ctx, f.File, key, p.start, p.end, x.tables)
				return func() {
					p.seg, p.err, p.asked = seg, err, false
					f.join()
					f.keepNow(x)
				}
			})
		}
	}
}

// join makes one part of the last two as long as they are small, so that a file that grows little by little doesn't
// end up with many.
func (f *logFile) join() {
	for n := len(f.parts); n >= 2; n = len(f.parts) {
		a, b := f.parts[n-2], f.parts[n-1]
		if a.seg == nil || b.seg == nil || b.end-a.start > usualPart || a.seg.len() > 2*b.seg.len() {
			return
		}
		f.parts = append(f.parts[:n-2:n-2], &part{start: a.start, end: b.end, seg: joined(a.seg, b.seg)})
	}
}

// tailSize is how much before the end of what is known is looked at again before more is read.
const tailSize = 4 << 10

func (f *logFile) tailBefore(end int64) (sum [32]byte, err error) {
	tail := make([]byte, min(tailSize, end))
	if n, err := f.ReadAt(tail, end-int64(len(tail))); n < len(tail) {
		return sum, shortOr(err)
	}
	return sha256.Sum256(tail), nil
}

// lineEnd is the end of the last whole line before size. Text without an end is one if nothing can follow, or if it is
// a record.
func (f *logFile) lineEnd(ctx context.Context, size int64) (int64, error) {
	if f.full {
		return size, nil
	}
	end := f.end
	block := make([]byte, 64<<10)
	for at := size; at > max(f.end, f.searched); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := max(f.end, f.searched, at-int64(len(block)))
		n, err := f.ReadAt(block[:at-from], from)
		if int64(n) < at-from {
			return 0, shortOr(err)
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			end = from + int64(i) + 1
			break
		}
		at = from
	}
	f.searched = size
	if rest := size - end; rest > 0 && rest <= audit.MaxLine {
		line, err := readLine(f.File, end)
		if err != nil {
			return 0, err
		}
		if _, ok := audit.ParseLine(line); ok && int64(len(line)) == rest {
			return size, nil
		}
	}
	return end, nil
}

// divided divides a text of whole lines into parts, in order.
func (f *logFile) divided(ctx context.Context, start, end int64) ([]*part, error) {
	var parts []*part // from the end
	block := make([]byte, 64<<10)
	size := int64(firstPart)
	for cut := end; cut > start; size = usualPart {
		begin := start
		// The part begins with the first line after the place where it would begin by its size, or else further
		// to the front.
		for to, from := cut-1, cut-size; from > start; to, from = from, from-size {
			at, err := firstLineEnd(ctx, f.File, block, from, to)
			if err != nil {
				return nil, err
			}
			if at >= 0 {
				begin = at
				break
			}
		}
		parts = append(parts, &part{start: begin, end: cut})
		cut = begin
	}
	slices.Reverse(parts)
	return parts, nil
}

// firstLineEnd is the place after the first end of a line between two places, -1 if there is none.
func firstLineEnd(ctx context.Context, file io.ReaderAt, block []byte, from, to int64) (int64, error) {
	for from < to {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		want := min(int64(len(block)), to-from)
		n, err := file.ReadAt(block[:want], from)
		if int64(n) < want {
			return 0, shortOr(err)
		}
		if i := bytes.IndexByte(block[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		from += want
	}
	return -1, nil
}

const errShort = shortError("it has become shorter while it was read")

type shortError string

func (e shortError) Error() string { return string(e) }

// shortOr is the error of a reading that gave too little.
func shortOr(err error) error {
	if err == nil || err == io.EOF {
		return errShort
	}
	return err
}
