package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/openfile"
)

// MaxLine bounds a line that readers take for a record, in bytes with its end. A longer one is broken.
const MaxLine = 2 * MaxRecord

// File is a file of a log, open for reading. Writers may append to the current one meanwhile. Several goroutines
// may use a File.
type File struct {
	file    *os.File
	size    int64
	start   int64 // where reading begins
	changed time.Time
}

// OpenFiles opens all files of a log at one moment, the oldest first. It refuses files of other users. A folder
// that doesn't exist has none. On an error it opens none; otherwise the caller closes them.
func OpenFiles(dir string) ([]*File, error) {
	files, err := openAll(dir)
	if err != nil {
		return nil, errors.Join(err, closeAll(files))
	}
	return files, nil
}

// OpenPath opens a file of records that need not be in a log's folder, nor belong to the user.
func OpenPath(path string) (*File, error) {
	file, info, err := openfile.Regular(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, Cause(err))
	}
	return &File{file: file, size: info.Size(), changed: info.ModTime()}, nil
}

func openAll(dir string) (files []*File, err error) {
	info, err := os.Stat(dir)
	if ownfile.IsGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := ownfile.Check(info); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if unlock, err := ownfile.Lock(context.Background(), filepath.Join(dir, lockFile), lockToRead); err == nil {
		defer unlock()
	}
	names, err := fullFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, current) {
		file, info, err := ownfile.Open(filepath.Join(dir, name), os.O_RDONLY)
		if ownfile.IsGone(err) {
			continue
		}
		if err != nil {
			return files, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		files = append(files, &File{file: file, size: info.Size(), changed: info.ModTime()})
	}
	return files, nil
}

func closeAll(files []*File) error {
	var list []error
	for _, f := range files {
		list = append(list, f.Close())
	}
	return errors.Join(list...)
}

var errNotOpen = misuse.NotMade("audit.OpenFiles")

func (f *File) made() bool { return f != nil && f.file != nil }

// Name returns the path as it was when the file was opened. It is "" for a File that wasn't opened.
func (f *File) Name() string {
	if !f.made() {
		return ""
	}
	return f.file.Name()
}

// Size returns the size that the file had when it was opened.
func (f *File) Size() int64 {
	if !f.made() {
		return 0
	}
	return f.size
}

// Current reports whether it was the file that luahook appends to, when it was opened. Nobody writes to the
// others.
func (f *File) Current() bool { return filepath.Base(f.Name()) == current }

// Stat describes the file as it is now, wherever it is now.
func (f *File) Stat() (fs.FileInfo, error) {
	if !f.made() {
		return nil, errNotOpen
	}
	return f.file.Stat()
}

// ReadAt is that of [io.ReaderAt], also beyond Size. After Close it is an error.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	if !f.made() {
		return 0, errNotOpen
	}
	return f.file.ReadAt(p, at)
}

// Close closes the file.
func (f *File) Close() error {
	if !f.made() {
		return errNotOpen
	}
	return f.file.Close()
}

// Key returns a name of the file that it keeps when it is put away as a full one: 16 hexadecimal digits, made from
// its first line. It is "" as long as that isn't whole; of a line longer than [MaxLine] the beginning counts.
func (f *File) Key() (string, error) {
	head := make([]byte, 4<<10)
	for {
		n, err := f.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return "", err
		}
		line, _, whole := bytes.Cut(head[:n], []byte{'\n'})
		if !whole && n < len(head) {
			if _, whole = ParseLine(line); !whole {
				return "", nil
			}
		}
		if whole || len(head) == MaxLine {
			sum := sha256.Sum256(line)
			return hex.EncodeToString(sum[:8]), nil
		}
		head = make([]byte, min(16*len(head), MaxLine))
	}
}
