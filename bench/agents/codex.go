//go:build linux

package agents

import (
	"fmt"

	"github.com/luahook/luahook/bench/agents/fakemodel"
)

func codex() *agent {
	const pkg = "@openai/codex@0.169.0"
	return &agent{
		name:     "codex",
		packages: []string{pkg},
		tool: fakemodel.Tool{Name: "exec_command", Input: func(command string) map[string]any {
			return map[string]any{"cmd": command}
		}},
		configure: func(s *session) error {
			return s.write(".codex/config.toml", fmt.Sprintf(`model = "fake-1"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "%s/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[feedback]
enabled = false
`, s.model.URL()))
		},
		// Codex runs no hook that a person hasn't reviewed in its own window, and has a flag for where that is impossible.
		command: func(s *session) ([]string, error) {
			program, err := s.find(pkg, "@openai/codex-linux-*/vendor/*/bin/codex")
			return []string{program, "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust",
				"--dangerously-bypass-approvals-and-sandbox", prompt}, err
		},
		env: func(*session) []string { return []string{"FAKE_KEY=x"} },
	}
}
