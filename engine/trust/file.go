package trust

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The form of the file. One that says more than this version knows is an error: what it
// says may be a reason not to trust.
type fileForm struct {
	Version int   `json:"version"`
	Pins    []Pin `json:"pins"`
}

const (
	version      = 1
	maxFileBytes = 64 << 20
)

// read gives all pins in order; a file that isn't there has none.
func (s *Store) read() ([]Pin, error) {
	text, err := s.content()
	if err != nil || text == nil {
		return nil, err
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, s.malformed(err)
	}
	if head.Version != version {
		return nil, s.fail("its version is %d, this luahook knows %d: use the luahook that wrote it, or move the file away and trust the projects again", head.Version, version)
	}
	var form fileForm
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&form); err != nil {
		return nil, s.malformed(err)
	}
	pins := form.Pins
	for i := range pins {
		if err := pins[i].check(); err != nil {
			return nil, s.malformed(err)
		}
	}
	slices.SortFunc(pins, inOrder)
	for i := range pins[:max(len(pins)-1, 0)] {
		if a, b := &pins[i], &pins[i+1]; a.Root == b.Root && (a.Hooks == b.Hooks || a.Folder || b.Folder) {
			return nil, s.malformed(errors.New("there are two pins of " + a.Root))
		}
	}
	return pins, nil
}

func inOrder(a, b Pin) int {
	return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Hooks, b.Hooks))
}

func (s *Store) malformed(err error) error {
	return s.fail("it is not what luahook writes (%s): mend it, or move it away and trust the projects again", strings.TrimPrefix(err.Error(), "json: "))
}

// content reads the file and looks at whose word it is; nil where there is none.
func (s *Store) content() ([]byte, error) {
	f, err := os.OpenFile(s.file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe in its place blocks nobody
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, s.fail("it can't be read: %v", cause(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, s.fail("it can't be read: %v", cause(err))
	}
	if !info.Mode().IsRegular() {
		return nil, s.fail("it is no regular file")
	}
	if err := s.checkOwners(info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, s.fail("it can't be read: %v", cause(err))
	case len(text) > maxFileBytes:
		return nil, s.fail("it is larger than %d MiB; revoke projects that are gone", maxFileBytes>>20)
	}
	return text, nil
}

// checkOwners refuses a file that somebody else may write, or whose folder somebody
// else may write, who could put another file there.
func (s *Store) checkOwners(file fs.FileInfo) error {
	if problem := notOurs(file); problem != "" {
		return s.fail("%s, so nothing in it is trusted", problem)
	}
	return s.checkFolder()
}

func (s *Store) checkFolder() error {
	dir, err := os.Stat(filepath.Dir(s.file))
	if err != nil {
		return s.fail("its folder can't be looked at: %v", cause(err))
	}
	if problem := notOurs(dir); problem != "" {
		return s.fail("of its folder, %s, so nothing in it is trusted", problem)
	}
	return nil
}

// change reads the pins, has them changed and writes them, while no other process does.
func (s *Store) change(edit func([]Pin) []Pin) (err error) {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return s.fail("its folder can't be made: %v", cause(err))
	}
	if err := s.checkFolder(); err != nil {
		return err
	}
	unlock, err := lock(s.file + ".lock")
	if err != nil {
		return s.fail("%v", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	pins, err := s.read()
	if err != nil {
		return err
	}
	pins = edit(pins)
	slices.SortFunc(pins, inOrder)
	text, err := json.MarshalIndent(fileForm{version, append([]Pin{}, pins...)}, "", "  ")
	switch {
	case err != nil:
		return s.fail("the pins can't be written: %v", err)
	case len(text) >= maxFileBytes: // it must be readable again
		return s.fail("it would be larger than %d MiB; revoke projects that are gone", maxFileBytes>>20)
	}
	if err := s.replace(append(text, '\n')); err != nil {
		return s.fail("it can't be written: %v", cause(err))
	}
	return nil
}

// replace puts a new file in the place of the old one at once: a reader, or a machine
// that stops here, finds one or the other.
func (s *Store) replace(text []byte) error {
	dir, base := filepath.Split(s.file)
	f, err := os.CreateTemp(dir, base+".*.new") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(dir)
}

// isGone tells whether there is nothing at a path.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// cause is an error without the path that messages name already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
