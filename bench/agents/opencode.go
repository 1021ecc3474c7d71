//go:build linux

package agents

import (
	"os"
	"path/filepath"

	"github.com/luahook/luahook/bench/agents/fakemodel"
)

func opencode() *agent {
	const pkg, plugin = "opencode-ai@1.18.33", "@opencode-ai/plugin@1.18.33"
	return &agent{
		name:     "opencode",
		packages: []string{pkg, plugin},
		tool:     fakemodel.Tool{Name: "bash", Input: shellInput},
		configure: func(s *session) error {
			// Where a folder for plugins lacks the package, opencode waits for npm, for over a minute.
			for _, dir := range []string{filepath.Join(s.project, ".opencode"), filepath.Join(s.home, ".config/opencode")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
				for _, name := range []string{"package.json", "package-lock.json", "node_modules"} {
					if err := os.Symlink(filepath.Join(packageDir(s.cache, plugin), name), filepath.Join(dir, name)); err != nil {
						return err
					}
				}
			}
			return s.writeJSON(".config/opencode/opencode.json", object{
				"model": "fake/fake-1", "small_model": "fake/fake-1", "autoupdate": false, "share": "disabled",
				"provider": object{"fake": object{
					"npm": "@ai-sdk/openai-compatible", "name": "fake",
					"options": object{"baseURL": s.model.URL() + "/v1", "apiKey": "x"},
					"models":  object{"fake-1": object{"name": "fake-1"}},
				}},
				"permission": object{"bash": "allow"},
			})
		},
		command: func(s *session) ([]string, error) {
			program, err := s.find(pkg, "opencode-linux-"+npmArch()+"/bin/opencode")
			return []string{program, "run", prompt}, err
		},
		cannot: map[ability]string{goOn: "asks no hook when it wants to end"},
	}
}
