//go:build linux

package agents

import "github.com/luahook/luahook/bench/agents/fakemodel"

func qwen() *agent {
	const pkg = "@qwen-code/qwen-code@0.24.4"
	node := "node-linux-" + npmArch() + "@22.23.3" // what npm's package node would fetch in its install script
	return &agent{
		name:     "qwen",
		packages: []string{pkg, node},
		tool: fakemodel.Tool{Name: "run_shell_command", Input: func(command string) map[string]any {
			input := shellInput(command)
			input["is_background"] = false
			return input
		}},
		configure: func(s *session) error {
			return s.writeJSON(".qwen/settings.json", object{
				"security":  object{"auth": object{"selectedType": "openai"}, "folderTrust": object{"enabled": false}},
				"general":   object{"enableAutoUpdate": false, "disableAutoUpdate": true},
				"model":     object{"name": "fake-1"},
				"privacy":   object{"usageStatisticsEnabled": false},
				"telemetry": object{"enabled": false},
			})
		},
		command: func(s *session) ([]string, error) {
			program, err := s.find(pkg, "@qwen-code/qwen-code/cli-entry.js")
			if err != nil {
				return nil, err
			}
			run, err := s.find(node, "node-linux-*/bin/node")
			return []string{run, program, "-y", "-p", prompt}, err
		},
		env: func(s *session) []string {
			return []string{
				"OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + s.model.URL() + "/v1", "OPENAI_MODEL=fake-1",
				"QWEN_CODE_NO_RELAUNCH=true",
			}
		},
		cannot: map[ability]string{rewrite: "runs no call with other arguments, so that luahook denies it"},
	}
}
