package override

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

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

// isAgain tells whether the call is the one that was seen: known by one of those events,
// or as what follows them. isNew says that it is to be noted, too.
func isAgain(seen []Seen, c *hooks.BlockedCall, at time.Time) (again, isNew bool) {
	now := sighted(c, at)
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

// follows tells whether an event is the permission_request that a host fires for the
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
