package builtins_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luatest"
)

// TestLua runs the *_test.lua files beside the built-ins, which start them with a hooks.yaml of
// their own; docs/testing.md says what they can call. Programs run: the built-ins ask git.
func TestLua(t *testing.T) {
	homeElsewhere(t)
	files, err := filepath.Glob("*_test.lua")
	if err != nil {
		t.Fatal(err)
	}
	r, err := luatest.Run(t.Context(), luatest.Options{
		Paths: files, Programs: true, Engine: []engine.Option{ample},
		Limits: engine.Limits{Instructions: 1e10, Memory: 1 << 30, Timeout: 5 * time.Minute},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		if f.Error != "" {
			t.Errorf("%s: %s", f.Path, f.Error)
		}
		for _, test := range f.Tests {
			t.Run(strings.TrimSuffix(f.Path, "_test.lua")+"/"+test.Name, func(t *testing.T) {
				if !test.Passed {
					t.Errorf("%s: %s\n%s", test.Failure.Source, test.Failure.Message, strings.Join(test.Printed, "\n"))
				}
			})
		}
	}
}

// homeElsewhere gives the test a home folder of its own.
func homeElsewhere(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for variable, folder := range map[string]string{"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"} {
		t.Setenv(variable, filepath.Join(home, folder))
	}
	return home
}

// started is an engine of a hooks.yaml of the user's, in a project.
type started struct {
	*engine.Engine
	root string
}

// start makes one; home is the folder of [homeElsewhere], and yaml the lines under "hooks".
func start(t *testing.T, home, root, yaml string) *started {
	t.Helper()
	dir := filepath.Join(home, "config", "luahook")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "hooks:\n  " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "hooks.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(ample, engine.WithUserDir(dir), engine.WithProject(engine.Project{Root: root}),
		engine.WithStore(store.NewMemory(0)), engine.WithTasks(task.NewFile(filepath.Join(home, "tasks.jsonl"), root)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	if problems := e.LoadErrors(); len(problems) > 0 {
		t.Fatal(errors.Join(problems...))
	}
	return &started{e, root}
}

// fire fires an event given as JSON has it and returns the result likewise.
func (s *started) fire(t *testing.T, event map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	c, err := hooks.DecodeContext(text, "")
	if err != nil {
		t.Fatal(err)
	}
	if c.CWD == "" {
		c.CWD = s.root
	}
	r, err := s.Fire(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Fatal(fmt.Errorf("%s: %s\n%s", run.Hook, run.Error.Message, run.Error.Traceback))
		}
	}
	if text, err = hooks.EncodeJSON(r); err != nil {
		t.Fatal(err)
	}
	var result map[string]any
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

// writeIn writes a file of a project.
func writeIn(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
