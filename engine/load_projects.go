package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// projects are the hooks of projects that belong to a reading. What they are is a
// stranger's word, so their files are not touched before the guards of the higher scopes
// have decided on an event: the first event that gets as far has them loaded, once, while
// others that need them wait with their own contexts.
type projects struct {
	load  func() *loaded
	begin sync.Once
	done  chan struct{} // closed when they are loaded
	whole *loaded       // the reading with them; not before done is closed

	mu      sync.Mutex
	retired *pool.Pool // where the reading was retired before they were loaded
}

func newProjects(load func() *loaded) *projects {
	return &projects{load: load, done: make(chan struct{})}
}

// get loads the projects' hooks, unless that was done, and gives the reading with them. It
// waits as long as ctx lets it. The loading doesn't end with ctx, or a host with little
// patience would begin it again with each event; it has bounds of its own, and Close waits
// for it.
func (p *projects) get(ctx context.Context, a *activity) (*loaded, error) {
	p.begin.Do(func() {
		if !a.begin() { // then Close waits for who asks
			p.run()
			return
		}
		go func() {
			defer a.end()
			p.run()
		}()
	})
	select {
	case <-p.done:
		return p.whole, nil
	default:
	}
	select {
	case <-p.done:
		return p.whole, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// loaded is the reading with the projects' hooks, nil where nobody has needed them yet.
func (p *projects) loaded() *loaded {
	select {
	case <-p.done:
		return p.whole
	default:
		return nil
	}
}

func (p *projects) run() {
	whole := p.load()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whole = whole
	if p.retired != nil {
		whole.retire(p.retired)
	}
	close(p.done)
}

// retire frees the hooks; those that are still being loaded go as soon as they are.
func (p *projects) retire(from *pool.Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole != nil {
		p.whole.retire(from)
	}
	p.retired = from
}

// projects reads and loads the hooks of projects, and gives all that was loaded. They
// share what loading may take.
func (r *loader) projects(ctx context.Context) (whole *loaded) {
	folders := r.engine.options.folders
	own := &loader{
		engine: r.engine, ctx: ctx, old: r.old, why: r.why, result: newLoaded(len(folders)), modules: r.modules, words: r.words,
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

// with is what was loaded together with the hooks of projects.
func (l *loaded) with(projects *loaded) *loaded {
	whole := *l
	whole.projects = nil
	whole.hooks = slices.Concat(l.hooks, projects.hooks)
	whole.loadErrors = slices.Concat(l.loadErrors, projects.loadErrors)
	whole.scripts = slices.Concat(l.scripts, projects.scripts)
	whole.warnings = slices.Concat(l.warnings, projects.warnings)
	whole.gone = slices.Concat(l.gone, projects.gone)
	whole.until = source.Earlier(l.until, projects.until)
	whole.pins, whole.differences, whole.unsure = projects.pins, projects.differences, l.unsure || projects.unsure
	whole.folders, whole.sums = slices.Clone(l.folders), slices.Clone(l.sums)
	for i, c := range projects.folders {
		if c != nil {
			whole.folders[i], whole.sums[i] = c, projects.sums[i]
		}
	}
	whole.content = maps.Clone(l.content)
	for scope, content := range projects.content {
		whole.content[scope] = trust.Hash([]byte(whole.content[scope] + content))
	}
	return &whole
}

// now is the reading with the projects' hooks, where they are loaded.
func (l *loaded) now() *loaded {
	if l.projects != nil {
		if whole := l.projects.loaded(); whole != nil {
			return whole
		}
	}
	return l
}

// all is the reading with the projects' hooks, which are loaded for that.
func (l *loaded) all(ctx context.Context, a *activity) (*loaded, error) {
	if l.projects == nil {
		return l, ctx.Err()
	}
	return l.projects.get(ctx, a)
}

// planKey is the key under which the context of an event has its plan.
type planKey struct{}

// planOf is the plan of the event that ctx belongs to, else the one in force: a Reload in the
// middle of an event changes nothing about it.
func (e *Engine) planOf(ctx context.Context) *plan {
	if f, ok := ctx.Value(planKey{}).(*eventContext); ok && f.engine == e {
		return f.plan
	}
	return e.currentPlan()
}

// currentPlan is the plan in force, with the projects' hooks where they are loaded.
func (e *Engine) currentPlan() *plan {
	p := e.plan.Load()
	if p.projects != nil && p.projects.loaded() != nil {
		return e.withProjects(p)
	}
	return p
}

// withProjects is the plan with the projects' hooks, which are loaded.
func (e *Engine) withProjects(p *plan) *plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p.whole == nil {
		p.whole = buildPlan(p.projects.whole, p.goHooks, p.notices, p.generation, e.depth)
		e.plan.CompareAndSwap(p, p.whole)
	}
	return p.whole
}

// addProject puts the projects' hooks behind those that have decided so far, for the event
// that is the first to need them. Nobody needs them once it is denied.
func (f *firing) addProject(ctx context.Context) {
	if f.denied != nil && f.denied.loadError == nil && (f.info.Output == "" || f.withheld != "") { // see stopped
		return
	}
	_, err := f.plan.projects.get(ctx, &f.engine.active)
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
