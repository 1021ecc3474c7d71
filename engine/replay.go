package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// Replay says how far hooks may go that are only asked what they decide; see [WithReplay].
type Replay struct {
	// Runs lets command hooks, async hooks and the effects of Lua hooks be.
	Runs bool
	// Refused is told what kept a hook from judging as it would: the function whose result it wanted, or the command
	// hook. It is called during Fire, on several goroutines at once where hooks run side by side. Async hooks, which
	// decide nothing, it isn't told of. nil: nobody is.
	Refused func(what string)
}

// WithReplay has the hooks judge and do nothing else, as for events that have happened long ago:
//
//   - command hooks and async hooks are skipped
//   - what Lua hooks would do beside answering, such as to start programs, send requests and write files, isn't
//     done; where a hook looks at what comes of it, the call raises an error
//   - stores and trackers that a hooks.yaml names aren't opened: [WithStore] and [WithTasks] say what there is
//
// They read files and git's repository as ever.
func WithReplay(r Replay) Option {
	return func(o *options) error { o.replay = &r; return nil }
}

// WithEdited has hooks loaded as if files had other texts, by their absolute paths: scripts and libraries of the folders
// that hooks are read from, those that hooks.yaml lists included, and scripts that would lie in such a folder and aren't
// there yet. What no folder would read has no effect. Files stay as they are; hooks.yaml, modes, limits and the order of
// hooks do, too.
//
// A script that is edited counts as trusted, and nothing is granted to it; where a library is edited, nothing is to any
// script of its folder. So the option goes with [WithReplay] alone, without Runs: [New] refuses it otherwise.
func WithEdited(texts map[string]string) Option {
	return func(o *options) error {
		for path, text := range texts {
			switch {
			case !filepath.IsAbs(path):
				return fmt.Errorf("WithEdited: %s is a relative path", path)
			case len(text) > compile.MaxSourceBytes:
				return fmt.Errorf("WithEdited: the text of %s is longer than a script may be (%d bytes)", path, compile.MaxSourceBytes)
			}
		}
		o.edited = maps.Clone(texts)
		return nil
	}
}

// checkEdited says why texts may not be edited.
func (o *options) checkEdited() error {
	if len(o.edited) > 0 && !o.replay.withheld() {
		return errors.New("WithEdited: the engine isn't one of WithReplay that runs nothing, and edited hooks may only judge")
	}
	return nil
}

// withheld reports whether what hooks do isn't done.
func (r *Replay) withheld() bool { return r != nil && !r.Runs }

// Refuse implements [lib.Replay].
func (r *Replay) Refuse(what string) {
	if r.Refused != nil {
		r.Refused(what)
	}
}

// replaying is the context for what is loaded, or fired, in a replay.
func (e *Engine) replaying(ctx context.Context) context.Context {
	if e.options.replay.withheld() {
		return context.WithValue(ctx, lib.ReplayKey{}, lib.Replay(e.options.replay))
	}
	return ctx
}

// replaySkip is why a hook that would run doesn't; nil: it does.
func (f *firing) replaySkip(e *hook) *hooks.Error {
	switch r := f.engine.options.replay; {
	case !r.withheld():
	case e.mode == hooks.ModeAsync:
		return &hooks.Error{Kind: hooks.KindHost, Message: "skipped: async hooks don't run in a replay"}
	case e.command != nil:
		r.Refuse("command hook " + e.options.Name)
		return &hooks.Error{Kind: hooks.KindHost, Message: "skipped: command hooks don't run in a replay"}
	}
	return nil
}
