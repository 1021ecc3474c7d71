package luabind

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"runtime/metrics"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// Environment is what a script finds around it.
type Environment struct {
	Modules    []Module            // global tables, require-able
	Words      []Function          // global functions beside [Globals]
	Libraries  map[string]*Library // what else require finds, by name
	With       map[string]any      // the options of its entry in hooks.yaml; the chunk's first argument
	Objects    []Object            // of an embedder, for its own scripts
	Logger     *slog.Logger        // where print and log write; nil: nowhere
	Stragglers *Stragglers         // counts the calls that outlast their run; nil: they aren't counted
	Limits     Limits              // of loading, and of each run unless Call says less
	Grants     hooks.Grants        // what it may reach outside of its sandbox
	Withheld   Withheld            // what it would have beside that
	Root       string              // the project's root, absolute; "": there is no project
	Depth      int                 // LUAHOOK_DEPTH of the programs that it starts
	Services   any                 // what the engine gives to modules; see [ServicesOf]
	Tidy       bool                // the script is known to keep nothing from run to run; only a growing heap ends the life of its states
}

// Library is a script that require can find. Program or Err is set, or the library is
// one of [LazyLibrary].
type Library struct {
	Program *compile.Program
	Err     error // why it can't be loaded

	name    string
	compile func() (*compile.Program, error)
}

// LazyLibrary is a library that is compiled when it is first required; name is that of
// the program. It may be shared by states that run at the same time.
func LazyLibrary(name string, compile func() (*compile.Program, error)) *Library {
	return &Library{name: name, compile: sync.OnceValues(compile)}
}

// load returns the program, or why there is none.
func (l *Library) load() (*compile.Program, error) {
	if l.compile != nil {
		return l.compile()
	}
	return l.Program, l.Err
}

// file is the name that positions in the program have, "" where there is none.
func (l *Library) file() string {
	if l.Program != nil {
		return l.Program.Name()
	}
	return l.name
}

// Registration is one call of on(...) while a script loaded.
type Registration struct {
	Event    hooks.Event
	Options  hooks.Options
	Source   string // file:line
	Spelling string // how the script calls the event; "": as Event
	Answers  string // the first word of an answer that the function uses ("deny"), "" where there is none
}

// State is a script, loaded into a Lua state of its own. It belongs to one
// goroutine at a time and is never used again once Broken says so.
type State struct {
	lua           *lua.LState
	env           Environment
	logger        *slog.Logger
	program       *compile.Program
	budget        budget
	registrations []Registration
	root          string           // of the environment, with slashes
	functions     []*lua.LFunction // by registration
	loading       bool
	took          time.Duration
	broken        bool
	lifetime      lifetime

	coroutines       coroutines
	protectedThreads []*lua.LState // threads on which protected calls run, by depth
	protectedDepth   int           // of them in use
	joined           [4]string     // the latest long strings that were made by ..
	thrown           lua.LValue    // the last error of the script that reads like one of the VM

	view          *eventView
	event         *hooks.Context               // of the run under way; nil: none is
	hook          int                          // whose run that is, by registration
	respelled     hooks.Context                // the event as a hook calls it that spells it in another way
	warnings      []string                     // of modules, in this run
	built         []*answer                    // constructed in this run
	dropped       []dropped                    // in this run
	base          *lua.LTable                  // what stands behind the globals
	strings       *lua.LTable                  // the string library, as it stands behind its name and every string
	random        *rand.Rand                   // of math.random; made when it is first called
	find          func(name string) lua.LValue // what every script finds under a name
	requiredInRun []string                     // libraries that were first required in this run
	libraries     map[string]lua.LValue
	globals       map[lua.LValue]lua.LValue // the script's own, as loading left them
	metatables    metatables
	readOnly      map[*lua.LTable]readOnlyTable // by the table that scripts see
	guards        map[string]*lua.Upvalue
	filledTo      map[*lua.LTable]int // up to which key a table is known to be filled in this run
}

