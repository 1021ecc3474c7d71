// Package override remembers which tool calls were blocked in a project, and what a person
// has said about that: that one call may go through once, or that the guard is off for a
// while. Why something is blocked is for others.
package override

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// Bounds of what is kept of a project.
const (
	MaxBlocked     = 20  // calls
	MaxPermissions = 100 // words, given and over; those that hold stay in any case
	OnceTime       = 10 * time.Minute
	MaxOff         = 24 * time.Hour
)

// Store holds what is kept of one project, in two files of a folder, or in a store that several machines share. It may be used by
// several goroutines, and by several processes at once. A file that is at fault in any
// way (its owner, its mode, its form) is an error of every call that needs it, is never
// written over, and never reads as anybody's word. A blocked call is put behind the others
// without reading them: what is at fault among those is told when they are read.
//
// All errors are [*hooks.Error]s of kind trust that name the file, or the store.
type Store struct {
	// Clock says what time it is; nil: time.Now. Set it before the store is used.
	Clock func() time.Time

	// Shared finds the store that several machines use, in which both texts lie in the place of the files, as two values
	// of one space; where it gives nil, and no error, they are in the files. nil: they always are. Set it before the store
	// is used.
	Shared func(ctx context.Context) (store.Store, error)

	dir, root string

	finding sync.Mutex // guards what follows
	place   place
	read    struct { // the words as read last, and their text: most calls find the same
		text  []byte
		words []Permission
	}

	writing sync.Mutex // one writes the blocked calls at a time; it's locked before mu

	mu       sync.Mutex // guards what follows
	blocked  []Blocked  // the last that this store has seen
	pending  []Blocked
	written  time.Time // when they were
	busy     bool      // they are being written
	due      *time.Timer
	deferred error // of a write that nobody waited for
}

// NewStore is the store of the project at root, an absolute path, in the folder dir,
// which is made when something is to be kept. Nothing is read yet. Close it in the end.
func NewStore(dir, root string) *Store { return &Store{dir: dir, root: root} }

func (s *Store) now() time.Time {
	read := time.Now
	if s != nil && s.Clock != nil {
		read = s.Clock
	}
	return read().UTC().Truncate(time.Millisecond)
}

// place is where a store's files are.
type place struct {
	words, blocked string
	root           string      // of the project, with links followed
	shared         store.Store // nil: they are files
}

// files finds the place, once it is known to be a good one.
func (s *Store) files() (place, error) {
	if s == nil {
		return place{}, misuse.NotMade("pass.NewStore")
	}
	shared, err := s.findShared()
	if err != nil {
		return place{}, s.fail("the store", "%v", err)
	}
	s.finding.Lock()
	defer s.finding.Unlock()
	if shared != nil && filepath.IsAbs(s.root) {
		return place{words: "passes", blocked: "blocked-lines", root: followed(s.root), shared: shared}, nil
	}
	if s.place.root != "" {
		return s.place, nil
	}
	if !filepath.IsAbs(s.dir) || !filepath.IsAbs(s.root) {
		return place{}, s.fail(s.dir, "the folder %q and the project %q must be absolute paths", s.dir, s.root)
	}
	root := followed(s.root)
	if liesIn(s.dir, root) {
		return place{}, s.fail(s.dir, "it lies in the project itself, which could have brought it along; set XDG_STATE_HOME to another folder")
	}
	name := hash(root)[:24]
	s.place = place{words: filepath.Join(s.dir, "passes-"+name+".json"), blocked: filepath.Join(s.dir, "blocked-"+name+".jsonl"), root: root}
	return s.place, nil
}

// followed is the path of a project with links followed.
func followed(root string) string {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		return real
	}
	return filepath.Clean(root)
}

func (s *Store) fail(file, format string, args ...any) error {
	return &hooks.Error{Kind: hooks.KindTrust, Source: file, Message: fmt.Sprintf(format, args...)}
}

// Overridden says how a person has lifted the block of a call, for whoever should know that it
// wasn't blocked: by switching the guard off, or by a pass, which is used up by that.
// Where nobody has, and where the call is Final, it is kept as blocked and the text is
// "". The error says that one of the two could not be done; the block stands then.
//
// A pass is for one call. That call may come by again while the pass lasts: the same
// firing of an event (several hooks look at it), the same CallID in the same session,
// and, where one of the two events has no CallID, the first permission_request of the
// same session within two minutes of the pre_tool_call that used the pass. A call is
// kept as blocked once, by the same rule. Overridden waits for no more than some hundred
// milliseconds.
func (s *Store) Overridden(_ context.Context, c hooks.BlockedCall) (note string, err error) {
	if s == nil {
		return "", misuse.NotMade("pass.NewStore")
	}
	at := s.now()
	if !c.Final {
		var unused bool
		if note, unused, err = s.lifted(c, at); unused {
			note, err = s.use(c, at)
		}
		if note != "" && err == nil {
			return note, nil
		}
	}
	if kept := s.keep(c, at); err == nil {
		err = kept
	}
	return "", err
}

// WouldOverride is what Overridden would say, for those who try what hooks decide: no call is kept as blocked, and
// no pass is used up.
func (s *Store) WouldOverride(_ context.Context, c hooks.BlockedCall) (note string, err error) {
	if s == nil {
		return "", misuse.NotMade("pass.NewStore")
	}
	if c.Final {
		return "", nil
	}
	note, _, err = s.lifted(c, s.now())
	return note, err
}

// lifted looks for a word that covers the call; unused says that it is a pass which the call would use up.
func (s *Store) lifted(c hooks.BlockedCall, at time.Time) (note string, unused bool, err error) {
	words, err := s.permissions(lockWaitInEvent)
	if err != nil {
		return "", false, err
	}
	for _, w := range words {
		if w.Kind == Off && w.holds(at) {
			return "off until " + clock(w.Until) + ", a person's word", false, nil
		}
	}
	for i := range words {
		if covers, again := words[i].covers(&c, at); covers || again {
			return letThrough(&words[i]), !again, nil
		}
	}
	return "", false, nil
}

// use uses up the pass that covers the call, unless another process has just done so.
func (s *Store) use(c hooks.BlockedCall, at time.Time) (note string, err error) {
	err = s.changeWords(lockWaitInEvent, func(words []Permission) []Permission {
		note = ""
		for i := range words {
			covers, again := words[i].covers(&c, at)
			if covers && !again {
				words[i].Used = append(words[i].Used, sighted(&c, at))
			}
			if covers || again {
				note = letThrough(&words[i])
				break
			}
		}
		return words
	})
	if err != nil {
		return "", err
	}
	return note, nil
}

func letThrough(w *Permission) string {
	return "let through once by a person at " + clock(w.Given)
}

// maxText bounds the texts that are kept of a call, in bytes.
const maxText = 2 << 10

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func clock(t time.Time) string { return t.UTC().Format("15:04") + " UTC" }
