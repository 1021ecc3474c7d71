package luabind

import (
	_ "embed"
	"runtime"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/compile"
)

// Bounds of coroutines. Each has a call stack of its own, and resuming one is a call
// in Go.
const (
	maxCoroutines  = 256 // of one run that haven't ended
	maxResumeDepth = 16  // coroutines that have resumed one another
	maxResumeArgs  = 8000

	coroutineWork = 300 // of making one, in instructions
	resumeWork    = 20
)

// coroutines are those of a state. The VM's own functions refuse only to resume the
// one that runs: resuming another that waits for its own resume to come back recurses
// in Go without end.
type coroutines struct {
	status  map[*lua.LState]string // of all that this run may resume
	running []*lua.LState          // those that have resumed one another, innermost last
	open    int                    // that haven't ended
	loaded  []*lua.LState          // that the script made while it loaded

	create, resume lua.LGFunction // the VM's own
}

// stockCoroutines are the VM's own functions.
var stockCoroutines = sync.OnceValue(func() map[string]lua.LGFunction { return stock(lua.OpenCoroutine) })

const (
	suspended = "suspended"
	running   = "running"
	normal    = "normal"
	dead      = "dead"
)

// endRun forgets the coroutines of a run, except those that the script made while it
// loaded: they are its own, like its locals.
func (c *coroutines) endRun() {
	if len(c.status) == len(c.loaded) && len(c.running) == 0 {
		return
	}
	kept := make(map[*lua.LState]string, len(c.loaded))
	c.open = 0
	for _, thread := range c.loaded {
		kept[thread] = c.status[thread]
		if kept[thread] != dead {
			c.open++
		}
	}
	c.status, c.running = kept, nil
}

// rememberLoaded remembers those that loading has made.
func (c *coroutines) rememberLoaded() {
	for thread := range c.status {
		c.loaded = append(c.loaded, thread)
	}
}

// openCoroutines makes the library.
func (s *State) openCoroutines() *lua.LTable {
	c := &s.coroutines
	c.status = map[*lua.LState]string{}
	c.create, c.resume = stockCoroutines()["create"], stockCoroutines()["resume"]
	library := s.lua.CreateTable(0, 6)
	for _, f := range []Function{
		{Name: "create", Go: s.createCoroutine}, {Name: "wrap", Go: s.wrapCoroutine}, {Name: "resume", Go: s.resumeCoroutine},
		{Name: "status", Go: s.coroutineStatus}, {Name: "running", Go: s.runningCoroutine},
	} {
		library.RawSetString(f.Name, s.lua.NewFunction(guarded(f.Name, f.Go)))
	}
	library.RawSetString("yield", s.yieldFunction())
	return library
}

// yieldSource is yield as scripts get it. Where it is resumed with fewer values than
// it is to give, the VM leaves registers empty, which are no nil; returning from a
// function fills them.
const yieldSource = `local suspend, pass return function(...) return pass(suspend(...)) end`

// yieldCode is what the compiler makes of it; the tests write it. Nothing else that every
// state needs is compiled when it is needed.
//
//go:embed yield.bin
var yieldCode string

var yieldProto = sync.OnceValue(func() *lua.FunctionProto {
	p, err := compile.Decode("[yield]", yieldCode)
	if err != nil {
		panic(err)
	}
	return p.Proto().FunctionPrototypes[0]
})

func (s *State) yieldFunction() *lua.LFunction {
	f := s.lua.NewFunctionFromProto(yieldProto())
	for i, name := range yieldProto().DbgUpvalues {
		f.Upvalues[i] = s.upvalue("yield", map[string]lua.LGFunction{"suspend": s.yield, "pass": (*lua.LState).GetTop}[name])
	}
	return f
}

func (s *State) createCoroutine(L *lua.LState) int {
	c := &s.coroutines
	if L.CheckFunction(1).IsG {
		L.ArgError(1, "Lua function expected")
	}
	if c.open == maxCoroutines {
		L.RaiseError("there are %d coroutines that haven't ended; a run can't have more", maxCoroutines)
	}
	s.budget.allocate(L, threadBytes)
	s.budget.spend(L, coroutineWork)
	L.SetTop(1)
	n := c.create(L)
	thread, _ := L.Get(-1).(*lua.LState)
	thread.SetContext(&s.budget)
	c.status[thread] = suspended
	c.open++
	return n
}

