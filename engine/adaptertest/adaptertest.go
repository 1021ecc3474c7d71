// Package adaptertest holds what an adapter of an agent framework has to do, as a list of checks
// that anybody's adapter can run: [Run]. docs/embedding.md has the results of ours.
package adaptertest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
)

// Adapter is an adapter under test.
type Adapter struct {
	Name string // its package
	// Lacks are checks, by name, about what the framework doesn't have, and why. They don't run.
	Lacks map[string]string
	// Run builds an agent of the framework with a model that is played, puts it under the
	// scenario's engine as its user would, and runs it to its end. It may be called from several
	// goroutines at once. What goes wrong in building is t.Fatal; what the agent's run comes to
	// is in the outcome.
	Run func(t testing.TB, s Scenario) Outcome
}

// Scenario is one run of an agent.
//
// The played model answers the first request with all of Calls at once, and the next one with
// the text "done". Each of its answers has the usage of [Usage], and its name is [Model]. With Sub the first
// agent's model calls the tool "helper" with {"request": "go"}, which is an agent named helper
// whose model makes the calls and then says "helped".
//
// Where the framework has no model, as an MCP server has none, a client makes the calls, one
// after the other or at once.
type Scenario struct {
	Context context.Context // of the run
	Engine  *engine.Engine
	Options []adapter.Option // to be given to the adapter
	Agent   string           // the agent's name: "main"
	Session string           // the session's id, where the framework lets its user choose one
	Prompt  string
	Tools   []Tool
	Calls   []Call
	Stream  bool // the framework's streaming way to run is to be used
	Sub     bool
	// Answer is what a person says when the framework's own way to ask stops the run: it goes on
	// with that. nil: the framework is not asked to go on, and the outcome is that of the stop.
	Answer *bool
	// ModelFails has the model fail with an error of that text at its first request.
	ModelFails string
}

// Usage are the tokens of each answer of the played model.
const (
	UsageInput  = 11
	UsageOutput = 7
)

// Model is the played model's name, where the framework lets it have one.
const Model = "played-1"

// Call is one tool call of the played model.
type Call struct {
	ID    string
	Tool  string
	Input map[string]any
}

// Tool is a tool that the agent has. Its input is any object.
type Tool struct {
	Name string
	// Run is its body. What it returns is a text, a value that JSON can hold, or a Go struct; where
	// the framework's tools return texts alone, [engine.TextOf] makes one of it. It may panic.
	Run func(ctx context.Context, input map[string]any) (any, error)
	// Streams says that it is to be a streaming tool, where the framework has those: it says the
	// parts of its text, which "|" divides, one by one.
	Streams bool
}

// Outcome is what a run has come to.
type Outcome struct {
	// Answers are what the model, or the client, was given for each call, by its ID: all of it as
	// one text, structured content as JSON. A call that was given nothing isn't there.
	Answers map[string]string
	// Requests are what the model was sent, each as one text (JSON will do), that of agents below
	// included. Empty where there is no model.
	Requests []string
	Final    string // the agent's last text
	Err      error  // of the run
	Stopped  int    // how often the run has stopped for a person
}

// Run runs the list with an adapter, a subtest for each check, and holds the results against
// testdata/conformance.json of the caller's package, where that is there. With
// ADAPTERTEST_UPDATE=1 in the environment it writes that file. Run it with -race.
func Run(t *testing.T, a Adapter) {
	for name := range a.Lacks {
		if !isCheck(name) {
			t.Errorf("Lacks names %q, which is no check", name)
		}
	}
	results := make([]Result, 0, len(checks))
	for _, c := range checks {
		r := Result{Check: c.name, Says: c.says}
		if why, lacks := a.Lacks[c.name]; lacks {
			r.Lacks = why
			results = append(results, r)
			continue
		}
		r.Passed = t.Run(c.name, func(t *testing.T) { c.run(newTrial(t, a)) })
		results = append(results, r)
	}
	keep(t, a.Name, results)
}

// Result is what one check of the list came to.
type Result struct {
	Check  string `json:"check"`
	Says   string `json:"says"`             // what it holds
	Passed bool   `json:"passed,omitempty"` // it ran, and held
	Lacks  string `json:"lacks,omitempty"`  // why it didn't run
}

// Report is the file with the results of one adapter.
type Report struct {
	Adapter string   `json:"adapter"`
	Results []Result `json:"results"`
}

// keep writes the results, or holds them against those that are kept.
func keep(t *testing.T, name string, results []Result) {
	file := filepath.Join("testdata", "conformance-"+name+".json")
	text, err := json.MarshalIndent(Report{name, results}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if os.Getenv("ADAPTERTEST_UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(file)
	if os.IsNotExist(err) || t.Failed() {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != string(text) && !testing.Short() && allRan(results) {
		t.Errorf("%s doesn't have these results; ADAPTERTEST_UPDATE=1 go test -run %s writes it", file, strings.SplitN(t.Name(), "/", 2)[0])
	}
}

// allRan reports whether no check was left out by -run.
func allRan(results []Result) bool {
	for _, r := range results {
		if !r.Passed && r.Lacks == "" {
			return false
		}
	}
	return true
}

// Checks lists the names of the checks and what each holds, in order.
func Checks() (list []Result) {
	for _, c := range checks {
		list = append(list, Result{Check: c.name, Says: c.says})
	}
	return list
}

func isCheck(name string) bool {
	for _, c := range checks {
		if c.name == name {
			return true
		}
	}
	return false
}
