// Package wire translates between luahook's vocabulary and what the hook commands of other agents read and write:
// an agent's JSON becomes a [hooks.Context], and a [hooks.Result] becomes the bytes and the exit status that the agent
// understands. It does no I/O and keeps no state.
//
// Each agent has a file of its own: its table of events with what the agent does with an answer, how its JSON differs
// from the usual one, and how an answer is written. What several agents share is in decode.go (the keys), batch.go
// (several tool calls at once), answer.go (what of a result an event can deliver), output.go (the shapes of tools'
// outputs) and claude.go (the form of answer that most have taken from Claude Code). detect.go tells agents apart.
package wire

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// Agent is the protocol of one agent. Agents are shared: don't change one.
type Agent struct {
	Name   string  // on the command line: claude
	Title  string  // as its users know it: Claude Code
	Events []Event // what it calls hooks for; the first one that can be denied stands for those that aren't known

	// MaxText is how many characters of one text the agent takes, counted as UTF-16 does; more is shortened with a
	// mark. 0: no bound is known.
	MaxText int
	// Silent says that the agent takes what is on standard error for an answer.
	Silent bool
	// status2 says that exit status 2 denies whatever the event is, with what is on standard error as the reason.
	status2 bool

	// Folder is the environment variable with the project's folder; "": the hook command runs in it, or nobody says.
	Folder string

	// shellFolder are the keys by which the agent's own shell tool is told where to run, folded. Empty: there are none; nil:
	// nobody knows them.
	shellFolder []string

	prepare func(event *Event, in object)   // moves what the agent spells in its own way to the usual keys; nil: nothing
	write   func(c *Call, a *answer) Output // writes an answer

	// whyNotRewritten says why other arguments would not arrive as they are, as "which Codex ..."; "" if they do. nil: they do.
	whyNotRewritten func(c *Call, input map[string]any) string
}

// Event is one event of an agent.
type Event struct {
	Name    string        // as the agent writes it where hooks are put
	Alias   string        // as it writes it in the JSON; "": the same
	Event   hooks.Event   // as luahook calls it; with a dot in it where the catalogue has no such event
	Can     Ability       // what the agent does with an answer
	Timeout time.Duration // what install asks for; 0: [DefaultTimeout]
	Costly  bool          // happens so often, or beside another one, that install leaves it out unless it's asked for
}

// Wait is how long the agent waits for a hook.
func (e *Event) Wait() time.Duration { return cmp.Or(e.Timeout, DefaultTimeout) }

// Deadline is how long hooks may take, so that the answer still gets out while the agent waits: nine tenths of
// [Event.Wait], and at least 0.2 s less.
func (e *Event) Deadline() time.Duration { return e.Wait() - max(e.Wait()/10, 200*time.Millisecond) }

// DefaultTimeout is what install asks the agent to wait for a hook.
const DefaultTimeout = time.Minute

// Ability is what an agent can do with an answer to one of its events.
type Ability uint16

// The abilities.
const (
	Deny    Ability = 1 << iota // the action doesn't happen; of an event that is over the reason goes to the model
	Ask                         // a person is asked
	Allow                       // the agent's own question is left out
	Rewrite                     // the arguments are replaced
	Replace                     // the tool's output is replaced
	Context                     // text for the model
	Halt                        // the turn ends
	Message                     // text for the user
)

// abilities are their names, in order.
var abilities = [...]string{"deny", "ask", "allow", "rewrite", "replace output", "context", "halt", "message"}

// String lists the abilities.
func (a Ability) String() string {
	var names []string
	for i, name := range abilities {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Output is what the hook command leaves behind: all of it, and nothing else.
type Output struct {
	Stdout []byte   // UTF-8, with a line end; nil: nothing
	Stderr string   // likewise
	Exit   int      // the exit status: 0 or 2
	Lost   []string // what the agent can't be told, a sentence each; for people, and on Stderr where that's no answer
}

// Agents returns all agents in the order of their names. The slice is the caller's own.
func Agents() []*Agent {
	return []*Agent{&claude, &cline, &codex, &copilot, &crush, &cursor, &droid, &gemini, &kiro, &opencode, &qwen, &vscode, &windsurf}
}

// Named returns the agent with that name, in any case and with any separators; nil if there is none.
func Named(name string) *Agent {
	for _, a := range Agents() {
		if spelling.Fold(a.Name) == spelling.Fold(name) {
			return a
		}
	}
	return nil
}

// EventNamed returns the agent's event with that name, in any case and with any separators, or the first one that
// luahook calls so; nil if there is none.
func (a *Agent) EventNamed(name string) *Event {
	for i := range a.Events {
		if e := &a.Events[i]; spelling.Fold(e.Name) == spelling.Fold(name) || e.Alias != "" && spelling.Fold(e.Alias) == spelling.Fold(name) {
			return e
		}
	}
	if e, known := hooks.KnownEvent(name); known {
		for i := range a.Events {
			if a.Events[i].Event == e {
				return &a.Events[i]
			}
		}
	}
	return nil
}

// unknownEvent stands for an event that the table doesn't have: the tool call of an agent that has grown. A guard
// that doesn't know what it's asked about says no.
func (a *Agent) unknownEvent(name string) *Event {
	i := slices.IndexFunc(a.Events, func(e Event) bool { return e.Event == hooks.PreToolCall && e.Can&Deny != 0 })
	e := a.Events[max(i, 0)]
	if name != "" {
		e.Name = name
	}
	return &e
}
