// Package config reads hooks.yaml: its keys, its mistakes with their places, and its
// JSON Schema. It opens no file. What the keys mean is in docs/authors.md.
package config

import (
	"fmt"
	"path/filepath"
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
	Store        string       // where hooks keep what they remember: a URL; "": not said
	Tasks        Tasks        // where hooks keep tasks
	Record       string       // what the decision log keeps of events; "": not said
	Hooks        []Hook       // in the order of the file

	granted place            // of the first grant key of the file, also of one in an entry
	places  map[string]place // of the values of the keys under hooks that the file gives
}

// Limits bound a run and an event. Zero is not said.
type Limits struct {
	Instructions int64
	Timeout      time.Duration // of one run of a Lua hook
	Memory       int64         // bytes
	Event        time.Duration // of all hooks of one event together
	Loading      int64         // instructions, of reading and loading a project
}

// Hook is one entry under an event. One of Builtin, Script and Command is set.
type Hook struct {
	Event        hooks.Event
	Key          string // the key that it stands under: Event in any spelling
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

	places map[string]place // of the keys' values, "" of the entry
}

// IsCommand reports whether the hook is a program or a shell command, not Lua.
func (h *Hook) IsCommand() bool {
	return h.Command != "" || (h.Script != "" && filepath.Ext(h.Script) != ".lua")
}

// Errorf is an error at the value of one of the entry's keys, or at the entry itself
// where it doesn't give the key or key is "". The format makes one line.
func (h *Hook) Errorf(key, format string, args ...any) *hooks.Error {
	at, ok := h.places[key]
	if !ok {
		at = h.places[""]
	}
	if h.places == nil { // decoding has not made it
		return &hooks.Error{Kind: hooks.KindLoad, Hook: h.Options.Name, Message: fmt.Sprintf(format, args...)}
	}
	e := at.errorf(format, args...)
	e.Hook = h.Options.Name
	return e
}

// own are the keys under hooks that are the user's or the machine's alone to give, with how
// to take each away.
var own = []struct {
	key  string
	drop func(*Config)
}{
	{"store", func(c *Config) { c.Store = "" }},
	{"tasks", func(c *Config) { c.Tasks = Tasks{} }},
	{"record", func(c *Config) { c.Record = "" }},
	{"limits.loading", func(c *Config) { c.Limits.Loading = 0 }},
}

// RefuseOwn takes away the settings that only the user's and the managed hooks.yaml may
// give, and returns an error for each that the file gives.
func (c *Config) RefuseOwn() []error {
	var list []error
	for _, setting := range own {
		if at, ok := c.places[setting.key]; ok {
			setting.drop(c)
			at.hidden = true
			list = append(list, at.errorf("%s: only the user's own and the managed hooks.yaml may say this", setting.key))
		}
	}
	return list
}

// RefuseGrants takes away all that the file grants and returns an error that says so,
// at the first grant; nil where there is none. because says why, and what to do.
func (c *Config) RefuseGrants(because string) *hooks.Error {
	if c.granted.source == nil {
		return nil
	}
	c.Grants = hooks.Grants{}
	for i := range c.Hooks {
		c.Hooks[i].Grants = hooks.Grants{}
	}
	return c.granted.errorf("grant: %s", because)
}
