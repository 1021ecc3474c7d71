// Package policy is the work that every engine is measured on: one guard, the events
// it judges and the answers that are right.
//
// The guard has three rules. A bash command that contains one of Patterns is blocked,
// with the pattern in the reason. The output of bash that is longer than MaxOutput is
// cut to its head and tail. The output of read is blocked where it is longer than
// MaxRead, for which only its length has to be looked at.
package policy

import "strings"

// Patterns are what the guard looks for in a command: plain text, in this order.
var Patterns = []string{"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

// The figures of the two rules about outputs, in bytes.
const (
	MaxOutput = 8 << 10  // what bash may answer
	Half      = 4 << 10  // what is kept of the head, and of the tail
	MaxRead   = 64 << 20 // what read may answer
)

// The texts of answers.
const (
	Matches = "matches " // and the pattern
	Cut     = "\n[...]\n"
	TooLong = "too long"
)

// The names that events carry.
const (
	Before = "pre_tool_call"
	After  = "post_tool_call"
	Bash   = "bash"
	Read   = "read"
)

// Event is what an agent knows about one call of a tool.
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

// Decision is what a guard answers. Output is the text that takes the place of the
// tool's; "" leaves it as it is.
type Decision struct {
	Block  bool
	Reason string
	Output string
}

// Judge is the guard in Go, which says what is right.
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
