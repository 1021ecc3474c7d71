package spill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/luahook/luahook/internal/openfile"
)

// Checking all files for each text would take longer than writing it. So a small file records when that was last
// done, and gets a dot for each unit of bytes that was written since. A fraction of the space is kept free for
// these bytes.
const (
	tallyName  = ".tally"
	units      = 64 // of the fraction
	fraction   = 8
	sweepEvery = time.Hour
	least      = 16 << 10 // that a file counts for, which bounds their number
	maxLooks   = 50_000   // files and folders of one sweep
	chunk      = 500      // of them that are read at once
)

// makeRoom deletes what is too old or too much before size more bytes are written, if it is time for that, and
// records the bytes.
func (f *Folder) makeRoom(ctx context.Context, root *os.Root, size int64) error {
	free := f.MaxBytes / fraction
	size = max(size, least)
	unit := max(1, free/units)
	dots := (size + unit - 1) / unit
	now := f.Clock()
	swept, written := readTally(root)
	if age := now.Sub(swept); age >= 0 && age < min(sweepEvery, f.Expiry/fraction) && (written+dots)*unit <= free {
		return addDots(root, int(dots))
	}
	if err := f.sweep(ctx, root, now, f.MaxBytes-max(free, size)); err != nil {
		return err
	}
	return startTally(root, now, int(dots))
}

// readTally returns the content of the tally. A tally that is missing or malformed counts as never swept.
func readTally(root *os.Root) (swept time.Time, dots int64) {
	text, err := openfile.ReadIn(root, tallyName, 4096)
	if err != nil {
		return time.Time{}, 0
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if swept, err = time.Parse(time.RFC3339Nano, string(line)); err != nil {
		return time.Time{}, 0
	}
	return swept, int64(len(rest))
}

// addDots records written bytes. Several processes may do that at once.
func addDots(root *os.Root, dots int) error {
	file, err := root.OpenFile(tallyName, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) { // it was just removed: the next write makes it anew
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(bytes.Repeat([]byte("."), dots))
	return errors.Join(err, file.Close())
}

func startTally(root *os.Root, now time.Time, dots int) error {
	if err := root.Remove(tallyName); err != nil && !errors.Is(err, fs.ErrNotExist) { // it follows no link
		return err
	}
	file, err := root.OpenFile(tallyName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return addDots(root, dots)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s\n%s", now.UTC().Format(time.RFC3339Nano), bytes.Repeat([]byte("."), dots))
	return errors.Join(err, file.Close())
}

// kept is a file that stays for now.
type kept struct {
	folder, name string
	at           time.Time
	size         int64
}

// sweep deletes the files that are too old, and then the oldest ones beyond most bytes; then folders that are
// empty. It is no error if another process deletes the same files.
func (f *Folder) sweep(ctx context.Context, root *os.Root, now time.Time, most int64) error {
	var files []kept
	looks := maxLooks
	err := entries(ctx, root, &looks, func(folder fs.DirEntry) error {
		if !folder.IsDir() || !isOurFolder(folder.Name()) {
			return nil
		}
		inner, err := openfile.RootIn(root, folder.Name())
		if err != nil {
			return ignoreMissing(err)
		}
		defer func() { _ = inner.Close() }() // it was only read
		left := false
		err = entries(ctx, inner, &looks, func(file fs.DirEntry) error {
			at, ours := writtenAt(file.Name())
			if !ours || !file.Type().IsRegular() {
				left = true
				return nil
			}
			if age := now.Sub(at); age > f.Expiry || age < -f.Expiry {
				return ignoreMissing(inner.Remove(file.Name()))
			}
			info, err := file.Info()
			if err != nil {
				return ignoreMissing(err)
			}
			left = true
			files = append(files, kept{folder.Name(), file.Name(), at, max(info.Size(), least)})
			return nil
		})
		if err == nil && !left {
			_ = root.Remove(folder.Name()) // another process may have put a file there just now
		}
		return err
	})
	if err != nil {
		return err
	}
	var sum int64
	for _, file := range files {
		sum += file.size
	}
	slices.SortFunc(files, func(a, b kept) int { return a.at.Compare(b.at) })
	for _, file := range files {
		if sum <= most {
			break
		}
		if err := ignoreMissing(root.Remove(file.folder + "/" + file.name)); err != nil {
			return err
		}
		sum -= file.size
	}
	return nil
}

// entries calls f for the content of a folder, as long as looks are left.
func entries(ctx context.Context, root *os.Root, looks *int, f func(fs.DirEntry) error) error {
	dir, err := openfile.FolderIn(root, ".")
	if err != nil {
		return ignoreMissing(err)
	}
	defer func() { _ = dir.Close() }() // it was only read
	for *looks > 0 {
		list, err := dir.ReadDir(chunk)
		for _, entry := range list {
			if *looks--; *looks < 0 {
				return nil
			}
			if err := f(entry); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return ignoreMissing(err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// ignoreMissing ignores the error of something that no longer exists.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
