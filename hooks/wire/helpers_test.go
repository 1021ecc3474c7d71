package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/luahook/luahook/hooks"
)

// golden is a file of testdata that holds an agent against an event; see [TestGoldens].
type golden struct {
	agent    *Agent
	name     string // of the file
	event    []byte
	command  string // what the command line calls the event; "" where the JSON says it
	sections []section
}

// section is a part of a golden: a line "-- NAME --" and what follows it.
type section struct {
	Name string
	Data []byte
}

// sectionsOf parts the text of a golden. What stands before the first section is a comment.
func sectionsOf(text string) (all []section) {
	for line := range strings.Lines(text) {
		name, isHead := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
		name, isClosed := strings.CutSuffix(name, " --")
		switch {
		case isHead && isClosed:
			all = append(all, section{Name: name})
		case len(all) > 0:
			last := &all[len(all)-1]
			last.Data = append(last.Data, line...)
		}
	}
	return all
}

// goldensOf reads all goldens of an agent.
func goldensOf(t testing.TB, agent *Agent) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/" + agent.Name + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens of %s: %v", agent.Title, err)
	}
	var all []golden
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := golden{agent: agent, name: strings.TrimSuffix(filepath.Base(file), ".txtar"), sections: sectionsOf(string(text))}
		for _, s := range g.sections {
			switch s.Name {
			case "event":
				g.event = s.Data
			case "name":
				g.command = strings.TrimSpace(string(s.Data))
			}
		}
		all = append(all, g)
	}
	return all
}

// call decodes the event of a golden.
func (g golden) call(t testing.TB) *Call {
	t.Helper()
	return decoded(t, g.agent, string(g.event), g.command)
}

// callOfGolden decodes the event of the golden with that name.
func callOfGolden(t testing.TB, agent *Agent, name string) *Call {
	t.Helper()
	for _, g := range goldensOf(t, agent) {
		if g.name == name {
			return g.call(t)
		}
	}
	t.Fatalf("%s has no golden %s", agent.Title, name)
	return nil
}

// decoded is a call that must be readable.
func decoded(t testing.TB, agent *Agent, event, name string) *Call {
	t.Helper()
	call, err := agent.Decode([]byte(event), name)
	if err != nil {
		t.Fatalf("%s: %s: %v", agent.Title, event, err)
	}
	return call
}

func shown(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// equalJSON compares two texts as JSON.
func equalJSON(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("%s is no JSON (%v): %s", what, err, got)
		return
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatalf("%s: the golden is no JSON: %v\n%s", what, err, want)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s:\n got %s\nwant %s", what, bytes.TrimSpace(got), bytes.TrimSpace(want))
	}
}

// shared is the folder of reference data, "" with a word where it isn't there.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "reference", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s isn't there", dir)
	}
	return dir
}

// anyResult draws a result such as hooks give, and others.
func anyResult(t *rapid.T) *hooks.Result {
	nasty := []string{"", "", " \n\t", "\u00a0\u2003", "no", "line\nline", `"quoted" \ <&>`, "\x00\x1b[31m\xff"}
	text := rapid.OneOf(rapid.SampledFrom(nasty), rapid.String())
	value := rapid.OneOf(rapid.Map(text, func(s string) any { return s }),
		rapid.SampledFrom([]any{nil, int64(1), true, []any{"ls"}, map[string]any{"a": "b"}, map[string]any{}}))
	r := &hooks.Result{
		Decision:   rapid.SampledFrom([]hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny}).Draw(t, "decision"),
		Reason:     text.Draw(t, "reason"),
		NewContext: text.Draw(t, "context"), SystemMessage: text.Draw(t, "message"), Halt: rapid.Bool().Draw(t, "halt"),
		SuppressOutput: rapid.Bool().Draw(t, "suppress"), Output: value.Draw(t, "output"),
	}
	if r.Halt {
		r.StopReason = text.Draw(t, "stop")
	}
	if rapid.Bool().Draw(t, "rewrites") {
		key := rapid.SampledFrom([]string{"command", "command", "cmd", "workdir", "prompt", "name"})
		r.Input = rapid.MapOfN(key, value, 0, 3).Draw(t, "input")
	}
	if rapid.Bool().Draw(t, "warns") {
		r.Warnings = []string{text.Draw(t, "warning")}
	}
	r.Block = r.Decision == hooks.Deny
	return r
}
