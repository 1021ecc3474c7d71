// Package engines runs the guard of package policy in several engines, each embedded as its own documentation
// recommends: compiled once, kept, and called with one event at a time. Each file is one engine.
package engines

import (
	"errors"

	"github.com/luahook/luahook/bench/policy"
)

// Judge is a call of the guard that is ready to be timed: from an event in Go, as the embedder has it, to a
// decision in Go. It is for one goroutine.
type Judge func() (policy.Decision, error)

// Engine is a way to run the guard.
type Engine struct {
	Name   string
	Limits string // what bounds a run; "none" if nothing does
	New    func() (Guard, error)
}

// Guard is the loaded guard. Prepare takes an event in the embedder's form; any conversion for the engine
// happens in the Judge.
type Guard interface {
	Prepare(e *policy.Event) (Judge, error)
	Close() error
}

// ErrNoRule is the error of Prepare if an engine's guard has no rule for the event.
var ErrNoRule = errors.New("this engine's guard has no rule for the event")

// Reference is the name of the engine that all others are compared with.
const Reference = "glua-raw"

// All returns the engines, in the order of the table.
func All() []Engine {
	return []Engine{
		{"luahook", "instructions, time, memory", newLuahook},
		{"luahook, contains_any", "instructions, time, memory", newLuahookContains},
		{Reference, "none", newGopherLua},
		{"glua-timeout", "time", newGopherLuaTimeout},
		{"goja", "none", newGoja},
		{"starlark", "steps", newStarlark},
		{"expr", "memory", newExpr},
		{"cel", "none", newCEL},
		{"cel-costlimit", "cost", newCELCostLimit},
		{"opa", "none", newOPA},
		{"wazero", "none", newWazero},
		{"native", "none", newNative},
	}
}

// Named returns the engine with a known name.
func Named(name string) Engine {
	for _, e := range All() {
		if e.Name == name {
			return e
		}
	}
	panic("engines: no engine is called " + name)
}

// stateless is a guard with nothing to close and one function for all events.
type stateless func(*policy.Event) (policy.Decision, error)

func (s stateless) Prepare(e *policy.Event) (Judge, error) {
	return func() (policy.Decision, error) { return s(e) }, nil
}

func (stateless) Close() error { return nil }
