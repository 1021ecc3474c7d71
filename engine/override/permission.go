package override

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// PermissionKind says what a person's word is about.
type PermissionKind string

// The kinds of words.
const (
	Once PermissionKind = "pass" // one call may go through once
	Off  PermissionKind = "off"  // the guard is off
)

// Permission is what a person has said, and what became of it.
type Permission struct {
	Kind  PermissionKind `json:"kind"`
	Given time.Time      `json:"given"`
	Until time.Time      `json:"until"`
	Ended *time.Time     `json:"ended,omitempty"` // when it was taken back

	// Of a pass.
	Identity string `json:"identity,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Asked    string `json:"asked,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Used     []Seen `json:"used,omitempty"` // the events of the call that used it
}

// holds reports whether the word is in force. One of a time to come isn't: either a clock
// is wrong, or somebody has written it.
func (w *Permission) holds(at time.Time) bool {
	return w.Ended == nil && !at.Before(w.Given) && at.Before(w.Until)
}

// Unused reports whether the word is a pass that a call may still use.
func (w *Permission) Unused(at time.Time) bool {
	return w.Kind == Once && w.holds(at) && len(w.Used) == 0
}

// covers reports whether a pass lets the call through; again says that it has before, and
// that there is nothing to note.
func (w *Permission) covers(c *hooks.BlockedCall, at time.Time) (covers, again bool) {
	if w.Kind != Once || !w.holds(at) || w.Identity != c.Identity || c.Identity == "" {
		return false, false
	}
	if len(w.Used) == 0 {
		return true, false
	}
	same, isNew := isAgain(w.Used, sighted(c, at))
	return same, same && !isNew
}

// check says what is wrong with a word, nil where nothing is.
func (w *Permission) check() error {
	longest := OnceTime
	if w.Kind == Off {
		longest = MaxOff
	}
	switch {
	case w.Kind != Once && w.Kind != Off:
		return fmt.Errorf("%q is no kind of word", w.Kind)
	case w.Given.IsZero() || w.Until.Before(w.Given) || w.Until.Sub(w.Given) > longest:
		return fmt.Errorf("a word of kind %s lasts at most %s", w.Kind, longest)
	case w.Kind == Once && len(w.Identity) != 64:
		return errors.New("a pass is for no call")
	case w.Kind == Off && (w.Identity != "" || len(w.Used) > 0):
		return errors.New("a word that the guard is off is about no call")
	}
	return nil
}

// Permissions is what a person has said lately, the latest first.
func (s *Store) Permissions() ([]Permission, error) {
	words, err := s.permissions(lockWait)
	slices.Reverse(words)
	return words, err
}

// AllowOnce lets a call that was blocked go through once, within OnceTime. Where it may
// already, that word is the answer, and nothing changes.
func (s *Store) AllowOnce(b Blocked) (Permission, error) {
	if s == nil {
		return Permission{}, misuse.NotMade("pass.NewStore")
	}
	at := s.now()
	w := Permission{Kind: Once, Given: at, Until: at.Add(OnceTime), Identity: b.Identity, Tool: b.Tool, Asked: b.Asked, Rule: b.Rule}
	if err := w.check(); err != nil {
		return Permission{}, s.fail(s.dir, "%v", err)
	}
	if b.Final {
		return Permission{}, s.fail(s.dir, "nobody's word lifts this")
	}
	err := s.changeWords(lockWait, func(words []Permission) []Permission {
		for _, old := range words {
			if old.Identity == w.Identity && old.Unused(at) {
				w = old
				return words
			}
		}
		return append(words, w)
	})
	return w, err
}

// Revoke takes back the passes that no call has used yet.
func (s *Store) Revoke() (taken []Permission, err error) {
	at := s.now()
	return s.end(func(w *Permission) bool { return w.Unused(at) }, at)
}

// TurnOff switches the guard off for this long, from now on, whatever was said about
// that before.
func (s *Store) TurnOff(long time.Duration) (Permission, error) {
	if s == nil {
		return Permission{}, misuse.NotMade("pass.NewStore")
	}
	at := s.now()
	w := Permission{Kind: Off, Given: at, Until: at.Add(long)}
	if long <= 0 || long > MaxOff {
		return Permission{}, s.fail(s.dir, "%s is not more than nothing and at most %s", long, MaxOff)
	}
	return w, s.changeWords(lockWait, func(words []Permission) []Permission {
		for i := range words {
			if words[i].Kind == Off && words[i].holds(at) {
				words[i].Ended = &at
			}
		}
		return append(words, w)
	})
}

// TurnOn switches the guard on again; ended is what was in force.
func (s *Store) TurnOn() (ended []Permission, err error) {
	at := s.now()
	return s.end(func(w *Permission) bool { return w.Kind == Off && w.holds(at) }, at)
}

// end takes words back.
func (s *Store) end(which func(*Permission) bool, at time.Time) (taken []Permission, err error) {
	words, err := s.permissions(lockWait)
	if err != nil || !slices.ContainsFunc(words, func(w Permission) bool { return which(&w) }) { // which leaves no file behind
		return nil, err
	}
	err = s.changeWords(lockWait, func(words []Permission) []Permission {
		taken = nil
		for i := range words {
			if which(&words[i]) {
				words[i].Ended = &at
				taken = append(taken, words[i])
			}
		}
		return words
	})
	return taken, err
}

// bounded leaves out the oldest words, those that hold apart.
func bounded(words []Permission, at time.Time) []Permission {
	over := len(words) - MaxPermissions
	return slices.DeleteFunc(words, func(w Permission) bool {
		if over <= 0 || w.holds(at) {
			return false
		}
		over--
		return true
	})
}
