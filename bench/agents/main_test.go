//go:build linux

package agents

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The environment of these tests.
const (
	namesVariable = "LUAHOOK_AGENTS"       // which agents to run, separated by commas, or all
	cacheVariable = "LUAHOOK_AGENTS_CACHE" // where they are installed; default: luahook-agents in the user's cache folder
	workVariable  = "LUAHOOK_AGENTS_WORK"  // set by the tests themselves where there is no network: the folder of the run
)

// TestMain installs what is asked for, while there is a network, and runs the tests where there is none.
func TestMain(m *testing.M) {
	if os.Getenv(namesVariable) == "" || os.Getenv(workVariable) != "" {
		os.Exit(m.Run())
	}
	status, err := prepareAndRun()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		status = 1
	}
	os.Exit(status)
}

func prepareAndRun() (status int, err error) {
	chosen, err := chosenAgents()
	if err != nil {
		return 0, err
	}
	if err := tryNamespaces(); err != nil {
		fmt.Println("SKIP:", err)
		return 0, nil
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	work, err := os.MkdirTemp("", "agents-")
	if err != nil {
		return 0, err
	}
	defer func() {
		if gone := os.RemoveAll(work); err == nil {
			err = gone
		}
	}()
	build := exec.Command("go", "build", "-o", luahookFile(work), "./cmd/luahook")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building luahook: %w: %s", err, tail(out))
	}
	for _, a := range chosen {
		if failed := install(cache, a); failed != nil {
			if err := os.WriteFile(missingFile(work, a), []byte(failed.Error()), 0o644); err != nil {
				return 0, err
			}
		}
	}
	return runAlone(workVariable+"="+work, cacheVariable+"="+cache, "TMPDIR="+work)
}

// luahookFile is the program.
func luahookFile(work string) string { return filepath.Join(work, "luahook") }

// missingFile says why an agent couldn't be installed.
func missingFile(work string, a *agent) string { return filepath.Join(work, a.name+".missing") }

func cacheDir() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "luahook-agents"), err
}

// chosenAgents are those that the environment names.
func chosenAgents() ([]*agent, error) {
	value := os.Getenv(namesVariable)
	if value == "all" {
		return agents(), nil
	}
	var chosen []*agent
	for name := range strings.SplitSeq(value, ",") {
		i := slices.IndexFunc(agents(), func(a *agent) bool { return a.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no agent %q; there are codex, gemini, qwen, opencode and cline", namesVariable, name)
		}
		chosen = append(chosen, agents()[i])
	}
	return chosen, nil
}

// TestAgents runs every scenario with every agent that was asked for.
func TestAgents(t *testing.T) {
	if os.Getenv(namesVariable) == "" {
		t.Skip("runs real agents, which takes npm, root and some minutes; set " + namesVariable + " as README.md says")
	}
	if err := raiseLoopback(); err != nil {
		t.Fatal(err)
	}
	work, cache := os.Getenv(workVariable), os.Getenv(cacheVariable)
	chosen, err := chosenAgents()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range chosen {
		t.Run(a.name, func(t *testing.T) {
			why, err := os.ReadFile(missingFile(work, a))
			if err == nil {
				t.Skipf("%s can't be installed here: %s", a.name, why)
			}
			for _, scenario := range scenarios() {
				t.Run(scenario.name, func(t *testing.T) {
					show(t, a, scenario, cache, luahookFile(work))
				})
			}
		})
	}
}
