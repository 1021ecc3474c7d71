package luabind

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// Environment is what a script finds around it.
type Environment struct {
	Limits     Limits              // of loading, and of each run unless Call says less
	Coverage   *Coverage           // notes which lines run; nil: nobody wants to know
	Modules    []Module            // global tables, require-able
	Words      []Function          // global functions beside [Globals]
	Libraries  map[string]*Library // what else require finds, by name
	With       map[string]any      // the options of its entry in hooks.yaml; the chunk's first argument
	Objects    []Object            // of an embedder, for its own scripts
	Logger     *slog.Logger        // where print and log write; nil: nowhere
	Stragglers *Stragglers         // counts the calls that outlast their run; nil: they aren't counted
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
	once    sync.Once
	made    *compile.Program // by compile
	failure error
}

var errNotCompiled = errors.New("the compiler failed on it")

// LazyLibrary is a library that is compiled when it is first required; name is that of
// the program. It may be shared by states that run at the same time.
func LazyLibrary(name string, compile func() (*compile.Program, error)) *Library {
	return &Library{name: name, compile: compile}
}

// load returns the program, or why there is none.
func (l *Library) load() (*compile.Program, error) {
	if l.compile == nil {
		return l.Program, l.Err
	}
	l.once.Do(func() {
		l.failure = errNotCompiled // for those that come after a panic
		l.made, l.failure = l.compile()
	})
	return l.made, l.failure
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

// State is a script that was loaded: its functions, and what it keeps in its locals from run to
// run. It belongs to one goroutine at a time and is never used again once Broken says so.
type State struct {
	// What each run looks at: with many scripts it is memory that the processor has to wait for.
	*machine                                // what it runs on; nil: it doesn't run
	own           *Machine                  // where it runs if nobody lends it one; nil: none yet
	globalTable   *lua.LTable               // its globals
	functions     []*lua.LFunction          // by registration
	views         [stateViews]lua.LUserData // of the event that a run is about; see [recordView]
	spelled       bool                      // a registration has a spelling
	loading       bool
	broken        bool
	large         int64                     // bytes of large values that it has got hold of
	root          string                    // of the environment, with slashes
	globals       map[lua.LValue]lua.LValue // the script's own, as loading left them
	requiredInRun []string                  // libraries that were first required in this run
	coroutines    coroutines
	lifetime      lifetime
	env           Environment

	registrations []Registration
	logger        *slog.Logger
	onWait        func(begins bool) // see OnWait; nil: nobody wants to know
	program       *compile.Program
	took          time.Duration
	base          *lua.LTable                  // what stands behind the globals
	random        *rand.Rand                   // of math.random; made when it is first called
	find          func(name string) lua.LValue // what every script finds under a name
	libraries     map[string]lua.LValue
	metatables    metatables
	readOnly      map[*lua.LTable]readOnlyTable // by the table that scripts see
	bound         map[string]*lua.Upvalue       // functions of libraries, by name
	patterns      patterns                      // compiled
}

// spelling is how the script calls the event of a registration; "": as Event.
func (s *State) spelling(n int) string {
	if !s.spelled {
		return ""
	}
	return s.registrations[n].Spelling
}

// Registrations lists what the script registered, in order. The slice is shared.
func (s *State) Registrations() []Registration { return s.registrations }

// Broken tells that the state is unfit for another run: one has failed in it, or it
// may have gathered too much over many.
func (s *State) Broken() bool { return s.broken }

// OnWait has f called each time a run begins to wait for something outside ([Wait], [Context]), and
// again when it goes on or ends; after [Context] that may be in another goroutine. OnWait may be called
// between runs.
func (s *State) OnWait(f func(begins bool)) { s.onWait = f }

// stateOf finds the State from inside a library function; coroutines run under
// their state's budget, so it is found there too.
func stateOf(L *lua.LState) *State {
	if b, ok := L.Context().(*budget); ok {
		return b.state
	}
	return nil
}

// where is the file:line of the Lua function that called, without the colon.
func where(L *lua.LState) string {
	return strings.TrimSuffix(strings.TrimSpace(L.Where(1)), ":")
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
func (l *lifetime) start(large int64) { l.born, l.large = l.heap(), large }

// add counts a run and reports whether the state has had its time. large is what the state has
// got hold of.
func (l *lifetime) add(b *budget, large *int64) (over bool) {
	l.built += b.bytes
	l.ran += b.used
	if !l.tidy && l.built > maxBuilt {
		return true
	}
	if l.ran < heapLookEvery && *large-l.large <= maxBuilt {
		return false
	}
	l.ran = 0
	now := l.heap()
	l.born = min(l.born, now)
	grown := now - l.born
	*large = min(*large, l.large+grown) // what has come with events and gone with them
	return grown > maxHeapGrowth
}

// heap is what was live in the process when garbage was last collected.
func (l *lifetime) heap() int64 {
	l.live[0].Name = "/gc/heap/live:bytes"
	metrics.Read(l.live[:])
	return int64(l.live[0].Value.Uint64())
}

// Took is how long loading has had the processor.
func (s *State) Took() time.Duration { return s.took }
