package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
)

// maxFile is how large a settings file may be, in bytes.
const maxFile = 4 << 20

var errTooLarge = fmt.Errorf("it is larger than %d MiB", maxFile>>20)

// readFile reads a settings file; nil if there is none.
func readFile(path string) ([]byte, error) {
	f, info, err := openfile.Regular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	if info.Size() > maxFile {
		return nil, fileError(path, errTooLarge)
	}
	text, err := openfile.ReadAll(f, maxFile)
	if err != nil {
		return nil, fileError(path, err)
	}
	if text == nil {
		text = []byte{}
	}
	return text, nil
}

// resolve follows the links in a path of which the last parts need not be there. Those of a project may not lead out
// of it, or whoever wrote the project would choose what is written to.
func (t *Target) resolve(path string) (string, error) {
	real, err := followed(path)
	if err != nil {
		return "", fileError(path, err)
	}
	if t.Project == "" {
		return real, nil
	}
	root, err := followed(t.Project)
	if err != nil {
		return "", fileError(t.Project, err)
	}
	if below, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(below) {
		return "", fileError(path, fmt.Errorf("it leads out of the project, to %s", real))
	}
	return real, nil
}

func followed(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errors.New("it is a link to what isn't there")
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path, nil
	}
	if dir, err = followed(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// step is called between the steps of a write. It's for the test that ends the process there.
var step = func() {}

// apply writes a change, if the file is still what it was.
func (c *change) apply(ctx context.Context, within string) (err error) {
	dir := filepath.Dir(c.path)
	made := 0
	if c.after != nil {
		if made, err = makeFolders(dir); err != nil {
			return err
		}
	}
	unlock, err := lockFolder(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := c.noteFolders(made); err != nil {
		return err
	}
	info, err := c.check()
	if err != nil {
		return err
	}
	if err := c.removeLeftovers(); err != nil {
		return err
	}
	if c.keep {
		if err := c.backup(info); err != nil {
			return fmt.Errorf("its backup can't be made: %w", err)
		}
	}
	if c.after == nil {
		err = c.remove(within)
	} else {
		err = c.write(info)
	}
	if err != nil || c.drop == "" {
		return err
	}
	return os.Remove(c.drop)
}

// check compares the file with what it was. It gives what is known of it, nil if it isn't there.
func (c *change) check() (fs.FileInfo, error) {
	now, err := readFile(c.path)
	if err != nil {
		return nil, err
	}
	if (now == nil) != (c.before == nil) || !bytes.Equal(now, c.before) {
		return nil, ErrChanged
	}
	if now == nil {
		return nil, nil
	}
	info, err := os.Lstat(c.path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, openfile.ErrIrregular
	case info.Mode().Perm()&0o200 == 0:
		return nil, errors.New("it is write-protected")
	}
	return info, nil
}

// write puts the new text in the file's place.
func (c *change) write(info fs.FileInfo) error {
	mode := fs.FileMode(0o644)
	switch whole, is := c.form.(*wholeForm); {
	case info != nil: // nobody else reads it until it has the old one's mode and owner
		mode = 0o600
	case is:
		mode = whole.mode
	}
	temp, err := os.OpenFile(fmt.Sprint(c.path, leftover, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	step()
	err = fill(temp, c.after, info)
	step()
	if err == nil {
		err = os.Rename(temp.Name(), c.path)
	}
	step()
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return syncFolder(filepath.Dir(c.path))
}

// fill writes a file and closes it. Its mode and owner become those of the file that it takes the place of, if any.
func fill(f *os.File, text []byte, like fs.FileInfo) error {
	_, err := f.Write(text)
	step()
	if err == nil && like != nil {
		err = errors.Join(keepOwner(f, like), f.Chmod(like.Mode().Perm()))
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// leftover is in the names of files that are being written.
const leftover = ".luahook-new-"

// removeLeftovers removes what a luahook that was killed has left of this file.
func (c *change) removeLeftovers() error {
	if !lockable {
		return nil // they may be those of one that is at work
	}
	dir := filepath.Dir(c.path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), filepath.Base(c.path)+leftover)
		if ours && digits != "" && strings.Trim(digits, "0123456789") == "" && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// backupSuffix and what follows it in case of need is the name of a backup, beside the file.
const backupSuffix = ".luahook-backup"

// maxBackups is how many backups of a file there may be.
const maxBackups = 20

func backupName(path string, n int) string {
	if n == 0 {
		return path + backupSuffix
	}
	return fmt.Sprintf("%s%s-%d", path, backupSuffix, n+1)
}

// backup is a backup that was found.
type backup struct {
	path string
	text []byte
}

// backupsOf finds the backups of a file.
func backupsOf(path string) ([]backup, error) {
	var all []backup
	for n := range maxBackups {
		name := backupName(path, n)
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
			continue
		}
		text, err := readFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, backup{name, text})
	}
	return all, nil
}

// backup copies the file under a name that isn't taken, unless one of its backups is just like it.
func (c *change) backup(info fs.FileInfo) error {
	all, err := backupsOf(c.path)
	if err != nil {
		return err
	}
	for _, b := range all {
		if bytes.Equal(b.text, c.before) {
			return nil
		}
	}
	for n := range maxBackups {
		f, err := os.OpenFile(backupName(c.path, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		step()
		if err := fill(f, c.before, info); err != nil {
			return errors.Join(err, os.Remove(f.Name()))
		}
		return nil
	}
	return fmt.Errorf("there are %d already; remove some", maxBackups)
}

// madeNote is a file in a folder that luahook has made, and says how many of the folders around it are.
const madeNote = ".luahook-made"

const madeText = "luahook install has made this folder and %d around it, and --uninstall removes them once they are empty.\n"

// makeFolders makes a folder and those around it that aren't there, and says how many.
func makeFolders(dir string) (made int, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made++
	}
	if made == 0 {
		return 0, nil
	}
	step()
	return made, os.MkdirAll(dir, 0o755)
}

// noteFolders remembers folders that were made.
func (c *change) noteFolders(made int) error {
	if made == 0 {
		return nil
	}
	step()
	f, err := os.OpenFile(filepath.Join(filepath.Dir(c.path), madeNote), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) { // another luahook was there first
		return nil
	}
	if err != nil {
		return err
	}
	return fill(f, fmt.Appendf(nil, madeText, made-1), nil)
}

// remove removes the file, and the folders around it that luahook has made and that are empty now.
func (c *change) remove(within string) error {
	if err := os.Remove(c.path); err != nil {
		return err
	}
	step()
	dir := filepath.Dir(c.path)
	note := filepath.Join(dir, madeNote)
	text, err := openfile.Read(note, 1024)
	around := 0
	if _, scanErr := fmt.Sscanf(string(text), madeText, &around); err != nil || scanErr != nil {
		return nil // it was there before us
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name != madeNote && name != filepath.Base(c.drop) {
			return nil // which has a use of its own
		}
	}
	if err := os.Remove(note); err != nil {
		return err
	}
	for range min(around, 8) + 1 {
		below, err := filepath.Rel(within, dir)
		if err != nil || below == "." || !filepath.IsLocal(below) || os.Remove(dir) != nil {
			return nil // what isn't empty stays
		}
		dir = filepath.Dir(dir)
	}
	return nil
}
