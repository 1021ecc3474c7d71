package luabind

import (
	"context"
	"log/slog"
	"path/filepath"
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

// Allowance is what is left of the work that several loadings may take together, in
// instructions and in units of [Spend]. It belongs to one goroutine.
type Allowance struct{ Left int64 }

// Take takes work out of the allowance and reports whether there was enough.
func (a *Allowance) Take(work int64) bool {
	a.Left -= work
	return a.Left >= 0
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
	s.enter(&m.machine)
	s.budget.start(ctx, limits, time.Now())
	err := s.load()
	for _, a := range charged {
		a.Left -= s.budget.used
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
