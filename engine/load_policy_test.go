package engine_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What a file that doesn't load means follows on_failure as every other failure does:
// of the entry, of the file, of the engine, else block.
func TestPolicyOfWhatDoesNotLoad(t *testing.T) {
	warn, ignore := engine.WithOnFailure(hooks.Warn), engine.WithOnFailure(hooks.Ignore)
	tests := []struct {
		name    string
		options []engine.Option
		files   string
		want    hooks.Policy
	}{
		{"nobody says anything", nil, "-- .hooks/a.lua --\non(\n", "block"},
		{"the file says warn", nil, "-- .hooks/hooks.yaml --\nhooks: {on_failure: warn}\n-- .hooks/a.lua --\non(\n", "warn"},
		{"the file says ignore", nil, "-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore}\n-- .hooks/a.lua --\non(\n", "ignore"},
		{"the engine says warn", []engine.Option{warn}, "-- .hooks/a.lua --\non(\n", "warn"},
		{"the file is nearer than the engine", []engine.Option{ignore}, "-- .hooks/hooks.yaml --\nhooks: {on_failure: block}\n-- .hooks/a.lua --\non(\n", "block"},
		{"the entry is nearest", []engine.Option{ignore}, "-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore, pre_tool_call: [{script: .hooks/a.lua, on_failure: block}]}\n-- .hooks/a.lua --\non(\n", "block"},
		{"the entry says warn", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.lua, on_failure: warn}]}\n-- .hooks/a.lua --\non(\n", "warn"},
		{"the stricter of two entries", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.lua, on_failure: warn}, {script: .hooks/a.lua}]}\n-- .hooks/a.lua --\non(\n", "block"},
		{"an entry of another event", nil, "-- .hooks/hooks.yaml --\nhooks: {on_error: [{script: .hooks/a.lua}]}\n-- .hooks/a.lua --\non(\n", "block"},
		{"a script that isn't there", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.lua, on_failure: warn}]}\n", "warn"},
		{"a script that is not there, nobody says anything", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.lua}]}\n", "block"},
		{"a command that isn't there", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.sh, on_failure: ignore}]}\n", "ignore"},
		{"a built-in with a wrong option", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{builtin: safety-guard, with: {levle: 1}, on_failure: warn}]}\n", "warn"},
		{"a mistake in hooks.yaml", nil, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_cal: []}\n", "block"},
		{"a mistake in hooks.yaml that says warn", nil, "-- .hooks/hooks.yaml --\nhooks: {on_failure: warn, pre_tool_cal: []}\n", "warn"},
		{"hooks.yaml isn't YAML", nil, "-- .hooks/hooks.yaml --\nhooks: {on_failure: warn\n", "block"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			options := tt.options
			if !strings.Contains(tt.files, "builtin") {
				options = append(options, engine.WithoutBuiltins())
			}
			e, err := engine.New(append(options, engine.WithProject(engine.Project{Root: tree(t, tt.files)}))...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close(t.Context()) })
			if len(e.LoadErrors()) == 0 {
				t.Error("there is no problem")
			}
			r := fire(t, e, bash("ls"))
			failed := 0
			for _, run := range r.Summary().Runs {
				if run.Status == hooks.StatusFailed {
					equal(t, "the kind", run.Error.Kind, hooks.KindLoad)
					failed++
				}
			}
			equal(t, "failed runs", failed, 1)
			equal(t, "blocked", r.Block, tt.want == hooks.Block)
			equal(t, "warnings", len(r.Warnings) > 0, tt.want != hooks.Ignore)
		})
	}
}
