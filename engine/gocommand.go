package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

// Command is a command hook as a Go value, like an entry of hooks.yaml with command. It is told
// of the event as JSON on stdin and in LUAHOOK_ variables, and answers as docs/commands.md says.
type Command struct {
	Command      string   // for `sh -c`; with Args, the program
	Args         []string // its arguments, without a shell; nil: there is a shell
	Env          []string // "NAME=value", in place of the process's environment; nil: that. LUAHOOK_ variables come to it
	Dir          string   // absolute: where it runs; "": the project's root, or the current folder
	InjectOutput bool     // plain text on stdout is context for the model
}

// WithCommand adds a command hook for an event, in any spelling, in the embedder's scope, where
// it is ordered as a Go hook is. It is trusted as the embedder's own. Options are those of
// hooks.yaml: its time is 30 s where there is no Timeout. Where an engine's process is the child
// of a hook it doesn't run, as no command hook does.
func WithCommand(event hooks.Event, o hooks.Options, c Command) Option {
	var where string
	if _, file, line, ok := runtime.Caller(1); ok {
		where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	return func(given *options) error {
		name, err := hooks.ParseEvent(string(event))
		if err != nil {
			return err
		}
		made, err := command.New(c.Command, c.Args)
		if err == nil && c.Dir != "" && !filepath.IsAbs(c.Dir) {
			err = fmt.Errorf("its folder %q is a relative path", c.Dir)
		}
		if err == nil {
			err = checkEnv(c.Env)
		}
		if err == nil {
			err = o.Match.Check(hooks.Lookup(name))
		}
		switch {
		case err != nil:
		case o.Timeout < 0:
			err = errors.New("its timeout is negative")
		case o.Mode == hooks.ModeAsync && (o.OnFailure == hooks.Block || c.InjectOutput):
			err = errors.New("an async hook observes while the event goes on, so it can neither block nor add context")
		case o.OnFailure != "":
			_, err = hooks.ParsePolicy(string(o.OnFailure))
		}
		if err == nil && o.Mode != "" {
			_, err = hooks.ParseMode(string(o.Mode))
		}
		if err != nil {
			return fmt.Errorf("WithCommand: %w", err)
		}
		o.Timeout = cmp.Or(o.Timeout, commandTimeout)
		o.Name = source.Plain(cmp.Or(o.Name, commandName(&source.Hook{Hook: config.Hook{Command: c.Command, Args: c.Args}})))
		given.commands = append(given.commands, hook{
			event: name, options: o, scope: hooks.ScopeEmbedder, source: where, handler: hooks.HandlerCommand,
			command: made, env: c.Env, dir: c.Dir, inject: c.InjectOutput, spelling: string(event),
		})
		return nil
	}
}

// checkEnv refuses what is no environment.
func checkEnv(env []string) error {
	for _, e := range env {
		name, _, ok := strings.Cut(e, "=")
		switch {
		case !ok || name == "":
			return fmt.Errorf("its environment has %q, want NAME=value", e)
		case strings.IndexByte(e, 0) >= 0:
			return fmt.Errorf("there is a NUL byte in %s of its environment", name)
		}
	}
	return nil
}

// goCommands adds the embedder's command hooks.
func (r *loader) goCommands() {
	if o := r.engine.options.rehearsal; o != nil && !o.Commands {
		return
	}
	for _, h := range r.engine.options.commands {
		e := h
		r.finish(&e, scriptSpec{scope: hooks.ScopeEmbedder})
		r.warnNeverRuns(&e)
		if e.dir == "" && r.engine.options.root == "" {
			e.dir, _ = filepath.Abs(".") // where there is none, nothing starts, which says so
		}
		r.result.hooks = append(r.result.hooks, &e)
	}
}
