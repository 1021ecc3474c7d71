package logindex

import (
	"slices"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// ID stands for a name; 0 is "". It holds for all views of an Index.
type ID uint32

// Row is what is known of a record without reading it.
type Row struct {
	Time       int64 // milliseconds since 1970
	Kind       Kind
	Decision   Decision
	Flags      Flags
	Event      ID
	Session    ID
	Agent      ID
	Host       ID
	Project    ID
	Tool       ID
	Rule       ID // what has denied or asked: "safety-guard: git.push-force", or a hook and how its reason begins
	Hook       ID // that made the note
	Note       ID // its kind
	DurationUS uint32
	Runs       []Run
	Cost       *Cost // nil: the record has none
}

// Run is a run of a hook.
type Run struct {
	Hook         ID
	Source       ID
	Scope        ID
	Failure      ID // kind of the error, with /limit where it has one; 0: none
	Status       Status
	Decision     Decision
	Flags        RunFlags
	DurationUS   uint32
	Instructions uint32
}

// Cost is what the session had used when the record was made, as cost-tracker says.
type Cost struct {
	USD    float64
	Tokens int64
}

// Kind is the kind of a record.
type Kind uint8

// The kinds. KindOther is one that this version doesn't know.
const (
	KindOther Kind = iota
	KindDecision
	KindRun
	KindNote
)

var kinds = []string{"other", string(audit.KindDecision), string(audit.KindRun), string(audit.KindNote)}

// String returns the word of the log.
func (k Kind) String() string { return word(kinds, uint8(k)) }

// Decision is what was decided. DecisionOther is one that this version doesn't know.
type Decision uint8

// The decisions.
const (
	NoOpinion Decision = iota
	Allow
	Ask
	Deny
	DecisionOther
)

var decisions = []string{"", string(hooks.Allow), string(hooks.Ask), string(hooks.Deny), "other"}

// String returns the word of the log; "" is no opinion.
func (d Decision) String() string { return word(decisions, uint8(d)) }

// Status is the status of a run.
type Status uint8

// The statuses. StatusOther is one that this version doesn't know.
const (
	StatusOther Status = iota
	StatusCompleted
	StatusBlocked
	StatusFailed
	StatusUncounted
	StatusSkipped
	StatusQueued
)

var statuses = []string{
	"other", string(hooks.StatusCompleted), string(hooks.StatusBlocked), string(hooks.StatusFailed),
	string(hooks.StatusUncounted), string(hooks.StatusSkipped), string(hooks.StatusQueued),
}

// String returns the word of the log.
func (s Status) String() string { return word(statuses, uint8(s)) }

// Flags are properties of a record.
type Flags uint8

// The flags of a record.
const (
	Halt     Flags = 1 << iota // the turn was ended
	Modified                   // a hook has rewritten something
	Failed                     // a run has failed
	Warned                     // it has warnings
	Cut                        // something was too long and was shortened
)

// RunFlags are properties of a run.
type RunFlags uint8

// The flags of a run.
const (
	Judging  RunFlags = 1 << iota // of the round that judges rewritten events
	Rewrote                       // it has rewritten the input or the output
	Async                         // its event didn't wait for it
	Parallel                      // it ran beside others
)

func word(words []string, n uint8) string {
	if int(n) < len(words) {
		return words[n]
	}
	return "other"
}

// numberOf is the place of a word, or otherwise that of the words which aren't known.
func numberOf(words []string, text string, otherwise uint8) uint8 {
	if n := slices.Index(words, text); n >= 0 && text != "other" {
		return uint8(n)
	}
	return otherwise
}

func kindOf(text string) Kind { return Kind(numberOf(kinds, text, uint8(KindOther))) }
func decisionOf(text string) Decision {
	return Decision(numberOf(decisions, text, uint8(DecisionOther)))
}
func statusOf(text string) Status { return Status(numberOf(statuses, text, uint8(StatusOther))) }
