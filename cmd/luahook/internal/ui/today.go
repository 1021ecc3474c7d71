package ui

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Hooks are the hooks in force. The command supplies them, as it alone knows its flags.
type Hooks struct {
	// Engine has them loaded. Nothing is fired at it; it reads them again when they change.
	Engine *engine.Engine
	// Root is that of the project that they are for.
	Root string
	// Folder is where a new script of that project would lie.
	Folder string
	// Surveys looks at how far the hooks of the project, and of those that it lies in, are trusted. It may take a moment.
	Surveys func() ([]*engine.Survey, error)
	// Rehearse makes an engine in which they judge and do nothing else, with other texts in the place of some files. Files
	// that can't be used are no error: the engine tells of them. Its caller closes it.
	Rehearse func(o Rehearsal) (*engine.Engine, *replay.Judge, error)
}

// Rehearsal says how hooks are rehearsed.
type Rehearsal struct {
	Observer engine.Observer   // that is told of runs; or nil
	Edited   map[string]string // texts of files by their path, see [engine.WithEdited]; nil: all are as they are
	Printed  io.Writer         // what scripts print and log, a line for each; or nil
}

// today has the hooks in force judge recorded events. Several goroutines may use it; they take turns.
type today struct {
	hooks Hooks

	mu         sync.Mutex
	engine     *engine.Engine // of the generation; nil: none yet
	judge      *replay.Judge
	generation uint64
	now        *show.Explanation // of the event that is being fired
}

// RunStarted implements [engine.Observer].
func (t *today) RunStarted(context.Context, hooks.Run) {}

// RunCompleted implements [engine.Observer].
func (t *today) RunCompleted(context.Context, hooks.Run) {}

// HookSkipped implements [engine.SkipObserver].
func (t *today) HookSkipped(ctx context.Context, hook engine.HookInfo, why string) {
	t.now.HookSkipped(ctx, hook, why)
}

// explain fires the event of a record at the hooks in force. note is what a hook needed and didn't get, so that it may
// decide in another way in life; left is why the event can't be judged as it was.
func (t *today) explain(ctx context.Context, r *audit.Record) (x *show.Explanation, note, left string, err error) {
	event, why, what := replay.EventOf(r)
	if why != "" {
		text, _ := why.InWords()
		if what != "" {
			text += " (" + what + ")"
		}
		return nil, "", text, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.open(ctx); err != nil {
		return nil, "", "", err
	}
	if event, err = event.Complete(); err != nil {
		return nil, "", "what was recorded is no event", nil
	}
	x = show.NewExplanation()
	t.now = x
	within, _ := engine.Delivering(ctx) // and nothing is noted, as nobody gets the answer
	t.judge.Refusals.Take()
	result, err := t.engine.Fire(within, event)
	if err != nil {
		return nil, "", "", err
	}
	x.Fill(t.engine, event, result)
	if refused := t.judge.Refusals.Take(); len(refused) > 0 {
		note = refused[0]
	}
	return x, note, "", nil
}

// open makes the engine, anew where the hooks in force have changed.
func (t *today) open(ctx context.Context) error {
	generation := t.hooks.Engine.Generation()
	if t.engine != nil && generation == t.generation {
		return nil
	}
	if err := t.closeEngine(ctx); err != nil {
		return err
	}
	e, judge, err := t.hooks.Rehearse(Rehearsal{Observer: t})
	if err != nil {
		return err
	}
	t.engine, t.judge, t.generation = e, judge, generation
	return nil
}

func (t *today) closeEngine(ctx context.Context) error {
	if t.engine == nil {
		return nil
	}
	err := t.engine.Close(ctx)
	t.engine = nil
	return err
}

// close ends it.
func (t *today) close(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hooks.Rehearse = func(Rehearsal) (*engine.Engine, *replay.Judge, error) {
		return nil, nil, errors.New("the page is being ended")
	}
	return t.closeEngine(ctx)
}
