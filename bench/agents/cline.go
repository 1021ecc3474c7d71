//go:build linux

package agents

import "github.com/luahook/luahook/bench/agents/fakemodel"

func cline() *agent {
	const pkg = "cline@3.0.65"
	return &agent{
		name:     "cline",
		packages: []string{pkg},
		tool: fakemodel.Tool{Name: "run_commands", Input: func(command string) map[string]any {
			return map[string]any{"commands": []any{command}}
		}},
		configure: func(*session) error { return nil }, // cline auth, in the command
		command: func(s *session) ([]string, error) {
			program, err := s.find(pkg, "@cline/cli-linux-*/bin/cline")
			return []string{"sh", "-c", `"$1" auth -p openai -k x -m fake-1 -b "$2" && "$1" -P openai -m fake-1 "$3"`,
				"sh", program, s.model.URL() + "/v1", prompt}, err
		},
		cannot: map[ability]string{
			tellWhy: "ends the whole run where a call is denied, and the model hears nothing",
			replace: "shows the model each tool's output as it is",
			goOn:    "asks no hook when it wants to end",
		},
	}
}
