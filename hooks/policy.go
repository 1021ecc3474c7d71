package hooks

import (
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/spelling"
)

// Policy says what a failed hook means: a Lua error, a limit, an answer of the
// wrong shape, a Go hook's error or panic.
type Policy string

const (
	// Block denies the event where it can be blocked, and warns elsewhere. Where the event
	// has an output that hooks may replace, a line is put in its place.
	Block Policy = "block"
	// Warn lets the event go on and adds a warning to the result.
	Warn Policy = "warn"
	// Ignore lets the event go on; only the run in the summary tells.
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

// Rank is the scope's place in the order, from 0.
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

// Options are what a hook says of itself when it is registered, in Lua with
// on(event, options, fn) and in Go with engine.RegisterHook. The zero value is a
// hook that runs whenever its event happens.
type Options struct {
	Name      string        // shown in reasons, summaries and logs; a name is made up where it is empty
	Match     *Matcher      // nil: always
	Priority  int           // higher runs first within one scope
	Timeout   time.Duration // of one run; 0: the engine's limit, which a Lua hook can't exceed
	OnFailure Policy        // "": the default of file, engine and event
	Mode      Mode          // "": ModeSync
	Once      bool          // run once per session; without a session id once per engine
	Always    bool          // of a Lua hook: registered though hooks.yaml lists its script under other events only
	Disabled  bool          // registered, and never run
}

// ParseTimeout reads a Go duration ("200ms", "1.5s") that is more than zero.
func ParseTimeout(s string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("timeout is %q, want a duration like \"200ms\" or \"2s\"", s)
	}
	return d, nil
}
