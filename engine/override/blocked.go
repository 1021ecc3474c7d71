package override

import (
	"cmp"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/internal/misuse"
)

// Blocked is a call that was blocked, or that a person had to be asked about.
type Blocked struct {
	At       time.Time      `json:"at"`
	Session  string         `json:"session,omitempty"`
	Event    hooks.Event    `json:"event"` // the first that it was blocked at
	Tool     string         `json:"tool"`
	Kind     hooks.Kind     `json:"kind,omitempty"`
	CWD      string         `json:"cwd,omitempty"`
	Asked    string         `json:"asked,omitempty"`  // as [hooks.BlockedCall] has it; secrets in it included
	Length   int            `json:"length,omitempty"` // bytes of what Asked is the beginning of
	Identity string         `json:"identity"`
	Decision hooks.Decision `json:"decision"`
	Rule     string         `json:"rule,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Final    bool           `json:"final,omitempty"` // nobody's word lifts it
	Seen     []Seen         `json:"seen"`            // its events, at most 16
}

// blockedOnce is a call as it is kept when it is blocked.
func blockedOnce(c *hooks.BlockedCall, at time.Time) Blocked {
	return Blocked{
		At: at, Session: brief(c.SessionID), Event: c.Event, Tool: excerpt.Beginning(c.Tool, maxName), Kind: c.Kind, CWD: excerpt.Beginning(c.CWD, maxText),
		Asked: excerpt.Beginning(c.Asked, maxText), Length: c.Length, Identity: c.Identity,
		Decision: c.Decision, Rule: excerpt.Beginning(c.Rule, maxName), Reason: excerpt.Beginning(c.Reason, maxText), Final: c.Final,
		Seen: []Seen{sighted(c, at)},
	}
}

// pause is how long a store that has just written waits until it writes again: whoever
// judges thousands of calls wants only the last twenty kept.
const pause = 250 * time.Millisecond

// Blocked is what was blocked in the project, the latest first, at most MaxBlocked.
func (s *Store) Blocked() ([]Blocked, error) {
	if s == nil {
		return nil, misuse.NotMade("pass.NewStore")
	}
	if err := s.write(lockWait); err != nil {
		return nil, err
	}
	at, err := s.files()
	if err != nil {
		return nil, err
	}
	text, err := at.unsynced(lockWait).Read()
	if err != nil {
		return nil, s.trustError(at.blocked, err)
	}
	list, err := decodeBlocked(text, at.root)
	slices.Reverse(list)
	return list, s.trustError(at.blocked, err)
}

// Close writes what is still to be written, and says whether anything could not be. The
// store may be used again.
func (s *Store) Close() error {
	if s == nil {
		return misuse.NotMade("pass.NewStore")
	}
	s.mu.Lock()
	if s.due != nil {
		s.due.Stop()
		s.due = nil
	}
	s.mu.Unlock()
	err := s.write(lockWait)
	s.mu.Lock()
	defer s.mu.Unlock()
	err, s.deferred = cmp.Or(err, s.deferred), nil
	return err
}

// keep notes that a call was blocked: in the file, or in memory where that was written a
// moment ago. Nobody waits for another one's write.
func (s *Store) keep(c hooks.BlockedCall, at time.Time) error {
	if !s.note(c, at) {
		return nil
	}
	return s.write(lockWaitForLog)
}

// note keeps a call in memory, and reports whether it is to be written now.
func (s *Store) note(c hooks.BlockedCall, at time.Time) (now bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := blockedOnce(&c, at)
	for i := range s.blocked {
		if again, isNew := s.blocked[i].isAgain(&next); again && !isNew && (s.blocked[i].Final || !c.Final) {
			return false
		}
	}
	s.pending = append(s.pending, next)
	s.blocked = noted(s.blocked, next)
	if len(s.pending) > 2*MaxBlocked {
		s.pending = slices.Clone(s.pending[len(s.pending)-MaxBlocked:])
	}
	switch {
	case s.due != nil:
		return false
	case s.busy || time.Since(s.written) < pause:
		s.due = time.AfterFunc(pause, s.writeLater)
		return false
	}
	s.busy = true
	return true
}

func (s *Store) writeLater() {
	s.mu.Lock()
	closed := s.due == nil
	s.due = nil
	s.mu.Unlock()
	if !closed {
		s.writing.Lock()
		defer s.writing.Unlock()
		if err := s.writePending(lockWaitForLog); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.deferred = err
		}
	}
}

// write writes what is pending when nobody else does.
func (s *Store) write(wait time.Duration) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.writePending(wait)
}

// writePending writes what is pending. What can't be written is dropped: that is no reason to
// try, and to wait, with each call again. s.writing is held, and s.mu isn't.
func (s *Store) writePending(wait time.Duration) error {
	s.mu.Lock()
	pending := s.pending
	s.pending, s.busy = nil, true
	if len(pending) > 0 {
		s.written = time.Now()
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy = false
	}()
	if len(pending) == 0 {
		return nil
	}
	at, err := s.files()
	if err != nil {
		return err
	}
	return s.trustError(at.blocked, extendBlocked(at.unsynced(wait), at.root, pending))
}

// unsynced is where the blocked calls are: that the last of them are lost when the machine stops does no harm.
func (p *place) unsynced(wait time.Duration) medium { return p.medium(p.blocked, wait, true) }

// noted adds calls to a list, which it may change, each once.
func noted(list []Blocked, calls ...Blocked) []Blocked {
next:
	for i := range calls {
		c := &calls[i]
		for n := len(list) - 1; n >= 0; n-- {
			b := &list[n]
			again, isNew := b.isAgain(c)
			if !again {
				continue
			}
			b.Final = b.Final || c.Final
			if isNew && len(b.Seen) < maxSeen {
				b.Seen = append(slices.Clone(b.Seen), c.Seen...)
			}
			continue next
		}
		list = append(list, *c)
	}
	return list[max(len(list)-MaxBlocked, 0):]
}

// isAgain reports whether a call is this one; isNew says that this event of it isn't noted.
func (b *Blocked) isAgain(c *Blocked) (again, isNew bool) {
	if b.Identity != c.Identity {
		return false, false
	}
	return isAgain(b.Seen, c.Seen[0])
}

// Seen is one event of a call, as far as it is needed to know the call again.
type Seen struct {
	At      time.Time   `json:"at"`
	Event   hooks.Event `json:"event"`
	Session string      `json:"session,omitempty"`
	Call    string      `json:"call,omitempty"` // its id
	Firing  string      `json:"firing,omitempty"`
}

const (
	maxSeen  = 16 // events of one call
	followUp = 2 * time.Minute
	maxName  = 200 // bytes of an id
)

func sighted(c *hooks.BlockedCall, at time.Time) Seen {
	return Seen{At: at, Event: c.Event, Session: brief(c.SessionID), Call: brief(c.CallID), Firing: brief(c.Firing)}
}

// isAgain reports whether the call that is seen now is the one that was seen: known by one of those events,
// or as what follows them. isNew says that it is to be noted, too.
func isAgain(seen []Seen, now Seen) (again, isNew bool) {
	for _, s := range seen {
		if s.Firing == now.Firing && now.Firing != "" {
			return true, false
		}
	}
	for _, s := range seen {
		if s.Call == now.Call && now.Call != "" && s.Session == now.Session {
			return true, false
		}
	}
	return follows(seen, &now), true
}

// follows reports whether an event is the permission_request that a host fires for the
// pre_tool_call that was seen, where their ids don't tell.
func follows(seen []Seen, now *Seen) bool {
	if now.Event != hooks.PermissionRequest || len(seen) == 0 {
		return false
	}
	for _, s := range seen {
		if s.Event != hooks.PreToolCall {
			return false // it had its own
		}
	}
	last := seen[len(seen)-1]
	since := now.At.Sub(last.At)
	return last.Session == now.Session && (last.Call == "" || now.Call == "") && since >= 0 && since <= followUp
}

// brief is an id that is no longer than is good for a file.
func brief(id string) string {
	if len(id) <= maxName {
		return id
	}
	return "sha256:" + hash(id)
}
