package engine

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/hooks"
)

// plan is what the engine does for each event. It never changes; a reload, a registration
// or the loading of the projects' hooks makes a new one.
type plan struct {
	generation  uint64
	events      map[hooks.Event]*eventPlan // those of the catalogue, and the embedder's own that have hooks
	loadErrors  []*loadError
	warnings    []string // of faults and of what isn't trusted, told with every result
	store       string   // that hooks.yaml names; "": none
	record      string   // what the log keeps of events; "": not said
	countsLoops bool     // some hook may keep the agent from stopping

	projects *projects // whose hooks are not in the plan yet; nil: all are
	goHooks  []*hook
	notices  []string // warnings
	whole    *plan    // this one with them; guarded by the engine's mu

	policy func() string // the digest of [Policy]
}

// eventPlan is what the engine does for one event.
type eventPlan struct {
	info    *hooks.EventInfo
	hooks   []*hook
	nothing atomic.Pointer[hooks.Result] // see [plan.noOpinion]
}

// hook is one hook in a plan.
type hook struct {
	// What each event looks at.
	order     int          // place in the plan of its event, from 1
	mode      hooks.Mode   // how it runs beside the others; the plan fills it in
	skip      *hooks.Error // why it must not run at all
	loadError *loadError   // of a file that can't be used; it fails whatever the event
	fn        hooks.Func
	command   *command.Command
	script    *pool.Script  // of a Lua hook
	index     int           // of its registration
	builtin   bool          // it is one of ours, which may ask for overrides
	within    time.Duration // of the whole event, this hook included; 0: the plan fills it in
	scope     hooks.Scope
	untrusted string // why it may only deny, ask and inform; "": it may do all
	options   hooks.Options

	event   hooks.Event
	handler hooks.Handler
	file    string // orders the hooks of one scope and priority
	source  string // file:line
	key     string // tells it from all others, also in the next generation

	inject   bool     // what the command prints is context
	env      []string // of a command, in place of the process's; nil: that
	dir      string   // where a command runs; "": in the project's root
	root     string   // of a project around, whose hook it is; "": that of the engine
	around   int      // how far out that is
	spelling string   // how hooks.yaml calls the event of a command

	followups  int           // how often it may keep the agent from stopping
	trustedMax time.Duration // see [HookInfo]
	maxFrom    string
	still      func() error // whether what the command runs is still what was trusted; may be nil
}

// longest is how long one run of the hook may take, 0 where it says nothing.
func (e *hook) longest() time.Duration {
	if e.script != nil {
		return min(e.options.Timeout, e.script.Environment.Limits.Timeout)
	}
	return e.options.Timeout
}

// loadError is a script or hooks.yaml that can't be used.
type loadError struct {
	scope  hooks.Scope
	events []hooks.Event // under which hooks.yaml lists it, and which must not go on without it
	paths  []string      // absolute: the files to edit to fix it; none for what is no file
	err    *hooks.Error
	policy hooks.Policy // what that means
}

// files are what is at fault: its paths, or where it is no file what messages call it.
func (f *loadError) files() []string {
	if len(f.paths) > 0 {
		return f.paths
	}
	return []string{trailingPosition().ReplaceAllString(f.err.Source, "")}
}