// wrapCoroutine is wrap(f): a function that resumes and raises the error.
func (s *State) wrapCoroutine(L *lua.LState) int {
	s.createCoroutine(L)
	thread := L.Get(-1)
	L.Push(L.NewFunction(guarded("coroutine.wrap", func(L *lua.LState) int {
		L.Insert(thread, 1)
		n := s.resumeCoroutine(L)
		if L.Get(-n) == lua.LTrue {
			return n - 1
		}
		throw(L, L.Get(-n+1))
		return 0
	})))
	return 1
}

func (s *State) resumeCoroutine(L *lua.LState) int {
	c := &s.coroutines
	thread := L.CheckThread(1)
	refuse := func(why string) int {
		L.Push(lua.LFalse)
		L.Push(lua.LString(why))
		return 2
	}
	switch status := c.status[thread]; {
	case status == "":
		return refuse("cannot resume a coroutine of an earlier run")
	case status != suspended && status != dead:
		return refuse("cannot resume non-suspended coroutine")
	case status == dead:
		return refuse("cannot resume dead coroutine")
	case len(c.running) == maxResumeDepth:
		return refuse("coroutines resume one another too deep")
	case L.GetTop() > maxResumeArgs:
		return refuse("too many arguments to resume")
	}
	s.budget.spend(L, resumeWork)
	if n := len(c.running); n > 0 {
		c.status[c.running[n-1]] = normal
	}
	c.status[thread] = running
	c.running = append(c.running, thread)
	resumer := s.running
	s.running = thread
	n := c.resume(L)
	s.running = resumer
	c.running = c.running[:len(c.running)-1]
	c.status[thread] = suspended
	if thread.Dead {
		c.status[thread] = dead
		c.open--
	}
	if n := len(c.running); n > 0 {
		c.status[c.running[n-1]] = running
	}
	if L.Get(-n) == lua.LFalse {
		err := &lua.ApiError{Type: lua.ApiErrorRun, Object: L.Get(-n + 1)}
		if message, ok := err.Object.(lua.LString); ok && strings.HasPrefix(string(message), "runtime error: ") {
			err.Type = lua.ApiErrorPanic // the VM gives only its text
		}
		s.caught(L, err)
		L.Pop(1)
		L.Push(err.Object) // which caught may have masked
	} else if s.budget.spent != nil {
		s.budget.raise(L)
	}
	return n
}

func (s *State) yield(L *lua.LState) int {
	problem := ""
	switch {
	case s.coroutines.status[L] == "" && len(s.coroutines.running) == 0:
		problem = "attempt to yield from outside a coroutine"
	case s.coroutines.status[L] == "" || withinCall():
		problem = "attempt to yield across metamethod/C-call boundary"
	default:
		return -1
	}
	L.Error(placed(L, 2, problem), 0) // of the function around this
	return 0
}

// withinCall tells, from inside yield, whether a function in Go stands between it and
// the resume: a pcall, a comparison that table.sort makes, a metamethod. The VM can't
// suspend those. Nothing but the Go stack knows: a VM loop that resume has started is
// called by threadRun, one that serves a call is not.
func withinCall() bool {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, ".mainLoopWithContext") {
			frame, _ = frames.Next()
			return !strings.HasSuffix(frame.Function, ".threadRun")
		}
		if !more {
			return true
		}
	}
}

func (s *State) coroutineStatus(L *lua.LState) int {
	status := s.coroutines.status[L.CheckThread(1)]
	if status == "" { // of an earlier run
		status = dead
	}
	L.Push(lua.LString(status))
	return 1
}

func (s *State) runningCoroutine(L *lua.LState) int {
	if n := len(s.coroutines.running); n > 0 {
		L.Push(s.coroutines.running[n-1])
		return 1
	}
	L.Push(lua.LNil)
	return 1
}
