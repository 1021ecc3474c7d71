package luabind

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// maxProtected is how deep pcall and xpcall may stand within one another. Each level
// has a call stack of its own, so the VM's bound doesn't see them.
const maxProtected = 100

// threadBytes is about what a Lua thread takes.
const threadBytes = 32 << 10

// openProtection puts the functions that raise and catch errors into the base library.
func (s *State) openProtection(base *lua.LTable) {
	for name, f := range map[string]lua.LGFunction{"pcall": s.pcall, "xpcall": s.xpcall, "error": s.raise} {
		base.RawSetString(name, s.lua.NewFunction(guarded(name, f)))
	}
}

// protectedCall calls the function at index first of L with n arguments after it. It
// pushes the results and returns their number, or the error that was raised. It
// doesn't return where the run is over: no script may live on after a limit.
//
// The call runs on a Lua thread of its own. The VM, when it raises an error, closes
// the upvalues of all frames of the thread, also of those below the pcall, which go
// on: a local of theirs and the closures over it would then no longer be one
// variable. On a thread of its own there are none below.
func (s *State) protectedCall(L *lua.LState, first, n int) (results int, err error) {
	if f := L.Get(first); f.Type() != lua.LTFunction && L.GetMetaField(f, "__call").Type() != lua.LTFunction {
		return 0, &lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString("attempt to call a " + typeName(f) + " value")}
	}
	if s.protectedDepth == maxProtected {
		s.budget.stop(hooks.LimitStack, fmt.Errorf("it recurses too deep (pcall within pcall, %d levels)", maxProtected))
		s.budget.raise(L)
	}
	if s.protectedDepth == len(s.protectedThreads) {
		s.budget.allocate(L, threadBytes)
		thread, _ := L.NewThread()
		thread.SetContext(&s.budget)
		s.protectedThreads = append(s.protectedThreads, thread)
	}
	thread := s.protectedThreads[s.protectedDepth]
	for i := first; i <= first+n; i++ {
		thread.Push(L.Get(i))
	}
	s.protectedDepth++
	caller := s.running
	s.running = thread
	err = pcall(thread, n)
	s.running = caller
	s.protectedDepth--
	if err != nil {
		thread.SetTop(0)
		if f, ok := L.Get(first).(*lua.LFunction); ok && f.IsG {
			trimPosition(err)
		}
		s.caught(L, err)
		return 0, err
	}
	results = thread.GetTop()
	thread.XMoveTo(L, results)
	return results, nil
}

// pcall is PCall of the VM, and an error also where that panics itself.
func pcall(L *lua.LState, n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &lua.ApiError{Type: lua.ApiErrorPanic, Object: lua.LString(fmt.Sprint(r))}
		}
	}()
	return L.PCall(n, lua.MultRet, nil)
}

// trimPosition removes the space that the VM puts between a position and a message
// even where there is no position, because no Lua function is on the stack.
func trimPosition(err error) {
	if api, ok := err.(*lua.ApiError); ok {
		if message, ok := api.Object.(lua.LString); ok {
			api.Object = lua.LString(strings.TrimPrefix(string(message), " "))
		}
	}
}

// errorWork is about what it takes to raise an error and to catch it.
const errorWork = 50

// caught looks at an error before a script gets it, and raises it again where the
// run must not go on.
func (s *State) caught(L *lua.LState, err error) {
	b := &s.budget
	s.inspect(err)
	if b.spent == nil {
		b.checkClock() // an error's traceback can take long
	}
	if b.spent != nil {
		b.raise(L)
	}
	b.spend(L, errorWork)
	mask(err)
	if message, ok := errorObject(err).(lua.LString); ok { // it may hold a copy of a long string
		b.allocate(L, len(message))
	}
}

// inspect ends the run over an error that tells of a full stack, or of a panic of the
// VM itself, which leaves the state unknown.
func (s *State) inspect(err error) {
	api, ok := err.(*lua.ApiError)
	switch {
	case ok && api.Type != lua.ApiErrorPanic && s.overflowed(api.Object):
		s.budget.stop(hooks.LimitStack, tooDeep(overflow(api.Object)))
	case ok && api.Type != lua.ApiErrorPanic:
	case strings.Contains(err.Error(), "index out of range [-1]"):
		// A full registry, found when a function was about to begin: the VM looks for
		// the line before its first.
		s.broken = true
		s.budget.stop(hooks.LimitStack, tooDeep("registry overflow"))
	default:
		s.panicked(fmt.Errorf("the Lua machine panicked: %w", err))
	}
}

// tooDeep is the error of a full stack.
func tooDeep(what string) error {
	return fmt.Errorf("it recurses too deep (%s); the stack holds %d calls and %s values, which no option raises", what, callStackSize, grouped(registryMaxSize))
}

