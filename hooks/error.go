package hooks

import (
	"errors"
	"strings"
)

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

// Error is the failure of one hook or one file. Use errors.As to get at it and
// Kind to tell failures apart; the message is for people.
type Error struct {
	Kind      ErrorKind
	Hook      string // empty where the file has no hooks yet
	Source    string // file:line[:column]
	Limit     Limit  // of a KindLimit
	Message   string // one line: the cause and what to do
	Snippet   string // the source line at fault, where known; in two lines the second marks the column
	Traceback string // of a Lua error or a Go panic
	Err       error  // the cause, where there is one
	Denied    bool   // of a KindResult: the answer was a deny that can't be used as it stands; it denies whatever on_failure says

	SystemMessage string // what an answer that can't be used had to say to the user, up to 4 KiB
}

// Error is "hook NAME (SOURCE): MESSAGE", followed by the source line at fault where
// it is known, on lines of its own that are set off.
func (e *Error) Error() string {
	if e.Snippet == "" {
		return e.Brief()
	}
	return e.Brief() + "\n  " + strings.ReplaceAll(e.Snippet, "\n", "\n  ")
}

// Brief is the first line of Error.
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

// RunError is the error as a run's summary shows it.
func (e *Error) RunError() *RunError {
	message := e.Message
	if e.Kind == KindLoad && e.Source != "" {
		message = e.Error()
	}
	return &RunError{Kind: e.Kind, Limit: e.Limit, Message: message, Traceback: e.Traceback}
}

// AsError returns err as an [*Error], wrapping it with the given kind where it
// isn't one yet; nil where there is none.
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
