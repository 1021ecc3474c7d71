// Package replay fires recorded events at today's hooks and says what has become another decision, and measures what
// hooks cost.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// Firer decides events: an engine.
type Firer interface {
	Fire(ctx context.Context, c *hooks.Context) (*hooks.Result, error)
}

// Refusals are what hooks wanted while an event was fired, and didn't get. The zero value is none. Several goroutines
// may use it.
type Refusals struct {
	mu   sync.Mutex
	what []string
}

// Add notes one; it is the function of an engine's replay.
func (r *Refusals) Add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.what = append(r.what, what)
}

// Take gives what was noted since it was called last.
func (r *Refusals) Take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	what := r.what
	r.what = nil
	return what
}

// Judge fires recorded events at one engine. One goroutine may use it.
type Judge struct {
	Engine   Firer
	Refusals *Refusals            // of the engine
	Listens  map[hooks.Event]bool // the events of which a hook may decide
	Redactor *redact.Redactor     // as the log has one
}

// Left is why an event can't be compared; "": it can be.
type Left string

// Why events are left out.
const (
	Secret       Left = "secret"        // a secret was redacted in what hooks judge
	Text         Left = "text"          // the log has no more than the length of a text that hooks may judge
	Cut          Left = "cut"           // it was too long for the log
	Effect       Left = "effect"        // a hook needs a program, a request or the like for its decision
	Unknown      Left = "unknown"       // this version doesn't know the event, or the format of the record
	Unreadable   Left = "unreadable"    // what was recorded is no event
	OtherProject Left = "other_project" // it belongs to another project
	Untrusted    Left = "untrusted"     // it belongs to another project, which isn't trusted
	Gone         Left = "gone"          // it belongs to another project, which isn't there any more
)

// Outcome is what became of one record.
type Outcome struct {
	Was  audit.Record
	Now  audit.Record // zero where it was left out
	Left Left
	What string // what a hook needed, which events are unknown and the like; may be ""

	Decision, Reason, Rewrite bool // what differs; Reason where the decision doesn't
}

// Differs reports whether anything does.
func (o *Outcome) Differs() bool { return o.Decision || o.Reason || o.Rewrite }

// Judge fires the event of a record of kind decision, and compares what was decided then with what is decided now.
// The error is ctx's.
func (j *Judge) Judge(ctx context.Context, was audit.Record) (Outcome, error) {
	o := Outcome{Was: was}
	event, err := hooks.ParseEvent(string(was.Event))
	if err == nil && was.V <= audit.Version && !j.Listens[event] { // whatever the event says, nobody objects
		o.Now = audit.Record{Event: event}
		o.compare()
		return o, nil
	}
	c, left, what := EventOf(&was)
	if left != "" {
		o.Left, o.What = left, what
		return o, nil
	}
	j.Refusals.Take()
	started := time.Now()
	r, err := j.Engine.Fire(ctx, c)
	took := time.Since(started)
	refused := j.Refusals.Take()
	switch {
	case ctx.Err() != nil:
		return o, ctx.Err()
	case err != nil:
		o.Left, o.What = Unreadable, err.Error()
		return o, nil
	case len(refused) > 0:
		o.Left, o.What = Effect, refused[0]
		return o, nil
	}
	now := audit.Decided(c, r, false)
	now.Context = nil // what it was is in the other one
	if o.Now, err = now.Kept(j.Redactor); err != nil {
		o.Left, o.What, o.Now = Unreadable, err.Error(), audit.Record{}
		return o, nil
	}
	o.Now.DurationUS = took.Microseconds()
	o.compare()
	return o, nil
}

// EventOf is the event of a record, as hooks would get it, or why it isn't known, and which part of it.
func EventOf(r *audit.Record) (c *hooks.Context, left Left, what string) {
	event, err := hooks.ParseEvent(string(r.Event))
	switch {
	case r.V > audit.Version:
		return nil, Unknown, "a record of a newer version"
	case err != nil:
		return nil, Unknown, string(r.Event)
	}
	given, _ := hooks.CloneValue(any(r.Context)).(map[string]any)
	if left, what = incomparable(event, given, r.Cut); left != "" {
		return nil, left, what
	}
	text, err := hooks.EncodeJSON(given)
	if err == nil {
		c, err = hooks.DecodeContext(text, event)
	}
	if err != nil {
		return nil, Unreadable, err.Error()
	}
	return c, "", ""
}

// Compare is how two decisions about the same event differ.
func Compare(was, now audit.Record) Outcome {
	o := Outcome{Was: was, Now: now}
	o.compare()
	return o
}

