package override

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/userhome"
)

const (
	version      = 1
	maxFileBytes = 4 << 20

	lockWait        = 10 * time.Second
	lockWaitInEvent = 300 * time.Millisecond // of an event that is being judged
	lockWaitForLog  = 100 * time.Millisecond
)

// head is what each file begins with. One that says more than this version knows is an
// error: what it says may be a reason to block.
type head struct {
	Version int    `json:"version"`
	Root    string `json:"root"` // of the project
}

type permissionsForm struct {
	head
	Permissions []Permission `json:"words"` // the latest last
}

// permissions reads what a person has said, the latest last.
func (s *Store) permissions(wait time.Duration) ([]Permission, error) {
	at, err := s.files()
	if err != nil {
		return nil, err
	}
	text, err := at.medium(at.words, wait, false).Read()
	if err != nil {
		return nil, s.trustError(at.words, err)
	}
	s.finding.Lock()
	defer s.finding.Unlock()
	if text != nil && s.read.text != nil && bytes.Equal(text, s.read.text) {
		return slices.Clone(s.read.words), nil
	}
	words, err := decodePermissions(text, at.root)
	if err != nil {
		return nil, s.trustError(at.words, err)
	}
	s.read.text, s.read.words = text, words
	return slices.Clone(words), nil
}

func decodePermissions(text []byte, root string) ([]Permission, error) {
	if text == nil {
		return nil, nil
	}
	var form permissionsForm
	if err := decode(text, root, &form.head, &form); err != nil {
		return nil, err
	}
	for i := range form.Permissions {
		if err := form.Permissions[i].check(); err != nil {
			return nil, malformed(err)
		}
	}
	return form.Permissions, nil
}

// changeWords reads the words, has them changed and writes them, while no other process
// does.
func (s *Store) changeWords(wait time.Duration, edit func([]Permission) []Permission) error {
	at, err := s.files()
	if err != nil {
		return err
	}
	now := s.now()
	return s.trustError(at.words, at.medium(at.words, wait, false).Change(func(old []byte) ([]byte, error) {
		words, err := decodePermissions(old, at.root)
		if err != nil {
			return nil, err
		}
		return encode(permissionsForm{head{version, at.root}, bounded(edit(words), now)})
	}))
}

// decode reads one of the files.
func decode(text []byte, root string, h *head, form any) error {
	var first head
	if err := json.Unmarshal(text, &first); err != nil {
		return malformed(err)
	}
	if first.Version != version {
		return errOther
	}
	if err := decodeStrictly(text, form); err != nil {
		return err
	}
	if h.Root != root {
		return malformed(errors.New("it is about another project"))
	}
	return nil
}

// decodeStrictly reads one value, all of whose keys are known.
func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return malformed(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed(errors.New("something follows"))
	}
	return nil
}

func encode(form any) ([]byte, error) {
	text, err := hooks.EncodeJSON(form)
	return append(text, '\n'), err
}

var errOther = errors.New("another version of luahook wrote it: use that one, or move the file away")

func malformed(err error) error {
	return errors.New("it is not what luahook writes (" + strings.TrimPrefix(err.Error(), "json: ") + "): fix it, or move it away")
}

// trustError is an error of a file, in the words of this package.
func (s *Store) trustError(file string, err error) error {
	var theirs *ownfile.NotOursError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &theirs):
		return s.fail(file, "%s, so nothing in it counts", theirs.Why)
	}
	return s.fail(file, "%v", err)
}

// liesIn reports whether a folder lies in a project. A project that the user's own home
// folder lies in, whatever the environment says of that, holds the usual one, and didn't
// bring it along.
func liesIn(dir, root string) bool {
	if !within(root, resolved(dir)) {
		return false
	}
	home := userhome.Account()
	return home == "" || !within(root, resolved(home))
}

// resolved is a path with links followed, as far as it is there.
func resolved(path string) string {
	existing, rest := filepath.Clean(path), ""
	for {
		found, err := filepath.EvalSymlinks(existing)
		if err == nil {
			return filepath.Join(found, rest)
		}
		above := filepath.Dir(existing)
		if above == existing {
			return path
		}
		existing, rest = above, filepath.Join(filepath.Base(existing), rest)
	}
}

// within reports whether a path is a folder or below it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
