//go:build linux

// Package agents holds luahook against real agents: each runs as its users run it, with hooks put there by luahook,
// against a model that answers by a script, and without any network but loopback. README.md says how to run it.
//
// An agent is one file with its settings and its command line, listed in agents. scenarios_test.go says what is shown
// of all of them.
package agents

import "github.com/luahook/luahook/bench/agents/fakemodel"

// agent is what is known of one agent.
type agent struct {
	name     string         // as luahook calls it
	packages []string       // npm's names with versions; each is installed in a folder of its own
	tool     fakemodel.Tool // its shell tool, as it offers it to a model

	configure func(s *session) error             // writes settings that lead it to the model; no hooks
	command   func(s *session) ([]string, error) // starts it with a prompt
	env       func(s *session) []string          // beside HOME and the like; nil: nothing
	cannot    map[ability]string                 // what it can't do, and why
}

// ability is something that not all agents can do.
type ability int

// The abilities.
const (
	tellWhy ability = iota // the model is told why a call was denied
	rewrite                // a call runs with other arguments
	replace                // the model sees another output
	goOn                   // a hook keeps it going when it wants to end
)

// agents are all of them, in the order in which they run.
func agents() []*agent {
	return []*agent{codex(), gemini(), qwen(), opencode(), cline()}
}

// prompt is what the user says. It's the model that decides what happens.
const prompt = "please run it"