// compare finds out what differs.
func (o *Outcome) compare() {
	was, now := &o.Was, &o.Now
	o.Decision = was.Decision != now.Decision || was.Halt != now.Halt
	o.Reason = !o.Decision && (was.Reason != now.Reason || was.StopReason != now.StopReason)
	o.Rewrite = was.Modified != now.Modified
	if was.Input != nil && now.Input != nil { // older records don't have it
		o.Rewrite = o.Rewrite || !sameJSON(was.Input, now.Input)
	}
}

func sameJSON(a, b map[string]any) bool {
	one, err1 := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(one, other)
}

// cutMark ends a text that the log has cut.
var cutMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`… \[cut: [0-9]+ bytes\]$`) })

// redactedMark begins what stands in the place of a secret.
const redactedMark = "[redacted: "

// incomparable is why hooks can't judge the event as they would have judged it when it was recorded. What the agent
// has added (metadata) is taken out where the log has no more than its length.
func incomparable(event hooks.Event, given map[string]any, cut bool) (left Left, what string) {
	if len(given) == 0 {
		if cut {
			return Cut, ""
		}
		return Unreadable, "it has no context"
	}
	if metadata, ok := given["metadata"].(map[string]any); ok {
		for name, v := range metadata {
			if isSum(v) {
				delete(metadata, name)
			}
		}
	}
	info := hooks.Lookup(event)
	for name, v := range given { // keys that no event knows are metadata, too
		if isSum(v) && (info == nil || info.Field(name) == nil) {
			delete(given, name)
		}
	}
	var walk func(name string, v any)
	note := func(l Left, name string) {
		if left == "" || l == Secret && left != Secret {
			left, what = l, name
		}
	}
	walk = func(name string, v any) {
		switch v := v.(type) {
		case string:
			switch {
			case strings.Contains(v, redactedMark):
				note(Secret, name)
			case cutMark().MatchString(v):
				note(Cut, name)
			}
		case []any:
			for _, e := range v {
				walk(name, e)
			}
		case map[string]any:
			if isSum(v) && name != "input" && !strings.HasPrefix(name, "input.") { // the input is the agent's own
				note(Text, name)
				return
			}
			for key, e := range v {
				switch name {
				case "", "tool_call", "metadata":
					walk(key, e)
				case "input":
					walk("input."+key, e)
				default:
					walk(name, e)
				}
				if strings.Contains(key, redactedMark) {
					note(Secret, name)
				}
			}
		}
	}
	walk("", given)
	return left, what
}

// isSum reports whether a value is what the log has in the place of a text; see [audit.Given].
func isSum(v any) bool {
	m, ok := v.(map[string]any)
	if !ok || len(m) != 2 || m["bytes"] == nil {
		return false
	}
	sum, ok := m["sha256"].(string)
	return ok && len(sum) == 64
}

// Moved returns a record of a project that lay at one folder as if it had been recorded at another: the paths of the
// folder, and below it, are replaced in all texts.
func Moved(r audit.Record, from, to string) audit.Record {
	move := func(s string) string { return moved(s, from, to) }
	for _, text := range []*string{&r.Project, &r.CWD, &r.Reason, &r.StopReason} {
		*text = move(*text)
	}
	r.Input, _ = movedValue(r.Input, move).(map[string]any)
	r.Context, _ = movedValue(r.Context, move).(map[string]any)
	return r
}

func movedValue(v any, move func(string) string) any {
	switch v := v.(type) {
	case string:
		return move(v)
	case []any:
		fresh := make([]any, len(v))
		for i, e := range v {
			fresh[i] = movedValue(e, move)
		}
		return fresh
	case map[string]any:
		if v == nil {
			return v
		}
		fresh := make(map[string]any, len(v))
		for key, e := range v {
			fresh[key] = movedValue(e, move)
		}
		return fresh
	}
	return v
}

// moved replaces a path where it ends at the end of a name.
func moved(s, from, to string) string {
	if from == "" || from == to || !strings.Contains(s, from) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, from)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after != "" && (after[0] == '_' || after[0] == '-' || after[0] == '.' || after[0] >= 0x80 ||
			'0' <= after[0] && after[0] <= '9' || 'a' <= after[0]|0x20 && after[0]|0x20 <= 'z') {
			b.WriteString(from) // the beginning of another name
		} else {
			b.WriteString(to)
		}
		s = after
	}
}

// NoTasks is a tracker that has none, and forgets what it is given.
type NoTasks struct{}

// Create implements the engine's TaskSink, as do the others.
func (NoTasks) Create(_ context.Context, t hooks.Task) (hooks.Task, bool, error) {
	t.ID, t.Status = "replayed", "open"
	return t, true, nil
}
func (NoTasks) List(context.Context, hooks.TaskQuery) ([]hooks.Task, error) { return nil, nil }
func (NoTasks) Link(context.Context, string, string, string) error          { return nil }
func (NoTasks) Comment(context.Context, string, string) error               { return nil }
func (NoTasks) Update(context.Context, string, hooks.TaskChange) error      { return nil }
