// Package spill keeps texts that are too long for a model in files, which an agent can read for some days. See
// engine.WithSpill.
package spill

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/openfile"
)

// Defaults of a [Folder].
const (
	MaxBytes = 256 << 20
	MaxFile  = 64 << 20
	Expiry   = 7 * 24 * time.Hour
)

// Folder keeps the texts, each in a file of mode 0600. The files of one project and session have a folder of
// their own, of mode 0700. All are below one folder that is made when it is first needed. It may be used by
// several goroutines and processes at once. The fields may be changed before it is used.
//
// From time to time, when a text is written, texts older than Expiry are deleted, and then the oldest ones
// beyond MaxBytes. Only files with names in this package's form are ever deleted. A folder that is a link,
// belongs to another user, or is writable by others, is an error of every call.
type Folder struct {
	MaxBytes int64         // of all texts together, roughly; each counts for at least 16 KiB
	MaxFile  int64         // of one
	Expiry   time.Duration // how long a text stays at least, if there is space; at most about an hour longer
	Clock    func() time.Time

	dir, project string
}

// New returns the folder at dir, an absolute path, for the texts of a project; project is its root or another
// name. It opens nothing yet.
func New(dir, project string) *Folder {
	return &Folder{MaxBytes: MaxBytes, MaxFile: MaxFile, Expiry: Expiry, Clock: time.Now, dir: dir, project: project}
}

// Spill implements engine.Spiller. The text isn't synced: it may be lost if the machine stops within seconds.
func (f *Folder) Spill(ctx context.Context, session, name, text string) (path string, err error) {
	if err := misuse.Check(ctx, f != nil && f.dir != "" && f.Clock != nil, "spill.New"); err != nil {
		return "", err
	}
	size := int64(len(text))
	if most := min(f.MaxFile, f.MaxBytes); size > most {
		return "", fmt.Errorf("the text has %d bytes, more than the limit of %d", size, most)
	}
	root, err := f.open()
	if err != nil {
		return "", fmt.Errorf("the text can't be kept: %w", err)
	}
	defer func() { _ = root.Close() }() // it was only read
	if err := f.makeRoom(ctx, root, size); err != nil {
		return "", fmt.Errorf("the text can't be kept: no space could be freed in %s: %w", f.dir, err)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(f.project + "\x00" + session))
	at := filepath.Join(hex.EncodeToString(sum[:folderBytes]), fileName(f.Clock(), name))
	if err := write(root, at, text); err != nil {
		return "", fmt.Errorf("the text can't be kept in %s: %w", f.dir, cause(err))
	}
	return filepath.Join(f.dir, at), nil
}

// open opens the folder, and makes it if it doesn't exist.
func (f *Folder) open() (*os.Root, error) {
	if !filepath.IsAbs(f.dir) {
		return nil, fmt.Errorf("the folder %q is not an absolute path", f.dir)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s can't be made: %w", f.dir, cause(err))
	}
	root, err := openfile.Root(f.dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s can't be opened: %w", f.dir, cause(err))
	}
	if err := check(root, func() (fs.FileInfo, error) { return os.Lstat(f.dir) }); err != nil {
		return nil, errors.Join(fmt.Errorf("the folder %s isn't used: %w", f.dir, err), root.Close())
	}
	return root, nil
}

// check checks that an open folder is the named one, not reached through a link, and the user's own.
func check(open *os.Root, named func() (fs.FileInfo, error)) error {
	is, err := open.Stat(".")
	if err != nil {
		return cause(err)
	}
	info, err := named()
	if err != nil {
		return cause(err)
	}
	switch same := os.SameFile(is, info); {
	case !same && info.IsDir(): // another process has deleted the one that is open, and made it anew
		return fs.ErrNotExist
	case !same:
		return errors.New("it is a link")
	}
	return ownfile.Check(is)
}

// write makes the file, and its folder if that doesn't exist.
func write(root *os.Root, at, text string) error {
	dir, name := filepath.Split(at)
	dir = filepath.Clean(dir)
	for try := 0; ; try++ {
		if err := root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		err := writeIn(root, dir, name, text)
		// Another process may have deleted the folder, which was empty.
		if !errors.Is(err, fs.ErrNotExist) || try == 10 {
			return err
		}
	}
}

func writeIn(root *os.Root, dir, name, text string) (err error) {
	inner, err := openfile.RootIn(root, dir)
	if err != nil {
		return err
	}
	defer func() { _ = inner.Close() }() // it was only read
	if err := check(inner, func() (fs.FileInfo, error) { return root.Lstat(dir) }); err != nil {
		return fmt.Errorf("its folder %s: %w", dir, err)
	}
	file, err := inner.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, inner.Remove(name)) // half a text is useless
	}
	return nil
}

// The names of files and folders: a folder's is a hash, a file's has its time, a hint and ten random letters.
const (
	folderBytes = 12
	timeForm    = "20060102T150405.000Z"
	maxHint     = 40
	randomChars = 10
	suffix      = ".txt"
)

func fileName(now time.Time, hint string) string {
	hint = strings.Map(func(r rune) rune {
		if isWord(r) {
			return r
		}
		return '-'
	}, hint)
	if hint = strings.Trim(hint, "-"); hint == "" {
		hint = "output"
	}
	hint = strings.Trim(hint[:min(len(hint), maxHint)], "-")
	return now.UTC().Format(timeForm) + "-" + hint + "-" + strings.ToLower(rand.Text()[:randomChars]) + suffix
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// writtenAt returns when a file was written, from its name; ours is false if the name isn't in this package's
// form.
func writtenAt(name string) (at time.Time, ours bool) {
	stem, isText := strings.CutSuffix(name, suffix)
	if !isText || len(stem) < len(timeForm)+2+randomChars || strings.ContainsFunc(stem[len(timeForm):], func(r rune) bool { return !isWord(r) }) {
		return time.Time{}, false
	}
	at, err := time.Parse(timeForm, stem[:len(timeForm)])
	return at, err == nil && stem[len(timeForm)] == '-' && stem[len(stem)-randomChars-1] == '-'
}

func isOurFolder(name string) bool {
	decoded, err := hex.DecodeString(name)
	return err == nil && len(decoded) == folderBytes && strings.ToLower(name) == name
}

// cause returns an error without the path, which messages name already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