// panicked ends the run and condemns the state.
func (s *State) panicked(cause error) {
	s.broken = true
	s.budget.stop("", cause)
}

// overflow is the VM's word for a stack that is full, or "".
func overflow(object lua.LValue) string {
	message, _ := object.(lua.LString)
	for _, word := range []string{"stack overflow", "registry overflow"} {
		if strings.HasSuffix(string(message), word) {
			return word
		}
	}
	return ""
}

// overflowed reports whether the VM raised the error because a stack is full. A script
// may use the same words in an error of its own, which is the one that was thrown last.
func (s *State) overflowed(object lua.LValue) bool {
	thrown := s.thrown
	s.thrown = nil
	return overflow(object) != "" && object != thrown
}

// throw raises an error that a script has made up.
func throw(L *lua.LState, object lua.LValue) {
	if s := stateOf(L); s != nil && overflow(object) != "" {
		s.thrown = object
	}
	L.Error(object, 0)
}

// pcall is pcall(f, ...).
func (s *State) pcall(L *lua.LState) int {
	arguments{L, "pcall"}.any(1)
	n, err := s.protectedCall(L, 1, L.GetTop()-1)
	if err != nil {
		L.Push(lua.LFalse)
		L.Push(errorObject(err))
		return 2
	}
	L.Insert(lua.LTrue, L.GetTop()-n+1)
	return n + 1
}

// xpcall is xpcall(f, handler). The handler runs when the error has gone up, not
// where it was raised: there is nothing that it could look at there.
func (s *State) xpcall(L *lua.LState) int {
	arguments{L, "xpcall"}.any(2)
	L.SetTop(2)
	L.Push(L.Get(1))
	n, err := s.protectedCall(L, 3, 0)
	if err == nil {
		L.Insert(lua.LTrue, L.GetTop()-n+1)
		return n + 1
	}
	L.SetTop(2)
	L.Push(L.Get(2))
	L.Push(errorObject(err))
	n, err = s.protectedCall(L, 3, 1)
	var handled lua.LValue = lua.LNil
	if err != nil {
		handled = errorObject(err)
	} else if n > 0 {
		handled = L.Get(L.GetTop() - n + 1)
	}
	L.Push(lua.LFalse)
	L.Push(handled)
	return 2
}

func errorObject(err error) lua.LValue {
	if api, ok := err.(*lua.ApiError); ok {
		return api.Object
	}
	return lua.LString(err.Error())
}

// raise is error(message, level): level 1 puts the position of the caller before a
// text, 2 that of its caller.
func (s *State) raise(L *lua.LState) int {
	object, level := L.Get(1), L.OptInt(2, 1)
	if message, ok := object.(lua.LString); ok {
		s.budget.allocate(L, len(message)) // for the copy with the position before it
		object = placed(L, level, string(message))
	}
	throw(L, object)
	return 0
}

// placed is a message with the place that [callerAt] finds before it.
func placed(L *lua.LState, level int, message string) lua.LString {
	if at := callerAt(L, level); at != "" {
		return lua.LString(at + " " + message)
	}
	return lua.LString(message)
}

// callerAt is where the function so many levels up stands, with a colon, or "". A
// function in Go has no place of its own; the one that called it has.
func callerAt(L *lua.LState, level int) string {
	for ; 0 < level && level <= callStackSize; level++ {
		if at := L.Where(level); !strings.HasPrefix(at, "[G]") {
			return at
		}
	}
	return ""
}

// mask takes the addresses out of an error of the VM, which quotes a key that way
// where there is nothing to index.
func mask(err error) {
	api, ok := err.(*lua.ApiError)
	if !ok {
		return
	}
	message, ok := api.Object.(lua.LString)
	if !ok {
		return
	}
	head, rest := message[:min(len(message), maxMessage)], message[min(len(message), maxMessage):] // a script's own may be as long as it likes
	if strings.Contains(string(head), " with key '") {
		if masked := quotedAddress().ReplaceAllString(string(head), " with key '$1'"); masked != string(head) {
			api.Object = lua.LString(masked) + rest
		}
	}
}

var quotedAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` with key '(\w+): 0x[0-9a-f]+'`) })

