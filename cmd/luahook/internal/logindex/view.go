package logindex

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/luahook/luahook/engine/audit"
)

// View is what an Index knew at one moment: all records from a certain one on to the newest. It doesn't change, and
// any number of goroutines may use it. Rows are numbered by their place in the log, the oldest of the view is 0, so
// that the number of a record may be another one in the next view; a [Ref] stays.
type View struct {
	tables *tables
	lists  lists
	segs   []*segment
	starts []int // number of the first row of each
	len    int

	done, total int64
	broken      int
	err         error
	newer       chan struct{}
}

// Len returns the number of records.
func (v *View) Len() int { return v.len }

// Progress returns how many bytes of the log the view covers, and how many the log has.
func (v *View) Progress() (done, total int64) { return v.done, v.total }

// Broken returns the number of lines that are no records.
func (v *View) Broken() int { return v.broken }

// Err returns why the log can't be read (any more); nil: it can.
func (v *View) Err() error { return v.err }

// Newer returns a channel that is closed once the index has a newer view.
func (v *View) Newer() <-chan struct{} { return v.newer }

// at finds a row; i must be one.
func (v *View) at(i int) (s *segment, row int) {
	k := sort.SearchInts(v.starts, i+1) - 1
	return v.segs[k], i - v.starts[k]
}

// Row returns row i, which must be at least 0 and less than Len.
func (v *View) Row(i int) Row {
	s, row := v.at(i)
	return s.row(row, &v.lists)
}

// Name returns the name that an ID stands for, cut at 1 KiB; "" for an ID that the view doesn't know.
func (v *View) Name(id ID) string {
	if int(id) < len(v.lists.names) {
		return v.lists.names[id]
	}
	return ""
}

// ID returns the ID of a name; ok is false if no record has it.
func (v *View) ID(name string) (id ID, ok bool) {
	id, ok = v.tables.find(name)
	return id, ok && int(id) < len(v.lists.names)
}

// Ref names a record for good: it stays the same when the file is put away as a full one and when the index is made
// anew. It consists of letters, digits and hyphens.
type Ref string

// Ref returns the name of row i, which must be at least 0 and less than Len.
func (v *View) Ref(i int) Ref {
	s, row := v.at(i)
	return Ref(s.key + "-" + strconv.FormatInt(s.start+int64(s.place[row]), 36))
}

// Find returns the row that a Ref names; ok is false if the view has no such record.
func (v *View) Find(ref Ref) (i int, ok bool) {
	key, text, _ := strings.Cut(string(ref), "-")
	at, err := strconv.ParseInt(text, 36, 64)
	if err != nil || strconv.FormatInt(at, 36) != text {
		return 0, false
	}
	for k := len(v.segs) - 1; k >= 0; k-- {
		if s := v.segs[k]; s.key == key && s.start <= at && at < s.end {
			if row, ok := s.find(at); ok {
				return v.starts[k] + row, true
			}
		}
	}
	return 0, false
}

// Read reads the record of row i, which must be at least 0 and less than Len, from its file. Numbers are of type
// [json.Number]. It is an error if the file has left the log or was overwritten, and after Run has ended.
func (v *View) Read(i int) (audit.Entry, error) {
	s, row := v.at(i)
	line, err := readLine(s.file, s.start+int64(s.place[row]))
	if err != nil {
		return audit.Entry{}, fmt.Errorf("%s: %w", s.file.Name(), audit.Cause(err))
	}
	e, ok := audit.ParseLine(line)
	if !ok || e.Time.UnixMilli() != s.time[row] {
		return audit.Entry{}, fmt.Errorf("%s has changed: the record isn't there any more", s.file.Name())
	}
	return e, nil
}

// readLine reads the line that begins at a place, without its end.
func readLine(file io.ReaderAt, at int64) ([]byte, error) {
	for size := 4 << 10; ; size *= 8 {
		size = min(size, audit.MaxLine)
		buffer := make([]byte, size)
		n, err := file.ReadAt(buffer, at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		line, _, whole := bytes.Cut(buffer[:n], []byte{'\n'})
		if whole || n < size || size == audit.MaxLine {
			return line, nil
		}
	}
}
