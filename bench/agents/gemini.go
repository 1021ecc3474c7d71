//go:build linux

package agents

import "github.com/luahook/luahook/bench/agents/fakemodel"

// shellInput is what the shell tools of Gemini, Qwen and opencode take.
func shellInput(command string) map[string]any {
	return map[string]any{"command": command, "description": "runs it"}
}

func gemini() *agent {
	const pkg = "@google/gemini-cli@0.61.0"
	return &agent{
		name:     "gemini",
		packages: []string{pkg},
		tool:     fakemodel.Tool{Name: "run_shell_command", Input: shellInput},
		configure: func(s *session) error {
			return s.writeJSON(".gemini/settings.json", object{
				"security":  object{"auth": object{"selectedType": "gemini-api-key"}, "folderTrust": object{"enabled": false}},
				"general":   object{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
				"privacy":   object{"usageStatisticsEnabled": false},
				"telemetry": object{"enabled": false},
			})
		},
		command: func(s *session) ([]string, error) {
			program, err := s.find(pkg, ".bin/gemini")
			return []string{"node", program, "-y", "-m", "gemini-2.5-pro", "-p", prompt}, err
		},
		env: func(s *session) []string {
			return []string{
				"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + s.model.URL(), "GEMINI_CLI_NO_RELAUNCH=true",
				"GEMINI_CLI_TRUST_WORKSPACE=true",
			}
		},
	}
}
