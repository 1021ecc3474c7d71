// Package policy is the work that every engine is measured on: one guard, the events that it judges and the
// right answers.
//
// The guard has three rules. A bash command that contains one of Patterns is blocked, with the pattern in the
// reason. Output of bash that is longer than MaxOutput is cut to its head and tail. Output of read that is
// longer than MaxRead is blocked, for which only its length is needed.
package policy

import "strings"

// Patterns are searched for in a command: plain text, in this order.
var Patterns = []string{"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

// The limits of the two rules about outputs, in bytes.
const (
	MaxOutput = 8 << 10  // of an output of bash
	Half      = 4 << 10  // kept of the head, and of the tail
	MaxRead   = 64 << 20 // of an output of read
)

// The texts of answers.
const (
	Matches = "matches " // and the pattern
	Cut     = "\n[...]\n"
	TooLong = "too long"
)

// The names in events.
const (
	Before = "pre_tool_call"
	After  = "post_tool_call"
	Bash   = "bash"
	Read   = "read"
)

// Event is what an agent knows about one tool call.
type Event struct {
	Name string
	Tool Tool
}

// Tool is the call. Input is the whole argument object, which holds Command as well.
type Tool struct {
	ID      string
	Name    string
	Command string
	Input   map[string]any
	Output  string
}

// Decision is a guard's answer. Output replaces the tool's output; "" leaves it as it is.
type Decision struct {
	Block  bool
	Reason string
	Output string
}

// Judge is the guard in Go, which defines the right answers.
func Judge(e *Event) Decision {
	switch {
	case e.Name == Before && e.Tool.Name == Bash:
		for _, p := range Patterns {
			if strings.Contains(e.Tool.Command, p) {
				return Decision{Block: true, Reason: Matches + p}
			}
		}
	case e.Name == After && e.Tool.Name == Bash:
		if out := e.Tool.Output; len(out) > MaxOutput {
			return Decision{Output: out[:Half] + Cut + out[len(out)-Half:]}
		}
	case e.Name == After && e.Tool.Name == Read:
		if len(e.Tool.Output) > MaxRead {
			return Decision{Block: true, Reason: TooLong}
		}
	}
	return Decision{}
}
