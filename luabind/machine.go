package luabind

import (
	"context"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// Machine is what states run on: a stack, registers, a budget, and how the script sees the event.
// It keeps nothing of a run when that is over, so many states may take turns on one, and its
// memory stays at hand. It belongs to one goroutine at a time. States that don't trust one another
// shouldn't share one. Make one with [NewMachine].
type Machine struct{ machine }

// machine is a [Machine] as its states have it while they run.
type machine struct {
	lua              *lua.LState
	budget           budget
	view             *eventView
	running          *lua.LState   // the thread that runs now
	protectedThreads []*lua.LState // threads on which protected calls run, by depth

	// Of the run under way.
	event          *hooks.Context // nil: none is
	hook           int            // whose run that is, by registration
	respelled      hooks.Context  // the event as a hook calls it that spells it in another way
	warnings       []string       // of modules
	built          []*answer      // constructed
	dropped        []dropped
	protectedDepth int                 // of protectedThreads in use
	joined         [4]string           // the latest long strings that were made by ..
	thrown         lua.LValue          // the last error of the script that reads like one of the VM
	filledTo       map[*lua.LTable]int // up to which key a table is known to be filled
}

// Sizes of a machine. The call stack bounds recursion; the registry grows up to its
// maximum in steps, because each step copies it.
const (
	callStackSize    = 200
	registrySize     = 256
	registryMaxSize  = 16 << 10
	registryGrowStep = 512
)

// NewMachine makes a machine, of about 30 KB.
func NewMachine() *Machine {
	m := &Machine{}
	m.lua = lua.NewState(lua.Options{
		SkipOpenLibs: true, CallStackSize: callStackSize,
		RegistrySize: registrySize, RegistryMaxSize: registryMaxSize, RegistryGrowStep: registryGrowStep,
	})
	m.running = m.lua
	m.lua.SetContext(&m.budget)
	m.lua.G.Registry = m.lua.CreateTable(0, 0) // the VM comes with one that has room for all of its libraries
	meta := m.lua.CreateTable(0, 2)            // of strings, which scripts can't get hold of
	meta.RawSetString("__index", stringFunctions())
	meta.RawSetString("__metatable", lua.LFalse)
	m.lua.SetMetatable(lua.LString(""), meta)
	m.view = newEventView(&m.machine)
	return m
}

// stringFunctions is the string library, as it stands behind its name and every string. All
// machines share it: nothing writes to it.
var stringFunctions = sync.OnceValue(func() *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	for _, f := range stringLibrary.Functions {
		t.RawSetString(f.Name, sharedFunction("string."+f.Name, f.Go))
	}
	return t
})

// sharedFunction is a function in Go that states may share: it keeps nothing, and has no globals.
func sharedFunction(name string, f lua.LGFunction) *lua.LFunction {
	return &lua.LFunction{IsG: true, Env: &lua.LTable{Metatable: lua.LNil}, GFunction: guarded(name, f)}
}

// enterOn begins a run of the state on the machine that it is lent, or on its own.
func (s *State) enterOn(m *Machine) {
	if s.own != nil {
		m = s.own
	} else if m == nil {
		s.own = NewMachine()
		m = s.own
	}
	s.enter(&m.machine)
}

// enter begins a run of the state on a machine.
func (s *State) enter(m *machine) {
	s.machine = m
	m.budget.state, m.budget.cover, m.budget.large = s, s.env.Coverage, s.large
	m.lua.G.Global, m.lua.Env = s.globalTable, s.globalTable
}

// leave ends it, and forgets what the run has left behind in Go.
func (s *State) leave() {
	m := s.machine
	m.view.hide()
	if m.respelled.Event != "" {
		m.respelled = hooks.Context{}
	}
	m.event, m.warnings, m.budget.parent, m.budget.state = nil, nil, context.Background(), nil
	clear(m.built)
	clear(m.dropped)
	clear(m.filledTo)
	m.built, m.dropped = m.built[:0], m.dropped[:0]
	m.joined = [4]string{}
	if len(m.protectedThreads) > 1 { // they may have grown large
		m.protectedThreads = m.protectedThreads[:1]
	}
	s.machine = nil
}
