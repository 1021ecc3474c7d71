package trust

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/hooks"
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

	// A process holds the lock for as long as it takes to read and write one file;
	// lockWait is what another is given for that.
	lockWait = 10 * time.Second
)

// read gives all pins in order; a file that isn't there has none.
func (s *Store) read() ([]Pin, error) {
	text, err := s.own().Read()
	if err != nil {
		return nil, s.told(err)
	}
	return s.decode(text)
}

func (s *Store) decode(text []byte) ([]Pin, error) {
	if text == nil {
		return nil, nil
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
	return s.fail("it is not what luahook writes (%s): fix it, or move it away and trust the projects again", strings.TrimPrefix(err.Error(), "json: "))
}

// told is an error of the file, in the words of trust.
func (s *Store) told(err error) error {
	var theirs *ownfile.NotOursError
	var said *hooks.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &said): // by what has read it
		return err
	case errors.As(err, &theirs):
		return s.fail("%s, so nothing in it is trusted", theirs.Why)
	case errors.Is(err, ownfile.ErrTooLarge):
		return s.fail("it is larger than %d MiB, or would be; revoke projects that are gone", maxFileBytes>>20)
	}
	return s.fail("%v", err)
}

func (s *Store) own() ownfile.File {
	return ownfile.File{Path: s.file, Max: maxFileBytes, Wait: lockWait}
}

// change reads the pins, has them changed and writes them, while no other process does.
func (s *Store) change(edit func([]Pin) []Pin) error {
	return s.told(s.own().Change(func(old []byte) ([]byte, error) {
		pins, err := s.decode(old)
		if err != nil {
			return nil, err
		}
		pins = edit(pins)
		slices.SortFunc(pins, inOrder)
		text, err := json.MarshalIndent(fileForm{version, append([]Pin{}, pins...)}, "", "  ")
		if err != nil {
			return nil, s.fail("the pins can't be written: %v", err)
		}
		return append(text, '\n'), nil
	}))
}
