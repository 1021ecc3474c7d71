// Package hooks is the vocabulary of luahook: the events of an agent's life, what a hook receives about one
// ([Context]), what it may answer ([Result]) and how the answers of several hooks become one ([Merge]).
//
// Start with the table in event.go: one row per event has its spellings, whether it can be blocked, which fields
// it carries and what a rewrite changes. Everything else reads that table.
//
// The package does no I/O and has no state that changes. All of it may be used from several goroutines at once
// as long as only one of them writes a Context or Result.
package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/spelling"
)

// Func is a hook written in Go. It gets its own copy of the event and answers nil for no opinion. An error, a
// panic or an answer that means nothing for the event is a failed run, and on_failure decides about it. A Func
// must return soon after ctx is done, and may be called from several goroutines at once.
type Func func(ctx context.Context, c *Context) (*Result, error)

// Policy says what a failed hook means: a Lua error, a limit, an answer of the
// wrong shape, a Go hook's error or panic.
type Policy string

const (
	// Block denies the event if it can be blocked, and warns otherwise. If the event has an output that hooks
	// may replace, a line is put in its place.
	Block Policy = "block"
	// Warn lets the event go on and adds a warning to the result.
	Warn Policy = "warn"
	// Ignore lets the event go on; the failure shows only in the run's summary.
	Ignore Policy = "ignore"
)

// ParsePolicy reads "block", "warn" or "ignore".
func ParsePolicy(s string) (Policy, error) {
	switch p := Policy(s); p {
	case Block, Warn, Ignore:
		return p, nil
	}
	return "", fmt.Errorf("on_failure is %q, want block, warn or ignore%s", s, spelling.DidYouMean(s, []string{"block", "warn", "ignore"}))
}

// Scope says who put a hook there. Hooks run in the order of their scopes.
type Scope string

// The scopes, in the order in which their hooks run.
const (
	ScopeManaged  Scope = "managed"
	ScopeEmbedder Scope = "embedder"
	ScopeUser     Scope = "user"
	ScopeProject  Scope = "project"
)

// Rank returns the scope's place in the order, from 0.
func (s Scope) Rank() int {
	switch s {
	case ScopeManaged:
		return 0
	case ScopeEmbedder:
		return 1
	case ScopeUser:
		return 2
	}
	return 3
}

// Options are a hook's own settings, given when it is registered: in Lua with on(event, options, fn), in Go with
// engine.RegisterHook. The zero value is a hook that runs whenever its event happens.
type Options struct {
	Name      string        // shown in reasons, summaries and logs; one is made up if it is empty
	Match     *Matcher      // nil: always
	Priority  int           // higher runs first within one scope
	Timeout   time.Duration // of one run; 0: the engine's limit, which a Lua hook can't exceed
	OnFailure Policy        // "": the default of file, engine and event
	Mode      Mode          // "": ModeSync
	Once      bool          // run once per session; without a session id once per engine
	Always    bool          // of a Lua hook: registered even if hooks.yaml lists its script under other events only
	Disabled  bool          // registered, but never run
}

// ParseTimeout reads a Go duration ("200ms", "1.5s") that is more than zero.
func ParseTimeout(s string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("timeout is %q, want a duration like \"200ms\" or \"2s\"", s)
	}
	return d, nil
}

// Grants are the capabilities of a script: what it may reach outside its sandbox. The zero value grants nothing.
type Grants struct {
	FSRead  bool     // fs.read: read files below the project's root
	FSWrite bool     // fs.write: write and delete files there
	Git     bool     // git: read the project's repository
	Tasks   bool     // tasks: create and read tasks of the configured tracker
	Env     []string // env: names of variables, or globs ("GITHUB_*")
	Exec    []string // exec: programs, by name or absolute path
	HTTP    []string // http: hosts, "host", "host:port" or "*.host"
}

// None reports whether nothing is granted.
func (g Grants) None() bool {
	return !g.FSRead && !g.FSWrite && !g.Git && !g.Tasks && len(g.Env) == 0 && len(g.Exec) == 0 && len(g.HTTP) == 0
}

// With returns what either of the two grants.
func (g Grants) With(other Grants) Grants {
	join := func(a, b []string) []string {
		var list []string
		for _, s := range slices.Concat(a, b) {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		return list
	}
	return Grants{
		FSRead: g.FSRead || other.FSRead, FSWrite: g.FSWrite || other.FSWrite, Git: g.Git || other.Git, Tasks: g.Tasks || other.Tasks,
		Env: join(g.Env, other.Env), Exec: join(g.Exec, other.Exec), HTTP: join(g.HTTP, other.HTTP),
	}
}

// List names each grant as a person reads it: "fs.read", "exec: make, go".
func (g Grants) List() []string {
	var list []string
	for _, c := range []struct {
		name  string
		given bool
	}{{"fs.read", g.FSRead}, {"fs.write", g.FSWrite}, {"git", g.Git}, {"tasks", g.Tasks}} {
		if c.given {
			list = append(list, c.name)
		}
	}
	for _, c := range []struct {
		name string
		of   []string
	}{{"env", g.Env}, {"exec", g.Exec}, {"http", g.HTTP}} {
		if len(c.of) > 0 {
			text := c.name + ": "
			for i, s := range c.of {
				if i > 0 {
					text += ", "
				}
				text += s
			}
			list = append(list, text)
		}
	}
	return list
}

// BlockedCall describes a tool call that a built-in hook is about to block, for a store of people's overrides.
type BlockedCall struct {
	Event     Event
	SessionID string
	CallID    string // of the tool call; "" where the host gives none
	Firing    string // distinguishes this firing of the event from every other, in other processes too

	// Identity is a hash of the tool, its whole input and the folder: calls with the same Identity do the same.
	Identity string
	Tool     string
	Kind     Kind
	CWD      string
	Asked    string // the command, or the paths, or the input; the beginning, where it is long
	Length   int    // bytes of the whole text that Asked begins

	Decision Decision // Deny or Ask
	Rule     string
	Reason   string
	Final    bool // no override lifts it
}
