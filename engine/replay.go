package engine

import (
	"context"

	"github.com/luahook/luahook/hooks"
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
