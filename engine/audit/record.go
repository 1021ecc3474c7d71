package audit

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// Version is that of the format. It counts up where a reader of the one before would
// misread a record; further keys are no reason.
const Version = 1

// Kind is what a record is about.
type Kind string

// The kinds.
const (
	// KindDecision is one event and what was decided, also where no hook ran, and where
	// the event couldn't be judged.
	KindDecision Kind = "decision"
	// KindRun is the run of an async hook, which is over after its event was decided. The
	// record of the event has it as queued.
	KindRun Kind = "run"
	// KindNote is what a built-in hook has noted.
	KindNote Kind = "note"
)

// Kinds lists the kinds.
func Kinds() []string { return []string{string(KindDecision), string(KindRun), string(KindNote)} }

// Record is one line of the log. What doesn't apply is left out of it.
type Record struct {
	Time     time.Time   `json:"time"` // when the event came or the note was made; UTC, in milliseconds
	V        int         `json:"v"`    // [Version]
	Luahook  string      `json:"luahook,omitempty"`
	Kind     Kind        `json:"kind"`
	Event    hooks.Event `json:"event"`
	Session  string      `json:"session,omitempty"`
	Agent    string      `json:"agent,omitempty"`
	Issue    string      `json:"issue,omitempty"`
	Project  string      `json:"project,omitempty"` // its root
	CWD      string      `json:"cwd,omitempty"`
	Tool     string      `json:"tool,omitempty"`     // canonical name
	CallID   string      `json:"call_id,omitempty"`  // of the tool call
	Decision string      `json:"decision,omitempty"` // "": no opinion
	Reason   string      `json:"reason,omitempty"`   // of the decision

	Halt       bool   `json:"halt,omitempty"`
	StopReason string `json:"stop_reason,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // a hook has rewritten something

	Generation uint64   `json:"generation,omitempty"` // of the hooks
	DurationUS int64    `json:"duration_us,omitempty"`
	Runs       []Run    `json:"runs,omitempty"` // in order
	Warnings   []string `json:"warnings,omitempty"`

	Hook string         `json:"hook,omitempty"` // who made the note
	Note string         `json:"note,omitempty"` // what kind of note it is
	Text string         `json:"text,omitempty"`
	Data map[string]any `json:"data,omitempty"`

	// Context is the event as it came, with the names of [hooks.DecodeContext], as far as
	// it is kept; see [Given].
	Context map[string]any `json:"context,omitempty"`

	// Cut tells that something was too long and was shortened; the texts say by how much.
	Cut bool `json:"cut,omitempty"`
}

// Run is one run of one hook.
type Run struct {
	Hook       string `json:"hook"`
	Scope      string `json:"scope"`
	Source     string `json:"source,omitempty"`
	Mode       string `json:"mode,omitempty"`    // parallel or async; "": sync
	Judging    bool   `json:"judging,omitempty"` // of the round over what was rewritten
	Status     string `json:"status"`
	DurationUS int64  `json:"duration_us"`
	Error      *Error `json:"error,omitempty"`
}

// Error is why a run has failed.
type Error struct {
	Kind    string `json:"kind"`
	Limit   string `json:"limit,omitempty"`
	Message string `json:"message"`
}

// RunOf is the record of a run.
func RunOf(r *hooks.Run) Run {
	if r == nil {
		return Run{}
	}
	run := Run{Hook: r.Hook, Scope: string(r.Scope), Source: r.Source, Judging: r.Judging, Status: string(r.Status), DurationUS: r.DurationUS}
	if r.Mode != hooks.ModeSync {
		run.Mode = string(r.Mode)
	}
	if r.Error != nil {
		run.Error = &Error{Kind: string(r.Error.Kind), Limit: string(r.Error.Limit), Message: r.Error.Message}
	}
	return run
}

// About begins a record about an event, which may be one that isn't complete; nil is
// none at all.
func About(kind Kind, c *hooks.Context) Record {
	r := Record{Time: time.Now(), Kind: kind}
	if c == nil {
		return r
	}
	r.Event, r.Session, r.Agent, r.Issue, r.CWD = c.Event, c.SessionID, c.AgentID, c.IssueID, c.CWD
	if c.ToolCall != nil {
		r.Tool, r.CallID = c.ToolCall.Name, c.ToolCall.ID
	}
	return r
}