// aboutNil tells messages that a nil could have caused from the others.
var aboutNil = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bnil\b`) })

// runError is the error of a failed call in the words of package hooks. The budget
// is asked what happened, not the message.
func (s *State) runError(err error, source string) *hooks.Error {
	s.inspect(err)
	mask(err)
	e := s.scriptError(err, hooks.KindScript, source)
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		limit.Traceback, limit.Snippet = e.Traceback, s.lineAt(e.Source, "")
		return limit
	}
	return e
}

// notCallable is the message for a call of nil, or of what else is no function.
const notCallable = "attempt to call what is no function; is its name misspelt?"

// loadError is the error of a chunk that failed while it loaded.
// err is nil where it caught the error of a limit itself.
func (s *State) loadError(err error) *hooks.Error {
	e := &hooks.Error{Source: s.program.Name()}
	if err != nil {
		s.inspect(err)
		mask(err)
		e = s.scriptError(err, hooks.KindLoad, s.program.Name())
	}
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		if limit.Kind == hooks.KindLimit {
			limit.Message = "loading: " + limit.Message
			return limit
		}
		e = limit
	}
	e.Kind = hooks.KindLoad
	return e
}

// limitError is the error of a run that a limit has ended, or a panic.
func (s *State) limitError(source string) *hooks.Error {
	kind := hooks.KindLimit
	if s.budget.limit == "" {
		kind = hooks.KindScript
	}
	return &hooks.Error{Kind: kind, Limit: s.budget.limit, Source: source, Message: s.budget.spent.Error(), Err: s.budget.spent}
}

func (s *State) scriptError(err error, kind hooks.ErrorKind, source string) *hooks.Error {
	e := &hooks.Error{Kind: kind, Source: source}
	var api *lua.ApiError
	if !errors.As(err, &api) {
		e.Message = shorten(err.Error(), maxMessage)
		return e
	}
	switch object := api.Object.(type) {
	case lua.LString:
		e.Message = string(object)
	case *lua.LTable:
		e.Message = "error object: a table"
		if m, ok := object.RawGetString("message").(lua.LString); ok {
			e.Message = string(m)
		}
	case *lua.LUserData:
		e.Message = "error object: " + typeName(object)
	case *lua.LNilType:
		e.Message = "it failed without a message"
	case lua.LNumber, lua.LBool:
		e.Message = "error object: " + object.String()
	default:
		e.Message = "error object: a " + object.Type().String()
	}
	e.Message, e.Traceback = shorten(e.Message, maxMessage), shorten(traceback(api.StackTrace, kind), maxTraceback)
	if at, message, ok := s.position(e.Message); ok {
		e.Source, e.Message = at, message
	} else if at := s.topFrame(api.StackTrace); s.lineAt(at, "") != "" { // a built-in hides its own
		e.Source = at
	}
	if e.Message == "attempt to call a non-function object" {
		e.Message = notCallable
	}
	e.Message = s.explain(e.Message, e.Source)
	if e.Message == "" {
		e.Message = "it failed without a message"
	}
	e.Snippet = s.lineAt(e.Source, e.Message)
	return e
}

// lineAt is the line of a place in the script or a library of its, with a mark below what a message of it is about; "" where it
// isn't known.
func (s *State) lineAt(at, message string) string {
	program, line := s.programAt(at)
	if program == nil {
		return ""
	}
	return program.Marked(line, message)
}

// topFrame is the innermost place of a traceback of the VM's that lies in the script or a library of its; "" where its
// innermost ones have none.
func (s *State) topFrame(traceback string) string {
	lines := strings.SplitN(traceback, "\n", 6)
	for _, line := range lines[:min(len(lines), 5)] {
		if at, _, ok := s.position(strings.TrimSpace(line)); ok {
			return at
		}
	}
	return ""
}

// traceback is the VM's without what lies outside of scripts. It is "" where one place is all that it has, which the error
// names anyway.
func traceback(text string, kind hooks.ErrorKind) string {
	var frames []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line == "stack traceback:" || strings.HasPrefix(line, "[G]:") {
			continue
		}
		if kind == hooks.KindScript { // a hook is what its state was called with
			line = strings.Replace(line, ": in main chunk", ": in the hook", 1)
		}
		frames = append(frames, line)
	}
	if len(frames) < 2 {
		return ""
	}
	return "stack traceback:\n\t" + strings.Join(frames, "\n\t")
}

// position splits the "file:line: " off that gopher-lua puts before a message,
// where the file is the script or one that it required.
func (s *State) position(message string) (at, rest string, ok bool) {
	if at, rest, ok = cutPosition(message, s.program.Name()); ok {
		return at, rest, true
	}
	for _, l := range s.env.Libraries {
		if l.file() == "" {
			continue
		}
		if at, rest, ok = cutPosition(message, l.file()); ok {
			return at, rest, true
		}
	}
	return "", message, false
}

func cutPosition(message, file string) (at, rest string, ok bool) {
	after, ok := strings.CutPrefix(message, file+":")
	if !ok {
		return "", message, false
	}
	line, rest, ok := strings.Cut(after, ":")
	if _, err := strconv.Atoi(line); !ok || err != nil {
		return "", message, false
	}
	return file + ":" + line, strings.TrimLeft(rest, " "), true
}
