package luabind

import (
	"context"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// NewState makes a state, opens the sandbox and runs the program once, in the time of a
// run. The error is a *hooks.Error of kind load, or of kind limit where loading used up its
// budget.
func NewState(ctx context.Context, p *compile.Program, env Environment) (*State, error) {
	return newState(ctx, p, env, env.Limits.forLoading())
}

// Allowance is what several loadings may take together. It belongs to one goroutine.
type Allowance struct {
	Left int64 // of their work, in instructions
	Heap int64 // bytes by which the process's heap may grow; 0: nobody looks at it

	before int64 // of the heap, when the first one began
	unseen int64 // bytes that may have come since the last look
	full   bool
}

// Take takes work out of the allowance and reports whether there was enough.
func (a *Allowance) Take(work int64) bool {
	a.Left -= work
	return a.Left >= 0
}

// Full reports whether what was loaded has grown over the bound of the heap.
func (a *Allowance) Full() bool { return a.full }

const (
	unseenMemory = 16 << 20 // of what may have come, between two looks at the heap
	bytesPerWork = 128      // that a unit of work can make at most, where it isn't charged as bytes
)

// begin is before a loading.
func (a *Allowance) begin() {
	if a.Heap > 0 && a.before == 0 {
		a.before = new(heapWatch).read()
	}
}

// end is after one: each may keep what it has built, and only the sum tells.
func (a *Allowance) end(b *budget) {
	a.Left -= b.used
	a.unseen += b.bytes + b.used*bytesPerWork
	if a.Heap == 0 || a.unseen < unseenMemory {
		return
	}
	a.unseen = 0
	if new(heapWatch).read()-a.before > a.Heap {
		runtime.GC() // it may be garbage
		a.full = new(heapWatch).read()-a.before > a.Heap
	}
}

// stateWork is about what a state takes before its script runs.
const stateWork = 5000

// LoadState is NewState for a first loading, which is no run's. What bounds it is its work,
// by the limit on instructions and by the allowance, out of which it is taken (nil: there is
// none): an unchanged file must not fail because the machine is busy. The clock ends only
// what takes many times longer than any work of that size.
func LoadState(ctx context.Context, p *compile.Program, env Environment, allowance *Allowance) (*State, error) {
	limits := env.Limits.orDefault()
	limits.Timeout = max(limits.Timeout, loadingTime)
	if allowance == nil {
		return newState(ctx, p, env, limits)
	}
	if allowance.Take(stateWork) {
		limits.Instructions = min(limits.Instructions, allowance.Left)
	} else {
		limits.Instructions = 1
	}
	return newState(ctx, p, env, limits, allowance)
}

func newState(ctx context.Context, p *compile.Program, env Environment, limits Limits, charged ...*Allowance) (*State, error) {
	if env.Logger == nil {
		env.Logger = slog.New(slog.DiscardHandler)
	}
	s := &State{env: env, root: filepath.ToSlash(env.Root), program: p, libraries: map[string]lua.LValue{}, bound: map[string]*lua.Upvalue{}, loading: true, logger: env.Logger}
	m, ok := loadingMachines.Get().(*Machine)
	if !ok {
		m = NewMachine()
	}
	s.globalTable = m.lua.CreateTable(0, fewNames)
	for _, a := range charged {
		a.begin()
	}
	s.enter(&m.machine)
	s.budget.start(ctx, limits, time.Now())
	err := s.load()
	for _, a := range charged {
		a.end(&s.budget)
	}
	s.leave()
	if err != nil {
		return nil, err
	}
	if len(s.coroutines.loaded) > 0 || len(env.Objects) > 0 { // which belong to the machine that they were made on
		s.own = m
	} else {
		loadingMachines.Put(m)
	}
	return s, nil
}

// loadingMachines are those on which scripts are loaded. The variables that closures share point to the
// registers in which they were once, and so keep the machine: one for all rather than one for each.
var loadingMachines sync.Pool

// load opens the libraries and runs the chunk.
func (s *State) load() error {
	for _, o := range s.env.Objects {
		if err := o.Check(); err != nil {
			return &hooks.Error{Kind: hooks.KindLoad, Source: s.program.Name(), Message: err.Error(), Err: err}
		}
	}
	if err := s.openSandbox(); err != nil {
		return &hooks.Error{Kind: hooks.KindLoad, Source: s.program.Name(), Message: err.Error(), Err: err}
	}
	with, err := ToLua(s.lua, anyMap(s.env.With))
	if err != nil {
		return &hooks.Error{Kind: hooks.KindLoad, Source: s.program.Name(), Message: "with: " + err.Error(), Err: err}
	}
	program, err := s.resolve(s.program)
	if err != nil {
		return err
	}
	s.lua.Push(s.function(program, with))
	err = pcall(s.lua, 0)
	s.took = s.budget.finish()
	s.budget.parent = context.Background()
	if err != nil || s.budget.spent != nil {
		return s.loadError(err)
	}
	s.lua.SetTop(0)
	s.loading = false
	s.snapshotGlobals()
	s.coroutines.rememberLoaded()
	s.lifetime.tidy = s.env.Tidy
	s.large = max(s.budget.large, s.budget.stored, s.budget.bytes/16) // of small values, too: it may hold them all
	s.lifetime.start(s.large)
	return nil
}

func anyMap(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// Outcome is what one run of a hook came to.
type Outcome struct {
	Took         time.Duration // without what went to others while they had the processor, or what the hook needed
	Ended        time.Time     // when the function had returned; zero: it wasn't called
	Escaped      bool          // something that may outlast the run has got its context
	Result       *hooks.Result // nil: no opinion
	Instructions int64
	Entries      []hooks.Entry // what should be known of the run beside its result
	Err          *hooks.Error  // the run failed; Result is nil
}

// Call runs the function of registration n over an event. c must be complete; it
// is not changed. limits tighten those of the environment. After an error the state
// is Broken. The error's Hook is for the caller to fill in.
func (s *State) Call(ctx context.Context, n int, c *hooks.Context, limits Limits) Outcome {
	return s.CallOn(nil, ctx, n, c, limits, time.Now(), &hooks.Result{})
}

// CallOn is Call on a machine that the caller lends the state, where the time is known already. nil
// is the state's own. One on which a run has failed should be dropped. room is empty; the result may
// be there.
func (s *State) CallOn(m *Machine, ctx context.Context, n int, c *hooks.Context, limits Limits, now time.Time, room *hooks.Result) Outcome {
	s.enterOn(m)
	defer s.leave()
	s.budget.start(ctx, limits.Within(s.env.Limits), now)
	s.event, s.hook = c, n
	spelling, elsewhere := s.spelling(n), c.Root != "" && s.root != "" && s.root != c.Root
	if spelling != "" || elsewhere {
		s.respelled = *c
		s.respelled.Spelling = spelling
		if elsewhere {
			s.respelled.Root = s.root
		}
		s.view.show(&s.respelled, s)
	} else {
		s.view.show(c, s)
	}
	s.lua.Push(s.functions[n])
	s.lua.Push(&s.views[viewOfEvent])
	err := pcall(s.lua, 1)
	out := Outcome{Instructions: s.budget.used, Escaped: s.budget.escaped, Took: s.budget.finish(), Ended: s.budget.clock.latest()}
	switch {
	case err != nil:
		out.Err = s.runError(err, s.registrations[n].Source)
	case s.budget.spent != nil: // since the last look, or caught by a pcall: the answer may be incomplete
		out.Err = s.limitError(s.registrations[n].Source)
		out.Err.Denied, out.Err.SystemMessage = s.denies(c), s.messages()
	default:
		out.Result, out.Entries, err = s.takeAnswers(c, room)
		if err == nil && len(s.dropped) > 0 {
			if out.Err = s.forgotten(out.Result, c, s.registrations[n].Options.Mode); out.Err != nil {
				out.Result, out.Err.SystemMessage = nil, s.messages()
			}
		}
		switch {
		case err != nil && s.budget.spent != nil:
			out.Err = s.limitError(s.registrations[n].Source)
			out.Err.Denied, out.Err.SystemMessage = s.denies(c), s.messages()
		case err != nil:
			out.Err = &hooks.Error{Kind: hooks.KindResult, Source: s.registrations[n].Source, Message: shorten(err.Error(), maxMessage), Err: err, Denied: s.denies(c), SystemMessage: s.messages()}
		}
	}
	for _, text := range s.warnings {
		out.Entries = append(out.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: text})
	}
	s.endRun(out.Err != nil)
	return out
}

// Run calls a function as a run of its own, within limits that tighten those of the environment,
// and without an event: for those that have scripts do more than answer events. f calls what it
// likes of the state. After an error the state is Broken. The error is a *hooks.Error as that of
// a hook.
func (s *State) Run(ctx context.Context, limits Limits, f lua.LGFunction) error {
	s.enterOn(nil)
	defer s.leave()
	s.budget.start(ctx, limits.Within(s.env.Limits), time.Now())
	s.lua.Push(s.lua.NewFunction(guarded("run", f)))
	err := pcall(s.lua, 0)
	s.budget.finish()
	var failure *hooks.Error
	if err != nil {
		failure = s.runError(err, s.program.Name())
	} else if s.budget.spent != nil {
		failure = s.limitError(s.program.Name())
	}
	s.endRun(failure != nil)
	if failure == nil {
		return nil
	}
	return failure
}

// endRun takes back what the run has done, and counts it.
func (s *State) endRun(failed bool) {
	s.lua.SetTop(0)
	s.restoreGlobals()
	s.coroutines.endRun()
	s.large = s.budget.large
	s.broken = s.broken || failed || s.lifetime.add(&s.budget, &s.large)
}