// trailingPosition is the line and column at the end of a source.
var trailingPosition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(:\d+)+$`) })

// buildPlan puts everything in order: scope, then priority, then file, then
// registration. A faulty file comes last in its scope, so that the hooks beside it
// still speak first.
// pending are warnings beside those of l.
func buildPlan(l *loaded, goHooks []*hook, pending []string, generation uint64, depth int) *plan {
	p := &plan{
		generation: generation, loadErrors: l.loadErrors, store: l.store, record: l.record, events: map[hooks.Event]*eventPlan{},
		projects: l.projects, goHooks: goHooks, notices: pending, countsLoops: l.projects != nil,
	}
	for _, info := range hooks.Events() {
		p.events[info.Name] = &eventPlan{info: info}
	}
	all := append(slices.Clone(l.hooks), goHooks...)
	for _, f := range l.loadErrors {
		if f.policy != hooks.Ignore {
			p.warnings = append(p.warnings, "not loaded: "+f.err.Brief())
		}
		for _, info := range hooks.Events() {
			if info.Guards || f.policy == hooks.Block && (info.Output != "" || slices.Contains(f.events, info.Name)) {
				all = append(all, &hook{
					event: info.Name, options: hooks.Options{Name: "load", OnFailure: f.policy}, scope: f.scope,
					source: f.err.Source, handler: hooks.HandlerLua, loadError: f,
				})
			}
		}
	}
	p.warnings = append(append(p.warnings, pending...), l.warnings...)
	if n := commands(all); n > 0 && depth > 0 {
		p.warnings = append(p.warnings, fmt.Sprintf("a hook has started this process (%s=%d), so its command hooks (%d) don't run", depthVariable, depth, n))
	}
	for _, e := range all {
		if e.options.Disabled {
			continue
		}
		at := p.events[e.event]
		if at == nil { // the embedder's own
			at = &eventPlan{info: hooks.Lookup(e.event)}
			p.events[e.event] = at
		}
		at.hooks = append(at.hooks, e)
	}
	for _, at := range p.events {
		slices.SortStableFunc(at.hooks, before)
		at.hooks = place(at.hooks)
		number(at.hooks)
		p.countsLoops = p.countsLoops || (len(at.hooks) > 0 && at.info.Continues)
	}
	return p
}

// place copies the hooks of one event to one piece of memory, in their order. Those that follow
// one another with equal matchers have one: it is asked once, see [firing.matches].
func place(list []*hook) []*hook {
	all, placed := make([]hook, len(list)), make([]*hook, len(list))
	for i, e := range list {
		all[i], placed[i] = *e, &all[i]
		o := &all[i].options
		all[i].mode = cmp.Or(o.Mode, hooks.ModeSync)
		if i > 0 && o.Match.Equal(all[i-1].options.Match) {
			o.Match = all[i-1].options.Match
		}
	}
	return placed
}

// commands counts the command hooks that would run.
func commands(list []*hook) (n int) {
	for _, e := range list {
		if e.command != nil && e.skip == nil && !e.options.Disabled {
			n++
		}
	}
	return n
}

// defaultWithin is how long the hooks of one event may take together where nobody
// says anything; a hook that is given longer has it.
const defaultWithin = time.Minute

// number gives the hooks of one event their places, their keys and their time.
func number(list []*hook) {
	within := defaultWithin
	for _, e := range list {
		if e.untrusted == "" && e.skip == nil { // an untrusted project's could hold up every event
			within = max(within, e.longest())
		}
	}
	seen := map[string]int{}
	for i, e := range list {
		e.order = i + 1
		if e.within == 0 {
			e.within = within
		}
		if e.key == "" { // a hook that is written twice is two
			key := strings.Join([]string{string(e.scope), e.file, e.source, string(e.event), e.options.Name}, "\x00")
			seen[key]++
			e.key = fmt.Sprintf("%s\x00%d", key, seen[key])
		}
	}
}

// before is the order of two hooks of one event.
func before(a, b *hook) int {
	if d := a.scope.Rank() - b.scope.Rank(); d != 0 {
		return d
	}
	if a.around != b.around { // what lies further out was there before
		return b.around - a.around
	}
	if (a.loadError != nil) != (b.loadError != nil) {
		if a.loadError != nil {
			return 1
		}
		return -1
	}
	switch {
	case a.options.Priority > b.options.Priority:
		return -1
	case a.options.Priority < b.options.Priority:
		return 1
	case a.file < b.file:
		return -1
	case a.file > b.file:
		return 1
	}
	return 0 // registration order: the sort is stable
}

// at is what is done for an event, in any spelling of its name; nil: nobody knows it.
func (p *plan) at(event hooks.Event) *eventPlan {
	if at := p.events[event]; at != nil {
		return at
	}
	name, err := hooks.ParseEvent(string(event))
	if err != nil {
		return nil
	}
	if at := p.events[name]; at != nil {
		return at
	}
	return &eventPlan{info: hooks.Lookup(name)}
}

// noOpinion is the result of an event for which nothing runs. It is shared, and made when somebody needs it.
func (p *plan) noOpinion(at *eventPlan) *hooks.Result {
	if r := at.nothing.Load(); r != nil {
		return r
	}
	r := &hooks.Result{Warnings: p.warnings}
	r.Summarizer = &hooks.RunSummary{Event: at.info.Name, Generation: p.generation, StartedAt: time.Now(), Runs: []hooks.Run{}}
	at.nothing.CompareAndSwap(nil, r)
	return at.nothing.Load()
}

// loadedNow is what was loaded last, without the hooks of projects where no event has needed
// them so far.
func (e *Engine) loadedNow() *loaded {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.current.now()
}

// swap puts what was loaded in force and retires what was before; it reports whether
// the engine was still open to take it.
func (e *Engine) swap(l *loaded) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.active.closed.Load() {
		l.retire(e.pool)
		return false
	}
	old := e.current
	e.current = l
	e.replaceNotices(l.noticesInForce())
	e.rebuild()
	if old != nil {
		old.retire(e.pool)
	}
	return true
}

// rebuild makes a new generation of what is loaded and registered. e.mu is held.
func (e *Engine) rebuild() {
	e.counter++
	e.replan()
}

// replan makes the plan of a generation, anew where what it tells is different. e.mu is held.
func (e *Engine) replan() {
	l := e.current.now()
	p := buildPlan(l, e.goHooks, e.notices.warnings, e.counter, e.depth)
	p.policy = e.policyOf(l, e.goHooks)
	e.keepPolicy(p)
	e.plan.Store(p)
}

func (e *Engine) unregister(gone *hook) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(e.goHooks)
	e.goHooks = slices.DeleteFunc(slices.Clone(e.goHooks), func(h *hook) bool { return h == gone })
	if len(e.goHooks) != n {
		e.rebuild()
	}
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
		p.whole.policy = e.policyOf(p.projects.whole, p.goHooks)
		e.keepPolicy(p.whole)
		e.plan.CompareAndSwap(p, p.whole)
	}
	return p.whole
}

// maxDepth is how many events may lie within one another: hooks that fire events,
// and programs that hooks start and that have hooks themselves.
const maxDepth = 8

// depthVariable tells the children of hooks how deep they are.
const depthVariable = "LUAHOOK_DEPTH"

// depthOfProcess reads how many hooks lie above this process. What isn't a number is
// not from us, and counts as none.
func depthOfProcess() int {
	n, err := strconv.Atoi(os.Getenv(depthVariable))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, 1<<20)
}
