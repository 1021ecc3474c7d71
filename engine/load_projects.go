package engine

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

// projects reads and loads the hooks of projects, and gives all that was loaded. They
// share what loading may take.
func (r *loader) projects(ctx context.Context) (whole *loaded) {
	folders := r.engine.options.folders
	own := &loader{
		engine: r.engine, ctx: r.engine.replaying(ctx), old: r.old, why: r.why, result: newLoaded(len(folders)), modules: r.modules, words: r.words,
		contents: slices.Clone(r.contents), tasks: r.tasks,
	}
	defer func() {
		if p := recover(); p != nil { // a mistake of ours, which must not look like a project without hooks
			r.engine.logPanic(own.ctx, "loading the project", p)
			err := &hooks.Error{Kind: hooks.KindLoad, Source: "the project", Message: fmt.Sprintf("loading it panicked: %v", p), Traceback: string(debug.Stack())}
			own.result.fail(hooks.ScopeProject, hooks.Block, err)
		}
		whole = r.result.with(own.result)
	}()
	l := source.NewBudget(r.loadingLimit())
	for i, f := range folders {
		if f.Confined {
			own.folder(own.read(i, f, l))
		}
	}
	return
}

// addProject puts the projects' hooks behind those that have decided so far, for the event
// that is the first to need them. Nobody needs them once it is denied.
func (f *firing) addProject(ctx context.Context) {
	if f.denied != nil && f.denied.loadError == nil && (f.info.Output == "" || f.withheld != "") { // see stopped
		return
	}
	_, err := f.plan.projects.get(ctx, &f.engine.active)
	f.ended = f.look()
	if err == nil {
		f.plan = f.engine.withProjects(f.plan)
		f.hooks = f.plan.at(f.event.Event).hooks
	} else if policy := cmp.Or(f.engine.options.onFailure, hooks.Block); f.info.Guards && policy != hooks.Ignore {
		failure := gaveUp(ctx, "the caller gave up while the project's hooks were being loaded")
		failure.Kind, failure.Source = hooks.KindLoad, "the project"
		f.hooks = append(slices.Clone(f.hooks), &hook{
			event: f.event.Event, options: hooks.Options{Name: "load", OnFailure: policy}, scope: hooks.ScopeProject,
			source: failure.Source, handler: hooks.HandlerLua, mode: hooks.ModeSync, order: len(f.hooks) + 1,
			loadError: &loadError{scope: hooks.ScopeProject, err: failure, policy: policy},
		})
	}
	if f.seen != nil {
		f.seen = append(f.seen, make([]int, len(f.hooks)-len(f.seen))...)
	}
}

// aboveProjects is how many of the entries belong to a scope above that of projects.
func aboveProjects(entries []*hook) int {
	n := slices.IndexFunc(entries, func(e *hook) bool { return e.scope == hooks.ScopeProject })
	if n < 0 {
		return len(entries)
	}
	return n
}
