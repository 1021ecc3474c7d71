// Package config reads hooks.yaml: its keys, the mistakes in it with their places, and its JSON Schema. It opens
// no file. docs/authors.md explains the keys.
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
	OnFailure    hooks.Policy // "": not set
	Limits       Limits
	Grants       hooks.Grants // what the folder's scripts are granted, or ask for
	MaxFollowups *int         // nil: not set
	Store        string       // where hooks keep values: a URL; "": not set
	Tasks        Tasks        // where hooks keep tasks
	Record       string       // what the decision log keeps of events; "": not set
	Hooks        []Hook       // in the order of the file

	granted place            // of the file's first grant key, even if that is in an entry
	places  map[string]place // of the values of the file's keys under hooks
}

// Limits bound a run and an event. Zero is not set.
type Limits struct {
	Instructions int64
	Timeout      time.Duration // of one run of a Lua hook
	Memory       int64         // bytes
	Event        time.Duration // of all hooks of one event together
	Loading      int64         // instructions, for reading and loading a project
}

// Hook is one entry under an event. Exactly one of Builtin, Script and Command is set.
type Hook struct {
	Event        hooks.Event
	Key          string // the key above the entry: Event in any spelling
	Builtin      string
	Script       string   // path; one that doesn't end in .lua is run as a command
	Command      string   // for sh -c; with Args, the program
	Args         []string // nil: Command goes to the shell
	InjectOutput bool     // plain text on stdout is context
	With         map[string]any
	Grants       hooks.Grants // in addition to the file's
	Options      hooks.Options
	Set          map[string]bool // the keys that are present in the entry
	Source       string          // hooks.yaml:line

	places map[string]place // of the keys' values; "" is the entry's
}

// IsCommand reports whether the hook is a program or a shell command, not Lua.
func (h *Hook) IsCommand() bool {
	return h.Command != "" || (h.Script != "" && filepath.Ext(h.Script) != ".lua")
}

// Errorf returns an error at the value of one of the entry's keys, or at the entry itself if it doesn't have the
// key or key is "". The message becomes one line.
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

// ownerKeys are the keys under hooks that only the user or the machine may set, each with a function that clears it.
var ownerKeys = []struct {
	key  string
	drop func(*Config)
}{
	{"store", func(c *Config) { c.Store = "" }},
	{"tasks", func(c *Config) { c.Tasks = Tasks{} }},
	{"record", func(c *Config) { c.Record = "" }},
	{"limits.loading", func(c *Config) { c.Limits.Loading = 0 }},
}

// RefuseOwn clears the settings that only the user's and the managed hooks.yaml may set, and returns an error
// for each that the file sets.
func (c *Config) RefuseOwn() []error {
	var list []error
	for _, setting := range ownerKeys {
		if at, ok := c.places[setting.key]; ok {
			setting.drop(c)
			at.hidden = true
			list = append(list, at.errorf("%s: only the user's own and the managed hooks.yaml may say this", setting.key))
		}
	}
	return list
}

// RefuseGrants clears everything that the file grants and returns an error at the first grant; nil if there is
// none. because says why, and what to do.
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