// Sizes of a state. The call stack bounds recursion; the registry grows up to its
// maximum in steps, because each step copies it.
const (
	callStackSize    = 200
	registrySize     = 256
	registryMaxSize  = 16 << 10
	registryGrowStep = 512
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
	s := &State{env: env, root: filepath.ToSlash(env.Root), program: p, libraries: map[string]lua.LValue{}, guards: map[string]*lua.Upvalue{}, loading: true, logger: env.Logger}
	s.lua = lua.NewState(lua.Options{
		SkipOpenLibs: true, CallStackSize: callStackSize,
		RegistrySize: registrySize, RegistryMaxSize: registryMaxSize, RegistryGrowStep: registryGrowStep,
	})
	s.budget.state = s
	s.budget.start(ctx, limits, time.Now())
	s.lua.SetContext(&s.budget)
	err := s.load()
	for _, a := range charged {
		a.Left -= s.budget.used
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

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
	s.built, s.dropped = s.built[:0], nil
	s.lifetime.tidy = s.env.Tidy
	s.budget.large = max(s.budget.large, s.budget.bytes) // of small values, too: it may hold them all
	s.lifetime.start(&s.budget)
	return nil
}

func anyMap(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// Took is how long loading has had the processor.
func (s *State) Took() time.Duration { return s.took }

// Registrations lists what the script registered, in order. The slice is shared.
func (s *State) Registrations() []Registration { return s.registrations }

// Broken tells that the state is unfit for another run: one has failed in it, or it
// may have gathered too much over many.
func (s *State) Broken() bool { return s.broken }

// Close frees the state. It must not be in use.
func (s *State) Close() {
	s.lua.Close()
}

// Outcome is what one run of a hook came to.
type Outcome struct {
	Took         time.Duration // without what went to others while they had the processor, or what the hook needed
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
	return s.CallAt(ctx, n, c, limits, time.Now())
}

// CallAt is Call where the time is known already.
func (s *State) CallAt(ctx context.Context, n int, c *hooks.Context, limits Limits, now time.Time) Outcome {
	s.budget.start(ctx, limits.Within(s.env.Limits), now)
	s.event, s.hook = c, n
	spelling, elsewhere := s.registrations[n].Spelling, c.Root != "" && s.root != "" && s.root != c.Root
	if spelling != "" || elsewhere {
		s.respelled = *c
		s.respelled.Spelling = spelling
		if elsewhere {
			s.respelled.Root = s.root
		}
		s.view.show(&s.respelled)
	} else {
		s.view.show(c)
	}
	s.lua.Push(s.functions[n])
	s.lua.Push(s.view.event.ud)
	err := pcall(s.lua, 1)
	out := Outcome{Instructions: s.budget.used, Escaped: s.budget.escaped, Took: s.budget.finish()}
	switch {
	case err != nil:
		out.Err = s.runError(err, s.registrations[n].Source)
	case s.budget.spent != nil: // since the last look, or caught by a pcall: the answer may be incomplete
		out.Err = s.limitError(s.registrations[n].Source)
		out.Err.Denied, out.Err.SystemMessage = s.denies(c), s.messages()
	default:
		out.Result, out.Entries, err = s.takeAnswers(c)
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
	s.lua.SetTop(0)
	s.endRun()
	s.broken = s.broken || out.Err != nil || s.lifetime.add(&s.budget)
	return out
}

// endRun takes back what the run has done and forgets what it has left behind in Go.
func (s *State) endRun() {
	s.view.hide()
	if s.respelled.Event != "" {
		s.respelled = hooks.Context{}
	}
	s.event, s.warnings, s.budget.parent = nil, nil, context.Background()
	s.restoreGlobals()
	clear(s.built)
	clear(s.dropped)
	s.built, s.dropped = s.built[:0], s.dropped[:0]
	s.coroutines.endRun()
	s.forgetFilled()
	s.joined = [4]string{}
	s.protectedDepth, s.thrown = 0, nil
	if len(s.protectedThreads) > 1 { // they may have grown large
		s.protectedThreads = s.protectedThreads[:1]
	}
}

// lifetime says when a state has had its time. What a script keeps in its locals stays
// from run to run, and no limit of a run sees how it adds up; so a state that may
// have gathered much is not used again. Making another costs about as much as a few
// thousand instructions, so it can be wrong about that often enough.
type lifetime struct {
	built int64 // bytes charged since the state was made
	large int64 // of large values that loading left
	ran   int64 // instructions since the last look at the heap
	born  int64 // the smallest live heap since the state was made
	tidy  bool  // what the script builds it doesn't keep
	live  [1]metrics.Sample
}

const (
	maxBuilt      = 4 << 20  // bytes that a state may build; of large values that it gets hold of, until the heap is looked at
	maxHeapGrowth = 16 << 20 // bytes by which the live heap may grow while a state lives
	heapLookEvery = 10_000   // instructions between two looks at the heap
)

// start looks at the heap when the state has been made.
func (l *lifetime) start(b *budget) { l.born, l.large = l.heap(), b.large }

// add counts a run and reports whether the state has had its time.
func (l *lifetime) add(b *budget) (over bool) {
	l.built += b.bytes
	l.ran += b.used
	if !l.tidy && l.built > maxBuilt {
		return true
	}
	if l.ran < heapLookEvery && b.large-l.large <= maxBuilt {
		return false
	}
	l.ran = 0
	now := l.heap()
	l.born = min(l.born, now)
	grown := now - l.born
	b.large = min(b.large, l.large+grown) // what has come with events and gone with them
	return grown > maxHeapGrowth
}

// heap is what was live in the process when garbage was last collected.
func (l *lifetime) heap() int64 {
	l.live[0].Name = "/gc/heap/live:bytes"
	metrics.Read(l.live[:])
	return int64(l.live[0].Value.Uint64())
}
