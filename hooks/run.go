package hooks

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/spelling"
)

// RunSummary describes one firing of an event: one run per hook that was called, in order.
type RunSummary struct {
	Event      Event     `json:"event"`
	Generation uint64    `json:"generation"`  // of the plan; a reload counts it up
	StartedAt  time.Time `json:"started_at"`  // if no hook ran: when the hooks were loaded
	DurationMS float64   `json:"duration_ms"` // until the last hook was over
	Runs       []Run     `json:"runs"`
}

// Summarize implements [Summarizer]: it returns s itself.
func (s *RunSummary) Summarize() *RunSummary { return s }

// Handler is the kind of thing that ran.
type Handler string

// The handlers.
const (
	HandlerLua     Handler = "lua"
	HandlerGo      Handler = "go"
	HandlerCommand Handler = "command"
)

// Mode says how a hook runs relative to the others.
type Mode string

// The modes. Sync or async decides whether the event waits for the hook. Parallel decides whether the hook waits
// for the one before it.
const (
	// ModeSync: in the plan's order, each hook after the one before. The default.
	ModeSync Mode = "sync"
	// ModeParallel: runs at the same time as its neighbours in the plan that are parallel too, each with the
	// same input; the answers are merged in the plan's order. It can't rewrite.
	ModeParallel Mode = "parallel"
	// ModeAsync: observes while the event goes on. It can't answer anything.
	ModeAsync Mode = "async"
)

// ParseMode reads "sync", "parallel" or "async".
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case ModeSync, ModeParallel, ModeAsync:
		return m, nil
	}
	return "", fmt.Errorf("mode is %q, want sync, parallel or async%s", s, spelling.DidYouMean(s, []string{"sync", "parallel", "async"}))
}

// Status says how far a run has come, or how it ended.
type Status string

// The statuses of a run.
const (
	StatusRunning   Status = "running"   // it has begun; seen by observers only, never in a result
	StatusCompleted Status = "completed" // it ran, and its answer counts
	StatusBlocked   Status = "blocked"   // it denied
	StatusFailed    Status = "failed"    // Error says why; on_failure decided what follows
	// it ran in parallel with a hook that denied, so its answer or failure doesn't count; the entries and Error have it
	StatusUncounted Status = "uncounted"
	StatusSkipped   Status = "skipped" // it did not run; the entries say why
	StatusQueued    Status = "queued"  // an async hook whose run is still to come
)

// Run is one call of one hook.
type Run struct {
	ID           RunID     `json:"id"` // unique within the engine
	Hook         string    `json:"hook"`
	Event        Event     `json:"event"`
	Handler      Handler   `json:"handler"`
	Mode         Mode      `json:"mode"`
	Scope        Scope     `json:"scope"`
	Source       string    `json:"source,omitempty"` // file:line of the registration
	Order        int       `json:"order"`            // place in the plan, from 1
	Judging      bool      `json:"judging,omitempty"`
	Status       Status    `json:"status"`
	DurationUS   int64     `json:"duration_us"`
	Instructions int64     `json:"instructions,omitempty"` // VM instructions of a Lua hook
	Decision     Decision  `json:"decision,omitempty"`     // what it has decided, as far as that counts; see Status for a deny by failure
	Modified     bool      `json:"modified,omitempty"`     // it has rewritten the input or the output
	Entries      []Entry   `json:"entries,omitempty"`
	Error        *RunError `json:"error,omitempty"`

	Command *CommandRun `json:"command,omitempty"` // of a command hook that was started
}

// RunID identifies a run within its engine. In JSON it is a string, "17.2".
type RunID struct {
	Fire   uint64 // the event's number, from 1: those that are judged at once may be numbered in any order, with gaps
	Number int    // the run's number within it, from 1
}

// String returns the id as in JSON.
func (id RunID) String() string {
	return strconv.FormatUint(id.Fire, 10) + "." + strconv.Itoa(id.Number)
}

// MarshalText implements [encoding.TextMarshaler].
func (id RunID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (id *RunID) UnmarshalText(text []byte) error {
	fire, number, _ := strings.Cut(string(text), ".")
	var err1, err2 error
	id.Fire, err1 = strconv.ParseUint(fire, 10, 64)
	id.Number, err2 = strconv.Atoi(number)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("%q is not the id of a run, such as 17.2", text)
	}
	return nil
}

