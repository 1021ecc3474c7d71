package engines

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/bench/policy"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The guard of commands, in a loop and by a function of luahook's, and that of outputs.
var (
	//go:embed luahook.lua
	commandsScript string
	//go:embed luahook_contains.lua
	containsScript string
	//go:embed luahook_outputs.lua
	outputsScript string
)

// Luahook is an engine of luahook whose hooks are files in a folder, as in a project, with all limits at their
// defaults. It makes the whole Result, including the summary.
type Luahook struct {
	*engine.Engine
	dir string // ours to remove
}

// Patient raises the time limit, which is wall-clock time: on a busy machine even loading a small file can take
// longer than the usual second. It doesn't slow down a run.
var Patient = engine.WithLimits(engine.Limits{Timeout: time.Minute})

func newLuahook() (Guard, error) { return NewLuahook([]string{commandsScript + outputsScript}) }

func newLuahookContains() (Guard, error) { return NewLuahook([]string{containsScript + outputsScript}) }

// NewLuahook loads scripts, each as a file of its own, in order.
func NewLuahook(scripts []string, options ...engine.Option) (*Luahook, error) {
	dir, err := WriteHooks(scripts)
	if err != nil {
		return nil, err
	}
	options = append(options, engine.WithoutBuiltins(), engine.WithHooksDir(filepath.Join(dir, ".hooks"), dir))
	e, err := engine.New(options...)
	if err == nil {
		if err = errors.Join(e.LoadErrors()...); err == nil {
			return &Luahook{e, dir}, nil
		}
		err = errors.Join(err, e.Close(context.Background()))
	}
	return nil, errors.Join(err, os.RemoveAll(dir))
}

// WriteHooks writes scripts to the folder .hooks of a new temporary folder, which the caller removes.
func WriteHooks(scripts []string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "luahook-bench-"); err != nil {
		return "", err
	}
	if err = os.Mkdir(filepath.Join(dir, ".hooks"), 0o755); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	for i, text := range scripts {
		if err = os.WriteFile(filepath.Join(dir, ".hooks", fmt.Sprintf("hook%04d.lua", i)), []byte(text), 0o644); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// Prepare makes the event in the form of an agent that embeds luahook.
func (l *Luahook) Prepare(e *policy.Event) (Judge, error) {
	event := HookEvent(e)
	return func() (policy.Decision, error) {
		r, err := l.Fire(context.Background(), event)
		if err != nil {
			return policy.Decision{}, err
		}
		d := policy.Decision{Block: r.Block, Reason: r.Reason}
		d.Output, _ = r.Output.(string)
		return d, nil
	}, nil
}

// NoHook fires an event that none of the scripts has a hook for.
func (l *Luahook) NoHook() func() error {
	event := &hooks.Context{Event: hooks.SessionStart, SessionID: "s-1", CWD: "/work/project"}
	return func() error {
		r, err := l.Fire(context.Background(), event)
		if err == nil && len(r.Summary().Runs) > 0 {
			err = errors.New("a hook ran")
		}
		return err
	}
}

// HookEvent returns the event in luahook's form, for an agent that gives its working folder.
func HookEvent(e *policy.Event) *hooks.Context {
	c := &hooks.Context{
		Event: hooks.Event(e.Name), SessionID: "s-1", CWD: "/work/project",
		ToolCall: &hooks.ToolCall{ID: e.Tool.ID, Name: e.Tool.Name, Input: e.Tool.Input},
	}
	if e.Tool.Output != "" {
		c.ToolCall.Output = e.Tool.Output
		c.ToolCall.Outcome = hooks.OutcomeOK
	}
	return c
}

// Close ends the engine and removes its hooks.
func (l *Luahook) Close() error {
	return errors.Join(l.Engine.Close(context.Background()), os.RemoveAll(l.dir))
}
