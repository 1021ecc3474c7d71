package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// TestGoldens holds each agent against its files in testdata, which were written by hand from what the agent
// documents or was seen to send. A file's sections:
//
//	event          what the agent sends, verbatim
//	name           what the command line calls the event; left out where the JSON says it
//	context        what luahook makes of it, as JSON
//	result NAME    a result of hooks, as JSON
//	answer NAME    what is written for it: "exit N", then "stdout" or "stderr" and what stands on it. JSON on standard
//	               output is compared as JSON. Nothing is silence
func TestGoldens(t *testing.T) {
	for _, agent := range Agents() {
		for _, g := range goldensOf(t, agent) {
			t.Run(agent.Name+"/"+g.name, func(t *testing.T) {
				call, sections := g.call(t), map[string]string{}
				for _, s := range g.sections {
					sections[s.Name] = string(s.Data)
				}
				equalJSON(t, "the context", []byte(shown(t, call.Context)), []byte(sections["context"]))
				for _, s := range g.sections {
					name, isResult := strings.CutPrefix(s.Name, "result ")
					if !isResult {
						continue
					}
					var r hooks.Result
					if err := json.Unmarshal(s.Data, &r); err != nil {
						t.Fatalf("result %s: %v", name, err)
					}
					want, ok := sections["answer "+name]
					if !ok {
						t.Fatalf("there is no answer %s", name)
					}
					equalAnswer(t, name, call.Encode(&r), want)
				}
			})
		}
	}
}

// equalAnswer compares what is written with a section of a golden.
func equalAnswer(t *testing.T, name string, got Output, want string) {
	t.Helper()
	var wanted Output
	var stdout string
	for line := range strings.Lines(want) {
		switch what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); what {
		case "exit":
			fmt.Sscan(rest, &wanted.Exit)
		case "stdout":
			stdout += rest
		case "stderr":
			wanted.Stderr += rest + "\n"
		default:
			t.Fatalf("answer %s: %q is none of exit, stdout, stderr", name, line)
		}
	}
	if got.Exit != wanted.Exit || got.Stderr != wanted.Stderr {
		t.Errorf("%s: exit %d, stderr %q; want %d, %q", name, got.Exit, got.Stderr, wanted.Exit, wanted.Stderr)
	}
	if stdout == "" || stdout[0] != '{' {
		if string(bytes.TrimSpace(got.Stdout)) != stdout {
			t.Errorf("%s: stdout %q, want %q", name, got.Stdout, stdout)
		}
		return
	}
	equalJSON(t, name, got.Stdout, []byte(stdout))
}
