// Package config reads hooks.yaml. Its documented form is in docs/authors.md.
package config

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// Config is one hooks.yaml.
type Config struct {
	Disabled     bool         // hooks.enabled: false
	OnFailure    hooks.Policy // "": not said
	Limits       Limits
	Grants       hooks.Grants // what the folder's scripts are granted, or ask for
	MaxFollowups *int         // nil: not said
	Hooks        []Hook       // in the order of the file
}

// Limits bound a run and an event. Zero is not said.
type Limits struct {
	Instructions int64
	Timeout      time.Duration // of one run of a Lua hook
	Memory       int64         // bytes
	Event        time.Duration // of all hooks of one event together
}

// Hook is one entry under an event. One of Builtin, Script and Command is set.
type Hook struct {
	Event        hooks.Event
	Builtin      string
	Script       string   // path; one that doesn't end in .lua is run as a command
	Command      string   // for sh -c; with Args, the program
	Args         []string // nil: Command goes to the shell
	InjectOutput bool     // plain text on stdout is context
	With         map[string]any
	Grants       hooks.Grants // beside the file's
	Options      hooks.Options
	Set          map[string]bool // the keys that the entry gives
	Source       string          // hooks.yaml:line
}
