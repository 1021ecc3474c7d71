package audit

import (
	"bytes"
	"fmt"
	"io"
)

// maxLine bounds a line that is read, with its end.
const maxLine = 2 * MaxRecord

// fromLast gives the files that the last records lie in, as many as f.Last says, each with
// the place where reading begins. It reads from the end, and no further than it must; the
// files must be the whole log, the oldest first.
func fromLast(files []*opened, f Filter) ([]*opened, error) {
	missing := f.Last
	if missing <= 0 {
		return files, nil
	}
	for i := len(files) - 1; i >= 0 && !files[i].old(f.Since); i-- {
		start := int64(0)
		err := files[i].eachFromEnd(func(line []byte, at int64) bool {
			if e, ok := parseLine(line); ok && f.Wants(&e.Record) {
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

// eachFromEnd gives yield the lines of a file, the last first, with the place where each
// begins, until it returns false. Lines longer than maxLine, which are no records, are left
// out. A line is yield's for the call.
func (o *opened) eachFromEnd(yield func(line []byte, start int64) bool) error {
	var tail []byte // of a line that has begun before what was read
	long := false   // it is longer than a record
	block := make([]byte, 64<<10)
	for at := o.size; at > 0; {
		n := min(at, int64(len(block)))
		at -= n
		if _, err := o.ReadAt(block[:n], at); err != nil && err != io.EOF {
			return err
		}
		rest := block[:n]
		for {
			end := bytes.LastIndexByte(rest, '\n')
			if long = long || len(rest)-end-1+len(tail) > maxLine; !long {
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