// CommandRun describes the process of a command hook. The texts are cut at 16 KiB each; stdout is left out if
// the hook asked to suppress it.
type CommandRun struct {
	Stdout   string `json:"stdout,omitempty"`
	Stderr   string `json:"stderr,omitempty"`
	ExitCode int    `json:"exit_code"` // -1: a signal ended it
	TimedOut bool   `json:"timed_out,omitempty"`
}

// EntryKind says what an entry of a run is.
type EntryKind string

// The kinds of entries.
const (
	EntryWarning  EntryKind = "warning"
	EntryStop     EntryKind = "stop"
	EntryFeedback EntryKind = "feedback"
	EntryContext  EntryKind = "context"
	EntryMessage  EntryKind = "message" // for the user, from an answer that isn't in the result
	EntryError    EntryKind = "error"
)

// Entry is one message of a run.
type Entry struct {
	Kind EntryKind `json:"kind"`
	Text string    `json:"text"`
}

// RunError is the error of a failed run as JSON shows it.
type RunError struct {
	Kind      ErrorKind `json:"kind"`
	Limit     Limit     `json:"limit,omitempty"`
	Message   string    `json:"message"`
	Source    string    `json:"source,omitempty"`    // file:line[:column] where it failed
	Snippet   string    `json:"snippet,omitempty"`   // that line with its number and, on a second line, a mark below the column
	Traceback string    `json:"traceback,omitempty"` // how it was come to, where that is more than one place
}

// ErrorKind groups the failures of hooks.
type ErrorKind string

// The kinds of errors.
const (
	KindLoad    ErrorKind = "load"    // a script or hooks.yaml that can't be used
	KindScript  ErrorKind = "script"  // a Lua error while the hook ran
	KindLimit   ErrorKind = "limit"   // a budget was spent; Limit says which
	KindResult  ErrorKind = "result"  // an answer of the wrong shape
	KindCommand ErrorKind = "command" // a command hook that failed
	KindHost    ErrorKind = "host"    // a Go hook, or the engine's surroundings
	KindTrust   ErrorKind = "trust"   // a hook that may not run until it is trusted
)

// Limit names a budget.
type Limit string

// The budgets of a run.
const (
	LimitInstructions Limit = "instructions"
	LimitTime         Limit = "time"
	LimitMemory       Limit = "memory"
	LimitStack        Limit = "stack"
)

// Error is the failure of one hook or one file. Get it with errors.As and tell failures apart by Kind; the
// message is for people.
type Error struct {
	Kind      ErrorKind
	Hook      string // empty if the file has no hooks yet
	Source    string // file:line[:column]
	Limit     Limit  // of a KindLimit
	Message   string // one line: the cause and the remedy
	Snippet   string // the source line at fault with its number, if known; a second line marks the column
	Traceback string // of a Lua error or a Go panic
	Err       error  // the cause, where there is one
	Denied    bool   // of a KindResult: the answer was a deny that can't be used as it is; it denies whatever on_failure says

	SystemMessage string // the system message of an answer that can't be used, up to 4 KiB
}

// Error returns "hook NAME (SOURCE): MESSAGE", followed by the source line at fault, if known, on separate
// indented lines.
func (e *Error) Error() string {
	if e.Snippet == "" {
		return e.Brief()
	}
	return e.Brief() + "\n  " + strings.ReplaceAll(e.Snippet, "\n", "\n  ")
}

// Brief returns the first line of Error.
func (e *Error) Brief() string {
	var b strings.Builder
	switch {
	case e.Hook != "" && e.Source != "":
		b.WriteString("hook " + e.Hook + " (" + e.Source + "): ")
	case e.Hook != "":
		b.WriteString("hook " + e.Hook + ": ")
	case e.Source != "":
		b.WriteString(e.Source + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// RunError returns the error as a run's summary shows it.
func (e *Error) RunError() *RunError {
	message := e.Message
	if e.Kind == KindLoad && e.Source != "" {
		message = e.Brief()
	}
	return &RunError{Kind: e.Kind, Limit: e.Limit, Message: message, Source: e.Source, Snippet: e.Snippet, Traceback: e.Traceback}
}

// AsError returns err as an [*Error], wrapped with the given kind if it isn't one yet; nil for nil.
func AsError(err error, kind ErrorKind) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Kind: kind, Message: err.Error(), Err: err}
}
